import snappy from "snappyjs";
import { describe, expect, test } from "vitest";
import { seeded } from "../../../core/index.ts";
import { Unpacker } from "./snappy.ts";

const unpacker = new Unpacker();
function unpacked(packed: readonly number[] | Uint8Array, most = 1 << 20): Uint8Array | undefined {
  const bytes = Uint8Array.from(packed);
  return unpacker.unpack(bytes, 0, bytes.length, most) ? unpacker.bytes.slice(0, unpacker.length) : undefined;
}

describe("unpacking Snappy", () => {
  test("blocks packed by another library unpack to the original", () => {
    const random = seeded(5);
    for (let round = 0; round < 300; round++) {
      const alphabet = 1 + Math.floor(random() * (round % 3 === 0 ? 256 : 4));
      const given = Uint8Array.from({ length: Math.floor(random() ** 3 * 200_000) }, () => Math.floor(random() * alphabet));
      expect(Buffer.compare(Buffer.from(unpacked(snappy.compress(given)) ?? []), Buffer.from(given))).toBe(0);
    }
  });

  test.each([
    ["an empty block", [0], []],
    ["a literal", [3, 2 << 2, 97, 98, 99], [97, 98, 99]],
    ["a literal with its length in an octet", [3, 60 << 2, 2, 97, 98, 99], [97, 98, 99]],
    ["a literal with its length in four octets", [3, 63 << 2, 2, 0, 0, 0, 97, 98, 99], [97, 98, 99]],
    ["a copy that overlaps itself", [6, 0, 97, (1 << 2) | 1, 1], [97, 97, 97, 97, 97, 97]],
    ["a copy with two octets of distance", [4, 1 << 2, 97, 98, (1 << 2) | 2, 2, 0], [97, 98, 97, 98]],
    ["a copy with four octets of distance", [4, 1 << 2, 97, 98, (1 << 2) | 3, 2, 0, 0, 0], [97, 98, 97, 98]],
  ])("%s", (_, packed, bytes) => {
    expect([...(unpacked(packed) ?? [])]).toEqual(bytes);
  });

  test.each([
    ["no length", []],
    ["a length that does not end", [0x80]],
    ["a length of six octets", [0x80, 0x80, 0x80, 0x80, 0x80, 0]],
    ["fewer octets than the length", [4, 2 << 2, 97, 98, 99]],
    ["more octets than the length", [2, 2 << 2, 97, 98, 99]],
    ["a literal that is cut off", [3, 2 << 2, 97, 98]],
    ["a literal without its length", [3, 61 << 2, 2]],
    ["a copy from before the start", [6, 0, 97, (1 << 2) | 1, 2]],
    ["a copy with distance 0", [6, 0, 97, (1 << 2) | 1, 0]],
    ["a copy that is cut off", [4, 1 << 2, 97, 98, (1 << 2) | 2, 2]],
    ["a copy beyond the length", [5, 0, 97, (1 << 2) | 1, 1]],
  ])("%s: refused", (_, packed) => {
    expect(unpacked(packed)).toBeUndefined();
  });

  test("a block longer than the limit is refused before memory is allocated", () => {
    expect(unpacked([0xff, 0xff, 0xff, 0xff, 0x0f, 0], 1_000)).toBeUndefined();
    expect(unpacker.bytes.length).toBeLessThan(1 << 20);
  });
});
