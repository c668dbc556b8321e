import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Cursor } from "./cursor.ts";
import { readHuffman } from "./huffman-decode.ts";
import { writeHuffman } from "./huffman-encode.ts";
import { EOS, HUFFMAN_CODES, HUFFMAN_LENGTHS } from "./huffman-table.ts";

/** What section 5.2 says, bit by bit and with nothing clever. */
function bitByBit(octets: Uint8Array): number[] | string {
  const symbols = new Map(HUFFMAN_LENGTHS.map((length, symbol) => [`${length}:${HUFFMAN_CODES[symbol]}`, symbol]));
  const out: number[] = [];
  let code = 0;
  let length = 0;
  for (const octet of octets) {
    for (let bit = 7; bit >= 0; bit--) {
      code = code * 2 + ((octet >> bit) & 1);
      length++;
      const symbol = symbols.get(`${length}:${code}`);
      if (symbol === EOS) return "huffmanEos";
      if (symbol === undefined) continue;
      out.push(symbol);
      code = 0;
      length = 0;
    }
  }
  if (length > 7) return "huffmanPaddingTooLong";
  return code === 2 ** length - 1 ? out : "huffmanPaddingWrong";
}

function read(octets: Uint8Array): number[] | string {
  const cursor = new Cursor().open(octets);
  const out = new Uint8Array(Math.floor((octets.length * 8) / 5) + 2);
  const count = readHuffman(cursor, octets.length, out);
  if (cursor.at !== octets.length) throw new Error(`stopped at ${cursor.at} of ${octets.length}`);
  return cursor.fault ?? [...out.subarray(0, count)];
}

describe("readHuffman()", () => {
  test("any bytes: the same as decoding bit by bit", () => {
    // Octets of ones are where long codes, EOS and padding are.
    const octet = fc.oneof(fc.nat(255), fc.constantFrom(0xff, 0xfe, 0xfc, 0xf8, 0x7f, 0x3f));
    const octets = fc.array(octet, { maxLength: 40 }).map((values) => Uint8Array.from(values));
    fc.assert(
      fc.property(octets, (some) => {
        expect(read(some)).toEqual(bitByBit(some));
      }),
      { numRuns: 3_000 },
    );
  });

  test("encoded text comes back, and a cut at any byte gives the same as bit by bit", () => {
    const text = fc.array(fc.nat(255), { maxLength: 30 }).map((values) => String.fromCharCode(...values));
    fc.assert(
      fc.property(text, (some) => {
        const coded = new Uint8Array(some.length * 4 + 8);
        const whole = coded.slice(0, writeHuffman(coded, 0, some, coded.length));
        expect(read(whole)).toEqual([...some].map((one) => one.charCodeAt(0)));
        for (let cut = 0; cut < whole.length; cut++) expect(read(whole.subarray(0, cut))).toEqual(bitByBit(whole.subarray(0, cut)));
      }),
    );
  });

  test("every symbol after every other, so that every code begins at every bit", () => {
    const coded = new Uint8Array(64);
    for (let a = 0; a < 256; a++) {
      for (let b = 0; b < 256; b++) {
        const pair = String.fromCharCode(a, b, a);
        expect(read(coded.slice(0, writeHuffman(coded, 0, pair, coded.length)))).toEqual([a, b, a]);
      }
    }
  });

  test("the bytes after the string are not read", () => {
    const cursor = new Cursor().open(Uint8Array.of(0x1f, 0x00, 0x00, 0x00));
    const out = new Uint8Array(8);
    expect([readHuffman(cursor, 1, out), cursor.at, out[0]]).toEqual([1, 1, "a".charCodeAt(0)]);
  });
});
