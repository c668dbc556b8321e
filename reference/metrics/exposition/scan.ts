import { Utf8Check } from "../../core/index.ts";
import { type Fault, faultAt, type FaultName } from "./faults.ts";
import { STRICT, type Leniency } from "./leniency.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import { type Dialect, NO_NUMBER, OUT_OF_RANGE, readNumber } from "./number.ts";
import type { KnownSeries } from "./page-known.ts";
import { MARK, type Metadata, type Page } from "./page.ts";

/**
 * How kind a reader is, and what a page may cost it: strict, with the default limits, unless said otherwise; and the series of the page before it,
 * which are not read again where they stand as they stood.
 */
export type ReadOptions = { readonly lenient?: Leniency; readonly limits?: Partial<Limits>; readonly known?: KnownSeries };

/** Octets by what they may be part of. */
const NAME_FIRST = 1;
const NAME = 2;
const LABEL_FIRST = 4;
const LABEL = 8;
/** Within quotes: stands for itself and is ASCII. */
const PLAIN = 16;
/** Within a line: all but a backslash, a double quote, a line feed and what is not ASCII. */
const CLASS = Uint8Array.from({ length: 256 }, (_, octet) => {
  const sign = String.fromCharCode(octet);
  const isLetter = /[A-Za-z_]/.test(sign);
  const isDigit = /\d/.test(sign);
  return (
    (isLetter || sign === ":" ? NAME_FIRST : 0) |
    (isLetter || isDigit || sign === ":" ? NAME : 0) |
    (isLetter ? LABEL_FIRST : 0) |
    (isLetter || isDigit ? LABEL : 0) |
    (octet < 0x80 && sign !== "\\" && sign !== '"' && sign !== "\n" ? PLAIN : 0)
  );
});

export const LF = 0x0a;
export const CR = 0x0d;
export const TAB = 0x09;
export const SP = 0x20;
export const HASH = 0x23;
export const QUOTE = 0x22;
export const LBRACE = 0x7b;
const [BACKSLASH, COMMA, EQUALS, RBRACE, SMALL_N] = [0x5c, 0x2c, 0x3d, 0x7d, 0x6e];
/** In place of an offset: there is a fault. */
export const FAILED = -1;

/** What both formats have in common: names, labels, quoted strings, numbers. Every line that is looked at ends with a line feed, which ends every loop. */
export class Scan {
  readonly page: Page;
  readonly octets: Uint8Array;
  readonly lenient: Leniency;
  readonly limits: Limits;
  /** Any number of blanks and tabs may stand between tokens. */
  readonly hasBlanks: boolean;
  readonly dialect: Dialect;
  readonly known: KnownSeries | undefined;
  fault: Fault | undefined;
  /** The number of labels that the braces last read hold, and what it takes to read them (`MARK`). */
  marks = 0;
  /** Where the name last read of a line of metadata stands, within its quotes. */
  metadataFrom = 0;
  metadataTo = 0;
  #hasName = false;
  /** Where the names of the labels stand. */
  #names = new Uint32Array(64);
  #labelCount = 0;

  constructor(page: Page, octets: Uint8Array, hasBlanks: boolean, { lenient = STRICT, limits = {}, known }: ReadOptions) {
    this.page = page;
    this.octets = octets;
    this.lenient = lenient;
    this.limits = { ...DEFAULT_LIMITS, ...limits };
    this.hasBlanks = hasBlanks;
    this.known = known;
    this.dialect = hasBlanks ? "text" : "openmetrics";
  }

  fail(name: FaultName, at: number): typeof FAILED {
    this.fault ??= faultAt(name, this.octets, at);
    return FAILED;
  }

  /** Behind blanks and tabs. */
  blanks(from: number): number {
    let at = from;
    while (this.octets[at] === SP || this.octets[at] === TAB) at++;
    return at;
  }

  /** Behind the name of a metric that begins here; the same place where none does. */
  metricName(from: number): number {
    const { octets } = this;
    if ((CLASS[octets[from]!]! & NAME_FIRST) === 0) return from;
    let at = from + 1;
    while ((CLASS[octets[at]!]! & NAME) !== 0) at++;
    return at - from > this.limits.nameOctets ? this.fail("nameTooLong", from) : at;
  }

  /** Behind the name, plain or in quotes, that a line of metadata is about: it stands from `metadataFrom` to `metadataTo`. */
  metadataName(from: number): number {
    const isQuoted = this.octets[from] === QUOTE;
    this.metadataFrom = isQuoted ? from + 1 : from;
    const at = isQuoted ? this.string(this.metadataFrom) : this.metricName(from);
    this.metadataTo = isQuoted ? at - 1 : at;
    return at;
  }

  /** Name and labels of a series, as the next sample of the page; returns the offset behind them. */
  series(from: number): number {
    const { page, octets } = this;
    const n = page.count;
    if (n === this.limits.samples) return this.fail("tooManySamples", from);
    if (n === page.from.length) page.grow();
    const expected = this.known === undefined ? 0 : this.known.expect(page, from);
    if (expected > 0) return expected;
    let at = this.metricName(from);
    if (at === FAILED) return FAILED;
    page.from[n] = from;
    page.nameTo[n] = at;
    this.marks = 0;
    const hasName = at > from;
    let next = at;
    if (this.hasBlanks && hasName) next = this.blanks(at);
    if (octets[next] === LBRACE) at = this.labels(next + 1, hasName);
    else if (!hasName) return this.fail("lineUnexpected", from);
    page.to[n] = at;
    page.marks[n] = this.marks;
    if (at !== FAILED) this.known?.search(page);
    return at;
  }

  /** The labels behind an opening brace, and the metric's name where it is not known yet; returns the offset behind the closing one. */
  labels(from: number, hasName: boolean): number {
    const { octets, hasBlanks } = this;
    this.#labelCount = 0;
    this.#hasName = hasName;
    let seen = 0;
    let isFirst = true;
    let at = from;
    for (;;) {
      if (hasBlanks) at = this.blanks(at);
      let octet = octets[at]!;
      if (octet === RBRACE) {
        if (!isFirst && !hasBlanks && this.lenient.trailingComma !== true) return this.fail("commaTrailing", at - 1);
        break;
      }
      const begin = at;
      let nameFrom = at;
      let nameTo = at;
      if ((CLASS[octet]! & LABEL_FIRST) !== 0) {
        do at++;
        while ((CLASS[octets[at]!]! & LABEL) !== 0);
        nameTo = at;
      } else if (octet === QUOTE) {
        nameFrom = at + 1;
        at = this.string(nameFrom);
        if (at === FAILED) return FAILED;
        nameTo = at - 1;
        if (nameTo === nameFrom) return this.fail("nameEmpty", begin);
        this.marks |= MARK.quotedNames;
      } else return this.#noLabel(begin);
      if (nameTo - nameFrom > this.limits.nameOctets) return this.fail("nameTooLong", nameFrom);
      if (hasBlanks) at = this.blanks(at);
      if (octets[at] !== EQUALS) {
        if (nameFrom === begin) return this.fail(CLASS[octets[at]!]! & NAME ? "labelInvalid" : "equalsMissing", at);
        if (this.#hasName) return this.fail(isFirst && !hasName ? "equalsMissing" : "nameRepeated", begin);
        if (!isFirst) return this.fail("nameMissing", from - 1);
        this.#hasName = true;
      } else {
        if (!this.#hasName) return this.fail("nameMissing", from - 1);
        at++;
        if (hasBlanks) at = this.blanks(at);
        if (octets[at] !== QUOTE) return this.fail("quoteMissing", at);
        const value = at + 1;
        at = this.string(value);
        if (at === FAILED) return FAILED;
        if (at - value > this.limits.valueOctets) return this.fail("labelValueTooLong", value);
        // A bit by length, first and last octet: most series show by that alone that no label comes twice.
        const bit = 1 << ((octets[nameFrom]! * 7 + octets[nameTo - 1]! * 3 + nameTo - nameFrom) & 31);
        if (!this.#label(nameFrom, nameTo, (seen & bit) !== 0)) return FAILED;
        seen |= bit;
      }
      if (hasBlanks) at = this.blanks(at);
      octet = octets[at]!;
      if (octet === RBRACE) break;
      if (octet !== COMMA) return this.fail(isBlank(octet) ? "blankUnexpected" : "commaMissing", at);
      at++;
      isFirst = false;
    }
    if (!this.#hasName) return this.fail("nameMissing", from - 1);
    this.marks |= MARK.labels;
    return at + 1;
  }

  #noLabel(at: number): typeof FAILED {
    const octet = this.octets[at]!;
    if (octet === LF) return this.fail("commaMissing", at);
    return this.fail(isBlank(octet) ? "blankUnexpected" : "labelInvalid", at);
  }

  #label(from: number, to: number, mayRepeat: boolean): boolean {
    const { octets } = this;
    const names = this.#names;
    const count = this.#labelCount;
    if (count === this.limits.labels) return this.fail("tooManyLabels", from) !== FAILED;
    if (mayRepeat) {
      for (let i = 0; i < count; i++) {
        if (this.#isSame(names[2 * i]!, names[2 * i + 1]!, from, to)) return this.fail("labelRepeated", from) !== FAILED;
      }
    }
    if (octets[from] === 0x5f && isWord(octets, from, to, "__name__")) return this.fail("labelReserved", from) !== FAILED;
    if (2 * count + 2 > names.length) {
      this.#names = new Uint32Array(names.length * 2);
      this.#names.set(names);
    }
    this.#names[2 * count] = from;
    this.#names[2 * count + 1] = to;
    this.#labelCount = count + 1;
    return true;
  }

  #isSame(from: number, to: number, otherFrom: number, otherTo: number): boolean {
    if (to - from !== otherTo - otherFrom) return false;
    for (let i = 0; i < to - from; i++) if (this.octets[from + i] !== this.octets[otherFrom + i]) return false;
    return true;
  }

  /** Behind the quote that closes the string that begins at `from`. */
  string(from: number): number {
    const { octets } = this;
    let at = from;
    let isWide = false;
    for (;;) {
      while ((CLASS[octets[at]!]! & PLAIN) !== 0) at++;
      const octet = octets[at]!;
      if (octet === QUOTE) break;
      if (octet === BACKSLASH) {
        if (!this.#isEscape(octets[at + 1]!)) return this.fail(octets[at + 1] === LF ? "quoteOpen" : "escapeInvalid", at);
        this.marks |= MARK.escapes;
        at += this.#behindEscape(at);
      } else if (octet === LF) return this.fail("quoteOpen", from - 1);
      else {
        isWide = true;
        at++;
      }
    }
    if (isWide && !this.utf8(from, at)) return FAILED;
    return at + 1;
  }
  #isEscape(next: number): boolean {
    if (next === BACKSLASH || next === QUOTE || next === SMALL_N) return true;
    return next !== LF && (!this.hasBlanks || this.lenient.unknownEscapes === true);
  }
  /** Of a character that is not ASCII the first octet is still to be looked at. */
  #behindEscape(at: number): number {
    return this.octets[at + 1]! < 0x80 ? 2 : 1;
  }

  /** Whether the octets are UTF-8; where not, there is a fault. */
  utf8(from: number, to: number): boolean {
    this.marks |= MARK.wide;
    const check = new Utf8Check();
    if (check.push(this.octets, from, to) && check.isWhole) return true;
    this.fail("utf8Invalid", from);
    return false;
  }

  /** Behind a text up to the end of its line, in which a backslash is written as \\ and a line feed as \n (and in OpenMetrics a quote as \"). */
  text(from: number): number {
    const { octets } = this;
    let at = from;
    let isWide = false;
    for (;;) {
      while ((CLASS[octets[at]!]! & PLAIN) !== 0) at++;
      const octet = octets[at]!;
      if (octet === LF) break;
      if (octet === QUOTE) {
        if (!this.hasBlanks) return this.fail("quoteUnescaped", at);
        at++;
      } else if (octet === BACKSLASH) {
        const next = octets[at + 1]!;
        if (next === LF || (next === QUOTE && this.hasBlanks && this.lenient.unknownEscapes !== true) || !this.#isEscape(next))
          return this.fail("helpInvalid", at);
        at += this.#behindEscape(at);
      } else {
        isWide = true;
        at++;
      }
    }
    return isWide && !this.utf8(from, at) ? FAILED : at;
  }

  number(from: number, dialect: Dialect, out: Float64Array, index: number, shift = 0): number {
    const at = readNumber(this.octets, from, dialect, out, index, shift);
    if (at >= 0) return at;
    const isTime = dialect === "real";
    if (at === OUT_OF_RANGE) return this.fail(isTime ? "timestampOutOfRange" : "valueOutOfRange", from);
    if (at === NO_NUMBER && this.octets[from] === LF) return this.fail(isTime ? "timestampInvalid" : "valueMissing", from);
    return this.fail(isTime ? "timestampInvalid" : "valueInvalid", from);
  }

  /** Keeps a line of metadata. */
  keep(metadata: Metadata): boolean {
    if (this.page.metadata.length === this.limits.metadata) return this.fail("tooManyMetadata", metadata.offset) !== FAILED;
    this.page.metadata.push(metadata);
    return true;
  }
}

/** A blank or a tab. */
export const isBlank = (octet: number): boolean => octet === SP || octet === TAB;

/** A copy with a line feed at its end, since the loops rely on it. */
export function withLineFeed(octets: Uint8Array): Uint8Array {
  const copy = new Uint8Array(octets.length + 1);
  copy.set(octets);
  copy[octets.length] = LF;
  return copy;
}

/** Whether the octets from `from` up to `to` are this word of ASCII, letter by letter. */
export function isWord(octets: Uint8Array, from: number, to: number, word: string): boolean {
  if (to - from !== word.length) return false;
  for (let i = 0; i < word.length; i++) if (octets[from + i] !== word.charCodeAt(i)) return false;
  return true;
}
