import type { Span } from "../syntax/ast.ts";
import type { Cursor } from "./cursor.ts";
import { stop } from "./fault.ts";

/** The modifiers between an operator and its right side (Prometheus docs, querying/operators.md, "Vector matching"), before the types of the sides are known. */
export type WrittenMatching = {
  readonly bool: boolean;
  /** `on` or `ignoring`, if present. */
  readonly by: "on" | "ignoring" | undefined;
  readonly labels: readonly string[];
  readonly group: "left" | "right" | undefined;
  readonly include: readonly string[];
  readonly fill: { readonly left: number | undefined; readonly right: number | undefined };
};

/** Reads all optional modifiers up to the right side; an unclosed list ends the parse. */
export function readMatching(cursor: Cursor): WrittenMatching {
  const bool = cursor.takeWord("bool");
  const by = cursor.takeWord("on") ? "on" : cursor.takeWord("ignoring") ? "ignoring" : undefined;
  const labels = by === undefined ? [] : readLabels(cursor);
  const group =
    by === undefined ? undefined : cursor.takeWord("group_left") ? "left" : cursor.takeWord("group_right") ? "right" : undefined;
  // A parenthesis here starts a list of labels: a parenthesised right side needs an empty list before it.
  const include = group !== undefined && cursor.isSign("(") ? readLabels(cursor) : [];
  return { bool, by, labels, group, include, fill: readFill(cursor) };
}

/** `(a, b, "c d")`: label names, with an optional trailing comma (Prometheus docs, querying/operators.md, "Aggregation operators"). */
export function readLabels(cursor: Cursor): string[] {
  const context = "grouping opts";
  cursor.need("(", context);
  const labels: string[] = [];
  while (!cursor.isSign(")")) {
    labels.push(readLabel(cursor, context));
    if (!cursor.takeSign(",") && !cursor.isSign(")")) return cursor.refuse(context, '"," or ")"');
  }
  cursor.take();
  return labels;
}

function readLabel(cursor: Cursor, context: string): string {
  const { kind, text, content, start, end } = cursor.token;
  if (kind !== "word" && kind !== "string") return cursor.refuse(context, "label");
  cursor.take();
  const label = kind === "word" ? text : content;
  return label === "" ? stop('invalid label name for grouping: ""', { start, end }) : label;
}

/** `fill(0)`, or `fill_left(0)` and `fill_right(0)` in either order (Prometheus docs, querying/operators.md, "Filling in missing matches"). */
function readFill(cursor: Cursor): { left: number | undefined; right: number | undefined } {
  if (opens(cursor, "fill")) {
    const value = readFillValue(cursor);
    return { left: value, right: value };
  }
  const fill: { left: number | undefined; right: number | undefined } = { left: undefined, right: undefined };
  for (;;) {
    if (fill.left === undefined && opens(cursor, "fill_left")) fill.left = readFillValue(cursor);
    else if (fill.right === undefined && opens(cursor, "fill_right")) fill.right = readFillValue(cursor);
    else return fill;
  }
}

/** Without a parenthesis after it, the word is a metric name. */
const opens = (cursor: Cursor, word: string): boolean =>
  cursor.isWord(word) && cursor.ahead().kind === "sign" && cursor.ahead().text === "(";

function readFillValue(cursor: Cursor): number {
  const { text, start, end } = cursor.take();
  if (!cursor.features.fillModifiers) cursor.suspect(disabled(`${text}()`, "promql-binop-fill-modifiers"), { start, end });
  cursor.need("(");
  const negative = cursor.isSign("-");
  if (negative || cursor.isSign("+")) cursor.take();
  if (cursor.token.kind !== "number" && cursor.token.kind !== "duration") return cursor.refuse("fill modifier", "number");
  const { value } = cursor.take();
  cursor.need(")");
  return negative ? -value : value;
}

/** The message for an experimental part of the language while its feature is off. */
export const disabled = (what: string, feature: string): string =>
  `${what} is experimental and must be enabled with --enable-feature=${feature}`;

/** The span from `start` to the end of the last token taken. */
export const since = (start: number, cursor: Cursor): Span => ({ start, end: cursor.lastEnd });
