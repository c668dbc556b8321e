import { type Intervals, withInterval } from "../block/index.ts";

/** What was deleted of the series in memory, by reference: it is left out when they are read, and when they are written into a block. */
export class Deletions {
  readonly #intervals = new Map<number, Intervals>();

  /** Series of which something was deleted. */
  get count(): number {
    return this.#intervals.size;
  }

  of(ref: number): Intervals | undefined {
    return this.#intervals.get(ref);
  }

  entries(): Iterable<[ref: number, intervals: Intervals]> {
    return this.#intervals.entries();
  }

  add(ref: number, start: number, end: number): void {
    this.#intervals.set(ref, withInterval(this.#intervals.get(ref) ?? [], start, end));
  }

  drop(ref: number): void {
    this.#intervals.delete(ref);
  }

  /** Forgets what ends before a time from which on samples are kept. */
  dropBefore(time: number): void {
    for (const [ref, intervals] of this.#intervals) {
      const left = intervals.slice(2 * intervals.filter((end, at) => at % 2 === 1 && end < time).length);
      if (left.length === 0) this.#intervals.delete(ref);
      else this.#intervals.set(ref, left);
    }
  }
}
