import type { Place } from "../place.ts";
import type { Whole, Word } from "../syntax.ts";
import type { Comments } from "./comments.ts";
import { SyntaxProblem } from "./syntax-problem.ts";
import { type Token, Tokens } from "./tokens.ts";

/** What the parsers of all elements share: expecting, names and numbers. Every method throws `SyntaxProblem`. */
export class Cursor {
  readonly #tokens: Tokens;
  readonly #nesting: number;
  #depth = 0;

  constructor(file: string, text: string, nesting: number) {
    this.#tokens = new Tokens(file, text);
    this.#nesting = nesting;
  }

  get place(): Place {
    return this.#tokens.ahead.place;
  }
  get isAtEnd(): boolean {
    return this.#tokens.ahead.kind === "end";
  }
  get ahead(): Token {
    return this.#tokens.ahead;
  }
  next(): Token {
    return this.#tokens.next();
  }
  isAhead(text: string): boolean {
    const { kind, text: ahead } = this.#tokens.ahead;
    return ahead === text && (kind === "name" || kind === "symbol");
  }
  /** Takes the token ahead if it is this word or symbol. */
  take(text: string): boolean {
    if (!this.isAhead(text)) return false;
    this.#tokens.next();
    return true;
  }
  expect(text: string): void {
    if (!this.take(text)) throw this.unexpected(`"${text}"`);
  }
  unexpected(expected: string): SyntaxProblem {
    const { kind, text, place } = this.#tokens.ahead;
    const found = kind === "end" ? "the end of the file" : kind === "string" ? "a string" : `"${text.slice(0, 40)}"`;
    return new SyntaxProblem(place, `Expected ${expected} instead of ${found}.`);
  }

  name(what: string): Word {
    if (this.#tokens.ahead.kind !== "name") throw this.unexpected(what);
    const { text, place } = this.#tokens.next();
    return { text, place };
  }
  /** A name with parts between points; `.` at its beginning says that it is complete. */
  dotted(what: string, mayBeComplete: boolean): Word {
    const { place } = this;
    let text = mayBeComplete && this.take(".") ? "." : "";
    text += this.name(what).text;
    while (this.take(".")) text += `.${this.name(what).text}`;
    return { text, place };
  }
  string(what: string): Word {
    if (this.#tokens.ahead.kind !== "string") throw this.unexpected(what);
    const { place } = this;
    let text = "";
    // Strings that follow each other are one.
    while (this.#tokens.ahead.kind === "string") text += this.#tokens.next().text;
    return { text, place };
  }
  integer(what: string): Whole {
    const { place } = this;
    const isNegative = this.take("-");
    if (this.#tokens.ahead.kind !== "integer") throw this.unexpected(what);
    const value = integerOf(this.#tokens.next().text);
    return { value: isNegative ? -value : value, place };
  }

  leading(): Comments {
    return this.#tokens.leading();
  }
  /** The comments of an element whose `;` or `{` was just taken. */
  withTrailing(comments: Comments): Comments {
    const trailing = this.#tokens.trailing();
    return trailing === "" ? comments : { ...comments, trailing };
  }

  /** Parses what nests in something of its own kind. */
  nested<Parsed>(parse: () => Parsed): Parsed {
    if (this.#depth >= this.#nesting) throw new SyntaxProblem(this.place, `It nests deeper than the limit of ${this.#nesting} levels.`);
    this.#depth += 1;
    const parsed = parse();
    this.#depth -= 1;
    return parsed;
  }
}

/** Digits in excess of what any type holds would only cost time. */
const MOST_DIGITS = 40;
export function integerOf(text: string): bigint {
  if (text.length > MOST_DIGITS) return BigInt(`1${"0".repeat(MOST_DIGITS)}`);
  if (/^0[xX]/.test(text)) return BigInt(text);
  return /^0[0-7]+$/.test(text) ? BigInt(`0o${text.slice(1)}`) : BigInt(text);
}
