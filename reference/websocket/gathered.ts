const NOTHING = new Uint8Array(0);
/**
 * Room that is made for a frame as soon as its head says how long it is: what was announced and does not come costs addresses, and no
 * memory. A longer frame gets more room as it comes.
 */
const TRUSTED_OCTETS = 1_048_576;
/** Room for small pieces that follow one another. */
const LEAST_OCTETS = 1_024;

/** The octets of a message, as they come. A message of one frame, of up to a mebibyte, is copied once; what is gathered is its owner's. */
export class Gathered {
  /** Rooms that are full, in order. */
  #full: Uint8Array[] | undefined;
  #room: Uint8Array = NOTHING;
  #at = 0;

  /** `announced`: how many octets are known to come, these included. */
  push(octets: Uint8Array, announced: number): void {
    const { length } = octets;
    const left = this.#room.length - this.#at;
    if (length > left) {
      if (this.#at > 0) (this.#full ??= []).push(this.#room.subarray(0, this.#at));
      const enough = Math.max(length, Math.min(announced, TRUSTED_OCTETS));
      // Of many pieces, none of which was announced with the next, each room holds twice what the last one did.
      const size = this.#at === 0 ? enough : Math.max(enough, LEAST_OCTETS, Math.min(TRUSTED_OCTETS, this.#room.length * 2));
      this.#room = room(size);
      this.#at = 0;
    }
    this.#room.set(octets, this.#at);
    this.#at += length;
  }
  /** All of it; what comes next is another message. */
  take(): Uint8Array {
    const full = this.#full;
    const { length } = this.#room;
    const last = this.#at === length ? this.#room : this.#room.subarray(0, this.#at);
    this.#full = undefined;
    this.#room = NOTHING;
    this.#at = 0;
    // A room that is mostly empty is not kept for what little is in it.
    if (full === undefined) return last.length * 2 < length ? last.slice() : last;
    full.push(last);
    return concatenated(full);
  }
}

/** Not filled with zeros: all of it is written to, or not shown. */
const room = (size: number): Uint8Array => new Uint8Array(Buffer.allocUnsafeSlow(size).buffer);

/** One copy of all pieces, in a buffer of its own that keeps none of them alive. */
export function concatenated(pieces: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const piece of pieces) length += piece.length;
  const all = room(length);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
