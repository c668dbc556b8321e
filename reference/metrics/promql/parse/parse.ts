import type { Binary, BinaryOperator, Expr, NumberLiteral, VectorSelector } from "../syntax/ast.ts";
import { checkBinary, checkUnary, emptySelector } from "./check.ts";
import { isAggregation } from "../aggregate/aggregations.ts";
import { readAggregate, readCall } from "./call.ts";
import {
  ALL_FEATURES,
  Cursor,
  isReserved,
  mayCall,
  NO_FEATURES,
  PARSE_LIMITS,
  type ParseFeatures,
  type ParseLimits,
  tooDeep,
} from "./cursor.ts";
import { type ParseFault, parseFault, Stop } from "./fault.ts";
import { readMatching } from "./matching.ts";
import { readPostfixes, readSelector } from "./selector.ts";
import { depthOf } from "../syntax/walk.ts";

/** The enabled experimental parts of the language, and the limits of the parser. */
export type ParseOptions = { readonly features?: ParseFeatures; readonly limits?: Partial<ParseLimits> };

/** Binding strength (Prometheus docs, querying/operators.md, "Binary operator precedence"). The trim operators bind like comparisons. */
const STRENGTH: Readonly<Record<BinaryOperator, number>> = {
  or: 1,
  and: 2,
  unless: 2,
  "==": 3,
  "!=": 3,
  "<=": 3,
  "<": 3,
  ">=": 3,
  ">": 3,
  "</": 3,
  ">/": 3,
  "+": 4,
  "-": 4,
  "*": 5,
  "/": 5,
  "%": 5,
  atan2: 5,
  "^": 6,
};
const WEAKEST = 1;
/** A sign binds less tightly than a power but tighter than all other operators: `-a ^ b` is `-(a ^ b)`, `-a * b` is `(-a) * b`. */
const UNARY = STRENGTH["^"];

/**
 * Parses a text and checks types and arities; returns the expression or the first fault (Prometheus docs, querying/basics.md). By default all
 * experimental features are on. Never throws.
 */
export function parse(text: string, options: ParseOptions = {}): Expr | ParseFault {
  const limits = { ...PARSE_LIMITS, ...options.limits };
  if (text.length > limits.maxLength) return parseFault(`expression is longer than ${limits.maxLength} characters`, { start: 0, end: 0 });
  return caught(() => readWhole(new Cursor(text, options.features ?? ALL_FEATURES, limits), limits));
}

/** Parses a single selector, such as the parameter `match[]` (Prometheus docs, querying/api.md, "Querying metadata"). */
export function parseSelector(text: string, limits: Partial<ParseLimits> = {}): VectorSelector | ParseFault {
  const expr = parse(text, { features: NO_FEATURES, limits });
  if (expr.is === "fault") return expr;
  const isPlain = expr.is === "vectorSelector" && expr.offset === undefined && expr.at === undefined;
  return isPlain ? expr : parseFault("expected a metric name, label matchers, or both", expr.span);
}

/** The result of `read`, or the fault that stopped it. */
function caught<T>(read: () => T): T | ParseFault {
  try {
    return read();
  } catch (error) {
    if (error instanceof Stop) return error.fault;
    throw error;
  }
}

function readWhole(cursor: Cursor, limits: ParseLimits): Expr | ParseFault {
  if (cursor.token.kind === "end") return parseFault("no expression found in input", { start: 0, end: 0 });
  const expr = readExpr(cursor);
  if (!cursor.isKind("end")) return cursor.refuse();
  if (depthOf(expr, limits.maxDepth) > limits.maxDepth) return parseFault(tooDeep(limits), expr.span);
  return cursor.doubt ?? emptySelector(expr) ?? expr;
}

/** Reads an expression whose operators bind at least as tightly as `weakest` (precedence climbing). */
function readExpr(cursor: Cursor, weakest: number = WEAKEST): Expr {
  return cursor.nested(() => {
    let left = readOperand(cursor);
    for (let links = 1; ; links++) {
      const op = operatorAt(cursor);
      if (op === undefined || STRENGTH[op] < weakest) return left;
      cursor.bound(links);
      left = readBinary(cursor, left, op);
    }
  });
}

const isOperator = (text: string): text is BinaryOperator => Object.hasOwn(STRENGTH, text);

function operatorAt({ token }: Cursor): BinaryOperator | undefined {
  if (token.kind !== "sign" && token.kind !== "word") return undefined;
  const text = token.kind === "word" ? token.text.toLowerCase() : token.text;
  return isOperator(text) ? text : undefined;
}

function readBinary(cursor: Cursor, left: Expr, op: BinaryOperator): Binary {
  const { start, end } = cursor.take();
  const written = readMatching(cursor);
  // A power is right-associative; the right side of any other operator must bind tighter.
  const right = readExpr(cursor, op === "^" ? STRENGTH[op] : STRENGTH[op] + 1);
  const span = { start: left.span.start, end: right.span.end };
  return checkBinary(cursor, { span, op, left, right }, written, { start, end });
}

/** A term with its postfixes, or a sign with its operand. */
function readOperand(cursor: Cursor): Expr {
  if (!cursor.isSign("-") && !cursor.isSign("+")) return readPostfixes(cursor, readTerm(cursor));
  const { text, start } = cursor.take();
  const op = text === "-" ? "-" : "+";
  const expr = readExpr(cursor, UNARY);
  const span = { start, end: expr.span.end };
  if (expr.is === "number") return { ...expr, span, value: op === "-" ? -expr.value : expr.value };
  return checkUnary(cursor, { is: "unary", span, op, expr });
}

function readTerm(cursor: Cursor): Expr {
  const { token } = cursor;
  const { start, end } = token;
  if (token.kind === "number" || token.kind === "duration") return readNumeral(cursor);
  if (token.kind === "string") {
    cursor.take();
    return { is: "string", span: { start, end }, value: token.content };
  }
  if (cursor.isSign("(")) return readParen(cursor);
  if (cursor.isSign("{")) return readSelector(cursor);
  if (token.kind !== "word" || isReserved(token.text)) return cursor.refuse();
  const next = cursor.ahead();
  const opens = next.kind === "sign" && next.text === "(";
  const groups = next.kind === "word" && ["by", "without"].includes(next.text.toLowerCase());
  const word = token.text.toLowerCase();
  if (isAggregation(word) && (opens || groups)) return readAggregate(cursor, word, readExpr);
  if (opens && mayCall(token.text)) return readCall(cursor, readExpr);
  return readSelector(cursor);
}

/** Takes a number or a duration; a duration counts in seconds. */
function readNumeral(cursor: Cursor): NumberLiteral {
  const { kind, value, start, end } = cursor.take();
  return { is: "number", span: { start, end }, value, duration: kind === "duration" };
}

function readParen(cursor: Cursor): Expr {
  const { start } = cursor.take();
  const expr = readExpr(cursor);
  const { end } = cursor.need(")");
  return { is: "paren", span: { start, end }, expr };
}
