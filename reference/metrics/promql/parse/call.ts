import type { Aggregate, AggregationName, Call, Expr } from "../syntax/ast.ts";
import { checkAggregate, checkCall } from "./check.ts";
import { FUNCTIONS, isFunction } from "../functions/table.ts";
import { quoted } from "./lexer.ts";
import type { Cursor } from "./cursor.ts";
import { stop } from "./fault.ts";
import { disabled, readLabels, since } from "./matching.ts";

/** Reads a whole expression: an argument, because expressions contain calls and calls contain expressions. */
export type ReadExpr = (cursor: Cursor) => Expr;

/** `sum by (a) (v)` or `sum(v) by (a)` (Prometheus docs, querying/operators.md, "Aggregation operators"). */
export function readAggregate(cursor: Cursor, op: AggregationName, readExpr: ReadExpr): Aggregate {
  const { start } = cursor.take();
  const before = readGrouping(cursor);
  if (before !== undefined && !cursor.isSign("(")) return cursor.refuse("aggregation");
  const args = readArguments(cursor, readExpr);
  const { grouping, without } = before ?? readGrouping(cursor) ?? { grouping: [], without: false };
  return checkAggregate(cursor, { op, grouping, without, span: since(start, cursor) }, args);
}

function readGrouping(cursor: Cursor): { readonly grouping: readonly string[]; readonly without: boolean } | undefined {
  if (cursor.takeWord("by")) return { grouping: readLabels(cursor), without: false };
  if (cursor.takeWord("without")) return { grouping: readLabels(cursor), without: true };
  return undefined;
}

/** `rate(v[5m])` (Prometheus docs, querying/functions.md). */
export function readCall(cursor: Cursor, readExpr: ReadExpr): Call {
  const { text, start, end } = cursor.take();
  if (!isFunction(text)) return stop(`unknown function with name ${quoted(text)}`, { start, end });
  const args = readArguments(cursor, readExpr);
  const { experimental, returns } = FUNCTIONS[text];
  if (experimental && !cursor.features.experimentalFunctions)
    cursor.suspect(disabled(`function ${quoted(text)}`, "promql-experimental-functions"), { start, end });
  return checkCall(cursor, { is: "call", span: since(start, cursor), name: text, type: returns, args });
}

/** `(a, b)`, without a trailing comma. */
function readArguments(cursor: Cursor, readExpr: ReadExpr): Expr[] {
  cursor.need("(");
  const args: Expr[] = [];
  while (!cursor.isSign(")")) {
    args.push(readExpr(cursor));
    if (cursor.isSign(")")) break;
    const { start, end } = cursor.need(",");
    if (cursor.isSign(")")) return stop("trailing commas not allowed in function call args", { start, end });
  }
  cursor.take();
  return args;
}
