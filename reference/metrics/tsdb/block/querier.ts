import { type Columns, compareText, type Labels, type Matcher } from "../../model/index.ts";
import type { Querier, SelectHints, Series } from "../../storage/index.ts";
import { type ChunkDecoder, CHUNK_FAULTS } from "../chunk/index.ts";
import { Damage, type Report } from "../files/index.ts";
import type { IndexReader } from "../index/index.ts";
import type { ChunkReader } from "./chunks-read.ts";
import { type Intervals, isCovered, isTouched, type Tombstones } from "./tombstones.ts";
import { withoutDeleted } from "./merge.ts";

/** The parts of a block that a query reads. */
export interface BlockSource {
  readonly index: IndexReader;
  readonly chunks: ChunkReader;
  readonly decoder: ChunkDecoder;
  readonly tombstones: Tombstones;
  readonly report: Report;
  /** The query has ended. */
  release(): void;
}

/** A query's view of a block. It leaves out what was deleted before the query began; later deletions do not affect it. */
export class BlockQuerier implements Querier {
  readonly #block: BlockSource;
  readonly #tombstones: Tombstones;
  #isClosed = false;

  constructor(block: BlockSource) {
    this.#block = block;
    this.#tombstones = block.tombstones;
  }

  *select(matchers: readonly Matcher[], start: number, end: number, hints?: SelectHints): Generator<Series> {
    const block = this.#block;
    let left = hints?.limit ?? Infinity;
    for (const number of this.#guarded(() => block.index.select(matchers)) ?? []) {
      if (left <= 0) return;
      const chunks: number[] = [];
      const labels = this.#guarded(() => block.index.series(number, chunks, start, end));
      const deleted = this.#tombstones.get(number);
      if (labels === undefined || chunks.length === 0 || (deleted !== undefined && isAllDeleted(chunks, deleted))) continue;
      left -= 1;
      yield new BlockSeries(block, labels, chunks, deleted);
    }
  }

  labelNames(sets: readonly (readonly Matcher[])[], start: number, end: number): string[] {
    if (sets.length === 0) return this.#guarded(() => this.#block.index.table.names()) ?? [];
    const names = new Set<string>();
    for (const labels of this.#labels(sets, start, end)) for (const [name] of labels) names.add(name);
    return [...names].sort(compareText);
  }

  labelValues(name: string, sets: readonly (readonly Matcher[])[], start: number, end: number): string[] {
    if (sets.length === 0) return this.#guarded(() => Array.from(this.#block.index.table.entries(name), ([value]) => value)) ?? [];
    const values = new Set<string>();
    for (const labels of this.#labels(sets, start, end)) values.add(labels.get(name));
    values.delete("");
    return [...values].sort(compareText);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#block.release();
  }

  *#labels(sets: readonly (readonly Matcher[])[], start: number, end: number): Generator<Labels> {
    for (const matchers of sets) for (const series of this.select(matchers, start, end)) yield series.labels;
  }

  #guarded<Result>(read: () => Result): Result | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof Damage)) throw error;
      this.#block.report(error);
      return undefined;
    }
  }
}

function isAllDeleted(chunks: readonly number[], deleted: Intervals): boolean {
  for (let at = 0; at < chunks.length; at += 3) if (!isCovered(deleted, chunks[at]!, chunks[at + 1]!)) return false;
  return true;
}

class BlockSeries implements Series {
  readonly labels: Labels;
  readonly #block: BlockSource;
  /** First time, last time and place of each chunk. */
  readonly #chunks: readonly number[];
  readonly #deleted: Intervals | undefined;

  constructor(block: BlockSource, labels: Labels, chunks: readonly number[], deleted: Intervals | undefined) {
    this.#block = block;
    this.labels = labels;
    this.#chunks = chunks;
    this.#deleted = deleted;
  }

  read(into: Columns, start: number, end: number): void {
    const { chunks, decoder, report } = this.#block;
    const deleted = this.#deleted;
    for (let at = 0; at < this.#chunks.length; at += 3) {
      const first = this.#chunks[at]!;
      const last = this.#chunks[at + 1]!;
      if (first > end || last < start) continue;
      const place = this.#chunks[at + 2]!;
      try {
        chunks.find(place);
      } catch (error) {
        if (!(error instanceof Damage)) throw error;
        report(error);
        continue;
      }
      const row = into.length;
      const fault = decoder.read(chunks, into, start, end);
      if (fault !== undefined) report(chunks.damage(place, CHUNK_FAULTS[fault]));
      if (deleted !== undefined && isTouched(deleted, first, last)) withoutDeleted(into, row, deleted);
    }
  }
}
