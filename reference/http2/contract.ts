import type { Field, Instant } from "../core/index.ts";
import type { ErrorCode } from "./error-code.ts";
import type { Fault } from "./faults.ts";
import type { Settings } from "./settings-table.ts";
import type { StreamId } from "./stream-id.ts";

/**
 * What crosses the boundary of a connection. Three inputs (`receive`, an action of `Actions`, `tick`), three outputs (the events they
 * cause, `take()` for octets to write, `deadline` for the next `tick`). After any input drain all three. Octets from the peer never
 * make it throw; a wrong call of ours throws `Misuse`.
 *
 * Rules for the driver:
 * - `take()` gives all control frames and headers, and a bounded amount of content: write it, and when the transport is ready for more
 *   (at once, while it accepts writes), call `take()` again until it gives an empty list. Not taking while the transport is full is what
 *   lets priorities work, and what makes a peer that does not read run into `queued`'s limit.
 * - After `take()`, ask `events()` again: sending the last of a stream's content makes it `done`, or `writable`.
 * - A message of ours must not be malformed: content in answer to HEAD, with 204 or 304, or against its own content-length is `Misuse`.
 *   Actions on a stream that has ended meanwhile are let pass in silence, since the event that says so may not have been read yet.
 * - `consumed` is owed for every octet of a `data` event, also when its stream has ended: the connection's window has carried it.
 * - `reset` with `by: "us"` may name a stream that was never announced: the request that began it was refused.
 * - Fields of `request` and `pushed` events begin with the pseudo-fields; those of `interim` and `response` do not hold `:status`.
 * - After `closed` no further event comes: streams that were still open, and requests that waited for one, are over with it.
 */

/**
 * What the connection tells its owner. `bytes` are views of the octets given to `receive`, or of memory that is used only once: they live as
 * long as the owner leaves those octets alone.
 */
export type Event =
  /** Server: a request has begun. */
  | { readonly is: "request"; readonly stream: StreamId; readonly fields: readonly Field[]; readonly end: boolean }
  /** Client: a 1xx response (rfc9110#15.2). */
  | { readonly is: "interim"; readonly stream: StreamId; readonly status: number; readonly fields: readonly Field[] }
  /** Client: the final response has begun. */
  | {
      readonly is: "response";
      readonly stream: StreamId;
      readonly status: number;
      readonly fields: readonly Field[];
      readonly end: boolean;
    }
  /** Content. Its flow-control credit returns to the peer only through `consumed`. */
  | { readonly is: "data"; readonly stream: StreamId; readonly bytes: Uint8Array; readonly end: boolean }
  | { readonly is: "trailers"; readonly stream: StreamId; readonly fields: readonly Field[] }
  /** Client: the server promised a response (rfc9113#8.4). */
  | { readonly is: "pushed"; readonly stream: StreamId; readonly promised: StreamId; readonly fields: readonly Field[] }
  /** Client: a request that waited for a free stream now has this one. */
  | { readonly is: "opened"; readonly ticket: number; readonly stream: StreamId }
  /** Client: a request that waited will never have a stream here, since the peer says goodbye: it was not sent, retry it elsewhere. */
  | { readonly is: "unopened"; readonly ticket: number }
  /** The stream ended before its time: reset by the peer, or refused by us for `fault`. */
  | { readonly is: "reset"; readonly stream: StreamId; readonly code: ErrorCode; readonly by: "peer" | "us"; readonly fault?: Fault }
  /** Both directions of the stream have ended; nothing more will be said of it. */
  | { readonly is: "done"; readonly stream: StreamId }
  /** What was queued on the stream has fallen below the mark: give more. */
  | { readonly is: "writable"; readonly stream: StreamId }
  /** The peer has announced settings: all that hold for it now (rfc9113#6.5). */
  | { readonly is: "settings"; readonly settings: Settings }
  | { readonly is: "settingsAcknowledged" }
  | { readonly is: "pong"; readonly data: Uint8Array }
  | { readonly is: "goaway"; readonly code: number; readonly last: StreamId; readonly debug: Uint8Array }
  /** The connection is over: write what `take()` gives, then close the transport. `fault` is absent after a graceful end. */
  | { readonly is: "closed"; readonly fault?: Fault };

/** What the owner may ask. Every method may add octets to `take()`. */
export interface Actions {
  /** Client: opens a stream, or takes a place in the queue while MAX_CONCURRENT_STREAMS are open; `opened` tells the stream of a ticket. */
  request(fields: readonly Field[], end: boolean): { readonly stream: StreamId } | { readonly ticket: number };
  /** Server: 1xx, any number before the final response. */
  interim(stream: StreamId, status: number, fields: readonly Field[]): void;
  respond(stream: StreamId, status: number, fields: readonly Field[], end: boolean): void;
  /** Queues content; returns false when the owner should wait for `writable` before giving more. The octets must not change until sent. */
  data(stream: StreamId, bytes: Uint8Array, end: boolean): boolean;
  trailers(stream: StreamId, fields: readonly Field[]): void;
  /** The application has read so many octets of content; their credit goes back to the peer when it is worth a frame. */
  consumed(stream: StreamId, octets: number): void;
  reset(stream: StreamId, code: ErrorCode): void;
  /** Server: promises a response to a request of its own making; undefined where the client does not allow it. */
  push(parent: StreamId, fields: readonly Field[]): StreamId | undefined;
  ping(data: Uint8Array): void;
  /** How urgent a response is, as a Priority field value. Client: tells the server (PRIORITY_UPDATE); server: reschedules (rfc9218#7). */
  prioritize(stream: StreamId, priority: string): void;
  /** Announces changed settings; they hold from `settingsAcknowledged` on (rfc9113#6.5.3). */
  settings(changed: Partial<Settings>): void;
  /** Graceful, in two steps: GOAWAY with the highest identifier and a PING, then on its answer GOAWAY with the last stream (rfc9113#6.8). */
  shutdown(): void;
  /** At once: GOAWAY with the code, then `closed`. */
  abort(code: ErrorCode): void;
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
  /** Octets of control frames, headers and small content written and not yet taken. Content still in stream queues is not counted. */
  readonly queued: number;
  /** Client: whether `request` may be called; false once either side has said goodbye, or identifiers have run out. */
  readonly accepting: boolean;
}
