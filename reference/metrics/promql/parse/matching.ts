import type { Span } from "../syntax/ast.ts";
import type { Cursor } from "./cursor.ts";
import { stop } from "./fault.ts";

/** What stands between an operator and its right side (Prometheus docs, querying/operators.md, "Vector matching"), before it is known what the sides are. */
export type WrittenMatching = {
  readonly bool: boolean;
  /** `on` or `ignoring`, where one of them is written. */
  readonly by: "on" | "ignoring" | undefined;
  readonly labels: readonly string[];
  readonly group: "left" | "right" | undefined;
  readonly include: readonly string[];
  readonly fill: { readonly left: number | undefined; readonly right: number | undefined };
};

/** Takes what there is, none of it required, and leaves the cursor at the right side; stops the parse at a list that is not closed. */
export function readMatching(cursor: Cursor): WrittenMatching {
  const bool = cursor.takeWord("bool");
  const by = cursor.takeWord("on") ? "on" : cursor.takeWord("ignoring") ? "ignoring" : undefined;
  const labels = by === undefined ? [] : readLabels(cursor);
  const group =
    by === undefined ? undefined : cursor.takeWord("group_left") ? "left" : cursor.takeWord("group_right") ? "right" : undefined;
  // What follows in parentheses are labels: the right side, if it begins so, needs an empty list before it.
  const include = group !== undefined && cursor.isSign("(") ? readLabels(cursor) : [];
  return { bool, by, labels, group, include, fill: readFill(cursor) };
}

/** `(a, b, "c d")`: names of labels, a comma behind the last allowed (Prometheus docs, querying/operators.md, "Aggregation operators"). */
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

/** Without a parenthesis behind it, the word is a metric's name. */
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

/** What is said of an experimental part of the language while its feature is off. */
export const disabled = (what: string, feature: string): string =>
  `${what} is experimental and must be enabled with --enable-feature=${feature}`;

/** The part of a text from a token already taken to the last one taken. */
export const since = (start: number, cursor: Cursor): Span => ({ start, end: cursor.lastEnd });
