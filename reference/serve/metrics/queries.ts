import type { QueryTask, RunQuery } from "../../metrics/api/index.ts";
import {
  type Annotation,
  type EngineOptions,
  Profile,
  evaluateInstant,
  evaluateRange,
  QueryCanceled,
  QueryFailure,
  type QueryOptions,
  type QueryResult,
  QueryTimedOut,
  SamplePool,
  ServerBusy,
  type Work,
} from "../../metrics/promql/index.ts";
import type { Queryable } from "../../metrics/storage/index.ts";
import { turn } from "./pace.ts";
import { runAtOnce, runInSlices } from "./work.ts";

/** The limits of a server's queries. */
export type QueryLimits = {
  /** From the request to the result, time in the queue included (`--query.timeout`). */
  readonly timeoutMs: number;
  /** Queries evaluated at the same time (`--query.max-concurrency`). */
  readonly concurrency: number;
  /** The length of the queue; a query beyond it is refused. */
  readonly waiting: number;
  /** Samples that all queries may hold in memory together (`--query.max-total-samples`). */
  readonly samples: number;
};
export const QUERY_LIMITS: QueryLimits = { timeoutMs: 120_000, concurrency: 20, waiting: 1_000, samples: 100_000_000 };

/** What decides what a query reads. */
export type ReadTask = Pick<QueryTask, "expr" | "startMs" | "endMs" | "stepMs" | "lookbackMs" | "signal">;
/** What a query reads: the local storage, and what others have of it. */
export type Gathered = { readonly storage: Queryable; readonly warnings: readonly Annotation[] };
/** Storages of other servers, from which everything is fetched before the query is evaluated. */
export interface OtherStorages {
  isAsked(task: ReadTask): boolean;
  /** A storage that fails is a warning. `deadline` is a time of `performance.now()`. */
  gather(task: ReadTask, deadline: number): Promise<Gathered>;
}

/**
 * Evaluates queries concurrently, in slices of time between which other work runs. A query that times out or loses its client ends without
 * affecting the others. One that must wait gets a slice of time first, so that short ones pass a queue of long ones; if it needs more, it starts
 * over when its turn comes, and holds no memory until then. One that finds the shared budget of samples used up starts over when another has ended.
 */
export function queryRunner(
  local: Queryable,
  options: Partial<EngineOptions>,
  limits: QueryLimits = QUERY_LIMITS,
  others?: OtherStorages,
): RunQuery {
  const gate = new Gate(limits);
  const pool = new SamplePool(limits.samples);
  const running = { running: 0, ended: 0 };
  return async (task) => {
    let from: Gathered = { storage: local, warnings: [] };
    let profile: Profile | undefined;
    const work = (): Work<QueryResult> => {
      // A query that starts over is measured anew.
      profile = task.isExplained === true ? new Profile(() => performance.now()) : undefined;
      return evaluation(from.storage, { ...options, pool, ...(profile !== undefined && { profile }) }, task);
    };
    const began = performance.now();
    const timeoutMs = Math.min(task.timeoutMs ?? limits.timeoutMs, limits.timeoutMs);
    const deadline = began + timeoutMs;
    const timed = (result: QueryResult, started: number): Awaited<ReturnType<RunQuery>> => {
      const ended = performance.now();
      const seconds = (from: number, to: number): number => (to - from) / 1_000;
      return {
        result: from.warnings.length === 0 ? result : { ...result, warnings: [...result.warnings, ...from.warnings] },
        profile,
        timings: { evalTotalTime: seconds(started, ended), execQueueTime: seconds(began, started), execTotalTime: seconds(began, ended) },
      };
    };
    const place = gate.enter(timeoutMs, task.signal);
    try {
      const isLocal = others === undefined || !others.isAsked(task);
      if (!place.isInside && isLocal) {
        await turn();
        const tried = performance.now();
        const result = place.isInside || task.signal.aborted || tried >= deadline ? undefined : attempted(work());
        if (result !== undefined) return timed(result, tried);
      }
      await place.admitted;
      if (!isLocal) from = await others.gather(task, deadline);
      for (;;) {
        const started = performance.now();
        const result = await unlessBusy(running, () => runInSlices(work(), deadline, task.signal));
        if (result !== undefined) return timed(result, started);
        await anotherEnds(running, deadline, task.signal);
      }
    } finally {
      running.ended += 1;
      place.leave();
    }
  };
}

/** The evaluations that are running, and how many queries have ended. */
type Others = { running: number; ended: number };

/** The result; undefined if the shared budget is used up while others are running, which will give something back. */
async function unlessBusy<T>(others: Others, run: () => Promise<T>): Promise<T | undefined> {
  others.running += 1;
  try {
    return await run();
  } catch (error) {
    if (error instanceof ServerBusy && others.running > 1) return undefined;
    throw error;
  } finally {
    others.running -= 1;
  }
}

const LOOK_AGAIN_MS = 20;

async function anotherEnds(others: Others, deadline: number, signal: AbortSignal): Promise<void> {
  const before = others.ended;
  while (others.ended === before) {
    if (performance.now() >= deadline) throw new QueryTimedOut("query queue");
    if (signal.aborted) throw new QueryCanceled("query queue");
    await new Promise((resolve) => {
      setTimeout(resolve, LOOK_AGAIN_MS);
    });
  }
}

/** The result if one slice of time is enough. */
function attempted(work: Work<QueryResult>): QueryResult | undefined {
  try {
    return runAtOnce(work);
  } catch (error) {
    if (error instanceof ServerBusy) return undefined;
    throw error;
  }
}

function evaluation(
  storage: Queryable,
  base: QueryOptions,
  { expr, startMs, endMs, stepMs, lookbackMs, countSamples }: QueryTask,
): Work<QueryResult> {
  const options = { ...base, countSamples, ...(lookbackMs !== undefined && { lookbackMs }) };
  return stepMs === 0
    ? evaluateInstant(storage, expr, startMs, options)
    : evaluateRange(storage, expr, { startMs, endMs, stepMs }, options);
}

/** The place of a query: inside, or in the queue. */
type Place = {
  readonly isInside: boolean;
  /** Rejects if the time is over, or the client gone, before the turn comes. */
  readonly admitted: Promise<void>;
  readonly leave: () => void;
};

/** Admits up to `concurrency` queries; the others wait in order of arrival. */
class Gate {
  readonly #limits: QueryLimits;
  readonly #queue: (() => void)[] = [];
  #inside = 0;

  constructor(limits: QueryLimits) {
    this.#limits = limits;
  }

  enter(timeoutMs: number, signal: AbortSignal): Place {
    if (this.#inside < this.#limits.concurrency) {
      this.#inside += 1;
      return { isInside: true, admitted: Promise.resolve(), leave: () => this.#leave() };
    }
    if (this.#queue.length >= this.#limits.waiting)
      throw new QueryFailure("execution", `too many queries are waiting (${this.#limits.waiting}): try again later`);
    return this.#wait(timeoutMs, signal);
  }

  #leave(): void {
    const next = this.#queue.shift();
    if (next === undefined) this.#inside -= 1;
    else next();
  }

  #wait(timeoutMs: number, signal: AbortSignal): Place {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    // A short query may leave the queue without asking.
    promise.catch(() => {});
    let isInside = false;
    const admit = (): void => {
      isInside = true;
      settle();
      resolve();
    };
    const quit = (): void => {
      settle();
      const at = this.#queue.indexOf(admit);
      if (at >= 0) this.#queue.splice(at, 1);
    };
    const refuse = (failure: QueryFailure): void => {
      quit();
      reject(failure);
    };
    const timer = setTimeout(() => refuse(new QueryTimedOut("query queue")), timeoutMs);
    const aborted = (): void => refuse(new QueryCanceled("query queue"));
    const settle = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", aborted);
    };
    signal.addEventListener("abort", aborted, { once: true });
    this.#queue.push(admit);
    return {
      get isInside() {
        return isInside;
      },
      admitted: promise,
      leave: () => (isInside ? this.#leave() : quit()),
    };
  }
}
