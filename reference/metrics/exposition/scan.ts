import { Utf8Check } from "../../core/index.ts";
import { type Fault, faultAt, type FaultName } from "./faults.ts";
import { STRICT, type Leniency } from "./leniency.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import { type Dialect, NO_NUMBER, OUT_OF_RANGE, readNumber } from "./number.ts";
import type { KnownSeries } from "./page-known.ts";
import { MARK, type Metadata, type Page } from "./page.ts";

/**
 * Leniency and limits of a reader, strict with default limits unless set; and the series of the previous page of the target, which are not parsed again
 * if unchanged.
 */
export type ReadOptions = { readonly lenient?: Leniency; readonly limits?: Partial<Limits>; readonly known?: KnownSeries };

type ScanOptions = ReadOptions & Pick<Scan, "hasBlanks">;

/** Classes of octets. */
const NAME_FIRST = 1;
const NAME = 2;
const LABEL_FIRST = 4;
const LABEL = 8;
/** ASCII that needs no escape within quotes. */
const PLAIN = 16;
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
/** In place of an offset: the scan has a fault. */
export const FAILED = -1;

/** The common part of both formats: names, labels, quoted strings, numbers. Every line ends with a line feed, which ends every loop. */
export class Scan {
  readonly page: Page;
  readonly octets: Uint8Array;
  readonly lenient: Leniency;
  readonly limits: Limits;
  /** Whether tokens may be separated by any number of spaces and tabs. */
  readonly hasBlanks: boolean;
  readonly dialect: Dialect;
  readonly known: KnownSeries | undefined;
  fault: Fault | undefined;
  /** What reading the last labels again requires (`MARK`). */
  marks = 0;
  /** The name in the last line of metadata, within its quotes. */
  metadataFrom = 0;
  metadataTo = 0;
  #hasName = false;
  /** The positions of label names. */
  #names = new Uint32Array(64);
  #labelCount = 0;

  constructor(page: Page, octets: Uint8Array, { hasBlanks, lenient = STRICT, limits = {}, known }: ScanOptions) {
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

  /** Skips spaces and tabs. Like the other methods, returns the offset after what it reads. */
  blanks(from: number): number {
    let at = from;
    while (this.octets[at] === SP || this.octets[at] === TAB) at++;
    return at;
  }

  /** Reads a metric name; returns `from` if there is none. */
  metricName(from: number): number {
    const { octets } = this;
    if ((CLASS[octets[from]!]! & NAME_FIRST) === 0) return from;
    let at = from + 1;
    while ((CLASS[octets[at]!]! & NAME) !== 0) at++;
    return at - from > this.limits.nameOctets ? this.fail("nameTooLong", from) : at;
  }

  /** Reads the name, plain or quoted, in a line of metadata, into `metadataFrom` and `metadataTo`. */
  metadataName(from: number): number {
    const isQuoted = this.octets[from] === QUOTE;
    this.metadataFrom = isQuoted ? from + 1 : from;
    const at = isQuoted ? this.string(this.metadataFrom) : this.metricName(from);
    this.metadataTo = isQuoted ? at - 1 : at;
    return at;
  }

  /** Reads the name and labels of a series into the next sample of the page. */
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

  /** Reads the labels after an opening brace, and the metric name if it is still missing, up to the closing brace. */
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
        // One bit per length, first and last octet: it rules out repeated labels in most series.
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

  /** Reads a quoted string that begins at `from`, and its closing quote. */
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
        at += this.#escapeLength(at);
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
  /** An escaped character that is not ASCII is still to be checked. */
  #escapeLength(at: number): number {
    return this.octets[at + 1]! < 0x80 ? 2 : 1;
  }

  /** Whether the octets are UTF-8; otherwise sets a fault. */
  utf8(from: number, to: number): boolean {
    this.marks |= MARK.wide;
    const check = new Utf8Check();
    if (check.push(this.octets, from, to) && check.isWhole) return true;
    this.fail("utf8Invalid", from);
    return false;
  }

  /** Reads a text up to the end of the line, with backslashes as \\, line feeds as \n and, in OpenMetrics, quotes as \". */
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
        at += this.#escapeLength(at);
      } else {
        isWide = true;
        at++;
      }
    }
    return isWide && !this.utf8(from, at) ? FAILED : at;
  }

  /** Reads a number into `out[index]`. A `real` is a timestamp in seconds and is stored in milliseconds. */
  number(from: number, dialect: Dialect, out: Float64Array, index: number): number {
    const isTime = dialect === "real";
    const at = readNumber(this.octets, from, dialect, out, index, isTime ? 3 : 0);
    if (at >= 0) return at;
    if (at === OUT_OF_RANGE) return this.fail(isTime ? "timestampOutOfRange" : "valueOutOfRange", from);
    if (at === NO_NUMBER && this.octets[from] === LF) return this.fail(isTime ? "timestampInvalid" : "valueMissing", from);
    return this.fail(isTime ? "timestampInvalid" : "valueInvalid", from);
  }

  /** Stores a line of metadata. */
  keep(metadata: Metadata): boolean {
    if (this.page.metadata.length === this.limits.metadata) return this.fail("tooManyMetadata", metadata.offset) !== FAILED;
    this.page.metadata.push(metadata);
    return true;
  }
}

/** Whether an octet is a space or a tab. */
export const isBlank = (octet: number): boolean => octet === SP || octet === TAB;

/** A copy with a line feed at the end, which the loops rely on. */
export function withLineFeed(octets: Uint8Array): Uint8Array {
  const copy = new Uint8Array(octets.length + 1);
  copy.set(octets);
  copy[octets.length] = LF;
  return copy;
}

/** Whether the octets from `from` to `to` are this ASCII word. */
export function isWord(octets: Uint8Array, from: number, to: number, word: string): boolean {
  if (to - from !== word.length) return false;
  for (let i = 0; i < word.length; i++) if (octets[from + i] !== word.charCodeAt(i)) return false;
  return true;
}
