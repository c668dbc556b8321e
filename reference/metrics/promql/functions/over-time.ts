import { detectReset, equalHistograms, type Histogram, HistogramSum } from "../../model/index.ts";
import { ABSENT, FLOAT, HISTOGRAM, type Kind } from "../evaluate/value.ts";
import type { Extrapolation, RangeFunction, Window } from "../evaluate/window.ts";

export type { RangeFunction } from "../evaluate/window.ts";
import { average, Kahan } from "./kahan.ts";
import { MERGED_BOUNDS, MIXED_SCHEMAS, mixed, named } from "./notes.ts";
import { quantile } from "./quantile.ts";
import { extrapolated, histogramsIn, instantaneous } from "./rate.ts";
import { lineThrough, smoothed } from "./regression.ts";

const give = (window: Window, value: number): Kind => {
  window.value = value;
  return FLOAT;
};

/** A function of the floats in the window; no element if there are fewer than `least`. */
const ofFloats = (of: (window: Window) => number, least = 1): RangeFunction => ({
  histograms: "ignored",
  keepsName: false,
  run: (window) => (window.size < least ? ABSENT : give(window, of(window))),
});
/** A function of all samples, floats and histograms. */
const ofSamples = (run: (window: Window) => Kind, keepsName = false): RangeFunction => ({
  histograms: "seen",
  keepsName,
  run: (window) => (window.size === 0 ? ABSENT : run(window)),
});

/** `irate` also sees empty windows, because their gaps may be NaN. */
const ofGaps = (run: (window: Window) => Kind): RangeFunction => ({ histograms: "seen", keepsName: false, hasGaps: true, run });

const extrapolating = (extrapolation: Extrapolation): RangeFunction => ({
  histograms: "seen",
  keepsName: false,
  ...(extrapolation.isCounter ? ({ expectsCounter: true, hasGaps: true } as const) : {}),
  extrapolation,
  run: (window) => extrapolated(window, extrapolation),
});

export const rate = extrapolating({ isCounter: true, isRate: true });
export const increase = extrapolating({ isCounter: true, isRate: false });
export const delta = extrapolating({ isCounter: false, isRate: false });
export const irate = ofGaps((window) => instantaneous(window, true));
export const idelta = ofSamples((window) => instantaneous(window, false));
export const changes = ofSamples((window) => give(window, transitions(window, isChange)));
export const resets = ofSamples((window) => give(window, transitions(window, isReset)));
export const deriv = ofFloats((window) => lineThrough(window, window.times[window.lo] ?? 0).slope, 2);
export const predictLinear = ofFloats((window) => {
  const { slope, intercept } = lineThrough(window, window.stepMs);
  return slope * (window.args[0] ?? 0) + intercept;
}, 2);
export const doubleExponentialSmoothing = ofFloats(
  (window) => smoothed(window, { smoothing: window.args[0] ?? 0, trend: window.args[1] ?? 0 }),
  2,
);

export const avg = ofSamples((window) => summed(window, { isAverage: true }));
export const sum = ofSamples((window) => summed(window, { isAverage: false }));
export const min = ofFloats((window) => window.values[firstExtreme(window, -1)] ?? 0);
export const max = ofFloats((window) => window.values[firstExtreme(window, 1)] ?? 0);
export const count = ofSamples((window) => give(window, window.size));
export const present = ofSamples((window) => give(window, 1));
export const last = ofSamples((window) => sampleAt(window, window.hi - 1), true);
export const first = ofSamples((window) => sampleAt(window, window.lo), true);
export const quantileOfRange = ofFloats((window) => quantile(window.args[0] ?? 0, window.scratch(), 0, window.size));
export const stddev = ofFloats((window) => Math.sqrt(variance(window)));
export const stdvar = ofFloats((window) => variance(window));
export const mad = ofFloats((window) => medianDeviation(window));
export const timeOfMin = ofFloats((window) => secondsAt(window, lastExtreme(window, -1)));
export const timeOfMax = ofFloats((window) => secondsAt(window, lastExtreme(window, 1)));
export const timeOfLast = ofSamples((window) => give(window, secondsAt(window, window.hi - 1)));
export const timeOfFirst = ofSamples((window) => give(window, secondsAt(window, window.lo)));

const secondsAt = ({ times }: Window, row: number): number => (times[row] ?? 0) / 1_000;

function sampleAt(window: Window, row: number): Kind {
  const histogram = window.histograms?.[row];
  if (histogram === undefined) return give(window, window.values[row] ?? 0);
  window.histogram = histogram;
  return HISTOGRAM;
}

/** The row of the smallest (`sign` -1) or largest value, the first of equals; a NaN only if there is nothing else. */
function firstExtreme({ values, lo, hi }: Window, sign: 1 | -1): number {
  let best = lo;
  for (let row = lo + 1; row < hi; row++) {
    const [value, kept] = [values[row] ?? 0, values[best] ?? 0];
    if (value * sign > kept * sign || kept !== kept) best = row;
  }
  return best;
}

/** The same row, the last of equals. */
function lastExtreme({ values, lo, hi }: Window, sign: 1 | -1): number {
  let best = lo;
  for (let row = lo + 1; row < hi; row++) {
    const [value, kept] = [values[row] ?? 0, values[best] ?? 0];
    if (value * sign >= kept * sign || kept !== kept) best = row;
  }
  return best;
}

function medianDeviation(window: Window): number {
  const copy = window.scratch();
  const median = quantile(0.5, copy, 0, window.size);
  // Nothing is known about deviations from NaN.
  for (let at = 0; at < window.size; at++) if (Number.isNaN(copy[at])) return Number.NaN;
  for (let at = 0; at < window.size; at++) copy[at] = Math.abs((copy[at] ?? 0) - median);
  return quantile(0.5, copy, 0, window.size);
}

/** The population variance by Welford's recurrence with compensated sums. */
function variance({ values, lo, hi, size }: Window): number {
  const [mean, squares] = [new Kahan(), new Kahan()];
  for (let row = lo; row < hi; row++) {
    const value = values[row] ?? 0;
    const distance = value - mean.total;
    mean.add(distance / (row - lo + 1));
    squares.add(distance * (value - mean.total));
  }
  return squares.total / size;
}

type Sample = { readonly value: number; readonly histogram: Histogram | undefined };

/** The number of neighbouring samples for which `differ` holds. */
function transitions({ values, histograms, lo, hi }: Window, differ: (before: Sample, after: Sample) => boolean): number {
  const sample = (row: number): Sample => ({ value: values[row] ?? 0, histogram: histograms?.[row] });
  let found = 0;
  for (let row = lo + 1; row < hi; row++) if (differ(sample(row - 1), sample(row))) found += 1;
  return found;
}

function isChange(before: Sample, after: Sample): boolean {
  if (before.histogram !== undefined && after.histogram !== undefined) return !equalHistograms(before.histogram, after.histogram);
  if ((before.histogram === undefined) !== (after.histogram === undefined)) return true;
  return before.value !== after.value && !(Number.isNaN(before.value) && Number.isNaN(after.value));
}

function isReset(before: Sample, after: Sample): boolean {
  if ((before.histogram === undefined) !== (after.histogram === undefined)) return true;
  if (before.histogram === undefined || after.histogram === undefined) return after.value < before.value;
  const isGauge = [before.histogram.resetHint === "gauge", after.histogram.resetHint === "gauge"];
  return isGauge[0] !== isGauge[1] || detectReset(before.histogram, after.histogram);
}

/** `sum_over_time` and `avg_over_time`, of floats or of histograms. */
function summed(window: Window, { isAverage }: { readonly isAverage: boolean }): Kind {
  const { values, lo, hi, size } = window;
  const histograms = window.histograms === undefined ? 0 : histogramsIn(window);
  if (histograms > 0 && histograms < size) return mixed(window);
  if (histograms > 0) return summedHistograms(window, isAverage);
  if (isAverage) return give(window, average(values, lo, hi));
  const kahan = new Kahan();
  for (let row = lo; row < hi; row++) kahan.add(values[row] ?? 0);
  return give(window, kahan.total);
}

function summedHistograms(window: Window, isAverage: boolean): Kind {
  const first = window.histograms?.[window.lo];
  if (first === undefined) return ABSENT;
  const sum = new HistogramSum(first, isAverage);
  for (let row = window.lo + 1; row < window.hi; row++) {
    const next = window.histograms?.[row];
    const added = next && sum.add(next);
    if (added === undefined) {
      window.warn(named(window, MIXED_SCHEMAS));
      return ABSENT;
    }
    if (added.areBoundsMerged) window.info(MERGED_BOUNDS);
  }
  if (sum.areHintsContradictory) window.warn("conflicting counter resets during histogram aggregation");
  window.histogram = sum.total;
  return HISTOGRAM;
}
