import type { Call } from "../syntax/ast.ts";
import type { Frame, Work } from "../evaluate/query.ts";
import type { Value } from "../evaluate/value.ts";
import type { ValueType } from "../syntax/value-type.ts";

/** Evaluates a call at every step of the frame. */
export type Evaluate = (call: Call, frame: Frame) => Work<Value>;

/** One function of the language: its signature and its evaluator (Prometheus docs, querying/functions.md). */
export type FunctionRow = {
  readonly args: readonly ValueType[];
  /**
   * 0: the call has exactly `args`. n > 0: the last of `args` is optional and may occur up to n times. -1: the last of `args` may occur any number
   * of times, including none.
   */
  readonly variadic: number;
  readonly returns: ValueType;
  /** Needs the feature `promql-experimental-functions`. */
  readonly experimental: boolean;
  /** The result depends on the time of the step even if no argument does. */
  readonly dependsOnTime: (call: Call) => boolean;
  /** The argument, counted from 0, that is a list of label matchers for info series instead of a selector. */
  readonly matchersAt: number | undefined;
  readonly evaluate: Evaluate;
};

/** The parts of a row that most functions leave at their default. */
export type RowOptions = Partial<Omit<FunctionRow, "args" | "evaluate" | "dependsOnTime">> & {
  readonly dependsOnTime?: boolean | FunctionRow["dependsOnTime"];
};

/** A row. By default the call has exactly `args`, returns a vector, and is not experimental. */
export function row(args: readonly ValueType[], evaluate: Evaluate, options: RowOptions = {}): FunctionRow {
  const { dependsOnTime = false } = options;
  return {
    variadic: 0,
    returns: "vector",
    experimental: false,
    matchersAt: undefined,
    ...options,
    args,
    evaluate,
    dependsOnTime: typeof dependsOnTime === "boolean" ? () => dependsOnTime : dependsOnTime,
  };
}
