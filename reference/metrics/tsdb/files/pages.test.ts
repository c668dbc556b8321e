import fc from "fast-check";
import { expect, test } from "vitest";
import { Misuse } from "../../../core/index.ts";
import { PageCache } from "./pages.ts";
import { MemoryFiles } from "./testing.ts";

const SIZE = 200_000;
const content = Uint8Array.from({ length: SIZE }, (_, at) => (at * 7919) >>> 5);

test("a cache of any size reads files correctly and keeps no more pages than it has room for", () => {
  const files = new MemoryFiles();
  files.makeDirectory("d");
  for (const name of ["a", "b"]) files.open(`d/${name}`, "create").write(name === "a" ? content : content.toReversed(), 0);
  const reads = fc.array(fc.tuple(fc.boolean(), fc.nat(SIZE + 10), fc.oneof(fc.nat(50), fc.nat(70_000))), { maxLength: 60 });
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 5 }), reads, (pages, list) => {
      const cache = new PageCache(pages * 32_768);
      const [a, b] = [cache.open(files.open("d/a", "read")), cache.open(files.open("d/b", "read"))];
      for (const [isA, at, length] of list) {
        const whole = isA ? content : content.toReversed();
        expect(Buffer.compare((isA ? a : b).read(at, length), whole.subarray(at, at + length))).toBe(0);
      }
      a.close();
      expect(Buffer.compare(b.read(5, 100_000), content.toReversed().subarray(5, 100_005))).toBe(0);
    }),
    { numRuns: 50 },
  );
});

test("a cached page is not read again while there is room; a new page evicts an old one", () => {
  const reads: number[] = [];
  const counted = {
    path: "x",
    size: () => SIZE,
    read: (into: Uint8Array, at: number) => (reads.push(at), Math.min(into.length, SIZE - at)),
  };
  const nothing = { write: () => undefined, truncate: () => undefined, sync: () => undefined, close: () => undefined };
  const file = new PageCache(2 * 32_768).open({ ...counted, ...nothing });
  for (const page of [0, 1, 0, 1, 2, 2]) file.read(page * 32_768, 10);
  expect(reads).toEqual([0, 32_768, 65_536]);
  expect(() => new PageCache(32_768)).toThrow(Misuse);
});
