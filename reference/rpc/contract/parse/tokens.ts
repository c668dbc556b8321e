import type { Place } from "../place.ts";
import { type Comments, CommentBlocks, NO_COMMENTS } from "./comments.ts";
import { readString } from "./strings.ts";
import { SyntaxProblem } from "./syntax-problem.ts";

/** A piece of a contract. The text of a string is its value, without quotes and escapes. */
export type Token = {
  readonly kind: "name" | "integer" | "float" | "string" | "symbol" | "end";
  readonly text: string;
  readonly place: Place;
  /** Comments between the token before and this one. */
  readonly comments: CommentBlocks | undefined;
};

const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const SPACE = /[ \t\r\n\f\v]+/y;
/** A number as far as letters, digits and points go: what it is, is decided afterwards. */
const NUMBER = /(?:\.?[0-9])(?:[eE][+-]|[0-9A-Za-z_.])*/y;
const INTEGER = /^(?:0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*)$/;
const FLOAT = /^(?:[0-9]+\.[0-9]*(?:[eE][+-]?[0-9]+)?|\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+)[fF]?$|^[0-9]+[fF]$/;
const SYMBOLS = ";{}[]()=,.<>:-+/";

/** Splits the text of a contract into tokens, one at a time. Throws `SyntaxProblem`. */
export class Tokens {
  readonly #file: string;
  readonly #text: string;
  #at: number;
  #line = 1;
  #lineStart: number;
  /** The token that `next` returns. */
  #ahead: Token;
  /** The line on which the token before it ended. */
  #endLine = 0;
  #previousEnd = 0;

  constructor(file: string, text: string) {
    this.#file = file;
    this.#text = text;
    // A byte order mark is allowed, and no part of the text.
    this.#at = text.startsWith("\uFEFF") ? 1 : 0;
    this.#lineStart = this.#at;
    this.#ahead = this.#read();
  }

  get ahead(): Token {
    return this.#ahead;
  }
  /** Returns the token ahead and moves on. */
  next(): Token {
    const token = this.#ahead;
    if (token.kind !== "end") {
      this.#previousEnd = this.#endLine;
      this.#ahead = this.#read();
    }
    return token;
  }
  /** The comments of an element that begins with the token ahead; its trailing one follows after `trailing()`. */
  leading(): Comments {
    return this.#ahead.comments?.leading(this.#ahead.place.line) ?? NO_COMMENTS;
  }
  /** The comment after the token that `next` returned last. */
  trailing(): string {
    return this.#ahead.comments?.trailing(this.#ahead.kind === "end" ? Infinity : this.#ahead.place.line, closes(this.#ahead)) ?? "";
  }
  get previousEnd(): number {
    return this.#previousEnd;
  }

  #place(at = this.#at): Place {
    return { file: this.#file, line: this.#line, column: at - this.#lineStart + 1 };
  }
  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text)?.[0];
  }
  #advance(length: number): void {
    const end = this.#at + length;
    for (let at = this.#text.indexOf("\n", this.#at); at !== -1 && at < end; at = this.#text.indexOf("\n", at + 1)) {
      this.#line += 1;
      this.#lineStart = at + 1;
    }
    this.#at = end;
  }

  #read(): Token {
    const comments = this.#skip();
    const place = this.#place();
    const token = (kind: Token["kind"], text: string, length = text.length): Token => {
      this.#advance(length);
      this.#endLine = this.#line;
      return { kind, text, place, comments };
    };
    if (this.#at >= this.#text.length) return token("end", "");
    const name = this.#match(NAME);
    if (name !== undefined) return token("name", name);
    const number = this.#match(NUMBER);
    if (number !== undefined) {
      if (INTEGER.test(number)) return token("integer", number);
      if (FLOAT.test(number)) return token("float", number);
      throw new SyntaxProblem(place, `"${number.slice(0, 40)}" is not a number.`);
    }
    const first = this.#text.charAt(this.#at);
    if (first === '"' || first === "'") {
      const { value, length } = readString(this.#text, this.#at, (at, message) => new SyntaxProblem(this.#place(at), message));
      return token("string", value, length);
    }
    if (SYMBOLS.includes(first)) return token("symbol", first);
    const character = String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0);
    throw new SyntaxProblem(place, `The character ${JSON.stringify(character)} has no meaning here.`);
  }

  /** Skips white space and comments; collects the comments. */
  #skip(): CommentBlocks | undefined {
    let blocks: CommentBlocks | undefined;
    for (;;) {
      this.#advance(this.#match(SPACE)?.length ?? 0);
      const start = this.#line;
      const isLine = this.#text.startsWith("//", this.#at);
      if (!isLine && !this.#text.startsWith("/*", this.#at)) return blocks;
      const from = this.#at + 2;
      const found = this.#text.indexOf(isLine ? "\n" : "*/", from);
      if (found === -1 && !isLine) throw new SyntaxProblem(this.#place(), "The comment does not end: */ is missing.");
      const to = found === -1 ? this.#text.length : found;
      const text = this.#text.slice(from, to);
      this.#advance(to - this.#at + (isLine ? 0 : 2));
      blocks ??= new CommentBlocks(this.#endLine);
      blocks.add({ isLine, text, start, end: this.#line });
    }
  }
}

/** Whether a comment before this token can only belong to what came before. */
const closes = ({ kind, text }: Token): boolean => kind === "end" || text === "}" || text === "]" || text === ")";
