import { describeFault, type Json, NO_FEATURES, parse, pretty, printTree } from "../../reference/metrics/promql/index.ts";
import type { Vector } from "../load.ts";

/** An expression, formatted and as a tree, or the reason why it is invalid. */
export type Answer = { readonly printed?: string; readonly tree?: Json; readonly fault?: string };
/** Schema: promql-expression-v1. */
export type ExpressionVector = Vector &
  Answer & {
    readonly text: string;
    readonly without?: true;
    readonly peer?: Answer;
  };

/** What this project makes of an expression; `without` turns the experimental parts of the language off. */
export function answerOf(text: string, without: boolean): Answer {
  const expr = parse(text, without ? { features: NO_FEATURES } : {});
  return expr.is === "fault" ? { fault: describeFault(text, expr) } : { printed: pretty(expr), tree: printTree(expr) };
}
