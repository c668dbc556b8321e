import type { Page } from "./page.ts";

/** A series looks so far for its place: a page that is made to crowd one gains no more than that some of its series count as new. */
const PROBES = 16;
const NONE = -1;

/**
 * The numbers by which a storage knows the series of one target, found by their octets as they stand on its pages: what a scraper keeps from one
 * page to the next. Nearly every page has the series of the one before in the same order, and comparing octets is all it takes; where one is out
 * of place, a table of hashes finds it. What is not found is new, or as good as new.
 */
export class KnownSeries {
  /** A page that was read before: its octets, where its series stand, and their numbers. */
  #octets = new Uint8Array(0);
  #from = new Uint32Array(0);
  #to = new Uint32Array(0);
  #numbers = new Float64Array(0);
  #count = 0;
  /** Places on it, each plus one, by hash; made for a page of other series, or of the same in another order. */
  #table: Uint32Array | undefined;
  /** Of the page that is being read: the numbers so far, which series comes next, and whether all came as expected. */
  #coming = new Float64Array(0);
  #next = 0;
  #isAlike = true;

  /** Before the first sample of a page. */
  begin(page: Page): void {
    this.#next = 0;
    this.#isAlike = true;
    if (this.#coming.length < page.count) this.#coming = new Float64Array(page.count);
  }

  /** The number of sample `n`; -1 where it is not known, and `put` is to say it. Samples are asked for one after the other. */
  find(page: Page, n: number): number {
    let known = this.#next;
    if (known >= this.#count || !this.#holds(known, page, n)) {
      this.#isAlike = false;
      known = this.#search(page, n);
      if (known === NONE) return NONE;
    }
    this.#next = known + 1;
    return (this.#coming[n] = this.#numbers[known]!);
  }

  /** The number of sample `n`, which was not known, or is now another. */
  put(n: number, number: number): void {
    this.#isAlike = false;
    this.#coming[n] = number;
  }

  /** Behind the last sample: what comes will be compared with this page. */
  end(page: Page): void {
    const { count, octets } = page;
    if (this.#isAlike && count === this.#count) return;
    if (this.#octets.length < octets.length) this.#octets = new Uint8Array(octets.length);
    this.#octets.set(octets);
    this.#from = page.from.slice(0, count);
    this.#to = page.to.slice(0, count);
    [this.#numbers, this.#coming] = [this.#coming, this.#numbers];
    this.#count = count;
    this.#table = undefined;
  }

  #holds(known: number, { octets, from, to }: Page, n: number): boolean {
    const own = this.#octets;
    let at = this.#from[known]!;
    let other = from[n]!;
    const end = to[n]!;
    if (end - other !== this.#to[known]! - at) return false;
    while (other < end && own[at] === octets[other]) {
      at++;
      other++;
    }
    return other === end;
  }

  #search(page: Page, n: number): number {
    if (this.#count === 0) return NONE;
    const table = (this.#table ??= this.#hashed());
    const hash = hashOf(page.octets, page.from[n]!, page.to[n]!);
    for (let probe = 0; probe < PROBES; probe++) {
      const known = table[(hash + probe) & (table.length - 1)]! - 1;
      if (known < 0 || this.#holds(known, page, n)) return known;
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
