import { readDuration } from "../syntax/duration.ts";
import { isDecimal, readNumber } from "../syntax/number.ts";
import { stop } from "./fault.ts";
import { readString } from "../syntax/string-literal.ts";

/** A token; `text` as written. Operators and brackets are `sign`s. A keyword is a word; the parser decides. */
export type Token = {
  readonly kind: "word" | "number" | "duration" | "string" | "sign" | "end";
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** The value of a number, or of a duration in seconds. */
  readonly value: number;
  /** The value of a string. */
  readonly content: string;
};

// Sticky (`y`): each matches at one place only.
const BLANK = /(?:[ \t\r\n]|#[^\n]*)*/y;
const NAME = /[a-zA-Z_:][a-zA-Z0-9_:]*/y;
const LABEL = /[a-zA-Z_][a-zA-Z0-9_]*/y;
/** Matches everything that looks like part of one number, so that a message names a malformed number completely. */
const NUMERAL = /(?:0[xX][\w.]*|(?:\d[\d_]*\.?|\.\d)(?:[eE][-+]?[\d_]+|[\w.])*)/y;
/** Numbers with units, in any order. */
const DURATION_LIKE = /^(?:0[xX][\da-fA-F_]+|\d[\d_]*(?:\.\d*)?|\.\d+)(?:ms|[smhdwy])(?:\d+(?:ms|[smhdwy]))*$/;
const SIGNS = /==|!=|<=|>=|<\/|>\/|[-+*/%^=<>@,(){}[\]]/y;
const SIGNS_IN_BRACES = /=~|!~|!=|[=,{}()]/y;
const SIGNS_IN_BRACKETS = /[-+*/%^,():[\]]/y;
const FAR = 64;

/**
 * Splits a text into tokens on demand (Prometheus docs, querying/basics.md). Braces and brackets have signs and words of their own. An invalid token ends
 * the parse with a fault.
 */
export class Lexer {
  readonly #text: string;
  #at = 0;
  #inside: "nothing" | "braces" | "brackets" = "nothing";

  constructor(text: string) {
    this.#text = text;
  }

  next(): Token {
    this.#take(BLANK);
    const start = this.#at;
    const first = this.#text[start];
    if (first === undefined) return this.#token("end", start);
    if (first === '"' || first === "'" || first === "`") return this.#string(start);
    if (this.#inside !== "braces" && this.#take(NUMERAL)) return this.#number(start);
    if (this.#take(this.#inside === "nothing" ? NAME : LABEL)) return this.#word(start);
    if (this.#take(this.#signs())) return this.#sign(start);
    return this.#refuse(start);
  }

  #signs(): RegExp {
    return this.#inside === "nothing" ? SIGNS : this.#inside === "braces" ? SIGNS_IN_BRACES : SIGNS_IN_BRACKETS;
  }

  #sign(start: number): Token {
    const text = this.#text.slice(start, this.#at);
    if (text === "{") this.#inside = "braces";
    if (text === "[") this.#inside = "brackets";
    if (text === "}" || text === "]") this.#inside = "nothing";
    return this.#token("sign", start);
  }

  #word(start: number): Token {
    // Inf and NaN are numbers wherever a label name is not allowed.
    const value = this.#inside === "nothing" ? readNumber(this.#text.slice(start, this.#at)) : undefined;
    return value === undefined ? this.#token("word", start) : this.#token("number", start, { value });
  }

  #number(start: number): Token {
    const text = this.#text.slice(start, this.#at);
    const value = readNumber(text);
    if (value !== undefined) return this.#token("number", start, { value });
    const span = { start, end: this.#at };
    if (DURATION_LIKE.test(text)) {
      const ms = readDuration(text);
      if (ms === "outOfRange") return stop("duration out of range", span);
      if (ms === "invalid") return stop(`not a valid duration string: ${quoted(text)}`, span);
      return this.#token("duration", start, { value: ms / 1_000 });
    }
    if (isDecimal(text)) return stop(`error parsing number: ${quoted(text)} is out of range`, span);
    return stop(`bad number or duration syntax: ${quoted(text)}`, span);
  }

  #string(start: number): Token {
    const { content, end } = readString(this.#text, start);
    this.#at = end;
    return this.#token("string", start, { content });
  }

  #token(kind: Token["kind"], start: number, more: { value?: number; content?: string } = {}): Token {
    const { value = 0, content = "" } = more;
    return { kind, text: this.#text.slice(start, this.#at), start, end: this.#at, value, content };
  }

  #take(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) return false;
    this.#at = pattern.lastIndex;
    return true;
  }

  #refuse(start: number): never {
    const sign = String.fromCodePoint(this.#text.codePointAt(start) ?? 0);
    const after = this.#text[start + 1];
    const span = { start, end: start + sign.length };
    if (this.#inside === "nothing" && sign === "!")
      return after === undefined
        ? stop("unexpected end of input after '!'", span)
        : stop(`unexpected character after '!': '${after}'`, span);
    const where = { nothing: "", braces: " inside braces", brackets: " in duration expression" }[this.#inside];
    return stop(`unexpected character${where}: '${sign}'`, span);
  }
}

/** User text in a message: quoted, and shortened to a line. */
export const quoted = (text: string): string => JSON.stringify(text.length > FAR ? `${text.slice(0, FAR)}…` : text);
