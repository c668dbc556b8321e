import type { Matcher } from "../model/index.ts";
import type { Expr, QueryResult, Work } from "../promql/index.ts";
import type { Queryable } from "../storage/index.ts";
import type { StorageStats } from "../tsdb/index.ts";

/** What the interface needs of the server that it stands in front of; each part is as narrow as its use. */

/** What may be done to a storage from outside, where that is allowed. */
export interface Administration {
  /** Samples of the series within the times are gone for queries at once. */
  deleteSeries(matchers: readonly Matcher[], start: number, end: number): void;
  /** Writes a copy that a server can be started on; gives its name within the data directory's `snapshots`. */
  snapshot(skipHead: boolean): string;
  cleanTombstones(): void;
}

/** What is told of a block (Prometheus docs, querying/api.md, "TSDB Blocks"); times in milliseconds since 1970, `maxTime` behind its last sample. */
export type BlockStatus = {
  readonly ulid: string;
  readonly minTime: number;
  readonly maxTime: number;
  readonly stats: { readonly numSamples: number; readonly numSeries: number; readonly numChunks: number };
  readonly compaction: { readonly level: number; readonly sources: readonly string[] };
  readonly version: number;
};

/** What is known of a metric by what exposed it. */
export type Metadata = { readonly type: string; readonly help: string; readonly unit: string };

/** A query whose text and parameters were found right, as the interface hands it on. */
export type QueryTask = {
  readonly expr: Expr;
  /** Milliseconds since 1970; an instant query has one step, of 0. */
  readonly startMs: number;
  readonly endMs: number;
  readonly stepMs: number;
  /** Below the server's own. */
  readonly timeoutMs: number | undefined;
  /** In place of the server's own. */
  readonly lookbackMs: number | undefined;
  /** Whether the samples that are looked at are counted. */
  readonly countSamples: boolean;
  /** Ends when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
};

/** Seconds that a query took, by what it did. */
export type Timings = { readonly evalTotalTime: number; readonly execQueueTime: number; readonly execTotalTime: number };

/** Evaluates expressions within limits of time, of memory and of how many run at once; rejects with a `QueryFailure` beyond them. */
export type RunQuery = (task: QueryTask) => Promise<{ readonly result: QueryResult; readonly timings: Timings }>;

/** Does other work bit by bit, with turns for others in between; rejects with a `QueryFailure` beyond the server's time, or when `signal` ends it. */
export type RunWork = <T>(work: Work<T>, signal: AbortSignal) => Promise<T>;

/** All that the routes ask of the server; functions are called anew for each request. */
export type ApiParts = {
  readonly run: RunQuery;
  readonly work: RunWork;
  readonly storage: Queryable;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** How much there is of what: so many entries in each table. */
  readonly stats: (limit: number) => StorageStats;
  readonly blocks: () => readonly BlockStatus[];
  /** By metric, each with what its targets say of it. */
  readonly metadata: () => ReadonlyMap<string, readonly Metadata[]>;
  /** Undefined where administration is not enabled. */
  readonly admin: Administration | undefined;
  readonly status: {
    /** The configuration as YAML. */
    readonly config: () => string;
    readonly flags: () => Readonly<Record<string, string>>;
    readonly build: () => Readonly<Record<string, string>>;
    readonly runtime: () => Readonly<Record<string, unknown>>;
  };
};
