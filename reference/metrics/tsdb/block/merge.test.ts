import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Columns, compareLabels, type Histogram, Labels, type Matcher, STALE_HIGH, STALE_LOW } from "../../model/index.ts";
import { histogramOf } from "../../model/histogram-testing.ts";
import type { Querier } from "../../storage/index.ts";
import { type Held, heldBy } from "./testing.ts";
import { merged, Weaver, withoutDeleted } from "./merge.ts";

/** A storage backed by a list. */
function listed(held: Held): Querier & { isClosed: boolean } {
  const rows = Object.entries(held)
    .map(([key, samples]) => ({ labels: Labels.of(JSON.parse(key) as Record<string, string>), samples }))
    .sort((a, b) => compareLabels(a.labels, b.labels));
  const some = (sets: readonly (readonly Matcher[])[]) =>
    rows.filter(({ labels }) => sets.length === 0 || sets.some((set) => set.every((one) => one.matches(labels.get(one.name)))));
  return {
    isClosed: false,
    *select(_matchers, start, end, hints) {
      let left = hints?.limit ?? Infinity;
      for (const { labels, samples } of rows) {
        if (left-- <= 0) return;
        const read = (into: Columns): void => {
          for (const [time, value] of samples) if (time >= start && time <= end) into.push(time, value);
        };
        yield { labels, read };
      }
    },
    labelNames: (sets) => [...new Set(some(sets).flatMap(({ labels }) => Array.from(labels, ([name]) => name)))].sort(),
    labelValues: (name, sets) => [...new Set(some(sets).map(({ labels }) => labels.get(name)))].filter((value) => value !== "").sort(),
    close() {
      this.isClosed = true;
    },
  };
}

const samples = fc
  .uniqueArray(fc.nat(60), { minLength: 1, maxLength: 30 })
  .chain((times) => fc.nat(3).map((value) => times.sort((a, b) => a - b).map((time) => [time, value] as const)));
const held = fc.dictionary(fc.constantFrom('{"a":"1"}', '{"a":"1","b":"1"}', '{"a":"2"}', '{"b":"1"}'), samples);

describe("merged storages", () => {
  test("return every sample once, in order; of two at one time that of the first storage", () => {
    fc.assert(
      fc.property(fc.array(held, { minLength: 1, maxLength: 4 }), fc.nat(60), fc.nat(60), (list, a, b) => {
        const [start, end] = [Math.min(a, b), Math.max(a, b)];
        const all = new Map<string, Map<number, number>>();
        for (const one of list.toReversed()) {
          for (const [key, rows] of Object.entries(one)) {
            const own = all.get(key) ?? new Map<number, number>();
            all.set(key, own);
            for (const [time, value] of rows) if (time >= start && time <= end) own.set(time, value);
          }
        }
        const expected = [...all]
          .map(([key, own]) => [key, [...own].sort(([x], [y]) => x - y)] as const)
          .filter(([, rows]) => rows.length > 0)
          .sort(([x], [y]) =>
            compareLabels(Labels.of(JSON.parse(x) as Record<string, string>), Labels.of(JSON.parse(y) as Record<string, string>)),
          );
        expect(Object.entries(heldBy(merged(list.map(listed)), [], start, end))).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  test("list the names of all, respect the limit of series, and close together", () => {
    const parts = [listed({ '{"a":"1"}': [[1, 1]], '{"c":"1"}': [[1, 1]] }), listed({ '{"a":"1"}': [[2, 2]], '{"b":"0"}': [[2, 2]] })];
    const one = merged(parts);
    expect(one.labelNames([], 0, 9)).toEqual(["a", "b", "c"]);
    expect(one.labelValues("a", [], 0, 9)).toEqual(["1"]);
    expect(Array.from(one.select([], 0, 9, { limit: 2 }), ({ labels }) => labels.toString())).toEqual(['{a="1"}', '{b="0"}']);
    one.close();
    expect(parts.map(({ isClosed }) => isClosed)).toEqual([true, true]);
  });
});

const histogram = (sum: number): Histogram => histogramOf([], { sum, isInteger: true });

test("Weaver and withoutDeleted() move histograms and stale markers with their rows", () => {
  const columns = new Columns();
  columns.push(0, 9);
  columns.pushStale(10);
  columns.pushHistogram(30, histogram(3));
  const middle = columns.length;
  columns.pushHistogram(20, histogram(2));
  columns.push(30, 8);
  columns.push(40, 4);
  new Weaver().weave(columns, 1, middle);
  const rows = () =>
    Array.from({ length: columns.length }, (_, row) => [
      columns.times[row],
      columns.isStale(row) ? "stale" : columns.values[row],
      columns.histograms?.[row]?.sum,
    ]);
  expect(rows()).toEqual([
    [0, 9, undefined],
    [10, "stale", undefined],
    [20, 2, 2],
    [30, 3, 3],
    [40, 4, undefined],
  ]);
  withoutDeleted(columns, 0, [20, 20]);
  expect(rows()).toEqual([
    [0, 9, undefined],
    [10, "stale", undefined],
    [30, 3, 3],
    [40, 4, undefined],
  ]);
  expect([columns.bits[3], columns.bits[2]]).toEqual([STALE_HIGH, STALE_LOW]);
});
