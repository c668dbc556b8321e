import type { Group } from "../question.ts";

const KINDS = ["plain", "no_inf", "only_inf", "empty", "negative", "backwards", "words", "spelled", "gap"] as const;
const QUANTILES: Readonly<Record<string, string>> = { low: "0.1", median: "0.5", high: "0.95", least: "0", most: "1" };

/** Classic histograms. */
export const histograms: readonly Group[] = [
  {
    rule: "functions.histogram-quantile/classic",
    both: true,
    ask: {
      "histogram-quantile-of-rates": "histogram_quantile(0.9, rate(request_duration_seconds_bucket[10m]))",
      "histogram-quantile-of-sums": "histogram_quantile(0.9, sum by (le) (rate(request_duration_seconds_bucket[10m])))",
      "histogram-quantile-by-job": "histogram_quantile(0.5, sum by (job, le) (rate(request_duration_seconds_bucket[10m])))",
      "histogram-quantile-of-counts": "histogram_quantile(0.99, request_duration_seconds_bucket)",
      "histogram-quantile-of-increase": 'histogram_quantile(0.25, increase(request_duration_seconds_bucket{instance="a:80"}[5m]))',
      "histogram-quantile-below-zero": 'histogram_quantile(-0.5, odd_bucket{kind="plain"})',
      "histogram-quantile-above-one": 'histogram_quantile(1.5, odd_bucket{kind="plain"})',
      "histogram-quantile-of-nan": 'histogram_quantile(NaN, odd_bucket{kind="plain"})',
      "histogram-quantile-of-an-expression": 'histogram_quantile(scalar(vector(0.3)), odd_bucket{kind="plain"})',
      "histogram-quantile-without-le": "histogram_quantile(0.5, requests)",
      "histogram-quantile-of-nothing": "histogram_quantile(0.5, no_such_metric)",
      "histogram-quantile-without-a-middle-bucket": 'histogram_quantile(0.5, odd_bucket{kind="plain",le!="0.2"})',
      "histogram-quantile-le-lost": "histogram_quantile(0.5, sum(odd_bucket))",
    },
  },
  ...KINDS.map((kind): Group => ({
    rule: "functions.histogram-quantile/special",
    both: true,
    ask: Object.fromEntries(
      Object.entries(QUANTILES).map(([words, quantile]) => [
        `histogram-quantile-${words}-of-${kind.replaceAll("_", "-")}`,
        `histogram_quantile(${quantile}, odd_bucket{kind="${kind}"})`,
      ]),
    ),
  })),
  {
    rule: "functions.histogram-quantile/classic",
    both: true,
    ask: {
      "histogram-mean": "rate(request_duration_seconds_sum[10m]) / rate(request_duration_seconds_count[10m])",
      "histogram-apdex":
        '(sum by (job) (rate(request_duration_seconds_bucket{le="0.25"}[10m])) + sum by (job) (rate(request_duration_seconds_bucket{le="1"}[10m]))) / 2 / sum by (job) (rate(request_duration_seconds_count[10m]))',
      "summary-as-it-is": "rpc_seconds",
    },
  },
  {
    rule: "functions.histogram-fraction/classic",
    needs: ["histogram fraction of classic"],
    both: true,
    ask: {
      "histogram-fraction-of-buckets": 'histogram_fraction(0, 0.2, odd_bucket{kind="plain"})',
      "histogram-fraction-interpolated": 'histogram_fraction(0.05, 0.3, odd_bucket{kind="plain"})',
      "histogram-fraction-of-everything": 'histogram_fraction(-Inf, Inf, odd_bucket{kind="plain"})',
      "histogram-fraction-of-rates": "histogram_fraction(0, 0.25, sum by (le) (rate(request_duration_seconds_bucket[10m])))",
      "histogram-fraction-of-nothing-between": 'histogram_fraction(0.3, 0.3, odd_bucket{kind="plain"})',
    },
  },
  {
    rule: "functions.histogram-quantiles/classic",
    needs: ["histogram quantiles"],
    both: true,
    ask: {
      "histogram-quantiles-two": 'histogram_quantiles(odd_bucket{kind="plain"}, "q", 0.5, 0.9)',
      "histogram-quantiles-of-sums": 'histogram_quantiles(sum by (le) (rate(request_duration_seconds_bucket[10m])), "quantile", 0.1, 0.99)',
    },
  },
];
