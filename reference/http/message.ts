import type { Fields } from "./fields.ts";

/** Messages as all versions of HTTP understand them (rfc9110#6), whatever their form on the wire. */

export type HttpVersion = "HTTP/1.0" | "HTTP/1.1" | "HTTP/2" | "HTTP/3";

/** The control data of a request. `path` is empty only for CONNECT without a protocol (rfc9113#8.5). */
export type RequestHead = {
  readonly version: HttpVersion;
  readonly method: string;
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
  /** Extended CONNECT (rfc8441#4): the protocol of the tunnel. */
  readonly protocol?: string;
  readonly fields: Fields;
};

export type ResponseHead = { readonly status: number; readonly fields: Fields };

/** Content that is still arriving. Reading it lets the peer send more; leaving the loop early refuses the rest. */
export type Body = AsyncIterable<Uint8Array> & {
  /** Resolves when the content has ended; empty without trailers (rfc9110#6.5). */
  readonly trailers: Promise<Fields>;
  /** The whole content as octets; rejects if it exceeds `limit` octets. */
  bytes(limit?: number): Promise<Uint8Array>;
  /** The whole content as UTF-8 text. */
  text(limit?: number): Promise<string>;
};

/** Content to send, whole or as it becomes available. */
export type Content = string | Uint8Array | AsyncIterable<Uint8Array | string>;

export type Request = RequestHead & { readonly body: Body };

/** What a handler returns. */
export type Response = {
  readonly status: number;
  readonly fields?: Iterable<readonly [string, string]>;
  readonly body?: Content;
  /** Sent after the content; a function is called once the content has ended. */
  readonly trailers?: Iterable<readonly [string, string]> | (() => Iterable<readonly [string, string]>);
};
