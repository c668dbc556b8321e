import { type Bucket, bucketsOf, type Histogram } from "./histogram.ts";

/** Estimates of the observations in a histogram (Prometheus specs, native_histograms.md, "Interpolation within a bucket" and "Functions"). */

/** The assumed range of the observations of a bucket: uniform if `isLinear`, otherwise uniform on a logarithmic scale. */
type Spread = { readonly lower: number; readonly upper: number; readonly count: number; readonly isLinear: boolean };

function spreads(histogram: Histogram): Spread[] {
  const buckets = bucketsOf(histogram);
  const hasPositive = buckets.some(({ is }) => is === "positive");
  const hasNegative = buckets.some(({ is }) => is === "negative");
  return buckets.map(({ lower, upper, count, is }): Spread => {
    if (is === "zero")
      return { lower: hasPositive && !hasNegative ? 0 : lower, upper: hasNegative && !hasPositive ? 0 : upper, count, isLinear: true };
    if (is !== "custom") return { lower, upper, count, isLinear: false };
    if (upper === Number.POSITIVE_INFINITY) return { lower, upper: lower, count, isLinear: true };
    if (lower === Number.NEGATIVE_INFINITY) return { lower: upper > 0 ? 0 : upper, upper, count, isLinear: true };
    return { lower, upper, count, isLinear: true };
  });
}

/** The value below or at which the given share of a bucket's observations lies. */
function within({ lower, upper, isLinear }: Spread, share: number): number {
  if (isLinear || lower === upper) return lower + (upper - lower) * share;
  return lower > 0 ? lower * (upper / lower) ** share : -(-lower * (upper / lower) ** share);
}

/** The share of a bucket's observations below or at a value. */
function below({ lower, upper, isLinear }: Spread, value: number): number {
  if (value >= upper) return 1;
  if (value <= lower) return 0;
  return isLinear ? (value - lower) / (upper - lower) : Math.log(value / lower) / Math.log(upper / lower);
}

/** `histogram_quantile`: observations in no bucket are NaN and sort above all others. */
export function quantile(share: number, histogram: Histogram): number {
  if (Number.isNaN(share) || histogram.count === 0) return Number.NaN;
  if (share < 0) return Number.NEGATIVE_INFINITY;
  if (share > 1) return Number.POSITIVE_INFINITY;
  let rank = share * histogram.count;
  for (const spread of spreads(histogram)) {
    if (rank <= spread.count) return within(spread, rank / spread.count);
    rank -= spread.count;
  }
  return Number.NaN;
}

/** `histogram_fraction`: the share of all observations between two values. */
export function fraction(lower: number, upper: number, histogram: Histogram): number {
  if (histogram.count === 0) return Number.NaN;
  const ranked = (value: number): number => spreads(histogram).reduce((sum, spread) => sum + spread.count * below(spread, value), 0);
  return lower >= upper ? 0 : (ranked(upper) - ranked(lower)) / histogram.count;
}

/** `histogram_stdvar`: each observation counts as the middle of its bucket, for exponential buckets the geometric middle. */
export function variance(histogram: Histogram): number {
  const mean = histogram.sum / histogram.count;
  const middle = ({ lower, upper, is }: Bucket): number => {
    if (is === "zero" || is === "custom") return (lower + upper) / 2;
    return is === "negative" ? -Math.sqrt(lower * upper) : Math.sqrt(lower * upper);
  };
  return bucketsOf(histogram).reduce((sum, bucket) => sum + bucket.count * (middle(bucket) - mean) ** 2, 0) / histogram.count;
}

/** The number of observations that `</` (`below`) or `>/` (`above`) keeps. */
export function trimmedCount(side: "below" | "above", value: number, histogram: Histogram): number {
  const kept = spreads(histogram).reduce((sum, spread) => sum + spread.count * below(spread, value), 0);
  return side === "below" ? kept : histogram.count - kept;
}
