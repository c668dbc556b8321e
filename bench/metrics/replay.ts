import { cpSync } from "node:fs";
import { join } from "node:path";
import type { Measures } from "../lib/alternate.ts";
import type { BenchGroup } from "../lib/result.ts";
import { SPREAD } from "../lib/rows.ts";
import type { Say, Size } from "../lib/size.ts";
import { Fleet } from "./data/fleet.ts";
import { Texts } from "./data/texts.ts";
import { contenders, cpuOf, inTurn, rowsOf, withFolder } from "./measure.ts";
import { ask, type MetricsProcess } from "./servers/process.ts";
import { remoteWrite, startPrometheus } from "./servers/prometheus.ts";
import { startTouchstone } from "./servers/touchstone.ts";

/** The steps in a log, and how many of them are sent together. 245 steps are an hour. */
const LOGS = [
  { id: "20", steps: 20, together: 1 },
  { id: "245", steps: 245, together: 49 },
] as const;

/** The time until a server is ready with the log of a killed one. */
export async function replayGroups(size: Size, say: Say): Promise<BenchGroup[]> {
  const texts = new Texts(new Fleet(size.series));
  const { count } = texts.fleet;
  const groups: BenchGroup[] = [];
  for (const { id, steps, together } of LOGS) {
    // Loading an hour of a million series would take hours.
    if (count * steps > 50_000_000) continue;
    await withFolder(async (folder) => {
      const left = join(folder, "left");
      say(`replay: a log of ${count} series with ${steps} samples each`);
      await abandoned(left, texts, steps, together);
      const turn = (start: (directory: string) => Promise<MetricsProcess>) => (): Promise<Measures> =>
        withFolder(async (copies) => {
          const directory = join(copies, "data");
          cpSync(left, directory, { recursive: true });
          const running = await start(directory);
          try {
            const cpu = cpuOf(running.pid) / 1_000;
            const { body } = await ask(running.origin, `/api/v1/series?match[]=service_build_info&start=0&end=4000000000`);
            const { data } = JSON.parse(body.toString()) as { data: unknown[] };
            if (data.length !== count / 100)
              throw new Error(`${running.name} has ${data.length} series of ${count / 100} after the replay.`);
            return { wall: running.readyMs, cpu };
          } finally {
            await running.kill();
          }
        });
      const taken = await inTurn(contenders(turn(startTouchstone), turn(startPrometheus)), Math.min(3, size.rounds), "replay", say);
      const title = `Replay of a log, ${count} series × ${steps} samples`;
      const note = `from the start of the process until /-/ready answers 200, each on a copy of the data directory of a killed prometheus; ${SPREAD}`;
      groups.push(
        { id: `metrics/replay-${id}-wall`, title, unit: "ms", better: "lower", rows: rowsOf(taken, "wall"), note },
        { id: `metrics/replay-${id}-cpu`, title: `${title}, CPU time`, unit: "ms", better: "lower", rows: rowsOf(taken, "cpu"), note },
      );
    });
  }
  return groups;
}

/** Creates the data directory of a killed prometheus. */
export async function abandoned(directory: string, texts: Texts, steps: number, together: number): Promise<void> {
  const running = await startPrometheus(directory);
  try {
    await remoteWrite(running.origin, texts, { endStep: steps, together });
  } finally {
    await running.kill();
  }
}
