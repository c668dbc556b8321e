import type { Random } from "../core/index.ts";

/** Keys drawn at once: each call for randomness is expensive. */
const KEYS = 64;
const NOTHING = new Uint8Array(0);

/** A client's keys, a fresh one for each frame (rfc6455#5.3). */
export class MaskKeys {
  readonly #random: Random;
  #octets: Uint8Array = NOTHING;
  #at = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  next(): number {
    if (this.#at === this.#octets.length) {
      if (this.#at === 0) this.#octets = new Uint8Array(KEYS * 4);
      this.#random(this.#octets);
      this.#at = 0;
    }
    const octets = this.#octets;
    const at = this.#at;
    this.#at = at + 4;
    return octets[at]! | (octets[at + 1]! << 8) | (octets[at + 2]! << 16) | (octets[at + 3]! << 24);
  }
}
