import type { LoadSpec } from "../../../wire/rpc/load-report.ts";
import type { ServerSpec, Sight, Step } from "../../client-vocabulary.ts";
import { calls, policy, served, warmAll, withConfig } from "./balance-phrases.ts";
import { all, good, received } from "./phrases.ts";

/** What cases about balancing by load share. */

export const NEEDS = ["addresses", "weighted-round-robin"];
export const SPEC = "rpc-weighted-round-robin";
/** Longer than several times between calculations. */
const UPDATES_MS = 500;
export const EACH = 4;

type Config = Readonly<Record<string, unknown>>;
export type Weighing = {
  readonly loads: readonly (LoadSpec | false)[];
  /** What they report on streams of reports. */
  readonly streams?: readonly ServerSpec["stream"][];
  readonly config?: Config;
  /** What the servers report after their first calls. */
  readonly later?: readonly (LoadSpec | false)[];
  readonly laterStreams?: readonly LoadSpec[];
  readonly waitMs?: number;
  readonly count?: number;
};
export const weighting = (config: Config = {}): unknown =>
  policy("weighted_round_robin", { blackoutPeriod: "0s", weightUpdatePeriod: "0.1s", ...config });

/**
 * One call until all connections stand; calls with reports; then a call that is held until weights have been calculated; then the calls that
 * show them. With `later` there are reports and a held call once more.
 */
export function weighed({ loads, streams, config, later, laterStreams, waitMs = UPDATES_MS, count = COUNT }: Weighing): Step[] {
  const servers: ServerSpec[] = loads.map((load, at) => {
    const stream = streams?.[at];
    return stream === undefined ? { load } : { load, stream };
  });
  const reporting = calls(EACH * servers.length);
  const held = 2 + reporting.length;
  const pause = (request: number): Step[] => [received(request), { do: "wait", ms: waitMs }];
  const again = later === undefined ? [] : [reporting, calls(1)];
  return [
    withConfig(servers, weighting(config), { later: reporting, more: [calls(1), ...again, calls(count)] }),
    ...warmAll(servers),
    ...pause(held),
    ...(later ?? []).map((load, at): Step => {
      const stream = laterStreams?.[at];
      return { do: "server", server: at + 1, load, ...(stream === undefined ? {} : { stream }) };
    }),
    ...good(held),
    ...(later === undefined ? [] : [...pause(held + held - 1), ...good(held + held - 1)]),
  ];
}
export const COUNT = 40;
const SLACK = 3;
/** The last calls, by server, with some slack: schedulers may begin anywhere. */
export function shared(counts: readonly number[], isAgain = false): Sight {
  const held = 2 + EACH * counts.length;
  const from = isAgain ? held + held : held + 1;
  return all(...counts.map((count, at) => served(at + 1, [count - SLACK, count + SLACK], from)));
}

export const BUSY: LoadSpec = { rps: 100, cpu: 0.5 };
export const IDLE: LoadSpec = { rps: 300, cpu: 0.5 };
export const EVEN = shared([20, 20]);
const ONE_TO_THREE = shared([10, 30]);
/** Proves that the client weighs at all. */
export const WEIGHS: readonly Step[] = [
  ...weighed({ loads: [BUSY, IDLE] }),
  { do: "await", see: { see: "requests", count: 2 + EACH * 2 + COUNT } },
  { do: "await", see: ONE_TO_THREE },
];
/** The same calls, and no reports. */
export const PLAIN = (count: number): readonly Step[] => weighed({ loads: Array<false>(count).fill(false) });
