import type { Binary, Expr } from "../syntax/ast.ts";
import { argsOf, print, printAggregateHead, type Printed, printLeft, printOperator, printSubqueryEnd } from "./print.ts";

/** An expression longer than this is spread over several lines. */
const WIDTH = 100;
const INDENT = "  ";
const utf8 = new TextEncoder();

/**
 * The text that `format_query` returns (Prometheus docs, querying/api.md, "Formatting query expressions"). If an expression does not fit on one line,
 * each argument of a call and each side of an operator gets a line of its own.
 */
export const pretty = (expr: Expr): string => spread(expr, 0, new Map());

function spread(expr: Expr, level: number, printed: Printed): string {
  const margin = INDENT.repeat(level);
  const line = print(expr, printed);
  if (!isLong(line)) return margin + line;
  switch (expr.is) {
    case "number":
    case "string":
    case "vectorSelector":
    case "matrixSelector":
      return margin + line;
    case "unary":
      return `${margin}${expr.op}${spread(expr.expr, level, printed).trimStart()}`;
    case "paren":
      return `${margin}(\n${spread(expr.expr, level + 1, printed)}\n${margin})`;
    case "subquery":
      return `${spread(expr.expr, level, printed)}${printSubqueryEnd(expr)}`;
    case "binary":
      return `${spreadLeft(expr, level + 1, printed)}\n${margin}${printOperator(expr)}\n${spread(expr.right, level + 1, printed)}`;
    case "call":
      return `${margin}${expr.name}(${spreadArgs(expr.args, level, printed)})`;
    case "aggregate":
      return `${margin}${printAggregateHead(expr)}(${spreadArgs(argsOf(expr), level, printed)})`;
  }
}

function spreadLeft(expr: Binary, level: number, printed: Printed): string {
  return expr.left.is === "number" ? INDENT.repeat(level) + printLeft(expr, printed) : spread(expr.left, level, printed);
}

function spreadArgs(args: readonly Expr[], level: number, printed: Printed): string {
  return `\n${args.map((arg) => spread(arg, level + 1, printed)).join(",\n")}\n${INDENT.repeat(level)}`;
}

/** The length in octets, as in other formatters of this language. */
const isLong = (line: string): boolean => line.length > WIDTH || (line.length * 3 > WIDTH && utf8.encode(line).length > WIDTH);
