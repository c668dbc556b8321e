import { childrenOf, type Expr, pretty, type Profile } from "../promql/index.ts";

/** A node of an expression with what its evaluation took; without numbers it was evaluated as part of the node above it. */
type Explained = {
  readonly type: Expr["is"];
  /** The operator or function, and the name of a metric. */
  readonly label: string;
  readonly text: string;
  readonly series?: number;
  readonly samples?: number;
  /** With that of its children; a range vector is read while its function works, and has none. */
  readonly seconds?: number;
  readonly children: readonly Explained[];
};

/** The tree of an expression with the cost of each node: the parameter `explain` of a query, which the published API does not have. */
export function explained(expr: Expr, profile: Profile): Explained {
  const cost = profile.costOf(expr);
  return {
    type: expr.is,
    label: labelOf(expr),
    text: pretty(expr),
    ...(cost !== undefined && { series: cost.series, samples: cost.samples }),
    ...(cost !== undefined && cost.ms > 0 && { seconds: cost.ms / 1_000 }),
    children: childrenOf(expr).map((child) => explained(child, profile)),
  };
}

function labelOf(expr: Expr): string {
  switch (expr.is) {
    case "call":
      return expr.name;
    case "aggregate":
    case "binary":
    case "unary":
      return expr.op;
    case "vectorSelector":
      return expr.name ?? "";
    case "matrixSelector":
      return expr.selector.name ?? "";
    case "paren":
      return "( )";
    default:
      return "";
  }
}
