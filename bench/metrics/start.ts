import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { alternate, type Measures } from "../lib/alternate.ts";
import type { BenchGroup } from "../lib/result.ts";
import { SPREAD } from "../lib/rows.ts";
import type { Say, Size } from "../lib/size.ts";
import { contenders, cpuOf, rowsOf, withFolder, type Taken } from "./measure.ts";
import type { MetricsProcess } from "./servers/process.ts";
import { startPrometheus } from "./servers/prometheus.ts";
import { startTouchstone } from "./servers/touchstone.ts";

/** After this time a server has written what it keeps for its next start. */
const KEEP_MS = 500;

/** The time from the start of the process, with an empty data directory, until it is ready. */
export async function startGroups(size: Size, say: Say): Promise<BenchGroup[]> {
  const turn = (start: (directory: string) => Promise<MetricsProcess>) => (): Promise<Measures> =>
    withFolder(async (folder) => {
      const running = await start(join(folder, "data"));
      try {
        const cpu = cpuOf(running.pid) / 1_000;
        await pause(KEEP_MS);
        return { wall: running.readyMs, cpu };
      } finally {
        await running.kill();
      }
    });
  const samples = await alternate(
    contenders(turn(startTouchstone), turn(startPrometheus)),
    size.rounds,
    ({ measure }) => measure(),
    (round, { name }) => say(`start, round ${round} of ${size.rounds}: ${name}`),
  );
  const taken: Taken = new Map([...samples].map(([{ name }, measures]) => [name, measures]));
  const note = `from the start of the process on an empty data directory until /-/ready answers 200; the first start of each, with cold caches, is not counted; ${SPREAD}`;
  return [
    { id: "metrics/start-wall", title: "Start to ready", unit: "ms", better: "lower", rows: rowsOf(taken, "wall"), note },
    { id: "metrics/start-cpu", title: "Start to ready, CPU time", unit: "ms", better: "lower", rows: rowsOf(taken, "cpu"), note },
  ];
}
