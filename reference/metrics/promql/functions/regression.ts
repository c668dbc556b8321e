import type { Window } from "../evaluate/window.ts";
import { Kahan } from "./kahan.ts";

/** `value = intercept + slope · seconds since the intercept's time`. */
type Line = { readonly slope: number; readonly intercept: number };

/**
 * The least-squares line through the samples of a window (Prometheus docs, querying/functions.md, "deriv()"). Equal finite values give an exactly
 * level line; an infinite value gives NaN.
 */
export function lineThrough({ times, values, lo, hi }: Window, interceptMs: number): Line {
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

/** Holt's linear smoothing of a window with at least two samples: `smoothing` weighs new levels, `trend` new slopes. */
export function smoothed({ values, lo, hi }: Window, { smoothing, trend }: { readonly smoothing: number; readonly trend: number }): number {
  let before = 0;
  let level = values[lo] ?? 0;
  let slope = (values[lo + 1] ?? 0) - level;
  for (let row = lo + 1; row < hi; row++) {
    // The first two samples define the slope; it changes from the third on.
    if (row > lo + 1) slope = trend * (level - before) + (1 - trend) * slope;
    before = level;
    level = smoothing * (values[row] ?? 0) + (1 - smoothing) * (level + slope);
  }
  return level;
}
