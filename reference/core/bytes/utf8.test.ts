import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { skipAscii, Utf8Check } from "./utf8.ts";

const bytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex.replaceAll(" ", ""), "hex"));
const decoder = new TextDecoder("utf-8", { fatal: true });
const isText = (octets: Uint8Array): boolean => {
  try {
    decoder.decode(octets);
    return true;
  } catch {
    return false;
  }
};
/** Checks in pieces of `cut` octets: whether they are complete UTF-8, and how many were accepted before a refusal. */
function check(octets: Uint8Array, cut = Number.POSITIVE_INFINITY): { text: boolean; taken: number } {
  const utf8 = new Utf8Check();
  for (let at = 0; at < octets.length; at += cut) {
    if (!utf8.push(octets, at, Math.min(octets.length, at + cut))) return { text: false, taken: at };
  }
  return { text: utf8.isWhole, taken: octets.length };
}

describe("Utf8Check", () => {
  test("accepts every code point, however it is cut", () => {
    for (let point = 0; point <= 0x10ffff; point += point < 0x3000 || (point > 0xd7f0 && point < 0xe010) ? 1 : 61) {
      if (point >= 0xd800 && point <= 0xdfff) continue;
      const octets = Buffer.from(String.fromCodePoint(point));
      expect([check(octets).text, check(octets, 1).text], point.toString(16)).toEqual([true, true]);
    }
  });

  test("agrees with the platform on every pair of octets, and on every triple that begins a character", () => {
    const differs: string[] = [];
    const compare = (...octets: number[]): void => {
      const all = Uint8Array.from(octets);
      if (check(all).text !== isText(all)) differs.push(octets.join(" "));
    };
    for (let one = 0; one < 256; one++) {
      for (let two = 0; two < 256; two++) {
        compare(one, two);
        if (one < 0xe0) continue;
        for (const three of [0x00, 0x7f, 0x80, 0xbf, 0xc0, 0xff]) {
          compare(one, two, three);
          compare(one, two, three, 0xbf);
        }
      }
    }
    expect(differs).toEqual([]);
  });

  test("agrees with the platform on any octets, however they are cut", () => {
    const piece = fc.oneof(
      fc.string({ unit: "binary" }).map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 4 }),
      fc.constant(Buffer.from("a".repeat(50))),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), fc.integer({ min: 1, max: 9 }), (pieces, cut) => {
        const octets = Buffer.concat(pieces);
        expect([check(octets).text, check(octets, cut).text]).toEqual([isText(octets), isText(octets)]);
      }),
      { numRuns: 1_000 },
    );
  });

  test.each([
    ["a lone continuation", "80", 0],
    ["a continuation too many", "c3 a9 a9", 2],
    ["an overlong slash of two octets", "c0 af", 0],
    ["an overlong slash of three octets", "e0 80 af", 1],
    ["an overlong slash of four octets", "f0 80 80 af", 1],
    ["the first surrogate", "ed a0 80", 1],
    ["the last surrogate", "ed bf bf", 1],
    ["U+110000", "f4 90 80 80", 1],
    ["a lead octet of a form of five", "f8 88 80 80 80", 0],
    ["0xff", "ff", 0],
    ["a character that another begins within", "ce ba e1 bd ce b9", 4],
    ["a letter within a character", "e1 80 41", 2],
  ])("refuses %s at the first octet that no text has there", (_what, octets, at) => {
    expect(check(bytes(octets), 1)).toEqual({ text: false, taken: at });
  });

  test.each(["c3", "e1 80", "f0 9f", "f0 9f 98"])("%s is the start of a character: accepted, but incomplete", (octets) => {
    expect(check(bytes(octets))).toEqual({ text: false, taken: bytes(octets).length });
  });

  test("copy(): continues independently", () => {
    const utf8 = new Utf8Check();
    utf8.push(bytes("f0"), 0, 1);
    const other = utf8.copy();
    expect([other.push(bytes("80"), 0, 1), other.push(bytes("90 80 80"), 0, 3), other.isWhole, utf8.isWhole]).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
});

test("skipAscii(): stops at the first octet that is not ASCII, at any alignment", () => {
  const memory = new Uint8Array(200);
  for (let offset = 0; offset < 5; offset++) {
    for (let length = 0; length < 80; length++) {
      const view = memory.subarray(offset, offset + length);
      expect(skipAscii(view, 0, length)).toBe(length);
      for (const at of [0, 1, 31, 32, 33, 60, length - 1].filter((index) => index >= 0 && index < length)) {
        view[at] = 0x80;
        expect(skipAscii(view, 0, length)).toBe(at);
        expect(skipAscii(view, Math.min(length, at + 1), length)).toBe(length);
        view[at] = 0;
      }
    }
  }
});
