import type { Columns, Histogram, LabelOctets, Labels, Matcher } from "../model/index.ts";
import type { Exemplar, ExemplarVerdict } from "./exemplars.ts";

/**
 * The interface between storages and their users: the query language, scraping and remote write. `tsdb` is one storage, `MemoryStorage` another.
 * All calls are synchronous: memory answers at once, and files are read from the kernel's page cache. Times are integer milliseconds since 1970.
 */

/** A series found by `select`. */
export interface Series {
  readonly labels: Labels;
  /** Appends the samples with `start <= time <= end` to the columns, ascending, stale marks included. */
  read(into: Columns, start: number, end: number): void;
}

/** How the caller will use the series. A storage may read less because of it, but must return the same samples within the range. */
export type SelectHints = {
  /** Return series sorted by labels. */
  readonly sorted?: boolean;
  /** Return at most this many series. */
  readonly limit?: number;
};

/** A consistent view of the storage: it does not show what is appended after it was opened. */
export interface Querier {
  /** Each series that matches all matchers and may have samples from `start` to `end`, once. */
  select(matchers: readonly Matcher[], start: number, end: number, hints?: SelectHints): Iterable<Series>;
  /** The sorted label names of the series that match at least one of the lists of matchers, or of all series if there is no list. */
  labelNames(sets: readonly (readonly Matcher[])[], start: number, end: number): string[];
  labelValues(name: string, sets: readonly (readonly Matcher[])[], start: number, end: number): string[];
  close(): void;
}

export interface Queryable {
  querier(start: number, end: number): Querier;
}

/**
 * Why a sample was refused (Prometheus docs, storage.md). An exact repetition of the last sample is accepted and changes nothing. `unknown series`: the
 * storage has dropped the series; call `series` again for a new number.
 */
export type AppendRefusal =
  | "out of order sample"
  | "duplicate sample for timestamp"
  | "out of bounds"
  | "too old sample"
  | "unknown series";

/** Collects samples of many series; `commit` makes them visible together. */
export interface Appender {
  /** The number of a series for `append`: the same for equal labels, until the storage drops the series. */
  series(labels: Labels): number;
  /** As `series`, from labels that are still octets. */
  seriesOf(labels: LabelOctets): number;
  append(series: number, time: number, value: number): AppendRefusal | undefined;
  appendStale(series: number, time: number): AppendRefusal | undefined;
  appendHistogram(series: number, time: number, histogram: Histogram): AppendRefusal | undefined;
  /** Adds an exemplar if it is new. `ExemplarStore.judge` says what `isTimed` means. */
  appendExemplar(series: number, exemplar: Exemplar, isTimed?: boolean): ExemplarVerdict | "unknown series";
  /** Returns when the records are with the kernel. If writing them throws, nothing is appended and the error is rethrown. */
  commit(): void;
  rollback(): void;
}

export interface Appendable {
  appender(): Appender;
}
