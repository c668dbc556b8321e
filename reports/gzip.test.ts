import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { gzip, plainText } from "./gzip.ts";

describe("gzip", () => {
  test("the header has no flags, no time and no system (RFC 1952 §2.3)", () => {
    // Magic, method deflate, no flags, time 0, "maximum compression", system unknown.
    expect([...gzip("some text").subarray(0, 10)]).toEqual([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255]);
  });

  test("text comes back from gzip and from a plain file", () => {
    expect(plainText(gzip("grün ✓"))).toBe("grün ✓");
    expect(plainText(gzipSync("of another writer", { level: 1 }))).toBe("of another writer");
    expect(plainText(Buffer.from("plain"))).toBe("plain");
  });

  test("text that ends too early is an error", () => {
    expect(() => plainText(gzip("some text").subarray(0, 12))).toThrow("unexpected end of file");
  });

  test("a small file that unpacks to more than its limit is an error, and is not unpacked", () => {
    const bomb = gzip("a".repeat(10_000));
    expect(() => plainText(bomb, 9_999)).toThrow(/larger than 9999 bytes/);
    expect(plainText(bomb, 10_000)).toHaveLength(10_000);
  });
});
