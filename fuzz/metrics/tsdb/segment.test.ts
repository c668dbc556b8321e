import { expect, test } from "vitest";
import { MemoryFiles } from "../../../reference/metrics/tsdb/files/testing.ts";
import { readSegment } from "../../../reference/metrics/tsdb/wal/read.ts";
import { segmentOf } from "./segment.fuzz.ts";

/** The records in the segment of an input, and the faults beside them. */
function contentOf(input: Uint8Array): { records: number; faults: string[]; size: number } {
  const files = new MemoryFiles();
  files.makeDirectory("wal");
  files.open("wal/0", "create").write(segmentOf(input), 0);
  const { records, damage, size } = readSegment(files, "wal/0", 1 << 20, () => undefined);
  return { records, faults: damage.map(({ fault }) => fault), size };
}
const fragment = (head: number, ...content: number[]): number[] => [head, 0, content.length, 0, 0, 0, 0, ...content];

test("the fuzzer of segments: whatever a fragment has in it, it is read", () => {
  expect(contentOf(Uint8Array.of(0, ...fragment(1, 99), ...fragment(1, 7, 8)))).toMatchObject({ records: 2, faults: [] });
  expect(contentOf(Uint8Array.of(0, ...fragment(2, 99), ...fragment(4, 7), ...fragment(4, 7)))).toMatchObject({
    records: 1,
    faults: ["fragmentOrder"],
  });
  expect(contentOf(Uint8Array.of(0, 1, 0, 1, 255, 255, 255, 255, 99)).faults).toEqual(["fragmentChecksum"]);
});

test("the fuzzer of segments: an input crosses the end of a page", () => {
  const { records, faults, size } = contentOf(Uint8Array.of(1, ...fragment(2, ...Array.from({ length: 9 }, () => 99)), ...fragment(4, 1)));
  expect([records, faults]).toEqual([2, []]);
  expect(size).toBeGreaterThan(32_768);
});
