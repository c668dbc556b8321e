import { BLOCK_RANGE, DEFAULT_STORAGE_LIMITS, type StorageLimits } from "../head/index.ts";
import { DEFAULT_RETENTION, type Retention } from "./retention.ts";
import { type LogScan, SEGMENT_OCTETS, type SyncPolicy } from "../wal/index.ts";

/** How a data directory is written and kept, for as long as it is open. */
export type DatabaseOptions = {
  /** Fills with random octets: the names of blocks end in them. */
  readonly random: (into: Uint8Array) => Uint8Array;
  /** Milliseconds of the blocks that are written from memory. */
  readonly blockRange: number;
  /** Milliseconds by which a sample may be older than the newest of all; 0 takes samples in order only. */
  readonly outOfOrderWindow: number;
  readonly retention: Retention;
  /** When the log is pushed to the disk itself. With `interval` the owner calls `sync`. */
  readonly walSync: SyncPolicy;
  readonly walSegmentOctets: number;
  /** How the segments of the log are read when the directory is opened; undefined: one after the other, as they are replayed. */
  readonly scanLog: LogScan | undefined;
  /** Octets of blocks that are kept in memory; undefined for the default. */
  readonly pageOctets: number | undefined;
  readonly limits: StorageLimits;
};

/** All but what has no default. */
export const DEFAULT_DATABASE_OPTIONS: Omit<DatabaseOptions, "random"> = {
  blockRange: BLOCK_RANGE,
  outOfOrderWindow: 0,
  retention: DEFAULT_RETENTION,
  walSync: "interval",
  walSegmentOctets: SEGMENT_OCTETS,
  scanLog: undefined,
  pageOctets: undefined,
  limits: DEFAULT_STORAGE_LIMITS,
};
