import type { Instant } from "../core/index.ts";
import type { Fault } from "./faults.ts";

/**
 * What crosses the boundary of a WebSocket connection after its opening handshake, whatever carries it: HTTP/1.1 after 101, a stream of
 * HTTP/2 or HTTP/3 after an extended CONNECT. Three inputs (`receive`, an action of `Actions`, `tick`), three outputs (the events they
 * cause, `take()` for octets to write, `deadline` for the next `tick`). After any input drain all three. Octets from the peer never make
 * it throw; a wrong call of ours throws `Misuse`.
 *
 * Rules for the driver:
 * - The octets given to `receive` are the machine's: it unmasks them where they are, and `data` of events are views of them.
 * - The same octets in any cut give the same events, but for where `fragment` is cut, and for how much of a message that turns out to be
 *   wrong was told before. Of two faults within one compressed message either may be the one that is told.
 * - Pings are answered, and a Close is, by the machine; their events only tell.
 * - Octets given to `binary`, `text` or `fragment` must not change until sent. What a client sends is copied, since it is masked.
 * - A Close that has come behind messages, in the same octets, is answered when `take` or `events` is called next: what the owner sends when it
 *   is told of them goes before it. Its `closed` then comes from `events`.
 * - Once a Close of the peer's has been answered, or the connection has ended, what the owner sends is dropped, and the action returns false: the
 *   event that says why is there or on its way. To send after one's own `close` is `Misuse`.
 * - After `closed` no further event comes: write what `take()` gives, then close the transport.
 */

/** The two kinds of messages (rfc6455#5.6). */
export type Kind = "text" | "binary";

/** A client masks what it sends, a server does not (rfc6455#5.1). */
export type Side = "client" | "server";

/** What the connection tells its owner. */
export type Event =
  /** A whole message. Text is a string, or, where the option `text` says so, octets that are valid UTF-8. */
  | { readonly is: "message"; readonly kind: "text"; readonly data: string }
  | { readonly is: "message"; readonly kind: "binary" | "utf8"; readonly data: Uint8Array }
  /** With the option `fragments`: part of a message, as it has come; `end` with the last one, which may be empty. Text is cut between characters. */
  | { readonly is: "fragment"; readonly kind: "text"; readonly data: string; readonly end: boolean }
  | { readonly is: "fragment"; readonly kind: "binary" | "utf8"; readonly data: Uint8Array; readonly end: boolean }
  | { readonly is: "ping"; readonly data: Uint8Array }
  /** An answer to a ping of ours or of the machine's own, or unasked (rfc6455#5.5.3). */
  | { readonly is: "pong"; readonly data: Uint8Array }
  /** The peer's Close has come: no message follows. 1005 stands for a Close without a code (rfc6455#7.1.5). */
  | { readonly is: "closing"; readonly code: number; readonly reason: string }
  /** What was queued has been taken: give more. */
  | { readonly is: "writable" }
  /**
   * The connection is over. `code` and `reason` are those of the peer's Close, 1005 where it had none, 1006 where no Close came; `clean`
   * when both sides have sent theirs (rfc6455#7.1.4). `fault` where the peer, or its silence, was what ended it.
   */
  | { readonly is: "closed"; readonly code: number; readonly reason: string; readonly clean: boolean; readonly fault?: Fault };

/** What the owner may ask. */
export interface Actions {
  /** Sends a whole message. False when the owner should wait for `writable` before sending more. Octets must be valid UTF-8. */
  text(data: string | Uint8Array): boolean;
  binary(data: Uint8Array): boolean;
  /** Sends part of a message (rfc6455#5.4), each a frame of its own; the kind is that of the first part. Text may be cut anywhere. */
  fragment(kind: Kind, data: Uint8Array, end: boolean): boolean;
  /** At most 125 octets (rfc6455#5.5). */
  ping(data?: Uint8Array): void;
  /** A pong that nobody has asked for (rfc6455#5.5.3). */
  pong(data?: Uint8Array): void;
  /** Begins the closing handshake; without a code the Close is empty. The reason has at most 123 octets (rfc6455#7.1.2). */
  close(code?: number, reason?: string): void;
  /** Ends at once without a Close: what is queued is dropped. */
  abort(): void;
  /** Nothing more is wanted from the peer for now, and it is not asked for signs of life. */
  pause(): void;
  resume(): void;
  /** Graceful end: Close with 1001 (rfc6455#7.4.1). */
  shutdown(): void;
  /** After `closing`: what came before the peer's Close is still to be dealt with, so that it is answered at `releaseClose`, or after `closeMs`. */
  holdClose(): void;
  releaseClose(): void;
}

/** A connection as its driver sees it: the three inputs and the three outputs, under the rules above. */
export interface Machine extends Actions {
  receive(bytes: Uint8Array, now: Instant): readonly Event[];
  tick(now: Instant): readonly Event[];
  /** The peer's half of the transport ended. */
  ended(now: Instant): readonly Event[];
  /** Events caused by actions since the last drain. */
  events(): readonly Event[];
  /** Octets to write, in order, handed over for good; a server's large messages appear as the views that were given, not as copies. */
  take(): readonly Uint8Array[];
  /** When to call `tick`; `NEVER` when nothing is pending. */
  readonly deadline: Instant;
  /** Octets written and not yet taken. */
  readonly queued: number;
  /** Whether the machine wants to be given what the peer sends next. */
  readonly wants: boolean;
}
