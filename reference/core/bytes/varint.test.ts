import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Misuse } from "../outcome.ts";
import { Reader } from "./reader.ts";
import { Writer } from "./writer.ts";
import { encodedLength, MAX_VARINT, readVarint, varint64, varintLength, writeVarint } from "./varint.ts";

const fromHex = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, "hex"));
const toHex = (octets: Uint8Array): string => Buffer.from(octets).toString("hex");
const read = (hex: string): number => readVarint(new Reader(fromHex(hex)));
function written(value: number, length?: 1 | 2 | 4 | 8): string {
  const writer = new Writer();
  writeVarint(writer, value, length);
  return toHex(writer.take());
}

describe("integers of QUIC", () => {
  test.each([
    ["00", 0],
    ["25", 37],
    ["3f", 63],
    ["4040", 64],
    ["7bbd", 15_293],
    ["7fff", 16_383],
    ["80004000", 16_384],
    ["9d7f3e7d", 494_878_333],
    ["bfffffff", 2 ** 30 - 1],
    ["c000000040000000", 2 ** 30],
    ["c01fffffffffffff", Number.MAX_SAFE_INTEGER],
    ["ffffffffffffffff", MAX_VARINT],
  ])("%s is %d, and is written the same", (hex, value) => {
    expect(read(hex)).toBe(value);
    expect(written(value)).toBe(hex);
    expect(varintLength(value)).toBe(hex.length / 2);
    expect(encodedLength(Number.parseInt(hex.slice(0, 2), 16))).toBe(hex.length / 2);
  });

  test("a longer form than needed has the same value", () => {
    expect([read("4025"), written(37, 2), written(37, 8)]).toEqual([37, "4025", "c000000000000025"]);
  });

  test("a value above 2^53 is rounded up, never down, and exact as a bigint", () => {
    expect(varint64(fromHex("c2197c5eff14e88c"))).toBe(151_288_809_941_952_652n);
    expect(read("d000000000000000")).toBe(2 ** 60);
    expect(read("d000000000000001")).toBeGreaterThan(2 ** 60);
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 62n - 1n), (exact) => {
        const hex = (exact | (3n << 62n)).toString(16);
        const got = BigInt(read(hex));
        expect(got >= exact && got - exact < 512n + (exact >> 52n)).toBe(true);
        expect(exact >= 2n ** 53n || got === exact).toBe(true);
        expect(varint64(fromHex(hex))).toBe(exact);
      }),
    );
  });

  test.each(["", "40", "800000", "c0000000000000"])("%s is too short", (hex) => {
    const reader = new Reader(fromHex(hex));
    readVarint(reader);
    expect(reader.short).toBe(true);
  });

  test("a value that has no encoding, or none of this length, is misuse", () => {
    for (const act of [() => written(-1), () => written(2 ** 63), () => written(Number.NaN), () => written(64, 1)])
      expect(act).toThrow(Misuse);
  });
});
