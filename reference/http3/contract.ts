import type { Field, Instant } from "../core/index.ts";
import type { ErrorCode } from "./error-code.ts";
import type { Fault } from "./faults.ts";
import type { Settings } from "./settings.ts";
import type { StreamId } from "./stream/id.ts";
import type { TransportEvent } from "./transport.ts";

/**
 * What crosses the boundary of a connection. Three inputs: `receive` for each event of the transport, the methods of `Actions`, and `tick`.
 * Outputs: events, and `deadline` for the next `tick`. What is to be sent goes to the transport at once. After any input drain both outputs of
 * both. Octets of the peer never make it throw; a wrong call by the owner throws `Misuse`.
 *
 * Rules for the owner:
 * - Actions, events and their order are those of HTTP/2 (`reference/http2/contract.ts`), so that one owner serves both.
 * - Call `consumed` for every octet of a `data` event, even if its stream has ended.
 * - Content that was given to `data` must not change until it is acknowledged.
 * - `done` comes when all that we sent on a stream is acknowledged.
 * - `closed` is the last event: it ends all open streams, and all requests that waited for one.
 */
export type Event =
  /** Server: a request begins. The fields begin with the pseudo-fields. */
  | { readonly is: "request"; readonly stream: StreamId; readonly fields: readonly Field[]; readonly end: boolean }
  /** Client: a 1xx response (rfc9110#15.2), and the final one; the fields are without `:status`. */
  | { readonly is: "interim"; readonly stream: StreamId; readonly status: number; readonly fields: readonly Field[] }
  | {
      readonly is: "response";
      readonly stream: StreamId;
      readonly status: number;
      readonly fields: readonly Field[];
      readonly end: boolean;
    }
  /** Content. The peer gets its flow-control credit back only through `consumed`. */
  | { readonly is: "data"; readonly stream: StreamId; readonly bytes: Uint8Array; readonly end: boolean }
  | { readonly is: "trailers"; readonly stream: StreamId; readonly fields: readonly Field[] }
  /** Client: a waiting request has got this stream, or will get none: it was not sent, retry it elsewhere. */
  | { readonly is: "opened"; readonly ticket: number; readonly stream: StreamId }
  | { readonly is: "unopened"; readonly ticket: number }
  /** The stream ended before its time: given up by the peer, or by us for `fault`. */
  | { readonly is: "reset"; readonly stream: StreamId; readonly code: ErrorCode; readonly by: "peer" | "us"; readonly fault?: Fault }
  /** Both directions of the stream have ended; nothing more will be said of it. */
  | { readonly is: "done"; readonly stream: StreamId }
  /** The queue of the stream has fallen below its limit: more content may follow. */
  | { readonly is: "writable"; readonly stream: StreamId }
  /** The peer has announced its settings (rfc9114#7.2.4). */
  | { readonly is: "settings"; readonly settings: Settings }
  /** The peer is leaving: of our requests it processes those below `last` (rfc9114#5.2). */
  | { readonly is: "goaway"; readonly last: StreamId }
  /** A datagram for a request stream (rfc9297#2.1). */
  | { readonly is: "datagram"; readonly stream: StreamId; readonly bytes: Uint8Array }
  | Ended;

/** The connection is over. There is neither `fault` nor `error` after a graceful shutdown. */
export type Ended = {
  readonly is: "closed";
  /** What the peer broke. */
  readonly fault?: Fault;
  /** Why else it ended. */
  readonly error?: { readonly by: string; readonly layer: "transport" | "application"; readonly code: number; readonly reason: string };
};

/** What the owner may do. */
export interface Actions {
  /** Client: opens a stream, or waits until the server allows one; `opened` then names the stream of a ticket. */
  request(fields: readonly Field[], end: boolean): { readonly stream: StreamId } | { readonly ticket: number };
  /** Server: a 1xx response; any number of them before the final one. */
  interim(stream: StreamId, status: number, fields: readonly Field[]): void;
  respond(stream: StreamId, status: number, fields: readonly Field[], end: boolean): void;
  /** Queues content; returns false if the owner should wait for `writable` before it sends more. */
  data(stream: StreamId, bytes: Uint8Array, end: boolean): boolean;
  trailers(stream: StreamId, fields: readonly Field[]): void;
  consumed(stream: StreamId, octets: number): void;
  /** Gives up both directions. H3_NO_ERROR follows a complete message of ours and refuses the rest of the peer's alone (rfc9114#4.1). */
  reset(stream: StreamId, code: ErrorCode): void;
  /** Client: sends PRIORITY_UPDATE with a Priority field value (rfc9218#7.2). */
  prioritize(stream: StreamId, priority: string): void;
  /** Sends a datagram for a request stream (rfc9297#2.1); false if it cannot be sent. */
  datagram(stream: StreamId, bytes: Uint8Array): boolean;
  /** Graceful: a server refuses no request yet that is on its way, and later those that were not; both end when their streams have (rfc9114#5.2). */
  shutdown(): void;
  /** Immediate. */
  abort(code: ErrorCode): void;
}

export interface Machine extends Actions {
  receive(event: TransportEvent, now: Instant): readonly Event[];
  tick(now: Instant): readonly Event[];
  /** Events caused by actions since the last call. */
  events(): readonly Event[];
  readonly deadline: Instant;
  /** Open request streams. */
  readonly streams: number;
  /** Client: whether `request` may be called; false once either side is shutting down. */
  readonly accepting: boolean;
}
