import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Cover } from "./lib/cover.ts";
import { addToCorpus, loadCorpus, saveFailure } from "./lib/corpus.ts";
import { installCover } from "./lib/cover.ts";
import { fuzz } from "./lib/run.ts";
import { type FuzzRegistry, targetsOf } from "./lib/suite.ts";

/**
 * Runs one target in a process of its own, because its sources are instrumented as they are loaded and must not be loaded before.
 * Takes a `Task` as JSON in its only argument, and prints a `Line` of JSON after every few thousand executions and at the end.
 */
export type Task = {
  /** The address of the module that exports the registry as `FUZZERS`. */
  readonly registry: string;
  readonly target: string;
  readonly seed: number;
  readonly executions: number;
  readonly seconds: number;
  readonly blind: boolean;
  /** The file in which inputs that reach something new are kept. */
  readonly corpus?: string;
  /** Where a failing input is written. */
  readonly regressions: string;
  /** Run this one file instead of searching. */
  readonly replay?: string;
};
export type Line = {
  readonly is: "progress" | "end";
  readonly executions: number;
  readonly ms: number;
  readonly reached: number;
  readonly kept: number;
  readonly failure?: { readonly message: string; readonly stack: string; readonly file: string; readonly hex: string };
};

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const say = (line: Line): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

async function main(task: Task): Promise<void> {
  const { FUZZERS }: { readonly FUZZERS: FuzzRegistry } = await import(task.registry);
  const entry = (await targetsOf(FUZZERS))[task.target];
  if (entry === undefined) throw new Error(`no target ${task.target}`);
  const cover: Cover | undefined = task.blind || task.replay !== undefined ? undefined : await installCover(ROOT, entry.guidedBy);
  const { target } = await entry.load();
  if (task.replay !== undefined) {
    target.run(new Uint8Array(readFileSync(task.replay)));
    say({ is: "end", executions: 1, ms: 0, reached: 0, kept: 0 });
    return;
  }
  let told = 0;
  const clock = (): number => performance.now();
  const report = fuzz(
    target,
    task.corpus === undefined ? [] : loadCorpus(task.corpus),
    task,
    {
      clock,
      progress: ({ executions, ms, reached, kept }) => {
        if (ms - told < 250) return;
        told = ms;
        say({ is: "progress", executions, ms, reached, kept: kept.length });
      },
    },
    cover,
  );
  if (task.corpus !== undefined) addToCorpus(task.corpus, report.kept);
  const { failure } = report;
  say({
    is: "end",
    executions: report.executions,
    ms: report.ms,
    reached: report.reached,
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
