import { expect, test } from "vitest";
import { general, type Histogram, histogramText, plain, upperBound } from "./index.ts";

test.each([
  [0, "0", "0"],
  [-0, "-0", "-0"],
  [1.5, "1.5", "1.5"],
  [-123_400, "-123400", "-123400"],
  [999_999, "999999", "999999"],
  [1e6, "1e+06", "1000000"],
  [2_349_209.324, "2.349209324e+06", "2349209.324"],
  [0.0001, "0.0001", "0.0001"],
  [0.000_012_5, "1.25e-05", "0.0000125"],
  [1e21, "1e+21", "1000000000000000000000"],
  [1.5e-10, "1.5e-10", "0.00000000015"],
  [Number.MAX_VALUE, "1.7976931348623157e+308", `17976931348623157${"0".repeat(292)}`],
  [Infinity, "+Inf", "+Inf"],
  [-Infinity, "-Inf", "-Inf"],
  [Number.NaN, "NaN", "NaN"],
])("%d is written %s, in full %s", (value, short, full) => {
  expect([general(value), plain(value)]).toEqual([short, full]);
});

test("a histogram prints its buckets from the lowest to the highest", () => {
  const histogram: Histogram = {
    schema: 1,
    zeroThreshold: 0.01,
    zeroCount: 5.5,
    count: 3493.3,
    sum: 2_349_209.324,
    positiveSpans: [
      { offset: -2, length: 1 },
      { offset: 2, length: 2 },
    ],
    positive: [1, 3.3, 4.2],
    negativeSpans: [
      { offset: 3, length: 2 },
      { offset: 3, length: 2 },
    ],
    negative: [3.1, 3, 123_400, 1_000],
    bounds: [],
    resetHint: "unknown",
    isInteger: false,
  };
  expect(histogramText(histogram)).toBe(
    "{count:3493.3, sum:2.349209324e+06, [-22.62741699796952,-16):1000, [-16,-11.31370849898476):123400, [-4,-2.82842712474619):3, [-2.82842712474619,-2):3.1, [-0.01,0.01]:5.5, (0.35355339059327373,0.5]:1, (1,1.414213562373095]:3.3, (1.414213562373095,2]:4.2}",
  );
});

test("bounds: powers of two are exact, and the last finite bucket ends with the largest float", () => {
  expect([upperBound(3, 0), upperBound(-2, 0), upperBound(2, -2), upperBound(-8, 3)]).toEqual([8, 0.25, 256, 0.5]);
  expect([upperBound(1_024, 0), upperBound(1_025, 0)]).toEqual([Number.MAX_VALUE, Infinity]);
  expect([upperBound(64, -4), upperBound(65, -4)]).toEqual([Number.MAX_VALUE, Infinity]);
  expect(upperBound(262_143, 8)).toBeLessThan(Number.MAX_VALUE);
  expect([upperBound(262_144, 8), upperBound(262_145, 8)]).toEqual([Number.MAX_VALUE, Infinity]);
});

test("bounds ascend, each by the same factor", () => {
  for (const schema of [1, 3, 8]) {
    const factor = 2 ** (1 / 2 ** schema);
    for (let index = -700; index < 700; index++) expect(upperBound(index + 1, schema) / upperBound(index, schema)).toBeCloseTo(factor, 12);
  }
});
