import { LF } from "./octets.ts";

const NOTHING = new Uint8Array(0);
/** A shorter rest is copied, so that a few octets do not keep a whole read in memory. */
const COPY_OCTETS = 4_096;

/**
 * Octets received and not yet parsed: a view of the last read if nothing was left before it, otherwise a buffer of its own. Parsed octets
 * are never overwritten, since the owner may hold views of them.
 */
export class Inbox {
  octets: Uint8Array = NOTHING;
  at = 0;
  end = 0;
  /** No LF lies between `at` and here: a line that arrives in small pieces is searched only once. */
  searched = 0;
  #isOwn = false;

  get length(): number {
    return this.end - this.at;
  }

  push(bytes: Uint8Array): void {
    const left = this.end - this.at;
    if (left === 0) {
      this.octets = bytes;
      this.at = 0;
      this.searched = 0;
      this.end = bytes.length;
      this.#isOwn = false;
      return;
    }
    const need = this.end + bytes.length;
    if (need > this.octets.length) this.#move(left + bytes.length);
    this.octets.set(bytes, this.end);
    this.end += bytes.length;
  }

  /** After parsing: releases the parsed octets, and the caller's buffer if little of it is left. */
  settle(): void {
    const left = this.end - this.at;
    if (left === 0) this.clear();
    else if (!this.#isOwn && left < COPY_OCTETS) this.#move(left);
  }

  clear(): void {
    this.octets = NOTHING;
    this.at = 0;
    this.end = 0;
    this.searched = 0;
  }

  /** The index of the next LF, or -1; remembers how far it has searched. */
  lineEnd(): number {
    const { octets, end } = this;
    let at = this.searched > this.at ? this.searched : this.at;
    while (at < end && octets[at] !== LF) at++;
    this.searched = at;
    return at < end ? at : -1;
  }

  #move(need: number): void {
    const { at } = this;
    const left = this.end - at;
    const moved = new Uint8Array(Math.max(64, need * 2));
    moved.set(this.octets.subarray(at, this.end));
    this.octets = moved;
    this.searched = Math.max(0, this.searched - at);
    this.at = 0;
    this.end = left;
    this.#isOwn = true;
  }
}
