import { latin1, Misuse } from "../core/index.ts";
import type { Cursor } from "./cursor.ts";
import { readHuffman } from "./huffman-decode.ts";
import { huffmanLength, writeHuffman } from "./huffman-encode.ts";
import { readInteger, writeInteger } from "./prefix-integer.ts";

const HUFFMAN = 0x80;
/** The longest string whose length fits into one byte (rfc7541#5.1). */
const ONE_OCTET = 126;
/** What a string may take in addition to its bytes: its length, and the bytes that `writeHuffman` may overwrite. */
export const STRING_ROOM = 12;

/**
 * Reads the string at the cursor, bytes as Latin-1 characters (rfc7541#5.2); empty after a fault. `maxLength` limits its bytes in the block;
 * decoded, it can have 8/5 of that. A string of QPACK may have a prefix of fewer bits than 8 (rfc9204#4.1.2).
 */
export function readString(cursor: Cursor, maxLength: number, prefix = 8): string {
  const huffman = cursor.at < cursor.end && (cursor.octets[cursor.at]! & (1 << (prefix - 1))) !== 0;
  const count = readInteger(cursor, prefix - 1);
  if (count > cursor.end - cursor.at) return refuse(cursor, "stringTruncated");
  if (count > maxLength) return refuse(cursor, "stringTooLong");
  if (huffman) {
    const decoded = cursor.room(((count * 8) / 5 + 2) | 0);
    return latin1(decoded, 0, readHuffman(cursor, count, decoded));
  }
  const from = cursor.at;
  cursor.at = from + count;
  return latin1(cursor.octets, from, cursor.at);
}

function refuse(cursor: Cursor, fault: "stringTruncated" | "stringTooLong"): "" {
  cursor.fail(fault);
  return "";
}

/**
 * Writes `text` at `at`, by the Huffman code if that is shorter, and returns the index after it (rfc7541#5.2). It needs room for
 * `STRING_ROOM` bytes more than the text has. Throws `Misuse` if a character is above U+00FF.
 */
export function writeString(octets: Uint8Array, at: number, text: string): number {
  const { length } = text;
  if (length <= ONE_OCTET) {
    // Encoded first, and its length filled in afterwards: most text gets shorter, so this is usually done once.
    const end = writeHuffman(octets, at + 1, text, at + 1 + length);
    if (end >= 0) {
      octets[at] = HUFFMAN | (end - at - 1);
      return end;
    }
  } else {
    const coded = huffmanLength(text);
    if (coded < length) {
      at = writeInteger(octets, at, HUFFMAN, 7, coded);
      return writeHuffman(octets, at, text, at + coded + 1);
    }
  }
  return writePlain(octets, writeInteger(octets, at, 0, 7, length), text);
}

/** As `writeString`, with a prefix of fewer bits than 8 after the bits of `pattern` (rfc9204#4.1.2). */
// oxlint-disable-next-line max-params -- called for each name that no table holds
export function writePrefixedString(octets: Uint8Array, at: number, text: string, pattern: number, prefix: number): number {
  const coded = huffmanLength(text);
  if (coded < text.length) {
    at = writeInteger(octets, at, pattern | (1 << (prefix - 1)), prefix - 1, coded);
    return writeHuffman(octets, at, text, at + coded + 1);
  }
  return writePlain(octets, writeInteger(octets, at, pattern, prefix - 1, text.length), text);
}

function writePlain(octets: Uint8Array, at: number, text: string): number {
  for (let i = 0; i < text.length; i++) {
    const octet = text.charCodeAt(i);
    if (octet > 0xff) throw new Misuse(`A field holds the character ${JSON.stringify(text[i])}: give octets as characters up to U+00FF.`);
    octets[at++] = octet;
  }
  return at;
}
