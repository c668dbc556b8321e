import { compareText, type Matcher } from "../../model/index.ts";
import type { Querier, SelectHints, Series } from "../../storage/index.ts";
import { sortRows } from "./order.ts";
import { valuesIn } from "./select.ts";
import { HeadSeries } from "./series.ts";
import type { Head } from "./head.ts";
import type { View } from "./isolation.ts";
import { isCovered, Weaver } from "../block/index.ts";

/** A consistent view of the head. */
export class HeadQuerier implements Querier {
  readonly #head: Head;
  readonly #view: View;
  readonly #weaver = new Weaver();

  constructor(head: Head) {
    this.#head = head;
    this.#view = head.views.open(head.table.count, head.late.count);
  }

  *select(matchers: readonly Matcher[], start: number, end: number, hints?: SelectHints): Generator<Series> {
    const head = this.#head;
    const rows = this.#rows(matchers, start, end);
    if (hints?.sorted === true) sortRows(head.table, rows);
    const count = Math.min(rows.length, hints?.limit ?? Infinity);
    for (let at = 0; at < count; at++) yield new HeadSeries(head, this.#view, this.#weaver, rows[at]!);
  }

  labelNames(sets: readonly (readonly Matcher[])[], start: number, end: number): string[] {
    const { table, postings } = this.#head;
    const isListed = this.#isListed(sets, start, end);
    const names = new Set<number>(isListed ? postings.names : []);
    for (const row of isListed ? this.#unlisted() : this.#union(sets, start, end)) {
      for (let place = table.sizeOf(row) - 1; place >= 0; place--) names.add(table.symbols.nameOf(table.symbolAt(row, place)));
    }
    return this.#texts(names);
  }

  labelValues(name: string, sets: readonly (readonly Matcher[])[], start: number, end: number): string[] {
    const { table, postings } = this.#head;
    const symbol = table.symbols.findName(name);
    if (symbol < 0) return [];
    if (!this.#isListed(sets, start, end)) return this.#texts(valuesIn(table, this.#union(sets, start, end), symbol));
    const values = valuesIn(table, this.#unlisted(), symbol);
    for (const value of postings.valuesOf(symbol)) values.add(value);
    return this.#texts(values);
  }

  /**
   * Whether the postings answer: without a matcher, names and values are those of all series in memory, as they are those of whole blocks. With
   * deletions each series is looked at.
   */
  #isListed(sets: readonly (readonly Matcher[])[], start: number, end: number): boolean {
    const { minTime, maxTime, deletions, postings } = this.#head;
    if (sets.length > 0 || deletions.count > 0 || start > maxTime || end < minTime) return false;
    postings.refresh();
    return true;
  }
  /** The rows that the postings do not have yet. */
  *#unlisted(): Generator<number> {
    for (let row = this.#head.postings.covered; row < this.#view.rows; row++) yield row;
  }

  close(): void {
    this.#head.views.close(this.#view);
  }

  #rows(matchers: readonly Matcher[], start: number, end: number): Uint32Array {
    const head = this.#head;
    const rows = head.select(matchers, this.#view.rows);
    const isWhole = start <= head.minTime && end >= head.maxTime;
    return rows.filter((row) => (isWhole ? head.hasAny(row) : head.overlaps(row, start, end)) && !this.#isDeleted(row, start, end));
  }

  /** Whether all samples of a series in this range are deleted. */
  #isDeleted(row: number, start: number, end: number): boolean {
    const head = this.#head;
    const deleted = head.deletions.of(head.table.refOf(row));
    return deleted !== undefined && isCovered(deleted, Math.max(start, head.firstTime(row)), Math.min(end, head.lastTime(row)));
  }

  *#union(sets: readonly (readonly Matcher[])[], start: number, end: number): Generator<number> {
    if (sets.length === 0) yield* this.#rows([], start, end);
    for (const matchers of sets) yield* this.#rows(matchers, start, end);
  }

  #texts(symbols: Iterable<number>): string[] {
    const { table } = this.#head;
    return Array.from(symbols, (symbol) => table.symbols.text(symbol)).sort(compareText);
  }
}
