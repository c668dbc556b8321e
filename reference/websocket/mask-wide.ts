/**
 * Masking sixteen octets at a time, by a WebAssembly function that is put together here: JavaScript has no wider word than 32 bits that is
 * cheap. For 64 KiB, the way there and back included, it takes a third of the time of the loop over words.
 */

/** Octets that are masked in one go: they are copied to the function's memory and back. */
const ROOM = 65_536;
/** Octets of one turn of the loop. */
export const WIDE_TURN = 64;

// What is used of the format and of its instructions, by the names of the WebAssembly specification.
const I32 = 0x7f;
const V128 = 0x7b;
const LOOP = [0x03, 0x40];
const END = 0x0b;
const BR_IF_LOOP = [0x0d, 0x00];
/** 64, with the sign in the second octet. */
const I32_CONST_TURN = [0x41, 0xc0, 0x00];
const I32_ADD = 0x6a;
const I32_LT_U = 0x49;
const load = (offset: number): number[] => [0xfd, 0x00, 0x00, offset];
const store = (offset: number): number[] => [0xfd, 0x0b, 0x00, offset];
const I32X4_SPLAT = [0xfd, 0x11];
const V128_OR = [0xfd, 0x50];
const V128_XOR = [0xfd, 0x51];
const I8X16_BITMASK = [0xfd, 0x64];
const get = (local: number): number[] => [0x20, local];
const set = (local: number): number[] => [0x21, local];
const tee = (local: number): number[] => [0x22, local];

/** The parameters and the locals of the function. */
const [end, key, at, pad, word, seen] = [0, 1, 2, 3, 4, 5] as const;

/** From 0 to `end`, a multiple of 64 and not 0: XOR with the key. Gives a bit for each place of sixteen where an octet is not ASCII. */
const BODY = [
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
function open(): ((octets: Uint8Array, from: number, to: number, key: number) => number) | undefined {
  let exports: Exports;
  try {
    exports = new WebAssembly.Instance(new WebAssembly.Module(MODULE)).exports as Exports;
  } catch {
    // No SIMD, or no room for its memory.
    return undefined;
  }
  const room = new Uint8Array(exports.memory.buffer);
  return (octets, from, to, key) => {
    let bits = 0;
    for (let at = from; at < to; at += ROOM) {
      const count = Math.min(ROOM, to - at);
      room.set(octets.subarray(at, at + count), 0);
      bits |= exports.mask(count, key);
      octets.set(count === ROOM ? room : room.subarray(0, count), at);
    }
    return bits;
  };
}

/**
 * Masks the octets from `from` to `to`, whose number is a multiple of 64 and not 0. Not 0 where one of them is not ASCII afterwards.
 * Undefined where the platform has no such instructions.
 */
export const maskWide: ((octets: Uint8Array, from: number, to: number, key: number) => number) | undefined = open();
