import { childrenOf, type Expr, parse } from "../../../reference/metrics/promql/index.ts";

/** Rewrites expressions: most impostors of metrics servers evaluate another expression than the requested one. */

export type Of<Is extends Expr["is"]> = Extract<Expr, { is: Is }>;
export type Aggregate = Of<"aggregate">;
export type Call = Of<"call">;
export type Binary = Of<"binary">;
/** The text of a part, with the parts inside it already rewritten. */
export type TextOf = (part: Expr) => string;

/** The parts inside a part. A range selector with its modifiers is only rewritten as a whole. */
const partsOf = (expr: Expr): readonly Expr[] => (expr.is === "matrixSelector" ? [] : childrenOf(expr));

/** Replaces each part for which `change` returns a text. An invalid expression stays as it is. */
export const rewrite =
  (change: (part: Expr, textOf: TextOf) => string | undefined) =>
  (text: string): string => {
    const asIs = (part: Expr): string => {
      let written = "";
      let at = part.span.start;
      for (const inner of partsOf(part).toSorted((a, b) => a.span.start - b.span.start)) {
        written += text.slice(at, inner.span.start) + textOf(inner);
        at = inner.span.end;
      }
      return written + text.slice(at, part.span.end);
    };
    const textOf = (part: Expr): string => {
      const changed = change(part, (one) => (one === part ? asIs(one) : textOf(one)));
      return changed === undefined ? asIs(part) : `(${changed})`;
    };
    const root = parse(text);
    return root.is === "fault" ? text : textOf(root);
  };

/** The clause of an aggregation, between its name and its parenthesis. */
export const clauseOf = ({ grouping, without }: Aggregate): string =>
  without || grouping.length > 0 ? `${without ? "without" : "by"} (${grouping.map((name) => JSON.stringify(name)).join(", ")})` : "";

/** Rewrites aggregations with the named operators. `change` gets the clause, the aggregated expression, the parameter, and the whole. */
export const aggregations = (
  names: readonly string[],
  change: (clause: string, inner: string, param: string, whole: string) => string,
): ((text: string) => string) =>
  rewrite((part, textOf) =>
    part.is === "aggregate" && names.includes(part.op)
      ? change(clauseOf(part), textOf(part.expr), part.param === undefined ? "" : textOf(part.param), textOf(part))
      : undefined,
  );

/** Rewrites calls of the named functions. `change` gets the arguments and the whole call. */
export const calls = (names: RegExp, change: (args: readonly string[], whole: string, call: Call) => string | undefined) =>
  rewrite((part, textOf) => (part.is === "call" && names.test(part.name) ? change(part.args.map(textOf), textOf(part), part) : undefined));

/** An expression that returns `otherwise` if `whole` is empty. */
export const orElse = (whole: string, otherwise: string): string => `${whole} or (${otherwise} unless on () ${whole})`;
