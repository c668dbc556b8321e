import { concatenated, Reader, readVarint } from "../../core/index.ts";
import { frameName, readingOf, type FrameName } from "./type.ts";

/** What the octets of a stream contain next. */
export type Unit =
  /** A frame begins; its name is undefined if it is to be ignored. */
  | { readonly is: "head"; readonly name: FrameName | undefined; readonly length: number }
  /** Content of DATA, as far as it has arrived. The reader does not count it as consumed. */
  | { readonly is: "content"; readonly octets: Uint8Array }
  | { readonly is: "frame"; readonly name: FrameName; readonly payload: Uint8Array }
  | { readonly is: "tooLarge" };

/** Type and length take up to 8 octets each (rfc9114#7.1). */
const LONGEST_HEAD = 16;
/** Pieces that are kept apart. */
const MOST_CHUNKS = 16;
const NOTHING = new Uint8Array(0);

/** Cuts the octets of one stream into frames, however they arrive (rfc9114#7.1). It keeps views of what it is given. */
export class FrameReader {
  readonly #most: number;
  #chunks: Uint8Array[] = [];
  #held = 0;
  #name: FrameName | undefined;
  /** Octets of the payload to come; -1 before a head. */
  #left = -1;
  #consumed = 0;

  /** `most`: octets of a frame that is read as a whole. */
  constructor(most: number) {
    this.#most = most;
  }

  push(octets: Uint8Array): void {
    if (octets.length === 0) return;
    this.#chunks.push(octets);
    this.#held += octets.length;
    // Each small piece may be a view of a whole datagram.
    if (this.#chunks.length > MOST_CHUNKS) this.#chunks = [concatenated(this.#chunks)];
  }
  /** Whether the octets so far end within a frame. */
  get isMidFrame(): boolean {
    return this.#left >= 0 || this.#held > 0;
  }
  /** Octets that are neither content nor read yet. */
  get held(): number {
    return this.#held;
  }
  /** Forgets what is held. */
  clear(): void {
    this.#chunks = [];
    this.#held = 0;
    this.#left = -1;
  }
  /** Octets other than content that were read since the last call: their credit goes back at once. */
  takeConsumed(): number {
    const consumed = this.#consumed;
    this.#consumed = 0;
    return consumed;
  }

  next(): Unit | undefined {
    if (this.#left < 0) return this.#head();
    const reading = readingOf(this.#name);
    if (reading === "skip") {
      const skipped = Math.min(this.#left, this.#held);
      this.#drop(skipped);
      this.#consumed += skipped;
      if (skipped < this.#left) {
        this.#left -= skipped;
        return undefined;
      }
      this.#left = -1;
      return this.#head();
    }
    if (reading === "content") return this.#content();
    if (this.#left > this.#most) return { is: "tooLarge" };
    if (this.#held < this.#left) return undefined;
    const payload = this.#take(this.#left);
    this.#consumed += payload.length;
    this.#left = -1;
    return { is: "frame", name: this.#name!, payload };
  }

  #head(): Unit | undefined {
    if (this.#held < 2) return undefined;
    const start = this.#peek(Math.min(LONGEST_HEAD, this.#held));
    const reader = new Reader(start);
    const type = readVarint(reader);
    const length = readVarint(reader);
    if (reader.short) return undefined;
    const size = start.length - reader.left;
    this.#drop(size);
    this.#consumed += size;
    this.#name = frameName(type);
    this.#left = length;
    return { is: "head", name: this.#name, length };
  }
  #content(): Unit | undefined {
    if (this.#left === 0) {
      this.#left = -1;
      return this.#head();
    }
    const [first] = this.#chunks;
    if (first === undefined) return undefined;
    const octets = this.#take(Math.min(this.#left, first.length));
    this.#left = this.#left === octets.length ? -1 : this.#left - octets.length;
    return { is: "content", octets };
  }

  #take(count: number): Uint8Array {
    if (count === 0) return NOTHING;
    const octets = this.#peek(count);
    this.#drop(count);
    return octets;
  }
  /** The next octets in one piece, which are there. */
  #peek(count: number): Uint8Array {
    const first = this.#chunks[0]!;
    return first.length >= count ? first.subarray(0, count) : concatenated(this.#chunks).subarray(0, count);
  }
  #drop(count: number): void {
    this.#held -= count;
    let left = count;
    while (left > 0) {
      const first = this.#chunks[0]!;
      if (first.length > left) {
        this.#chunks[0] = first.subarray(left);
        return;
      }
      left -= first.length;
      this.#chunks.shift();
    }
  }
}
