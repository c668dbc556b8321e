import { Bug } from "../../../core/index.ts";
import type { Call, Expr } from "../syntax/ast.ts";
import type { Frame, Work } from "../evaluate/query.ts";
import type { Matrix } from "../evaluate/value.ts";

/** Arguments of a call by type; the parser has checked the types. */

/** An argument, counted from 0. It is a `Bug` to ask for an optional argument that is absent. */
export function argument(call: Call, at: number): Expr {
  const arg = call.args[at];
  if (arg === undefined) throw new Bug(`${call.name} has no argument ${at}.`);
  return arg;
}

/** A vector argument; the caller owns the matrix and may change it. */
export function* vectorArgument(call: Call, at: number, frame: Frame): Work<Matrix> {
  const value = yield* frame.query.evaluate(argument(call, at), frame);
  if (value.is === "vector") return value;
  throw new Bug(`Argument ${at} of ${call.name} is not a vector.`);
}

/** A scalar argument, by step. */
export function* numberArgument(call: Call, at: number, frame: Frame): Work<Float64Array> {
  const value = yield* frame.query.evaluate(argument(call, at), frame);
  if (value.is === "scalar") return value.values;
  throw new Bug(`Argument ${at} of ${call.name} is not a scalar.`);
}

/** A string argument: strings are literals, so nothing is evaluated. */
export function textArgument(call: Call, at: number): string {
  let arg = argument(call, at);
  while (arg.is === "paren") arg = arg.expr;
  if (arg.is === "string") return arg.value;
  throw new Bug(`Argument ${at} of ${call.name} is not a string.`);
}
