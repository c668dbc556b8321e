import {
  type Aggregate,
  type AggregationName,
  type Binary,
  type Call,
  type Cardinality,
  type Expr,
  isComparison,
  isSetOperator,
  type Span,
  type Subquery,
  typeOf,
  type Unary,
  unwrap,
  type ValueType,
} from "../syntax/ast.ts";
import { aggregationOf } from "../aggregate/aggregations.ts";
import { FUNCTIONS } from "../functions/table.ts";
import type { Cursor } from "./cursor.ts";
import { type ParseFault, parseFault, stop } from "./fault.ts";
import { disabled, type WrittenMatching } from "./matching.ts";
import { walk } from "../syntax/walk.ts";

/**
 * Checks types and arities of each node as the parser makes it; its children have been checked. A type error is only recorded, so that a syntax error
 * later in the text is reported first.
 */

/** The names of types in messages. */
const TYPE_NAMES: Readonly<Record<ValueType, string>> = {
  scalar: "scalar",
  vector: "instant vector",
  matrix: "range vector",
  string: "string",
};

function expectType(cursor: Cursor, expr: Expr, wanted: ValueType, place: string): void {
  const type = typeOf(expr);
  if (type !== wanted) cursor.suspect(`expected type ${TYPE_NAMES[wanted]} in ${place}, got ${TYPE_NAMES[type]}`, expr.span);
}

/** Prometheus docs, querying/operators.md, "Unary operator" */
export function checkUnary(cursor: Cursor, node: Unary): Unary {
  const type = typeOf(node.expr);
  if (type !== "scalar" && type !== "vector")
    cursor.suspect(`unary expression only allowed on expressions of type scalar or instant vector, got "${TYPE_NAMES[type]}"`, node.span);
  return node;
}

/** Prometheus docs, querying/basics.md, "Subquery" */
export function checkSubquery(cursor: Cursor, node: Subquery): Subquery {
  const type = typeOf(node.expr);
  if (type !== "vector") cursor.suspect(`subquery is only allowed on instant vector, got ${type} instead`, node.expr.span);
  return node;
}

type BareBinary = Pick<Binary, "op" | "left" | "right" | "span">;

/** Prometheus docs, querying/operators.md, "Binary operators", "Vector matching" */
export function checkBinary(cursor: Cursor, bare: BareBinary, written: WrittenMatching, opSpan: Span): Binary {
  const { op, left, right, span } = bare;
  const { bool } = written;
  const [leftType, rightType] = [typeOf(left), typeOf(right)];
  const ofVectors = leftType === "vector" && rightType === "vector";
  const ofScalars = leftType === "scalar" && rightType === "scalar";
  if (bool && !isComparison(op)) cursor.suspect("bool modifier can only be used on comparison operators", opSpan);
  if (!bool && isComparison(op) && ofScalars) cursor.suspect("comparisons between scalars must use BOOL modifier", opSpan);
  const twice = written.by === "on" ? written.labels.find((label) => written.include.includes(label)) : undefined;
  if (twice !== undefined) cursor.suspect(`label ${JSON.stringify(twice)} must not occur in ON and GROUP clause at once`, opSpan);
  for (const side of [left, right]) {
    const type = typeOf(side);
    if (type !== "scalar" && type !== "vector")
      cursor.suspect("binary expression must contain only scalar and instant vector types", side.span);
  }
  const fills = written.fill.left !== undefined || written.fill.right !== undefined;
  if (!ofVectors && written.labels.length > 0) cursor.suspect("vector matching only allowed between instant vectors", span);
  if (!ofVectors && fills) cursor.suspect("filling in missing series only allowed between instant vectors", span);
  if (isSetOperator(op)) {
    if (written.group !== undefined) cursor.suspect(`no grouping allowed for "${op}" operation`, span);
    if (fills) cursor.suspect("filling in missing series not allowed for set operators", span);
    if (leftType === "scalar" || rightType === "scalar")
      cursor.suspect(`set operator "${op}" not allowed in binary scalar expression`, span);
  }
  const { by, labels, include, fill } = written;
  const card = cardinality(isSetOperator(op), written.group);
  const matching = ofVectors ? { card, on: by === "on", labels, include, fill } : undefined;
  return { is: "binary", span, op, left, right, type: ofScalars ? "scalar" : "vector", bool, matching };
}

function cardinality(ofSets: boolean, group: WrittenMatching["group"]): Cardinality {
  if (ofSets) return "many-to-many";
  return group === "left" ? "many-to-one" : group === "right" ? "one-to-many" : "one-to-one";
}

type AggregateHead = { readonly op: AggregationName; readonly grouping: readonly string[]; readonly without: boolean; readonly span: Span };

/** Prometheus docs, querying/operators.md, "Aggregation operators" */
export function checkAggregate(cursor: Cursor, head: AggregateHead, args: readonly Expr[]): Aggregate {
  const { param: paramType, experimental } = aggregationOf(head.op);
  const wanted = paramType === undefined ? 1 : 2;
  const expr = args.at(-1);
  if (expr === undefined) return stop("no arguments for aggregate expression provided", head.span);
  if (args.length !== wanted)
    return stop(`wrong number of arguments for aggregate expression provided, expected ${wanted}, got ${args.length}`, head.span);
  if (experimental === true && !cursor.features.experimentalFunctions)
    cursor.suspect(disabled(`${head.op}()`, "promql-experimental-functions"), head.span);
  const param = paramType === undefined ? undefined : args[0];
  expectType(cursor, expr, "vector", "aggregation expression");
  if (param !== undefined && paramType !== undefined) expectType(cursor, param, paramType, "aggregation parameter");
  return { is: "aggregate", expr, param, ...head };
}

/** Prometheus docs, querying/functions.md */
export function checkCall(cursor: Cursor, node: Call): Call {
  const { args: wanted, variadic, matchersAt } = FUNCTIONS[node.name];
  const { args } = node;
  const least = variadic === 0 ? wanted.length : wanted.length - 1;
  const most = variadic === 0 ? wanted.length : variadic < 0 ? Number.POSITIVE_INFINITY : least + variadic;
  if (args.length < least || args.length > most) {
    const [bound, words] = variadic === 0 ? [wanted.length, ""] : args.length < least ? [least, "at least "] : [most, "at most "];
    cursor.suspect(`expected ${words}${bound} argument(s) in call to "${node.name}", got ${args.length}`, node.span);
  }
  for (const [at, arg] of args.entries()) {
    const type = wanted[Math.min(at, wanted.length - 1)];
    if (type !== undefined) expectType(cursor, arg, type, `call to function "${node.name}"`);
  }
  const matchers = matchersAt === undefined ? undefined : args[matchersAt];
  if (matchers !== undefined) expectMatchersOnly(cursor, matchers);
  return node;
}

/** The second argument of `info` is a list of matchers that looks like a selector (Prometheus docs, querying/functions.md, "info()"). */
function expectMatchersOnly(cursor: Cursor, selector: Expr): void {
  if (selector.is !== "vectorSelector") cursor.suspect("expected label selectors only", selector.span);
  else if (selector.name !== "") cursor.suspect("expected label selectors only, got vector selector instead", selector.span);
}

/** Refuses a selector that selects every series; the matchers of `info` may be empty (Prometheus docs, querying/basics.md, "Instant vector selectors"). */
export function emptySelector(root: Expr): ParseFault | undefined {
  const conditions = new Set<Expr>();
  for (const expr of walk(root)) {
    const matchersAt = expr.is === "call" ? FUNCTIONS[expr.name].matchersAt : undefined;
    const matchers = expr.is === "call" && matchersAt !== undefined ? expr.args[matchersAt] : undefined;
    if (matchers !== undefined) conditions.add(unwrap(matchers));
    if (expr.is === "vectorSelector" && !conditions.has(expr) && expr.matchers.every((matcher) => matcher.matchesEmpty))
      return parseFault("vector selector must contain at least one non-empty matcher", expr.span, "meaning");
  }
  return undefined;
}
