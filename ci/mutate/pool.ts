import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import type { Mutant } from "./mutants.ts";
import type { Outcome } from "./outcome.ts";
import type { Work } from "./work.ts";
import type { FromWorker, ToWorker } from "./worker-child.ts";

/** The time limit of a worker: then it is killed, and its mutant counts as not judged. On a busy machine the limit is no verdict. */
const LIMIT_MS = 900_000;

export type Pool = {
  readonly work: Work;
  readonly workers: number;
  readonly signal: AbortSignal;
  readonly hints: (mutant: Mutant) => readonly string[];
  /** An earlier run has tried all cases except floods. */
  readonly isPastCases: (mutant: Mutant) => boolean;
  /** A `survivors.json` explains it already. */
  readonly isListed: (mutant: Mutant) => boolean;
  readonly onOutcome: (outcome: Outcome) => void;
};

/** Judges all mutants in worker processes. */
export async function judgeAll(mutants: readonly Mutant[], pool: Pool): Promise<void> {
  const left = mutants[Symbol.iterator]();
  const one = async (): Promise<void> => {
    let worker: ChildProcess | undefined;
    try {
      for (const mutant of left) {
        if (pool.signal.aborted) return;
        worker ??= start(pool.work);
        const outcome = await judged(worker, mutant, pool);
        if (pool.signal.aborted) return;
        if (outcome === undefined) {
          worker = undefined;
          process.stderr.write(`${mutant.key}: not judged within ${LIMIT_MS / 1000} s, left out\n`);
        } else pool.onOutcome(outcome);
      }
    } finally {
      if (worker?.connected === true) worker.disconnect();
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(pool.workers, mutants.length)) }, one));
}

function start(work: Work): ChildProcess {
  const worker = spawn(process.execPath, [join(import.meta.dirname, "worker-child.ts")], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  worker.send({ is: "begin", work } satisfies ToWorker);
  return worker;
}

/** Undefined if the worker hangs; throws if it fails. */
function judged(worker: ChildProcess, mutant: Mutant, { hints, isPastCases, isListed, signal }: Pool): Promise<Outcome | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      worker.kill("SIGKILL");
      finish(() => resolve(undefined));
    }, LIMIT_MS);
    const finish = (settle: () => void): void => {
      clearTimeout(timer);
      worker.removeAllListeners("message").removeAllListeners("exit");
      signal.removeEventListener("abort", stop);
      settle();
    };
    const stop = (): void => finish(() => resolve(undefined));
    signal.addEventListener("abort", stop);
    worker.on("message", (message: FromWorker) =>
      finish(() => (message.is === "judged" ? resolve(message.outcome) : reject(new Error(`${mutant.key}: ${message.why}`)))),
    );
    worker.on("exit", (code) => finish(() => reject(new Error(`${mutant.key}: the worker ended with status ${code}`))));
    worker.send({
      is: "judge",
      mutant,
      hints: hints(mutant),
      isPastCases: isPastCases(mutant),
      isListed: isListed(mutant),
    } satisfies ToWorker);
  });
}
