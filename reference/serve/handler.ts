import type { Duplex } from "node:stream";
import type { Exchange as AnyExchange, FieldsInit, Request, Response } from "../http/index.ts";

/** A connection after a switch to another protocol. */
export type Switched = {
  /** Paused; its new user listens for errors. */
  readonly socket: Duplex;
  /** Octets of the new protocol that have already arrived: read them before the socket. */
  readonly rest: Uint8Array;
};

/** Supports graceful shutdown. */
export interface Closable {
  shutdown(): void;
}

/** What a handler can do besides answering, including work with sockets. */
export interface Exchange extends AnyExchange {
  /** Shut down when the server begins to close: work that would not end by itself adds itself here, and removes itself at its end. */
  readonly closing: Set<Closable>;
  /**
   * Answers Upgrade with 101, or CONNECT with 2xx, and hands over the socket after that (rfc9110#7.8, rfc9110#9.3.6). The handler
   * returns the result. An HTTP/2 connection cannot switch: there a tunnel is the content of both messages.
   */
  switchTo(status: number, fields: FieldsInit | undefined, take: (switched: Switched) => void): Response;
}

/** Answers one request. If it throws, the answer is 500 and `onError` is called. */
export type Handler = (request: Request, exchange: Exchange) => Response | Promise<Response>;
