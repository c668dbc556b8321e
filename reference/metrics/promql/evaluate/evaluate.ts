import type { Expr, Unary } from "../syntax/ast.ts";
import { aggregate } from "./aggregate.ts";
import { binary } from "./binary.ts";
import { selectInstant } from "./select.ts";
import { FUNCTIONS } from "../functions/table.ts";
import { isInvariant } from "./invariant.ts";
import type { Frame, Work } from "./query.ts";
import { eachRow, spread, withoutName } from "./rows.ts";
import { negateHistogram } from "../../model/index.ts";
import { HISTOGRAM, Scalar, Text, type Value } from "./value.ts";
import { Bug } from "../../../core/index.ts";

/**
 * The value of a checked expression at every step of the frame. Expressions that do not depend on the step are evaluated once (Prometheus docs, querying/basics.md, "Querying
 * basics": a range query is an instant query run at each step).
 */
export function* evaluate(expr: Expr, frame: Frame): Work<Value> {
  const { profile } = frame.query;
  return yield* profile === undefined ? valueOf(expr, frame) : profile.measure(expr, valueOf(expr, frame));
}

function* valueOf(expr: Expr, frame: Frame): Work<Value> {
  const { query, steps } = frame;
  if (steps <= 1 || !isInvariant(expr, query)) return yield* evaluated(expr, frame);
  const once = yield* evaluated(expr, frame.first());
  if (once.is === "string") return once;
  if (once.is === "scalar") return new Scalar(new Float64Array(steps).fill(once.values[0] ?? Number.NaN));
  query.budget.room(once.rows * steps);
  const all = yield* spread(once, steps, query);
  query.budget.drop(once);
  return query.budget.keep(all);
}

function* evaluated(expr: Expr, frame: Frame): Work<Value> {
  switch (expr.is) {
    case "number":
      return new Scalar(new Float64Array(frame.steps).fill(expr.value));
    case "string":
      return new Text(expr.value);
    case "paren":
      return yield* evaluate(expr.expr, frame);
    case "unary":
      return yield* unary(expr, frame);
    case "vectorSelector":
      return yield* selectInstant(expr, frame);
    case "binary":
      return yield* binary(expr, frame);
    case "aggregate":
      return yield* aggregate(expr, frame);
    case "call":
      return yield* FUNCTIONS[expr.name].evaluate(expr, frame);
    case "matrixSelector":
    case "subquery":
      throw new Bug("A range vector is evaluated as part of a call, or as the root of an instant query.");
  }
}

/** Prometheus docs, querying/operators.md, "Unary operator" */
function* unary({ op, expr }: Unary, frame: Frame): Work<Value> {
  const value = yield* evaluate(expr, frame);
  if (op === "+" || value.is === "string") return value;
  if (value.is === "scalar") return new Scalar(value.values.map((number) => -number));
  const { values, kinds, steps } = value;
  yield* eachRow(value, frame.query, (_row, first) => {
    for (let cell = first; cell < first + steps; cell++) {
      values[cell] = -(values[cell] ?? 0);
      if (kinds[cell] !== HISTOGRAM) continue;
      const histogram = value.histogramAt(cell);
      if (histogram !== undefined) value.setHistogram(cell, negateHistogram(histogram));
    }
  });
  return yield* withoutName(value, frame.query);
}
