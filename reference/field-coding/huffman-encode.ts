import { EOS, HUFFMAN_CODES, HUFFMAN_LENGTHS } from "./huffman-table.ts";

/** Codes of bytes only: EOS is never written. */
const CODES = Uint32Array.from(HUFFMAN_CODES.slice(0, EOS));
const LENGTHS = Uint8Array.from(HUFFMAN_LENGTHS.slice(0, EOS));

/** The encoded length of `text` in bytes (rfc7541#5.2); NaN if a character is above U+00FF. */
export function huffmanLength(text: string): number {
  let bits = 0;
  for (let i = 0; i < text.length; i++) bits += LENGTHS[text.charCodeAt(i)]!;
  return Math.ceil(bits / 8);
}

/**
 * Writes the code of `text` at `at` and returns the index after it; the last byte is padded with ones (rfc7541#5.2). Returns -1 if that
 * index would reach `limit`, or if a character is above U+00FF. Up to three bytes after the end may be overwritten.
 */
export function writeHuffman(octets: Uint8Array, at: number, text: string, limit: number): number {
  /** Bits that do not fill a byte yet, at the high end. */
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
      // Three bytes are written at a time, so a long code is written in two parts.
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
