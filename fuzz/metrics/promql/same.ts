import type { Expr } from "../../../reference/metrics/promql/syntax/ast.ts";

/**
 * A tree as text, for comparison: without positions, with sorted matchers and exact floats (all NaNs are equal).
 * Equal texts mean equal expressions.
 */
export const inWords = (expr: Expr): string =>
  JSON.stringify(expr, (key, value: unknown) => {
    if (key === "span") return undefined;
    if (key === "matchers" && Array.isArray(value)) return value.map(String).toSorted();
    if (typeof value === "number" && (!Number.isFinite(value) || Object.is(value, -0))) return Object.is(value, -0) ? "-0" : String(value);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    return value;
  });
