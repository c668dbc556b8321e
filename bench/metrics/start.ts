import { join } from "node:path";
import type { Measures } from "../lib/alternate.ts";
import type { BenchGroup } from "../lib/result.ts";
import { SPREAD } from "../lib/rows.ts";
import type { Say, Size } from "../lib/size.ts";
import { contenders, cpuOf, inTurn, rowsOf, withFolder } from "./measure.ts";
import type { MetricsProcess } from "./servers/process.ts";
import { startPrometheus } from "./servers/prometheus.ts";
import { startTouchstone } from "./servers/touchstone.ts";

/** From the start of the process on an empty data directory until it is ready. */
export async function startGroups(size: Size, say: Say): Promise<BenchGroup[]> {
  const turn = (start: (directory: string) => Promise<MetricsProcess>) => (): Promise<Measures> =>
    withFolder(async (folder) => {
      const running = await start(join(folder, "data"));
      try {
        return { wall: running.readyMs, cpu: cpuOf(running.pid) / 1_000 };
      } finally {
        await running.kill();
      }
    });
  const taken = await inTurn(contenders(turn(startTouchstone), turn(startPrometheus)), size.rounds, "start", say);
  const note = `from the start of the process on an empty data directory until /-/ready answers 200; ${SPREAD}`;
  return [
    { id: "metrics/start-wall", title: "Start to ready", unit: "ms", better: "lower", rows: rowsOf(taken, "wall"), note },
    { id: "metrics/start-cpu", title: "Start to ready, CPU time", unit: "ms", better: "lower", rows: rowsOf(taken, "cpu"), note },
  ];
}
