import type { Mutant } from "./mutants.ts";
import type { Outcome } from "./outcome.ts";
import { type Work, Worker } from "./work.ts";

/** A program that judges the mutants that its parent sends, and exits with it. */
export type ToWorker =
  | { readonly is: "begin"; readonly work: Work }
  | {
      readonly is: "judge";
      readonly mutant: Mutant;
      readonly hints: readonly string[];
      readonly isPastCases: boolean;
      readonly isListed: boolean;
    };
export type FromWorker = { readonly is: "judged"; readonly outcome: Outcome } | { readonly is: "failed"; readonly why: string };

const send = (message: FromWorker): void => void process.send?.(message);
let worker: Worker | undefined;

async function judge({ mutant, ...how }: ToWorker & { readonly is: "judge" }): Promise<void> {
  try {
    if (worker === undefined) throw new Error("nothing has begun");
    send({ is: "judged", outcome: await worker.judge(mutant, how) });
  } catch (error) {
    send({ is: "failed", why: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

// A leftover of a case (a socket that a mutant resets late) must not end the worker.
process.on("uncaughtException", (error) => console.error(`mutate: ${error.message}`));
process.on("message", (message: ToWorker) => {
  if (message.is === "begin") worker = new Worker(message.work);
  else void judge(message);
});
process.on("disconnect", () => void (worker?.close() ?? Promise.resolve()).finally(() => process.exit(0)));
