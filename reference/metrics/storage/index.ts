import type { Columns, Histogram, LabelOctets, Labels, Matcher } from "../model/index.ts";

export { MemoryStorage } from "./memory.ts";

/**
 * What the query language, scraping and remote write need of a storage; `tsdb` is one, a test's list of samples another. Nothing here waits:
 * memory answers at once, and files are read where they lie in the kernel's cache. Times are whole milliseconds since 1970.
 */

/** A series found by `select`. */
export interface Series {
  readonly labels: Labels;
  /** Appends the samples with `start <= time <= end` to the columns, ascending, stale marks included. */
  read(into: Columns, start: number, end: number): void;
}

/** What a reader will do with a series: a storage may use it to read less, and must give the same samples within the range. */
export type SelectHints = {
  /** Series come sorted by their labels. */
  readonly sorted?: boolean;
  /** At most so many series are wanted. */
  readonly limit?: number;
};

/** One consistent point in time of what is stored: what is appended after it was opened is not seen through it. */
export interface Querier {
  /** The series that match all of the conditions and may have samples from `start` to `end`, each once. */
  select(matchers: readonly Matcher[], start: number, end: number, hints?: SelectHints): Iterable<Series>;
  /** Sorted; of the series that match one of the lists, or of all where there is no list. */
  labelNames(sets: readonly (readonly Matcher[])[], start: number, end: number): string[];
  labelValues(name: string, sets: readonly (readonly Matcher[])[], start: number, end: number): string[];
  close(): void;
}

export interface Queryable {
  querier(start: number, end: number): Querier;
}

/**
 * Why a sample was not taken (Prometheus docs, storage.md). An exact repetition of the last sample is taken, and changes nothing. `unknown series`: the storage keeps the
 * series no longer; `series` gives the number anew.
 */
export type AppendRefusal =
  | "out of order sample"
  | "duplicate sample for timestamp"
  | "out of bounds"
  | "too old sample"
  | "unknown series";

/** Collects samples of many series; they become visible, and are acknowledged, together. */
export interface Appender {
  /** The number by which `append` knows a series: the same for equal labels, as long as the storage keeps the series. */
  series(labels: Labels): number;
  /** As `series`, of labels that nobody made strings of. */
  seriesOf(labels: LabelOctets): number;
  append(series: number, time: number, value: number): AppendRefusal | undefined;
  appendStale(series: number, time: number): AppendRefusal | undefined;
  appendHistogram(series: number, time: number, histogram: Histogram): AppendRefusal | undefined;
  /** Returns once the records are with the kernel; throws what writing them threw, and then nothing was appended. */
  commit(): void;
  rollback(): void;
}

export interface Appendable {
  appender(): Appender;
}
