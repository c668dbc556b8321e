import { describe, expect, test } from "vitest";
import snappy from "snappyjs";
import { emptyFiles } from "../block/testing.ts";
import type { MemoryFiles } from "../files/testing.ts";
import { crc32c } from "../codec/crc32c.ts";
import { FileFault, readFile } from "../files/files.ts";
import { readSegment, type SegmentReading } from "./read.ts";
import { RecordBuffer } from "./record.ts";
import { repairSegment } from "./repair.ts";
import { PAGE, segmentName, segmentsIn, SegmentWriter } from "./segment.ts";

const MOST = 1 << 24;
const path = `data/${segmentName(0)}`;

/** A record of `length` octets derived from its number. */
const record = (number: number, length: number): Uint8Array => new Uint8Array(length).fill(number % 251);

function batch(...bodies: Uint8Array[]): RecordBuffer {
  const records = new RecordBuffer();
  for (const body of bodies) {
    records.copy(body, 0, body.length);
    records.end();
  }
  return records;
}

function read(files: MemoryFiles, name = path): { lengths: number[]; reading: SegmentReading } {
  const lengths: number[] = [];
  const reading = readSegment(files, name, MOST, (bytes, from, to) => {
    const [first] = bytes.subarray(from, from + 1);
    if (bytes.subarray(from, to).some((octet) => octet !== first)) lengths.push(-1);
    lengths.push(to - from);
    return undefined;
  });
  return { lengths, reading };
}

function patch(files: MemoryFiles, at: number, bytes: Uint8Array): void {
  const file = files.open(path, "write");
  file.write(bytes, at);
  file.close();
}

describe("a segment", () => {
  test("keeps records of any length around page boundaries, in batches of any size", () => {
    const lengths = [
      1,
      100,
      PAGE - 7,
      PAGE - 8,
      PAGE - 6,
      PAGE,
      PAGE * 3,
      5,
      PAGE - 14,
      PAGE - 15,
      PAGE - 20,
      1,
      1,
      PAGE - 9,
      2,
      3 * PAGE - 21,
    ];
    for (const size of [1, 2, 5, lengths.length]) {
      const files = emptyFiles();
      const writer = new SegmentWriter(files, "data", { number: 0, sync: "never" });
      for (let at = 0; at < lengths.length; at += size) {
        writer.write(batch(...lengths.slice(at, at + size).map((length, index) => record(at + index, length))));
      }
      writer.close();
      const { lengths: found, reading } = read(files);
      expect(found).toEqual(lengths);
      expect(reading).toMatchObject({ records: lengths.length, damage: [], isTorn: false, goodEnd: files.open(path, "read").size() });
    }
  });

  test("starts with the header of its first fragment, and each page with a whole fragment", () => {
    const files = emptyFiles();
    const writer = new SegmentWriter(files, "data", { number: 0, sync: "never" });
    writer.write(batch(Uint8Array.of(1, 2, 3), record(9, PAGE)));
    writer.close();
    const bytes = readFile(files, path);
    const sum = crc32c(Uint8Array.of(1, 2, 3));
    expect([...bytes.subarray(0, 10)]).toEqual([1, 0, 3, sum >>> 24, (sum >>> 16) & 255, (sum >>> 8) & 255, sum & 255, 1, 2, 3]);
    expect([bytes[10], bytes[PAGE]]).toEqual([2, 4]);
    expect(((bytes[11] ?? 0) << 8) | (bytes[12] ?? 0)).toBe(PAGE - 17);
  });

  test("is cut at its size; a larger batch gets its own segment", () => {
    const files = emptyFiles();
    const writer = new SegmentWriter(files, "data", { number: 0, sync: "never", segmentOctets: PAGE });
    writer.write(batch(record(1, 20_000)));
    writer.write(batch(record(2, 20_000)));
    writer.write(batch(record(3, 3 * PAGE)));
    writer.close();
    expect(segmentsIn(files, "data").map(({ name }) => name)).toEqual(["00000000", "00000001", "00000002"]);
    // Whole pages, except the last one.
    expect(files.open(path, "read").size()).toBe(PAGE);
    expect(read(files, "data/00000002").lengths).toEqual([3 * PAGE]);
  });

  test("with compressed records is read", () => {
    const files = emptyFiles();
    const body = record(7, 5_000);
    const packed = snappy.compress(body);
    const writer = new SegmentWriter(files, "data", { number: 0, sync: "never" });
    writer.write(batch(packed));
    writer.close();
    patch(files, 0, Uint8Array.of(1 | 8));
    expect(read(files)).toMatchObject({ lengths: [5_000], reading: { damage: [] } });
    patch(files, 0, Uint8Array.of(1 | 16));
    expect(read(files)).toMatchObject({ lengths: [], reading: { damage: [{ at: 0, fault: "recordZstd" }], isTorn: false } });
  });

  test("cut anywhere: the complete records are read, and a repair cuts after them", () => {
    const whole = emptyFiles();
    const lengths = [10, PAGE, 300, 40];
    const writer = new SegmentWriter(whole, "data", { number: 0, sync: "never" });
    writer.write(batch(...lengths.map((length, at) => record(at + 1, length))));
    writer.close();
    const bytes = readFile(whole, path);
    for (const size of [0, 3, 16, 17, 18, 30, 5_000, PAGE - 1, PAGE, PAGE + 1, PAGE + 30, PAGE + 300, bytes.length - 1]) {
      const files = emptyFiles();
      files.open(path, "create").write(bytes.subarray(0, size), 0);
      const { lengths: found, reading } = read(files);
      expect(found).toEqual(lengths.slice(0, found.length));
      expect(reading.isTorn).toBe(reading.goodEnd < size);
      if (reading.damage.length === 0) continue;
      expect(repairSegment(files, "data", { path, ...reading }, MOST).done).toBe("cut");
      expect(read(files)).toMatchObject({ lengths: found, reading: { damage: [], size: reading.goodEnd } });
    }
  });

  test.each([
    ["an octet of a record", PAGE * 2 + 100, Uint8Array.of(0xee), "fragmentChecksum"],
    ["the type of a fragment", PAGE * 2, Uint8Array.of(7), "fragmentType"],
    ["zeros where a record is", PAGE * 2, new Uint8Array(8), "pageRest"],
    ["a length beyond the page", PAGE * 2 + 1, Uint8Array.of(0xff, 0xff), "fragmentLength"],
    ["a last fragment without a first", PAGE * 2, Uint8Array.of(4), "fragmentOrder"],
  ])("damaged within by %s: the records of other pages are read, and a repair keeps them", (_, at, octets, fault) => {
    const files = emptyFiles();
    const writer = new SegmentWriter(files, "data", { number: 0, sync: "never" });
    const lengths = Array.from({ length: 50 }, (_, index) => 3_000 + index);
    // Each page begins with a record.
    for (const [index, length] of lengths.entries())
      writer.write(batch(record(index + 1, index % 10 === 9 ? PAGE - 7 - ((writer.size + 7) % PAGE) : length)));
    writer.close();
    const before = read(files).lengths;
    patch(files, at, octets);
    const { lengths: found, reading } = read(files);
    expect(reading.damage[0]).toEqual({ at: PAGE * 2, fault });
    expect(reading.isTorn).toBe(false);
    expect(found.length).toBeGreaterThan(before.length - 12);
    expect(found.length).toBeLessThan(before.length);
    expect(before.join()).toContain(found.slice(-20).join());
    const to = `data/quarantine/${segmentName(0)}`;
    expect(repairSegment(files, "data", { path, ...reading }, MOST)).toMatchObject({ done: "set aside", to });
    expect(files.exists(to)).toBe(true);
    expect(segmentsIn(files, "data").length).toBe(1);
  });
});

describe("a write", () => {
  test("that fails leaves nothing, and the next one continues before it", () => {
    const files = emptyFiles();
    const writer = new SegmentWriter(files, "data", { number: 0, sync: "commit" });
    writer.write(batch(record(1, 100)));
    for (const later of [1, 2]) {
      files.plan(later, "no space", 2);
      expect(() => writer.write(batch(record(2, PAGE * 2)))).toThrow(FileFault);
      writer.write(batch(record(3, 50)));
    }
    writer.close();
    expect(read(files)).toMatchObject({ lengths: [100, 50, 50], reading: { damage: [] } });
  });

  test("of nothing: takeBack() changes nothing", () => {
    const files = emptyFiles();
    const writer = new SegmentWriter(files, "data", { number: 0, sync: "never" });
    writer.write(batch(record(1, 100)));
    writer.write(batch());
    writer.takeBack();
    writer.write(batch(record(1, 200)));
    writer.takeBack();
    writer.close();
    expect(read(files).lengths).toEqual([100]);
  });
});
