import { describe, expect, test } from "vitest";
import { deflateOf, type Compression } from "./platform.ts";

const AGREED = { serverTakeover: true, clientTakeover: true, serverBits: 15, clientBits: 15 };
/** Text that repeats itself from afar, so that every setting of the compressor shows in its length. */
const TEXT = Buffer.from(Array.from({ length: 4_000 }, (_, at) => ((at * 2_654_435_761) % 9_973).toString(36)).join(" "));

const sizeWith = (how: Compression): number => {
  const deflater = deflateOf(how, AGREED)!.engine.deflater(15, true);
  const { length } = deflater.deflate(TEXT, true);
  deflater.close();
  return length;
};

describe("deflateOf(): how to compress", () => {
  test("level: 0 only stores, 9 compresses", () => {
    expect(sizeWith({ level: 0 })).toBeGreaterThan(TEXT.length);
    expect(sizeWith({ level: 9 })).toBeLessThan(TEXT.length);
  });
  test("memLevel: little memory costs octets", () => {
    expect(sizeWith({ memLevel: 1 })).toBeGreaterThan(sizeWith({ memLevel: 9 }));
  });
});
