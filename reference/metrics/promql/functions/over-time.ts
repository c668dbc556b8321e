import { addHistograms, detectReset, divideHistogram, equalHistograms, type Histogram } from "../../model/index.ts";
import { ABSENT, FLOAT, HISTOGRAM, type Kind } from "../value.ts";
import type { RangeFunction, Window } from "../window.ts";
import { average, Kahan } from "./kahan.ts";
import { mixed, named } from "./notes.ts";
import { quantile } from "./quantile.ts";
import { type Extrapolation, extrapolated, histogramsIn, instantaneous, told } from "./rate.ts";
import { lineThrough, smoothed } from "./regression.ts";
import type { FunctionName } from "./signatures.ts";

const give = (window: Window, value: number): Kind => {
  window.value = value;
  return FLOAT;
};

/** A function of the floats in the window, of which there is at least one. */
const ofFloats = (of: (window: Window) => number, least = 1): RangeFunction => ({
  histograms: "ignored",
  keepsName: false,
  run: (window) => (window.size < least ? ABSENT : give(window, of(window))),
});
/** A function of all samples, of either kind. */
const ofSamples = (run: (window: Window) => Kind, keepsName = false): RangeFunction => ({
  histograms: "seen",
  keepsName,
  run: (window) => (window.size === 0 ? ABSENT : run(window)),
});

/** `rate` and its like see empty windows too: their gaps may be asked for. */
const ofCounter = (run: (window: Window) => Kind): RangeFunction => ({ histograms: "seen", keepsName: false, run });

const extrapolating = (extrapolation: Extrapolation): RangeFunction => ({
  histograms: "seen",
  keepsName: false,
  extrapolation,
  run: (window) => extrapolated(window, extrapolation),
});

/** Functions over a range (Prometheus docs, querying/functions.md). */
export const OVER_TIME: Readonly<Partial<Record<FunctionName, RangeFunction>>> = {
  rate: extrapolating({ isCounter: true, isRate: true }),
  increase: extrapolating({ isCounter: true, isRate: false }),
  delta: extrapolating({ isCounter: false, isRate: false }),
  irate: ofCounter((window) => instantaneous(window, true)),
  idelta: ofSamples((window) => instantaneous(window, false)),
  changes: ofSamples((window) => give(window, transitions(window, isChange))),
  resets: ofSamples((window) => give(window, transitions(window, isReset))),
  deriv: ofFloats(({ times, values, lo, hi }) => lineThrough(times, values, lo, hi, times[lo] ?? 0).slope, 2),
  predict_linear: ofFloats(({ times, values, lo, hi, stepMs, args }) => {
    const { slope, intercept } = lineThrough(times, values, lo, hi, stepMs);
    return slope * (args[0] ?? 0) + intercept;
  }, 2),
  double_exponential_smoothing: ofFloats(({ values, lo, hi, args }) => smoothed(values, lo, hi, args[0] ?? 0, args[1] ?? 0), 2),

  avg_over_time: ofSamples((window) => summed(window, true)),
  sum_over_time: ofSamples((window) => summed(window, false)),
  min_over_time: ofFloats(({ values, lo, hi }) => values[extreme(values, lo, hi, -1)] ?? 0),
  max_over_time: ofFloats(({ values, lo, hi }) => values[extreme(values, lo, hi, 1)] ?? 0),
  count_over_time: ofSamples((window) => give(window, window.size)),
  present_over_time: ofSamples((window) => give(window, 1)),
  last_over_time: ofSamples((window) => sampleAt(window, window.hi - 1), true),
  first_over_time: ofSamples((window) => sampleAt(window, window.lo), true),
  quantile_over_time: ofFloats((window) => quantile(window.args[0] ?? 0, scratch(window), 0, window.size)),
  stddev_over_time: ofFloats((window) => Math.sqrt(variance(window))),
  stdvar_over_time: ofFloats(variance),
  mad_over_time: ofFloats(medianDeviation),
  ts_of_min_over_time: ofFloats(({ times, values, lo, hi }) => (times[lastLike(values, lo, hi, -1)] ?? 0) / 1_000),
  ts_of_max_over_time: ofFloats(({ times, values, lo, hi }) => (times[lastLike(values, lo, hi, 1)] ?? 0) / 1_000),
  ts_of_last_over_time: ofSamples((window) => give(window, (window.times[window.hi - 1] ?? 0) / 1_000)),
  ts_of_first_over_time: ofSamples((window) => give(window, (window.times[window.lo] ?? 0) / 1_000)),
};

function sampleAt(window: Window, row: number): Kind {
  const histogram = window.histograms?.[row];
  if (histogram === undefined) return give(window, window.values[row] ?? 0);
  window.histogram = histogram;
  return HISTOGRAM;
}

/** Where the smallest (`sign` -1) or the largest value stands, the first of equals; NaN only where there is nothing else. */
function extreme(values: Float64Array, lo: number, hi: number, sign: 1 | -1): number {
  let best = lo;
  for (let row = lo + 1; row < hi; row++) {
    const [value, kept] = [values[row] ?? 0, values[best] ?? 0];
    if (value * sign > kept * sign || kept !== kept) best = row;
  }
  return best;
}

/** The last of equals. */
function lastLike(values: Float64Array, lo: number, hi: number, sign: 1 | -1): number {
  let best = lo;
  for (let row = lo + 1; row < hi; row++) {
    const [value, kept] = [values[row] ?? 0, values[best] ?? 0];
    if (value * sign >= kept * sign || kept !== kept) best = row;
  }
  return best;
}

let room = new Float64Array(256);
/** A copy of the window's values that may be put into another order. */
function scratch({ values, lo, hi, size }: Window): Float64Array {
  if (room.length < size) room = new Float64Array(size * 2);
  room.set(values.subarray(lo, hi));
  return room;
}

function medianDeviation(window: Window): number {
  const copy = scratch(window);
  const median = quantile(0.5, copy, 0, window.size);
  for (let at = 0; at < window.size; at++) copy[at] = Math.abs((copy[at] ?? 0) - median);
  return quantile(0.5, copy, 0, window.size);
}

/** Of the whole population, by Welford's recurrence with compensated sums. */
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

/** How often two neighbours differ in the way that is asked for. */
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
function summed(window: Window, isAverage: boolean): Kind {
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
  let sum = window.histograms?.[window.lo];
  for (let row = window.lo + 1; row < window.hi; row++) {
    const next = window.histograms?.[row];
    if (sum === undefined || next === undefined) return ABSENT;
    const combined = addHistograms(sum, next);
    if (combined?.isHintContradicted === true) window.warn(named(window, "conflicting counter resets during histogram aggregation"));
    sum = told(window, combined);
  }
  if (sum === undefined) return ABSENT;
  window.histogram = isAverage ? divideHistogram(sum, window.size) : sum;
  return HISTOGRAM;
}
