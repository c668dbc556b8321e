import type { ConnectionInfo } from "../http/index.ts";
import type { MetadataEntry } from "./metadata.ts";

/** Metadata to send: entries in their order, or an object. Names that end in `-bin` hold octets (rpc-http2#requests). */
export type MetadataInit = Iterable<MetadataEntry> | Readonly<Record<string, string | Uint8Array>>;

/** Received metadata. */
export interface Metadata extends Iterable<MetadataEntry> {
  /** The first value with this name; text, or octets if the name ends in `-bin`. */
  get(name: string): string | Uint8Array | undefined;
  /** All values with this name, in their order. */
  all(name: string): readonly (string | Uint8Array)[];
}

/** A call in its handler, besides its messages. */
export interface ServerCall {
  readonly path: string;
  readonly metadata: Metadata;
  /** Aborts when the client cancels the call, when its deadline passes, and when the connection ends. */
  readonly signal: AbortSignal;
  /** When the call has to end, as `performance.now()` counts; undefined without a deadline. */
  readonly deadline: number | undefined;
  readonly connection: ConnectionInfo;
  /** Sends headers with metadata now; otherwise they leave with the first message. Once, before any message. */
  sendHeaders(metadata?: MetadataInit): void;
  /** Sets the metadata of the trailers. */
  setTrailers(metadata: MetadataInit): void;
  /** Compresses the following messages, or not: by default as the server is configured. Without effect if the client accepts no encoding. */
  compress(on: boolean): void;
  /** Makes a call to another server part of this one: it is cancelled with this call, and inherits what is left of its deadline. */
  readonly downstream: { readonly signal: AbortSignal; readonly deadline: number | undefined };
}

/** Options of one call. */
export type CallOptions = {
  readonly metadata?: MetadataInit;
  /** Milliseconds for the whole call; then its status is DEADLINE_EXCEEDED. Unlimited by default. */
  readonly timeoutMs?: number;
  /** The same as a time of `performance.now()`; the earlier of both counts. */
  readonly deadline?: number | undefined;
  /** Cancels the call: its status is CANCELLED. */
  readonly signal?: AbortSignal;
  /** The encoding of the messages: `gzip`, `deflate`, `zstd`. Uncompressed by default. */
  readonly encoding?: string;
  /** Waits for a connection instead of failing with UNAVAILABLE. */
  readonly waitForReady?: boolean;
  /** Called when the headers of the response arrive. */
  readonly onHeaders?: (metadata: Metadata) => void;
  /** Called with the metadata of the trailers, whatever the status. */
  readonly onTrailers?: (metadata: Metadata) => void;
};
