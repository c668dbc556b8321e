/** Everything that could otherwise grow without end. Each has a default that honest users do not meet. */
export type StorageLimits = {
  /** Series in memory. */
  readonly series: number;
  /** Labels of one series. */
  readonly labels: number;
  /** Octets of one name or value: those of the published files are 32 bits long, and a megabyte is no label. */
  readonly labelOctets: number;
  /** Octets of one record of the log, after inflation. */
  readonly recordOctets: number;
};

/** What holds where the storage's owner sets nothing else. */
export const DEFAULT_STORAGE_LIMITS: StorageLimits = {
  series: 50_000_000,
  labels: 1_024,
  labelOctets: 1_048_576,
  recordOctets: 1_073_741_824,
};
