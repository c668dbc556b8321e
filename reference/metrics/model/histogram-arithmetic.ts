import { type Buckets, bucketsOf, isCustom, merged } from "./histogram-buckets.ts";
import { atSchema, beyondCut, histogramOf, type Parts, partsOf, reconciled, withZero } from "./histogram-layout.ts";
import type { Histogram, ResetHint } from "./histogram.ts";

/** A sum or a difference with its remarks (Prometheus specs, native_histograms.md, "Addition and subtraction"). */
export type Combined = {
  readonly histogram: Histogram;
  /** Custom bounds differed; the result has the common ones. */
  readonly areBoundsMerged: boolean;
  /** One hint is `reset`, the other `none`. */
  readonly isHintContradicted: boolean;
};

/** The sum of two histograms; undefined if their layouts are incompatible. */
export function addHistograms(a: Histogram, b: Histogram): Combined | undefined {
  return combined(a, b, (left, right) => left + right, hintOfSum(a.resetHint, b.resetHint));
}

/** What rounding loses when two histograms are added; undefined if nothing, or if their layouts are incompatible. */
export function lostBySum(a: Histogram, b: Histogram): Histogram | undefined {
  const lost = combined(a, b, lostByAddition, a.resetHint)?.histogram;
  if (lost === undefined) return undefined;
  const { zeroCount, count, sum, positive, negative } = lost;
  return [zeroCount, count, sum, ...positive, ...negative].some((value) => value !== 0) ? lost : undefined;
}

/** The error of a rounded sum (Neumaier); that of an infinite sum would be NaN. */
function lostByAddition(left: number, right: number): number {
  const sum = left + right;
  if (sum === Infinity || sum === -Infinity) return 0;
  return Math.abs(left) >= Math.abs(right) ? left - sum + right : right - sum + left;
}

/** The difference of two histograms: a gauge, because it may be negative. */
export function subtractHistograms(a: Histogram, b: Histogram): Combined | undefined {
  return combined(a, b, (left, right) => left - right, "gauge");
}

function combined(a: Histogram, b: Histogram, apply: (left: number, right: number) => number, resetHint: ResetHint): Combined | undefined {
  const both = reconciled(a, b);
  if (both === undefined) return undefined;
  const parts: Parts = {
    ...both.a,
    zeroCount: apply(both.a.zeroCount, both.b.zeroCount),
    positive: merged(both.a.positive, both.b.positive, apply),
    negative: merged(both.a.negative, both.b.negative, apply),
  };
  return {
    histogram: histogramOf(parts, { count: apply(a.count, b.count), sum: apply(a.sum, b.sum), resetHint }),
    areBoundsMerged: both.areBoundsMerged,
    isHintContradicted: contradict(a.resetHint, b.resetHint),
  };
}

/** Whether one hint is `reset` and the other `none` (Prometheus specs, native_histograms.md, "Counter reset considerations"). */
export const contradict = (a: ResetHint, b: ResetHint): boolean => (a === "reset" && b === "none") || (a === "none" && b === "reset");

const hintOfSum = (a: ResetHint, b: ResetHint): ResetHint => {
  if (a === b) return a;
  return a === "gauge" || b === "gauge" ? "gauge" : "unknown";
};

/** Multiplies all counts and the sum; a negative factor makes a gauge (Prometheus docs, querying/operators.md, "Arithmetic binary operators"). */
export function scaleHistogram(histogram: Histogram, factor: number): Histogram {
  return mapped(histogram, (value) => value * factor, factor < 0 ? "gauge" : histogram.resetHint);
}

/** Divides all counts and the sum. Division by zero keeps only the zero bucket. */
export function divideHistogram(histogram: Histogram, divisor: number): Histogram {
  const resetHint = divisor < 0 ? "gauge" : histogram.resetHint;
  const divided = mapped(histogram, (value) => value / divisor, resetHint);
  if (divisor !== 0) return divided;
  return { ...divided, positiveSpans: [], positive: [], negativeSpans: [], negative: [] };
}

/** Negates all counts and the sum: a gauge. */
export const negateHistogram = (histogram: Histogram): Histogram => mapped(histogram, (value) => -value, "gauge");

/** Sets the hint; returns the same object if it has this hint already. */
export const withHint = (histogram: Histogram, resetHint: ResetHint): Histogram =>
  histogram.resetHint === resetHint ? histogram : { ...histogram, resetHint };

const mapped = (histogram: Histogram, map: (value: number) => number, resetHint: ResetHint): Histogram => ({
  ...histogram,
  zeroCount: map(histogram.zeroCount),
  count: map(histogram.count),
  sum: map(histogram.sum),
  positive: histogram.positive.map(map),
  negative: histogram.negative.map(map),
  resetHint,
  isInteger: false,
});

/** Whether layout, counts and sum are equal, whatever the flavour (Prometheus specs, native_histograms.md, "Equality and inequality"). */
export function equalHistograms(a: Histogram, b: Histogram): boolean {
  return (
    a.schema === b.schema &&
    same(a.count, b.count) &&
    same(a.sum, b.sum) &&
    (isCustom(a) ? sameList(a.bounds, b.bounds) : a.zeroThreshold === b.zeroThreshold && same(a.zeroCount, b.zeroCount)) &&
    sameBuckets(bucketsOf(a.positiveSpans, a.positive), bucketsOf(b.positiveSpans, b.positive)) &&
    sameBuckets(bucketsOf(a.negativeSpans, a.negative), bucketsOf(b.negativeSpans, b.negative))
  );
}

const same = (a: number, b: number): boolean => a === b || (a !== a && b !== b);
const sameList = (a: readonly number[], b: readonly number[]): boolean => a.length === b.length && a.every((value, at) => value === b[at]);
const sameBuckets = (a: Buckets, b: Buckets): boolean =>
  merged(a, b, (left, right) => (same(left, right) ? 0 : 1)).counts.every((differs) => differs === 0);

/**
 * Whether a counter was reset between two histograms (Prometheus specs, native_histograms.md, "Counter reset considerations"). With `trustHint`, the hint
 * of the second one decides, if it has one.
 */
export function detectReset(before: Histogram, after: Histogram, trustHint = true): boolean {
  if (trustHint && after.resetHint === "reset") return true;
  if (trustHint && after.resetHint === "none") return false;
  if (after.count < before.count) return true;
  if (isCustom(before) !== isCustom(after)) return true;
  if (isCustom(before)) {
    const both = reconciled(before, after);
    return both === undefined || drops(both.a.positive, both.b.positive);
  }
  const old = partsOf(before);
  const now = partsOf(after);
  if (now.schema > old.schema || now.zeroThreshold < old.zeroThreshold) return true;
  if (beyondCut(old, now.zeroThreshold) !== now.zeroThreshold) return true;
  const then = atSchema(withZero(old, now.zeroThreshold), now.schema);
  return now.zeroCount < then.zeroCount || drops(then.positive, now.positive) || drops(then.negative, now.negative);
}

const drops = (before: Buckets, after: Buckets): boolean =>
  merged(before, after, (left, right) => (right < left ? 1 : 0)).counts.some((dropped) => dropped === 1);
