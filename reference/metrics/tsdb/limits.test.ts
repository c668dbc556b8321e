import { describe, expect, test } from "vitest";
import { Misuse } from "../../core/index.ts";
import { Labels } from "../model/index.ts";
import { emptyFiles } from "./block-testing.ts";
import { Database } from "./index.ts";
import { DEFAULT_STORAGE_LIMITS, type StorageLimits } from "./limits.ts";
import { readSegment } from "./wal-read.ts";
import { RecordBuffer } from "./wal-record.ts";
import { PAGE, segmentName, SegmentWriter } from "./wal-segment.ts";

const open = (limits: Partial<StorageLimits>, files = emptyFiles()): Database =>
  new Database(files, "data", { random: (into) => into, limits: { ...DEFAULT_STORAGE_LIMITS, ...limits } });

/** What is said of the last of these series, where a storage with these limits takes the others, before it and after it. */
function refusalOf(limits: Partial<StorageLimits>, ...all: Labels[]): string {
  const appender = open(limits).appender();
  const last = all.pop() as Labels;
  for (const labels of all) appender.append(appender.series(labels), 1_000, 1);
  try {
    appender.series(last);
  } catch (error) {
    for (const labels of all) appender.append(appender.series(labels), 2_000, 1);
    appender.commit();
    return error instanceof Misuse ? error.message : String(error);
  }
  return "taken";
}
const named = (name: string, more: Readonly<Record<string, string>> = {}): Labels => Labels.of({ __name__: name, ...more });

describe("limits of the storage: what just keeps one is taken, one more is refused", () => {
  test("series in memory", () => {
    expect(refusalOf({ series: 2 }, named("a"), named("b"), named("c"))).toContain("There are 2 series already");
  });

  test("labels of a series", () => {
    expect(refusalOf({ labels: 2 }, named("a", { b: "x" }), named("a", { b: "x", c: "y" }))).toBe("A series has at most 2 labels.");
  });

  test.each([
    ["letters", "x".repeat(30), "x".repeat(31)],
    ["signs of two octets", "é".repeat(15), `${"é".repeat(15)}x`],
    ["signs of four octets", `${"😀".repeat(7)}xx`, "😀".repeat(8)],
  ])("octets of a label, %s", (_about, good, bad) => {
    expect(refusalOf({ labelOctets: 30 }, named("a", { b: good }), named("a", { b: bad }))).toBe("A label has at most 30 octets.");
  });

  test("octets of a record of the log, in fragments and inflated", () => {
    const files = emptyFiles();
    const writer = new SegmentWriter(files, "data", 0, "commit", Infinity);
    const records = new RecordBuffer();
    for (const length of [PAGE * 2, PAGE * 2 + 1, 5]) {
      records.copy(new Uint8Array(length).fill(length), 0, length);
      records.end();
    }
    writer.write(records);
    writer.close();
    const lengths: number[] = [];
    const { damage } = readSegment(files, `data/${segmentName(0)}`, PAGE * 2, (_bytes, from, to) => {
      lengths.push(to - from);
      return undefined;
    });
    expect(lengths).toEqual([PAGE * 2, 5]);
    expect(damage).toHaveLength(1);
  });
});
