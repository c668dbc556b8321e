/**
 * Where a reader may be kinder than the specification. Everything is off by default, so that a page is judged by the text; `SCRAPE` is what
 * a server takes from targets that others scrape without complaint.
 */
export type Leniency = {
  /** Families are not looked at: metadata twice or late, lines of a metric apart, buckets out of order, series twice are all let pass. */
  readonly families?: boolean;
  /** The last line may be without its line feed (text format; in OpenMetrics the one behind `# EOF` is optional anyway). */
  readonly unendedLine?: boolean;
  /** A backslash before any other character stands for itself (text format; OpenMetrics has it so). */
  readonly unknownEscapes?: boolean;
  /** A comma may stand behind the last label (OpenMetrics; the text format has it so). */
  readonly trailingComma?: boolean;
  /** `# TYPE` may name a type that the text format does not know (`unknown`, `info`, …), and upper case; such a metric is untyped. */
  readonly otherTypes?: boolean;
};

/** The text of the specification and nothing else: what readers do unless told otherwise. */
export const STRICT: Leniency = {};
/** What the Debian server and those after it take, each of them by design or by habit. */
export const SCRAPE: Leniency = { families: true, unendedLine: true, unknownEscapes: true, trailingComma: true, otherTypes: true };
