import type { ErrorCode, StreamId } from "../http2/index.ts";
import type { FieldsInit, Request, Response } from "../http/index.ts";
import type { ConnectionInfo } from "./connection-info.ts";

/** What a handler may do besides answering. */
export interface Exchange {
  /** Ends when the client resets the stream or goes away: nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  readonly connection: ConnectionInfo;
  /** The identifier of the stream (rfc9113#5.1.1). */
  readonly stream: StreamId;
  /** Sends an interim response before the final one, for example 103 with Link (rfc9110#15.2, rfc8297). */
  early(status: number, fields?: FieldsInit): void;
  /** Promises a response that the client has not asked for (rfc9113#8.4); false where it does not want any. */
  push(request: PushedRequest, response: Response): boolean;
  /** Ends the stream with a code instead of an answer. */
  reset(code: ErrorCode): void;
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
