import { type Bucket, type Histogram, isCustom, orderedBuckets } from "../../model/index.ts";
import { Kahan } from "./kahan.ts";

/** A quantile, and how NaN observations affect it (Prometheus docs, querying/functions.md, "histogram_quantile()"). */
export type NativeQuantile = { readonly value: number; readonly nan: "none" | "skewed" | "result" | "excluded" };

const certain = (value: number): NativeQuantile => ({ value, nan: "none" });

/** The quantile, interpolated within its bucket; -Inf for `phi` below 0, +Inf above 1, NaN without observations. */
export function nativeQuantile(histogram: Histogram, phi: number): NativeQuantile {
  if (phi < 0) return certain(-Infinity);
  if (phi > 1) return certain(Infinity);
  if (histogram.count === 0 || phi !== phi || histogram.count !== histogram.count) return certain(Number.NaN);
  const buckets = orderedBuckets(histogram);
  const hasNaN = hasNaNObservations(histogram, buckets);
  // Sum from the nearer end to add up less. NaN observations sort above all others, so with them sum from below.
  const isReverse = phi >= 0.5 && !hasNaN;
  const order = isReverse ? buckets.toReversed() : buckets;
  const wanted = (isReverse ? 1 - phi : phi) * histogram.count;
  let sum = 0;
  let found: Bucket | undefined;
  for (const bucket of order) {
    found = bucket;
    sum += bucket.count;
    if (sum >= wanted) break;
  }
  if (found === undefined) return { value: Number.NaN, nan: hasNaN ? "result" : "none" };
  if (hasNaN && sum < wanted) return { value: Number.NaN, nan: "result" };
  const within = isReverse ? sum - wanted : wanted - (sum - found.count);
  const share = Math.min(1, Math.max(0, within / found.count));
  return { value: valueWithin(histogram, bounded(histogram, found), share), nan: hasNaN ? "skewed" : "none" };
}

/**
 * Observations of NaN are counted, but are in no bucket; infinite observations of both signs can make the sum NaN without them
 * (Prometheus specs, native_histograms.md, "Special cases of observed values").
 */
export const hasNaNObservations = ({ sum, count }: Histogram, buckets: readonly Bucket[]): boolean =>
  Number.isNaN(sum) && buckets.reduce((total, bucket) => total + bucket.count, 0) < count;

/** If all other observations are on one side of zero, the zero bucket covers only that side. The lowest custom bucket begins at zero if its bound is positive. */
export function bounded(histogram: Histogram, bucket: Bucket): Bucket {
  if (isCustom(histogram)) return bucket.lower === -Infinity && bucket.upper > 0 ? { ...bucket, lower: 0 } : bucket;
  if (!bucket.isZero) return bucket;
  const hasNegative = histogram.negative.some((count) => count !== 0);
  const hasPositive = histogram.positive.some((count) => count !== 0);
  if (hasNegative === hasPositive) return bucket;
  return hasPositive ? { ...bucket, lower: 0 } : { ...bucket, upper: 0 };
}

/** The value below which the given share of a bucket lies (Prometheus specs, native_histograms.md, "Interpolation within a bucket"). */
function valueWithin(histogram: Histogram, { lower, upper, isZero }: Bucket, share: number): number {
  if (isCustom(histogram) && lower === -Infinity) return upper === Infinity ? 0 : upper;
  if (isCustom(histogram) && upper === Infinity) return histogram.bounds.length === 0 ? 0 : lower;
  if (isCustom(histogram) || isZero) return lower + (upper - lower) * share;
  const [low, high] = [Math.log2(Math.abs(lower)), Math.log2(Math.abs(upper))];
  return (lower > 0 ? 1 : -1) * 2 ** (low + (high - low) * share);
}

/** The share of a bucket that lies below a value within it. As in Prometheus, observations of an unbounded custom bucket are beyond every number. */
export function shareBelow(histogram: Histogram, { lower, upper, isZero }: Bucket, value: number): number {
  if (isCustom(histogram) && (lower === -Infinity || upper === Infinity)) return upper === Infinity ? 0 : 1;
  if (isCustom(histogram) || isZero) return (value - lower) / (upper - lower);
  const [low, high, at] = [Math.log2(Math.abs(lower)), Math.log2(Math.abs(upper)), Math.log2(Math.abs(value))];
  return (at - low) / (high - low);
}

/** Prometheus docs, querying/functions.md, "histogram_fraction()" */
export function nativeFraction(histogram: Histogram, lower: number, upper: number): number {
  if (histogram.count === 0 || lower !== lower || upper !== upper) return Number.NaN;
  if (lower >= upper) return 0;
  const buckets = orderedBuckets(histogram).map((bucket) => bounded(histogram, bucket));
  const below = (value: number): number => {
    let sum = 0;
    for (const bucket of buckets) {
      if (bucket.upper <= value) sum += bucket.count;
      else if (bucket.lower < value) sum += bucket.count * shareBelow(histogram, bucket, value);
    }
    return sum;
  };
  return (below(upper) - below(lower)) / histogram.count;
}

/** The variance, with every observation at the middle of its bucket (Prometheus docs, querying/functions.md, "histogram_stddev() and histogram_stdvar()"). */
export function nativeVariance(histogram: Histogram): number {
  const mean = histogram.sum / histogram.count;
  const squares = new Kahan();
  for (const bucket of orderedBuckets(histogram)) {
    const distance = middle(histogram, bucket) - mean;
    squares.add(bucket.count * distance * distance);
  }
  return squares.total / histogram.count;
}

function middle(histogram: Histogram, { lower, upper, isZero }: Bucket): number {
  if (isCustom(histogram) || isZero) return (lower + upper) / 2;
  return (lower > 0 ? 1 : -1) * Math.sqrt(lower * upper);
}
