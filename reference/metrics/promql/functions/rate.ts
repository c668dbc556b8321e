import { addHistograms, type Combined, detectReset, type Histogram, scaleHistogram, subtractHistograms } from "../../model/index.ts";
import { ABSENT, FLOAT, HISTOGRAM, type Kind } from "../evaluate/value.ts";
import type { Extrapolation, Window } from "../evaluate/window.ts";
import { MIXED_SCHEMAS, mixed, named } from "./notes.ts";

/** If the distance to the end of the window is at most this many average distances between samples, the series is assumed to reach that end. */
const NEAR = 1.1;

/**
 * `rate`, `increase` and `delta` (Prometheus docs, querying/functions.md): the difference between the last and the first sample, with the resets of a counter corrected,
 * extrapolated to the ends of the window.
 */
export function extrapolated(window: Window, how: Extrapolation): Kind {
  const { size, values, lo, hi } = window;
  if (size < 2) return gap(window);
  if (window.histograms !== undefined) {
    const histograms = histogramsIn(window);
    if (histograms > 0 && histograms < size) return mixed(window);
    if (histograms > 0) return extrapolatedHistogram(window, how);
  }
  const first = values[lo] ?? 0;
  let result = (values[hi - 1] ?? 0) - first;
  if (how.isCounter && window.hasReset()) {
    if (window.areGapsNaN) return gap(window);
    for (let row = lo + 1; row < hi; row++) {
      const before = values[row - 1] ?? 0;
      if ((values[row] ?? 0) < before) result += before;
    }
  }
  window.value = result * factorOf(window, how, first, result);
  return FLOAT;
}

/** Too few samples for a rate: no element, or NaN if the query asks for that. */
function gap(window: Window): Kind {
  window.value = Number.NaN;
  return window.areGapsNaN ? FLOAT : ABSENT;
}

/**
 * The factor by which the difference between the first and last sample is extended to the ends of the window (Prometheus docs,
 * querying/functions.md, "rate()"). An end that is at most 1.1 average distances away is reached; beyond that, half a distance is added. A counter is
 * not extended past the point where it would have been zero. `first` is its value at the first sample, `result` the difference.
 */
export function factorOf({ times, lo, hi, toMs, rangeMs }: Window, how: Extrapolation, first: number, result: number): number {
  const [firstMs, lastMs] = [times[lo] ?? 0, times[hi - 1] ?? 0];
  const sampled = (lastMs - firstMs) / 1_000;
  const distance = sampled / (hi - lo - 1);
  let before = (firstMs - (toMs - rangeMs)) / 1_000;
  let after = (toMs - lastMs) / 1_000;
  if (before >= distance * NEAR) before = distance / 2;
  if (after >= distance * NEAR) after = distance / 2;
  if (how.isCounter && result > 0 && first >= 0) before = Math.min(before, sampled * (first / result));
  const factor = (sampled + before + after) / sampled;
  return how.isRate ? factor / (rangeMs / 1_000) : factor;
}

/** The number of histograms in the window; the other samples are floats. */
export function histogramsIn({ histograms, lo, hi }: Window): number {
  let found = 0;
  for (let row = lo; row < hi; row++) if (histograms?.[row] !== undefined) found += 1;
  return found;
}

/** The same for histograms: the count of observations limits the extrapolation (Prometheus specs, native_histograms.md, "Functions"). */
function extrapolatedHistogram(window: Window, how: Extrapolation): Kind {
  const found = differenceIn(window, how.isCounter);
  if (found === undefined) return ABSENT;
  const first = window.histograms?.[window.lo]?.count ?? 0;
  const factor = factorOf(window, how, first, found.count);
  window.histogram = { ...scaleHistogram(found, factor), resetHint: "gauge" };
  return HISTOGRAM;
}

/** The last histogram minus the first, with counter resets corrected. */
function differenceIn(window: Window, isCounter: boolean): Histogram | undefined {
  const { lo, hi } = window;
  const at = (row: number): Histogram | undefined => window.histograms?.[row];
  const [first, second, last] = [at(lo), at(lo + 1), at(hi - 1)];
  if (first === undefined || second === undefined || last === undefined) return undefined;
  remarkFlavour(window, isCounter);
  // After a reset the first sample is irrelevant, and so is its bucket layout.
  const isFirstOut = isCounter && detectReset(first, second);
  let result = isFirstOut ? last : noted(window, subtractHistograms(last, first));
  if (!isCounter) return result;
  for (let row = lo + 2; row < hi; row++) {
    const [before, after] = [at(row - 1), at(row)];
    if (result === undefined || before === undefined || after === undefined) return result;
    if (detectReset(before, after)) result = noted(window, addHistograms(result, before));
  }
  return result;
}

/** The result of histogram arithmetic; adds the annotations that it calls for. */
function noted(window: Window, combined: Combined | undefined): Histogram | undefined {
  if (combined === undefined) {
    window.warn(named(window, MIXED_SCHEMAS));
  } else if (combined.areBoundsMerged) {
    window.info("mismatched custom buckets were reconciled during subtraction");
  }
  return combined?.histogram;
}

function remarkFlavour(window: Window, isCounter: boolean): void {
  for (let row = window.lo; row < window.hi; row++) {
    const isGauge = window.histograms?.[row]?.resetHint === "gauge";
    if (isGauge !== isCounter) continue;
    window.warn(
      named(window, isCounter ? "this native histogram metric is not a counter:" : "this native histogram metric is not a gauge:", true),
    );
    return;
  }
}

/** `irate` and `idelta`: only the last two samples (Prometheus docs, querying/functions.md). */
export function instantaneous(window: Window, isCounter: boolean): Kind {
  const { values, times, hi, size } = window;
  if (size < 2) return isCounter ? gap(window) : ABSENT;
  const distance = ((times[hi - 1] ?? 0) - (times[hi - 2] ?? 0)) / 1_000;
  const [before, after] = [window.histograms?.[hi - 2], window.histograms?.[hi - 1]];
  if ((before === undefined) !== (after === undefined)) return mixed(window);
  if (before === undefined || after === undefined) {
    const last = values[hi - 1] ?? 0;
    const isReset = isCounter && last < (values[hi - 2] ?? 0);
    if (isReset && window.areGapsNaN) return gap(window);
    const difference = isReset ? last : last - (values[hi - 2] ?? 0);
    window.value = isCounter ? difference / distance : difference;
    return FLOAT;
  }
  const { lo } = window;
  window.lo = hi - 2;
  remarkFlavour(window, isCounter);
  window.lo = lo;
  const isReset = isCounter && detectReset(before, after);
  const difference = isReset ? after : noted(window, subtractHistograms(after, before));
  if (difference === undefined) return ABSENT;
  window.histogram = { ...(isCounter ? scaleHistogram(difference, 1 / distance) : difference), resetHint: "gauge" };
  return HISTOGRAM;
}
