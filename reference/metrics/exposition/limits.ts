/** Everything that a page could otherwise ask for without end. Each has a default that honest pages do not meet. */
export type Limits = {
  /** Octets of a page, after decompression: it is kept whole while it is read. A million series of 200 octets are 200 MB. */
  readonly pageOctets: number;
  /** Octets of a line: whoever reads a message about it has to see it. */
  readonly lineOctets: number;
  /** Samples of a page: each becomes a series, which costs memory for as long as it is kept. */
  readonly samples: number;
  /** Lines of metadata, each of which is remembered by its place. */
  readonly metadata: number;
  /** Labels of one series: they are compared with each other. */
  readonly labels: number;
  /** Octets of the name of a metric or a label. */
  readonly nameOctets: number;
  /** Octets of the value of a label: index files hold lengths of values in memory. */
  readonly valueOctets: number;
  /** Exemplars of a page. */
  readonly exemplars: number;
  /** Buckets of one native histogram: spans say how many, in a few octets. */
  readonly buckets: number;
};

/** What holds where the reader's owner sets nothing else. */
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
