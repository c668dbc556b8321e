import type { Instant } from "../core/index.ts";
import type { Fault } from "./faults.ts";
import type { HandshakeEvent } from "./handshake.ts";
import type { Parameters } from "./params.ts";
import type { Address } from "./path/path.ts";
import type { Direction, StreamId } from "./stream-id.ts";

/**
 * What crosses the boundary of a connection. Inputs: datagrams by `receive`, actions, time by `tick`. Outputs: events, datagrams by `take`,
 * and `deadline`, the time of the next `tick`. After any input drain all three. Octets of the peer never make it throw.
 */

/** A datagram to send. */
export type Datagram = { readonly bytes: Uint8Array; readonly to: Address };

export type Event =
  /** The transport parameters of the peer; they are authentic once the connection is `established`. */
  | { readonly is: "parameters"; readonly parameters: Parameters }
  /** The handshake is complete (rfc9001#4.1.1). */
  | { readonly is: "established"; readonly alpn: string }
  /** The handshake is confirmed: the peer knows that it is complete (rfc9001#4.1.2). */
  | { readonly is: "confirmed" }
  /** Whether the server takes 0-RTT data. What was sent and is rejected is sent again by itself (rfc9001#4.6.2). */
  | { readonly is: "earlyData"; readonly accepted: boolean }
  /** Certificates, sessions and lines of a key log, as TLS reports them. */
  | { readonly is: "handshake"; readonly event: HandshakeEvent }
  /** The peer has opened a stream. */
  | { readonly is: "opened"; readonly stream: StreamId }
  /** Octets in order; call `consumed` once they are dealt with. The octets are the owner's. */
  | { readonly is: "data"; readonly stream: StreamId; readonly octets: Uint8Array; readonly end: boolean }
  /** The peer gave up sending. */
  | { readonly is: "reset"; readonly stream: StreamId; readonly code: number }
  /** The peer wants no more; our part is reset with the same code (rfc9000#3.5). */
  | { readonly is: "stopped"; readonly stream: StreamId; readonly code: number }
  /** The queue of the stream has fallen below its limit: more may follow. */
  | { readonly is: "writable"; readonly stream: StreamId }
  /** Both parts of the stream are done; nothing more will be said of it. */
  | { readonly is: "done"; readonly stream: StreamId }
  /** More streams may be opened. */
  | { readonly is: "streams"; readonly direction: Direction }
  /** A datagram of the application (rfc9221#5). */
  | { readonly is: "datagram"; readonly octets: Uint8Array }
  /** Client: a token for a later connection to the same server (rfc9000#8.1.3). */
  | { readonly is: "token"; readonly token: Uint8Array }
  /** The peer has another address, which is validated. */
  | { readonly is: "migrated"; readonly remote: Address }
  | Closed;

/** The connection is over; this is its last event. What `take` returns still has to be sent. */
export type Closed = {
  readonly is: "closed";
  /** "idle" and "handshake" are time-outs, "reset" a stateless reset, "version" a server that speaks no version of ours. */
  readonly by: "us" | "peer" | "idle" | "handshake" | "reset" | "version" | "path";
  readonly layer: "transport" | "application";
  readonly code: number;
  readonly reason: string;
  /** What the peer has broken, if that is why. */
  readonly fault?: Fault;
};

/** What the owner may do. */
export interface Actions {
  /** Opens a stream; undefined while the peer allows no more: `streams` says when it does. */
  open(direction: Direction): StreamId | undefined;
  /** Queues octets, which must not change until they are acknowledged; false if the owner should wait for `writable`. */
  send(stream: StreamId, octets: Uint8Array, end: boolean): boolean;
  /** Octets of the stream that were queued and have not left yet. */
  unsent(stream: StreamId): number;
  /** The application has dealt with this many octets; the peer gets credit for others. */
  consumed(stream: StreamId, octets: number): void;
  /** Gives up sending. */
  reset(stream: StreamId, code: number): void;
  /** Wants no more of what the peer sends. */
  stop(stream: StreamId, code: number): void;
  /** Queues a datagram of the application; false if the peer takes none of this size, or too many wait. */
  datagram(octets: Uint8Array): boolean;
  /** Asks the peer for a sign of life. */
  ping(): void;
  /** Begins a new key phase; false while that is not allowed (rfc9001#6.1). */
  updateKeys(): boolean;
  /** Ends the connection at once with a code of the application. */
  close(code: number, reason: string): void;
}

export interface Machine extends Actions {
  receive(bytes: Uint8Array, from: Address, now: Instant): readonly Event[];
  tick(now: Instant): readonly Event[];
  /** Events caused by actions since the last call. */
  events(): readonly Event[];
  take(now: Instant): readonly Datagram[];
  readonly deadline: Instant;
  /** Milliseconds without a packet until the connection ends (rfc9000#10.1). */
  readonly idleMs: number;
}
