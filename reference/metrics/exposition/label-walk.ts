import { MARK, type Page, unescaped } from "./page.ts";
import { isBlank, isWord, LBRACE, QUOTE } from "./scan.ts";

const [BACKSLASH, COMMA, EQUALS, RBRACE] = [0x5c, 0x2c, 0x3d, 0x7d];
/** FNV-1a, octet by octet. */
const [BASIS, PRIME] = [0x811c9dc5, 0x01000193];
/** Separates name and value in the hash: not an octet of UTF-8. */
const BETWEEN = 0xff;

/** Hashes the labels of one sample in the page, without making strings. */
export class LabelWalk {
  /** The name of the label that is set apart; empty for none. */
  apart = "";
  /** The hash of the other labels, independent of order and notation. */
  hash = 0;
  /** The hash of the label set apart; the sum of both is the hash of all labels. */
  apartHash = 0;
  /** The start of the labels, after the brace or the metric name within it. */
  from = 0;
  /** The range of the label set apart: without it, equal texts are equal sets. */
  cutFrom = 0;
  cutTo = 0;
  /** The value of the label set apart; both zero if there is none. */
  valueFrom = 0;
  valueTo = 0;
  readonly #page: Page;
  /** The hash of the octets so far. */
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
        // A name without a value is the metric name.
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
        // Include one comma: the one before, or else the one after.
        this.cutTo = begin === this.from && octets[at] === COMMA ? at + 1 : at;
      } else {
        others++;
        this.hash = (this.hash + mixed(this.#running)) | 0;
      }
    }
    // Empty braces equal no braces.
    if (others === 0) [this.cutFrom, this.cutTo] = [this.from, to[n]!];
  }

  /** Hashes an unquoted name; returns the offset after it. */
  #bare(from: number): number {
    const { octets } = this.#page;
    let running = this.#running;
    let at = from;
    for (let octet = octets[at]!; octet !== EQUALS && !isBlank(octet); octet = octets[++at]!) running = Math.imul(running ^ octet, PRIME);
    this.#running = running;
    return at;
  }

  /** Hashes a string; returns the offset of its closing quote. */
  #quoted(from: number): number {
    const { octets } = this.#page;
    let running = this.#running;
    let at = from;
    for (let octet = octets[at]!; octet !== QUOTE; octet = octets[++at]!) {
      // A backslash counts once, escaped or not; a line feed counts as \n, its only notation.
      if (octet === BACKSLASH && (octets[at + 1] === BACKSLASH || octets[at + 1] === QUOTE)) octet = octets[++at]!;
      running = Math.imul(running ^ octet, PRIME);
    }
    this.#running = running;
    return at;
  }
}

/** Mixes all bits of a hash, so that sums of hashes are good hashes. */
export function mixed(hash: number): number {
  let bits = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}
