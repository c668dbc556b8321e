import type { Brand, Field, Instant } from "../core/index.ts";
import type { Fault } from "./faults.ts";

/**
 * The boundary of an HTTP/1.1 connection. It has three inputs (`receive`, the methods of `Actions`, `tick`) and three outputs (events,
 * `take()` for octets to write, `deadline` for the next `tick`); drain all three after every input. Octets from the peer never make it
 * throw; a mistake of the owner throws `Misuse`. The contract is that of HTTP/2's machine, with exchanges instead of streams.
 *
 * Rules for the driver:
 * - The same octets cause the same events however they are cut, except where `data` is cut.
 * - While `wants` is false, read nothing more: enough requests are queued, or content waits for `consumed`.
 * - Respond in any order: responses leave in the order of their requests (rfc9112#9.3.2).
 * - Call `consumed` for every octet of a `data` event, also for content that is discarded.
 * - A message of ours must not be malformed: content in a response to HEAD, in a 204 or 304, or contrary to its content-length is `Misuse`.
 *   The machine chooses the framing: content-length if the owner gives one, chunked for an HTTP/1.1 peer, otherwise until close.
 * - If the peer breaks a rule, a server queues the refusal (400, 408, 413, 414, 431, 501, 505) after the responses still owed, and closes.
 * - After `switched` the transport belongs to the owner, who writes what `take()` returns first; the machine accepts no further input.
 * - After `closed` no further event follows: exchanges that were still open are over.
 */

export type Side = "client" | "server";
/** One request with its response; the first on a connection is 1. */
export type ExchangeId = Brand<number, "ExchangeId">;
export type Version = "HTTP/1.0" | "HTTP/1.1";

/** The request line as the peer sent it. Field names of events are lower case; values have no white space around them. */
export type RequestLine = {
  readonly method: string;
  /** As in the request line; `readTarget` of `reference/http` parses its four forms (rfc9112#3.2). */
  readonly target: string;
  readonly version: Version;
};

/** What the connection reports. `bytes` are views of the octets given to `receive`: valid until those octets change. */
export type Event =
  /** Server: a request has begun. `authority` and `path` are as in HTTP/2: from an absolute-form target, otherwise from Host (rfc9112#3.3). */
  | ({
      readonly is: "request";
      readonly exchange: ExchangeId;
      readonly authority: string;
      readonly path: string;
      readonly fields: readonly Field[];
      readonly end: boolean;
      /** The scheme of the target URI (rfc9112#3.3): from an absolute-form target, otherwise the connection's. */
      readonly scheme: string;
      /** The client waits for 100 before it sends content (rfc9110#10.1.1). */
      readonly expects: boolean;
      /** The protocols of Upgrade, in the client's order of preference, if Connection names Upgrade (rfc9110#7.8). */
      readonly upgrade: readonly string[];
    } & RequestLine)
  /** Client: a 1xx response other than 101 (rfc9110#15.2). */
  | { readonly is: "interim"; readonly exchange: ExchangeId; readonly status: number; readonly fields: readonly Field[] }
  /** Client: the final response has begun. */
  | {
      readonly is: "response";
      readonly exchange: ExchangeId;
      readonly status: number;
      readonly reason: string;
      readonly version: Version;
      readonly fields: readonly Field[];
      readonly end: boolean;
    }
  | { readonly is: "data"; readonly exchange: ExchangeId; readonly bytes: Uint8Array; readonly end: boolean }
  /** A trailer section that is not empty; it ends the message (rfc9112#7.1.2). */
  | { readonly is: "trailers"; readonly exchange: ExchangeId; readonly fields: readonly Field[] }
  /** Queued content has been taken: the exchange may send more. */
  | { readonly is: "writable"; readonly exchange: ExchangeId }
  /** Request and response are complete. */
  | { readonly is: "done"; readonly exchange: ExchangeId }
  /** The exchange has failed: its message is incomplete (rfc9112#8), or we refuse it for `fault`. */
  | { readonly is: "failed"; readonly exchange: ExchangeId; readonly fault?: Fault }
  /** Client: the connection ended before the response began: an idempotent request may be sent again (rfc9112#9.3.1). */
  | { readonly is: "unanswered"; readonly exchange: ExchangeId }
  /** Server: the client has ended its half while responses are still owed. It may have left, or wait for them (rfc9112#9.6). */
  | { readonly is: "half-closed" }
  /** The connection has switched protocols, by 101 or by 2xx to CONNECT. `rest` has already arrived for the new protocol. */
  | {
      readonly is: "switched";
      readonly exchange: ExchangeId;
      readonly status: number;
      readonly fields: readonly Field[];
      readonly rest: Uint8Array;
    }
  /** The connection is over: write what `take()` returns, then close the transport. `fault` is absent after a regular end. */
  | { readonly is: "closed"; readonly fault?: Fault };

/** How the application leaves content unread. What it refuses is presumed to be long; of what it ignores, only the length says so. */
export type Declined = "refused" | "ignored";

/** What the owner can do. Every method may add octets to `take()`. Field names are sent as given. */
export interface Actions {
  /** Client: sends a request; if `end` is false, `data` sends its content. The owner decides whether to pipeline. */
  request(line: { readonly method: string; readonly target: string }, fields: readonly Field[], end: boolean): ExchangeId;
  /** Server: sends a 1xx response, any number of them before the final one; dropped for HTTP/1.0 (rfc9110#15.2). */
  interim(exchange: ExchangeId, status: number, fields: readonly Field[]): void;
  respond(exchange: ExchangeId, status: number, fields: readonly Field[], end: boolean): void;
  /** Queues content; false if the owner should wait for `writable`. The octets must not change until they are sent. */
  data(exchange: ExchangeId, bytes: Uint8Array, end: boolean): boolean;
  /** Ends the content with a trailer section, which is dropped unless the content is chunked. */
  trailers(exchange: ExchangeId, fields: readonly Field[]): void;
  /**
   * Server: says before the response that the application reads no more of the request: it refuses the rest, or has ignored all of it. If
   * that is too long to read on behalf of the next request, the response says that the connection closes (rfc9112#9.6).
   */
  decline(exchange: ExchangeId, rest: Declined): void;
  /** The application has read this many octets of content. */
  consumed(exchange: ExchangeId, octets: number): void;
  /** Server: sends 101 with the protocol's fields (Upgrade and Connection are added), or 2xx to CONNECT; `switched` follows. */
  switchTo(exchange: ExchangeId, status: number, fields: readonly Field[]): void;
  /** Abandons an exchange; the connection cannot be used again, and closes (rfc9112#9.6). */
  abandon(exchange: ExchangeId): void;
  /** Closes gracefully: open requests are answered, the last response with `Connection: close`. */
  shutdown(): void;
}

export interface Machine extends Actions {
  receive(bytes: Uint8Array, now: Instant): readonly Event[];
  tick(now: Instant): readonly Event[];
  /** The peer's half of the transport ended. */
  ended(now: Instant): readonly Event[];
  /** Events caused by actions since the last drain. */
  events(): readonly Event[];
  /** The octets to write, in order, which belong to the caller; large content appears as the views given to `data`, uncopied. */
  take(): readonly Uint8Array[];
  /** When to call `tick`; `NEVER` if nothing is pending. */
  readonly deadline: Instant;
  /** Octets queued and not yet taken. */
  readonly queued: number;
  /** Whether there is room for what the peer sends next. */
  readonly wants: boolean;
  /** Client: whether a request would be sent without pipelining: no exchange is open, and the connection persists. */
  readonly idle: boolean;
  /** Client: whether the connection accepts further requests at all. */
  readonly accepting: boolean;
}
