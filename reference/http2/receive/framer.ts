import { HEAD_LENGTH, readStreamId, type Head } from "../frame/head.ts";
import { CONNECTION } from "../stream/id.ts";

/** What `next` found: a frame in `head` and `payload`; not yet a complete one; or one whose length exceeds the limit (rfc9113#4.2). */
export const FRAME = 0;
export const MORE = 1;
export const TOO_LARGE = 2;

const NOTHING = new Uint8Array(0);

/**
 * Cuts a byte stream into frames. A frame within one read is a view into it; one that spans several reads is collected in a buffer of
 * its size. `head` is reused: it describes the last frame.
 */
export class Framer {
  readonly head: { -readonly [Name in keyof Head]: Head[Name] } = { length: 0, type: 0, flags: 0, stream: CONNECTION };
  /** The payload of the last frame, until the next call: a connection at rest retains nothing of what it has read. */
  payload: Uint8Array = NOTHING;

  #input: Uint8Array = NOTHING;
  #at = 0;
  /** The beginning of a frame that the last read did not complete. */
  #held: Uint8Array | undefined;
  #have = 0;

  /** Adds the bytes of one read, after `next` has returned all frames of the one before. */
  push(bytes: Uint8Array): void {
    this.#input = bytes;
    this.#at = 0;
  }

  next(maxFrameSize: number): typeof FRAME | typeof MORE | typeof TOO_LARGE {
    this.payload = NOTHING;
    if (this.#held !== undefined) return this.#resume(this.#held, maxFrameSize);
    const input = this.#input;
    const at = this.#at;
    const left = input.length - at;
    if (left < HEAD_LENGTH) {
      if (left > 0) this.#hold(HEAD_LENGTH);
      else this.#input = NOTHING;
      return MORE;
    }
    this.#readHead(input, at);
    const end = at + HEAD_LENGTH + this.head.length;
    if (this.head.length > maxFrameSize) return TOO_LARGE;
    if (end > input.length) {
      this.#hold(HEAD_LENGTH + this.head.length);
      return MORE;
    }
    if (this.head.length > 0) this.payload = input.subarray(at + HEAD_LENGTH, end);
    this.#at = end;
    return FRAME;
  }

  /** Whether the bytes so far end within a frame. */
  get isMidFrame(): boolean {
    return this.#held !== undefined;
  }

  /** Continues an incomplete frame: the rest of its head first, then the rest of its payload. */
  #resume(begun: Uint8Array, maxFrameSize: number): typeof FRAME | typeof MORE | typeof TOO_LARGE {
    let held = begun;
    this.#fill(held);
    if (this.#have < HEAD_LENGTH) return MORE;
    this.#readHead(held, 0);
    if (this.head.length > maxFrameSize) return TOO_LARGE;
    const size = HEAD_LENGTH + this.head.length;
    if (held.length < size) {
      const whole = new Uint8Array(size);
      whole.set(held);
      this.#held = held = whole;
      this.#fill(held);
    }
    if (this.#have < size) return MORE;
    this.#held = undefined;
    this.payload = held.subarray(HEAD_LENGTH, size);
    return FRAME;
  }

  #hold(size: number): void {
    this.#held = new Uint8Array(size);
    this.#have = 0;
    this.#fill(this.#held);
  }

  /** Moves bytes of the input into the held frame, as many as both allow. */
  #fill(held: Uint8Array): void {
    const count = Math.min(held.length - this.#have, this.#input.length - this.#at);
    held.set(this.#input.subarray(this.#at, this.#at + count), this.#have);
    this.#have += count;
    this.#at += count;
    if (this.#at === this.#input.length) {
      this.#input = NOTHING;
      this.#at = 0;
    }
  }

  #readHead(bytes: Uint8Array, at: number): void {
    const { head } = this;
    head.length = (bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!;
    head.type = bytes[at + 3]!;
    head.flags = bytes[at + 4]!;
    head.stream = readStreamId(bytes, at + 5);
  }
}
