import { CUSTOM_BOUNDS, type Histogram, type Span } from "../model/index.ts";
import type { ExponentialBuckets, ExponentialPoint, HistogramPoint } from "./message.ts";

/** Histograms of OpenTelemetry as native ones (Prometheus specs, native_histograms.md, "OpenTelemetry interoperability"). */

const FINEST = 8;
const COARSEST = -4;
/** The width of the zero bucket, if the sender does not tell it. */
const ZERO_THRESHOLD = 1e-128;
/** Empty buckets between two others that cost less than a span. */
const LONGEST_GAP = 2;

/** A native histogram, coarser if its scale is beyond the finest schema; or why there is none. */
export function exponential(point: ExponentialPoint): Histogram | string {
  const { scale, zeroThreshold, zeroCount, count, sum = 0 } = point;
  if (scale < COARSEST) return `its scale ${scale} is below ${COARSEST}`;
  const halvings = Math.max(0, scale - FINEST);
  const [positive, negative] = [side(point.positive, halvings), side(point.negative, halvings)];
  return {
    schema: Math.min(scale, FINEST),
    zeroThreshold: zeroThreshold > 0 ? zeroThreshold : ZERO_THRESHOLD,
    zeroCount,
    count,
    sum,
    positiveSpans: positive.spans,
    negativeSpans: negative.spans,
    positive: positive.counts,
    negative: negative.counts,
    bounds: [],
    resetHint: "unknown",
    isInteger: true,
  };
}

/** Our bucket `i` ends where theirs does that is called `i - 1`; each halving of the scale joins two neighbours. */
function side({ offset, counts }: ExponentialBuckets, halvings: number): Laid {
  const joined = new Map<number, number>();
  for (const [at, count] of counts.entries()) {
    const index = Math.floor((offset + at) / 2 ** halvings) + 1;
    joined.set(index, (joined.get(index) ?? 0) + count);
  }
  return laid([...joined]);
}

/** A native histogram with the bounds of a classic one; or why there is none. */
export function customBuckets({ bounds, counts, count, sum = 0 }: HistogramPoint): Histogram | string {
  if (bounds.some((bound, at) => at > 0 && bound <= bounds[at - 1]!)) return "its bounds are not ascending";
  // Without buckets there is one for everything.
  const { spans, counts: positive } = laid([...(counts.length === 0 ? [count] : counts).entries()]);
  return {
    schema: CUSTOM_BOUNDS,
    zeroThreshold: 0,
    zeroCount: 0,
    count,
    sum,
    positiveSpans: spans,
    negativeSpans: [],
    positive,
    negative: [],
    bounds: bounds.filter((bound) => bound !== Infinity),
    resetHint: "unknown",
    isInteger: true,
  };
}

type Laid = { readonly spans: readonly Span[]; readonly counts: readonly number[] };
/** Buckets by ascending index as spans, without empty ones but for short gaps. */
function laid(buckets: readonly (readonly [index: number, count: number])[]): Laid {
  const spans: { offset: number; length: number }[] = [];
  const counts: number[] = [];
  let end = 0;
  for (const [index, count] of buckets) {
    if (count === 0) continue;
    const last = spans.at(-1);
    const gap = index - end;
    if (last !== undefined && gap <= LONGEST_GAP) {
      for (let left = gap; left > 0; left--) counts.push(0);
      last.length += gap + 1;
    } else spans.push({ offset: gap, length: 1 });
    counts.push(count);
    end = index + 1;
  }
  return { spans, counts };
}
