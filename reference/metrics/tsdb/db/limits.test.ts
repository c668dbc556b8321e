import { describe, expect, test } from "vitest";
import { Misuse } from "../../../core/index.ts";
import { LabelOctets, Labels } from "../../model/index.ts";
import type { Appender } from "../../storage/index.ts";
import { emptyFiles } from "../block/testing.ts";
import { Database } from "../index.ts";
import { DEFAULT_STORAGE_LIMITS, type StorageLimits } from "../head/limits.ts";
import { readSegment } from "../wal/read.ts";
import { RecordBuffer } from "../wal/record.ts";
import { PAGE, segmentName, SegmentWriter } from "../wal/segment.ts";

const open = (limits: Partial<StorageLimits>, files = emptyFiles()): Database =>
  new Database(files, "data", { random: (into) => into, limits: { ...DEFAULT_STORAGE_LIMITS, ...limits } });

/** A series by its number. */
type Way = (appender: Appender, labels: Labels) => number;
const WAYS: readonly Way[] = [(appender, labels) => appender.series(labels), (appender, labels) => appender.seriesOf(octetsOf(labels))];

function octetsOf(labels: Labels): LabelOctets {
  const octets = new LabelOctets();
  for (const [name, value] of labels) octets.addText(name, value);
  return octets;
}

/** The refusal of the last series, given as texts and as octets, by a storage with these limits that accepts the others before and after it. */
function refusalOf(limits: Partial<StorageLimits>, ...all: Labels[]): string {
  const last = all.pop() as Labels;
  const [said, saidOfOctets] = WAYS.map((way) => refusedBy(way, open(limits), all, last));
  expect(saidOfOctets).toBe(said);
  return said ?? "";
}

function refusedBy(way: Way, database: Database, others: readonly Labels[], last: Labels): string {
  const appender = database.appender();
  for (const labels of others) appender.append(way(appender, labels), 1_000, 1);
  const { symbols } = database.head.table;
  const { end } = symbols;
  try {
    way(appender, last);
  } catch (error) {
    // It leaves no trace.
    expect(symbols.end).toBe(end);
    for (const labels of others) appender.append(way(appender, labels), 2_000, 1);
    appender.commit();
    return error instanceof Misuse ? error.message : String(error);
  }
  return "taken";
}
const named = (name: string, more: Readonly<Record<string, string>> = {}): Labels => Labels.of({ __name__: name, ...more });

describe("storage limits: the limit is accepted, one more is refused", () => {
  test("a series has a label", () => {
    expect(refusalOf({}, named("a"), Labels.NONE)).toBe("A series has at least one label.");
  });

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

  test("octets of a record of the log, in fragments and unpacked", () => {
    const files = emptyFiles();
    const writer = new SegmentWriter(files, "data", { number: 0, sync: "commit", segmentOctets: Infinity });
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
