import type { Vector } from "../../load.ts";
import type { WrittenHistogram } from "./kinds.ts";

/** A float as text: `NaN`, `+Inf`, `-Inf`, `-0`, `stale`, or a number; or the name of a histogram of the vector. */
export type LifeValue = string | number;
export type LifeRow = readonly [series: string, time: number, value: LifeValue];
export type LifeMatcher = readonly [name: string, operator: "=" | "!=" | "=~" | "!~", value: string];
/** The samples of a series; of many, their number, the first, the last and the CRC-32 of their lines `time value\n`. */
export type LifeSamples =
  | readonly (readonly [time: number, value: LifeValue])[]
  | {
      readonly count: number;
      readonly first: readonly [number, LifeValue];
      readonly last: readonly [number, LifeValue];
      readonly crc32: number;
    };
export type LifeAnswer = Readonly<Record<string, LifeSamples>>;
export type LifeRange = { readonly from?: number; readonly to?: number };

export type LifeStep =
  /** Appends rows in one batch. `refused`: the rows that are not taken, with the reason. */
  | {
      readonly do: "append";
      readonly rows: readonly LifeRow[];
      readonly refused?: readonly (readonly [row: number, reason: string])[];
      readonly rollback?: true;
    }
  /** One batch for each time from `from` to `to`. The value of sample n of series k: n times `step`, modulo `modulo`, plus k. */
  | {
      readonly do: "fill";
      readonly series: readonly string[];
      readonly from: number;
      readonly to: number;
      readonly every: number;
      readonly step: number;
      readonly modulo: number;
      /** Maintains the storage after each batch. */
      readonly compact?: true;
    }
  | ({ readonly do: "query"; readonly match: readonly LifeMatcher[]; readonly answer: LifeAnswer } & LifeRange)
  /** Opens a view of everything, or reads it later. */
  | { readonly do: "view" }
  | { readonly do: "viewed"; readonly answer: LifeAnswer }
  | { readonly do: "names"; readonly match: readonly LifeMatcher[]; readonly names: readonly string[] }
  | { readonly do: "values"; readonly name: string; readonly match: readonly LifeMatcher[]; readonly values: readonly string[] }
  | ({ readonly do: "delete"; readonly match: readonly LifeMatcher[] } & LifeRange)
  | { readonly do: "compact" | "flush" | "clean"; readonly now: number; readonly reports?: number }
  /** Copies the storage into another directory and opens that one instead. */
  | { readonly do: "snapshot"; readonly now: number; readonly withHead: boolean }
  /** Closes and opens; or ends without closing, and opens what is on disk. */
  | { readonly do: "restart" | "kill" }
  /** The blocks by time: times, series, samples, chunks, level of compaction; `tombstones` counts deleted ranges, `created` is the time in its name. */
  | { readonly do: "blocks"; readonly blocks: readonly LifeBlock[] }
  /** The counts and times of what is in memory. */
  | { readonly do: "stats"; readonly stats: LifeStats; readonly tables?: LifeTables }
  /** Changes a file of the closed storage, the first whose path fits, and opens it: that many reports name the file. */
  | {
      readonly do: "damage";
      readonly file: string;
      /** From the beginning, or if negative from the end. */
      readonly at?: number;
      readonly xor?: number;
      readonly cut?: number;
      readonly add?: string;
      readonly reports: number;
    };
export type LifeBlock = {
  readonly minTime: number;
  readonly maxTime: number;
  readonly series: number;
  readonly samples: number;
  readonly chunks: number;
  readonly level: number;
  readonly tombstones?: number;
  readonly created?: number;
};
/** Series, labels that differ, chunks, samples in order, and the first and last time; after everything was written into blocks, the end of the last. */
export type LifeStats = {
  readonly series: number;
  readonly pairs: number;
  readonly chunks: number;
  readonly samples: number;
  readonly minTime: number;
  readonly maxTime: number;
};
/** The `limit` highest counts of each table, by count and name: series by metric name, values by label, octets of values by label, series by label and value. */
export type LifeTables = { readonly limit: number } & Readonly<Record<"names" | "values" | "octets" | "pairs", readonly (readonly [name: string, count: number])[]>>;
/** Schema: tsdb-life-v1. */
export type LifeVector = Vector & {
  readonly options: {
    readonly blockRange: number;
    readonly window: number;
    readonly retentionMs: number;
    readonly retentionOctets: number;
    readonly segmentOctets: number;
  };
  readonly series: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly histograms?: Readonly<Record<string, WrittenHistogram>>;
  readonly steps: readonly LifeStep[];
};
