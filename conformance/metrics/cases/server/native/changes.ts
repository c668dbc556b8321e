import { added, bound, type Buckets, coarser, type Histogram, over, reconciled, times, wider } from "./histogram.ts";

/** Functions over time of histograms (Prometheus specs, native_histograms.md, "Counter reset considerations" and "Functions"). */

/** A time in seconds after the start of the data set, and the histogram at that time. */
export type Timed = readonly [time: number, histogram: Histogram];

/** "Counter reset considerations": whether there is a counter reset between two histograms. */
export function isReset(before: Histogram, after: Histogram): boolean {
  if (before.bounds !== undefined || after.bounds !== undefined) {
    const [a, b] = reconciled([before, after]) ?? [];
    return a === undefined || b === undefined || hasFallen(a, b);
  }
  if (after.schema > before.schema || after.width < before.width) return true;
  return isCut(before, after.width) || hasFallen(wider(coarser(before, after.schema), after.width), after);
}

/** Whether the bound of the new zero bucket cuts a populated bucket. */
const isCut = ({ schema, positive, negative }: Histogram, width: number): boolean =>
  [...positive, ...negative].some(([index, count]) => count !== 0 && bound(index - 1, schema) < width && width < bound(index, schema));

function hasFallen(before: Histogram, after: Histogram): boolean {
  const fewer = (a: Buckets, b: Buckets): boolean => [...a].some(([index, count]) => (b.get(index) ?? 0) < count);
  return (
    after.count < before.count ||
    after.zero < before.zero ||
    fewer(before.positive, after.positive) ||
    fewer(before.negative, after.negative)
  );
}

/** The number of counter resets. */
export const resets = (samples: readonly Timed[]): number => pairs(samples).filter(([[, a], [, b]]) => isReset(a, b)).length;

const pairs = (samples: readonly Timed[]): (readonly [Timed, Timed])[] =>
  samples.slice(1).map((sample, at) => [samples[at]!, sample] as const);

/** A sample is far from the end of a range if its distance is at least this many mean distances. */
const FAR = 1.1;

/** `increase` of a counter, `delta` of a gauge: the difference between the first and the last sample, extrapolated to the ends of the range. */
export function increase(samples: readonly Timed[], from: number, to: number, kind: "counter" | "gauge"): Histogram | undefined {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined || samples.length < 2) return undefined;
  // The weight of each sample: 1 for the last, -1 for the first, plus 1 for each sample just before a counter reset.
  const signs = samples.map((_, at) => (at === samples.length - 1 ? 1 : 0) - (at === 0 ? 1 : 0));
  if (kind === "counter") for (const [at, [[, a], [, b]]] of pairs(samples).entries()) signs[at]! += isReset(a, b) ? 1 : 0;
  const begin = signs[0] === 0 ? 1 : 0;
  const histograms = samples.map(([, one]) => one);
  const difference = added(histograms.slice(begin), signs.slice(begin));
  if (difference === undefined) return undefined;
  const length = last[0] - first[0];
  const mean = length / (samples.length - 1);
  const ahead = first[0] - from;
  const behind = to - last[0];
  let start = ahead < mean * FAR ? ahead : mean / 2;
  const end = behind < mean * FAR ? behind : mean / 2;
  // A counter is never below zero: do not extrapolate past the point where its count would be zero.
  if (kind === "counter" && difference.count > 0) start = Math.min(start, (length * first[1].count) / difference.count);
  return times(difference, (length + start + end) / length);
}

export const rate = (samples: readonly Timed[], from: number, to: number): Histogram | undefined => {
  const whole = increase(samples, from, to, "counter");
  return whole === undefined ? undefined : over(whole, to - from);
};

/** `irate` of a counter, `idelta` of a gauge: from the last two samples. */
export function instant(samples: readonly Timed[], kind: "counter" | "gauge"): Histogram | undefined {
  const [before, last] = samples.slice(-2);
  if (before === undefined || last === undefined) return undefined;
  if (kind === "gauge") return added([last[1], before[1]], [1, -1]);
  const difference = isReset(before[1], last[1]) ? last[1] : added([last[1], before[1]], [1, -1]);
  return difference === undefined ? undefined : over(difference, last[0] - before[0]);
}
