import { type Labels, METRIC_NAME } from "../../../reference/metrics/model/index.ts";
import { MemoryStorage } from "../../../reference/metrics/storage/index.ts";
import type { World } from "../../../conformance/metrics/differential/words.ts";
import { loadScripts } from "../../../vectors/promql/load.ts";
import { readScript } from "../../../vectors/promql/read.ts";
import { store } from "../../../vectors/promql/run.ts";
import type { Load, Script, When } from "../../../vectors/promql/script.ts";
import { DATA } from "./promql-data.ts";

/** A query of a vector. */
export type Asked = { readonly expr: string; readonly when: When };
/** A storage, what random expressions about it use, and the queries of vectors about it. */
export type Place = { readonly storage: MemoryStorage; readonly world: World; readonly gapMs: number; readonly asked: readonly Asked[] };

/** More samples than this in one storage make a life slow. */
const MOST_SAMPLES = 20_000;

/** The data of the lives, and that of each vector. */
export const places = (): readonly Place[] => {
  const found = [...placesOf(readScript(DATA)), ...loadScripts().flatMap(({ script }) => placesOf(script))];
  return found.filter((place): place is Place => place !== undefined);
};

/** The storages of a script: one for each sequence of queries between its loads. */
function placesOf({ steps }: Script): (Place | undefined)[] {
  const found: (Place | undefined)[] = [];
  let [loads, asked]: [Load[], Asked[]] = [[], []];
  let isNew = false;
  const end = (): void => {
    if (isNew) found.push(placeOf(loads, asked));
    [asked, isNew] = [[], false];
  };
  for (const step of steps) {
    if (step.is === "eval") asked.push({ expr: step.expr, when: step.when });
    else {
      if (asked.length > 0) end();
      loads = step.is === "clear" ? [] : [...loads, step];
      isNew = true;
    }
  }
  end();
  return found;
}

function placeOf(loads: readonly Load[], asked: readonly Asked[]): Place | undefined {
  const rows = loads.flatMap((load) => load.rows);
  if (rows.length === 0 || rows.reduce((sum, { samples }) => sum + samples.length, 0) > MOST_SAMPLES) return undefined;
  const storage = new MemoryStorage();
  for (const load of loads) store(storage, load);
  const gapMs = loads[0]?.gapMs ?? 60_000;
  const times = asked.length > 0 ? asked.map(({ when }) => (when.is === "instant" ? when.atMs : when.startMs)) : timesOf(loads);
  return {
    storage,
    gapMs,
    asked,
    world: worldOf(
      rows.map(({ labels }) => labels),
      times,
      gapMs,
    ),
  };
}

const timesOf = (loads: readonly Load[]): number[] =>
  loads.flatMap(({ gapMs, rows }) =>
    Array.from({ length: Math.max(...rows.map(({ samples }) => samples.length)) + 6 }, (_, at) => at * gapMs),
  );

function worldOf(all: readonly Labels[], times: readonly number[], gapMs: number): World {
  const series = all.map((labels) => ({
    name: labels.metric,
    labels: Object.fromEntries([...labels].filter(([name]) => name !== METRIC_NAME)),
  }));
  const names = [...new Set(series.map(({ name }) => name))].filter((name) => name !== "");
  const some = names.length === 0 ? ["none"] : names;
  return {
    families: Map.groupBy(series, ({ name }) => name),
    names: some,
    counters: some,
    histograms: some,
    times: times.map((ms) => ms / 1_000),
    edges: [gapMs, gapMs - 1, -gapMs, 1, 2 * gapMs + 1],
  };
}
