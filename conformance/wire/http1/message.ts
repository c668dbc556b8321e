/** What the lenient reader makes of HTTP/1.1 messages: as they came, and what was odd about them. */

/** A kind of oddity, for the properties that ask about one (`conformance/http1/driver/monitors.ts`). */
export type OddityKind =
  /** The start line, the version in it, the status. */
  | "start line"
  | "version"
  | "status"
  /** A line that ends in LF alone; a CR that no LF follows. */
  | "line end"
  | "bare cr"
  | "field line"
  | "field name"
  | "field value"
  | "fold"
  | "space before colon"
  /** Two statements about the length, one that is no number, one where there must be none; the same of codings. */
  | "length"
  | "coding"
  | "chunk"
  | "trailer"
  /** Octets that belong to no message. */
  | "garbage"
  /** The connection ended inside a message. */
  | "truncated";

export type Oddity = { readonly kind: OddityKind; readonly words: string };

/** A field as it came; `value` without the white space around it, `line` with everything but the line end. */
export type RawField = { readonly name: string; readonly value: string; readonly line: string };

/** How the end of the content is told. `close`: by the end of the connection. `tunnel`: never, the octets that follow are another protocol. */
export type Framing = "length" | "chunked" | "close" | "none" | "tunnel";

/** `line` is what said how long it is. */
export type Chunk = { readonly size: number; readonly extension: string; readonly line: string };

/** A message whose head is whole; it grows until it is `complete`. */
export type ReadMessage = {
  /** The start line without its line end. */
  readonly start: string;
  /** `HTTP/1.1`, or what stood there. */
  readonly version: string;
  readonly fields: readonly RawField[];
  readonly framing: Framing;
  /** What has come of the content, chunks joined. */
  readonly content: Uint8Array;
  readonly chunks: readonly Chunk[];
  readonly trailers: readonly RawField[];
  /** The content has come to its end. */
  readonly complete: boolean;
  readonly oddities: readonly Oddity[];
  /** Where it begins, its head ends and it ends (so far), counted from the first octet of the connection. */
  readonly from: number;
  readonly headEnd: number;
  readonly to: number;
};

export type ReadRequest = ReadMessage & { readonly method: string; readonly target: string };
export type ReadResponse = ReadMessage & {
  readonly status: number;
  readonly reason: string;
  /** The method of the request that it answers, as far as is known. */
  readonly method: string;
  /** What came before it with a status of 1xx. */
  readonly interim: readonly ReadResponse[];
};

/** The values of a field, in order. */
export const valuesOf = (fields: readonly RawField[], name: string): string[] =>
  fields.filter((one) => one.name.toLowerCase() === name.toLowerCase()).map(({ value }) => value);
export const valueOf = (fields: readonly RawField[], name: string): string | undefined => valuesOf(fields, name)[0];
/** The members of a field that is a list, in lower case. */
export const membersOf = (fields: readonly RawField[], name: string): string[] =>
  valuesOf(fields, name)
    .flatMap((value) => value.split(","))
    .map((member) => member.trim().toLowerCase())
    .filter((member) => member !== "");
