import type { Brand, Field, Instant } from "../core/index.ts";
import type { Fault } from "./faults.ts";

/**
 * What crosses the boundary of an HTTP/1.1 connection. Three inputs (`receive`, an action of `Actions`, `tick`), three outputs (the events
 * they cause, `take()` for octets to write, `deadline` for the next `tick`). After any input drain all three. Octets from the peer never
 * make it throw; a wrong call of ours throws `Misuse`. It is the contract of HTTP/2's machine, with exchanges for streams.
 *
 * Rules for the driver:
 * - The same octets in any cut give the same events, but for where `data` is cut.
 * - While `wants` is false nothing more is to be read: requests are queued up to the limit, or content waits for `consumed`.
 * - Answers may be given in any order; they leave in the order of their requests (rfc9112#9.3.2).
 * - `consumed` is owed for every octet of a `data` event. Content that nobody reads is the owner's to discard, by `consumed`.
 * - A message of ours must not be malformed: content in answer to HEAD, with 204 or 304, or against its own content-length is `Misuse`.
 *   The machine frames messages by itself: by content-length where the owner gave one, chunked to a peer of HTTP/1.1, else until close.
 * - When the peer is wrong, the server's machine queues the refusal (400, 408, 413, 414, 431, 501, 505) behind the answers still owed, and closes.
 * - After `switched` the transport belongs to the owner, who first writes what `take()` gives; the machine takes nothing more.
 * - After `closed` no further event comes: exchanges that were still open are over with it.
 */

export type Side = "client" | "server";
/** One request with its response, counted from 1 on a connection. */
export type ExchangeId = Brand<number, "ExchangeId">;
export type Version = "HTTP/1.0" | "HTTP/1.1";

/** A request as the peer sent it. Names of `fields` are lower case; values without their white space around. */
export type RequestLine = {
  readonly method: string;
  /** As it stands in the request line; its four forms are told apart by `reference/http`'s `readTarget` (rfc9112#3.2). */
  readonly target: string;
  readonly version: Version;
};

/**
 * What the connection tells its owner. `bytes` are views of the octets given to `receive`: they live as long as the owner leaves those
 * octets alone.
 */
export type Event =
  /** Server: a request has begun. `authority` and `path` are as in HTTP/2: of an absolute-form target its own, else of Host (rfc9112#3.3). */
  | ({
      readonly is: "request";
      readonly exchange: ExchangeId;
      readonly authority: string;
      readonly path: string;
      readonly fields: readonly Field[];
      readonly end: boolean;
      /** Of the target URI (rfc9112#3.3): that of an absolute-form, else the connection's. */
      readonly scheme: string;
      /** The client waits for 100 before it sends content (rfc9110#10.1.1). */
      readonly expects: boolean;
      /** Protocols that the client would rather speak, in its order of preference, where Connection says so too (rfc9110#7.8). */
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
  /** The trailer section, not empty; it ends the message (rfc9112#7.1.2). */
  | { readonly is: "trailers"; readonly exchange: ExchangeId; readonly fields: readonly Field[] }
  /** What was queued has fallen below the mark: give more. */
  | { readonly is: "writable"; readonly exchange: ExchangeId }
  /** Request and response have both ended; nothing more will be said of them. */
  | { readonly is: "done"; readonly exchange: ExchangeId }
  /** The exchange ended before its time: its message is incomplete (rfc9112#8), or refused by us for `fault`. */
  | { readonly is: "failed"; readonly exchange: ExchangeId; readonly fault?: Fault }
  /** Client: the connection ended before any octet of the response: an idempotent request may be sent again (rfc9112#9.3.1). */
  | { readonly is: "unanswered"; readonly exchange: ExchangeId }
  /** The connection now speaks something else, by 101 or by 2xx to CONNECT. `rest` is what the peer has sent of it already. */
  | {
      readonly is: "switched";
      readonly exchange: ExchangeId;
      readonly status: number;
      readonly fields: readonly Field[];
      readonly rest: Uint8Array;
    }
  /** The connection is over: write what `take()` gives, then close the transport. `fault` is absent after a regular end. */
  | { readonly is: "closed"; readonly fault?: Fault };

/** What the owner may ask. Every method may add octets to `take()`. Field names are written as given. */
export interface Actions {
  /** Client: sends a request; with `end` false its content follows by `data`. Requests are pipelined only where the owner sends several. */
  request(line: { readonly method: string; readonly target: string }, fields: readonly Field[], end: boolean): ExchangeId;
  /** Server: 1xx, any number before the final response; left out towards HTTP/1.0 (rfc9110#15.2). */
  interim(exchange: ExchangeId, status: number, fields: readonly Field[]): void;
  respond(exchange: ExchangeId, status: number, fields: readonly Field[], end: boolean): void;
  /** Queues content; returns false when the owner should wait for `writable` before giving more. The octets must not change until sent. */
  data(exchange: ExchangeId, bytes: Uint8Array, end: boolean): boolean;
  /** Ends the content with a trailer section; left out where the content is not chunked. */
  trailers(exchange: ExchangeId, fields: readonly Field[]): void;
  /** The application has read so many octets of content. */
  consumed(exchange: ExchangeId, octets: number): void;
  /** Server: 101 with the protocol's fields (Upgrade and Connection are added), or 2xx to CONNECT: `switched` follows once it is sent. */
  switchTo(exchange: ExchangeId, status: number, fields: readonly Field[]): void;
  /** Gives up an exchange: the connection cannot be used for another, and closes (rfc9112#9.6). */
  abandon(exchange: ExchangeId): void;
  /** Graceful: requests under way are answered, the last answer says `Connection: close`. */
  shutdown(): void;
}

export interface Machine extends Actions {
  receive(bytes: Uint8Array, now: Instant): readonly Event[];
  tick(now: Instant): readonly Event[];
  /** The peer's half of the transport ended. */
  ended(now: Instant): readonly Event[];
  /** Events caused by actions since the last drain. */
  events(): readonly Event[];
  /** Octets to write, in order, handed over for good; large content appears as the views that were given, not as copies. */
  take(): readonly Uint8Array[];
  /** When to call `tick`; `NEVER` when nothing is pending. */
  readonly deadline: Instant;
  /** Octets written and not yet taken. */
  readonly queued: number;
  /** Whether the machine wants to be given what the peer sends next. */
  readonly wants: boolean;
  /** Client: whether `request` may be called now without pipelining: no exchange is under way, and the connection persists. */
  readonly idle: boolean;
  /** Client: whether the connection will take another request at all. */
  readonly accepting: boolean;
}
