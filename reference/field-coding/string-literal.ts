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
 * decoded, it can have 8/5 of that.
 */
export function readString(cursor: Cursor, maxLength: number): string {
  const huffman = cursor.at < cursor.end && cursor.octets[cursor.at]! >= HUFFMAN;
  const count = readInteger(cursor, 7);
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
  at = writeInteger(octets, at, 0, 7, length);
  for (let i = 0; i < length; i++) {
    const octet = text.charCodeAt(i);
    if (octet > 0xff) throw new Misuse(`A field holds the character ${JSON.stringify(text[i])}: give octets as characters up to U+00FF.`);
    octets[at++] = octet;
  }
  return at;
}
