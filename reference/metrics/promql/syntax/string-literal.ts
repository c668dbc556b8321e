import { stop } from "../parse/fault.ts";

const SIMPLE: Readonly<Record<string, number>> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11, "\\": 92 };
const HEX_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** Stands for invalid UTF-8. */
const INVALID = "\uDCFE";

/** The string literal whose opening quote is at `start`, and its end (Prometheus docs, querying/basics.md, "String literals"). */
export function readString(text: string, start: number): { readonly content: string; readonly end: number } {
  const quote = text[start] ?? "";
  if (quote === "`") {
    const end = text.indexOf("`", start + 1);
    if (end === -1) return stop("unterminated raw string", { start, end: text.length });
    return { content: text.slice(start + 1, end), end: end + 1 };
  }
  const end = closing(text, start, quote);
  const inner = text.slice(start + 1, end);
  return { content: inner.includes("\\") ? unescaped(inner, start + 1, quote) : inner, end: end + 1 };
}

/** The index of the closing quote, which must be on the same line. */
function closing(text: string, start: number, quote: string): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === quote) return at;
    if (text[at] === "\n") break;
    if (text[at] === "\\") at++;
  }
  return stop("unterminated quoted string", { start, end: text.length });
}

/**
 * Resolves escapes. `\x` and octal escapes are UTF-8 octets, the others code points. Invalid UTF-8 becomes a lone surrogate, which no label has.
 */
function unescaped(inner: string, from: number, quote: string): string {
  const parts: string[] = [];
  let octets: number[] = [];
  const flush = () => {
    if (octets.length > 0) parts.push(decoded(new Uint8Array(octets)));
    octets = [];
  };
  for (let at = 0; at < inner.length;) {
    const backslash = inner.indexOf("\\", at);
    if (backslash !== at) {
      flush();
      parts.push(inner.slice(at, backslash === -1 ? inner.length : backslash));
      if (backslash === -1) break;
    }
    const { octet, text, end } = escape(inner, backslash, from, quote);
    if (octet === undefined) {
      flush();
      parts.push(text);
    } else octets.push(octet);
    at = end;
  }
  flush();
  return parts.join("");
}

function decoded(octets: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { ignoreBOM: true, fatal: true }).decode(octets);
  } catch {
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(octets).replaceAll("\uFFFD", INVALID);
  }
}

type Escape = { readonly octet?: number; readonly text: string; readonly end: number };

/** One escape sequence; `at` is its backslash. */
function escape(inner: string, at: number, from: number, quote: string): Escape {
  const letter = inner[at + 1] ?? "";
  const span = (end: number) => ({ start: from + at, end: from + Math.min(end, inner.length) });
  if (letter === quote) return { text: quote, end: at + 2 };
  const simple = SIMPLE[letter];
  if (simple !== undefined) return { text: String.fromCodePoint(simple), end: at + 2 };
  if (letter >= "0" && letter <= "7") {
    const digits = inner.slice(at + 1, at + 4);
    const value = /^[0-7]{3}$/.test(digits) ? Number.parseInt(digits, 8) : 256;
    return value < 256 ? { octet: value, text: "", end: at + 4 } : stop("invalid octal escape sequence", span(at + 4));
  }
  const length = HEX_DIGITS[letter];
  if (length === undefined) {
    const sign = String.fromCodePoint(inner.codePointAt(at + 1) ?? 0);
    return stop(`unknown escape sequence ${named(sign)}`, span(at + 1 + sign.length));
  }
  const digits = inner.slice(at + 2, at + 2 + length);
  const end = at + 2 + length;
  if (digits.length < length || !/^[0-9a-fA-F]+$/.test(digits))
    return stop(`escape sequence \\${letter} needs ${length} digits`, span(end));
  const value = Number.parseInt(digits, 16);
  if (letter === "x") return { octet: value, text: "", end };
  if (value > 0x10_ffff || (value >= 0xd800 && value <= 0xdfff)) return stop("escape sequence is an invalid Unicode code point", span(end));
  return { text: String.fromCodePoint(value), end };
}

const named = (sign: string): string => `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")} '${sign}'`;

const NAMED_ESCAPES: Readonly<Record<string, string>> = {
  "\u0007": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  '"': '\\"',
  "\\": "\\\\",
};
/** Characters that need no escape: letters, marks, numbers, punctuation, symbols, and the plain space. */
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** A double-quoted string literal with the value `content`. */
export function writeString(content: string): string {
  let text = '"';
  for (const sign of content) text += NAMED_ESCAPES[sign] ?? (PRINTABLE.test(sign) ? sign : numbered(sign.codePointAt(0) ?? 0));
  return `${text}"`;
}

function numbered(code: number): string {
  const hex = code.toString(16);
  if (code >= 0xd800 && code <= 0xdfff) return "\\xff";
  if (code < 0x80) return `\\x${hex.padStart(2, "0")}`;
  return code > 0xffff ? `\\U${hex.padStart(8, "0")}` : `\\u${hex.padStart(4, "0")}`;
}
