/** Optional leniencies, off by default. `SCRAPE` accepts what other servers accept from their targets. */
export type Leniency = {
  /** Does not check families: accepts repeated and late metadata, scattered lines of a metric, unordered buckets and repeated series. */
  readonly families?: boolean;
  /** Accepts a last line without line feed (text format; in OpenMetrics the line feed after `# EOF` is optional anyway). */
  readonly unendedLine?: boolean;
  /** Accepts a backslash before any character (text format; OpenMetrics allows it). */
  readonly unknownEscapes?: boolean;
  /** Accepts a comma after the last label (OpenMetrics; the text format allows it). */
  readonly trailingComma?: boolean;
  /** Accepts types that the text format does not have (`unknown`, `info`, …) and upper case; such a metric is untyped. */
  readonly otherTypes?: boolean;
};

/** No leniency: the default. */
export const STRICT: Leniency = {};
/** What Debian's prometheus and later servers accept. */
export const SCRAPE: Leniency = { families: true, unendedLine: true, unknownEscapes: true, trailingComma: true, otherTypes: true };
