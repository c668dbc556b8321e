/** From this length on, octets are read four at a time. */
const WORTH_WORDS = 32;

/**
 * Checks whether octets that arrive in pieces are UTF-8 (RFC 3629): no overlong form, no surrogate, nothing above U+10FFFF. It fails at the
 * first octet that no valid text can continue with, however the pieces are cut.
 */
export class Utf8Check {
  /** Octets that the current character still needs, and the range of the next one. */
  #left = 0;
  #low = 0x80;
  #high = 0xbf;

  /** Whether the text may end here, between two characters. */
  get isWhole(): boolean {
    return this.#left === 0;
  }
  /** A second check in the same state. */
  copy(): Utf8Check {
    const other = new Utf8Check();
    other.#left = this.#left;
    other.#low = this.#low;
    other.#high = this.#high;
    return other;
  }

  /** Takes the octets from `from` to `to`; false if they are not UTF-8. After that the check is of no more use. */
  push(octets: Uint8Array, from: number, to: number): boolean {
    let at = from;
    let left = this.#left;
    let low = this.#low;
    let high = this.#high;
    while (at < to) {
      let octet = octets[at]!;
      if (left === 0) {
        if (octet < 0x80) {
          at = skipAscii(octets, at + 1, to);
          continue;
        }
        if (octet < 0xc2 || octet > 0xf4) return false;
        at++;
        if (octet < 0xe0) left = 1;
        else if (octet < 0xf0) {
          left = 2;
          if (octet === 0xe0) low = 0xa0;
          else if (octet === 0xed) high = 0x9f;
        } else {
          left = 3;
          if (octet === 0xf0) low = 0x90;
          else if (octet === 0xf4) high = 0x8f;
        }
        if (at === to) break;
        octet = octets[at]!;
      }
      if (octet < low || octet > high) return false;
      low = 0x80;
      high = 0xbf;
      left--;
      at++;
    }
    this.#left = left;
    this.#low = low;
    this.#high = high;
    return true;
  }
}

/** The index of the first octet from `from` that is not ASCII, or `to`. */
export function skipAscii(octets: Uint8Array, from: number, to: number): number {
  let at = from;
  if (to - from >= WORTH_WORDS) {
    const lead = -(octets.byteOffset + from) & 3;
    for (const end = from + lead; at < end; at++) if (octets[at]! >= 0x80) return at;
    const count = (to - at) >> 2;
    const words = new Int32Array(octets.buffer, octets.byteOffset + at, count);
    let word = 0;
    while (word + 3 < count && ((words[word]! | words[word + 1]! | words[word + 2]! | words[word + 3]!) & 0x8080_8080) === 0) word += 4;
    at += word * 4;
  }
  while (at < to && octets[at]! < 0x80) at++;
  return at;
}
