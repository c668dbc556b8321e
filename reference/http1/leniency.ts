/** Optional leniencies towards real software, all off by default: two parsers that differ in one allow request smuggling. */
export type Leniency = {
  /** LF alone ends a line (allowed by rfc9112#2.2). */
  readonly bareLf: boolean;
  /** CR within a line counts as a space (rfc9112#2.2). */
  readonly bareCr: boolean;
  /** A line that begins with white space continues the field before it; a space replaces the fold (rfc9112#5.2). */
  readonly obsFold: boolean;
  /** White space between a field name and its colon is removed (rfc9112#5.1 allows that to proxies, in responses). */
  readonly spaceBeforeColon: boolean;
  /** HTTP/1.1 requests without Host are accepted, with an empty authority. */
  readonly missingHost: boolean;
  /** Several equal values of Content-Length count as one (rfc9112#6.3). */
  readonly repeatedLength: boolean;
  /** Transfer-Encoding overrides Content-Length; the connection closes after the message (rfc9112#6.1, #6.3). */
  readonly lengthAndCoding: boolean;
  /** White space may follow a chunk size, which some servers pad. */
  readonly spaceAfterChunkSize: boolean;
  /** A request target may contain octets that a URI must escape, such as quotes, braces, and octets above 0x7f. */
  readonly rawTarget: boolean;
  /** A status line may end after the status code, without the space before an empty reason (rfc9112#4). */
  readonly statusWithoutSpace: boolean;
};

export const STRICT: Leniency = {
  bareLf: false,
  bareCr: false,
  obsFold: false,
  spaceBeforeColon: false,
  missingHost: false,
  repeatedLength: false,
  lengthAndCoding: false,
  spaceAfterChunkSize: false,
  rawTarget: false,
  statusWithoutSpace: false,
};
