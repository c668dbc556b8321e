import type { Matcher } from "../../model/index.ts";
import type { AggregationName } from "../aggregate/aggregations.ts";
import type { FunctionName } from "../functions/names.ts";
import type { ValueType } from "./value-type.ts";

export type { AggregationName, FunctionName, ValueType };

/** Where a node stands in its text: UTF-16 offsets, as JavaScript counts, `end` behind the last unit. `position.ts` makes lines, columns and octets of them. */
export type Span = { readonly start: number; readonly end: number };

type Node = { readonly span: Span };

/** A number. `duration` when it was written with a unit of time (`5m`), which only matters for printing it. */
export type NumberLiteral = Node & { readonly is: "number"; readonly value: number; readonly duration: boolean };
/** A text without its quotes and with its escapes resolved (Prometheus docs, querying/basics.md, "String literals"). */
export type StringLiteral = Node & { readonly is: "string"; readonly value: string };

/** The end of an `@`: milliseconds since 1970, or an end of the query (querying/basics#modifier). */
export type AtModifier = { readonly is: "timestamp"; readonly ms: number } | { readonly is: "start" } | { readonly is: "end" };

/** How a selector treats the ends of its range: experimental (Prometheus docs, feature_flags.md, "Extended Range Selectors"). */
export type Extension = "anchored" | "smoothed";

/** What may follow a selector or a subquery. `offset` is positive towards the past. */
export type Modifiers = { readonly offset: Duration | undefined; readonly at: AtModifier | undefined };

/**
 * `name{matchers}` (Prometheus docs, querying/basics.md, "Instant vector selectors"). `matchers` is complete: a name in front of the braces is also the matcher
 * `__name__="name"`, the last of them; a name quoted inside stands in its place. `name` is "" where none stands in front.
 */
export type VectorSelector = Node &
  Modifiers & {
    readonly is: "vectorSelector";
    readonly name: string;
    readonly matchers: readonly Matcher[];
    readonly extension: Extension | undefined;
  };

/** `selector[range]`: the modifiers behind the bracket stand in `selector` (Prometheus docs, querying/basics.md, "Range Vector Selectors"). */
export type MatrixSelector = Node & { readonly is: "matrixSelector"; readonly selector: VectorSelector; readonly range: Duration };

/** `expr[range:step]`; without `step` the query's default interval applies (Prometheus docs, querying/basics.md, "Subquery"). */
export type Subquery = Node &
  Modifiers & { readonly is: "subquery"; readonly expr: Expr; readonly range: Duration; readonly step: Duration | undefined };

/** A length of time: known when parsed, or worked out from the query's own step and range. `durationMs` in `duration.ts` gives milliseconds of either. */
export type Duration = FixedDuration | DurationExpr;
/** Milliseconds that do not depend on the query. */
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
/** What a duration expression is made of. */
export type DurationOperand = DurationExpr | NumberLiteral;
/** As between numbers (Prometheus docs, querying/basics.md, "Duration expressions"); the result has to be a duration that its place allows. */
export type DurationOperator = "+" | "-" | "*" | "/" | "%" | "^";

/** A sign before a scalar or an instant vector. */
export type Unary = Node & { readonly is: "unary"; readonly op: "+" | "-"; readonly expr: Expr };

/** Between numbers, vectors and histograms (Prometheus docs, querying/operators.md, "Arithmetic binary operators"). */
export type ArithmeticOperator = "+" | "-" | "*" | "/" | "%" | "^" | "atan2";
/** Cut a histogram's observations off above a number, or below it (Prometheus docs, querying/operators.md, "Histogram trim operators"). */
export type TrimOperator = "</" | ">/";
/** Filter, or with `bool` give 0 and 1 (Prometheus docs, querying/operators.md, "Comparison binary operators"). */
export type ComparisonOperator = "==" | "!=" | ">" | "<" | ">=" | "<=";
/** Between vectors alone (Prometheus docs, querying/operators.md, "Logical/set binary operators"). */
export type SetOperator = "and" | "or" | "unless";
/** As written in a query; words in lower case. */
export type BinaryOperator = ArithmeticOperator | TrimOperator | ComparisonOperator | SetOperator;

/** How many elements of the left side, and then of the right, a group may have (Prometheus docs, querying/operators.md, "Vector matching"). */
export type Cardinality = "one-to-one" | "many-to-one" | "one-to-many" | "many-to-many";

/** How elements of two vectors find each other (Prometheus docs, querying/operators.md, "Vector matching"). */
export type VectorMatching = {
  /** `many-to-one` is `group_left`; `many-to-many` belongs to the set operators. */
  readonly card: Cardinality;
  /** Whether `labels` are the ones compared (`on`), or the ones left out (`ignoring`, or nothing written and `labels` empty). */
  readonly on: boolean;
  readonly labels: readonly string[];
  /** Labels that `group_left(…)` or `group_right(…)` takes over from the "one" side. */
  readonly include: readonly string[];
  /** Values for elements without a match, experimental (Prometheus docs, querying/operators.md, "Filling in missing matches"). */
  readonly fill: { readonly left: number | undefined; readonly right: number | undefined };
};

/** `left op right`; `matching` stands exactly where both sides are vectors. `type` is kept, so that nobody walks down a chain for it. */
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
/** Parentheses as they were written: printing keeps them, evaluation does not see them. */
export type Paren = Node & { readonly is: "paren"; readonly expr: Expr };

/** A node of a checked query, told apart by `is`; `span` is its place in the text. */
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

/** What stands inside any number of parentheses. */
export function unwrap(expr: Expr): Exclude<Expr, Paren> {
  let at = expr;
  while (at.is === "paren") at = at.expr;
  return at;
}

const COMPARISONS: ReadonlySet<string> = new Set(["==", "!=", ">", "<", ">=", "<="]);
const SETS: ReadonlySet<string> = new Set(["and", "or", "unless"]);
export const isComparison = (op: BinaryOperator): op is ComparisonOperator => COMPARISONS.has(op);
export const isSetOperator = (op: BinaryOperator): op is SetOperator => SETS.has(op);
