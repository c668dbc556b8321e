import type { Matcher } from "../../model/index.ts";
import type { AggregationName } from "../aggregate/aggregations.ts";
import type { FunctionName } from "../functions/names.ts";
import type { ValueType } from "./value-type.ts";

export type { AggregationName, FunctionName, ValueType };

/** The place of a node in the text: UTF-16 offsets, `end` exclusive. `parse/position.ts` converts them to lines, columns and octets. */
export type Span = { readonly start: number; readonly end: number };

type Node = { readonly span: Span };

/** A number. `duration`: written with a unit of time (`5m`), which only printing uses. */
export type NumberLiteral = Node & { readonly is: "number"; readonly value: number; readonly duration: boolean };
/** A string without quotes and with escapes resolved (Prometheus docs, querying/basics.md, "String literals"). */
export type StringLiteral = Node & { readonly is: "string"; readonly value: string };

/** The time of an `@`: milliseconds since 1970, or the start or end of the query (Prometheus docs, querying/basics.md, "@ modifier"). */
export type AtModifier = { readonly is: "timestamp"; readonly ms: number } | { readonly is: "start" } | { readonly is: "end" };

/** How a selector treats the ends of its range: experimental (Prometheus docs, feature_flags.md, "Extended Range Selectors"). */
export type Extension = "anchored" | "smoothed";

/** The modifiers of a selector or a subquery. A positive `offset` points to the past. */
export type Modifiers = { readonly offset: Duration | undefined; readonly at: AtModifier | undefined };

/**
 * `name{matchers}` (Prometheus docs, querying/basics.md, "Instant vector selectors"). `matchers` is complete: a name before the braces is also the last
 * matcher, `__name__="name"`; a quoted name inside the braces keeps its place. `name` is "" if there is none before the braces.
 */
export type VectorSelector = Node &
  Modifiers & {
    readonly is: "vectorSelector";
    readonly name: string;
    readonly matchers: readonly Matcher[];
    readonly extension: Extension | undefined;
  };

/** `selector[range]`: the modifiers after the bracket belong to `selector` (Prometheus docs, querying/basics.md, "Range Vector Selectors"). */
export type MatrixSelector = Node & { readonly is: "matrixSelector"; readonly selector: VectorSelector; readonly range: Duration };

/** `expr[range:step]`; without `step` the query's default interval applies (Prometheus docs, querying/basics.md, "Subquery"). */
export type Subquery = Node &
  Modifiers & { readonly is: "subquery"; readonly expr: Expr; readonly range: Duration; readonly step: Duration | undefined };

/** A length of time: known after parsing, or computed from the step and range of the query. `durationMs` in `duration.ts` returns either in milliseconds. */
export type Duration = FixedDuration | DurationExpr;
/** A duration that does not depend on the query. */
export type FixedDuration = Node & { readonly is: "fixed"; readonly ms: number };

/** Arithmetic where a duration is expected (Prometheus docs, querying/basics.md, "Duration expressions"). Numbers are seconds. */
export type DurationExpr =
  | (Node & { readonly is: "durationStep" | "durationRange" })
  | (Node & { readonly is: "durationUnary"; readonly op: "+" | "-"; readonly operand: DurationOperand })
  | (Node & {
      readonly is: "durationBinary";
      readonly op: DurationOperator;
      readonly left: DurationOperand;
      readonly right: DurationOperand;
    })
  | (Node & { readonly is: "durationCall"; readonly name: "min_of" | "max_of"; readonly args: readonly [DurationOperand, DurationOperand] })
  | (Node & { readonly is: "durationParen"; readonly inner: DurationOperand });
/** An operand of a duration expression. */
export type DurationOperand = DurationExpr | NumberLiteral;
/** The same operators as between numbers (Prometheus docs, querying/basics.md, "Duration expressions"); the result must be valid for its use. */
export type DurationOperator = "+" | "-" | "*" | "/" | "%" | "^";

/** A sign before a scalar or an instant vector. */
export type Unary = Node & { readonly is: "unary"; readonly op: "+" | "-"; readonly expr: Expr };

/** Between numbers, vectors and histograms (Prometheus docs, querying/operators.md, "Arithmetic binary operators"). */
export type ArithmeticOperator = "+" | "-" | "*" | "/" | "%" | "^" | "atan2";
/** Remove the observations of a histogram above or below a number (Prometheus docs, querying/operators.md, "Histogram trim operators"). */
export type TrimOperator = "</" | ">/";
/** Filter, or return 0 and 1 with `bool` (Prometheus docs, querying/operators.md, "Comparison binary operators"). */
export type ComparisonOperator = "==" | "!=" | ">" | "<" | ">=" | "<=";
/** Between vectors only (Prometheus docs, querying/operators.md, "Logical/set binary operators"). */
export type SetOperator = "and" | "or" | "unless";
/** As written in a query, words in lower case. */
export type BinaryOperator = ArithmeticOperator | TrimOperator | ComparisonOperator | SetOperator;

/** How many elements a group may have on the left and on the right side (Prometheus docs, querying/operators.md, "Vector matching"). */
export type Cardinality = "one-to-one" | "many-to-one" | "one-to-many" | "many-to-many";

/** How elements of two vectors are matched (Prometheus docs, querying/operators.md, "Vector matching"). */
export type VectorMatching = {
  /** `many-to-one` is `group_left`; `many-to-many` belongs to the set operators. */
  readonly card: Cardinality;
  /** `labels` are the compared labels (`on`), or the ignored ones (`ignoring`, or no modifier and no labels). */
  readonly on: boolean;
  readonly labels: readonly string[];
  /** Labels that `group_left(…)` or `group_right(…)` copies from the "one" side. */
  readonly include: readonly string[];
  /** Values for elements without a match, experimental (Prometheus docs, querying/operators.md, "Filling in missing matches"). */
  readonly fill: { readonly left: number | undefined; readonly right: number | undefined };
};

/** `left op right`. `matching` is defined exactly if both sides are vectors. `type` is stored so that `typeOf` need not walk down a chain. */
export type Binary = Node & {
  readonly is: "binary";
  readonly op: BinaryOperator;
  readonly left: Expr;
  readonly right: Expr;
  readonly type: "scalar" | "vector";
  readonly bool: boolean;
  readonly matching: VectorMatching | undefined;
};

/** `op by (grouping) (param, expr)` (Prometheus docs, querying/operators.md, "Aggregation operators"). */
export type Aggregate = Node & {
  readonly is: "aggregate";
  readonly op: AggregationName;
  readonly expr: Expr;
  readonly param: Expr | undefined;
  readonly grouping: readonly string[];
  readonly without: boolean;
};

/** A call whose arguments have the number and types of its signature (`functions/table.ts`); `type` is what it returns. */
export type Call = Node & {
  readonly is: "call";
  readonly name: FunctionName;
  readonly type: ValueType;
  readonly args: readonly Expr[];
};
/** Parentheses as written: printing keeps them, evaluation ignores them. */
export type Paren = Node & { readonly is: "paren"; readonly expr: Expr };

/** A node of a checked query, discriminated by `is`. */
export type Expr = NumberLiteral | StringLiteral | VectorSelector | MatrixSelector | Subquery | Unary | Binary | Aggregate | Call | Paren;

/** The type of a checked expression. */
export function typeOf(expr: Expr): ValueType {
  let at = expr;
  while (at.is === "paren" || at.is === "unary") at = at.expr;
  switch (at.is) {
    case "number":
      return "scalar";
    case "string":
      return "string";
    case "vectorSelector":
    case "aggregate":
      return "vector";
    case "matrixSelector":
    case "subquery":
      return "matrix";
    case "call":
    case "binary":
      return at.type;
  }
}

/** An expression without any parentheses around it. */
export function unwrap(expr: Expr): Exclude<Expr, Paren> {
  let at = expr;
  while (at.is === "paren") at = at.expr;
  return at;
}

const COMPARISONS: ReadonlySet<string> = new Set(["==", "!=", ">", "<", ">=", "<="]);
const SETS: ReadonlySet<string> = new Set(["and", "or", "unless"]);
export const isComparison = (op: BinaryOperator): op is ComparisonOperator => COMPARISONS.has(op);
export const isSetOperator = (op: BinaryOperator): op is SetOperator => SETS.has(op);
