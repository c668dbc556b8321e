import { describe, expect, test } from "vitest";
import { Misuse } from "../../../core/index.ts";
import { Columns, type Histogram, Labels } from "../../model/index.ts";
import { emptyFiles } from "../block/testing.ts";
import { checkpointsIn } from "../wal/checkpoint.ts";
import { fill, HOUR, hours, is, NOW, open, shown } from "./testing.ts";
import { Database, FileFault } from "../index.ts";
import { RECORD, RecordBuffer } from "../wal/record.ts";
import { segmentsIn, SegmentWriter } from "../wal/segment.ts";

describe("a data directory", () => {
  test("shows the same after reopening, from blocks, a checkpoint and the log", () => {
    const files = emptyFiles();
    const database = open(files);
    fill(database, 1, 30);
    const expected = { a: hours(1, 30), b: hours(1, 30) };
    expect(shown(database)).toEqual(expected);
    expect(database.blocks.all.length).toBeGreaterThan(1);
    expect(checkpointsIn(files, "data/wal").length).toBe(1);
    const { headStats } = database.stats();
    database.close();
    const again = open(files);
    expect(shown(again)).toEqual(expected);
    expect(again.stats().headStats).toEqual(headStats);
    expect(again.log).toMatchObject({ repairs: [] });
    fill(again, 31, 40);
    expect(shown(again)).toEqual({ a: hours(1, 40), b: hours(1, 40) });
  });

  test.each(["interval", "commit"] as const)("left by a killed process: later syncs cover its log: %s", (walSync) => {
    const files = emptyFiles();
    fill(open(files, { walSync: "interval" }), 1, 1);
    files.restart();
    const second = open(files, { walSync });
    fill(second, 2, 2);
    if (walSync === "interval") second.sync();
    files.losePower();
    expect(shown(open(files))).toEqual({ a: hours(1, 2), b: hours(1, 2) });
  });

  test("truncates its log with memory", () => {
    const files = emptyFiles();
    const database = open(files);
    fill(database, 1, 100);
    expect(segmentsIn(files, "data/wal").length).toBeLessThan(12);
    expect(database.head.table.count).toBe(2);
    expect(database.head.minTime).toBeGreaterThan(NOW + 96 * HOUR);
  });

  test("drops series that have ended and accepts them again", () => {
    const files = emptyFiles();
    const database = open(files);
    fill(database, 1, 2, ["gone", "a"]);
    fill(database, 3, 12, ["a"]);
    expect(database.stats().seriesCountByMetricName).toEqual([{ name: "a", value: 1 }]);
    fill(database, 13, 14, ["gone", "a"]);
    database.close();
    expect(shown(open(files))).toEqual({ a: hours(1, 14), gone: [1, 2, 13, 14] });
  });

  test("finds the other series after many have ended", () => {
    const database = open(emptyFiles(), { walSegmentOctets: 1_048_576 });
    const many = Array.from({ length: 3_000 }, (_, at) => `m${at}`);
    fill(database, 1, 1, many);
    expect(Object.keys(shown(database, is("m2999")))).toEqual(["m2999"]);
    fill(database, 2, 12, many.slice(1_500));
    expect(database.head.table.count).toBe(1_500);
    const querier = database.querier(NOW + 11 * HOUR, Infinity);
    const found = [...querier.select(is("m2999"), NOW + 11 * HOUR, Infinity)].map(({ labels }) => labels.metric);
    querier.close();
    expect(found).toEqual(["m2999"]);
  });

  test("of another server, with two references for a series: has the samples of both", () => {
    const files = emptyFiles();
    files.makeDirectory("data/wal");
    const writer = new SegmentWriter(files, "data/wal", { number: 0, sync: "never" });
    const records = new RecordBuffer();
    for (const [ref, time] of [
      [4, NOW],
      [9, NOW + 1_000],
    ] as const) {
      records.begin(RECORD.series);
      records.series(ref, 1);
      for (const text of ["__name__", "a"]) {
        records.uvarint(text.length);
        records.copy(new TextEncoder().encode(text), 0, text.length);
      }
      records.end();
      records.samples({ refs: Float64Array.of(ref), times: Float64Array.of(time), bits: Uint32Array.of(0, 0x3ff0_0000 + ref) }, 0, 1);
    }
    writer.write(records);
    writer.close();
    const database = open(files);
    expect(shown(database)["a"]?.length).toBe(2);
    expect(database.log.unknown).toBe(0);
    const appender = database.appender();
    expect(appender.series(Labels.of({ __name__: "b" }))).toBe(10);
    appender.rollback();
  });

  test("removes blocks older than the retention", () => {
    const database = open(emptyFiles(), { retention: { ms: 20 * HOUR, octets: 0 } });
    fill(database, 1, 80);
    const [first = 0, ...rest] = shown(database)["a"] ?? [];
    expect(first).toBeGreaterThan(25);
    expect(rest.at(-1)).toBe(80);
  });

  test("removes the oldest blocks if the total size, including the log, is too large", () => {
    const files = emptyFiles();
    const unbound = open(files);
    fill(unbound, 1, 80);
    const { octets } = unbound.blocks;
    const [first] = shown(unbound)["a"] ?? [];
    unbound.close();
    const database = open(files, { retention: { ms: 0, octets } });
    while (database.compact(NOW + 80 * HOUR));
    expect(first).toBe(1);
    expect(shown(database)["a"]?.[0]).toBeGreaterThan(1);
    expect(shown(database)["a"]?.at(-1)).toBe(80);
    expect(database.blocks.octets).toBeLessThan(octets);
  });

  test("in use by another process: refuses to open; closed: throws Misuse", () => {
    const files = emptyFiles();
    const database = open(files);
    expect(() => open(files)).toThrow(FileFault);
    database.close();
    database.close();
    for (const use of [() => database.appender(), () => database.querier(0, 1), () => database.compact(0), () => database.stats()]) {
      expect(use).toThrow(Misuse);
    }
  });

  test("flush() writes all of memory into blocks", () => {
    const files = emptyFiles();
    const database = open(files);
    fill(database, 1, 5);
    database.flush(NOW);
    expect(database.stats().headStats.numSeries).toBe(0);
    expect(shown(database)).toEqual({ a: hours(1, 5), b: hours(1, 5) });
    database.close();
    expect(shown(open(files))).toEqual({ a: hours(1, 5), b: hours(1, 5) });
  });
});

describe("histograms", () => {
  const histogram = (count: number, isInteger: boolean): Histogram => ({
    schema: 2,
    zeroThreshold: 0.25,
    zeroCount: 1,
    count: count + 1,
    sum: count * 2.5,
    positiveSpans: [{ offset: 3, length: 1 }],
    negativeSpans: [{ offset: -3, length: 1 }],
    positive: [count],
    negative: [0],
    bounds: [],
    resetHint: "unknown",
    isInteger,
  });

  const counts = (database: Database, name: string): (number | undefined)[] => {
    const querier = database.querier(0, Infinity);
    const columns = new Columns();
    for (const series of querier.select(is(name), 0, Infinity)) series.read(columns, 0, Infinity);
    querier.close();
    return Array.from({ length: columns.length }, (_, row) => columns.histograms?.[row]?.count);
  };

  test.each([true, false])("of integers: %s; are there after reopening, in blocks, and next to a float and a stale marker", (isInteger) => {
    const files = emptyFiles();
    const database = open(files);
    for (let minute = 0; minute < 300; minute++) {
      const appender = database.appender();
      const series = appender.series(Labels.of({ __name__: "h" }));
      expect(appender.appendHistogram(series, NOW + minute * 60_000, histogram(minute % 200, isInteger))).toBeUndefined();
      appender.commit();
      while (database.compact(NOW));
    }
    const last = database.appender();
    const series = last.series(Labels.of({ __name__: "h" }));
    expect(last.appendHistogram(series, NOW + 299 * 60_000, histogram(99, isInteger))).toBeUndefined();
    expect(last.appendHistogram(series, NOW + 299 * 60_000, histogram(98, isInteger))).toBe("duplicate sample for timestamp");
    expect(last.append(series, NOW + 299 * 60_000, 1)).toBe("duplicate sample for timestamp");
    expect(last.appendHistogram(series, NOW + 290 * 60_000, histogram(98, isInteger))).toBe("out of order sample");
    expect(last.append(series, NOW + 300 * 60_000, 7)).toBeUndefined();
    expect(last.appendStale(series, NOW + 301 * 60_000)).toBeUndefined();
    last.commit();
    const expected = [...Array.from({ length: 300 }, (_, minute) => (minute % 200) + 1), undefined, undefined];
    expect(counts(database, "h")).toEqual(expected);
    database.close();
    const again = open(files);
    expect(counts(again, "h")).toEqual(expected);
    again.flush(NOW);
    expect(counts(again, "h")).toEqual(expected);
  });
});

describe("a deletion", () => {
  const deleted = { a: [1, 2, 3, 4, 10, 11, 12], b: hours(1, 12) };

  test("takes effect at once in blocks and memory, after reopening, and after compaction", () => {
    const files = emptyFiles();
    const database = open(files);
    fill(database, 1, 12);
    database.delete(is("a"), NOW + 5 * HOUR, NOW + 9 * HOUR);
    database.delete(is("a"), NOW + 5 * HOUR, NOW + 7 * HOUR);
    expect(shown(database)).toEqual(deleted);
    database.close();
    const again = open(files);
    expect(shown(again)).toEqual(deleted);
    again.cleanTombstones(NOW + 12 * HOUR);
    expect(again.blocks.all.every((block) => block.tombstones.size === 0)).toBe(true);
    expect(shown(again)).toEqual(deleted);
    again.flush(NOW + 12 * HOUR);
    again.close();
    expect(shown(open(files))).toEqual(deleted);
  });

  test("with an infinite end does not affect later samples", () => {
    const database = open(emptyFiles());
    fill(database, 1, 2);
    database.delete(is("a"), -Infinity, Infinity);
    fill(database, 3, 3);
    expect(shown(database)).toEqual({ a: [3], b: [1, 2, 3] });
  });
});

describe("a snapshot", () => {
  test("has the current content, unaffected by later changes of the original", () => {
    const files = emptyFiles();
    const database = open(files);
    fill(database, 1, 12);
    database.delete(is("b"), NOW + 2 * HOUR, NOW + 3 * HOUR);
    database.snapshot("copy", { withHead: true, now: NOW + 12 * HOUR });
    expect(() => database.snapshot("copy", { withHead: true, now: NOW })).toThrow(Misuse);
    database.delete(is("a"), -Infinity, Infinity);
    const copy = new Database(files, "copy", { random: (into) => into });
    expect(shown(copy)).toEqual({ a: hours(1, 12), b: [1, ...hours(4, 12)] });
    expect(copy.head.table.count).toBe(0);
    expect(shown(database)).toEqual({ b: [1, ...hours(4, 12)] });
  });
});

describe("the statistics", () => {
  test("count series, labels and chunks, largest first", () => {
    const database = open(emptyFiles());
    const appender = database.appender();
    for (let at = 0; at < 20; at++) {
      const labels = Labels.of({ __name__: at < 15 ? "many" : "few", instance: `host-${at}`, job: "one" });
      appender.append(appender.series(labels), NOW + at, 1);
    }
    appender.commit();
    expect(database.stats(2)).toEqual({
      headStats: { numSeries: 20, numLabelPairs: 23, chunkCount: 20, numSamples: 20, minTime: NOW, maxTime: NOW + 19 },
      seriesCountByMetricName: [
        { name: "many", value: 15 },
        { name: "few", value: 5 },
      ],
      labelValueCountByLabelName: [
        { name: "instance", value: 20 },
        { name: "__name__", value: 2 },
      ],
      memoryInBytesByLabelName: [
        { name: "instance", value: 10 * 6 + 10 * 7 },
        { name: "__name__", value: 15 * 4 + 5 * 3 },
      ],
      seriesCountByLabelValuePair: [
        { name: "job=one", value: 20 },
        { name: "__name__=many", value: 15 },
      ],
    });
  });
});
