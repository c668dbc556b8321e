import type { Span } from "../syntax/ast.ts";
import type { ParseFault } from "./fault.ts";

/** Line and column, both from 1. The column counts UTF-8 octets, like the messages of the API. */
export type Position = { readonly line: number; readonly column: number };

const utf8 = new TextEncoder();
/** The number of UTF-8 octets before a UTF-16 offset: a position in the API. */
export const octetsBefore = (text: string, offset: number): number => utf8.encode(text.slice(0, offset)).length;

/** The line and column of a UTF-16 offset; lines end at line feeds. */
export function positionOf(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  const line = before.split("\n").length;
  return { line, column: octetsBefore(before.slice(lineStart), offset - lineStart) + 1 };
}

/** The message in the format of the API: `1:5: parse error: unexpected identifier "bar"`. */
export function describeFault(text: string, fault: ParseFault): string {
  const { line, column } = positionOf(text, fault.span.start);
  return `${line}:${column}: parse error: ${fault.message}`;
}

/** The number of columns shown around the marked place. */
const WIDTH = 100;

/** The message, the line, and carets below the marked place. */
export function renderFault(text: string, fault: ParseFault): string {
  return `${describeFault(text, fault)}\n${pointAt(text, fault.span)}`;
}

/** The line of a span with carets below it. A long line is cut on both sides, and a span of several lines ends with the first. */
function pointAt(text: string, { start, end }: Span): string {
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const newline = text.indexOf("\n", lineStart);
  const lineEnd = newline === -1 ? text.length : newline;
  const from = start - lineStart > WIDTH / 2 ? start - WIDTH / 2 : lineStart;
  const to = Math.min(lineEnd, from + WIDTH);
  const head = from > lineStart ? "…" : "";
  const tail = to < lineEnd ? "…" : "";
  // A tab stays a tab, so that the carets line up with the text at any tab width.
  const before = text.slice(from, start);
  const margin = head.replace("…", " ") + before.replaceAll(/[^\t]/gu, " ");
  const pointed = text.slice(start, Math.min(Math.max(end, start + 1), to));
  const carets = "^".repeat(Math.max(1, [...pointed].length));
  return `${head}${text.slice(from, to)}${tail}\n${margin}${carets}`;
}
