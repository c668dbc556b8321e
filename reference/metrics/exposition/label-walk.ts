import { MARK, type Page, unescaped } from "./page.ts";
import { isBlank, isWord, LBRACE, QUOTE } from "./scan.ts";

const [BACKSLASH, COMMA, EQUALS, RBRACE] = [0x5c, 0x2c, 0x3d, 0x7d];
/** FNV-1a, octet by octet. */
const [BASIS, PRIME] = [0x811c9dc5, 0x01000193];
/** Between a name and its value: an octet that UTF-8 does not have. */
const BETWEEN = 0xff;

/** Goes through the labels of one sample as they stand in the page, and makes numbers of them: no strings. */
export class LabelWalk {
  /** The name of the label told apart from the others; empty where none is. */
  apart = "";
  /** Of the others: the same in whichever order they stand, and however they are written. */
  hash = 0;
  /** Of the label told apart; the sum of both is that of all labels. */
  apartHash = 0;
  /** Where the labels begin: behind the brace, or behind the metric's name within it. */
  from = 0;
  /** What stands there for the label told apart only: without it, equal texts are equal sets. */
  cutFrom = 0;
  cutTo = 0;
  /** Where the value of the label told apart stands; both zero where there is none. */
  valueFrom = 0;
  valueTo = 0;
  readonly #page: Page;
  /** The hash of the octets gone through. */
  #running = 0;

  constructor(page: Page) {
    this.#page = page;
  }

  read(n: number, apart: string): void {
    const { octets, marks, nameTo, to } = this.#page;
    this.apart = apart;
    this.hash = this.apartHash = this.valueFrom = this.valueTo = 0;
    this.from = this.cutFrom = this.cutTo = to[n]!;
    if ((marks[n]! & MARK.labels) === 0) return;
    const isPlain = (marks[n]! & (MARK.escapes | MARK.wide)) === 0;
    let others = 0;
    let at = octets.indexOf(LBRACE, nameTo[n]) + 1;
    this.from = at;
    for (;;) {
      const begin = at;
      while (octets[at] === COMMA || isBlank(octets[at]!)) at++;
      if (octets[at] === RBRACE) break;
      this.#running = BASIS;
      const isQuoted = octets[at] === QUOTE;
      const nameFrom = isQuoted ? at + 1 : at;
      const nameEnd = isQuoted ? this.#quoted(nameFrom) : this.#bare(nameFrom);
      at = isQuoted ? nameEnd + 1 : nameEnd;
      while (isBlank(octets[at]!)) at++;
      if (octets[at] !== EQUALS) {
        // What has no value is the metric's name.
        this.from = at;
        continue;
      }
      at++;
      while (octets[at] !== QUOTE) at++;
      const valueFrom = at + 1;
      this.#running = Math.imul(this.#running ^ BETWEEN, PRIME);
      const valueTo = this.#quoted(valueFrom);
      at = valueTo + 1;
      if (apart !== "" && (isPlain ? isWord(octets, nameFrom, nameEnd, apart) : unescaped(octets, nameFrom, nameEnd) === apart)) {
        this.apartHash = mixed(this.#running);
        this.valueFrom = valueFrom;
        this.valueTo = valueTo;
        this.cutFrom = begin;
        // One comma goes with it: that in front, or else that behind.
        this.cutTo = begin === this.from && octets[at] === COMMA ? at + 1 : at;
      } else {
        others++;
        this.hash = (this.hash + mixed(this.#running)) | 0;
      }
    }
    // Braces around nothing else are the same as none.
    if (others === 0) [this.cutFrom, this.cutTo] = [this.from, to[n]!];
  }

  /** Behind a name without quotes. */
  #bare(from: number): number {
    const { octets } = this.#page;
    let running = this.#running;
    let at = from;
    for (let octet = octets[at]!; octet !== EQUALS && !isBlank(octet); octet = octets[++at]!) running = Math.imul(running ^ octet, PRIME);
    this.#running = running;
    return at;
  }

  /** At the quote that closes a string. */
  #quoted(from: number): number {
    const { octets } = this.#page;
    let running = this.#running;
    let at = from;
    for (let octet = octets[at]!; octet !== QUOTE; octet = octets[++at]!) {
      // A backslash counts once, escaped or not; a line feed, which can only be written as \n, counts as that.
      if (octet === BACKSLASH && (octets[at + 1] === BACKSLASH || octets[at + 1] === QUOTE)) octet = octets[++at]!;
      running = Math.imul(running ^ octet, PRIME);
    }
    this.#running = running;
    return at;
  }
}

/** Every bit of a hash in every other: sums of them are as good. */
export function mixed(hash: number): number {
  let bits = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}
