/** Faults in the coding of an integer or a string (rfc7541#5). */
export type CodingFault =
  | "integerTruncated"
  | "integerTooLarge"
  | "stringTruncated"
  | "stringTooLong"
  | "huffmanEos"
  | "huffmanPaddingTooLong"
  | "huffmanPaddingWrong";

const NOTHING = new Uint8Array(0);
/** The smallest buffer for decoded strings, and the largest that is kept from one block to the next. */
const LEAST_ROOM = 256;
const KEPT_ROOM = 1_024;

/**
 * A position in a block of field lines. A fault is sticky and moves the cursor to the end, so that a codec checks `fault` once for each
 * representation, not after each of its parts.
 */
export class Cursor {
  octets: Uint8Array = NOTHING;
  at = 0;
  end = 0;
  fault: CodingFault | undefined;
  #room: Uint8Array = NOTHING;

  open(block: Uint8Array): this {
    this.octets = block;
    this.at = 0;
    this.end = block.length;
    this.fault = undefined;
    return this;
  }
  /** Releases the block. */
  close(): void {
    this.octets = NOTHING;
    if (this.#room.length > KEPT_ROOM) this.#room = NOTHING;
  }
  /** A buffer for at least `count` decoded octets, used for one string after the other. */
  room(count: number): Uint8Array {
    if (count > this.#room.length) this.#room = new Uint8Array(Math.max(LEAST_ROOM, count * 2));
    return this.#room;
  }
  fail(fault: CodingFault): void {
    this.fault ??= fault;
    this.at = this.end;
  }
}
