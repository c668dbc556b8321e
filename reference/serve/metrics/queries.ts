import type { QueryTask, RunQuery } from "../../metrics/api/index.ts";
import {
  type EngineOptions,
  evaluateInstant,
  evaluateRange,
  QueryCanceled,
  QueryFailure,
  type QueryResult,
  QueryTimedOut,
  type Work,
} from "../../metrics/promql/index.ts";
import type { Queryable } from "../../metrics/storage/index.ts";
import { runInSlices } from "./work.ts";

/** The limits of a server's queries. */
export type QueryLimits = {
  /** From the request to the result, time in the queue included (`--query.timeout`). */
  readonly timeoutMs: number;
  /** Queries evaluated at the same time (`--query.max-concurrency`). */
  readonly concurrency: number;
  /** The length of the queue; a query beyond it is refused. */
  readonly waiting: number;
};
export const QUERY_LIMITS: QueryLimits = { timeoutMs: 120_000, concurrency: 20, waiting: 1_000 };

/**
 * Evaluates queries concurrently, in slices of time between which other work runs. A query that times out or loses its client ends without
 * affecting the others.
 */
export function queryRunner(storage: Queryable, options: Partial<EngineOptions>, limits: QueryLimits = QUERY_LIMITS): RunQuery {
  const gate = new Gate(limits);
  return async (task) => {
    const began = performance.now();
    const timeoutMs = Math.min(task.timeoutMs ?? limits.timeoutMs, limits.timeoutMs);
    const deadline = began + timeoutMs;
    await gate.enter(timeoutMs, task.signal);
    try {
      const started = performance.now();
      const result = await runInSlices(evaluation(storage, options, task), deadline, task.signal);
      const ended = performance.now();
      const seconds = (from: number, to: number): number => (to - from) / 1_000;
      return {
        result,
        timings: { evalTotalTime: seconds(started, ended), execQueueTime: seconds(began, started), execTotalTime: seconds(began, ended) },
      };
    } finally {
      gate.leave();
    }
  };
}

function evaluation(
  storage: Queryable,
  base: Partial<EngineOptions>,
  { expr, startMs, endMs, stepMs, lookbackMs, countSamples }: QueryTask,
): Work<QueryResult> {
  const options = { ...base, countSamples, ...(lookbackMs !== undefined && { lookbackMs }) };
  return stepMs === 0
    ? evaluateInstant(storage, expr, startMs, options)
    : evaluateRange(storage, expr, { startMs, endMs, stepMs }, options);
}

/** Admits up to `concurrency` queries; the others wait in order of arrival. */
class Gate {
  readonly #limits: QueryLimits;
  readonly #queue: (() => void)[] = [];
  #inside = 0;

  constructor(limits: QueryLimits) {
    this.#limits = limits;
  }

  async enter(timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (this.#inside < this.#limits.concurrency) {
      this.#inside += 1;
      return;
    }
    if (this.#queue.length >= this.#limits.waiting)
      throw new QueryFailure("execution", `too many queries are waiting (${this.#limits.waiting}): try again later`);
    await this.#turn(timeoutMs, signal);
  }

  leave(): void {
    const next = this.#queue.shift();
    if (next === undefined) this.#inside -= 1;
    else next();
  }

  #turn(timeoutMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const admit = (): void => {
        settle();
        resolve();
      };
      const refuse = (failure: QueryFailure): void => {
        settle();
        this.#queue.splice(this.#queue.indexOf(admit), 1);
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
    });
  }
}
