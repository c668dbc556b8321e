import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fullNumber, numberLength } from "./number.ts";

describe("packet numbers", () => {
  test.each([
    [0xac5c02, 0xabe8b3, 2],
    [0xace8fe, 0xabe8b3, 3],
    [0, undefined, 1],
    [126, undefined, 1],
    [127, undefined, 2],
    [0x7f_fffe, undefined, 3],
    [0x7f_ffff, undefined, 4],
  ] as const)("%d after %s takes %d octets", (full, acknowledged, length) => {
    expect(numberLength(full, acknowledged)).toBe(length);
  });

  test.each([
    [0x9b32, 2, 0xa82f30ea, 0xa82f9b32],
    [0, 1, undefined, 0],
    [255, 1, undefined, 255],
    [0, 1, 255, 256],
    [0xff, 1, 256, 255],
    [0x80, 1, 0x200, 0x280],
    [0x01, 1, 0x1fe, 0x201],
  ] as const)("%d of %d octets after %s is %d", (truncated, length, largest, full) => {
    expect(fullNumber(truncated, length, largest)).toBe(full);
  });

  test("a number reads the same wherever the receiver is between what it has acknowledged and the number", () => {
    fc.assert(
      fc.property(fc.nat(2 ** 45), fc.nat(2 ** 30), fc.nat(2 ** 30), (acknowledged, more, behind) => {
        const full = acknowledged + 1 + more;
        const length = numberLength(full, acknowledged);
        const largest = Math.max(acknowledged, full - 1 - behind);
        expect(fullNumber(full % 2 ** (8 * length), length, largest)).toBe(full);
      }),
    );
  });
});
