import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Cursor, putUvarint, putVarint, uvarintLength } from "./varint.ts";

const bytes = new Uint8Array(16);
const written = (put: (bytes: Uint8Array, at: number, value: number) => number, value: number): Uint8Array =>
  bytes.slice(0, put(bytes, 0, value));

/** A uvarint by BigInt arithmetic. */
function naive(value: bigint): number[] {
  return value < 128n ? [Number(value)] : [Number(value & 127n) | 128, ...naive(value >> 7n)];
}

describe("variable-length numbers", () => {
  test("match a naive encoder and read back", () => {
    const edge = fc
      .tuple(fc.nat(53), fc.integer({ min: -2, max: 2 }))
      .map(([bits, by]) => Math.min(Math.abs(2 ** bits + by), Number.MAX_SAFE_INTEGER));
    fc.assert(
      fc.property(fc.oneof(edge, fc.maxSafeNat()), fc.boolean(), (size, isNegative) => {
        expect([...written(putUvarint, size)]).toEqual(naive(BigInt(size)));
        expect(new Cursor(written(putUvarint, size)).uvarint()).toBe(size);
        expect(uvarintLength(size)).toBe(naive(BigInt(size)).length);
        const value = isNegative && size > 0 ? -size : size;
        expect([...written(putVarint, value)]).toEqual(naive(value < 0 ? -BigInt(value) * 2n - 1n : BigInt(value) * 2n));
        expect(new Cursor(written(putVarint, value)).varint()).toBe(value);
      }),
      { numRuns: 1_000 },
    );
  });

  test("cut off, too long or beyond 2^53: the cursor becomes short and stands at its end", () => {
    for (const octets of [
      [],
      [0x80],
      [0xff, 0xff],
      [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00],
      [255, 255, 255, 255, 255, 255, 255, 255, 1],
    ]) {
      for (const read of ["uvarint", "varint"] as const) {
        const cursor = new Cursor(Uint8Array.from(octets));
        expect([cursor[read](), cursor.short, cursor.left]).toEqual([0, true, 0]);
      }
    }
  });
});

test("Cursor: reads fixed-length fields and becomes short past the end", () => {
  const cursor = new Cursor(Uint8Array.of(9, 0, 0, 0, 1, 0, 0, 0, 2, 0xff, 0xff, 0xff, 0xff, 7, 8, 9), 1, 15);
  expect([cursor.u64(), cursor.u32(), cursor.left, [...cursor.view(1)]]).toEqual([2 ** 32 + 2, 0xffff_ffff, 2, [7]]);
  cursor.skip(1);
  expect([cursor.left, cursor.short]).toEqual([0, false]);
  for (const read of ["u8", "u32", "u64"] as const) {
    const short = new Cursor(Uint8Array.of(1), 0, read === "u8" ? 0 : 1);
    expect([short[read](), short.short]).toEqual([0, true]);
  }
  const beyond = new Cursor(new Uint8Array(8).fill(255));
  expect([beyond.u64(), beyond.short]).toEqual([0, true]);
  const view = new Cursor(Uint8Array.of(1, 2));
  expect([view.view(3).length, view.short]).toEqual([0, true]);
});
