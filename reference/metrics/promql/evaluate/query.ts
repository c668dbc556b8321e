import type { Querier } from "../../storage/index.ts";
import { Annotations } from "./annotations.ts";
import type { AtModifier, Duration, Expr } from "../syntax/ast.ts";
import type { Budget } from "./budget.ts";
import { type DurationUse, durationMs } from "../syntax/duration.ts";
import { ExecutionFailure } from "./failure.ts";
import type { Value } from "./value.ts";
import { Strides, type Work } from "./strides.ts";
import type { Profile } from "./profile.ts";
import { Tally } from "./tally.ts";

/** Settings that change the result of a query, and the limit on its memory. */
export type EngineOptions = {
  /** How far back an instant selector looks for a sample (`--query.lookback-delta`). */
  readonly lookbackMs: number;
  /** `--query.max-samples` */
  readonly maxSamples: number;
  /** The default step of subqueries: the global evaluation interval. */
  readonly subqueryStepMs: number;
  /**
   * The result of `rate`, `increase` and `irate` for a window with too few samples or a counter reset: the rule of the language (no element; corrected),
   * or NaN (`--query.rate-gaps=nan`).
   */
  readonly rateGaps: "language" | "nan";
  /** Count `totalSamples` and `samplesRead`, which costs time over many steps. */
  readonly countSamples: boolean;
};

/** The defaults of the published flags and of the global evaluation interval. */
export const ENGINE_DEFAULTS: EngineOptions = {
  lookbackMs: 300_000,
  maxSamples: 50_000_000,
  subqueryStepMs: 60_000,
  rateGaps: "language",
  countSamples: false,
};

export type { Work } from "./strides.ts";

/** Evaluates an expression inside another one. */
export type Evaluator = (expr: Expr, frame: Frame) => Work<Value>;

/** The steps of a query, in milliseconds since 1970. An instant query has one step, and `stepMs` 0. */
export type Steps = { readonly startMs: number; readonly endMs: number; readonly stepMs: number };

/** The context that all expressions of a query share. */
export class Query extends Strides {
  readonly steps: Steps;
  readonly querier: Querier;
  readonly budget: Budget;
  readonly options: EngineOptions;
  readonly evaluate: Evaluator;
  readonly annotations = new Annotations();
  /** Undefined unless `countSamples` is set. */
  readonly tally: Tally | undefined;
  /** Undefined unless the caller wants to know the cost of each node. */
  readonly profile: Profile | undefined;
  /** What `isInvariant` found so far. */
  readonly invariant = new WeakMap<Expr, boolean>();

  constructor({
    steps,
    querier,
    budget,
    options,
    evaluate,
    profile,
  }: Pick<Query, "steps" | "querier" | "budget" | "options" | "evaluate" | "profile">) {
    super();
    this.steps = steps;
    this.querier = querier;
    this.budget = budget;
    this.options = options;
    this.evaluate = evaluate;
    this.profile = profile;
    this.tally = options.countSamples ? new Tally() : undefined;
  }

  /** A duration in milliseconds, evaluated if it depends on the query (Prometheus docs, querying/basics.md, "Duration expressions"). */
  ms(duration: Duration | undefined, use: DurationUse): number {
    return duration === undefined ? 0 : msOf(duration, this.steps, use);
  }
}

/** A duration in milliseconds. Throws `ExecutionFailure` if the step or range of the query gives a value that this use does not allow. */
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

/** The steps at which an expression is evaluated: those of the query, those of a subquery around it, or only the first. */
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

/** `count` times from `first` on, `step` apart. */
export function timesFrom(first: number, step: number, count: number): Float64Array {
  const times = new Float64Array(count);
  for (let at = 0; at < count; at++) times[at] = first + at * step;
  return times;
}

/** The times from start to end in milliseconds since 1970; the end is included if it is a step. A step of 0 gives only the start. */
export function stepTimes({ startMs, endMs, stepMs }: Steps): Float64Array {
  const steps = stepMs === 0 ? 1 : Math.floor((endMs - startMs) / stepMs) + 1;
  return timesFrom(startMs, stepMs, Math.max(0, steps));
}
