import { seeded } from "../../../reference/core/index.ts";
import { type Grown, type Row, shapes } from "./shapes.ts";

/**
 * The samples for all queries of the suite: two hours from `BEGIN`, the same on every machine. Times are never whole minutes, so that no range starts
 * or ends on a sample unless a case is about exactly that.
 */

/** 2025-06-01T00:00:00Z, a multiple of two hours, so that everything fits into one block. In seconds since 1970. */
export const BEGIN = 1_748_736_000;
export const LENGTH = 7_200;
/** The last series: a server that has it has everything, because samples are pushed in time order. */
export const MARK = "touchstone_data";
export const MARK_VALUE = 20250601;
const SEED = 20_250_601;

/** One series of the data set. Times are milliseconds since 1970, ascending; `stale` are the times of staleness markers. */
export type DataSeries = {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly times: readonly number[];
  readonly values: readonly number[];
  readonly stale: readonly number[];
};

/** Milliseconds since 1970 of a time in seconds after the start. */
const msAt = (seconds: number): number => Math.round((BEGIN + seconds) * 1_000);

/** Every series, always in the same order. */
export function dataSet(): DataSeries[] {
  const random = seeded(SEED);
  const rows = [...fleet(random), ...shapes()];
  const all = rows.map(placed);
  const marked: DataSeries = { name: MARK, labels: { version: "1" }, times: marks(), values: marks().map(() => MARK_VALUE), stale: [] };
  return [...all, marked];
}

/** Only the last sample counts for a server that is still being filled. */
const marks = (): number[] => [msAt(LENGTH - 1)];

function placed({ name, labels, every, from, samples }: Row): DataSeries {
  const times: number[] = [];
  const values: number[] = [];
  const stale: number[] = [];
  for (const [at, value] of samples.entries()) {
    const time = msAt(from + at * every);
    if (value === "stale") stale.push(time);
    else if (value !== undefined) {
      times.push(time);
      values.push(value);
    }
  }
  return { name, labels, times, values, stale };
}

type Random = () => number;
const INSTANCES = [
  { job: "api", instance: "a:80" },
  { job: "api", instance: "b:80" },
  { job: "api", instance: "c:80" },
  { job: "web", instance: "d:80" },
  { job: "web", instance: "e:80" },
] as const;
/** The times, in seconds, at which an instance restarts and its counters start from zero. */
const RESTARTS: Readonly<Record<string, readonly number[]>> = { "b:80": [2_400], "d:80": [1_800, 5_000] };
/** The offset of the samples of each instance within a minute. */
const PHASES: Readonly<Record<string, number>> = { "a:80": 3.2, "b:80": 7.9, "c:80": 11.5, "d:80": 14.1, "e:80": 22.3 };

function fleet(random: Random): Row[] {
  const rows: Row[] = [];
  for (const target of INSTANCES) {
    const from = PHASES[target.instance] ?? 0;
    const on = (name: string, labels: Readonly<Record<string, string>>, every: number, grown: Grown): void => {
      const count = Math.floor((LENGTH - 30 - from) / every) + 1;
      const samples = Array.from({ length: count }, (_, at) => grown(at, from + at * every));
      rows.push({ name, labels: { ...target, ...labels }, every, from, samples });
    };
    const counter = (most: number, whole: boolean): Grown => {
      let value = 0;
      let before = 0;
      return (_at, time) => {
        const again = (RESTARTS[target.instance] ?? []).some((restart) => restart > before && restart <= time);
        before = time;
        const step = random() * most;
        value = (again ? 0 : value) + (whole ? Math.floor(step) : Math.round(step * 1_000) / 1_000);
        return value;
      };
    };
    for (const method of ["GET", "POST"])
      for (const [code, most] of [
        ["200", 60],
        ["404", 6],
        ["500", 3],
      ] as const)
        on("http_requests_total", { method, code }, 30, counter(method === "GET" ? most : most / 2, true));
    for (const cpu of ["0", "1"])
      for (const mode of ["idle", "system", "user"]) on("cpu_seconds_total", { cpu, mode }, 60, counter(mode === "idle" ? 50 : 8, false));
    const base = Math.floor(random() * 400) + 200;
    on("memory_bytes", {}, 30, () => (base + Math.floor(random() * 100)) * 1_048_576);
    on("load1", {}, 60, () => Math.round(random() * 400) / 100);
    on("up", {}, 30, (at) => (target.instance === "e:80" && at % 20 === 19 ? 0 : 1));
    const commit = target.job === "api" ? "f00d" : "beef";
    on("build_info", { version: target.instance < "b" ? "1.0.0" : "1.1.0", commit }, 60, () => 1);
    on(
      "target_info",
      { env: target.job === "api" ? "production" : "staging", region: target.instance < "c" ? "north" : "south" },
      60,
      () => 1,
    );
    const bounds = ["0.05", "0.1", "0.25", "0.5", "1", "2.5", "+Inf"];
    const counts = bounds.map(() => 0);
    const seen: number[][] = bounds.map(() => []);
    const sums: number[] = [];
    const length = Math.floor((LENGTH - 30 - from) / 60) + 1;
    let sum = 0;
    for (let at = 0; at < length; at++) {
      for (const [place] of bounds.entries()) {
        const more = Math.floor(random() * (place < 3 ? 20 : 6));
        for (let above = place; above < bounds.length; above++) counts[above] = (counts[above] ?? 0) + more;
        sum += more * [0.03, 0.08, 0.2, 0.4, 0.75, 1.5, 4][place]!;
      }
      for (const [place, column] of seen.entries()) column.push(counts[place] ?? 0);
      sums.push(Math.round(sum * 1_000) / 1_000);
    }
    for (const [place, le] of bounds.entries()) on("request_duration_seconds_bucket", { le }, 60, (at) => seen[place]?.[at] ?? 0);
    on("request_duration_seconds_sum", {}, 60, (at) => sums[at] ?? 0);
    on("request_duration_seconds_count", {}, 60, (at) => seen.at(-1)?.[at] ?? 0);
  }
  return rows;
}
