import type { Expr } from "./ast.ts";

/** The direct children of an expression, in text order. */
export function childrenOf(expr: Expr): readonly Expr[] {
  switch (expr.is) {
    case "number":
    case "string":
    case "vectorSelector":
      return [];
    case "matrixSelector":
      return [expr.selector];
    case "subquery":
    case "unary":
    case "paren":
      return [expr.expr];
    case "binary":
      return [expr.left, expr.right];
    case "aggregate":
      return expr.param === undefined ? [expr.expr] : [expr.param, expr.expr];
    case "call":
      return expr.args;
  }
}

/** An expression and its descendants, parents first; not recursive. */
export function* walk(root: Expr): Generator<Expr, undefined, undefined> {
  const stack = [root];
  for (let expr = stack.pop(); expr !== undefined; expr = stack.pop()) {
    yield expr;
    stack.push(...childrenOf(expr).toReversed());
  }
}

/** The number of nodes from the root to the deepest leaf; stops at `enough` + 1. */
export function depthOf(root: Expr, enough: number): number {
  let level: Expr[] = [root];
  let depth = 0;
  while (level.length > 0 && depth <= enough) {
    level = level.flatMap(childrenOf);
    depth++;
  }
  return depth;
}
