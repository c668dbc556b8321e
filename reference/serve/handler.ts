import type { Duplex } from "node:stream";
import type { Exchange as AnyExchange, FieldsInit, Request, Response } from "../http/index.ts";

/** A connection that speaks something else from now on. */
export type Switched = {
  /** Paused; whoever takes it listens for its errors. */
  readonly socket: Duplex;
  /** What the peer has sent of the other protocol already: to be read before the socket. */
  readonly rest: Uint8Array;
};

/** Ends in good order when it is told to. */
export interface Leaver {
  shutdown(): void;
}

/** What a handler may do besides answering, here where there are sockets. */
export interface Exchange extends AnyExchange {
  /** Those that are told when the server begins to close: answers that would not end by themselves. Whoever is over takes itself out. */
  readonly closing: Set<Leaver>;
  /**
   * Answers 101 to an Upgrade, or 2xx to CONNECT, and hands the socket over once that is sent (rfc9110#7.8, rfc9110#9.3.6). What it
   * returns is for the handler to return. In HTTP/2 a connection cannot switch: there a tunnel is the content of both messages.
   */
  switchTo(status: number, fields: FieldsInit | undefined, take: (switched: Switched) => void): Response;
}

/** Answers one request. What it throws becomes a 500, and goes to `onError`. */
export type Handler = (request: Request, exchange: Exchange) => Response | Promise<Response>;
