import { describe, expect, test } from "vitest";
import { CUSTOM_BOUNDS, type Histogram } from "../../model/index.ts";
import { histogramOf } from "../../model/histogram-testing.ts";
import { boundOf, ClassicBuckets } from "./histogram-classic.ts";
import { nativeFraction, nativeQuantile, nativeVariance } from "./histogram-native.ts";
import { trimLower, trimUpper } from "./histogram-trim.ts";

const custom = (bounds: number[], positive: number[]): Histogram => histogramOf(positive, { schema: CUSTOM_BOUNDS, bounds });

describe("custom bounds (Prometheus specs, native_histograms.md, Interpolation within a bucket)", () => {
  const positive = custom([1, 2, 5], [1, 2, 3, 4]);
  const negative = custom([-1, 0, 5], [1, 2, 3, 4]);

  test("observations above the last bound count as that bound for quantiles, and as above every number for fractions", () => {
    expect(nativeQuantile(positive, 0.99).value).toBe(5);
    expect(nativeFraction(positive, 1.5, 100)).toBeCloseTo(0.4, 12);
    expect(nativeFraction(positive, 100, Infinity)).toBeCloseTo(0.4, 12);
    expect(nativeFraction(positive, 3, 4)).toBeCloseTo(0.1, 12);
  });

  test("the lowest bucket begins at zero if its bound is positive", () => {
    expect(nativeQuantile(positive, 0.05).value).toBeCloseTo(0.5, 12);
    expect(nativeFraction(positive, -1, 0.5)).toBeCloseTo(0.05, 12);
  });

  test("a lowest bucket that reaches below zero is its bound for quantiles, and below every number for fractions", () => {
    expect(nativeQuantile(negative, 0.05).value).toBe(-1);
    expect(nativeFraction(negative, -2, 0)).toBeCloseTo(0.2, 12);
    expect(nativeFraction(negative, -Infinity, -2)).toBeCloseTo(0.1, 12);
    expect(nativeFraction(negative, 0, 1.5)).toBeCloseTo(0.09, 12);
  });

  test("without bounds every observation is zero for quantiles, unknown for fractions and trimming", () => {
    const lonely = custom([], [7]);
    expect(nativeQuantile(lonely, 0.5).value).toBe(0);
    expect([nativeFraction(lonely, -1, 1), nativeFraction(lonely, -1, Infinity)]).toEqual([0, 1]);
    expect([trimUpper(lonely, 10), trimLower(lonely, -10), trimUpper(lonely, -Infinity), trimLower(lonely, Infinity)]).toEqual(
      Array.from({ length: 4 }, () => expect.objectContaining({ count: 0, sum: 0, positive: [0] }) as unknown),
    );
    expect([trimUpper(lonely, Infinity), trimLower(lonely, -Infinity)]).toEqual([lonely, lonely]);
  });

  test("trimming: observations of the lowest and highest buckets are at their infinite bounds", () => {
    expect(trimUpper(negative, -3)).toMatchObject({ count: 1, sum: -3, positive: [1, 0, 0, 0] });
    expect(trimLower(negative, -3)).toMatchObject({ count: 9, positive: [0, 2, 3, 4] });
    expect(trimLower(positive, 7)).toMatchObject({ count: 4, sum: 28, positive: [0, 0, 0, 4] });
    expect(trimUpper(positive, 7)).toMatchObject({ count: 6, positive: [1, 2, 3, 0] });
  });
});

describe("standard schemas", () => {
  const both = histogramOf(
    [2],
    { zeroThreshold: 0.5, zeroCount: 4, negative: [2], negativeSpans: [{ offset: 1, length: 1 }], count: 8 },
    1,
  );

  test("the zero bucket covers both sides, or only the side with observations", () => {
    expect(nativeQuantile(both, 0.5).value).toBe(0);
    expect(nativeQuantile({ ...both, negative: [], negativeSpans: [], count: 6 }, 1 / 3).value).toBe(0.25);
    expect(nativeQuantile({ ...both, positive: [], positiveSpans: [], count: 6 }, 2 / 3).value).toBe(-0.25);
  });

  test("interpolation within a bucket is exponential", () => {
    expect(nativeQuantile(both, 0.875).value).toBeCloseTo(Math.SQRT2, 12);
    expect(nativeQuantile(both, 0.125).value).toBeCloseTo(-Math.SQRT2, 12);
    expect(nativeFraction(both, Math.SQRT2, 2)).toBeCloseTo(0.125, 12);
  });

  test("NaN observations sort above all others", () => {
    const withNaN = { ...both, count: 16, sum: Number.NaN };
    expect(nativeQuantile(withNaN, 0.0625)).toEqual({ value: expect.closeTo(-Math.SQRT2, 12) as number, nan: "skewed" });
    expect(nativeQuantile(withNaN, 0.75)).toEqual({ value: Number.NaN, nan: "result" });
    expect(nativeFraction(withNaN, -Infinity, Infinity)).toBe(0.5);
  });

  test("the variance puts each observation at the middle of its bucket", () => {
    expect(nativeVariance(both)).toBeCloseTo((4 * 2) / 8, 12);
  });
});

describe("classic buckets", () => {
  const buckets = (...counts: (readonly [number, number])[]): ClassicBuckets => {
    const made = new ClassicBuckets();
    for (const [upper, count] of counts) made.push(upper, count);
    return made;
  };

  test("the buckets grow beyond their first size", () => {
    const many = buckets(...Array.from({ length: 200 }, (_, at) => [at + 1, at + 1] as const), [Infinity, 200]);
    many.settle();
    expect(many.quantile(0.75)).toBe(150);
    expect(many.fraction(10, 60)).toBe(0.25);
  });

  test("a decrease within rounding is ignored, a larger one is repaired and reported", () => {
    const rounding = buckets([1, 1e15], [2, 1e15 - 1], [Infinity, 2e15]);
    rounding.settle();
    expect([rounding.wasRepaired, rounding.counts[1]]).toEqual([false, 1e15]);
    const fallen = buckets([1, 10], [2, 9], [Infinity, 20]);
    fallen.settle();
    expect([fallen.wasRepaired, fallen.counts[1]]).toEqual([true, 10]);
  });

  test("a fraction counts observations of an unbounded bucket as above or below every number", () => {
    const issued = buckets([1, 1], [2, 3], [3, 6], [Infinity, 100]);
    expect(issued.fraction(400, Infinity)).toBe(0.94);
    expect(issued.fraction(2, 5)).toBe(0.03);
    expect(buckets([-1, 3], [Infinity, 4]).fraction(-5, -0.5)).toBe(0);
    expect(buckets([-1, 3], [Infinity, 4]).fraction(-Infinity, -5)).toBe(0.75);
    expect(buckets([Infinity, 4]).fraction(-5, 5)).toBe(0);
  });

  test.each([
    ["+Inf", Infinity],
    ["-inf", -Infinity],
    ["1e-3", 0.001],
    [".5", 0.5],
    ["0x10", undefined],
    ["many", undefined],
    ["", undefined],
  ])("bound %j is %s", (text, bound) => {
    expect(boundOf(text)).toBe(bound);
  });
});
