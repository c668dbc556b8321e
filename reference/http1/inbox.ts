import { LF } from "./octets.ts";

const NOTHING = new Uint8Array(0);
/** A rest shorter than this is copied, so that a few octets do not keep a whole read in memory. */
const COPY_OCTETS = 4_096;

/**
 * Octets received and not yet read: a view of what was given, where nothing is left from before; else a buffer of its own. What has been
 * read is never written over, since views of it may be with the owner.
 */
export class Inbox {
  octets: Uint8Array = NOTHING;
  at = 0;
  end = 0;
  /** No LF stands between `at` and here: a line that comes in drops is searched once. */
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

  /** After reading as far as can be: lets go of the read octets, and of the caller's buffer where little of it is left. */
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

  /** Where the next LF stands, or -1; what was searched is remembered. */
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
