import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Branches, Cover } from "./lib/cover.ts";
import { addToCorpus, loadCorpus, saveFailure } from "./lib/corpus.ts";
import { installCover } from "./lib/cover.ts";
import { fuzz } from "./lib/run.ts";
import { type FuzzRegistry, targetsOf } from "./lib/suite.ts";

/**
 * Runs one target in its own process: sources are instrumented as they load, so they must not be loaded before.
 * The only argument is a `Task` as JSON. Prints a `Line` of JSON every quarter of a second and at the end.
 */
export type Task = {
  /** The URL of the module that exports the registry as `FUZZERS`. */
  readonly registry: string;
  readonly target: string;
  readonly seed: number;
  readonly executions: number;
  readonly seconds: number;
  /** Whether `seconds` counts the time that passes, or the CPU time of the worker. */
  readonly clock: "wall" | "cpu";
  readonly blind: boolean;
  /** The file that keeps inputs that reach new branches. */
  readonly corpus?: string;
  /** The folder for failing inputs. */
  readonly regressions: string;
  /** Run this file instead of searching. */
  readonly replay?: string;
};
export type Line = {
  readonly is: "progress" | "end";
  readonly executions: number;
  /** By the clock of the task. */
  readonly ms: number;
  readonly cpuMs: number;
  /** Absent when blind. */
  readonly branches?: Branches;
  readonly kept: number;
  readonly failure?: { readonly message: string; readonly stack: string; readonly file: string; readonly hex: string };
};

const PROGRESS_MS = 250;
const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};
const print = (line: Line): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

async function main(task: Task): Promise<void> {
  const { FUZZERS }: { readonly FUZZERS: FuzzRegistry } = await import(task.registry);
  const entry = (await targetsOf(FUZZERS))[task.target];
  if (entry === undefined) throw new Error(`unknown target ${task.target}`);
  const cover: Cover | undefined = task.blind || task.replay !== undefined ? undefined : await installCover(ROOT, entry.guidedBy);
  const { target } = await entry.load();
  if (task.replay !== undefined) {
    target.run(new Uint8Array(readFileSync(task.replay)));
    print({ is: "end", executions: 1, ms: 0, cpuMs: 0, kept: 0 });
    return;
  }
  let lastProgressMs = 0;
  const clock = task.clock === "cpu" ? cpuMs : (): number => performance.now();
  const report = fuzz(target, task.corpus === undefined ? [] : loadCorpus(task.corpus), task, {
    clock,
    progress: ({ executions, ms, branches, kept }) => {
      if (ms - lastProgressMs < PROGRESS_MS) return;
      lastProgressMs = ms;
      print({ is: "progress", executions, ms, cpuMs: cpuMs(), ...(branches === undefined ? {} : { branches }), kept: kept.length });
    },
    ...(cover === undefined ? {} : { cover }),
  });
  if (task.corpus !== undefined) addToCorpus(task.corpus, report.kept);
  const { failure, branches } = report;
  print({
    is: "end",
    executions: report.executions,
    ms: report.ms,
    cpuMs: cpuMs(),
    ...(branches === undefined ? {} : { branches }),
    kept: report.kept.length,
    ...(failure === undefined
      ? {}
      : {
          failure: {
            message: failure.error.message,
            stack: failure.error.stack ?? "",
            file: saveFailure(task.regressions, failure.input),
            hex: Buffer.from(failure.input).toString("hex"),
          },
        }),
  });
}

await main(JSON.parse(process.argv[2] ?? "{}") as Task);
