import type { FieldsInit } from "./fields.ts";
import type { Request, Response } from "./message.ts";

/** What a server hands to its handlers, whatever version of HTTP the client speaks. */

/**
 * Why an exchange is given up, in HTTP/2's names (rfc9113#7); HTTP/3 has the same ones with a prefix (rfc9114#8.1). HTTP/1.1 has none to
 * tell, and drops the connection.
 */
export type ResetCode =
  | "NO_ERROR"
  | "PROTOCOL_ERROR"
  | "INTERNAL_ERROR"
  | "REFUSED_STREAM"
  | "CANCEL"
  | "CONNECT_ERROR"
  | "ENHANCE_YOUR_CALM"
  | "INADEQUATE_SECURITY"
  | "HTTP_1_1_REQUIRED"
  | "FLOW_CONTROL_ERROR"
  | "SETTINGS_TIMEOUT"
  | "STREAM_CLOSED"
  | "FRAME_SIZE_ERROR"
  | "COMPRESSION_ERROR";

/** The connection that a request came on. */
export interface ConnectionInfo {
  /** Counts the connections of a server, from 1. */
  readonly id: number;
  readonly remoteAddress: string | undefined;
  readonly remotePort: number | undefined;
  /** What TLS has agreed on; undefined in clear text. */
  readonly tls: { readonly version: string; readonly cipher: string; readonly servername: string | undefined } | undefined;
  /** Takes no further requests, and ends the connection after those that are open (rfc9113#6.8, rfc9112#9.6). */
  shutdown(): void;
  /** Ends the connection at once, with a code where the version has codes. */
  abort(code: ResetCode): void;
  /** Drops the transport without a word. */
  destroy(): void;
}

/** What a handler may do besides answering. */
export interface Exchange {
  /** Ends when the client resets the stream or goes away: nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  readonly connection: ConnectionInfo;
  /** The identifier of the stream (rfc9113#5.1.1); in HTTP/1.1 the count of the request on its connection, from 1. */
  readonly stream: number;
  /** What the client would rather speak on this connection, the best first (rfc9110#7.8); always empty in HTTP/2, which cannot switch. */
  readonly upgrade: readonly string[];
  /** Sends an interim response before the final one, for example 103 with Link (rfc9110#15.2, rfc8297); none towards HTTP/1.0. */
  interim(status: number, fields?: FieldsInit): void;
  /** Promises a response that the client has not asked for (rfc9113#8.4); false where it does not want any. */
  push(request: PushedRequest, response: Response): boolean;
  /** Ends the exchange instead of answering, or of answering to the end. */
  reset(code: ResetCode): void;
}

/** What a promise stands for; what is left out is as in the request that it belongs to. */
export type PushedRequest = {
  readonly path: string;
  readonly method?: "GET" | "HEAD";
  readonly authority?: string;
  readonly fields?: FieldsInit;
};

/** Answers one request. What it throws becomes a 500, and goes to `onError`. */
export type Handler = (request: Request, exchange: Exchange) => Response | Promise<Response>;
