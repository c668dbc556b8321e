import { latin1 } from "../core/index.ts";
import type { Cursor } from "./cursor.ts";
import { huffmanLength, readHuffman, writeHuffman } from "./huffman.ts";
import { readInteger, writeInteger } from "./prefix-integer.ts";

const HUFFMAN = 0x80;
/** Decoded octets before they become a string; grown to the longest that came. */
let scratch = new Uint8Array(1_024);

/**
 * The string at the cursor, octets as Latin-1 characters (rfc7541#5.2). `maxLength` is how many octets it may have in the block;
 * decoded it can be 8/5 of that. After a fault, the empty string.
 */
export function readString(cursor: Cursor, maxLength: number): string {
  const huffman = cursor.at < cursor.end && (cursor.octets[cursor.at] as number) >= HUFFMAN;
  const count = readInteger(cursor, 7);
  if (count > cursor.end - cursor.at) return refuse(cursor, "stringTruncated");
  if (count > maxLength) return refuse(cursor, "stringTooLong");
  if (huffman) {
    const room = ((count * 8) / 5 + 2) | 0;
    if (room > scratch.length) scratch = new Uint8Array(room * 2);
    return latin1(scratch, 0, readHuffman(cursor, count, scratch));
  }
  const from = cursor.at;
  cursor.at = from + count;
  return latin1(cursor.octets, from, cursor.at);
}

function refuse(cursor: Cursor, fault: "stringTruncated" | "stringTooLong"): "" {
  cursor.fail(fault);
  return "";
}

/** Writes `text` at `at`, by the Huffman code where that is shorter, and returns the index after it (rfc7541#5.2). */
export function writeString(octets: Uint8Array, at: number, text: string): number {
  const coded = huffmanLength(text);
  if (coded < text.length) return writeHuffman(octets, writeInteger(octets, at, HUFFMAN, 7, coded), text);
  at = writeInteger(octets, at, 0, 7, text.length);
  for (let i = 0; i < text.length; i++) octets[at++] = text.charCodeAt(i);
  return at;
}
