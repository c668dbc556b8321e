import { Growing } from "../growing.ts";

/** Reads DEFLATE (RFC 1951) leniently, and reports what it consists of. Independent of every library that produces it. */

export type Inflated = {
  readonly plain: Uint8Array;
  /** The largest distance of a back-reference. */
  readonly distance: number;
  /** The kinds of the blocks; `final` if one was marked as the last. */
  readonly blocks: readonly ("stored" | "fixed" | "dynamic")[];
  readonly final: boolean;
  /** Octets left after the last block. */
  readonly left: number;
  /** Why reading stopped. */
  readonly problem?: string;
};

const BASE_LENGTH = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258];
const EXTRA_LENGTH = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const BASE_DISTANCE = Array.from({ length: 30 }, (_, at) => (at < 4 ? at + 1 : (2 + (at & 1)) * 2 ** ((at >> 1) - 1) + 1));
const EXTRA_DISTANCE = Array.from({ length: 30 }, (_, at) => (at < 4 ? 0 : (at >> 1) - 1));
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

class Malformed extends Error {}

/** A Huffman code (rfc1951#3.2.2): the number of code words of each length, and their symbols in order. */
type Code = { readonly counts: readonly number[]; readonly symbols: readonly number[] };
function codeOf(lengths: readonly number[]): Code {
  const counts = Array.from({ length: 16 }, (_, length) => lengths.filter((one) => one === length).length);
  counts[0] = 0;
  const symbols = counts.flatMap((_, length) => (length === 0 ? [] : [...lengths.keys()].filter((symbol) => lengths[symbol] === length)));
  return { counts, symbols };
}
const FIXED = {
  literals: codeOf(Array.from({ length: 288 }, (_, at) => (at < 144 ? 8 : at < 256 ? 9 : at < 280 ? 7 : 8))),
  distances: codeOf(Array.from({ length: 30 }, () => 5)),
};

class Bits {
  readonly #octets: Uint8Array;
  #at = 0;
  #held = 0;
  #count = 0;

  constructor(octets: Uint8Array) {
    this.#octets = octets;
  }
  get left(): number {
    return this.#octets.length - this.#at;
  }
  take(count: number): number {
    while (this.#count < count) {
      const octet = this.#octets[this.#at++];
      if (octet === undefined) throw new Malformed("the octets end inside a block");
      this.#held |= octet << this.#count;
      this.#count += 8;
    }
    const value = this.#held & ((1 << count) - 1);
    this.#held >>>= count;
    this.#count -= count;
    return value;
  }
  align(): void {
    this.#held = 0;
    this.#count = 0;
  }
  symbol({ counts, symbols }: Code): number {
    let word = 0;
    let first = 0;
    let index = 0;
    for (let length = 1; length < 16; length++) {
      word |= this.take(1);
      const count = counts[length] ?? 0;
      if (word - count < first) return symbols[index + (word - first)] ?? 0;
      index += count;
      first = (first + count) << 1;
      word <<= 1;
    }
    throw new Malformed("a code word is longer than any of the code");
  }
}

/** Inflates the payload of a message; the sender removed its last four octets (rfc7692#7.2.2). `window` is the data before it. */
export function inflated(payload: Uint8Array, window: Uint8Array, limit = 1 << 26): Inflated {
  const octets = new Uint8Array(payload.length + 4);
  octets.set(payload);
  octets.set([0, 0, 0xff, 0xff], payload.length);
  const bits = new Bits(octets);
  const out = new Growing();
  out.push(window);
  const blocks: ("stored" | "fixed" | "dynamic")[] = [];
  const about = { distance: 0, blocks, final: false };
  const done = (problem?: string): Inflated => ({
    plain: out.view(window.length).slice(),
    ...about,
    left: bits.left,
    ...(problem === undefined ? {} : { problem }),
  });
  try {
    while (bits.left > 0 && !about.final) {
      about.final = bits.take(1) === 1;
      const kind = bits.take(2);
      if (kind === 3) throw new Malformed("a block is of the reserved kind");
      about.blocks.push((["stored", "fixed", "dynamic"] as const)[kind] ?? "stored");
      if (kind === 0) stored(bits, out);
      else {
        const code = kind === 1 ? FIXED : tables(bits);
        about.distance = Math.max(about.distance, block(bits, out, code));
      }
      if (out.length > limit + window.length) throw new Malformed(`it grows beyond ${limit} octets`);
    }
  } catch (error) {
    if (error instanceof Malformed) return done(error.message);
    throw error;
  }
  return done();
}

function stored(bits: Bits, out: Growing): void {
  bits.align();
  const length = bits.take(16);
  if ((length ^ bits.take(16)) !== 0xffff) throw new Malformed("the length of a stored block does not match its complement");
  out.push(Uint8Array.from({ length }, () => bits.take(8)));
}

function tables(bits: Bits): { literals: Code; distances: Code } {
  const literals = bits.take(5) + 257;
  const distances = bits.take(5) + 1;
  const words = bits.take(4) + 4;
  const lengths: number[] = Array.from({ length: 19 }, () => 0);
  for (const at of ORDER.slice(0, words)) lengths[at] = bits.take(3);
  const code = codeOf(lengths);
  const all: number[] = [];
  while (all.length < literals + distances) {
    const symbol = bits.symbol(code);
    if (symbol < 16) all.push(symbol);
    else {
      if (symbol === 16 && all.length === 0) throw new Malformed("a length is repeated before there is one");
      const repeated = symbol === 16 ? (all.at(-1) ?? 0) : 0;
      const times = symbol === 16 ? 3 + bits.take(2) : symbol === 17 ? 3 + bits.take(3) : 11 + bits.take(7);
      for (let n = 0; n < times; n++) all.push(repeated);
    }
  }
  return { literals: codeOf(all.slice(0, literals)), distances: codeOf(all.slice(literals, literals + distances)) };
}

function block(bits: Bits, out: Growing, { literals, distances }: { literals: Code; distances: Code }): number {
  let furthest = 0;
  for (let symbol = bits.symbol(literals); symbol !== 256; symbol = bits.symbol(literals)) {
    if (symbol < 256) {
      out.add(symbol);
      continue;
    }
    const length = (BASE_LENGTH[symbol - 257] ?? 0) + bits.take(EXTRA_LENGTH[symbol - 257] ?? 0);
    const which = bits.symbol(distances);
    const base = BASE_DISTANCE[which];
    if (base === undefined || length === 0) throw new Malformed("a symbol is invalid");
    const distance = base + bits.take(EXTRA_DISTANCE[which] ?? 0);
    if (distance > out.length) throw new Malformed(`it refers ${distance} octets back, where there are only ${out.length}`);
    furthest = Math.max(furthest, distance);
    out.repeat(distance, length);
  }
  return furthest;
}
