import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Misuse } from "../core/index.ts";
import { Cursor } from "./cursor.ts";
import { huffmanLength } from "./huffman-encode.ts";
import { readString, STRING_ROOM, writePrefixedString, writeString } from "./string-literal.ts";

const written = (text: string): Uint8Array => {
  const octets = new Uint8Array(text.length + STRING_ROOM);
  return octets.slice(0, writeString(octets, 0, text));
};
const read = (octets: Uint8Array, limit = 65_536): [string, unknown] => {
  const cursor = new Cursor().open(octets);
  const text = readString(cursor, limit);
  return [text, cursor.fault];
};
/** Text of every length around the one where a length takes two octets, and of octets that code long and short. */
const text = fc
  .array(fc.oneof(fc.constantFrom(0x61, 0x30, 0x2f), fc.nat(255), fc.constantFrom(0x0a, 0xff)), { maxLength: 300, size: "max" })
  .map((values) => String.fromCharCode(...values));

describe("string literals", () => {
  test("any text comes back, takes the shorter form, and stays within its room", () => {
    fc.assert(
      fc.property(text, (some) => {
        const octets = written(some);
        expect(read(octets)).toEqual([some, undefined]);
        const shorter = huffmanLength(some) < some.length;
        expect((octets[0] ?? 0) >= 0x80).toBe(shorter);
        const content = shorter ? huffmanLength(some) : some.length;
        expect(octets.length).toBe(content + (content < 127 ? 1 : content < 255 ? 2 : 3));
      }),
    );
  });

  test("cut at any byte it is truncated", () => {
    fc.assert(
      fc.property(text, (some) => {
        const octets = written(some);
        for (let cut = 0; cut < octets.length; cut++)
          expect(read(octets.subarray(0, cut))).toEqual(["", expect.stringMatching(/^(?:integer|string)Truncated$/)]);
      }),
    );
  });

  test("longer than the limit is stringTooLong, before it is decoded", () => {
    expect(read(written("0123456789"), 8)).toEqual(["0123456789", undefined]);
    expect(read(written("0123456789"), 7)).toEqual(["", "stringTooLong"]);
    expect(read(written("&".repeat(10)), 10)).toEqual(["&".repeat(10), undefined]);
    expect(read(written("&".repeat(10)), 9)).toEqual(["", "stringTooLong"]);
  });

  test("written plainly if both forms have the same length", () => {
    expect([...written("&".repeat(3))]).toEqual([3, 38, 38, 38]);
    expect([...written("&".repeat(200)).subarray(0, 3)]).toEqual([0x7f, 200 - 127, 38]);
  });

  test.each(["€", "plain € text", "€".repeat(200)])("a character that is no octet is the caller's mistake: %j", (wrong) => {
    expect(() => written(wrong)).toThrow(Misuse);
  });

  test("any text comes back after a prefix of fewer bits, and the bits above it stay (rfc9204#4.1.2)", () => {
    fc.assert(
      fc.property(text, fc.constantFrom(4, 6), (some, prefix) => {
        const octets = new Uint8Array(some.length + STRING_ROOM);
        const pattern = 0x100 - 2 ** prefix;
        const end = writePrefixedString(octets, 0, some, pattern, prefix);
        const cursor = new Cursor().open(octets.subarray(0, end));
        expect([readString(cursor, 65_536, prefix), cursor.fault, cursor.at]).toEqual([some, undefined, end]);
        expect(octets[0]! & pattern).toBe(pattern);
        expect(octets[0]! & (2 ** (prefix - 1))).toBe(huffmanLength(some) < some.length ? 2 ** (prefix - 1) : 0);
      }),
    );
    expect(() => writePrefixedString(new Uint8Array(20), 0, "\u0100", 0, 4)).toThrow(Misuse);
  });
});
