import { describe, expect, test } from "vitest";
import { Columns, type Histogram, LabelOctets, Labels, Matcher } from "../model/index.ts";
import { MemoryStorage } from "./index.ts";

const HISTOGRAM: Histogram = {
  schema: 0,
  zeroThreshold: 0,
  zeroCount: 0,
  count: 3,
  sum: 7,
  positiveSpans: [{ offset: 0, length: 1 }],
  negativeSpans: [],
  positive: [3],
  negative: [],
  bounds: [],
  resetHint: "unknown",
  isInteger: false,
};

function filled(): MemoryStorage {
  const storage = new MemoryStorage();
  const appender = storage.appender();
  for (const [n, job] of ["web", "api", "db"].entries()) {
    const id = appender.series(Labels.of({ __name__: "up", job }));
    for (let at = 0; at < 5; at++) appender.append(id, n * 1_000 + at * 10, at);
  }
  appender.commit();
  return storage;
}
const named = (...rest: Matcher[]): Matcher[] => [new Matcher("__name__", "=", "up"), ...rest];
const jobs = (storage: MemoryStorage, matchers: Matcher[], [start, end]: readonly [number, number], sorted = false): string[] =>
  [...storage.querier().select(matchers, start, end, { sorted })].map(({ labels }) => labels.get("job"));

describe("MemoryStorage", () => {
  test("finds the series that match all matchers and have samples in the range", () => {
    const storage = filled();
    expect(jobs(storage, named(), [0, 9_999])).toEqual(["web", "api", "db"]);
    expect(jobs(storage, named(), [0, 9_999], true)).toEqual(["api", "db", "web"]);
    expect(jobs(storage, named(), [40, 1_000])).toEqual(["web", "api"]);
    expect(jobs(storage, named(new Matcher("job", "=~", "a.*|d.*")), [0, 9_999])).toEqual(["api", "db"]);
    expect(jobs(storage, [new Matcher("job", "!=", "db")], [0, 9_999])).toEqual(["web", "api"]);
    expect([...storage.querier().select(named(), 0, 9_999, { limit: 2 })]).toHaveLength(2);
  });

  test("appends the samples of a range, both ends included", () => {
    const columns = new Columns();
    for (const series of filled().querier().select(named(), 10, 1_010)) series.read(columns, 10, 1_010);
    expect([...columns.times.subarray(0, columns.length)]).toEqual([10, 20, 30, 40, 1_000, 1_010]);
    expect([...columns.values.subarray(0, columns.length)]).toEqual([1, 2, 3, 4, 0, 1]);
  });

  test("identifies a series by labels as texts or as octets", () => {
    const appender = filled().appender();
    const octets = new LabelOctets();
    octets.addText("job", "api");
    octets.addText("__name__", "up");
    expect(appender.seriesOf(octets)).toBe(appender.series(Labels.of({ __name__: "up", job: "api" })));
  });

  test("keeps histograms and stale markers", () => {
    const storage = new MemoryStorage();
    const appender = storage.appender();
    const id = appender.series(Labels.of({ __name__: "up" }));
    appender.appendHistogram(id, 1, HISTOGRAM);
    appender.appendStale(id, 2);
    appender.append(id, 3, Number.NaN);
    appender.commit();
    const columns = new Columns();
    for (const series of storage.querier().select(named(), 0, 9)) series.read(columns, 0, 9);
    expect([columns.histograms?.[0], columns.isStale(1), columns.isStale(2)]).toEqual([HISTOGRAM, true, false]);
  });

  test("accepts only newer samples and exact repetitions, and shows nothing before commit", () => {
    const storage = filled();
    const appender = storage.appender();
    const id = appender.series(Labels.of({ __name__: "up", job: "web" }));
    expect(appender.append(id, 40, 4)).toBeUndefined();
    expect(appender.append(id, 40, 5)).toBe("duplicate sample for timestamp");
    expect(appender.appendStale(id, 40)).toBe("duplicate sample for timestamp");
    expect(appender.appendHistogram(id, 40, HISTOGRAM)).toBe("duplicate sample for timestamp");
    expect(appender.append(id, 39, 4)).toBe("out of order sample");
    expect(appender.append(id, 50, 5)).toBeUndefined();
    expect(appender.append(id, 50, 6)).toBe("duplicate sample for timestamp");
    expect(appender.append(99, 50, 5)).toBe("out of bounds");
    expect(jobs(storage, named(), [50, 50])).toEqual([]);
    appender.rollback();
    appender.commit();
    expect(jobs(storage, named(), [50, 50])).toEqual([]);
    appender.append(id, 60, 6);
    appender.commit();
    expect(jobs(storage, named(), [60, 60])).toEqual(["web"]);
  });

  test("lists label names and values", () => {
    const querier = filled().querier();
    expect(querier.labelNames([], 0, 9_999)).toEqual(["__name__", "job"]);
    expect(querier.labelValues("job", [], 0, 9_999)).toEqual(["api", "db", "web"]);
    expect(querier.labelValues("job", [named(new Matcher("job", "=", "db")), named(new Matcher("job", "=", "api"))], 0, 9_999)).toEqual([
      "api",
      "db",
    ]);
  });
});
