import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addHistograms,
  CUSTOM_BOUNDS,
  detectReset,
  divideHistogram,
  equalHistograms,
  type Histogram,
  histogramText,
  negateHistogram,
  scaleHistogram,
  subtractHistograms,
} from "./index.ts";
import { histogramOf } from "./histogram-testing.ts";

/** A histogram with positive buckets from an index on; its sum is twice its count. */
const of = (positive: number[], about: Partial<Histogram> = {}, offset = 0): Histogram => {
  const histogram = histogramOf(positive, { zeroThreshold: 0.001, ...about }, offset);
  return { ...histogram, sum: about.sum ?? histogram.count * 2 };
};
const custom = (bounds: number[], positive: number[]): Histogram => of(positive, { schema: CUSTOM_BOUNDS, bounds, zeroThreshold: 0 });
const sum = (a: Histogram, b: Histogram): string => histogramText(addHistograms(a, b)?.histogram ?? histogramOf([]));

describe("addition (Prometheus specs, native_histograms.md, Compatibility between histograms)", () => {
  test("matching buckets are added, missing ones count as empty", () => {
    expect(sum(of([1, 2]), of([5, 7], {}, 1))).toBe("{count:15, sum:30, (0.5,1]:1, (1,2]:7, (2,4]:7}");
  });

  test("the result has the lower resolution: neighbouring buckets are merged", () => {
    expect(sum(of([1, 2, 3, 4], { schema: 1 }), of([10, 20]))).toBe("{count:40, sum:80, (0.5,1]:11, (1,2]:25, (2,4]:4}");
    expect(sum(of([1, 2], { schema: 1 }, -3), of([], { schema: 0 }))).toBe("{count:3, sum:6, (0.25,0.5]:3}");
  });

  test("the result has the wider zero bucket, widened further if it would cut a bucket", () => {
    expect(sum(of([1, 2, 3], { zeroCount: 1 }), of([4], { zeroThreshold: 1, zeroCount: 2 }, 2))).toBe(
      "{count:13, sum:26, [-1,1]:4, (1,2]:2, (2,4]:7}",
    );
    expect(sum(of([1, 2, 3], { zeroCount: 1 }), of([4], { zeroThreshold: 1.5, zeroCount: 2 }, 2))).toBe(
      "{count:13, sum:26, [-2,2]:6, (2,4]:7}",
    );
  });

  test("common custom bounds are kept", () => {
    expect(addHistograms(custom([1, 2, 5], [1, 2, 3, 4]), custom([1, 5], [1, 2, 7]))).toMatchObject({
      areBoundsMerged: true,
      histogram: { bounds: [1, 5], positive: [2, 7, 11] },
    });
    expect(addHistograms(custom([1], [1, 2]), custom([3], [4, 5]))).toMatchObject({ histogram: { bounds: [], positive: [12] } });
  });

  test("custom bounds and a standard schema are incompatible", () => {
    expect(addHistograms(custom([1], [1]), of([1]))).toBeUndefined();
  });

  test.each([
    ["gauge", "none", "gauge", false],
    ["none", "none", "none", false],
    ["reset", "reset", "reset", false],
    ["unknown", "none", "unknown", false],
    ["reset", "none", "unknown", true],
  ] as const)("the hints %s and %s make %s", (a, b, hint, isContradicted) => {
    expect(addHistograms(of([1], { resetHint: a }), of([1], { resetHint: b }))).toMatchObject({
      histogram: { resetHint: hint },
      isHintContradicted: isContradicted,
    });
  });
});

const counts = fc.array(fc.nat(9), { maxLength: 12 });
const any = fc
  .tuple(counts, counts, fc.integer({ min: -2, max: 3 }), fc.integer({ min: -6, max: 6 }), fc.nat(9), fc.constantFrom(0, 0.001, 0.5, 3))
  .map(([positive, negative, schema, offset, zeroCount, zeroThreshold]): Histogram => {
    const clear = zeroThreshold > 0 ? 40 : offset;
    return {
      ...of(positive, { schema, zeroCount, zeroThreshold }, clear),
      negative,
      negativeSpans: [{ offset: clear, length: negative.length }],
      count: [...positive, ...negative].reduce((sum, own) => sum + own, zeroCount),
      resetHint: "gauge",
    };
  });

const populationOf = ({ positive, negative, zeroCount }: Histogram): number =>
  [...positive, ...negative].reduce((sum, own) => sum + own, zeroCount);

test("subtraction undoes addition, and addition is commutative", () => {
  fc.assert(
    fc.property(any, any, (a, b) => {
      const [one, other] = [addHistograms(a, b)?.histogram, addHistograms(b, a)?.histogram];
      if (one === undefined || other === undefined) throw new Error("standard schemas are always compatible");
      expect(equalHistograms(one, other)).toBe(true);
      expect(populationOf(one)).toBe(one.count);
      const back = subtractHistograms(one, b)?.histogram ?? histogramOf([]);
      expect([back.count, populationOf(back), back.sum]).toEqual([a.count, a.count, a.sum]);
      expect(detectReset(a, one, false)).toBe(false);
    }),
    { numRuns: 300 },
  );
});

describe("scaling", () => {
  test("by a negative number makes a gauge", () => {
    expect(scaleHistogram(of([1, 2], { resetHint: "none" }), 2)).toMatchObject({ positive: [2, 4], count: 6, sum: 12, resetHint: "none" });
    expect(scaleHistogram(of([1]), -1).resetHint).toBe("gauge");
    expect(negateHistogram(of([1], { zeroCount: 2 }))).toMatchObject({
      positive: [-1],
      zeroCount: -2,
      count: -3,
      sum: -6,
      resetHint: "gauge",
    });
  });

  test("division by zero keeps only the zero bucket, count and sum", () => {
    expect(divideHistogram(of([1, 2], { zeroCount: 0, sum: -1 }), 0)).toMatchObject({
      positive: [],
      positiveSpans: [],
      count: Infinity,
      sum: -Infinity,
      zeroCount: Number.NaN,
    });
  });
});

describe("a counter reset (Prometheus specs, native_histograms.md, Counter reset considerations)", () => {
  test.each([
    ["nothing changed", of([1, 2]), of([1, 2]), false],
    ["more of all", of([1, 2]), of([1, 3, 1]), false],
    ["the sum alone went down", of([1, 2]), of([1, 2], { sum: -9 }), false],
    ["a bucket went down", of([1, 2]), of([3, 1]), true],
    ["a bucket disappeared", of([1, 2]), of([5], {}, 0), true],
    ["the zero bucket went down", of([1], { zeroCount: 2 }), of([5], { zeroCount: 1 }), true],
    ["the resolution went down", of([1, 2], { schema: 1 }), of([1, 2]), false],
    ["the resolution went up", of([1, 2]), of([1, 2], { schema: 1 }), true],
    ["the zero bucket became wider", of([1, 2]), of([2], { zeroThreshold: 1, zeroCount: 1 }, 1), false],
    ["the zero bucket became narrower", of([1], { zeroThreshold: 1 }, 3), of([1], {}, 3), true],
    ["the zero bucket cuts a bucket", of([1, 2]), of([5], { zeroThreshold: 1.5, zeroCount: 9 }, 3), true],
    ["custom bounds went away", custom([1, 2], [1, 1, 1]), custom([2], [2, 1]), false],
    ["custom became standard", custom([1], [1, 1]), of([5, 5]), true],
    ["it is said", of([1]), of([5], { resetHint: "reset" }), true],
    ["it is said not to be", of([5]), of([1], { resetHint: "none" }), false],
  ] as const)("%s", (_what, before, after, isReset) => {
    expect(detectReset(before, after)).toBe(isReset);
  });
});
