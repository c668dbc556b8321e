import { WIDE_MASKER, WIDE_TURN } from "./mask-wide.ts";

/** Masking (rfc6455#5.3). A key is a number whose lowest octet is the first on the wire. Masking twice restores the octets. */

/** From this length on it pays to go word by word. */
const WORTH_WORDS = 32;
/** From this length on it pays to use WebAssembly. */
const WORTH_WIDE = 512;
const IS_LITTLE_ENDIAN = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

/** The key for what follows `count` octets. */
export function rotateKey(key: number, count: number): number {
  const bits = (count & 3) << 3;
  return bits === 0 ? key : (key >>> bits) | (key << (32 - bits));
}

const swap = (word: number): number => (word << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24);

/**
 * XORs the octets from `from` to `to` with the key, in place. Bits 7, 15, 23 and 31 of the result are all clear only if every octet is
 * ASCII afterwards.
 */
export function mask(octets: Uint8Array, from: number, to: number, key: number): number {
  if (to - from < WORTH_WORDS) return maskOctets(octets, from, to, key);
  if (to - from >= WORTH_WIDE && WIDE_MASKER !== undefined) {
    const wide = to - ((to - from) % WIDE_TURN);
    const isAscii = WIDE_MASKER.mask(octets, from, wide, key) === 0;
    return maskOctets(octets, wide, to, key) | (isAscii ? 0 : NOT_ASCII);
  }
  return maskWords(octets, from, to, key);
}

/** As `mask`, four octets at a time; there are at least three. */
export function maskWords(octets: Uint8Array, from: number, to: number, key: number): number {
  // First the octets before an aligned word, then words, then the rest.
  const lead = -(octets.byteOffset + from) & 3;
  let seen = lead === 0 ? 0 : maskOctets(octets, from, from + lead, key);
  const start = from + lead;
  const turned = rotateKey(key, lead);
  const word = IS_LITTLE_ENDIAN ? turned : swap(turned);
  const count = (to - start) >> 2;
  const words = new Int32Array(octets.buffer, octets.byteOffset + start, count);
  const fours = count & ~3;
  let at = 0;
  for (; at < fours; at += 4) {
    const one = words[at]! ^ word;
    const two = words[at + 1]! ^ word;
    const three = words[at + 2]! ^ word;
    const four = words[at + 3]! ^ word;
    words[at] = one;
    words[at + 1] = two;
    words[at + 2] = three;
    words[at + 3] = four;
    seen |= one | two | three | four;
  }
  for (; at < count; at++) seen |= words[at]! ^= word;
  const end = start + count * 4;
  return end === to ? seen : seen | maskOctets(octets, end, to, turned);
}

function maskOctets(octets: Uint8Array, from: number, to: number, key: number): number {
  let seen = 0;
  let turning = key;
  for (let at = from; at < to; at++) {
    seen |= octets[at]! ^= turning & 0xff;
    turning = (turning >>> 8) | (turning << 24);
  }
  return seen;
}

/** The bits that `mask` sets for an octet that is not ASCII. */
export const NOT_ASCII = 0x8080_8080 | 0;
