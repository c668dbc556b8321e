import { MARK, type Page } from "./page.ts";

/** A series looks so far for its place: a page that is made to crowd one gains no more than that some of its series count as new. */
const PROBES = 16;
const NONE = -1;

/**
 * The numbers by which a storage knows the series of one target: what a scraper keeps from one page to the next, and gives to the reader of the next.
 * Nearly every page has the series of the one before in the same order; a series that stands where it is expected is known by comparing octets,
 * and its labels are not read again. Where one is out of place, a table of hashes finds it. What is not found is new, or as good as new.
 */
export class KnownSeries {
  /** A page that was read before: its octets, where its series stand and what it takes to read them, and their numbers. */
  #octets = new Uint8Array(0);
  #view: DataView = new DataView(this.#octets.buffer);
  #from = new Uint32Array(0);
  #nameTo = new Uint32Array(0);
  #to = new Uint32Array(0);
  #marks = new Uint8Array(0);
  #numbers = new Float64Array(0);
  #count = 0;
  /** Places on it, each plus one, by hash; made for a page of other series, or of the same in another order. */
  #table: Uint32Array | undefined;
  /** Of the page that is being read: its octets, the numbers so far, which series comes next, and whether all came as expected. */
  #page = this.#view;
  #coming = new Float64Array(0);
  #next = 0;
  #isAlike = true;

  /** The number of a sample of the page that was read; -1 where it is not known, and `put` is to say it. */
  numberOf(n: number): number {
    return this.#coming[n]!;
  }

  /** The number of sample `n`, which was not known, or is now another. */
  put(n: number, number: number): void {
    this.#isAlike = false;
    this.#coming[n] = number;
  }

  /** When all numbers are known: what comes will be compared with this page. */
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

  /** For a reader: where the series that is expected as the next one of the page ends, if it begins at `from`; else 0. */
  expect(page: Page, from: number): number {
    const n = page.count;
    if (n === 0) this.#begin(page);
    const known = this.#next;
    // A name alone could go on behind what is known of it.
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

  /** Where a known series ends that begins at `from`; 0 where it does not. Four octets at a time: most of what a page costs is spent here. */
  #matches(known: number, from: number): number {
    const own = this.#view;
    const page = this.#page;
    const to = this.#to[known]!;
    const end = from + to - this.#from[known]!;
    if (end > page.byteLength) return 0;
    let at = this.#from[known]!;
    let other = from;
    for (; at <= to - 4; at += 4, other += 4) if (own.getInt32(at) !== page.getInt32(other)) return 0;
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
  // The low bits choose the place; they get a share of the others.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
