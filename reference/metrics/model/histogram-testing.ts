import type { Histogram } from "./histogram.ts";

/** An empty float histogram, for tests. */
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

/** A histogram with adjacent positive buckets from index `offset` on and the matching count; `about` overrides fields. */
export function histogramOf(positive: readonly number[], about: Partial<Histogram> = {}, offset = 0): Histogram {
  const count = positive.reduce((sum, own) => sum + own, about.zeroCount ?? 0);
  const positiveSpans = positive.length === 0 ? [] : [{ offset, length: positive.length }];
  return { ...EMPTY, positive, positiveSpans, count, ...about };
}
