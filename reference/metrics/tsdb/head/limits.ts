/** Limits on memory. The defaults are far above normal use. */
export type StorageLimits = {
  /** Series in memory. */
  readonly series: number;
  /** Labels of one series. */
  readonly labels: number;
  /** Octets of one name or value. */
  readonly labelOctets: number;
  /** Octets of one record of the log, unpacked. */
  readonly recordOctets: number;
};

export const DEFAULT_STORAGE_LIMITS: StorageLimits = {
  series: 50_000_000,
  labels: 1_024,
  labelOctets: 1_048_576,
  recordOctets: 1_073_741_824,
};
