import type { Histogram } from "./histogram.ts";

/** Of floats, with nothing in it: for tests, which say what theirs has. */
const EMPTY: Histogram = {
  schema: 0,
  zeroThreshold: 0,
  zeroCount: 0,
  count: 0,
  sum: 0,
  positiveSpans: [],
  negativeSpans: [],
  positive: [],
  negative: [],
  bounds: [],
  resetHint: "unknown",
  isInteger: false,
};

/** With positive buckets side by side from an index on, its count theirs and the zero bucket's; `about` says what else it has, or has instead. */
export function histogramOf(positive: readonly number[], about: Partial<Histogram> = {}, offset = 0): Histogram {
  const count = positive.reduce((sum, own) => sum + own, about.zeroCount ?? 0);
  const positiveSpans = positive.length === 0 ? [] : [{ offset, length: positive.length }];
  return { ...EMPTY, positive, positiveSpans, count, ...about };
}
