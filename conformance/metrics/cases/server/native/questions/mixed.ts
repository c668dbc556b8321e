import { increase, instant, rate, type Timed } from "../changes.ts";
import { type Gives, isHistogram, nameless, type Row, type Value, within } from "../expected.ts";
import { added, type Histogram } from "../histogram.ts";
import type { NativeGroup } from "../question.ts";

type Samples = readonly (readonly [number, Value])[];

/** A value computed from the samples of each series within five minutes. */
const inFiveMinutes =
  (change: (samples: Samples, from: number, to: number) => Value | undefined, name = "native_mixed"): Gives =>
  (time) =>
    within(name, 300, time).flatMap(({ labels, samples }): Row[] => {
      const made = change(samples, time - 300, time);
      return made === undefined ? [] : [[nameless(labels), made]];
    });

/** A float as a histogram with only a count, so that the same functions apply. */
const bare = (count: number): Histogram => ({ schema: 0, width: 0, zero: 0, positive: new Map(), negative: new Map(), count, sum: 0 });
const unmixed =
  (change: (samples: readonly Timed[], from: number, to: number) => Histogram | undefined) =>
  (samples: Samples, from: number, to: number): Value | undefined => {
    const histograms = samples.filter((one): one is readonly [number, Histogram] => isHistogram(one[1]));
    if (histograms.length === samples.length) return change(histograms, from, to);
    const floats = samples.flatMap(([time, value]): Timed[] => (isHistogram(value) ? [] : [[time, bare(value)]]));
    return histograms.length > 0 ? undefined : change(floats, from, to)?.count;
  };
/** From the last two samples only. */
const lastTwo = (change: ReturnType<typeof unmixed>) => (samples: Samples, from: number, to: number) => change(samples.slice(-2), from, to);
const floats = (samples: Samples): number[] => samples.flatMap(([, value]) => (isHistogram(value) ? [] : [value]));
/** A change from one kind to the other is a reset. */
const turns = (samples: Samples): number =>
  samples.slice(1).filter(([, one], at) => isHistogram(one) !== isHistogram(samples[at]![1])).length;
const ofFloats =
  (change: (values: readonly number[]) => number) =>
  (samples: Samples): number | undefined => {
    const own = floats(samples);
    return own.length === 0 ? undefined : change(own);
  };

/** Series that have floats and histograms. */
export const mixtures: readonly NativeGroup[] = [
  {
    rule: "native-histograms.mixed-series/functions",
    needs: ["histogram operations", "mixed series"],
    ask: {
      "mixed-rate": { expr: "rate(native_mixed[5m])", gives: inFiveMinutes(unmixed(rate)) },
      "mixed-increase": {
        expr: "increase(native_mixed[5m])",
        gives: inFiveMinutes(unmixed((samples, from, to) => increase(samples, from, to, "counter"))),
      },
      "mixed-irate": { expr: "irate(native_mixed[5m])", gives: inFiveMinutes(lastTwo(unmixed((samples) => instant(samples, "counter")))) },
      "mixed-sum": {
        expr: "sum_over_time(native_mixed[5m])",
        gives: inFiveMinutes(unmixed((samples) => added(samples.map(([, one]) => one)))),
      },
      "mixed-count": { expr: "count_over_time(native_mixed[5m])", gives: inFiveMinutes((samples) => samples.length) },
      "mixed-last": {
        expr: "last_over_time(native_mixed[5m])",
        gives: (time) =>
          within("native_mixed", 300, time).flatMap(({ labels, samples }) => samples.slice(-1).map(([, last]) => [labels, last] as const)),
      },
      "mixed-least": { expr: "min_over_time(native_mixed[5m])", gives: inFiveMinutes(ofFloats((own) => Math.min(...own))) },
      "mixed-median": { expr: "quantile_over_time(1, native_mixed[5m])", gives: inFiveMinutes(ofFloats((own) => Math.max(...own))) },
      "mixed-changes": { expr: "changes(native_mixed[5m])", gives: inFiveMinutes((samples) => samples.length - 1) },
      "mixed-resets": { expr: "resets(native_mixed[5m])", gives: inFiveMinutes(turns) },
    },
  },
];
