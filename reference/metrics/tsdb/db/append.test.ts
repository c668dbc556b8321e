import { describe, expect, test } from "vitest";
import { Misuse } from "../../../core/index.ts";
import { Columns, LabelOctets, Labels, Matcher } from "../../model/index.ts";
import type { Querier } from "../../storage/index.ts";
import { emptyFiles } from "../block/testing.ts";
import { Database, type DatabaseOptions, FileFault, type Files } from "../index.ts";

const HOUR = 3_600_000;
const NOW = 1_000 * HOUR;
const A = Labels.of({ __name__: "a" });
const B = Labels.of({ __name__: "b" });
const ALL = [new Matcher("__name__", "=~", ".+")];

/** Distinct block names. */
let names = 0;
const open = (options: Partial<DatabaseOptions> = {}, files: Files = emptyFiles()): Database =>
  new Database(files, "data", { random: (into) => into.fill(names++ % 32), ...options });

function seen(querier: Querier): Record<string, [number, number][]> {
  const columns = new Columns();
  const all: Record<string, [number, number][]> = {};
  for (const series of querier.select(ALL, -Infinity, Infinity)) {
    columns.clear();
    series.read(columns, -Infinity, Infinity);
    all[series.labels.metric] = Array.from({ length: columns.length }, (_, at) => [columns.times[at] ?? 0, columns.values[at] ?? 0]);
  }
  return all;
}
function shown(database: Database): Record<string, [number, number][]> {
  const querier = database.querier(0, Infinity);
  const all = seen(querier);
  querier.close();
  return all;
}
function put(database: Database, labels: Labels, ...samples: [number, number][]): (string | undefined)[] {
  const appender = database.appender();
  const answers = samples.map(([time, value]) => appender.append(appender.series(labels), time, value));
  appender.commit();
  return answers;
}

describe("a sample", () => {
  test("after the last is accepted; the last again changes nothing; any other is refused with a reason", () => {
    const database = open();
    expect(put(database, A, [NOW, 1], [NOW + 1_000, 2])).toEqual([undefined, undefined]);
    expect(put(database, A, [NOW + 1_000, 2])).toEqual([undefined]);
    expect(put(database, A, [NOW + 1_000, 3])).toEqual(["duplicate sample for timestamp"]);
    expect(put(database, A, [NOW + 500, 3])).toEqual(["out of order sample"]);
    expect(put(database, A, [NOW, 1])).toEqual(["out of order sample"]);
    expect(put(database, B, [NOW + 1_000 - HOUR - 1, 3])).toEqual(["out of bounds"]);
    expect(put(database, B, [NOW + 1_000 - HOUR, 3])).toEqual([undefined]);
    expect(shown(database)).toEqual({
      a: [
        [NOW, 1],
        [NOW + 1_000, 2],
      ],
      b: [[NOW + 1_000 - HOUR, 3]],
    });
  });

  test("is checked against its own batch too", () => {
    const database = open();
    expect(put(database, A, [NOW, 1], [NOW, 1], [NOW, 2], [NOW - 5, 1], [NOW + 5, 1])).toEqual([
      undefined,
      undefined,
      "duplicate sample for timestamp",
      "out of order sample",
      undefined,
    ]);
    expect(shown(database)["a"]).toEqual([
      [NOW, 1],
      [NOW + 5, 1],
    ]);
  });

  test("NaN equals NaN, but not a stale marker", () => {
    const database = open();
    expect(put(database, A, [NOW, Number.NaN])).toEqual([undefined]);
    expect(put(database, A, [NOW, 0 / 0])).toEqual([undefined]);
    const appender = database.appender();
    expect(appender.appendStale(appender.series(A), NOW)).toBe("duplicate sample for timestamp");
    expect(appender.appendStale(appender.series(A), NOW + 1)).toBeUndefined();
    appender.commit();
    const querier = database.querier(0, Infinity);
    const columns = new Columns();
    for (const series of querier.select(ALL, 0, Infinity)) series.read(columns, 0, Infinity);
    expect([columns.length, columns.isStale(0), columns.isStale(1)]).toEqual([2, false, true]);
    querier.close();
  });

  test("with a fractional time: throws Misuse", () => {
    const appender = open().appender();
    const a = appender.series(A);
    for (const time of [0.5, Number.NaN, Infinity, 2 ** 53]) expect(() => appender.append(a, time, 1)).toThrow(Misuse);
    expect(() => appender.series(Labels.NONE)).toThrow(Misuse);
    appender.rollback();
    expect(() => appender.series(A)).toThrow(Misuse);
    const octets = new LabelOctets();
    octets.addText("a", "b");
    expect(() => appender.seriesOf(octets)).toThrow(Misuse);
  });

  test("late but within the window: is accepted and read in order", () => {
    const database = open({ outOfOrderWindow: 30 * 60_000 });
    put(database, A, [NOW, 1], [NOW + 10, 2]);
    expect(put(database, A, [NOW + 5, 9], [NOW + 5, 9], [NOW - 30 * 60_000, 4])).toEqual([undefined, undefined, "too old sample"]);
    expect(put(database, A, [NOW + 5, 8])).toEqual(["duplicate sample for timestamp"]);
    expect(put(database, B, [NOW + 100, 1], [NOW + 50, 1])).toEqual([undefined, undefined]);
    expect(shown(database)).toEqual({
      a: [
        [NOW, 1],
        [NOW + 5, 9],
        [NOW + 10, 2],
      ],
      b: [
        [NOW + 50, 1],
        [NOW + 100, 1],
      ],
    });
  });
});

describe("a batch", () => {
  test("is visible after commit, not before, and not after rollback", () => {
    const database = open();
    const appender = database.appender();
    appender.append(appender.series(A), NOW, 1);
    expect(shown(database)).toEqual({});
    appender.rollback();
    expect(shown(database)).toEqual({});
    expect(() => appender.commit()).toThrow(Misuse);
    expect(put(database, A, [NOW - 5, 7])).toEqual([undefined]);
  });

  test("is checked again if another was committed first", () => {
    const database = open();
    const slow = database.appender();
    const fast = database.appender();
    expect(slow.append(slow.series(A), NOW, 1)).toBeUndefined();
    expect(slow.append(slow.series(B), NOW, 1)).toBeUndefined();
    expect(fast.append(fast.series(A), NOW + 5, 2)).toBeUndefined();
    fast.commit();
    slow.commit();
    expect(shown(database)).toEqual({ a: [[NOW + 5, 2]], b: [[NOW, 1]] });
  });

  test("with samples that became late meanwhile: all are there after reopening", () => {
    const files = emptyFiles();
    const database = open({ outOfOrderWindow: HOUR }, files);
    const slow = database.appender();
    const fast = database.appender();
    slow.append(slow.series(A), NOW, 1);
    fast.append(fast.series(A), NOW + 5, 2);
    fast.commit();
    slow.commit();
    const expected = {
      a: [
        [NOW, 1],
        [NOW + 5, 2],
      ],
    };
    expect(shown(database)).toEqual(expected);
    database.close();
    expect(shown(open({ outOfOrderWindow: HOUR }, files))).toEqual(expected);
  });

  test("that waited while a block was written: drops samples older than the block", () => {
    const database = open();
    put(database, A, [NOW + 1, 1]);
    const slow = database.appender();
    slow.append(slow.series(A), NOW + 10, 2);
    slow.append(slow.series(A), NOW + 2 * HOUR, 3);
    database.flush(NOW);
    slow.commit();
    expect(shown(database)).toEqual({
      a: [
        [NOW + 1, 1],
        [NOW + 2 * HOUR, 3],
      ],
    });
  });

  test("that waited, with a window for late samples: keeps them, also after reopening", () => {
    const files = emptyFiles();
    const options = { outOfOrderWindow: 3 * HOUR };
    const database = open(options, files);
    put(database, A, [NOW + 1, 1]);
    const slow = database.appender();
    slow.append(slow.series(A), NOW + 10, 2);
    database.flush(NOW);
    slow.commit();
    const expected = {
      a: [
        [NOW + 1, 1],
        [NOW + 10, 2],
      ],
    };
    expect(shown(database)).toEqual(expected);
    database.close();
    expect(shown(open(options, files))).toEqual(expected);
  });

  test("on a full disk: stores nothing, and the next one is complete", () => {
    const files = emptyFiles();
    const database = open({}, files);
    put(database, A, [NOW, 1]);
    const appender = database.appender();
    appender.append(appender.series(B), NOW, 1);
    files.room = 0;
    expect(() => appender.commit()).toThrow(FileFault);
    expect(shown(database)).toEqual({ a: [[NOW, 1]] });
    files.room = Infinity;
    put(database, B, [NOW + 1, 2]);
    database.close();
    expect(shown(open({}, files))).toEqual({ a: [[NOW, 1]], b: [[NOW + 1, 2]] });
  });
});

describe("a reader", () => {
  test("sees the content at its start: old series, new series, late samples", () => {
    const database = open({ outOfOrderWindow: HOUR });
    put(database, A, [NOW, 1], [NOW + 10, 2]);
    const querier = database.querier(0, Infinity);
    const before = seen(querier);
    put(database, A, [NOW + 20, 3], [NOW + 5, 9]);
    put(database, A, [NOW + 30, 3]);
    put(database, B, [NOW + 20, 3]);
    expect(seen(querier)).toEqual(before);
    querier.close();
    expect(Object.keys(shown(database))).toEqual(["a", "b"]);
    expect(shown(database)["a"]?.length).toBe(5);
  });

  test("keeps memory unchanged until it closes; then waiting tasks run", () => {
    const database = open();
    for (let hour = 0; hour < 8; hour++) put(database, A, [NOW + hour * HOUR, hour]);
    const querier = database.querier(0, Infinity);
    const before = seen(querier);
    expect(database.compact(NOW)).toBe(false);
    expect(seen(querier)).toEqual(before);
    querier.close();
    while (database.compact(NOW));
    expect(database.blocks.all.map(({ meta }) => meta.stats.numSamples)).toEqual([2, 2]);
    expect(shown(database)).toEqual(before);
  });

  test("of a dropped series: its reference is unknown, and its labels get a new one", () => {
    const database = open();
    const appender = database.appender();
    const old = appender.series(A);
    appender.append(old, NOW, 1);
    appender.commit();
    for (let hour = 1; hour < 8; hour++) put(database, B, [NOW + hour * HOUR, hour]);
    while (database.compact(NOW));
    const next = database.appender();
    expect(next.append(old, NOW + 9 * HOUR, 1)).toBe("unknown series");
    const anew = next.series(A);
    expect(anew).not.toBe(old);
    expect(next.append(anew, NOW + 9 * HOUR, 1)).toBeUndefined();
    next.commit();
    expect(shown(database)["a"]).toEqual([
      [NOW, 1],
      [NOW + 9 * HOUR, 1],
    ]);
  });
});
