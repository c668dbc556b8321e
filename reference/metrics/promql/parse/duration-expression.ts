import type { Duration, DurationOperand, DurationOperator, NumberLiteral } from "../syntax/ast.ts";
import { checkedMs, type DurationUse } from "../syntax/duration.ts";
import type { Cursor } from "./cursor.ts";
import { stop } from "./fault.ts";
import { since } from "./matching.ts";

const STRENGTH: Readonly<Record<DurationOperator, number>> = { "+": 1, "-": 1, "*": 2, "/": 2, "%": 2, "^": 3 };
const EXPECTED = "number, duration, step(), or range()";

/** The expression being read and its number of operators, which bounds its depth. */
type Place = { readonly where: string; operators: number };

/** The range of a selector, or the step of a subquery: any arithmetic (Prometheus docs, querying/basics.md, "Duration expressions"). */
export function readLength(cursor: Cursor): Duration {
  if (cursor.isSign(":")) return stop("unexpected colon before duration in duration expression", cursor.token);
  if (cursor.token.kind === "end") return stop("unexpected end of input in duration expression", cursor.token);
  return settled(cursor, readExpr(cursor, 1, { where: "subquery or range selector", operators: 0 }), "length");
}

/** After `offset`: one term; arithmetic needs parentheses. */
export function readOffset(cursor: Cursor): Duration {
  return settled(
    cursor,
    readSigned(cursor, { where: "offset", operators: 0 }, (place) => readTerm(cursor, place)),
    "offset",
  );
}

/** Converts a number to milliseconds; an expression stays as it is. */
function settled(cursor: Cursor, expr: DurationOperand, use: DurationUse): Duration {
  if (expr.is !== "number") return expr;
  const ms = checkedMs(expr.value, expr.span, use);
  if (typeof ms === "number") return { is: "fixed", span: expr.span, ms };
  cursor.suspect(ms.message, ms.span);
  return { is: "fixed", span: expr.span, ms: 0 };
}

function readExpr(cursor: Cursor, weakest: number, place: Place): DurationOperand {
  return cursor.nested(() => {
    let left = readSigned(cursor, place, () => readExprOfPowers(cursor, place));
    for (;;) {
      const op = operatorAt(cursor);
      if (op === undefined || STRENGTH[op] < weakest) return left;
      cursor.bound(++place.operators);
      cursor.take();
      const right = readExpr(cursor, op === "^" ? STRENGTH[op] : STRENGTH[op] + 1, place);
      if (right.is === "number" && right.value === 0 && (op === "/" || op === "%"))
        cursor.suspect(op === "/" ? "division by zero" : "modulo by zero", right.span);
      left = { is: "durationBinary", span: since(left.span.start, cursor), op, left, right };
    }
  });
}

/** The operand of a sign: powers bind tighter than the sign, all other operators less tightly. */
function readExprOfPowers(cursor: Cursor, place: Place): DurationOperand {
  const left = readTerm(cursor, place);
  if (!cursor.isSign("^")) return left;
  cursor.bound(++place.operators);
  cursor.take();
  const right = readExpr(cursor, STRENGTH["^"], place);
  return { is: "durationBinary", span: since(left.span.start, cursor), op: "^", left, right };
}

const isOperator = (text: string): text is DurationOperator => Object.hasOwn(STRENGTH, text);

function operatorAt({ token }: Cursor): DurationOperator | undefined {
  return token.kind === "sign" && isOperator(token.text) ? token.text : undefined;
}

/** A sign before a number is part of the number. */
function readSigned(cursor: Cursor, place: Place, read: (place: Place) => DurationOperand): DurationOperand {
  if (!cursor.isSign("-") && !cursor.isSign("+")) return read(place);
  const { text, start } = cursor.take();
  const operand = cursor.nested(() => readSigned(cursor, place, read));
  const span = since(start, cursor);
  if (operand.is === "number") return { ...operand, span, value: text === "-" ? -operand.value : operand.value };
  return text === "-" ? { is: "durationUnary", span, op: "-", operand } : operand;
}

function readTerm(cursor: Cursor, place: Place): DurationOperand {
  const { kind, text, start, end } = cursor.token;
  if (kind === "number" || kind === "duration") return readNumber(cursor);
  if (cursor.isSign("(")) {
    cursor.take();
    const inner = readExpr(cursor, 1, place);
    cursor.need(")", place.where);
    return { is: "durationParen", span: since(start, cursor), inner };
  }
  const word = text.toLowerCase();
  if (kind !== "word") return cursor.refuse(place.where, EXPECTED);
  if (word === "step" || word === "range") {
    cursor.take();
    cursor.need("(", place.where);
    cursor.need(")", place.where);
    return { is: word === "step" ? "durationStep" : "durationRange", span: since(start, cursor) };
  }
  if (word === "min_of" || word === "max_of") {
    cursor.take();
    cursor.need("(", place.where);
    const first = readExpr(cursor, 1, place);
    cursor.need(",", place.where, EXPECTED);
    const second = readExpr(cursor, 1, place);
    cursor.need(")", place.where, EXPECTED);
    return { is: "durationCall", span: since(start, cursor), name: word, args: [first, second] };
  }
  return place.where === "offset"
    ? cursor.refuse(place.where, EXPECTED)
    : stop(`unexpected character in duration expression: '${text[0]}'`, { start, end });
}

function readNumber(cursor: Cursor): NumberLiteral {
  const { kind, value, start, end } = cursor.take();
  return { is: "number", span: { start, end }, value, duration: kind === "duration" };
}
