import { BadPattern, Matcher, type MatchOperator } from "../model/index.ts";

/** The text of matchers: Alertmanager docs, configuration.md, "Label matchers". */

/** Matchers, or what is wrong with their text. */
export type ReadMatchers = { readonly matchers: readonly Matcher[] } | { readonly fault: string };

/**
 * Reads one matcher or several, with or without braces. A text that only the older syntax allows is read by it, and one that both read differently
 * too, as the published fallback mode does.
 */
export function readMatchers(text: string): ReadMatchers {
  const current = attempt(() => new Reader(text).all());
  const classic = attempt(() => readClassic(text));
  if ("fault" in current) return "fault" in classic ? current : classic;
  if ("fault" in classic) return current;
  return matchersText(current.matchers) === matchersText(classic.matchers) ? current : classic;
}

class MatcherFault extends Error {
  override readonly name = "MatcherFault";
}

function attempt(read: () => readonly Matcher[]): ReadMatchers {
  try {
    return { matchers: read() };
  } catch (error) {
    if (error instanceof MatcherFault || error instanceof BadPattern) return { fault: error.message };
    throw error;
  }
}

const SPACE = /\s*/y;
const UNQUOTED = /[^\s{}!=~,\\"'`]+/y;
const OPERATOR = /!=|=~|!~|=/y;
const QUOTED = /"(?:[^"\\\n]|\\.)*"/y;

/** Reads the current syntax. */
class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  all(): Matcher[] {
    const isBraced = this.#take(/\{/y) !== undefined;
    const found: Matcher[] = [];
    while (!this.#isAtEnd && !this.#isNext("}")) {
      found.push(this.#one());
      if (this.#take(/,/y) === undefined) break;
    }
    if (isBraced !== (this.#take(/\}/y) !== undefined)) throw new MatcherFault(isBraced ? "a } is missing" : "a } without a {");
    if (!this.#isAtEnd)
      throw new MatcherFault(`${JSON.stringify(this.#text.slice(this.#at, this.#at + 20))} is not expected: put a comma between matchers`);
    return found;
  }

  #one(): Matcher {
    const name = this.#word("the name of a label");
    const operator = this.#take(OPERATOR) as MatchOperator | undefined;
    if (operator === undefined) throw new MatcherFault(`one of =, !=, =~, !~ is missing after ${JSON.stringify(name)}`);
    if (name === "") throw new MatcherFault("the name of a label is empty");
    return new Matcher(name, operator, this.#word("a value"));
  }

  #word(what: string): string {
    const quoted = this.#take(QUOTED);
    if (quoted !== undefined) {
      const text = unquoted(quoted.slice(1, -1));
      if (text === undefined) throw new MatcherFault(`${quoted} has an escape sequence that is not one`);
      return text;
    }
    const bare = this.#take(UNQUOTED);
    if (bare === undefined) throw new MatcherFault(`${what} is missing; put a text with other characters into double quotes`);
    return bare;
  }

  get #isAtEnd(): boolean {
    this.#skip();
    return this.#at >= this.#text.length;
  }
  #isNext(sign: string): boolean {
    this.#skip();
    return this.#text[this.#at] === sign;
  }
  #skip(): void {
    SPACE.lastIndex = this.#at;
    this.#at += SPACE.exec(this.#text)?.[0].length ?? 0;
  }
  #take(pattern: RegExp): string | undefined {
    this.#skip();
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }
}

const LETTERS: Readonly<Record<string, number>> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11, "\\": 92, '"': 34 };
const ESCAPE = /\\(?:([abfnrtv\\"])|x([\da-fA-F]{2})|([0-7]{3})|u([\da-fA-F]{4})|U([\da-fA-F]{8}))|([^\\]+)/y;

/** The text of a string literal of Go; undefined if an escape sequence is unknown, or the octets are not UTF-8. */
function unquoted(inner: string): string | undefined {
  const octets: number[] = [];
  const encoder = new TextEncoder();
  for (let at = 0; at < inner.length; at = ESCAPE.lastIndex) {
    ESCAPE.lastIndex = at;
    const found = ESCAPE.exec(inner);
    if (found === null) return undefined;
    const [, letter, hex, octal, short, long, plain] = found;
    if (letter !== undefined) octets.push(LETTERS[letter] ?? 0);
    else if (hex !== undefined) octets.push(Number.parseInt(hex, 16));
    else if (octal !== undefined) octets.push(Number.parseInt(octal, 8) & 0xff);
    else {
      const point = Number.parseInt(short ?? long ?? "0", 16);
      if (point > 0x10_ffff) return undefined;
      octets.push(...encoder.encode(plain ?? String.fromCodePoint(point)));
    }
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(octets));
  } catch {
    return undefined;
  }
}

/** Reads the older syntax. */
function readClassic(text: string): Matcher[] {
  let inner = text.trim();
  if (inner.startsWith("{")) inner = inner.slice(1);
  if (inner.endsWith("}") && !isInQuotes(inner, inner.length - 1)) inner = inner.slice(0, -1);
  return pieces(inner).map(classicOne);
}

const isInQuotes = (text: string, end: number): boolean => {
  let inside = false;
  for (let at = 0; at < end; at++) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === '"') inside = !inside;
  }
  return inside;
};

/** Splits at the commas outside of quotes; a last empty piece is left out. */
function pieces(text: string): string[] {
  const found: string[] = [];
  let inside = false;
  let from = 0;
  for (let at = 0; at <= text.length; at++) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === '"') inside = !inside;
    else if (at >= text.length || (text[at] === "," && !inside)) {
      found.push(text.slice(from, at));
      from = at + 1;
    }
  }
  if (from < text.length) found.push(text.slice(from));
  if (found.at(-1)?.trim() === "") found.pop();
  return found;
}

const CLASSIC = /^\s*([a-zA-Z_:][a-zA-Z0-9_:]*)\s*(=~|=|!=|!~)\s*([^]*?)\s*$/;
function classicOne(text: string): Matcher {
  const [, name, operator, raw = ""] = CLASSIC.exec(text) ?? [];
  if (name === undefined) throw new MatcherFault(`${JSON.stringify(text)} is not a matcher: write name="value" with =, !=, =~ or !~`);
  const isQuoted = raw.startsWith('"');
  const body = isQuoted ? raw.slice(1) : raw;
  let value = "";
  let isClosed = false;
  for (let at = 0; at < body.length; at++) {
    const sign = body[at]!;
    if (isClosed) throw new MatcherFault(`the value of ${name} goes on after its quotes`);
    if (sign === "\\" && at + 1 < body.length && '"n\\'.includes(body[at + 1]!)) {
      at += 1;
      value += body[at] === "n" ? "\n" : body[at];
    } else if (sign === '"') {
      if (!isQuoted) throw new MatcherFault(`the value of ${name} has a quote in it: put all of it into double quotes`);
      isClosed = true;
    } else value += sign;
  }
  if (isQuoted && !isClosed) throw new MatcherFault(`the value of ${name} lacks its closing quote`);
  return new Matcher(name, operator as MatchOperator, value);
}

const ESCAPED: Readonly<Record<string, string>> = { "\\": "\\\\", '"': '\\"', "\n": "\\n" };
const quoted = (text: string): string => `"${text.replaceAll(/[\\"\n]/g, (sign) => ESCAPED[sign] ?? sign)}"`;

/** A matcher as it is written. */
export const matcherText = ({ name, operator, value }: Matcher): string =>
  `${/^[^\s{}!=~,\\"'`]+$/.test(name) ? name : quoted(name)}${operator}${quoted(value)}`;

/** Matchers in braces. */
export const matchersText = (matchers: readonly Matcher[]): string => `{${matchers.map(matcherText).join(",")}}`;
