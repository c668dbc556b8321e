import { fraction, quantile, variance } from "../estimate.ts";
import { type Gives, grouped, histograms, isHistogram, ofEach, paired, selected, sumOfTwo } from "../expected.ts";
import { added, type Histogram, times } from "../histogram.ts";
import type { NativeGroup, NativeQuestion } from "../question.ts";

const custom = histograms("native_custom");
const of = (name: string, ...pods: readonly string[]): Gives<Histogram> => histograms(name, { pod: pods });
const quantiles = (name: string, shares: Readonly<Record<string, number>>): Record<string, NativeQuestion> =>
  Object.fromEntries(
    Object.entries(shares).map(([words, share]) => [
      words,
      { expr: `histogram_quantile(${share}, ${name})`, gives: ofEach(selected(name), (one) => quantile(share, one)) },
    ]),
  );
const between = (name: string, lower: number, upper: number): NativeQuestion => ({
  expr: `histogram_fraction(${lower}, ${upper}, ${name})`,
  gives: ofEach(selected(name), (one) => fraction(lower, upper, one)),
});
const total = (gives: Gives): Gives => grouped(gives, [], (all) => added(all.filter(isHistogram)));

/** Histograms with custom bounds (schema -53). */
export const customs: readonly NativeGroup[] = [
  {
    rule: "prometheus-api#native-histograms/format",
    needs: ["custom buckets"],
    ask: {
      custom: { expr: "native_custom", gives: custom },
      "custom-from-zero": { expr: "native_bounded", gives: selected("native_bounded") },
    },
  },
  {
    rule: "functions.histogram-count-and-histogram-sum/value",
    needs: ["custom buckets"],
    ask: {
      "custom-counted": { expr: "histogram_count(native_custom)", gives: ofEach(custom, ({ count }) => count) },
      "custom-summed": { expr: "histogram_sum(native_custom)", gives: ofEach(custom, ({ sum }) => sum) },
    },
  },
  {
    rule: "functions.histogram-quantile/custom",
    needs: ["custom buckets"],
    ask: {
      ...quantiles("native_custom", {
        "custom-least": 0,
        "custom-in-the-lowest-bucket": 0.1,
        "custom-median": 0.5,
        "custom-three-quarters": 0.75,
        "custom-in-the-highest-bucket": 0.95,
      }),
      ...quantiles("native_bounded", { "custom-bounded-low": 0.15, "custom-bounded-high": 0.85, "custom-bounded-most": 1 }),
    },
  },
  {
    rule: "functions.histogram-fraction/custom",
    needs: ["custom buckets"],
    ask: {
      "custom-fraction": between("native_bounded", 1, 4),
      "custom-fraction-within-a-bucket": between("native_bounded", 1.5, 3),
      "custom-fraction-in-the-lowest-bucket": between("native_lonely", 0.125, 2.5),
    },
  },
  {
    rule: "functions.histogram-stddev-and-histogram-stdvar/custom",
    needs: ["custom buckets", "histogram deviations"],
    ask: {
      "custom-deviation": {
        expr: "histogram_stddev(native_bounded)",
        gives: ofEach(selected("native_bounded"), (one) => Math.sqrt(variance(one))),
      },
    },
  },
  {
    rule: "basics.reconciliation-of-histogram-bucket-layouts/custom",
    needs: ["custom buckets"],
    ask: {
      "custom-times-a-number": { expr: "native_custom * 3", gives: ofEach(custom, (one) => times(one, 3)) },
      "custom-minus": { expr: "-native_custom", gives: ofEach(custom, (one) => times(one, -1)) },
      "custom-plus-itself": { expr: "native_custom + native_custom", gives: ofEach(custom, (one) => times(one, 2)) },
      "custom-plus-shared-bounds": {
        expr: "native_custom + on (pod) native_lonely",
        gives: paired(custom, histograms("native_lonely"), "pod", (a, b) => added([a, b])),
      },
      "custom-minus-shared-bounds": {
        expr: 'native_custom{pod="a"} - on () native_custom{pod="b"}',
        gives: sumOfTwo(of("native_custom", "a"), of("native_custom", "b"), -1),
      },
      "custom-sum-of-shared-bounds": { expr: 'sum(native_custom{pod=~"a|b"})', gives: total(of("native_custom", "a", "b")) },
      "custom-sum-of-no-shared-bounds": { expr: "sum(native_lonely)", gives: total(selected("native_lonely")) },
      "custom-equal": { expr: "native_custom == native_custom", gives: custom },
      "custom-plus-a-schema": { expr: "native_custom + on (pod) native_seconds", gives: () => [] },
      "custom-sum-with-a-schema": { expr: 'sum({__name__=~"native_custom|native_seconds"})', gives: () => [] },
    },
  },
];
