/** What real software sends or takes against the grammar. Each is off unless asked for: two readers that differ in one are a smuggling pair. */
export type Leniency = {
  /** LF alone ends a line (rfc9112#2.2 allows it; what comes before the LF is then taken as it stands). */
  readonly bareLf: boolean;
  /** CR within a line counts as a space (rfc9112#2.2). */
  readonly bareCr: boolean;
  /** A line that begins with white space continues the field before it, with a space in place of the fold (rfc9112#5.2). */
  readonly obsFold: boolean;
  /** White space between a field name and its colon is removed (rfc9112#5.1 allows it to proxies, for responses). */
  readonly spaceBeforeColon: boolean;
  /** HTTP/1.1 requests without Host are taken as of unknown authority. */
  readonly missingHost: boolean;
  /** Content-Length given several times counts once, where all values are the same (rfc9112#6.3). */
  readonly repeatedLength: boolean;
  /** Transfer-Encoding overrides Content-Length; the connection closes after the message (rfc9112#6.1, #6.3). */
  readonly lengthAndCoding: boolean;
  /** White space may stand between a chunk size and the end of its line, as some servers pad it. */
  readonly spaceAfterChunkSize: boolean;
  /** Octets in a request target that no URI has, above 0x7f or like quotes and braces, as clients send them that do not escape. */
  readonly rawTarget: boolean;
  /** A status line may end after the status code, without the space that goes before an empty reason (rfc9112#4). */
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
