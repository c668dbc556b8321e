import { Misuse } from "../../core/index.ts";
import { Fields, type Body } from "../../http/index.ts";
import type { StreamFailed } from "../errors.ts";

/** Follows how a body is read. */
export interface Source {
  /** This many octets have been read or discarded: their window may be returned. */
  consumed(octets: number): void;
  /** The reader refuses the rest. */
  refused(): void;
  /** Reading begins. */
  wanted?(): void;
}

/** The default limit of `bytes` and `text`. */
const LIMIT = 16_777_216;
/** Smaller pieces are gathered: many small frames must not use more memory than the window has octets. */
const SMALL = 2_048;
const GATHERED = 16_384;

type Step = IteratorResult<Uint8Array, undefined>;
type Waiting = { readonly resolve: (step: Step) => void; readonly reject: (error: Error) => void };
const END: Step = { done: true, value: undefined };

/** How a body is read: not yet, by someone, or no longer by anyone. */
type Mode = "untouched" | "read" | "discarded";

/** Incoming content. Unread octets wait here, bounded by the window, which reading reopens. */
export class IncomingBody implements Body, AsyncIterator<Uint8Array, undefined> {
  readonly #source: Source;
  #mode: Mode = "untouched";
  #chunks: Uint8Array[] = [];
  /** Small pieces, copied together after the last chunk. */
  #gather: Uint8Array | undefined;
  #gathered = 0;
  #waiting: Waiting | undefined;
  #failure: StreamFailed | undefined;
  /** Set when the content has ended. */
  #end: Fields | undefined;
  #trailers: PromiseWithResolvers<Fields> | undefined;

  constructor(source: Source) {
    this.#source = source;
  }

  get mode(): Mode {
    return this.#mode;
  }
  /** No more content will arrive. */
  get isOver(): boolean {
    return this.#end !== undefined || this.#failure !== undefined;
  }

  /** Content has arrived that waits to be read. */
  get hasUnread(): boolean {
    return this.#chunks.length > 0 || this.#gathered > 0;
  }

  get trailers(): Promise<Fields> {
    if (this.#end !== undefined) return Promise.resolve(this.#end);
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (this.#trailers === undefined) {
      this.#trailers = Promise.withResolvers<Fields>();
      // A failure without a listener is not an unhandled rejection.
      this.#trailers.promise.catch(() => {});
    }
    return this.#trailers.promise;
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array, undefined> {
    if (this.#mode === "read") throw new Misuse("this content has already been read: keep the result of the first reading");
    if (this.#mode === "untouched") {
      this.#mode = "read";
      this.#source.wanted?.();
    }
    return this;
  }

  next(): Promise<Step> {
    if (this.#waiting !== undefined) return Promise.reject(new Misuse("wait for one piece before you request the next"));
    const chunk = this.#shift();
    if (chunk !== undefined) {
      this.#source.consumed(chunk.length);
      return Promise.resolve({ done: false, value: chunk });
    }
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (this.#end !== undefined || this.#mode === "discarded") return Promise.resolve(END);
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }

  /** The loop was left early: refuses the rest. */
  return(): Promise<Step> {
    if (!this.isOver && this.#mode !== "discarded") {
      this.discard();
      this.#source.refused();
    }
    return Promise.resolve(END);
  }

  bytes(limit?: number): Promise<Uint8Array> {
    return bytesOf(this, limit);
  }
  async text(limit?: number): Promise<string> {
    return new TextDecoder().decode(await this.bytes(limit));
  }

  // Called by the connection.

  push(bytes: Uint8Array): void {
    const size = bytes.length;
    if (size === 0) return;
    if (this.#mode === "discarded" || this.isOver) return this.#source.consumed(size);
    const waiting = this.#waiting;
    if (waiting !== undefined) {
      this.#waiting = undefined;
      this.#source.consumed(size);
      return waiting.resolve({ done: false, value: bytes });
    }
    if (size >= SMALL) {
      this.#flushGathered();
      this.#chunks.push(bytes);
    } else this.#keepSmall(bytes);
    return undefined;
  }
  end(trailers: Fields = Fields.empty): void {
    if (this.isOver) return;
    this.#end = trailers;
    this.#trailers?.resolve(trailers);
    this.#waiting?.resolve(END);
    this.#waiting = undefined;
  }
  fail(error: StreamFailed): void {
    if (this.isOver) return;
    this.#drop();
    this.#failure = error;
    this.#trailers?.reject(error);
    this.#waiting?.reject(error);
    this.#waiting = undefined;
  }
  /** Discards what has arrived and what will arrive. */
  discard(): void {
    this.#mode = "discarded";
    this.#drop();
    this.#waiting?.resolve(END);
    this.#waiting = undefined;
  }

  #drop(): void {
    let size = this.#gathered;
    for (const { length } of this.#chunks) size += length;
    this.#chunks = [];
    this.#gather = undefined;
    this.#gathered = 0;
    if (size > 0) this.#source.consumed(size);
  }
  #shift(): Uint8Array | undefined {
    if (this.#chunks.length === 0) this.#flushGathered();
    return this.#chunks.shift();
  }
  #keepSmall(bytes: Uint8Array): void {
    if (this.#gathered + bytes.length > GATHERED) this.#flushGathered();
    const size = this.#gathered + bytes.length;
    let gather = this.#gather;
    if (gather === undefined || size > gather.length) {
      const grown = new Uint8Array(Math.min(GATHERED, Math.max(size, (gather?.length ?? 0) * 2)));
      if (gather !== undefined) grown.set(gather.subarray(0, this.#gathered));
      this.#gather = gather = grown;
    }
    gather.set(bytes, this.#gathered);
    this.#gathered = size;
  }
  #flushGathered(): void {
    if (this.#gather === undefined) return;
    this.#chunks.push(this.#gather.subarray(0, this.#gathered));
    this.#gather = undefined;
    this.#gathered = 0;
  }
}

/** Reads content completely; throws `Misuse` if it is longer than `limit` octets. */
export async function bytesOf(content: AsyncIterable<Uint8Array>, limit = LIMIT): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    if (size > limit) throw new Misuse(`the content is longer than ${limit} octets: pass a higher limit, or read it in pieces`);
    chunks.push(chunk);
  }
  const [first] = chunks;
  return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks, size);
}

/** The body of a message without content. */
export const NO_BODY: Body = {
  get trailers() {
    return Promise.resolve(Fields.empty);
  },
  bytes: () => Promise.resolve(new Uint8Array(0)),
  text: () => Promise.resolve(""),
  [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve(END) }),
};
