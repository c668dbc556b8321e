import { BLOCK_RANGE, DEFAULT_STORAGE_LIMITS, type StorageLimits } from "../head/index.ts";
import { DEFAULT_RETENTION, type Retention } from "./retention.ts";
import { type LogScan, SEGMENT_OCTETS, type SyncPolicy } from "../wal/index.ts";

/** The options of an open data directory. */
export type DatabaseOptions = {
  /** Fills an array with random octets, for the names of blocks. */
  readonly random: (into: Uint8Array) => Uint8Array;
  /** Milliseconds of the blocks written from memory. */
  readonly blockRange: number;
  /** Milliseconds by which a sample may be older than the newest of all series; 0 refuses late samples. */
  readonly outOfOrderWindow: number;
  readonly retention: Retention;
  /** When the log is synced to disk. With `interval` the owner calls `sync`. */
  readonly walSync: SyncPolicy;
  readonly walSegmentOctets: number;
  /** How much of the log is kept for those that `holdLog` names, in octets, as if all segments were full. */
  readonly walHeldOctets: number;
  /** How the log is read at opening; undefined: in this thread, without reading ahead. */
  readonly scanLog: LogScan | undefined;
  /** Budget of the page cache for blocks, in octets; undefined for the default. */
  readonly pageOctets: number | undefined;
  readonly limits: StorageLimits;
  /** The most exemplars of all series together, in memory; 0 keeps none. */
  readonly exemplars: number;
};

/** The defaults. */
export const DEFAULT_DATABASE_OPTIONS: Readonly<Omit<DatabaseOptions, "random">> = {
  blockRange: BLOCK_RANGE,
  outOfOrderWindow: 0,
  retention: DEFAULT_RETENTION,
  walSync: "interval",
  walSegmentOctets: SEGMENT_OCTETS,
  walHeldOctets: 8 * 2 ** 30,
  scanLog: undefined,
  pageOctets: undefined,
  limits: DEFAULT_STORAGE_LIMITS,
  exemplars: 100_000,
};
