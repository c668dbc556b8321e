import type { Expr } from "../syntax/ast.ts";
import { FUNCTIONS } from "../functions/table.ts";
import type { Query } from "./query.ts";
import { childrenOf } from "../syntax/walk.ts";

/** Whether an expression has the same value at every step, so that one step is enough (Prometheus docs, querying/basics.md, "@ modifier"). */
export function isInvariant(expr: Expr, query: Query): boolean {
  const known = query.invariant.get(expr);
  if (known !== undefined) return known;
  const verdict = !dependsOnTime(expr) && childrenOf(expr).every((child) => isInvariant(child, query) || expr.is === "subquery");
  query.invariant.set(expr, verdict);
  return verdict;
}

/** Whether a node depends on the time of the step by itself, whatever its children do. */
function dependsOnTime(expr: Expr): boolean {
  if (expr.is === "vectorSelector" || expr.is === "subquery") return expr.at === undefined;
  if (expr.is === "matrixSelector") return expr.selector.at === undefined;
  return expr.is === "call" && FUNCTIONS[expr.name].dependsOnTime(expr);
}
