import { NEVER, type Field, type Instant } from "../../core/index.ts";

/** Content that a stream could not send at once: the queue, what follows it, and the stream's place in the scheduler. */
export class Outbound<Owner> {
  readonly stream: Owner;
  /** Bytes queued and not yet framed. */
  octets = 0;
  /** END_STREAM follows the last octet. */
  end = false;
  /** Trailers follow the last octet, and end the stream. */
  trailers: readonly Field[] | undefined;
  /** RST_STREAM(NO_ERROR) follows the end: the rest of the request is not needed (rfc9113#8.1). */
  resetAfter = false;
  /** The owner waits for the event `writable`. */
  waiting = false;
  readonly #stallOctets: number;
  #blockedSince: Instant = NEVER;
  /** Bytes framed since then. */
  #trickled = 0;

  // Written by the scheduler.
  listed = false;
  before: Outbound<Owner> | undefined;
  after: Outbound<Owner> | undefined;

  #chunks: Uint8Array[] = [];
  /** Bytes of the first chunk that have been framed. */
  #at = 0;

  /** `stallOctets`: see `Limits`. */
  constructor(stream: Owner, stallOctets: number) {
    this.stream = stream;
    this.#stallOctets = stallOctets;
  }

  /** Whether anything is left to frame: bytes, or only an end. */
  get pending(): boolean {
    return this.octets > 0 || this.end || this.trailers !== undefined;
  }

  /** When content began to wait for the stream's window, and has hardly moved since; `NEVER` if it does not wait. */
  get blockedSince(): Instant {
    return this.#blockedSince;
  }
  blocked(now: Instant): void {
    if (this.#blockedSince === NEVER) this.#blockedSince = now;
  }
  #moved(count: number): void {
    if (this.#blockedSince === NEVER) return;
    this.#trickled += count;
    if (this.octets === 0 || this.#trickled >= this.#stallOctets) this.#forgetWait();
  }
  #forgetWait(): void {
    this.#blockedSince = NEVER;
    this.#trickled = 0;
  }

  push(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#chunks.push(bytes);
    this.octets += bytes.length;
  }

  /** The next bytes, at most `limit` and never across two chunks: a view of a chunk. */
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
    this.#moved(count);
    return view;
  }

  /** The stream has closed: nothing that is queued will be sent. */
  clear(): void {
    this.#chunks = [];
    this.octets = 0;
    this.end = false;
    this.trailers = undefined;
    this.waiting = false;
    this.#forgetWait();
  }
}
