import type { Matcher } from "../model/index.ts";
import type { Expr, Profile, QueryResult, Work } from "../promql/index.ts";
import type { ExemplarStore, Queryable } from "../storage/index.ts";
import type { StorageStats } from "../tsdb/index.ts";

/** What the query API needs from its server, as narrow interfaces. */

/** Administration of a storage, if it is enabled. */
export interface Administration {
  /** Deletes the samples of the series within the times; queries stop seeing them at once. */
  deleteSeries(matchers: readonly Matcher[], start: number, end: number): void;
  /** Writes a copy that a server can start on; returns its name within `snapshots` of the data directory. */
  snapshot(skipHead: boolean): string;
  cleanTombstones(): void;
}

/** A block as the API shows it (Prometheus docs, querying/api.md, "TSDB Blocks"); times in milliseconds since 1970, `maxTime` exclusive. */
export type BlockStatus = {
  readonly ulid: string;
  readonly minTime: number;
  readonly maxTime: number;
  readonly stats: { readonly numSamples: number; readonly numSeries: number; readonly numChunks: number };
  readonly compaction: { readonly level: number; readonly sources: readonly string[] };
  readonly version: number;
};

/** The metadata that a target exposed for a metric. */
export type Metadata = { readonly type: string; readonly help: string; readonly unit: string };

/** A query whose text and parameters are valid. */
export type QueryTask = {
  readonly expr: Expr;
  /** In milliseconds since 1970; an instant query has one step, and `stepMs` 0. */
  readonly startMs: number;
  readonly endMs: number;
  readonly stepMs: number;
  /** A time limit shorter than that of the server. */
  readonly timeoutMs: number | undefined;
  /** Replaces the look-back of the server. */
  readonly lookbackMs: number | undefined;
  /** Count the samples that the query reads. */
  readonly countSamples: boolean;
  /** Measure each node of the expression; false by default. */
  readonly isExplained?: boolean;
  /** Aborts when the client no longer waits. */
  readonly signal: AbortSignal;
  readonly asked?: Asked;
};

/** What `series` looks for. */
export type SeriesTask = {
  readonly sets: readonly (readonly Matcher[])[];
  readonly start: number;
  readonly end: number;
  readonly signal: AbortSignal;
};
/** What other servers have (Prometheus docs, configuration/configuration.md, `<remote_read>`). */
export interface OtherServers {
  /** A storage with their series too; undefined if none is asked. A server that fails is a warning. */
  series(task: SeriesTask): Promise<{ readonly storage: Queryable; readonly warnings: readonly string[] }> | undefined;
  /** The servers that have samples of these times, but cannot be asked for names and values of labels. */
  withoutLabels(range: { readonly start: number }): readonly string[];
}

/** How a client asked: for a log of queries. */
export type Asked = {
  readonly text: string;
  readonly method: string;
  readonly path: string;
  readonly clientAddress: string | undefined;
};

/** The seconds that the phases of a query took. */
export type Timings = { readonly evalTotalTime: number; readonly execQueueTime: number; readonly execTotalTime: number };

/** Evaluates expressions within limits on time, memory and concurrency; rejects with a `QueryFailure` beyond them. */
export type RunQuery = (task: QueryTask) => Promise<{
  readonly result: QueryResult;
  readonly timings: Timings;
  /** Undefined unless the task asks for it. */
  readonly profile: Profile | undefined;
}>;

/** Runs other work that yields; rejects with a `QueryFailure` beyond the time limit of the server, or when `signal` aborts. */
export type RunWork = <T>(work: Work<T>, signal: AbortSignal) => Promise<T>;

/** A target as the API shows it (Prometheus docs, querying/api.md, "Targets"). */
export type TargetStatus = {
  readonly discoveredLabels: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
  readonly scrapePool: string;
  readonly scrapeUrl: string;
  readonly globalUrl: string;
  readonly lastError: string;
  readonly lastScrape: string;
  /** Seconds. */
  readonly lastScrapeDuration: number;
  readonly health: "unknown" | "up" | "down";
  readonly scrapeInterval: string;
  readonly scrapeTimeout: string;
  /** Not shown with the target. */
  readonly metadata: ReadonlyMap<string, Partial<Metadata>>;
};

/** What one relabelling rule did; `rule` has the names of the configuration, without what is empty. */
export type RelabelStepStatus = {
  readonly rule: Readonly<Record<string, unknown>>;
  readonly output: Readonly<Record<string, string>>;
  readonly keep: boolean;
};

/** The scraping part of a server. */
export interface Scraping {
  /** The work of each rule of a job on the labels of a target; undefined if there is no such job. */
  relabelSteps(pool: string, labels: Readonly<Record<string, string>>): readonly RelabelStepStatus[] | undefined;
  /** A job as YAML, without its secrets; undefined if there is no such job. */
  poolConfig(pool: string): string | undefined;
  active(): readonly TargetStatus[];
  dropped(): readonly { readonly discoveredLabels: Readonly<Record<string, string>>; readonly scrapePool: string }[];
  /** The number of targets that rules dropped, for each job. */
  droppedCounts(): Readonly<Record<string, number>>;
}

/** An active alert as the API shows it (Prometheus docs, querying/api.md, "Alerts"); dates are texts. */
export type AlertStatus = {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly state: string;
  readonly activeAt: string;
  readonly keepFiringSince?: string;
  readonly value: string;
};

/** A rule as the API shows it (Prometheus docs, querying/api.md, "Rules"); lengths of time in seconds. The fields that are optional belong to alerts. */
export type RuleStatus = {
  readonly type: "alerting" | "recording";
  readonly name: string;
  readonly query: string;
  /** As they are written. */
  readonly labels: Readonly<Record<string, string>>;
  readonly health: string;
  readonly lastError: string;
  readonly evaluationTime: number;
  readonly lastEvaluation: string;
  readonly state?: string;
  readonly duration?: number;
  readonly keepFiringFor?: number;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly alerts?: readonly AlertStatus[];
};
export type GroupStatus = {
  readonly name: string;
  readonly file: string;
  readonly rules: readonly RuleStatus[];
  readonly interval: number;
  readonly limit: number;
  readonly evaluationTime: number;
  readonly lastEvaluation: string;
};

/** The rules of a server. */
export interface RuleSource {
  /** By file and name. */
  groups(): readonly GroupStatus[];
  /** The URLs of the alert routers, and of those that rules dropped. */
  routers(): { readonly active: readonly string[]; readonly dropped: readonly string[] };
}

/** Something about the server that an operator should see on its pages (Prometheus docs, querying/api.md, "Active Notifications"). */
export type NotificationStatus = { readonly text: string; readonly date: string; readonly active: boolean };

/** Features by category and name (Prometheus docs, querying/api.md, "Features"). */
export type Features = Readonly<Record<string, Readonly<Record<string, boolean>>>>;

/** Everything that the routes need from the server. Functions are called once for each request. */
export type ApiParts = {
  readonly run: RunQuery;
  readonly work: RunWork;
  readonly storage: Queryable;
  readonly others?: OtherServers;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Cardinality statistics, with `limit` entries in each table. */
  readonly stats: (limit: number) => StorageStats;
  readonly blocks: () => readonly BlockStatus[];
  /** The metadata of each metric, one entry for each distinct claim of its targets. */
  readonly metadata: () => ReadonlyMap<string, readonly Metadata[]>;
  /** Undefined unless administration is enabled. */
  readonly admin: Administration | undefined;
  /** Undefined on a server that does not scrape. */
  readonly scraping?: Scraping | undefined;
  /** The server only passes samples on: it answers no queries. */
  readonly isAgent?: boolean;
  /** Undefined on a server that keeps none. */
  readonly exemplars?: ExemplarStore | undefined;
  /** Undefined on a server without rules. */
  readonly rules?: RuleSource | undefined;
  /** Undefined on a server that has nothing to say. */
  readonly notifications?: (() => readonly NotificationStatus[]) | undefined;
  /** Optional parts of the server, by category; what the query language has is added. */
  readonly features?: Features | undefined;
  readonly status: {
    /** The configuration as YAML. */
    readonly config: () => string;
    readonly flags: () => Readonly<Record<string, string>>;
    readonly build: () => Readonly<Record<string, string>>;
    readonly runtime: () => Readonly<Record<string, unknown>>;
  };
};
