import { MARK, type Page } from "./page.ts";

/** Probes per series, which bounds the cost of hostile pages: some of their series merely count as new. */
const PROBES = 16;
const NONE = -1;

/**
 * The storage's numbers for the series of one target, which a scraper keeps from one page to the next. Nearly every page has the same series in the same
 * order as the one before: a series at the expected position is recognized by comparing octets, and its labels are not parsed again. Elsewhere a hash
 * table finds it. A series that is not found counts as new.
 */
export class KnownSeries {
  /** The previous page: its octets, the positions and marks of its series, and their numbers. */
  #octets = new Uint8Array(0);
  #view: DataView = new DataView(this.#octets.buffer);
  #from = new Uint32Array(0);
  #nameTo = new Uint32Array(0);
  #to = new Uint32Array(0);
  #marks = new Uint8Array(0);
  #numbers = new Float64Array(0);
  #count = 0;
  /** Its series plus one, by hash; built when a page has other series or another order. */
  #table: Uint32Array | undefined;
  /** The current page: its octets, its numbers so far, the expected series, and whether all were as expected. */
  #page = this.#view;
  #coming = new Float64Array(0);
  #next = 0;
  #isAlike = true;

  /** The number of a sample of the current page; -1 if it is unknown and `put` must set it. */
  numberOf(n: number): number {
    return this.#coming[n]!;
  }

  /** Sets the number of sample `n`. */
  put(n: number, number: number): void {
    this.#isAlike = false;
    this.#coming[n] = number;
  }

  /** Keeps this page, with all its numbers, for comparison with the next. */
  keep(page: Page): void {
    const { count, octets } = page;
    if (this.#isAlike && count === this.#count) return;
    if (this.#octets.length < octets.length) this.#octets = new Uint8Array(octets.length);
    this.#octets.set(octets);
    this.#view = new DataView(this.#octets.buffer);
    this.#from = page.from.slice(0, count);
    this.#nameTo = page.nameTo.slice(0, count);
    this.#to = page.to.slice(0, count);
    this.#marks = page.marks.slice(0, count);
    [this.#numbers, this.#coming] = [this.#coming, this.#numbers];
    this.#count = count;
    this.#table = undefined;
  }

  /** For a reader: the end of the expected series if it begins at `from`; otherwise 0. */
  expect(page: Page, from: number): number {
    const n = page.count;
    if (n === 0) this.#begin(page);
    const known = this.#next;
    // A bare name may continue after the known part.
    if (known >= this.#count || (this.#marks[known]! & MARK.labels) === 0) return 0;
    const to = this.#matches(known, from);
    if (to === 0) return 0;
    page.from[n] = from;
    page.nameTo[n] = from + this.#nameTo[known]! - this.#from[known]!;
    page.to[n] = to;
    page.marks[n] = this.#marks[known]!;
    this.#meet(n, known);
    return to;
  }

  /** For a reader: the next series of the page has been read. */
  search(page: Page): void {
    const n = page.count;
    const from = page.from[n]!;
    const to = page.to[n]!;
    let known = this.#next;
    if (known >= this.#count || this.#matches(known, from) !== to) {
      this.#isAlike = false;
      known = this.#count === 0 ? NONE : this.#lookUp(page.octets, from, to);
    }
    if (known === NONE) this.#set(n, NONE);
    else this.#meet(n, known);
  }

  #begin({ octets }: Page): void {
    this.#page = new DataView(octets.buffer, octets.byteOffset, octets.length);
    this.#next = 0;
    this.#isAlike = true;
  }

  #meet(n: number, known: number): void {
    this.#next = known + 1;
    this.#set(n, this.#numbers[known]!);
  }

  #set(n: number, number: number): void {
    if (n >= this.#coming.length) {
      const wider = new Float64Array(2 * (n + 32));
      wider.set(this.#coming);
      this.#coming = wider;
    }
    this.#coming[n] = number;
  }

  /** The end of a known series that begins at `from`; 0 if it does not. Sixteen octets at a time: most of the cost of a page is here. */
  #matches(known: number, from: number): number {
    const own = this.#view;
    const page = this.#page;
    const to = this.#to[known]!;
    const end = from + to - this.#from[known]!;
    if (end > page.byteLength) return 0;
    let at = this.#from[known]!;
    let other = from;
    for (; at <= to - 16; at += 16, other += 16) {
      const difference =
        (own.getInt32(at, true) ^ page.getInt32(other, true)) |
        (own.getInt32(at + 4, true) ^ page.getInt32(other + 4, true)) |
        (own.getInt32(at + 8, true) ^ page.getInt32(other + 8, true)) |
        (own.getInt32(at + 12, true) ^ page.getInt32(other + 12, true));
      if (difference !== 0) return 0;
    }
    for (; at <= to - 4; at += 4, other += 4) if (own.getInt32(at, true) !== page.getInt32(other, true)) return 0;
    for (; at < to; at++, other++) if (own.getInt8(at) !== page.getInt8(other)) return 0;
    return end;
  }

  #lookUp(octets: Uint8Array, from: number, to: number): number {
    const table = (this.#table ??= this.#hashed());
    const hash = hashOf(octets, from, to);
    for (let probe = 0; probe < PROBES; probe++) {
      const known = table[(hash + probe) & (table.length - 1)]! - 1;
      if (known < 0 || this.#matches(known, from) === to) return known;
    }
    return NONE;
  }

  #hashed(): Uint32Array {
    const table = new Uint32Array(2 ** Math.ceil(Math.log2(2 * this.#count + PROBES)));
    for (let known = 0; known < this.#count; known++) {
      const hash = hashOf(this.#octets, this.#from[known]!, this.#to[known]!);
      for (let probe = 0; probe < PROBES; probe++) {
        const place = (hash + probe) & (table.length - 1);
        if (table[place] !== 0) continue;
        table[place] = known + 1;
        break;
      }
    }
    return table;
  }
}

function hashOf(octets: Uint8Array, from: number, to: number): number {
  let hash = 0x811c_9dc5;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ octets[at]!, 0x0100_0193);
  // Mixes all bits into the low ones, which choose the place.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
