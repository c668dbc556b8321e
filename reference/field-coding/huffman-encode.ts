import { EOS, HUFFMAN_CODES, HUFFMAN_LENGTHS } from "./huffman-table.ts";

/** Of octets only: EOS is never written. */
const CODES = Uint32Array.from(HUFFMAN_CODES.slice(0, EOS));
const LENGTHS = Uint8Array.from(HUFFMAN_LENGTHS.slice(0, EOS));

/** How many octets the code of `text` takes (rfc7541#5.2); not a number where a character stands for no octet. */
export function huffmanLength(text: string): number {
  let bits = 0;
  for (let i = 0; i < text.length; i++) bits += LENGTHS[text.charCodeAt(i)]!;
  return Math.ceil(bits / 8);
}

/**
 * Writes the code of `text` at `at` and returns the index after it; the last octet is padded with ones (rfc7541#5.2). Gives up with -1
 * when that index would be `limit` or beyond, and when a character stands for no octet. Up to three octets after the end may be written to as well.
 */
export function writeHuffman(octets: Uint8Array, at: number, text: string, limit: number): number {
  /** Bits that do not fill an octet yet, at the high end. */
  let bits = 0;
  let held = 0;
  let i = 0;
  const count = text.length;
  while (i < count) {
    if (at >= limit) return -1;
    let symbol = text.charCodeAt(i++);
    if (symbol > 0xff) return -1;
    let code = CODES[symbol]!;
    let length = LENGTHS[symbol]!;
    if (length > 16) {
      // Three octets are written at a time: a long code goes in two parts.
      length -= 16;
      bits |= (code >>> 16) << (32 - held - length);
      held += length;
      octets[at] = bits >>> 24;
      octets[at + 1] = bits >>> 16;
      at += held >>> 3;
      bits <<= held & 24;
      held &= 7;
      code &= 0xffff;
      length = 16;
    }
    if (i < count) {
      symbol = text.charCodeAt(i);
      const second = LENGTHS[symbol & 0xff]!;
      if (length + second <= 24 && symbol <= 0xff) {
        code = (code << second) | CODES[symbol]!;
        length += second;
        i++;
      }
    }
    bits |= code << (32 - held - length);
    held += length;
    octets[at] = bits >>> 24;
    octets[at + 1] = bits >>> 16;
    octets[at + 2] = bits >>> 8;
    at += held >>> 3;
    bits <<= held & 24;
    held &= 7;
  }
  if (held > 0) octets[at++] = (bits >>> 24) | (0xff >>> held);
  return at < limit ? at : -1;
}
