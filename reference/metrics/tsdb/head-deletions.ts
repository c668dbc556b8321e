import type { Columns } from "../model/index.ts";

/** From the first to the last millisecond that is deleted. */
export type Interval = { readonly start: number; readonly end: number };

/** What was deleted of the series in memory, by reference (storage.md: deletion marks samples; they go when blocks are written). */
export class Deletions {
  readonly #intervals = new Map<number, Interval[]>();

  get isEmpty(): boolean {
    return this.#intervals.size === 0;
  }

  get count(): number {
    return this.#intervals.size;
  }

  of(ref: number): readonly Interval[] {
    return this.#intervals.get(ref) ?? [];
  }

  entries(): Iterable<[ref: number, intervals: readonly Interval[]]> {
    return this.#intervals.entries();
  }

  /** Intervals that touch become one. */
  add(ref: number, start: number, end: number): void {
    let merged: Interval = { start, end };
    const others: Interval[] = [];
    for (const known of this.#intervals.get(ref) ?? []) {
      if (known.end + 1 < merged.start || known.start > merged.end + 1) others.push(known);
      else merged = { start: Math.min(known.start, merged.start), end: Math.max(known.end, merged.end) };
    }
    others.push(merged);
    this.#intervals.set(
      ref,
      others.sort((a, b) => a.start - b.start),
    );
  }

  drop(ref: number): void {
    this.#intervals.delete(ref);
  }

  dropBefore(time: number): void {
    for (const [ref, intervals] of this.#intervals) {
      const left = intervals.filter(({ end }) => end >= time);
      if (left.length === 0) this.#intervals.delete(ref);
      else if (left.length < intervals.length) this.#intervals.set(ref, left);
    }
  }

  /** Takes the deleted samples out of the rows from `from` on. */
  apply(ref: number, columns: Columns, from: number): void {
    const intervals = this.#intervals.get(ref);
    if (intervals === undefined) return;
    const { times, bits, histograms } = columns;
    let to = from;
    for (let row = from; row < columns.length; row++) {
      const time = times[row] ?? 0;
      if (intervals.some(({ start, end }) => time >= start && time <= end)) continue;
      times[to] = time;
      bits[to * 2] = bits[row * 2] ?? 0;
      bits[to * 2 + 1] = bits[row * 2 + 1] ?? 0;
      if (histograms !== undefined) histograms[to] = histograms[row];
      to++;
    }
    if (histograms !== undefined) histograms.length = Math.min(histograms.length, to);
    columns.length = to;
  }
}
