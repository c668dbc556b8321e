import type { Instant } from "../core/index.ts";
import type { Fault } from "./faults.ts";

/**
 * The boundary of a WebSocket connection after its opening handshake, over any carrier: HTTP/1.1 after 101, or a stream of HTTP/2 or HTTP/3
 * after an extended CONNECT. It has three inputs (`receive`, the methods of `Actions`, `tick`) and three outputs (events, `take()` for
 * octets to write, `deadline` for the next `tick`); drain all three after every input. Octets from the peer never make it throw; a mistake
 * of the owner throws `Misuse`.
 *
 * Rules for the driver:
 * - The octets given to `receive` belong to the machine: it unmasks them in place, and `data` of events are views of them.
 * - The same octets cause the same events however they are cut, except where `fragment` is cut, and how much of a faulty message is
 *   reported before its fault. Of two faults within one compressed message, either may be reported.
 * - The machine answers pings and the peer's Close itself; their events only inform.
 * - Octets given to `binary`, `text` or `fragment` must not change until they are sent. A client copies them, since it masks them.
 * - A Close that arrives with messages before it is answered at the next `take` or `events`, so that replies to those messages go first;
 *   a fault that arrives with messages before it fails the connection as late. The `closed` event then comes from `events`.
 * - After the answer to the peer's Close, or the end of the connection, actions are ignored and return false: the event that explains why
 *   is on its way. To send after one's own `close` is `Misuse`.
 * - After `closed` no further event follows: write what `take()` returns, then close the transport.
 */

/** The two kinds of messages (rfc6455#5.6). */
export type Kind = "text" | "binary";

/** A client masks what it sends, a server does not (rfc6455#5.1). */
export type Side = "client" | "server";

/** What the connection reports. */
export type Event =
  /** A whole message. Text is a string, or octets that are valid UTF-8, depending on the option `text`. */
  | { readonly is: "message"; readonly kind: "text"; readonly data: string }
  | { readonly is: "message"; readonly kind: "binary" | "utf8"; readonly data: Uint8Array }
  /** With the option `fragments`: part of a message, as it arrives; `end` with the last, perhaps empty one. Strings are cut between characters. */
  | { readonly is: "fragment"; readonly kind: "text"; readonly data: string; readonly end: boolean }
  | { readonly is: "fragment"; readonly kind: "binary" | "utf8"; readonly data: Uint8Array; readonly end: boolean }
  | { readonly is: "ping"; readonly data: Uint8Array }
  /** A pong, whether it answers a ping or not (rfc6455#5.5.3). */
  | { readonly is: "pong"; readonly data: Uint8Array }
  /** The peer's Close has arrived: no message follows. 1005 means a Close without a code (rfc6455#7.1.5). */
  | { readonly is: "closing"; readonly code: number; readonly reason: string }
  /** What was queued has been taken: the owner may send more. */
  | { readonly is: "writable" }
  /**
   * The connection is over. `code` and `reason` are from the peer's Close: 1005 if it had none, 1006 without a Close. `clean`: both sides
   * have sent a Close (rfc6455#7.1.4). `fault`: the peer's mistake, or its silence, ended the connection.
   */
  | { readonly is: "closed"; readonly code: number; readonly reason: string; readonly clean: boolean; readonly fault?: Fault };

/** What the owner can do. */
export interface Actions {
  /** Sends a whole message. False if the owner should wait for `writable`. Octets must be valid UTF-8. */
  text(data: string | Uint8Array): boolean;
  binary(data: Uint8Array): boolean;
  /** Sends part of a message as one frame (rfc6455#5.4); the first part decides on the kind. Text may be cut anywhere. */
  fragment(kind: Kind, data: Uint8Array, end: boolean): boolean;
  /** At most 125 octets (rfc6455#5.5). */
  ping(data?: Uint8Array): void;
  /** Sends an unsolicited pong (rfc6455#5.5.3). */
  pong(data?: Uint8Array): void;
  /** Begins the closing handshake (rfc6455#7.1.2); without a code the Close is empty. A reason has at most 123 octets. */
  close(code?: number, reason?: string): void;
  /** Ends at once without a Close, and drops what is queued. */
  abort(): void;
  /** Wants nothing more from the peer until `resume`, and sends it no pings. */
  pause(): void;
  resume(): void;
  /** Closes gracefully, with 1001 (rfc6455#7.4.1). */
  shutdown(): void;
  /** After `closing`: the owner still handles earlier messages, so the peer's Close is answered at `releaseClose`, or after `closeMs`. */
  holdClose(): void;
  releaseClose(): void;
}

/** A connection for its driver: three inputs and three outputs, by the rules above. */
export interface Machine extends Actions {
  receive(bytes: Uint8Array, now: Instant): readonly Event[];
  tick(now: Instant): readonly Event[];
  /** The peer's half of the transport ended. */
  ended(now: Instant): readonly Event[];
  /** Events caused by actions since the last drain. */
  events(): readonly Event[];
  /** The octets to write, in order, which belong to the caller; a server's large messages appear as the views given, uncopied. */
  take(): readonly Uint8Array[];
  /** When to call `tick`; `NEVER` if nothing is pending. */
  readonly deadline: Instant;
  /** Octets queued and not yet taken. */
  readonly queued: number;
  /** Whether there is room for what the peer sends next. */
  readonly wants: boolean;
}
