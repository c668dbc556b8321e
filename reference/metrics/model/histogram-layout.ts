import { type Buckets, bucketsOf, halved, isCustom, moved, spansOf, upperBound } from "./histogram-buckets.ts";
import type { Histogram } from "./histogram.ts";

/** A histogram taken apart for arithmetic. */
export type Parts = {
  readonly schema: number;
  readonly zeroThreshold: number;
  readonly zeroCount: number;
  readonly positive: Buckets;
  readonly negative: Buckets;
  readonly bounds: readonly number[];
};

/** Takes a histogram apart, without sum, count and reset hint, which `histogramOf` needs again. */
export function partsOf(histogram: Histogram): Parts {
  return {
    schema: histogram.schema,
    zeroThreshold: histogram.zeroThreshold,
    zeroCount: histogram.zeroCount,
    positive: bucketsOf(histogram.positiveSpans, histogram.positive),
    negative: bucketsOf(histogram.negativeSpans, histogram.negative),
    bounds: histogram.bounds,
  };
}

/** Builds a histogram from its parts; `about` has what they lack. */
export function histogramOf(parts: Parts, about: Pick<Histogram, "count" | "sum" | "resetHint">): Histogram {
  const [positive, negative] = [spansOf(parts.positive), spansOf(parts.negative)];
  return {
    schema: parts.schema,
    zeroThreshold: parts.zeroThreshold,
    zeroCount: parts.zeroCount,
    count: about.count,
    sum: about.sum,
    positiveSpans: positive.spans,
    negativeSpans: negative.spans,
    positive: positive.counts,
    negative: negative.counts,
    bounds: parts.bounds,
    resetHint: about.resetHint,
    isInteger: false,
  };
}

/** Two histograms with one bucket layout. `areBoundsMerged`: custom bounds differed. */
export type Reconciled = { readonly a: Parts; readonly b: Parts; readonly areBoundsMerged: boolean };

/** Converts two histograms to a common layout (Prometheus specs, native_histograms.md, "Compatibility between histograms"); undefined if there is none. */
export function reconciled(one: Histogram, other: Histogram): Reconciled | undefined {
  if (isCustom(one) !== isCustom(other)) return undefined;
  const [a, b] = [partsOf(one), partsOf(other)];
  if (isCustom(one)) return withCommonBounds(a, b);
  const schema = Math.min(a.schema, b.schema);
  const [left, right] = withCommonZero(atSchema(a, schema), atSchema(b, schema));
  return { a: left, b: right, areBoundsMerged: false };
}

/** Converts to the same or a lower resolution by merging neighbouring buckets (Prometheus specs, native_histograms.md, "Schema"). */
export function atSchema(parts: Parts, schema: number): Parts {
  if (parts.schema === schema) return parts;
  const move = halved(parts.schema - schema);
  return { ...parts, schema, positive: moved(parts.positive, move), negative: moved(parts.negative, move) };
}

/** Widens both zero buckets to the wider one, or further if that would cut a nonempty bucket. */
function withCommonZero(a: Parts, b: Parts): readonly [Parts, Parts] {
  let threshold = Math.max(a.zeroThreshold, b.zeroThreshold);
  if (a.zeroThreshold === b.zeroThreshold) return [a, b];
  for (;;) {
    const wider = Math.max(beyondCut(a, threshold), beyondCut(b, threshold));
    if (wider === threshold) break;
    threshold = wider;
  }
  return [withZero(a, threshold), withZero(b, threshold)];
}

/** The threshold, or the upper bound of a nonempty bucket that it would cut. */
export function beyondCut(parts: Parts, threshold: number): number {
  if (parts.zeroThreshold >= threshold) return threshold;
  for (const { indices, counts } of [parts.positive, parts.negative]) {
    for (const [at, index] of indices.entries()) {
      const lower = Math.max(upperBound(index - 1, parts.schema), parts.zeroThreshold);
      if (lower >= threshold) break;
      const upper = upperBound(index, parts.schema);
      if (counts[at] !== 0 && upper > threshold) return upper;
    }
  }
  return threshold;
}

/** Widens the zero bucket; it takes in the buckets that it covers. */
export function withZero(parts: Parts, threshold: number): Parts {
  if (threshold <= parts.zeroThreshold) return parts;
  let zeroCount = parts.zeroCount;
  const outside = ({ indices, counts }: Buckets): Buckets => {
    let kept = 0;
    while (kept < indices.length && upperBound(indices[kept] ?? 0, parts.schema) <= threshold) zeroCount += counts[kept++] ?? 0;
    return { indices: indices.slice(kept), counts: counts.slice(kept) };
  };
  const [positive, negative] = [outside(parts.positive), outside(parts.negative)];
  return { ...parts, zeroThreshold: threshold, zeroCount, positive, negative };
}

/** Keeps the common custom bounds. */
function withCommonBounds(a: Parts, b: Parts): Reconciled {
  const isSame = a.bounds.length === b.bounds.length && a.bounds.every((bound, at) => bound === b.bounds[at]);
  if (isSame) return { a, b, areBoundsMerged: false };
  const others = new Set(b.bounds);
  const bounds = a.bounds.filter((bound) => others.has(bound));
  return { a: withBounds(a, bounds), b: withBounds(b, bounds), areBoundsMerged: true };
}

function withBounds(parts: Parts, bounds: readonly number[]): Parts {
  const place = (index: number): number => {
    const upper = parts.bounds[index] ?? Infinity;
    const found = bounds.findIndex((bound) => bound >= upper);
    return found === -1 ? bounds.length : found;
  };
  return { ...parts, bounds, positive: moved(parts.positive, place) };
}
