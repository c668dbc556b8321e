import { type Bucket, type Histogram, isCustom, orderedBuckets } from "../../model/index.ts";
import { bounded, shareBelow } from "./histogram-native.ts";

/** `</`: removes the observations above a value (Prometheus specs, native_histograms.md, "Trim operators"). */
export const trimUpper = (histogram: Histogram, cutoff: number): Histogram => trimmed(histogram, cutoff, true);
/** `>/`: removes the observations below a value. */
export const trimLower = (histogram: Histogram, cutoff: number): Histogram => trimmed(histogram, cutoff, false);

function trimmed(histogram: Histogram, cutoff: number, isUpper: boolean): Histogram {
  const buckets = orderedBuckets(histogram);
  const left = new Map<number, number>();
  let [count, sum, removed] = [0, 0, 0];
  for (const bucket of buckets) {
    const kept = cutoff !== cutoff ? 0 : bucket.count * keptShare(histogram, bucket, cutoff, isUpper);
    left.set(bucket.lower, kept);
    removed += bucket.count - kept;
    count += kept;
    if (kept !== 0) sum += kept * valueOf(histogram, bucket, bucket.lower < cutoff && cutoff < bucket.upper ? cutoff : undefined, isUpper);
  }
  if (removed === 0) return histogram;
  let at = 0;
  const lowers = buckets.map(({ lower }) => lower);
  const next = (population: number): number => (population === 0 ? 0 : (left.get(lowers[at++] ?? 0) ?? 0));
  // In the order of `orderedBuckets`: negative buckets from the far end, the zero bucket, positive buckets.
  const negative = histogram.negative.toReversed().map(next).toReversed();
  const zeroCount = isCustom(histogram) ? 0 : next(histogram.zeroCount);
  const positive = histogram.positive.map(next);
  return { ...histogram, count, sum, zeroCount, positive, negative, isInteger: false };
}

/** The share of a bucket that remains. */
function keptShare(histogram: Histogram, bucket: Bucket, cutoff: number, isUpper: boolean): number {
  // Nobody knows where the observations of a bucket without bounds are: as in Prometheus, any finite cutoff removes them.
  if (isCustom(histogram) && bucket.lower === -Infinity && bucket.upper === Infinity)
    return cutoff === (isUpper ? Infinity : -Infinity) ? 1 : 0;
  const { lower, upper } = bounded(histogram, bucket);
  const isAll = isUpper ? upper <= cutoff : lower >= cutoff;
  const isNone = isUpper ? lower >= cutoff : upper <= cutoff;
  if (isAll) return 1;
  if (isNone) return 0;
  // In a bucket with an infinite bound, the observations count as being at that bound.
  if (isCustom(histogram) && lower === -Infinity) return isUpper ? 1 : 0;
  if (isCustom(histogram) && upper === Infinity) return isUpper ? 0 : 1;
  const below = shareBelow(histogram, { ...bucket, lower, upper }, cutoff);
  return isUpper ? below : 1 - below;
}

/** The value that each observation of a bucket counts as. */
function valueOf(histogram: Histogram, bucket: Bucket, cutoff: number | undefined, isUpper: boolean): number {
  const whole = bounded(histogram, bucket);
  const lower = cutoff === undefined || isUpper ? whole.lower : cutoff;
  const upper = cutoff === undefined || !isUpper ? whole.upper : cutoff;
  if (isCustom(histogram)) {
    if (bucket.lower === -Infinity && bucket.upper === Infinity) return 0;
    if (lower === -Infinity) return upper;
    return upper === Infinity ? lower : (lower + upper) / 2;
  }
  if (bucket.isZero) return (lower + upper) / 2;
  return (lower > 0 ? 1 : -1) * Math.sqrt(lower * upper);
}
