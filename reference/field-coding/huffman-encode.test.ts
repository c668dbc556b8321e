import { describe, expect, test } from "vitest";
import { huffmanLength, writeHuffman } from "./huffman-encode.ts";
import { HUFFMAN_CODES, HUFFMAN_LENGTHS } from "./huffman-table.ts";

/** The code as a string of bits, padded with ones. */
function bitByBit(text: string): string {
  const bits = [...text].map((one) => {
    const symbol = one.charCodeAt(0);
    return (HUFFMAN_CODES[symbol] ?? 0).toString(2).padStart(HUFFMAN_LENGTHS[symbol] ?? 0, "0");
  });
  const joined = bits.join("");
  return joined.padEnd(Math.ceil(joined.length / 8) * 8, "1");
}
const written = (text: string): string => {
  const octets = new Uint8Array(text.length * 4 + 8);
  const end = writeHuffman(octets, 0, text, octets.length);
  return [...octets.subarray(0, end)].map((octet) => octet.toString(2).padStart(8, "0")).join("");
};
const LATIN1 = Array.from({ length: 256 }, (_, i) => String.fromCharCode(i));

describe("writeHuffman()", () => {
  test("every pair of bytes, at each of the eight bits where a code can begin", () => {
    for (const first of LATIN1) {
      const text = LATIN1.map((second) => first + second).join("");
      expect(written(text)).toBe(bitByBit(text));
    }
  });

  test("huffmanLength() is the length written", () => {
    for (const text of ["", "a", "www.example.com", ...LATIN1, LATIN1.join("")]) expect(huffmanLength(text)).toBe(written(text).length / 8);
  });

  test("gives up at the limit, and not before it", () => {
    const octets = new Uint8Array(64);
    const end = writeHuffman(octets, 3, "www.example.com", 64);
    expect(end).toBe(15);
    expect(writeHuffman(octets, 3, "www.example.com", 16)).toBe(15);
    expect(writeHuffman(octets, 3, "www.example.com", 15)).toBe(-1);
    expect(writeHuffman(octets, 3, "www.example.com", 4)).toBe(-1);
  });

  test("writes at most three bytes beyond the limit", () => {
    const octets = new Uint8Array(64);
    writeHuffman(octets, 0, "\xff".repeat(10), 8);
    expect([...octets.subarray(11)].every((octet) => octet === 0)).toBe(true);
  });

  // The low octet of some of these is a letter.
  test.each(["€", "a€", "aa€", "Ā", "š", "aš", "aaš", "\u{1F600}"])("gives up on %j, which is above U+00FF", (text) => {
    expect(writeHuffman(new Uint8Array(64), 0, text, 64)).toBe(-1);
    expect(huffmanLength(text)).toBeNaN();
  });
});
