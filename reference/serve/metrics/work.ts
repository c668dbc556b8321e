import { QueryCanceled, QueryTimedOut, type Work } from "../../metrics/promql/index.ts";
import { SLICE_MS, turn } from "./pace.ts";

/** Runs work for one slice of time; undefined, and the work is over, if that is not enough. */
export function runAtOnce<T>(work: Work<T>): T | undefined {
  const until = performance.now() + SLICE_MS;
  do {
    const { done, value } = work.next();
    if (done === true) return value;
  } while (performance.now() < until);
  // Closes the querier of unfinished work.
  work[Symbol.dispose]();
  return undefined;
}

/**
 * Runs work in slices of time and lets other work run in between. Rejects with `QueryTimedOut` at `deadline`, a time of `performance.now()`, and
 * with `QueryCanceled` once `signal` is aborted.
 */
export async function runInSlices<T>(work: Work<T>, deadline: number, signal: AbortSignal): Promise<T> {
  let isDone = false;
  try {
    for (;;) {
      if (performance.now() >= deadline) throw new QueryTimedOut();
      if (signal.aborted) throw new QueryCanceled();
      const until = performance.now() + SLICE_MS;
      do {
        const { done, value } = work.next();
        if (done === true) {
          isDone = true;
          return value;
        }
      } while (performance.now() < until && !signal.aborted);
      await turn();
    }
  } finally {
    // Closes the querier of unfinished work.
    if (!isDone) work[Symbol.dispose]();
  }
}
