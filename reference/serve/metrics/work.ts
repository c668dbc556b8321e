import { QueryCanceled, QueryTimedOut, type Work } from "../../metrics/promql/index.ts";
import { turn } from "./pace.ts";

/** How long a request is worked on before others get a turn, in milliseconds. */
const SLICE_MS = 10;

/** Does work bit by bit, with turns for others in between; it ends at `deadline`, by `performance.now()`, or when nobody waits any more. */
export async function worked<T>(some: Work<T>, deadline: number, signal: AbortSignal): Promise<T> {
  let isOver = false;
  try {
    for (;;) {
      if (performance.now() >= deadline) throw new QueryTimedOut();
      if (signal.aborted) throw new QueryCanceled();
      const until = performance.now() + SLICE_MS;
      do {
        const { done, value } = some.next();
        if (done === true) {
          isOver = true;
          return value;
        }
      } while (performance.now() < until && !signal.aborted);
      await turn();
    }
  } finally {
    // What it holds open is closed, however it ends.
    if (!isOver) some.return(undefined as never);
  }
}
