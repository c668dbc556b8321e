/** Limits of a page. The defaults are far above normal use. */
export type Limits = {
  /** Octets of a page after decompression; all of it is in memory. A million series of 200 octets are 200 MB. */
  readonly pageOctets: number;
  /** Octets of a line. */
  readonly lineOctets: number;
  /** Samples of a page; each becomes a series, which takes memory. */
  readonly samples: number;
  /** Lines of metadata. */
  readonly metadata: number;
  /** Labels of one series. */
  readonly labels: number;
  /** Octets of a metric or label name. */
  readonly nameOctets: number;
  /** Octets of a label value. */
  readonly valueOctets: number;
  /** Exemplars of a page. */
  readonly exemplars: number;
  /** Buckets of one native histogram: a few octets of spans can claim many. */
  readonly buckets: number;
};

export const DEFAULT_LIMITS: Limits = {
  pageOctets: 268_435_456,
  lineOctets: 1_048_576,
  samples: 2_000_000,
  metadata: 262_144,
  labels: 256,
  nameOctets: 4_096,
  valueOctets: 65_536,
  exemplars: 1_000_000,
  buckets: 65_536,
};
