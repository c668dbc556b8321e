import { readFileSync, writeFileSync } from "node:fs";
import type { ServerCase } from "../vocabulary.ts";
import { serverCases } from "../cases/server/load.ts";
import { ServerDriver } from "../driver/server.ts";
import { startReference } from "../embedded/server.ts";
import { type Party, type Started, uncaught } from "../../harness/impostors/catch.ts";
import type { Hints } from "../../harness/impostors/hints.ts";
import { METRICS_QUERY_FLAWS, MUTE } from "./query-flaws.ts";
import { startMetricsImpostor } from "./query.ts";

/**
 * The impostors for the cases for servers with a query interface. The hints are written by
 * `node conformance/metrics/impostors/query-parties.ts && npx oxfmt conformance/metrics/impostors/query-hints.json`.
 */

export const CONCURRENCY = 8;
/** Wrong about nearly everything: a case that they fail checks something, but perhaps not its own subject. */
const BLUNT: readonly string[] = [
  "one-more",
  "answers-all",
  "nothing-is-something",
  "wrong-data",
  "sorts-backwards",
  "no-notes",
  "packs-everything",
  "knows-every-endpoint",
  "null-for-nothing",
];
/** Wrong about one thing in most cases, such as a time, a label or the format of a value: used after all others. */
const BROAD: readonly string[] = [
  "forgets-the-zero-bucket",
  "sums-are-counts",
  "buckets-are-cumulative",
  "opens-buckets-on-the-other-side",
  "bucket-counts-are-numbers",
  "tells-no-buckets",
  "histograms-as-values",
  "takes-matchers-for-names",
  "wrong-type-of-error",
  "drops-the-last-step",
  "ignores-time",
  "drops-names",
  "drops-a-label",
  "keeps-names",
  "whole-seconds",
  "no-infinities",
  "six-digits",
  "floats-of-32-bits",
  "whole-numbers",
  "numbers-not-texts",
  "says-it-is-a-page",
];
const FILE = new URL("query-hints.json", import.meta.url);

export const metricsDriver = (url: string): ServerDriver => new ServerDriver({ url, timeout: 60_000, verify: false });

/** An impostor in front of the server at an address. */
export const wrongMetricsServer =
  (inner: string) =>
  async (name: string): Promise<Started<ServerCase>> => {
    const { url, stop } = await startMetricsImpostor(name, inner);
    const own = metricsDriver(url);
    return { driver: own, stop: () => own.close().then(stop) };
  };

/** The cases, with the impostors that are wrong about one thing, in front of the server at an address. */
export function metricsServers(inner: string): Party<ServerCase> {
  const apart = new Set([...MUTE, ...BLUNT, ...BROAD]);
  const names = [...Object.keys(METRICS_QUERY_FLAWS).filter((name) => !apart.has(name)), ...BROAD];
  return { cases: serverCases(), names, start: wrongMetricsServer(inner), concurrency: CONCURRENCY, abreast: 2 };
}

export const readMetricsQueryHints = (): Hints => JSON.parse(readFileSync(FILE, "utf8")) as Hints;

async function search(): Promise<void> {
  const hints: Record<string, string[]> = {};
  const ours = await startReference();
  const left = await uncaught(metricsServers(ours.url), {}, (id, name) => void (hints[name] ??= []).push(id));
  await ours.stop();
  for (const id of left) console.error(`no impostor fails ${id}`);
  const sorted = Object.entries(hints).sort(([a], [b]) => a.localeCompare(b));
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(sorted.map(([name, ids]) => [name, ids.sort()])), null, 2)}\n`);
}

if (import.meta.main) {
  await search();
  process.exit();
}
