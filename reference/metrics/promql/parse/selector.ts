import { BadPattern, Matcher, METRIC_NAME, type MatchOperator } from "../../model/index.ts";
import type { AtModifier, Duration, Expr, Extension, MatrixSelector, Subquery, VectorSelector } from "../syntax/ast.ts";
import { checkSubquery } from "./check.ts";
import type { Cursor } from "./cursor.ts";
import { readLength, readOffset } from "./duration-expression.ts";
import { stop } from "./fault.ts";
import { disabled, since } from "./matching.ts";

const MATCH_OPERATORS: ReadonlySet<string> = new Set<MatchOperator>(["=", "!=", "=~", "!~"]);
const isMatchOperator = (text: string): text is MatchOperator => MATCH_OPERATORS.has(text);
const IN_MATCHERS = "label matching";
/** The bounds of milliseconds in 64 bits. */
const MAX_TIME_MS = 2 ** 63;
const MOST_WORDS = 200;
const SELECTORS = "an instant vector selector or range vector selector or a subquery";

/** `name{matchers}`, either of them optional (Prometheus docs, querying/basics.md, "Instant vector selectors"). */
export function readSelector(cursor: Cursor): VectorSelector {
  const { start, text, kind } = cursor.token;
  const name = kind === "word" ? text : "";
  if (kind === "word") cursor.take();
  const matchers = cursor.isSign("{") ? readMatchers(cursor) : [];
  const span = since(start, cursor);
  if (name !== "") {
    const other = matchers.find((matcher) => matcher.name === METRIC_NAME);
    if (other !== undefined)
      cursor.suspect(`metric name must not be set twice: ${JSON.stringify(name)} or ${JSON.stringify(other.value)}`, span);
    matchers.push(new Matcher(METRIC_NAME, "=", name));
  }
  return { is: "vectorSelector", span, name, matchers, offset: undefined, at: undefined, extension: undefined };
}

function readMatchers(cursor: Cursor): Matcher[] {
  cursor.take();
  const matchers: Matcher[] = [];
  while (!cursor.isSign("}")) {
    matchers.push(readMatcher(cursor));
    if (!cursor.takeSign(",") && !cursor.isSign("}")) return refuseInBraces(cursor, '"," or "}"');
  }
  cursor.take();
  return matchers;
}

/** `label="value"`, `"label"="value"`, or `"name"` by itself. */
function readMatcher(cursor: Cursor): Matcher {
  const { kind, text, content, start } = cursor.token;
  if (kind !== "word" && kind !== "string") return refuseInBraces(cursor, 'identifier or "}"');
  cursor.take();
  if (kind === "string" && (cursor.isSign(",") || cursor.isSign("}"))) return new Matcher(METRIC_NAME, "=", content);
  const { kind: next, text: operator } = cursor.token;
  if (next !== "sign" || !isMatchOperator(operator))
    return refuseInBraces(cursor, kind === "word" ? "label matching operator" : '"," or "}"');
  cursor.take();
  if (!cursor.isKind("string")) return refuseInBraces(cursor, "string");
  const value = cursor.take().content;
  if (operator === "=~" || operator === "!~") cursor.boundPattern(value, since(start, cursor));
  try {
    return new Matcher(kind === "word" ? text : content, operator, value);
  } catch (error) {
    if (error instanceof BadPattern) return stop(wordedPattern(error), since(start, cursor));
    throw error;
  }
}

/** The message of the regular expression engine, without the flag that the user did not write. */
function wordedPattern({ message }: BadPattern): string {
  const words = /error parsing regexp: .*$/s.exec(message)?.[0].replace("`(?s)", "`").replace(/\.$/, "") ?? message;
  return words.length > MOST_WORDS ? `${words.slice(0, MOST_WORDS)}…` : words;
}

function refuseInBraces(cursor: Cursor, expected: string): never {
  const { kind, start, end } = cursor.token;
  return kind === "end" ? stop("unexpected end of input inside braces", { start, end }) : cursor.refuse(IN_MATCHERS, expected);
}

/** All ranges, subqueries and modifiers after a term. */
export function readPostfixes(cursor: Cursor, term: Expr): Expr {
  let expr = term;
  for (;;) {
    if (cursor.isSign("[")) expr = readBracket(cursor, expr);
    else if (cursor.isWord("offset")) expr = withOffset(cursor, expr);
    else if (cursor.isSign("@")) expr = withAt(cursor, expr);
    else if (cursor.isWord("anchored")) expr = withExtension(cursor, expr, "anchored");
    else if (cursor.isWord("smoothed")) expr = withExtension(cursor, expr, "smoothed");
    else return expr;
  }
}

/** `[range]` or `[range:step]`. */
function readBracket(cursor: Cursor, expr: Expr): MatrixSelector | Subquery {
  const bracket = cursor.take();
  const range = readLength(cursor);
  const isSubquery = cursor.takeSign(":");
  const step = isSubquery && !cursor.isSign("]") ? readLength(cursor) : undefined;
  if (cursor.isKind("end")) return stop("unclosed left bracket", cursor.token);
  if (cursor.isSign(":")) return stop("unexpected colon ':'", cursor.token);
  cursor.need("]", "subquery or range selector");
  const span = since(expr.span.start, cursor);
  if (isSubquery) return checkSubquery(cursor, { is: "subquery", span, expr, range, step, offset: undefined, at: undefined });
  if (expr.is !== "vectorSelector") return stop("ranges only allowed for vector selectors", since(bracket.start, cursor));
  if (expr.offset !== undefined) cursor.suspect("no offset modifiers allowed before range", since(bracket.start, cursor));
  if (expr.at !== undefined) cursor.suspect("no @ modifiers allowed before range", since(bracket.start, cursor));
  return { is: "matrixSelector", span, selector: expr, range };
}

function withOffset(cursor: Cursor, expr: Expr): Expr {
  cursor.take();
  const offset = readOffset(cursor);
  // An offset of zero is no offset.
  return modified(cursor, expr, { offset: offset.is === "fixed" && offset.ms === 0 ? undefined : offset });
}

function withAt(cursor: Cursor, expr: Expr): Expr {
  cursor.take();
  const at = readAt(cursor, expr);
  return modified(cursor, expr, { at });
}

/** The time of an `@`: seconds since 1970 with an optional sign, `start()` or `end()` (Prometheus docs, querying/basics.md, "@ modifier"). */
function readAt(cursor: Cursor, expr: Expr): AtModifier {
  const context = "@";
  const expected = "timestamp";
  for (const is of ["start", "end"] as const) {
    if (!cursor.takeWord(is)) continue;
    cursor.need("(", context, expected);
    cursor.need(")", context, expected);
    return { is };
  }
  const negative = cursor.isSign("-");
  if (negative || cursor.isSign("+")) cursor.take();
  if (cursor.token.kind !== "number" && cursor.token.kind !== "duration") return cursor.refuse(context, expected);
  const { value, text } = cursor.take();
  const ms = Math.round(value * 1_000) * (negative ? -1 : 1);
  // This comparison also puts NaN out of bounds.
  if (!(Math.abs(ms) < MAX_TIME_MS)) cursor.suspect(`timestamp out of bounds for @ modifier: ${negative ? "-" : ""}${text}`, expr.span);
  return { is: "timestamp", ms: ms === 0 ? 0 : ms };
}

type Change = { readonly offset: Duration | undefined } | { readonly at: AtModifier };

function modified(cursor: Cursor, expr: Expr, change: Change): Expr {
  const [modifier, setting] = "offset" in change ? ["offset modifier", "offset"] : ["@ modifier", "@ <timestamp>"];
  const span = since(expr.span.start, cursor);
  const target = expr.is === "matrixSelector" ? expr.selector : expr;
  if (target.is !== "vectorSelector" && target.is !== "subquery") {
    cursor.suspect(`${modifier} must be preceded by ${SELECTORS}`, expr.span);
    return expr;
  }
  if (("offset" in change ? target.offset : target.at) !== undefined) cursor.suspect(`${setting} may not be set multiple times`, expr.span);
  return expr.is === "matrixSelector" ? { ...expr, span, selector: { ...expr.selector, ...change } } : { ...target, span, ...change };
}

/** `anchored`, `smoothed` (Prometheus docs, feature_flags.md, "Extended Range Selectors"). */
function withExtension(cursor: Cursor, expr: Expr, extension: Extension): Expr {
  const { start, end } = cursor.take();
  const span = since(expr.span.start, cursor);
  if (!cursor.features.extendedRanges) cursor.suspect(disabled(`${extension} modifier`, "promql-extended-range-selectors"), { start, end });
  const target = expr.is === "matrixSelector" ? expr.selector : expr;
  if (target.is !== "vectorSelector") {
    const why =
      target.is === "subquery"
        ? "is not supported for subqueries"
        : "must be preceded by an instant vector selector or range vector selector";
    cursor.suspect(`${extension} modifier ${why}`, expr.span);
    return expr;
  }
  if (target.extension !== undefined && target.extension !== extension)
    cursor.suspect("anchored and smoothed modifiers cannot be used together", expr.span);
  return expr.is === "matrixSelector" ? { ...expr, span, selector: { ...expr.selector, extension } } : { ...target, span, extension };
}
