import { skipAscii } from "../core/index.ts";
import { CONTROL_OCTETS, HEAD_OCTETS, HeadReader, SHORT } from "./frame.ts";
import { mask, NOT_ASCII, rotateKey } from "./mask.ts";

const NOTHING = new Uint8Array(0);

/** Where the connection is within the frames that arrive, however they are cut; the public members of its base describe the last head. */
export class FrameReader extends HeadReader {
  /** A head, or the payload of a control frame, that has arrived in part; made when first needed. */
  #stash: Uint8Array = NOTHING;
  #stashed = 0;
  #left = -1;
  /** The key, turned for the next octet of the payload. */
  #key = 0;
  #isInMessage = false;

  /** Octets of the current payload still to come; -1 while a head is read. */
  get left(): number {
    return this.#left;
  }
  /** The frame is part of a message of several frames, or of one that is read in pieces. */
  get isInMessage(): boolean {
    return this.#isInMessage;
  }

  /** Reads a head, perhaps begun before. Returns where it ends, `SHORT`, or `REFUSED` with `fault`. */
  readHead(octets: Uint8Array, at: number, end: number): number {
    const stashed = this.#stashed;
    if (stashed === 0) {
      const size = this.read(octets, at, end);
      if (size > 0) return at + size;
      if (size === SHORT && at < end) this.#keep(octets.subarray(at, end));
      return size;
    }
    const more = Math.min(end - at, HEAD_OCTETS - stashed);
    this.#stash.set(octets.subarray(at, at + more), stashed);
    const size = this.read(this.#stash, 0, stashed + more);
    this.#stashed = size === SHORT ? stashed + more : 0;
    return size > 0 ? at - stashed + size : size;
  }
  #keep(octets: Uint8Array): void {
    if (this.#stash.length === 0) this.#stash = new Uint8Array(CONTROL_OCTETS);
    this.#stash.set(octets, this.#stashed);
    this.#stashed += octets.length;
  }

  /** The head is accepted: its payload follows. */
  beginPayload(): void {
    this.#left = this.length;
    this.#key = this.key;
  }
  beginMessage(): void {
    this.#isInMessage = true;
  }
  endMessage(): void {
    this.#isInMessage = false;
  }
  endFrame(): void {
    this.#left = -1;
  }

  /**
   * Unmasks the next octets of the payload where they lie, if the peer masks. Returns whether all are ASCII; `false` may also mean that
   * nobody looked, where `asksAscii` is false.
   */
  unmask(octets: Uint8Array, asksAscii: boolean): boolean {
    const { length } = octets;
    if (!this.expectsMask) {
      this.#left -= length;
      return asksAscii && skipAscii(octets, 0, length) === length;
    }
    const seen = mask(octets, 0, length, this.#key);
    if (length < this.#left) this.#key = rotateKey(this.#key, length);
    this.#left -= length;
    return (seen & NOT_ASCII) === 0;
  }

  /** The unmasked payload of a control frame, or undefined until it is complete. `octets` is what has arrived of its rest. */
  control(octets: Uint8Array): Uint8Array | undefined {
    const { length } = octets;
    if (length < this.#left) {
      this.#keep(octets);
      this.#left -= length;
      return undefined;
    }
    let payload = octets;
    if (this.#stashed > 0) {
      payload = this.#stash.slice(0, this.#stashed + length);
      payload.set(octets, this.#stashed);
      this.#stashed = 0;
    }
    this.#left = -1;
    if (this.expectsMask) mask(payload, 0, payload.length, this.#key);
    return payload;
  }

  /** Nothing more is read. */
  release(): void {
    this.#left = -1;
    this.#stash = NOTHING;
  }
}
