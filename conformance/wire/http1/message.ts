/** HTTP/1.1 messages as the lenient reader reports them, with their oddities. */

/** A kind of oddity; the monitors of the HTTP/1.1 suite look for them. */
export type OddityKind =
  /** Of the start line. */
  | "start line"
  | "version"
  | "status"
  /** A line that ends in LF alone; a CR without LF. */
  | "line end"
  | "bare cr"
  | "field line"
  | "field name"
  | "field value"
  | "fold"
  | "space before colon"
  /** Two lengths, an invalid one, or one where none is allowed; the same for codings. */
  | "length"
  | "coding"
  | "chunk"
  | "trailer"
  /** Octets that are not part of any message. */
  | "garbage"
  /** The connection ended inside a message. */
  | "truncated";

export type Oddity = { readonly kind: OddityKind; readonly words: string };

/** A field as it came: `value` without surrounding white space, `line` without the line end only. */
export type RawField = { readonly name: string; readonly value: string; readonly line: string };

/** How the end of the content is determined. `close`: by the end of the connection. `tunnel`: never, the following octets are another protocol. */
export type Framing = "length" | "chunked" | "close" | "none" | "tunnel";

/** A chunk; `line` is the one with its size. */
export type Chunk = { readonly size: number; readonly extension: string; readonly line: string };

/** A message with a complete head; it grows until it is `complete`. */
export type ReadMessage = {
  /** The start line without its line end. */
  readonly start: string;
  /** `HTTP/1.1`, or the text in its place. */
  readonly version: string;
  readonly fields: readonly RawField[];
  readonly framing: Framing;
  /** The content so far, chunks joined. */
  readonly content: Uint8Array;
  readonly chunks: readonly Chunk[];
  readonly trailers: readonly RawField[];
  /** Whether the end of the content has arrived. */
  readonly complete: boolean;
  readonly oddities: readonly Oddity[];
  /** The offsets on the connection of its start, of the end of its head, and of its end so far. */
  readonly from: number;
  readonly headEnd: number;
  readonly to: number;
};

export type ReadRequest = ReadMessage & { readonly method: string; readonly target: string };
export type ReadResponse = ReadMessage & {
  readonly status: number;
  readonly reason: string;
  /** The method of the request that it answers, if known. */
  readonly method: string;
  /** The 1xx responses before it. */
  readonly interim: readonly ReadResponse[];
};

/** The values of a field, in order. */
export const valuesOf = (fields: readonly RawField[], name: string): string[] =>
  fields.filter((one) => one.name.toLowerCase() === name.toLowerCase()).map(({ value }) => value);
export const valueOf = (fields: readonly RawField[], name: string): string | undefined => valuesOf(fields, name)[0];
/** The members of a list-valued field, in lower case. */
export const membersOf = (fields: readonly RawField[], name: string): string[] =>
  valuesOf(fields, name)
    .flatMap((value) => value.split(","))
    .map((member) => member.trim().toLowerCase())
    .filter((member) => member !== "");
