import { Kahan } from "./kahan.ts";

/** `value = intercept + slope · seconds since the intercept's time`. */
export type Line = { readonly slope: number; readonly intercept: number };

/**
 * The line through samples with least squares (Prometheus docs, querying/functions.md, "deriv()"). Values that are all the same give a level line exactly, and where
 * one of those is infinite, or any value, NaN.
 */
export function lineThrough(times: Float64Array, values: Float64Array, lo: number, hi: number, interceptMs: number): Line {
  const first = values[lo] ?? 0;
  const [x, y, xy, xx] = [new Kahan(), new Kahan(), new Kahan(), new Kahan()];
  let isLevel = true;
  for (let row = lo; row < hi; row++) {
    const value = values[row] ?? 0;
    if (value !== first) isLevel = false;
    const at = ((times[row] ?? 0) - interceptMs) / 1_000;
    x.add(at);
    y.add(value);
    xy.add(at * value);
    xx.add(at * at);
  }
  if (isLevel) return Number.isFinite(first) ? { slope: 0, intercept: first } : { slope: Number.NaN, intercept: Number.NaN };
  const count = hi - lo;
  const [sumX, sumY] = [x.total, y.total];
  const covariance = xy.total - (sumX * sumY) / count;
  const variance = xx.total - (sumX * sumX) / count;
  const slope = covariance / variance;
  return { slope, intercept: sumY / count - (slope * sumX) / count };
}

/** Holt's linear smoothing: a level that follows by `smoothing`, and its trend by `trend`; of two samples at least. */
export function smoothed(values: Float64Array, lo: number, hi: number, smoothing: number, trend: number): number {
  let before = 0;
  let level = values[lo] ?? 0;
  let slope = (values[lo + 1] ?? 0) - level;
  for (let row = lo + 1; row < hi; row++) {
    // The trend is given with the first two samples, and moves from the third on.
    if (row > lo + 1) slope = trend * (level - before) + (1 - trend) * slope;
    before = level;
    level = smoothing * (values[row] ?? 0) + (1 - smoothing) * (level + slope);
  }
  return level;
}
