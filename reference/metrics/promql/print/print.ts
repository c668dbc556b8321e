import { compareText, type Matcher, METRIC_NAME } from "../../model/index.ts";
import type {
  Aggregate,
  Binary,
  Duration,
  DurationOperand,
  Expr,
  MatrixSelector,
  Modifiers,
  NumberLiteral,
  Subquery,
  VectorSelector,
} from "../syntax/ast.ts";
import { formatDuration } from "../syntax/duration.ts";
import { formatNumber } from "../syntax/number.ts";
import { writeString } from "../syntax/string-literal.ts";

/** Texts of nodes printed before, for callers that print parts of the same tree repeatedly. */
export type Printed = Map<Expr, string>;

/**
 * The canonical text of an expression, on one line: it parses to the same tree. Matchers and modifiers have a fixed order, keywords are in
 * lower case, comments are dropped (Prometheus docs, querying/api.md, "Formatting query expressions"). The tree must come from `parse`: parentheses are nodes, and
 * none are added.
 */
export function print(expr: Expr, printed?: Printed): string {
  const known = printed?.get(expr);
  if (known !== undefined) return known;
  const text = printNode(expr, printed);
  printed?.set(expr, text);
  return text;
}

function printNode(expr: Expr, printed: Printed | undefined): string {
  switch (expr.is) {
    case "number":
      return printNumber(expr);
    case "string":
      return writeString(expr.value);
    case "vectorSelector":
      return printSelector(expr, "");
    case "matrixSelector":
      return printMatrix(expr);
    case "subquery":
      return `${print(expr.expr, printed)}${printSubqueryEnd(expr)}`;
    case "unary":
      return `${expr.op}${print(expr.expr, printed)}`;
    case "binary":
      return `${printLeft(expr, printed)} ${printOperator(expr)} ${print(expr.right, printed)}`;
    case "aggregate":
      return `${printAggregateHead(expr)}(${argsOf(expr)
        .map((arg) => print(arg, printed))
        .join(", ")})`;
    case "call":
      return `${expr.name}(${expr.args.map((arg) => print(arg, printed)).join(", ")})`;
    case "paren":
      return `(${print(expr.expr, printed)})`;
  }
}

/** A sign before a power applies to the whole power, so the base is printed without the sign that infinity has elsewhere. */
export const printLeft = ({ op, left }: Binary, printed?: Printed): string =>
  op === "^" && left.is === "number" && left.value === Number.POSITIVE_INFINITY ? "Inf" : print(left, printed);

/** The arguments of an aggregation in text order. */
export const argsOf = ({ param, expr }: Aggregate): readonly Expr[] => (param === undefined ? [expr] : [param, expr]);

/** Prints a number as a duration if it was written as one, including a negative zero. */
function printNumber({ value, duration }: NumberLiteral): string {
  if (!duration) return formatNumber(value);
  return Object.is(value, -0) ? "-0s" : formatDuration(Math.round(value * 1_000));
}

const printMatrix = ({ selector, range }: MatrixSelector): string => printSelector(selector, `[${printDuration(range)}]`);

function printSelector(selector: VectorSelector, range: string): string {
  const { name, extension } = selector;
  const conditions = selector.matchers.filter((matcher) => !isNameInFront(matcher, name)).map(printMatcher);
  const braces = conditions.length > 0 || name === "" ? `{${conditions.toSorted(compareText).join(",")}}` : "";
  const extended = extension === undefined ? "" : ` ${extension}`;
  // After a range the offset precedes the time, after a name it follows it.
  const middle = range === "" ? `${printAt(selector)}${extended}` : `${extended}${printAt(selector)}`;
  return `${name}${braces}${range}${middle}${printOffset(selector)}`;
}

const isNameInFront = (matcher: Matcher, name: string): boolean =>
  name !== "" && matcher.name === METRIC_NAME && matcher.operator === "=" && matcher.value === name;

const printMatcher = ({ name, operator, value }: Matcher): string => `${printLabel(name)}${operator}${writeString(value)}`;

const PLAIN_LABEL = /^[a-zA-Z_][a-zA-Z0-9_]*$/;
const printLabel = (label: string): string => (PLAIN_LABEL.test(label) ? label : writeString(label));
const printLabels = (labels: readonly string[]): string => `(${labels.map(printLabel).join(", ")})`;

function printAt({ at }: Modifiers): string {
  if (at === undefined) return "";
  return at.is === "timestamp" ? ` @ ${(at.ms / 1_000).toFixed(3)}` : ` @ ${at.is}()`;
}

const printOffset = ({ offset }: Modifiers): string => (offset === undefined ? "" : ` offset ${printDuration(offset)}`);

/** The part of a subquery after its expression. */
export function printSubqueryEnd(query: Subquery): string {
  const step = query.step === undefined ? "" : printDuration(query.step);
  return `[${printDuration(query.range)}:${step}]${printAt(query)}${printOffset(query)}`;
}

/** An operator with all its modifiers. */
export function printOperator({ op, bool, matching }: Binary): string {
  let text = bool ? `${op} bool` : op;
  if (matching === undefined) return text;
  const { card, on, labels, include, fill } = matching;
  const groups = card === "many-to-one" || card === "one-to-many";
  if (on || labels.length > 0 || groups) text += ` ${on ? "on" : "ignoring"} ${printLabels(labels)}`;
  if (groups) text += ` ${card === "many-to-one" ? "group_left" : "group_right"} ${printLabels(include)}`;
  if (fill.left !== undefined && Object.is(fill.left, fill.right)) return `${text} fill (${formatNumber(fill.left)})`;
  if (fill.left !== undefined) text += ` fill_left (${formatNumber(fill.left)})`;
  if (fill.right !== undefined) text += ` fill_right (${formatNumber(fill.right)})`;
  return text;
}

/** An aggregation up to its opening parenthesis. */
export function printAggregateHead({ op, without, grouping }: Aggregate): string {
  if (without) return `${op} without ${printLabels(grouping)} `;
  return grouping.length > 0 ? `${op} by ${printLabels(grouping)} ` : op;
}

/** A known duration in units, such as `1h30m`; an expression as an expression. */
function printDuration(duration: Duration): string {
  return duration.is === "fixed" ? formatDuration(duration.ms) : printOperand(duration);
}

function printOperand(expr: DurationOperand): string {
  switch (expr.is) {
    case "number":
      return printNumber(expr);
    case "durationStep":
      return "step()";
    case "durationRange":
      return "range()";
    case "durationUnary":
      return `${expr.op}${printOperand(expr.operand)}`;
    case "durationBinary":
      return `${printOperand(expr.left)} ${expr.op} ${printOperand(expr.right)}`;
    case "durationCall":
      return `${expr.name}(${expr.args.map(printOperand).join(", ")})`;
    case "durationParen":
      return `(${printOperand(expr.inner)})`;
  }
}
