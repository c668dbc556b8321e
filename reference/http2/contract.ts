import type { Field, Instant } from "../core/index.ts";
import type { ErrorCode } from "./error-code.ts";
import type { Fault } from "./faults.ts";
import type { Settings } from "./settings/table.ts";
import type { StreamId } from "./stream/id.ts";

/**
 * What crosses the boundary of a connection. Three inputs: `receive`, the methods of `Actions`, and `tick`. Three outputs: events, bytes
 * to write by `take()`, and `deadline` for the next `tick`. After any input drain all three. Bytes from the peer never make it throw; a
 * wrong call by the owner throws `Misuse`.
 *
 * Rules for the driver:
 * - `take()` returns all control frames and headers, and a limited amount of content. Write them, and when the transport accepts more, call
 *   `take()` again until it returns an empty list. Do not take while the transport is full: only then can priorities work, and a peer that
 *   does not read exceed the limit of `queued`.
 * - After `take()`, call `events()` again: when the last content of a stream is sent, the stream is `done` or `writable`.
 * - Our messages must not be malformed: content in response to HEAD, with 204 or 304, or against its own content-length is `Misuse`.
 *   Actions on a stream that has ended meanwhile are ignored, because the owner may not have read the event about it yet.
 * - Call `consumed` for every byte of a `data` event, even if its stream has ended: it counts against the connection's window.
 * - `reset` with `by: "us"` may name a stream without an earlier event: the request that began it was refused.
 * - Fields of `request` and `pushed` events begin with the pseudo-fields; those of `interim` and `response` do not contain `:status`.
 * - `closed` is the last event: it ends all open streams, and all requests that waited for one.
 */

/**
 * What the connection reports to its owner. `bytes` are views of the bytes given to `receive`, or of memory that is used only once: they
 * stay valid until the owner changes what it gave.
 */
export type Event =
  /** Server: a request begins. */
  | { readonly is: "request"; readonly stream: StreamId; readonly fields: readonly Field[]; readonly end: boolean }
  /** Client: a 1xx response (rfc9110#15.2). */
  | { readonly is: "interim"; readonly stream: StreamId; readonly status: number; readonly fields: readonly Field[] }
  /** Client: the final response begins. */
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
  /** Client: the server promises a response (rfc9113#8.4). */
  | { readonly is: "pushed"; readonly stream: StreamId; readonly promised: StreamId; readonly fields: readonly Field[] }
  /** Client: a waiting request has got this stream. */
  | { readonly is: "opened"; readonly ticket: number; readonly stream: StreamId }
  /** Client: a waiting request will not get a stream, because the connection is shutting down: it was not sent, retry it elsewhere. */
  | { readonly is: "unopened"; readonly ticket: number }
  /** The stream ended before its time: reset by the peer, or refused by us for `fault`. */
  | { readonly is: "reset"; readonly stream: StreamId; readonly code: ErrorCode; readonly by: "peer" | "us"; readonly fault?: Fault }
  /** Both directions of the stream have ended; nothing more will be said of it. */
  | { readonly is: "done"; readonly stream: StreamId }
  /** The queue of the stream has fallen below its limit: more content may follow. */
  | { readonly is: "writable"; readonly stream: StreamId }
  /** The peer has announced settings: all of its values that hold now (rfc9113#6.5). */
  | { readonly is: "settings"; readonly settings: Settings }
  | { readonly is: "settingsAcknowledged" }
  | { readonly is: "pong"; readonly data: Uint8Array }
  | { readonly is: "goaway"; readonly code: number; readonly last: StreamId; readonly debug: Uint8Array }
  /** The connection is over: write what `take()` returns, then close the transport. There is no `fault` after a graceful shutdown. */
  | { readonly is: "closed"; readonly fault?: Fault };

/** What the owner may do. Every method may add bytes to `take()`. */
export interface Actions {
  /** Client: opens a stream, or waits while MAX_CONCURRENT_STREAMS are open; `opened` then names the stream of a ticket. */
  request(fields: readonly Field[], end: boolean): { readonly stream: StreamId } | { readonly ticket: number };
  /** Server: a 1xx response; any number of them before the final one. */
  interim(stream: StreamId, status: number, fields: readonly Field[]): void;
  respond(stream: StreamId, status: number, fields: readonly Field[], end: boolean): void;
  /** Queues content; returns false if the owner should wait for `writable` before it sends more. The bytes must not change until they are sent. */
  data(stream: StreamId, bytes: Uint8Array, end: boolean): boolean;
  trailers(stream: StreamId, fields: readonly Field[]): void;
  /** The application has read this much content; the peer gets the credit back once it is worth a frame. */
  consumed(stream: StreamId, octets: number): void;
  reset(stream: StreamId, code: ErrorCode): void;
  /** Server: promises the response to a request; undefined if the client does not allow it. */
  push(parent: StreamId, fields: readonly Field[]): StreamId | undefined;
  ping(data: Uint8Array): void;
  /** Sets the priority of a response, as a Priority field value. A client sends PRIORITY_UPDATE, a server reschedules (rfc9218#7). */
  prioritize(stream: StreamId, priority: string): void;
  /** Announces changed settings; they hold after `settingsAcknowledged` (rfc9113#6.5.3). */
  settings(changed: Partial<Settings>): void;
  /** Graceful, in two steps: GOAWAY with the highest identifier and a PING; once that is answered, GOAWAY with the last stream (rfc9113#6.8). `why` is their debug data. */
  shutdown(why?: string): void;
  /** Immediate: GOAWAY with the code, then `closed`. */
  abort(code: ErrorCode): void;
}

export interface Machine extends Actions {
  receive(bytes: Uint8Array, now: Instant): readonly Event[];
  tick(now: Instant): readonly Event[];
  /** The peer's half of the transport ended. */
  ended(now: Instant): readonly Event[];
  /** Events caused by actions since the last call. */
  events(): readonly Event[];
  /** Bytes to write, in order; the caller owns them. Large content is not copied: it appears as the views given to `data`. */
  take(): readonly Uint8Array[];
  /** When to call `tick`; `NEVER` if nothing is pending. */
  readonly deadline: Instant;
  /** Bytes of control frames, headers and small content that are written and not taken. Queued content of streams is not counted. */
  readonly queued: number;
  /** Open streams. */
  readonly streams: number;
  /** Client: whether `request` may be called; false once either side is shutting down, or identifiers have run out. */
  readonly accepting: boolean;
}
