import fc from "fast-check";
import { Matcher, METRIC_NAME, type MatchOperator } from "../../../reference/metrics/model/index.ts";
import {
  type AtModifier,
  type Binary,
  type BinaryOperator,
  type Duration,
  type DurationExpr,
  type DurationOperand,
  type Expr,
  isComparison,
  isSetOperator,
  type MatrixSelector,
  type Span,
  type Subquery,
  typeOf,
  type VectorSelector,
} from "../../../reference/metrics/promql/syntax/ast.ts";
import { aggregationOf, AGGREGATIONS, type AggregationName } from "../../../reference/metrics/promql/aggregate/aggregations.ts";
import { FUNCTION_NAMES, type FunctionName } from "../../../reference/metrics/promql/functions/names.ts";
import { FUNCTIONS } from "../../../reference/metrics/promql/functions/table.ts";
import type { ValueType } from "../../../reference/metrics/promql/syntax/value-type.ts";

/** Trees with every kind of node, as the parser makes them: types match, and parentheses are where a text needs them. */

const span: Span = { start: 0, end: 0 };

/** Binary operators by precedence, written independently of the parser (Prometheus docs, querying/operators.md, "Binary operator precedence"). */
const ORDER: readonly (readonly BinaryOperator[])[] = [
  ["or"],
  ["and", "unless"],
  ["==", "!=", "<=", "<", ">=", ">", "</", ">/"],
  ["+", "-"],
  ["*", "/", "%", "atan2"],
  ["^"],
];
const OPERATORS = ORDER.flat();
const WITH_SCALARS = OPERATORS.filter((op) => !isSetOperator(op));
const strength = (op: BinaryOperator): number => ORDER.findIndex((level) => level.includes(op));

/** An operand of an operator, in parentheses if necessary. */
function beside(op: BinaryOperator, side: "left" | "right", expr: Expr): Expr {
  const isSigned = expr.is === "unary" || (expr.is === "number" && (expr.value < 0 || Object.is(expr.value, -0)));
  if (isSigned && side === "left" && op === "^") return { is: "paren", span, expr };
  if (expr.is !== "binary") return expr;
  const [own, outer] = [strength(expr.op), strength(op)];
  const leansHere = op === "^" ? side === "right" : side === "left";
  return own > outer || (own === outer && leansHere) ? expr : { is: "paren", span, expr };
}

const number = fc
  .oneof(
    fc.double().map((value) => ({ value, duration: false })),
    fc.integer({ min: -1_000, max: 1_000 }).map((value) => ({ value, duration: false })),
    fc.integer({ min: 0, max: 10 ** 9 }).map((ms) => ({ value: ms / 1_000, duration: true })),
  )
  .map((found): Expr => ({ is: "number", span, ...found }));
const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 8 }),
  fc.constantFrom("", "\\", '"', "'", "`", "\n", "\u0000", "\u200b", "$1"),
);
const string = text.map((value): Expr => ({ is: "string", span, value }));
const plainName = fc.constantFrom("up", "a:b", "by", "offset", "sum", "start", "fill", "rate", "_x", "on1");
const label = fc.oneof(fc.constantFrom("job", "le", "on", "by", "without", "__x"), fc.constantFrom("a.b", "日本", "c d"));
const labels = fc.array(label, { maxLength: 3 });

const matcher = fc
  .tuple(label, fc.constantFrom<MatchOperator>("=", "!=", "=~", "!~"), text, fc.constantFrom("a.*", "(b|c)+", "", ".+", "\\d{2}"))
  .map(([name, op, value, pattern]) => new Matcher(name, op, op.includes("~") ? pattern : value));

/** Positive: the mutated texts cover a sign before a power and a zero divisor. */
const durationNumber = fc
  .tuple(fc.integer({ min: 1, max: 10 ** 8 }), fc.boolean())
  .map(([ms, duration]): DurationOperand => ({ is: "number", span, value: ms / 1_000, duration }));
const operand: fc.Arbitrary<DurationOperand> = fc.letrec<{ operand: DurationOperand; expr: DurationExpr }>((tie) => ({
  operand: fc.oneof({ depthSize: "small", withCrossShrink: true }, durationNumber, tie("expr")),
  expr: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<DurationExpr>({ is: "durationStep", span }, { is: "durationRange", span }),
    tie("operand").map((inner): DurationExpr => ({ is: "durationParen", span, inner })),
    tie("expr")
      .filter(({ is }) => is !== "durationBinary")
      .map((inner): DurationExpr => ({ is: "durationUnary", span, op: "-", operand: inner })),
    fc
      .tuple(fc.constantFrom("min_of" as const, "max_of" as const), tie("operand"), tie("operand"))
      .map(([name, a, b]): DurationExpr => ({ is: "durationCall", span, name, args: [a, b] })),
    fc
      .tuple(
        fc.constantFrom("+" as const, "-" as const, "*" as const, "/" as const, "%" as const, "^" as const),
        tie("operand"),
        tie("operand"),
      )
      .map(([op, left, right]): DurationExpr => ({ is: "durationBinary", span, op, left: bare(left), right: bare(right) })),
  ),
})).operand;
const bare = (inner: DurationOperand): DurationOperand =>
  inner.is === "durationBinary" || inner.is === "durationUnary" ? { is: "durationParen", span, inner } : inner;
const computed = operand.filter((expr): expr is DurationExpr => expr.is !== "number");
const fixed = (min: number) => fc.integer({ min, max: 10 ** 10 }).map((ms): Duration => ({ is: "fixed", span, ms }));
const length = fc.oneof({ weight: 4, arbitrary: fixed(1) }, computed);
const offset = fc.oneof(
  { weight: 4, arbitrary: fc.constant(undefined) },
  fixed(-(10 ** 10)).filter((duration) => duration.is !== "fixed" || duration.ms !== 0),
  computed.map((expr): Duration => (expr.is === "durationBinary" ? { is: "durationParen", span, inner: expr } : expr)),
);
const at = fc.option(
  fc.oneof(
    fc.constantFrom<AtModifier>({ is: "start" }, { is: "end" }),
    fc.integer({ min: -(10 ** 12), max: 10 ** 13 }).map((ms): AtModifier => ({ is: "timestamp", ms })),
  ),
  { nil: undefined },
);

const selector: fc.Arbitrary<VectorSelector> = fc
  .record({
    name: fc.oneof(plainName, fc.constant("")),
    some: fc.array(matcher, { maxLength: 3 }),
    offset,
    at,
    extension: fc.constantFrom(undefined, undefined, "anchored" as const, "smoothed" as const),
  })
  .map(({ name, some, ...modifiers }) => {
    const named = name === "" ? new Matcher("job", "!=", "") : new Matcher(METRIC_NAME, "=", name);
    return { is: "vectorSelector", span, name, matchers: [...some, named], ...modifiers };
  });
/** A different value for each side, since the printer writes one `fill` for equal values. */
const fill = fc.record({ left: fc.constantFrom(undefined, 0, -1.5), right: fc.constantFrom(undefined, 0, Number.POSITIVE_INFINITY) });
const unfilled = { left: undefined, right: undefined };

const matching = fc
  .record({
    on: fc.boolean(),
    labels,
    card: fc.constantFrom("one-to-one" as const, "many-to-one" as const, "one-to-many" as const),
    include: labels,
    fill: fc.oneof(fc.constant(unfilled), fill),
  })
  .map((found) => ({
    ...found,
    include: found.card === "one-to-one" ? [] : found.include.filter((name) => !found.on || !found.labels.includes(name)),
  }));

type Operation = {
  readonly op: BinaryOperator;
  readonly left: Expr;
  readonly right: Expr;
  readonly wish: NonNullable<Binary["matching"]>;
  readonly wantsBool: boolean;
};
/** A binary expression with those of the wished modifiers that its operands allow. */
function binaryOf({ op, wish, wantsBool, ...operands }: Operation): Expr {
  const [left, right] = [beside(op, "left", operands.left), beside(op, "right", operands.right)];
  const types = [typeOf(left), typeOf(right)];
  const ofVectors = types.every((type) => type === "vector");
  const ofScalars = types.every((type) => type === "scalar");
  const bool = isComparison(op) && (wantsBool || ofScalars);
  const sets = { ...wish, card: "many-to-many" as const, include: [], fill: unfilled };
  const given = isSetOperator(op) ? sets : wish;
  return { is: "binary", span, op, left, right, type: ofScalars ? "scalar" : "vector", bool, matching: ofVectors ? given : undefined };
}

type Kinds = { scalar: Expr; vector: Expr; matrix: MatrixSelector | Subquery };
const functionsOf = (returns: "scalar" | "vector"): FunctionName[] =>
  FUNCTION_NAMES.filter((name) => FUNCTIONS[name].returns === returns && name !== "info");

const { scalar, vector, matrix } = fc.letrec<Kinds>((tie) => {
  const depthSize = "small" as const;
  const ofType: Readonly<Record<ValueType, fc.Arbitrary<Expr>>> = {
    scalar: tie("scalar"),
    vector: tie("vector"),
    matrix: tie("matrix"),
    string,
  };
  const call = (returns: "scalar" | "vector"): fc.Arbitrary<Expr> =>
    fc
      .constantFrom(...functionsOf(returns))
      .chain((name) =>
        fc
          .tuple(...FUNCTIONS[name].args.map((type) => ofType[type]))
          .map((args): Expr => ({ is: "call", span, name, type: returns, args })),
      );
  const aggregate = fc.constantFrom(...(Object.keys(AGGREGATIONS) as AggregationName[])).chain((op) => {
    const type = aggregationOf(op).param;
    const param: fc.Arbitrary<Expr | undefined> = type === undefined ? fc.constant(undefined) : ofType[type];
    return fc
      .record({ expr: tie("vector"), param, grouping: labels, without: fc.boolean() })
      .map((found): Expr => ({ is: "aggregate", span, op, ...found }));
  });
  const paren = (inner: fc.Arbitrary<Expr>) => inner.map((expr): Expr => ({ is: "paren", span, expr }));
  /** A sign before a number is part of it, and a sign before a binary operator other than a power applies to the left operand only. */
  const unary = (inner: fc.Arbitrary<Expr>) =>
    fc.tuple(fc.constantFrom("-" as const, "+" as const), inner).map(([op, expr]): Expr => {
      const stands = expr.is !== "number" && (expr.is !== "binary" || expr.op === "^");
      return { is: "unary", span, op, expr: stands ? expr : { is: "paren", span, expr } };
    });
  const binary = (a: fc.Arbitrary<Expr>, b: fc.Arbitrary<Expr>, operators: readonly BinaryOperator[] = WITH_SCALARS) =>
    fc.record({ op: fc.constantFrom(...operators), left: a, right: b, wish: matching, wantsBool: fc.boolean() }).map(binaryOf);
  return {
    scalar: fc.oneof(
      { depthSize, withCrossShrink: true },
      number,
      paren(tie("scalar")),
      unary(tie("scalar")),
      call("scalar"),
      binary(tie("scalar"), tie("scalar")),
    ),
    vector: fc.oneof(
      { depthSize, withCrossShrink: true },
      selector,
      paren(tie("vector")),
      unary(tie("vector")),
      call("vector"),
      aggregate,
      binary(tie("vector"), tie("vector"), OPERATORS),
      binary(tie("vector"), tie("scalar")),
      binary(tie("scalar"), tie("vector")),
    ),
    matrix: fc.oneof(
      { depthSize, withCrossShrink: true },
      fc.tuple(selector, length).map(([each, range]): MatrixSelector => ({ is: "matrixSelector", span, selector: each, range })),
      fc
        .record({ expr: tie("vector"), range: length, step: fc.option(length, { nil: undefined }), offset, at })
        .map(({ expr, ...found }): Subquery => ({ is: "subquery", span, expr: primary(expr), ...found })),
    ),
  };
});

/** A subquery applies to the single term before it. */
const primary = (expr: Expr): Expr => (expr.is === "binary" || expr.is === "unary" ? { is: "paren", span, expr } : expr);

export const anyExpr: fc.Arbitrary<Expr> = fc.oneof(
  { weight: 4, arbitrary: vector },
  { weight: 2, arbitrary: scalar },
  { weight: 1, arbitrary: matrix },
  { weight: 1, arbitrary: string },
);
