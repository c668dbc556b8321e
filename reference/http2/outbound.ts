import { NEVER, type Field, type Instant } from "../core/index.ts";
import type { Stream } from "./streams.ts";

/** Content that a stream could not send at once: what is queued, what comes after it, and the stream's place in the scheduler. */
export class Outbound {
  readonly stream: Stream;
  /** Octets queued and not yet framed. */
  octets = 0;
  /** END_STREAM follows the last octet. */
  end = false;
  /** Trailers follow the last octet, and end the stream. */
  trailers: readonly Field[] | undefined;
  /** RST_STREAM(NO_ERROR) follows the end: the rest of the request is not needed (rfc9113#8.1). */
  resetAfter = false;
  /** The owner was told to wait, and hears of it when the queue has drained. */
  waiting = false;
  /** Since when content waits for the stream's window; `NEVER` while it does not. */
  blockedSince: Instant = NEVER;

  // The scheduler's.
  listed = false;
  before: Outbound | undefined;
  after: Outbound | undefined;

  #chunks: Uint8Array[] = [];
  /** Octets of the first chunk that have been framed. */
  #at = 0;

  constructor(stream: Stream) {
    this.stream = stream;
  }

  /** Whether anything is left to frame: octets, or an end without any. */
  get pending(): boolean {
    return this.octets > 0 || this.end || this.trailers !== undefined;
  }

  push(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#chunks.push(bytes);
    this.octets += bytes.length;
  }

  /** The next octets, at most `limit` and never across two chunks: a view of what was given. */
  shift(limit: number): Uint8Array {
    const first = this.#chunks[0]!;
    const left = first.length - this.#at;
    const count = Math.min(left, limit);
    const view = count === first.length ? first : first.subarray(this.#at, this.#at + count);
    this.octets -= count;
    if (count === left) {
      this.#chunks.shift();
      this.#at = 0;
    } else this.#at += count;
    return view;
  }

  /** The stream is over: nothing queued is sent. */
  clear(): void {
    this.#chunks = [];
    this.octets = 0;
    this.end = false;
    this.trailers = undefined;
    this.waiting = false;
    this.blockedSince = NEVER;
  }
}
