import { putUvarint } from "./varint.ts";

/** A copy refers to at most this many octets before. */
const WINDOW = 65_535;
const SLOT_BITS = 14;
/** A copy of fewer octets is longer than the octets. */
const SHORTEST = 4;
/** The longest copy in one element. */
const LONGEST = 64;
/** Short copies from nearby have an element of two octets. */
const NEAR = { octets: 11, back: 2_048 } as const;
const MOST_LENGTH_OCTETS = 5;
/** Fewer octets are copied one by one. */
const SHORT_LITERAL = 48;

/** Packs Snappy blocks, one after another. `bytes` holds the output until the next call. */
export class Packer {
  bytes: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  length = 0;
  /** One more than the last place of four octets, by their hash. */
  readonly #places = new Int32Array(1 << SLOT_BITS);

  /** Packs octets into one block; returns it, valid until the next call. */
  pack(input: Uint8Array): Uint8Array<ArrayBuffer> {
    const room = MOST_LENGTH_OCTETS + input.length + Math.ceil(input.length / 6) + 32;
    if (room > this.bytes.length) this.bytes = new Uint8Array(room * 2);
    this.length = putUvarint(this.bytes, 0, input.length);
    this.#places.fill(0);
    let from = 0;
    let at = 0;
    // Where nothing repeats, the search takes longer and longer steps.
    let misses = 32;
    while (at + SHORTEST <= input.length) {
      const slot = slotOf(input, at);
      const back = at + 1 - this.#places[slot]!;
      this.#places[slot] = at + 1;
      if (back > at || back > WINDOW || !sameFour(input, at - back, at)) {
        at += misses++ >>> 5;
        continue;
      }
      this.#literal(input, from, at);
      let end = at + SHORTEST;
      while (end < input.length && input[end] === input[end - back]) end += 1;
      this.#copy(back, end - at);
      at = end;
      from = end;
      misses = 32;
    }
    this.#literal(input, from, input.length);
    return this.bytes.subarray(0, this.length);
  }

  #literal(input: Uint8Array, from: number, to: number): void {
    const size = to - from;
    if (size === 0) return;
    const out = this.bytes;
    if (size <= 60) out[this.length++] = (size - 1) << 2;
    else {
      const octets = size <= 0x100 ? 1 : size <= 0x1_0000 ? 2 : size <= 0x100_0000 ? 3 : 4;
      out[this.length++] = (59 + octets) << 2;
      for (let place = 0; place < octets; place++) out[this.length++] = (size - 1) >>> (8 * place);
    }
    if (size > SHORT_LITERAL) {
      out.set(input.subarray(from, to), this.length);
      this.length += size;
      return;
    }
    let end = this.length;
    for (let at = from; at < to; at++) out[end++] = input[at]!;
    this.length = end;
  }

  #copy(back: number, size: number): void {
    const out = this.bytes;
    let left = size;
    while (left > 0) {
      // Never leaves fewer octets than a copy may have.
      const now = left > LONGEST && left < LONGEST + SHORTEST ? LONGEST - SHORTEST : Math.min(left, LONGEST);
      left -= now;
      if (now <= NEAR.octets && back < NEAR.back) {
        out[this.length++] = 1 | ((now - SHORTEST) << 2) | ((back >>> 8) << 5);
        out[this.length++] = back;
      } else {
        out[this.length++] = 2 | ((now - 1) << 2);
        out[this.length++] = back;
        out[this.length++] = back >>> 8;
      }
    }
  }
}

const slotOf = (bytes: Uint8Array, at: number): number =>
  Math.imul(bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24), 0x1e35_a7bd) >>> (32 - SLOT_BITS);

const sameFour = (bytes: Uint8Array, a: number, b: number): boolean =>
  bytes[a] === bytes[b] && bytes[a + 1] === bytes[b + 1] && bytes[a + 2] === bytes[b + 2] && bytes[a + 3] === bytes[b + 3];

/** One block of octets, which the caller owns. */
export const pack = (input: Uint8Array): Uint8Array<ArrayBuffer> => new Packer().pack(input).slice();
