import { Columns, compareLabels, compareText, type Labels, type Matcher } from "../../model/index.ts";
import type { Querier, SelectHints, Series } from "../../storage/index.ts";
import { type Intervals, isDeleted } from "./tombstones.ts";

/**
 * One view of several storages. If several have a sample of one series at one time, the first storage wins. Fastest if the storages are in time order.
 */
export function merged(queriers: readonly Querier[]): Querier {
  const [first, second] = queriers;
  return first !== undefined && second === undefined ? first : new MergedQuerier(queriers);
}

class MergedQuerier implements Querier {
  readonly #queriers: readonly Querier[];
  readonly #weaver = new Weaver();

  constructor(queriers: readonly Querier[]) {
    this.#queriers = queriers;
  }

  *select(matchers: readonly Matcher[], start: number, end: number, hints?: SelectHints): Generator<Series> {
    const sorted: SelectHints = { ...hints, sorted: true };
    const rows = this.#queriers.map((querier) => querier.select(matchers, start, end, sorted)[Symbol.iterator]());
    let left = hints?.limit ?? Infinity;
    for (const parts of inOrder(rows, (series) => series.labels)) {
      if (left-- <= 0) return;
      yield parts.length === 1 ? parts[0] : new MergedSeries(parts, this.#weaver);
    }
  }

  labelNames(sets: readonly (readonly Matcher[])[], start: number, end: number): string[] {
    return joined(this.#queriers.map((querier) => querier.labelNames(sets, start, end)));
  }

  labelValues(name: string, sets: readonly (readonly Matcher[])[], start: number, end: number): string[] {
    return joined(this.#queriers.map((querier) => querier.labelValues(name, sets, start, end)));
  }

  close(): void {
    for (const querier of this.#queriers) querier.close();
  }
}

function joined(lists: readonly (readonly string[])[]): string[] {
  return [...new Set(lists.flat())].sort(compareText);
}

/** Merges iterators that are sorted by labels. Yields the items with equal labels together, in the order of `rows`. */
export function* inOrder<Item>(rows: readonly Iterator<Item>[], labelsOf: (item: Item) => Labels): Generator<[Item, ...Item[]]> {
  const sources = rows.map((row) => ({ row, head: row.next() }));
  for (;;) {
    let least: Labels | undefined;
    for (const { head } of sources) {
      if (head.done !== true && (least === undefined || compareLabels(labelsOf(head.value), least) < 0)) least = labelsOf(head.value);
    }
    if (least === undefined) return;
    let parts: [Item, ...Item[]] | undefined;
    const taken: typeof sources = [];
    for (const source of sources) {
      const { head } = source;
      if (head.done === true || !labelsOf(head.value).equals(least)) continue;
      if (parts === undefined) parts = [head.value];
      else parts.push(head.value);
      taken.push(source);
    }
    if (parts === undefined) return;
    yield parts;
    // Advance only now: an item may be valid until the next one is requested.
    for (const source of taken) source.head = source.row.next();
  }
}

class MergedSeries implements Series {
  readonly labels: Labels;
  readonly #parts: readonly Series[];
  readonly #weaver: Weaver;

  constructor(parts: readonly [Series, ...Series[]], weaver: Weaver) {
    this.labels = parts[0].labels;
    this.#parts = parts;
    this.#weaver = weaver;
  }

  read(into: Columns, start: number, end: number): void {
    const from = into.length;
    for (const part of this.#parts) {
      const middle = into.length;
      part.read(into, start, end);
      this.#weaver.weave(into, from, middle);
    }
  }
}

/** Merges runs of samples. Belongs to a query, a compaction or the writing of a block. */
export class Weaver {
  #scratch: Columns | undefined;

  /**
   * Merges two adjacent ascending runs, the rows from `from` and those from `middle` to the end, into one. Of two samples at one time the first run's
   * stays.
   */
  weave(columns: Columns, from: number, middle: number): void {
    const { times, bits } = columns;
    const length = columns.length;
    if (middle === from || middle === length || times[middle - 1]! < times[middle]!) return;
    const scratch = (this.#scratch ??= new Columns());
    scratch.clear();
    scratch.reserve(length - from);
    const histograms = columns.histograms;
    let i = from;
    let j = middle;
    while (i < middle || j < length) {
      const isFirst = j === length || (i < middle && times[i]! <= times[j]!);
      const row = isFirst ? i : j;
      const time = times[row]!;
      if (i < middle && times[i] === time) i++;
      if (j < length && times[j] === time) j++;
      const histogram = histograms?.[row];
      if (histogram !== undefined) {
        scratch.histograms ??= [];
        scratch.histograms[scratch.length] = histogram;
      }
      scratch.pushBits(time, bits[row * 2 + 1]!, bits[row * 2]!);
    }
    for (let row = 0; row < scratch.length; row++) moveRow(scratch, row, columns, from + row);
    columns.length = from + scratch.length;
    if (histograms !== undefined) histograms.length = Math.min(histograms.length, columns.length);
    scratch.clear();
  }
}

/** Removes the rows from `from` on whose times are deleted. */
export function withoutDeleted(columns: Columns, from: number, deleted: Intervals): void {
  let to = from;
  for (let row = from; row < columns.length; row++) {
    if (isDeleted(deleted, columns.times[row]!)) continue;
    if (to !== row) moveRow(columns, row, columns, to);
    to++;
  }
  columns.length = to;
  if (columns.histograms !== undefined) columns.histograms.length = Math.min(columns.histograms.length, to);
}

function moveRow(source: Columns, row: number, target: Columns, to: number): void {
  target.times[to] = source.times[row]!;
  target.bits[to * 2] = source.bits[row * 2]!;
  target.bits[to * 2 + 1] = source.bits[row * 2 + 1]!;
  const histogram = source.histograms?.[row];
  if (histogram === undefined && target.histograms === undefined) return;
  target.histograms ??= [];
  target.histograms[to] = histogram;
}
