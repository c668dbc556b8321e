import type { Fields } from "./fields.ts";

/** What every version of HTTP means by a message (rfc9110#6). Versions differ in how it crosses the wire, never here. */

export type HttpVersion = "HTTP/1.0" | "HTTP/1.1" | "HTTP/2" | "HTTP/3";

/** The control data of a request. `path` is absent only for CONNECT without a protocol (rfc9113#8.5). */
export type RequestHead = {
  readonly version: HttpVersion;
  readonly method: string;
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
  /** Extended CONNECT (rfc8441#4): what the tunnel will speak. */
  readonly protocol?: string;
  readonly fields: Fields;
};

export type ResponseHead = { readonly status: number; readonly fields: Fields };

/** Content that is still arriving. Reading is what lets the peer send more; ending the loop early refuses the rest. */
export type Body = AsyncIterable<Uint8Array> & {
  /** Present once the content has ended; empty where none were sent (rfc9110#6.5). */
  readonly trailers: Promise<Fields>;
  /** The whole content as octets, refused beyond `limit` octets. */
  bytes(limit?: number): Promise<Uint8Array>;
  /** The whole content as UTF-8 text. */
  text(limit?: number): Promise<string>;
};

/** Content to send: all at once, or as it becomes available. */
export type Content = string | Uint8Array | AsyncIterable<Uint8Array | string>;

export type Request = RequestHead & { readonly body: Body };

/** What a handler answers with. */
export type Response = {
  readonly status: number;
  readonly fields?: Iterable<readonly [string, string]>;
  readonly body?: Content;
  /** Sent after the content; a function is asked when the content has ended. */
  readonly trailers?: Iterable<readonly [string, string]> | (() => Iterable<readonly [string, string]>);
};
