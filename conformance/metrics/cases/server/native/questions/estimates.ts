import { fraction, quantile, trimmedCount, variance } from "../estimate.ts";
import { type Gives, histograms, ofEach, selected } from "../expected.ts";
import type { Histogram } from "../histogram.ts";
import type { NativeGroup, NativeQuestion } from "../question.ts";

const every = (change: (histogram: Histogram) => number): Gives => ofEach(selected("native_seconds"), change);
const quantileOf = (name: string, share: string): NativeQuestion => ({
  expr: `histogram_quantile(${share}, ${name})`,
  gives: ofEach(selected(name), (one) => quantile(Number(share), one)),
});
const quantiles = (name: string, shares: Readonly<Record<string, string>>): Record<string, NativeQuestion> =>
  Object.fromEntries(Object.entries(shares).map(([words, share]) => [words, quantileOf(name, share)]));
const between = (name: string, lower: string, upper: string): NativeQuestion => ({
  expr: `histogram_fraction(${lower}, ${upper}, ${name})`,
  gives: ofEach(selected(name), (one) => fraction(number(lower), number(upper), one)),
});
const number = (text: string): number => Number(text.replace("Inf", "Infinity"));
const trimmed = (op: "</" | ">/", value: number): NativeQuestion => ({
  expr: `histogram_count(native_seconds ${op} ${value})`,
  gives: ofEach(selected("native_seconds"), (one) => trimmedCount(op === "</" ? "below" : "above", value, one)),
});

/** Estimates of the observations in histograms. */
export const estimates: readonly NativeGroup[] = [
  {
    rule: "functions.histogram-count-and-histogram-sum/value",
    ask: {
      "observations-counted": { expr: "histogram_count(native_seconds)", gives: every(({ count }) => count) },
      "observations-summed": { expr: "histogram_sum(native_seconds)", gives: every(({ sum }) => sum) },
      "count-of-nothing": { expr: "histogram_count(native_empty)", gives: ofEach(selected("native_empty"), () => 0) },
      "sum-of-gauges": { expr: "histogram_sum(native_bytes)", gives: ofEach(selected("native_bytes"), ({ sum }) => sum) },
      "count-of-floats": { expr: "histogram_count(native_floats)", gives: () => [] },
    },
  },
  {
    rule: "functions.histogram-avg/value",
    needs: ["histogram averages"],
    ask: {
      "observations-averaged": { expr: "histogram_avg(native_seconds)", gives: every(({ sum, count }) => sum / count) },
      "observations-averaged-of-nothing": {
        expr: "histogram_avg(native_empty)",
        gives: ofEach(selected("native_empty"), () => Number.NaN),
      },
    },
  },
  {
    rule: "functions.histogram-stddev-and-histogram-stdvar/value",
    needs: ["histogram deviations"],
    ask: {
      deviation: { expr: 'histogram_stddev(native_seconds{pod!="e"})', gives: ofEach(notE(), (one) => Math.sqrt(variance(one))) },
      variance: { expr: 'histogram_stdvar(native_seconds{pod!="e"})', gives: ofEach(notE(), variance) },
      "variance-below-zero": { expr: "histogram_stdvar(native_bytes)", gives: ofEach(selected("native_bytes"), variance) },
    },
  },
  {
    rule: "functions.histogram-quantile/native",
    ask: {
      ...quantiles("native_seconds", {
        "quantile-least": "0",
        "quantile-low": "0.1",
        "quantile-quarter": "0.25",
        "quantile-median": "0.5",
        "quantile-high": "0.9",
        "quantile-most": "1",
        "quantile-below-zero": "-0.1",
        "quantile-above-one": "1.1",
        "quantile-of-nan": "NaN",
      }),
      ...quantiles("native_bytes", {
        "quantile-in-the-zero-bucket": "0.1",
        "quantile-below-the-zero-bucket": "0.3",
        "quantile-of-gauges": "0.85",
      }),
      ...quantiles("native_only_zero", { "quantile-of-a-zero-bucket-alone": "0.75" }),
      ...quantiles("native_empty", { "quantile-of-nothing": "0.5" }),
      ...quantiles("native_fine", { "quantile-of-several-schemas": "0.35" }),
    },
  },
  {
    rule: "functions.histogram-quantiles/native",
    needs: ["histogram quantiles"],
    ask: {
      "quantiles-two": {
        expr: 'histogram_quantiles(native_seconds{pod="a"}, "q", 0.25, 0.9)',
        gives: (time) =>
          [0.25, 0.9].flatMap((share) =>
            histograms("native_seconds", { pod: ["a"] })(time).map(
              ([, one]) => [{ pod: "a", q: String(share) }, quantile(share, one)] as const,
            ),
          ),
      },
    },
  },
  {
    rule: "functions.histogram-fraction/native",
    ask: {
      "fraction-between-bounds": between("native_seconds", "1", "8"),
      "fraction-within-a-bucket": between("native_seconds", "1.25", "1.75"),
      "fraction-of-everything": between("native_seconds", "-Inf", "+Inf"),
      "fraction-below": between("native_seconds", "-Inf", "1.5"),
      "fraction-above": between("native_seconds", "1.2", "+Inf"),
      "fraction-below-zero": between("native_bytes", "-1.1", "-0.5"),
      "fraction-in-the-zero-bucket": between("native_only_zero", "-0.25", "0.125"),
      "fraction-of-nothing-between": between("native_seconds", "2", "2"),
      "fraction-the-wrong-way-round": between("native_seconds", "2", "1"),
      "fraction-without-observations": between("native_empty", "0", "1"),
    },
  },
  {
    rule: "operators.histogram-trim-operators/count",
    needs: ["histogram trimming"],
    ask: {
      "trimmed-above-a-bound": trimmed("</", 2),
      "trimmed-below-a-bound": trimmed(">/", 2),
      "trimmed-above-within-a-bucket": trimmed("</", 1.5),
      "trimmed-below-within-a-bucket": trimmed(">/", 1.5),
      "trimmed-below-zero": trimmed(">/", -1.2),
    },
  },
  {
    rule: "native-histograms.functions/nan",
    needs: ["histogram operations", "observations of nan"],
    ask: {
      "fraction-of-observations-of-nan": between("native_nan", "-Inf", "+Inf"),
      "quantile-skewed-by-nan": { ...quantileOf("native_nan", "0.5"), notes: "infos" },
      "quantile-that-is-nan": { ...quantileOf("native_nan", "0.9"), notes: "infos" },
    },
  },
];

/** An empty counter has no deviation. */
function notE(): Gives {
  return selected("native_seconds", { pod: ["a", "b", "c", "d"] });
}
