import { type Intervals, withInterval } from "../block/index.ts";

/** Deleted intervals of series in memory, by reference. Queries and new blocks leave them out. */
export class Deletions {
  readonly #intervals = new Map<number, Intervals>();

  /** Number of series with deletions. */
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

  /** Forgets intervals that end before `time`. */
  dropBefore(time: number): void {
    for (const [ref, intervals] of this.#intervals) {
      const left = intervals.slice(2 * intervals.filter((end, at) => at % 2 === 1 && end < time).length);
      if (left.length === 0) this.#intervals.delete(ref);
      else this.#intervals.set(ref, left);
    }
  }
}
