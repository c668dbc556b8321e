import type { Querier } from "../../storage/index.ts";
import { Annotations } from "./annotations.ts";
import type { AtModifier, Duration, Expr } from "../syntax/ast.ts";
import type { Budget } from "./budget.ts";
import { type DurationUse, durationMs } from "../syntax/duration.ts";
import { ExecutionFailure } from "./failure.ts";
import type { Value } from "./value.ts";
import { Strides, type Work } from "./strides.ts";
import { Tally } from "./tally.ts";

/** What decides a result besides the query and the samples, and what one query may hold in memory. */
export type EngineOptions = {
  /** How long a sample counts as the current one (`--query.lookback-delta`). */
  readonly lookbackMs: number;
  /** `--query.max-samples` */
  readonly maxSamples: number;
  /** The step of a subquery that names none: the global evaluation interval. */
  readonly subqueryStepMs: number;
  /**
   * What `rate`, `increase` and their like give for a window with too few samples or a counter reset: the language's rule (no element; corrected),
   * or NaN (`--query.rate-gaps=nan`).
   */
  readonly rateGaps: "language" | "nan";
  /** Whether `totalSamples` and `samplesRead` of the result are counted, which takes a while over many steps. */
  readonly countSamples: boolean;
};

/** Those of the published flags, and of the global evaluation interval. */
export const ENGINE_DEFAULTS: EngineOptions = {
  lookbackMs: 300_000,
  maxSamples: 50_000_000,
  subqueryStepMs: 60_000,
  rateGaps: "language",
  countSamples: false,
};

export type { Work } from "./strides.ts";

/** How the expressions inside an expression are evaluated. */
export type Evaluator = (expr: Expr, frame: Frame) => Work<Value>;

/** The steps of a query: an instant query is a range of one step, and its step is 0. Milliseconds since 1970. */
export type Steps = { readonly startMs: number; readonly endMs: number; readonly stepMs: number };

/** What is the same for all of a query's expressions. */
export class Query extends Strides {
  readonly steps: Steps;
  readonly querier: Querier;
  readonly budget: Budget;
  readonly options: EngineOptions;
  readonly evaluate: Evaluator;
  readonly annotations = new Annotations();
  /** Undefined where nobody asks. */
  readonly tally: Tally | undefined;
  /** What `isInvariant` found so far. */
  readonly invariant = new WeakMap<Expr, boolean>();

  constructor(steps: Steps, querier: Querier, budget: Budget, options: EngineOptions, evaluate: Evaluator) {
    super();
    this.steps = steps;
    this.querier = querier;
    this.budget = budget;
    this.options = options;
    this.evaluate = evaluate;
    this.tally = options.countSamples ? new Tally() : undefined;
  }

  /** A duration, worked out where it depends on the query (Prometheus docs, querying/basics.md, "Duration expressions"). */
  ms(duration: Duration | undefined, use: DurationUse): number {
    return duration === undefined ? 0 : msOf(duration, this.steps, use);
  }
}

/** Milliseconds of a duration; `ExecutionFailure` where the query's own step or range makes it one that is not allowed in this use. */
export function msOf(duration: Duration, steps: Steps, use: DurationUse): number {
  const ms = durationMs(duration, { stepMs: steps.stepMs, rangeMs: steps.endMs - steps.startMs }, use);
  if (typeof ms === "number") return ms;
  throw new ExecutionFailure(ms.message);
}

/** The time that an `@` modifier names (Prometheus docs, querying/basics.md, "@ modifier"). */
export function atMs(at: AtModifier, steps: Steps): number {
  if (at.is === "timestamp") return at.ms;
  return at.is === "start" ? steps.startMs : steps.endMs;
}

/** An expression's steps: those of the query, those of a subquery around it, or the first alone. */
export class Frame {
  readonly query: Query;
  /** Milliseconds since 1970, ascending. */
  readonly times: Float64Array;

  constructor(query: Query, times: Float64Array) {
    this.query = query;
    this.times = times;
  }

  get steps(): number {
    return this.times.length;
  }

  first(): Frame {
    return new Frame(this.query, this.times.subarray(0, 1));
  }
}

/** So many times from the first on. */
export function timesFrom(first: number, step: number, count: number): Float64Array {
  const times = new Float64Array(count);
  for (let at = 0; at < count; at++) times[at] = first + at * step;
  return times;
}

/** Milliseconds since 1970 from the start to the end, which is among them where it falls on a step; a step of 0 has the start alone. */
export function stepTimes({ startMs, endMs, stepMs }: Steps): Float64Array {
  const steps = stepMs === 0 ? 1 : Math.floor((endMs - startMs) / stepMs) + 1;
  return timesFrom(startMs, stepMs, Math.max(0, steps));
}
