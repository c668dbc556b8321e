import { deflateRawSync, gzipSync, zstdCompressSync, constants } from "node:zlib";
import { describe, expect, test } from "vitest";
import { messageCompressors } from "./message-compression.ts";

const compressors = messageCompressors();
const MESSAGE = new TextEncoder().encode("a message, a message, a message ".repeat(40));

test("the encodings are those of Node", () => {
  expect([...compressors.keys()]).toEqual(["gzip", "deflate", "zstd"]);
});

describe.each([...compressors])("%s", (_, { compress, decompress }) => {
  test("gives back what it compressed, which is smaller", () => {
    const compressed = compress(MESSAGE);
    expect(compressed.length).toBeLessThan(MESSAGE.length / 4);
    expect(Buffer.from(MESSAGE).equals(decompress(compressed, MESSAGE.length) as Uint8Array)).toBe(true);
    expect(decompress(compress(new Uint8Array(0)), 10)).toHaveLength(0);
  });

  test("makes as many octets as the limit, and not one more", () => {
    const compressed = compress(MESSAGE);
    expect(decompress(compressed, MESSAGE.length - 1)).toBe("large");
    expect(decompress(compressed, 0)).toBe("large");
    expect(decompress(compress(Uint8Array.of(1)), 0)).toBe("large");
    expect(decompress(compress(new Uint8Array(0)), 0)).toHaveLength(0);
  });

  test("refuses what is cut off anywhere, empty, or something else", () => {
    const compressed = compress(MESSAGE);
    for (let end = 0; end < compressed.length; end++)
      expect([end, decompress(compressed.subarray(0, end), 10_000)]).toEqual([end, "corrupt"]);
    expect(decompress(MESSAGE, 10_000)).toBe("corrupt");
  });

  test("a bomb costs no more memory than the limit", () => {
    const bomb = compress(new Uint8Array(64 << 20));
    const before = process.memoryUsage().arrayBuffers;
    expect(decompress(bomb, 65_536)).toBe("large");
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4 << 20);
  });
});

test("deflate needs the head of zlib, and checksums count", () => {
  expect(compressors.get("deflate")?.decompress(deflateRawSync(MESSAGE), 10_000)).toBe("corrupt");
  const gzip = gzipSync(MESSAGE);
  gzip[gzip.length - 5]! ^= 1;
  expect(compressors.get("gzip")?.decompress(gzip, 10_000)).toBe("corrupt");
});

test("a window of zstd above 8 MiB is refused", () => {
  const [fits, exceeds] = [23, 24].map((log) =>
    zstdCompressSync(new Uint8Array((16 << 20) + 1), {
      params: { [constants.ZSTD_c_windowLog]: log, [constants.ZSTD_c_enableLongDistanceMatching]: 1 },
    }),
  );
  expect(compressors.get("zstd")?.decompress(fits!, 20 << 20)).toHaveLength((16 << 20) + 1);
  expect(compressors.get("zstd")?.decompress(exceeds!, 20 << 20)).toBe("corrupt");
});
