import { Bug } from "../../../core/index.ts";
import type { Call, Expr } from "../syntax/ast.ts";
import type { Frame, Work } from "../evaluate/query.ts";
import type { Matrix } from "../evaluate/value.ts";

/** The arguments of a call by their types, which the parser has checked. */

/** Counted from 0; one that may be left out, and was, is a `Bug` of the caller. */
export function argument(call: Call, at: number): Expr {
  const arg = call.args[at];
  if (arg === undefined) throw new Bug(`${call.name} has no argument ${at}.`);
  return arg;
}

/** The vector that an argument is; it belongs to the caller, who may change it. */
export function* vectorArgument(call: Call, at: number, frame: Frame): Work<Matrix> {
  const value = yield* frame.query.evaluate(argument(call, at), frame);
  if (value.is === "vector") return value;
  throw new Bug(`Argument ${at} of ${call.name} is no vector.`);
}

/** By step. */
export function* numberArgument(call: Call, at: number, frame: Frame): Work<Float64Array> {
  const value = yield* frame.query.evaluate(argument(call, at), frame);
  if (value.is === "scalar") return value.values;
  throw new Bug(`Argument ${at} of ${call.name} is no scalar.`);
}

/** The text itself: strings are literals, so that nothing is evaluated. */
export function textArgument(call: Call, at: number): string {
  let arg = argument(call, at);
  while (arg.is === "paren") arg = arg.expr;
  if (arg.is === "string") return arg.value;
  throw new Bug(`Argument ${at} of ${call.name} is no string.`);
}
