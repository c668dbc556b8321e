import { describe, expect, test } from "vitest";
import { nativeRequests } from "../../../driver/native-data.ts";
import { BEGIN, LENGTH } from "../../../data/data-set.ts";
import { increase, instant, isReset, rate, resets, type Timed } from "./changes.ts";
import { NATIVE_GROUPS, nativeCases } from "./cases.ts";
import { msOf, NATIVE_AT, NATIVE_BEGIN, nativeSeries } from "../../../data/native.ts";
import { fraction, quantile, trimmedCount, variance } from "./estimate.ts";
import { added, bound, bucketsOf, coarser, commonWidth, type Histogram, over, shown, times, wider } from "./histogram.ts";

const of = (
  shape: Partial<Omit<Histogram, "positive" | "negative">> & { positive?: Record<number, number>; negative?: Record<number, number> },
): Histogram => {
  const counts = (given: Record<number, number> = {}): Map<number, number> =>
    new Map(Object.entries(given).map(([at, one]) => [Number(at), one]));
  const [positive, negative] = [counts(shape.positive), counts(shape.negative)];
  const count = [shape.zero ?? 0, ...positive.values(), ...negative.values()].reduce((a, b) => a + b, 0);
  return { schema: 0, width: 0.25, zero: 0, count, sum: 0, ...shape, positive, negative };
};
const countsOf = (histogram: Histogram | undefined): unknown =>
  histogram && bucketsOf(histogram).map(({ lower, upper, count }) => [lower, upper, count]);

describe("native histograms: what the cases expect, by the numbers of the texts", () => {
  test("bounds are powers of 2 to the power of 2 to the power of minus the schema", () => {
    expect([bound(0, 3), bound(1, 0), bound(2, 1), bound(-1, 0), bound(1, -2), bound(8, 3)]).toEqual([1, 2, 2, 0.5, 16, 2]);
  });

  test("a histogram is listed from its lowest bucket, each bucket with its boundary rule", () => {
    expect(shown(of({ zero: 2, positive: { 1: 3 }, negative: { 0: 1, 2: 4 }, sum: 7 }))).toEqual({
      count: "10",
      sum: "7",
      buckets: [
        [[1], "-4", "-2", "4"],
        [[1], "-1", "-0.5", "1"],
        [[3], "-0.25", "0.25", "2"],
        [[0], "1", "2", "3"],
      ],
    });
    expect(shown(of({ bounds: [1, 2], positive: { 0: 1, 2: 1 } })).buckets).toEqual([
      [[0, 3], "-Inf", "1", "1"],
      [[0], "2", "+Inf", "1"],
    ]);
  });

  test("neighbours become one where the schema is less", () => {
    expect([...coarser(of({ schema: 1, positive: { [-1]: 1, 0: 2, 1: 4, 2: 8, 3: 16 } }), 0).positive]).toEqual([
      [0, 3],
      [1, 12],
      [2, 16],
    ]);
  });

  test("zero buckets become as wide as the widest, and cut no populated bucket", () => {
    const narrow = of({ zero: 1, positive: { [-1]: 2, 0: 4, 1: 8 } });
    expect(commonWidth([narrow, of({ width: 0.25 })])).toBe(0.25);
    expect(commonWidth([narrow, of({ width: 0.5 })])).toBe(0.5);
    expect(commonWidth([narrow, of({ width: 0.6 })])).toBe(1);
    expect(commonWidth([of({ positive: { 4: 1 } }), of({ width: 0.6 })])).toBe(0.6);
    expect(wider(narrow, 1)).toMatchObject({ zero: 7, width: 1 });
  });

  test("histograms are added at the lower resolution, and custom ones by the bounds that both have", () => {
    expect(countsOf(added([of({ schema: 1, positive: { 1: 1, 2: 1 } }), of({ positive: { 1: 3, 2: 1 } })]))).toEqual([
      [1, 2, 5],
      [2, 4, 1],
    ]);
    const sum = added(
      [of({ bounds: [1, 2, 4], positive: { 0: 1, 1: 2, 2: 3, 3: 4 } }), of({ bounds: [1, 3, 4], positive: { 1: 5 } })],
      [1, -1],
    );
    expect(countsOf(sum)).toEqual([
      [-Infinity, 1, 1],
      [4, Infinity, 4],
    ]);
    expect(added([of({ bounds: [1] }), of({})])).toBeUndefined();
  });

  test("by nothing, nothing is left but the zero bucket", () => {
    const nothing = over(of({ zero: 1, positive: { 1: 2 }, sum: -3 }), 0);
    expect(nothing).toMatchObject({ count: Infinity, sum: -Infinity });
    expect(countsOf(nothing)).toEqual([[-0.25, 0.25, Infinity]]);
    expect(countsOf(times(of({ positive: { 1: 2 } }), -0.5))).toEqual([[1, 2, -1]]);
  });

  test("quantiles are interpolated exponentially, evenly about zero, and evenly between custom bounds", () => {
    expect(quantile(0.5, of({ positive: { 2: 4 } }))).toBeCloseTo(2 * Math.SQRT2, 12);
    expect(quantile(0.25, of({ negative: { 2: 4 } }))).toBeCloseTo(-4 / 2 ** 0.25, 12);
    expect(quantile(0.25, of({ zero: 2, positive: { 2: 2 } }))).toBe(0.125);
    expect(quantile(0.75, of({ zero: 2, negative: { 2: 2 } }))).toBe(-0.125);
    expect(quantile(0.5, of({ zero: 2, negative: { 2: 2 }, positive: { 2: 2 } }))).toBe(0);
    expect(quantile(0.25, of({ zero: 4 }))).toBe(-0.125);
    const custom = of({ bounds: [1, 2], positive: { 0: 2, 1: 2, 2: 2 } });
    expect([1 / 6, 0.5, 0.9].map((share) => quantile(share, custom))).toEqual([0.5, 1.5, 2]);
    expect(quantile(0.1, of({ bounds: [-1, 2], positive: { 0: 2, 1: 2 } }))).toBe(-1);
    expect([-1, 2, Number.NaN].map((share) => quantile(share, custom))).toEqual([-Infinity, Infinity, Number.NaN]);
    expect(quantile(0.9, { ...of({ positive: { 1: 4 } }), count: 5 })).toBeNaN();
  });

  test("fractions and trimmed counts are the other way round of quantiles", () => {
    const some = of({ zero: 2, positive: { 1: 2, 2: 4 } });
    expect(fraction(0, Math.SQRT2, some)).toBeCloseTo(3 / 8, 12);
    expect(fraction(-Infinity, Infinity, { ...some, count: 10 })).toBe(0.8);
    expect([fraction(2, 2, some), fraction(3, 2, some), fraction(0, 1, of({}))]).toEqual([0, 0, Number.NaN]);
    expect([trimmedCount("below", 2, some), trimmedCount("above", 2, some)]).toEqual([4, 4]);
  });

  test("the variance takes observations for the mean of their bucket, geometric but about zero and of custom ones", () => {
    expect(variance(of({ zero: 1, positive: { 1: 1 }, negative: { 1: 1 }, sum: 0 }))).toBeCloseTo(4 / 3, 12);
    expect(variance(of({ negative: { 1: 4 }, sum: -4 }))).toBeCloseTo(3 - 2 * Math.SQRT2, 12);
    expect(variance(of({ bounds: [0, 2, 4], positive: { 1: 1, 2: 1 }, sum: 4 }))).toBe(1);
  });

  test.each([
    ["a count that falls", { positive: { 1: 2 } }, { positive: { 1: 1 } }, true],
    ["a bucket that falls", { positive: { 1: 2 } }, { positive: { 1: 1, 2: 5 } }, true],
    ["a zero bucket that falls", { zero: 2 }, { zero: 1, positive: { 1: 2 } }, true],
    ["a sum that falls", { positive: { 1: 2 }, sum: 3 }, { positive: { 1: 3 }, sum: -3 }, false],
    ["a finer schema", { positive: { 1: 2 } }, { schema: 1, positive: { 1: 1, 2: 2 } }, true],
    ["a coarser schema", { schema: 1, positive: { 1: 1, 2: 1 } }, { positive: { 1: 2 } }, false],
    ["a coarser schema with less", { schema: 1, positive: { 1: 1, 2: 2 } }, { positive: { 1: 2, 2: 5 } }, true],
    ["a narrower zero bucket", { zero: 1 }, { zero: 1, width: 0.125 }, true],
    ["a wider zero bucket", { zero: 1, positive: { [-1]: 2 } }, { zero: 3, width: 0.5 }, false],
    ["a wider zero bucket that cuts", { zero: 1, positive: { [-1]: 2 } }, { zero: 1, width: 0.3, positive: { [-1]: 2 } }, true],
    ["other custom bounds", { bounds: [1, 2], positive: { 0: 1, 1: 1 } }, { bounds: [2], positive: { 0: 2 } }, false],
  ] as const)("reset: %s", (_words, before, after, isOne) => {
    expect(isReset(of(before), of(after))).toBe(isOne);
  });

  test("an increase reaches to the ends of its range, and no farther back than zero", () => {
    const at = (time: number, count: number): Timed => [time, of({ positive: { 1: count } })];
    const steady = [at(10, 100), at(20, 110), at(30, 120)];
    expect(increase(steady, 5, 35, "counter")?.count).toBe(30);
    expect(increase(steady, -100, 200, "counter")?.count).toBe(30);
    expect(increase([at(10, 2), at(20, 12), at(30, 22)], 0, 30, "counter")?.count).toBe(22);
    expect(increase([at(10, 2), at(20, 12), at(30, 22)], 0, 30, "gauge")?.count).toBe(30);
    expect(rate(steady, 5, 35)?.count).toBe(1);
    expect(increase([at(10, 1)], 0, 20, "counter")).toBeUndefined();
    const again = [at(10, 100), at(20, 5), at(30, 15)];
    expect([increase(again, 10, 30, "counter")?.count, resets(again)]).toEqual([15, 1]);
    expect(instant(again.slice(0, 2), "counter")?.count).toBe(0.5);
    expect(instant(again.slice(0, 2), "gauge")?.count).toBe(-95);
  });
});

describe("native histograms: series and cases", () => {
  test("the series lie after the rest of the data set, within the three hours that a head holds, and never on a whole minute", () => {
    const times = nativeSeries().flatMap(({ samples }) => samples.map(({ time }) => time));
    expect(Math.min(...times)).toBeGreaterThan(LENGTH + 300);
    expect(Math.max(...times)).toBeLessThan(3 * 3_600);
    expect(times.filter((time) => msOf(time) % 60_000 === 0)).toEqual([]);
    expect(NATIVE_BEGIN).toBeLessThan(NATIVE_AT);
  });

  test("requests have every sample once, by kinds; floats of a series do not come after what is newer", () => {
    const sent = (["exponential", "custom", "mixed", "nan"] as const).flatMap(nativeRequests).flat();
    const count = sent.reduce((sum, { samples, histograms = [] }) => sum + samples.length + histograms.length, 0);
    expect(count).toBe(nativeSeries().reduce((sum, { samples }) => sum + samples.length, 0));
    for (const { samples, histograms = [] } of sent)
      expect(Math.max(0, ...samples.map(({ time }) => time))).toBeLessThan(Math.min(Infinity, ...histograms.map(({ time }) => time)));
    expect(Math.min(...sent.flatMap(({ histograms = [] }) => histograms.map(({ time }) => time)))).toBeGreaterThan(BEGIN * 1_000);
  });

  test("there are as many as the suite promises, each with what it needs and a control that asks for something else", () => {
    const cases = nativeCases(new Map());
    expect(cases.length).toBeGreaterThan(440);
    expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
    for (const { id, needs = [], steps, control } of cases) {
      expect(needs[0], id).toBe("native histograms");
      expect(JSON.stringify(control), id).not.toBe(JSON.stringify(steps));
    }
    expect(NATIVE_GROUPS.length).toBeGreaterThan(40);
  });
});
