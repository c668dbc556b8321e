import { concatenated, unfilled } from "../core/index.ts";

const NOTHING = new Uint8Array(0);
/**
 * The most room that a frame gets at once for its announced length: octets that do not arrive cost addresses, but no memory. A longer frame
 * gets more room as it arrives.
 */
const TRUSTED_OCTETS = 1_048_576;
/** The least room for many small pieces. */
const LEAST_OCTETS = 1_024;

/** Gathers the octets of a message. A message of one frame of up to a mebibyte is copied once. */
export class Gathered {
  /** Full rooms, in order. */
  #full: Uint8Array[] | undefined;
  #room: Uint8Array = NOTHING;
  #at = 0;

  /** `announced`: octets known to come, these included. */
  push(octets: Uint8Array, announced: number): void {
    const { length } = octets;
    const left = this.#room.length - this.#at;
    if (length > left) {
      if (this.#at > 0) (this.#full ??= []).push(this.#room.subarray(0, this.#at));
      const enough = Math.max(length, Math.min(announced, TRUSTED_OCTETS));
      // For many pieces that were not announced together, each room is twice as large as the last.
      const size = this.#at === 0 ? enough : Math.max(enough, LEAST_OCTETS, Math.min(TRUSTED_OCTETS, this.#room.length * 2));
      this.#room = unfilled(size);
      this.#at = 0;
    }
    this.#room.set(octets, this.#at);
    this.#at += length;
  }
  /** The whole message, which belongs to the caller. */
  take(): Uint8Array {
    const full = this.#full;
    const { length } = this.#room;
    const last = this.#at === length ? this.#room : this.#room.subarray(0, this.#at);
    this.#full = undefined;
    this.#room = NOTHING;
    this.#at = 0;
    // A little content does not keep a large room in memory.
    if (full === undefined) return last.length * 2 < length ? last.slice() : last;
    full.push(last);
    return concatenated(full);
  }
}
