import { CUSTOM_BOUNDS, type Histogram, type Span } from "./histogram.ts";

/** Populated or not, the buckets of one side by their indices, ascending: what arithmetic works on; spans are how they are kept. */
export type Buckets = { readonly indices: number[]; readonly counts: number[] };

export function bucketsOf(spans: readonly Span[], counts: readonly number[]): Buckets {
  const found: Buckets = { indices: [], counts: [] };
  let index = 0;
  let at = 0;
  for (const { offset, length } of spans) {
    index += offset;
    for (let end = index + length; index < end; index++) {
      found.indices.push(index);
      found.counts.push(counts[at++] ?? 0);
    }
  }
  return found;
}

/** As spans, unpopulated buckets left out. */
export function spansOf({ indices, counts }: Buckets): { readonly spans: Span[]; readonly counts: number[] } {
  const spans: { offset: number; length: number }[] = [];
  const kept: number[] = [];
  let next = 0;
  for (const [at, index] of indices.entries()) {
    const count = counts[at] ?? 0;
    if (count === 0) continue;
    const last = spans.at(-1);
    if (last !== undefined && index === next) last.length += 1;
    else spans.push({ offset: index - next, length: 1 });
    next = index + 1;
    kept.push(count);
  }
  return { spans, counts: kept };
}

/** Bucket by bucket, one that is missing being empty. */
export function merged(a: Buckets, b: Buckets, combine: (left: number, right: number) => number): Buckets {
  const out: Buckets = { indices: [], counts: [] };
  let [i, j] = [0, 0];
  while (i < a.indices.length || j < b.indices.length) {
    const [left, right] = [a.indices[i] ?? Infinity, b.indices[j] ?? Infinity];
    out.indices.push(Math.min(left, right));
    out.counts.push(combine(left <= right ? (a.counts[i++] ?? 0) : 0, right <= left ? (b.counts[j++] ?? 0) : 0));
  }
  return out;
}

/** Moves every bucket to another index, adding up those that meet; `move` never turns the order around. */
export function moved({ indices, counts }: Buckets, move: (index: number) => number): Buckets {
  const out: Buckets = { indices: [], counts: [] };
  for (const [at, index] of indices.entries()) {
    const to = move(index);
    const last = out.indices.length - 1;
    if (out.indices[last] === to) out.counts[last] = (out.counts[last] ?? 0) + (counts[at] ?? 0);
    else {
      out.indices.push(to);
      out.counts.push(counts[at] ?? 0);
    }
  }
  return out;
}

/** The index of a bucket after the resolution was halved `times` times (native_histograms.md, "Schema"). */
export const halved = (times: number) => (index: number) => Math.ceil(index / 2 ** times);

/**
 * The upper bound of a positive bucket of a standard schema: 2^(index·2^-schema). The bucket that reaches beyond the largest number ends with that
 * number, and the next one is infinite (native_histograms.md, "Schema").
 */
export function upperBound(index: number, schema: number): number {
  const buckets = 2 ** schema;
  // Whole powers of two are exact; what is left is between 1 and 2.
  const whole = Math.floor(index / buckets);
  const bound = 2 ** whole * 2 ** ((index - whole * buckets) / buckets);
  if (bound !== Infinity) return bound;
  return (index - 1) / buckets < 1024 && 2 ** ((index - 1) / buckets) !== Infinity ? Number.MAX_VALUE : Infinity;
}

/** A bucket with its bounds: what quantiles, fractions and texts are made of. */
export type Bucket = { readonly lower: number; readonly upper: number; readonly count: number; readonly isZero: boolean };

export const isCustom = (histogram: Histogram): boolean => histogram.schema === CUSTOM_BOUNDS;

/** All populated buckets from the lowest to the highest, the zero bucket in between. */
export function orderedBuckets(histogram: Histogram): Bucket[] {
  const { schema, bounds, zeroThreshold, zeroCount } = histogram;
  const { indices, counts } = bucketsOf(histogram.positiveSpans, histogram.positive);
  const found: Bucket[] = [];
  if (isCustom(histogram)) {
    for (const [at, index] of indices.entries()) {
      const lower = index === 0 ? -Infinity : (bounds[index - 1] ?? Infinity);
      found.push({ lower, upper: bounds[index] ?? Infinity, count: counts[at] ?? 0, isZero: false });
    }
    return found.filter(({ count }) => count !== 0);
  }
  const negative = bucketsOf(histogram.negativeSpans, histogram.negative);
  for (let at = negative.indices.length - 1; at >= 0; at--) {
    const index = negative.indices[at] ?? 0;
    // A zero bucket that is wider than a regular one took what lies within it.
    const upper = Math.min(-zeroThreshold, -upperBound(index - 1, schema));
    found.push({ lower: -upperBound(index, schema), upper, count: negative.counts[at] ?? 0, isZero: false });
  }
  found.push({ lower: -zeroThreshold, upper: zeroThreshold, count: zeroCount, isZero: true });
  for (const [at, index] of indices.entries()) {
    const lower = Math.max(zeroThreshold, upperBound(index - 1, schema));
    found.push({ lower, upper: upperBound(index, schema), count: counts[at] ?? 0, isZero: false });
  }
  return found.filter(({ count }) => count !== 0);
}
