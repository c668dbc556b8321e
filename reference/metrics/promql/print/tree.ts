import type { DurationOperand, Expr, Modifiers, VectorMatching, VectorSelector } from "../syntax/ast.ts";
import { type Duration, typeOf } from "../syntax/ast.ts";
import { FUNCTIONS } from "../functions/table.ts";
import { formatNumber } from "../syntax/number.ts";

/** A value of JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** The tree in the format of `/api/v1/parse_query` (Prometheus docs, querying/api.md, "Parsing a PromQL expressions into a abstract syntax tree (AST)"); durations in milliseconds. */
export function printTree(expr: Expr): Json {
  switch (expr.is) {
    case "number":
      return { type: "numberLiteral", val: formatNumber(expr.value) };
    case "string":
      return { type: "stringLiteral", val: expr.value };
    case "vectorSelector":
      return { type: "vectorSelector", ...selectorTree(expr) };
    case "matrixSelector":
      return { type: "matrixSelector", ...selectorTree(expr.selector), ...durationTree("range", expr.range) };
    case "subquery":
      return {
        type: "subquery",
        expr: printTree(expr.expr),
        ...durationTree("range", expr.range),
        ...durationTree("step", expr.step),
        ...modifierTree(expr),
      };
    case "unary":
      return { type: "unaryExpr", op: expr.op, expr: printTree(expr.expr) };
    case "binary":
      return {
        type: "binaryExpr",
        op: expr.op,
        lhs: printTree(expr.left),
        rhs: printTree(expr.right),
        bool: expr.bool,
        matching: expr.matching === undefined ? null : matchingTree(expr.matching),
      };
    case "aggregate":
      return {
        type: "aggregation",
        op: expr.op,
        expr: printTree(expr.expr),
        param: expr.param === undefined ? null : printTree(expr.param),
        grouping: expr.grouping,
        without: expr.without,
      };
    case "call": {
      const { args, variadic } = FUNCTIONS[expr.name];
      return {
        type: "call",
        func: { name: expr.name, argTypes: args, variadic, returnType: typeOf(expr) },
        args: expr.args.map(printTree),
      };
    }
    case "paren":
      return { type: "parenExpr", expr: printTree(expr.expr) };
  }
}

function selectorTree(selector: VectorSelector) {
  return {
    name: selector.name,
    matchers: selector.matchers.map(({ name, operator, value }) => ({ name, type: operator, value })),
    ...modifierTree(selector),
    ...(selector.extension === undefined ? {} : { [selector.extension]: true }),
  };
}

function modifierTree({ offset, at }: Modifiers) {
  return {
    ...durationTree("offset", offset),
    timestamp: at?.is === "timestamp" ? at.ms : null,
    startOrEnd: at === undefined || at.is === "timestamp" ? null : at.is,
  };
}

/** A duration that depends on the query is 0, with its tree beside it. */
function durationTree(key: string, duration: Duration | undefined): { readonly [key: string]: Json } {
  if (duration === undefined || duration.is === "fixed") return { [key]: duration?.ms ?? 0 };
  return { [key]: 0, [`${key}Expr`]: operandTree(duration) };
}

function operandTree(expr: DurationOperand): { readonly [key: string]: Json } {
  switch (expr.is) {
    case "number":
      return { type: "numberLiteral", val: formatNumber(expr.value), duration: expr.duration };
    case "durationStep":
      return durationNode("step", null, null);
    case "durationRange":
      return durationNode("range", null, null);
    case "durationUnary":
      return durationNode(expr.op, null, operandTree(expr.operand));
    case "durationBinary":
      return durationNode(expr.op, operandTree(expr.left), operandTree(expr.right));
    case "durationCall":
      return durationNode(expr.name, operandTree(expr.args[0]), operandTree(expr.args[1]));
    case "durationParen": {
      const inner = operandTree(expr.inner);
      // Parentheses are a flag on their content. A number has no such flag, so it is wrapped in a unary plus.
      return { ...(inner["type"] === "durationExpr" ? inner : durationNode("+", null, inner)), wrapped: true };
    }
  }
}

const durationNode = (op: string, lhs: Json, rhs: Json) => ({ type: "durationExpr", op, lhs, rhs, wrapped: false });

function matchingTree({ card, labels, on, include, fill }: VectorMatching) {
  const filled =
    fill.left === undefined && fill.right === undefined ? {} : { fillValues: { lhs: value(fill.left), rhs: value(fill.right) } };
  return { card, labels, on, include, ...filled };
}

/** JSON has no infinite numbers and no NaN: they are strings. */
const value = (filled: number | undefined): Json =>
  filled === undefined || Number.isFinite(filled) ? (filled ?? null) : formatNumber(filled);
