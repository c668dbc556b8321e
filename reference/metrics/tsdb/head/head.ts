import type { Columns, Histogram, Matcher } from "../../model/index.ts";
import { type Exemplar, ExemplarStore } from "../../storage/index.ts";
import { HeadChunks } from "./chunks.ts";
import { Deletions } from "./deletions.ts";
import { selectRows } from "./select.ts";
import { Views } from "./isolation.ts";
import { DEFAULT_STORAGE_LIMITS, type StorageLimits } from "./limits.ts";
import { LateSamples } from "./out-of-order.ts";
import { Postings } from "./postings.ts";
import { SeriesTable } from "./series-table.ts";

/** The time range of blocks, and what the head accepts. */
export type HeadOptions = {
  /** Milliseconds of a block; chunks end at its multiples. */
  readonly blockRange: number;
  /** Milliseconds by which a sample may be older than the newest of all series; 0 refuses late samples (Prometheus docs, storage.md). */
  readonly outOfOrderWindow: number;
  readonly limits: StorageLimits;
  /** The most exemplars of all series together. */
  readonly exemplars: number;
};

/** Two hours (Prometheus docs, storage.md, "On-disk layout"). */
export const BLOCK_RANGE: number = 2 * 3_600_000;
const DEFAULT_HEAD_OPTIONS: HeadOptions = {
  blockRange: BLOCK_RANGE,
  outOfOrderWindow: 0,
  limits: DEFAULT_STORAGE_LIMITS,
  exemplars: 100_000,
};

/** What happens to a sample. */
export const VERDICT = { next: 0, same: 1, late: 2, duplicate: 3, outOfOrder: 4, outOfBounds: 5, tooOld: 6 } as const;
/** A number, because there is one for each sample. */
export type Verdict = (typeof VERDICT)[keyof typeof VERDICT];

/**
 * The newest samples, in memory. It writes no file: samples come in through `append.ts` and the log's `replay.ts`, and are read through `series.ts`.
 *
 * `judge` and `take` have five positional parameters because they run for each sample.
 */
export class Head {
  readonly options: HeadOptions;
  readonly table: SeriesTable = new SeriesTable();
  readonly chunks: HeadChunks;
  readonly late: LateSamples = new LateSamples();
  readonly views: Views = new Views();
  readonly deletions: Deletions = new Deletions();
  readonly postings: Postings;
  readonly exemplars: ExemplarStore;
  /** Series from this row on are not in the log yet. */
  logged = 0;
  /** Number of stored batches. */
  commits = 0;
  /** Times of the first and the last sample. */
  minTime = Infinity;
  maxTime = -Infinity;
  /** Called with the row of each series before it is dropped. */
  onDropped: ((row: number) => void) | undefined;
  /** Older samples are in blocks. */
  floor = -Infinity;

  constructor(options: Partial<HeadOptions> = {}) {
    this.options = { ...DEFAULT_HEAD_OPTIONS, ...options };
    this.chunks = new HeadChunks(this.table, this.options.blockRange);
    this.postings = new Postings(this.table);
    this.exemplars = new ExemplarStore(this.options.exemplars);
  }

  /** Samples from this time on are accepted: it excludes times that are in a block or may soon be written into one. */
  appendFloor(): number {
    return Math.max(this.floor, this.maxTime - this.options.blockRange / 2);
  }

  /** Checks a sample (Prometheus docs, storage.md). `floor`: samples in order are accepted from this time on. */
  // oxlint-disable-next-line max-params -- called for each sample
  judge(row: number, time: number, high: number, low: number, floor: number): Verdict {
    const window = this.options.outOfOrderWindow;
    if (time >= floor) {
      const last = this.table.lastTime(row);
      if (time > last) return VERDICT.next;
      if (time === last) return this.#sameAsLast(row, high, low) ? VERDICT.same : VERDICT.duplicate;
    }
    if (time < floor && window === 0) return VERDICT.outOfBounds;
    return this.judgeLate(row, time, high, low);
  }

  /** Checks a sample that is not newer than the last of its series. */
  judgeLate(row: number, time: number, high: number, low: number): Verdict {
    const window = this.options.outOfOrderWindow;
    if (window === 0) return VERDICT.outOfOrder;
    if (time < this.maxTime - window) return VERDICT.tooOld;
    const known = this.late.compare(row, time, high, low);
    return known === "none" ? VERDICT.late : known === "same" ? VERDICT.same : VERDICT.duplicate;
  }

  /** Stores a float if it is `next` or `late`. */
  // oxlint-disable-next-line max-params -- called for each sample
  take(row: number, time: number, high: number, low: number, floor: number): Verdict {
    const isNext = time > this.table.lastTime(row) && time >= floor;
    const verdict = isNext ? VERDICT.next : this.judge(row, time, high, low, floor);
    if (isNext) this.takeNext(row, time, high, low);
    else if (verdict === VERDICT.late) this.takeLate(row, time, high, low);
    return verdict;
  }

  /** Stores a float that is newer than the last sample of its series. */
  takeNext(row: number, time: number, high: number, low: number): void {
    if (!this.views.isEmpty) this.views.note(row, this.table.lastTime(row));
    this.chunks.append(row, time, high, low);
    this.#widen(time);
  }

  /** Adds a complete chunk from `HeadChunks.lay`, newer than the last sample of its series. Returns its number of samples. */
  takeChunk(row: number, slot: number): number {
    const { pool } = this.chunks;
    this.chunks.adopt(row, slot);
    this.#widen(pool.firstTime(slot));
    this.#widen(pool.lastTime(slot));
    return pool.samplesOf(slot);
  }

  takeLate(row: number, time: number, high: number, low: number): void {
    this.late.add(row, time, high, low);
    this.#widen(time);
  }

  /** Appends the samples in order of a series, from `start` to `end`. */
  read(row: number, into: Columns, start: number, end: number): void {
    this.chunks.read(row, into, start, end);
  }

  select(matchers: readonly Matcher[], rows = this.table.count): Uint32Array {
    return selectRows(this.table, this.postings, matchers, rows);
  }

  /** Whether a series has samples. */
  hasAny(row: number): boolean {
    return !this.chunks.isEmpty(row) || this.late.has(row);
  }

  /** Time of the first sample of a series; `Infinity` if it has none. */
  firstTime(row: number): number {
    return Math.min(this.chunks.firstTime(row), this.late.firstTime(row));
  }

  lastTime(row: number): number {
    return Math.max(this.chunks.isEmpty(row) ? -Infinity : this.table.lastTime(row), this.late.lastTime(row));
  }

  /** Whether a series may have samples from `start` to `end`. */
  overlaps(row: number, start: number, end: number): boolean {
    if (this.late.has(row)) return true;
    return this.table.lastTime(row) >= start && this.chunks.beginsBy(row, end);
  }

  /** Drops samples before `time`, in whole chunks, and then empty series, except those that `keeps` names. Waits until no reader is open. */
  truncate(time: number, keeps: (row: number) => boolean = () => false): void {
    this.floor = Math.max(this.floor, time);
    this.views.whenEmpty(() => this.#truncate(time, keeps));
  }

  #truncate(time: number, keeps: (row: number) => boolean): void {
    const { table, late } = this;
    let minTime = Infinity;
    let isAnyGone = false;
    const gone = new Uint8Array(table.count);
    for (let row = 0; row < table.count; row++) {
      minTime = Math.min(minTime, this.chunks.dropBefore(row, time));
      late.dropBefore(row, time);
      if (this.hasAny(row) || row >= this.logged || table.pending[row] !== 0 || keeps(row)) continue;
      gone[row] = 1;
      isAnyGone = true;
    }
    this.minTime = Math.min(minTime, late.minTime());
    if (table.count === 0 || this.minTime === Infinity) this.maxTime = Math.max(this.maxTime, time);
    this.deletions.dropBefore(time);
    if (isAnyGone) this.#dropSeries(gone);
  }

  #dropSeries(gone: Uint8Array): void {
    const { table } = this;
    let logged = this.logged;
    for (let row = 0; row < gone.length; row++) {
      if (gone[row] !== 1) continue;
      this.deletions.drop(table.refOf(row));
      this.onDropped?.(row);
      logged--;
    }
    table.keepOnly(
      (row) => gone[row] !== 1,
      (from, to) => {
        this.late.move(from, to);
        this.chunks.move(from, to);
      },
    );
    this.logged = logged;
    this.postings.forget();
  }

  /** As `judge`; late histograms are refused. */
  judgeHistogram(row: number, time: number, histogram: Histogram, floor: number): Verdict {
    if (time < floor) return VERDICT.outOfBounds;
    const last = this.table.lastTime(row);
    if (time > last) return VERDICT.next;
    if (time < last) return VERDICT.outOfOrder;
    const known = this.chunks.lastHistogram(row);
    return known !== undefined && JSON.stringify(known) === JSON.stringify(histogram) ? VERDICT.same : VERDICT.duplicate;
  }

  /** As `take`. */
  takeHistogram(row: number, time: number, histogram: Histogram, floor: number): Verdict {
    const verdict = this.judgeHistogram(row, time, histogram, floor);
    if (verdict !== VERDICT.next) return verdict;
    if (!this.views.isEmpty) this.views.note(row, this.table.lastTime(row));
    this.chunks.appendHistogram(row, time, histogram);
    this.#widen(time);
    return verdict;
  }

  /** Keeps an exemplar of a series, if it is new. */
  takeExemplar(ref: number, exemplar: Exemplar): void {
    const row = this.table.rowOf(ref);
    if (row >= 0) this.exemplars.add(this.table.labels(row), exemplar);
  }

  #widen(time: number): void {
    if (time < this.minTime) this.minTime = time;
    if (time > this.maxTime) this.maxTime = time;
  }

  #sameAsLast(row: number, high: number, low: number): boolean {
    const { states } = this.table;
    return states.highs[row] === (high | 0) && states.lows[row] === (low | 0);
  }
}
