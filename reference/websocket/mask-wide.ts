/**
 * Masks sixteen octets at a time with a WebAssembly function that is assembled here: JavaScript has no cheap word wider than 32 bits. For
 * 64 KiB it takes a third of the time of the loop over words, including the copy to its memory and back.
 */

/** Octets that are masked in one go. */
const ROOM = 65_536;
/** Octets that one turn of the loop masks. */
export const WIDE_TURN = 64;

// The parts of the format and the instructions that are used, named as in the WebAssembly specification.
const I32 = 0x7f;
const V128 = 0x7b;
const LOOP: readonly number[] = [0x03, 0x40];
const END = 0x0b;
const BR_IF_LOOP: readonly number[] = [0x0d, 0x00];
/** 64, with the sign in the second octet. */
const I32_CONST_TURN: readonly number[] = [0x41, 0xc0, 0x00];
const I32_ADD = 0x6a;
const I32_LT_U = 0x49;
const load = (offset: number): number[] => [0xfd, 0x00, 0x00, offset];
const store = (offset: number): number[] => [0xfd, 0x0b, 0x00, offset];
const I32X4_SPLAT: readonly number[] = [0xfd, 0x11];
const V128_OR: readonly number[] = [0xfd, 0x50];
const V128_XOR: readonly number[] = [0xfd, 0x51];
const I8X16_BITMASK: readonly number[] = [0xfd, 0x64];
const get = (local: number): number[] => [0x20, local];
const set = (local: number): number[] => [0x21, local];
const tee = (local: number): number[] => [0x22, local];

/** The parameters and the locals of the function. */
const [end, key, at, pad, word, seen] = [0, 1, 2, 3, 4, 5] as const;

/** XORs the octets from 0 to `end`, a multiple of 64 other than 0. The result has a bit for each place of sixteen with an octet that is not ASCII. */
const BODY: readonly number[] = [
  [3, 1, I32, 1, V128, 2, V128],
  [...get(key), ...I32X4_SPLAT, ...set(pad)],
  LOOP,
  ...[0, 16, 32, 48].flatMap((offset) => [
    [...get(at), ...get(at), ...load(offset), ...get(pad), ...V128_XOR, ...tee(word), ...store(offset)],
    [...get(seen), ...get(word), ...V128_OR, ...set(seen)],
  ]),
  [...get(at), ...I32_CONST_TURN, I32_ADD, ...tee(at), ...get(end), I32_LT_U, ...BR_IF_LOOP],
  [END],
  [...get(seen), ...I8X16_BITMASK],
  [END],
].flat();

/** A length in LEB128, of two octets at most. */
const leb = (length: number): number[] => (length < 128 ? [length] : [(length & 0x7f) | 0x80, length >> 7]);
const section = (id: number, content: readonly number[]): number[] => [id, ...leb(content.length), ...content];
const name = (text: string): number[] => [text.length, ...text.split("").map((character) => character.charCodeAt(0))];
const MODULE = Uint8Array.from(
  [
    [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    section(1, [1, 0x60, 2, I32, I32, 1, I32]),
    section(3, [1, 0]),
    section(5, [1, 0, ROOM / 65_536]),
    section(7, [2, ...name("memory"), 2, 0, ...name("mask"), 0, 0]),
    section(10, [1, ...leb(BODY.length), ...BODY]),
  ].flat(),
);

type Exports = { readonly memory: WebAssembly.Memory; readonly mask: (end: number, key: number) => number };

/** The WebAssembly function with its memory, which holds octets only during a call of `mask`. */
export class WideMasker {
  readonly #mask: Exports["mask"];
  readonly #room: Uint8Array;

  private constructor({ memory, mask }: Exports) {
    this.#mask = mask;
    this.#room = new Uint8Array(memory.buffer);
  }

  /** Undefined on a platform without SIMD, or without room for the memory. */
  static open(): WideMasker | undefined {
    try {
      return new WideMasker(new WebAssembly.Instance(new WebAssembly.Module(MODULE)).exports as Exports);
    } catch {
      return undefined;
    }
  }

  /** Masks the octets from `from` to `to`: a multiple of 64 of them, not 0. Returns a number other than 0 if one is not ASCII afterwards. */
  mask(octets: Uint8Array, from: number, to: number, key: number): number {
    const room = this.#room;
    let bits = 0;
    for (let at = from; at < to; at += ROOM) {
      const count = Math.min(ROOM, to - at);
      room.set(octets.subarray(at, at + count), 0);
      bits |= this.#mask(count, key);
      octets.set(count === ROOM ? room : room.subarray(0, count), at);
    }
    return bits;
  }
}

/**
 * The one masker of all connections. It is shared on purpose: each WebAssembly memory reserves gigabytes of addresses. `mask` calls
 * nothing outside of itself, so that no connection can find another's octets there.
 */
export const WIDE_MASKER: WideMasker | undefined = WideMasker.open();
