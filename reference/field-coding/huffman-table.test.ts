import { expect, test } from "vitest";
import { EOS, HUFFMAN_CODES, HUFFMAN_LENGTHS } from "./huffman-table.ts";

test("Huffman table: a code and a length for every byte and for EOS", () => {
  expect([HUFFMAN_CODES.length, HUFFMAN_LENGTHS.length, EOS]).toEqual([257, 257, 256]);
});

test("Huffman table: the codes follow from the lengths, as in any canonical code", () => {
  const symbols = HUFFMAN_LENGTHS.map((length, symbol) => ({ length, symbol })).sort((a, b) => a.length - b.length || a.symbol - b.symbol);
  let next = 0;
  let length = 0;
  for (const each of symbols) {
    next *= 2 ** (each.length - length);
    ({ length } = each);
    expect(HUFFMAN_CODES[each.symbol], `symbol ${each.symbol}`).toBe(next);
    next++;
  }
  // No code is left over: every sequence of bits begins with one.
  expect(next).toBe(2 ** length);
});

test("Huffman table: the examples in the text of the specification", () => {
  expect([HUFFMAN_CODES["/".charCodeAt(0)], HUFFMAN_LENGTHS["/".charCodeAt(0)]]).toEqual([0x18, 6]);
  expect([HUFFMAN_CODES[EOS], HUFFMAN_LENGTHS[EOS]]).toEqual([0x3fffffff, 30]);
});
