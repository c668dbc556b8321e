import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Cursor } from "./cursor.ts";
import { MAX_INTEGER, readInteger, readLongInteger, writeInteger } from "./prefix-integer.ts";

const written = (value: number, prefix: number, pattern = 0): Uint8Array => {
  const octets = new Uint8Array(8);
  return octets.slice(0, writeInteger(octets, 0, pattern, prefix, value));
};
const prefix = fc.integer({ min: 1, max: 8 });
const value = fc.oneof(fc.nat(300), fc.nat(MAX_INTEGER), fc.constantFrom(MAX_INTEGER, 2 ** 31, 2 ** 31 - 1, 16_383, 16_384));

describe("prefix integers", () => {
  test("any integer after any prefix comes back, in its shortest form, whatever the bits above it", () => {
    fc.assert(
      fc.property(prefix, value, fc.nat(255), (bits, number, above) => {
        const pattern = above & ~(2 ** bits - 1) & 0xff;
        const octets = written(number, bits, pattern);
        const cursor = new Cursor().open(octets);
        expect([readInteger(cursor, bits), cursor.at, cursor.fault]).toEqual([number, octets.length, undefined]);
        expect((octets[0] ?? 0) & ~(2 ** bits - 1)).toBe(pattern);
        // The last group is not zero: one octet less would hold less.
        expect(octets.length <= 2 || octets.at(-1) !== 0).toBe(true);
      }),
    );
  });

  test("cut at any byte it is truncated", () => {
    fc.assert(
      fc.property(prefix, value, (bits, number) => {
        const octets = written(number, bits);
        for (let cut = 0; cut < octets.length; cut++) {
          const cursor = new Cursor().open(octets.subarray(0, cut));
          expect([readInteger(cursor, bits), cursor.fault]).toEqual([0, "integerTruncated"]);
        }
      }),
    );
  });

  test("any bytes: a number within the limit or a fault, never beyond the end", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), prefix, (octets, bits) => {
        const cursor = new Cursor().open(octets);
        const got = readInteger(cursor, bits);
        expect(got).toBeGreaterThanOrEqual(0);
        expect(got).toBeLessThanOrEqual(MAX_INTEGER);
        expect(cursor.at).toBeLessThanOrEqual(octets.length);
      }),
    );
  });

  test("beyond the limit is too large, in value and in bytes", () => {
    const read = (...octets: number[]): unknown => {
      const cursor = new Cursor().open(Uint8Array.from(octets));
      readInteger(cursor, 7);
      return cursor.fault;
    };
    const above = written(MAX_INTEGER, 7);
    expect(read(...above)).toBeUndefined();
    expect(read(...above.slice(0, 1), (above[1] ?? 0) + 1, ...above.slice(2))).toBe("integerTooLarge");
    expect(read(0x7f, 0x80, 0x80, 0x80, 0x80, 0x00)).toBeUndefined();
    expect(read(0x7f, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00)).toBe("integerTooLarge");
  });

  test("up to 62 bits come back where they are permitted, exact up to 2^53", () => {
    const long = (octets: readonly number[]): readonly [number, unknown] => {
      const cursor = new Cursor().open(Uint8Array.from(octets));
      return [readLongInteger(cursor, 6), cursor.fault];
    };
    const room = new Uint8Array(12);
    for (const number of [0, 62, 63, 2 ** 32, Number.MAX_SAFE_INTEGER, 2 ** 61])
      expect(long([...room.subarray(0, writeInteger(room, 0, 0, 6, number))])).toEqual([number, undefined]);
    // 2^62 - 1, and the same with one more group.
    expect(long([0x3f, 0xc0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x3f])).toEqual([2 ** 62, undefined]);
    expect(long([0x3f, 0xc0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xbf, 0x00])).toEqual([0, "integerTooLarge"]);
    expect(long([0x3f, 0x80])).toEqual([0, "integerTruncated"]);
    expect(long([])).toEqual([0, "integerTruncated"]);
  });
});
