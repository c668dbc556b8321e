import type { Group } from "../question.ts";

const FUNCTIONS = ["avg", "min", "max", "sum", "count", "stddev", "stdvar", "last", "present"] as const;
const SERIES: Readonly<Record<string, string>> = {
  waves: 'wave{kind=~"slow|fast|steps"}[10m]',
  nan: 'wave{kind="nan"}[10m]',
  "large-values": 'wave{kind="large"}[10m]',
  "irregular-samples": "irregular[5m]",
  "special-values": "special[3m]",
  "one-sample": 'gappy{kind="once"}[1h]',
  nothing: "no_such_metric[5m]",
};
const of = (name: (typeof FUNCTIONS)[number]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(SERIES).map(([words, selector]) => [`${name}-over-time-of-${words}`, `${name}_over_time(${selector})`]),
  );

/** Aggregation over time, and subqueries. */
export const overTime: readonly Group[] = [
  ...FUNCTIONS.map((name): Group => ({ rule: `functions.aggregation-over-time/${name}`, both: true, ask: of(name) })),
  {
    rule: "functions.aggregation-over-time/quantile",
    both: true,
    ask: {
      "quantile-over-time-median": 'quantile_over_time(0.5, wave{kind=~"slow|fast"}[10m])',
      "quantile-over-time-interpolated": "quantile_over_time(0.9, temperature_celsius[30m])",
      "quantile-over-time-below-zero": 'quantile_over_time(-1, ramp{slope="up"}[10m])',
      "quantile-over-time-above-one": 'quantile_over_time(2, ramp{slope="up"}[10m])',
      "quantile-over-time-of-nan": 'quantile_over_time(NaN, ramp{slope="up"}[10m])',
      "quantile-over-time-with-nan": 'quantile_over_time(0.2, wave{kind="nan"}[10m])',
      "quantile-over-time-of-one": 'quantile_over_time(0.5, gappy{kind="once"}[1h])',
      "quantile-over-time-least": 'quantile_over_time(0, wave{kind="fast"}[20m])',
    },
  },
  {
    rule: "functions.aggregation-over-time/first",
    needs: ["first over time"],
    both: true,
    ask: {
      "first-over-time-of-waves": 'first_over_time(wave{kind=~"slow|fast"}[10m])',
      "first-over-time-irregular": "first_over_time(irregular[5m])",
      "first-over-time-of-one": 'first_over_time(gappy{kind="once"}[1h])',
    },
  },
  {
    rule: "functions.aggregation-over-time/experimental",
    needs: ["experimental functions"],
    both: true,
    ask: {
      "mad-over-time": 'mad_over_time(wave{kind=~"slow|fast"}[10m])',
      "ts-of-min-over-time": 'ts_of_min_over_time(wave{kind="slow"}[30m])',
      "ts-of-max-over-time": 'ts_of_max_over_time(wave{kind="fast"}[30m])',
      "ts-of-last-over-time": "ts_of_last_over_time(irregular[5m])",
    },
  },
  {
    rule: "functions.double-exponential-smoothing/value",
    needs: ["experimental functions"],
    both: true,
    ask: {
      "smoothing-of-a-wave": 'double_exponential_smoothing(wave{kind="slow"}[20m], 0.5, 0.3)',
      "smoothing-of-a-ramp": 'double_exponential_smoothing(ramp{slope="up"}[20m], 0.1, 0.9)',
      "smoothing-of-one": 'double_exponential_smoothing(gappy{kind="once"}[1h], 0.5, 0.5)',
    },
  },
  {
    rule: "functions.absent-over-time/value",
    both: true,
    ask: {
      "absent-over-time-of-nothing": 'absent_over_time(no_such_metric{job="x"}[5m])',
      "absent-over-time-of-something": "absent_over_time(up[5m])",
      "absent-over-time-of-a-pattern": 'absent_over_time(no_such_metric{job="x",instance=~".*"}[1h])',
      "absent-over-time-of-a-subquery": 'absent_over_time(sum(no_such_metric{job="x"})[1h:])',
      "absent-over-time-of-one-that-ended": { expr: 'absent_over_time(gappy{kind="early"}[5m])', range: [1_811, 2_411, 60] },
      "absent-over-time-same-label-twice": 'absent_over_time(no_such_metric{job="x",job="y",instance="z"}[5m])',
    },
  },
  {
    rule: "functions.aggregation-over-time/sum",
    both: true,
    ask: {
      "over-time-with-an-offset": 'sum_over_time(wave{kind="fast"}[10m] offset 20m)',
      "over-time-at-a-time": 'sum_over_time(wave{kind="fast"}[10m] @ 1748740000)',
      "over-time-then-aggregated": "sum by (floor) (max_over_time(temperature_celsius[15m]))",
      "over-time-with-a-gap": { expr: 'count_over_time(gappy{kind="long"}[15m])', range: [1_811, 2_711, 60] },
      "over-time-of-an-ended-series": { expr: 'last_over_time(gappy{kind="early"}[10m])', at: 2_251 },
    },
  },
  {
    rule: "basics.subquery/steps",
    both: true,
    ask: {
      "subquery-count-of-steps": 'count_over_time(ramp{slope="up"}[10m:1m])',
      "subquery-of-seconds": 'sum_over_time(ramp{slope="up"}[1m:10s])',
      "subquery-steps-are-absolute": "min_over_time(timestamp(irregular)[2m:7s])",
      "subquery-of-time": "sum_over_time(vector(time())[5m:1m])",
      "subquery-of-a-scalar-vector": "count_over_time(vector(1)[10m:30s])",
      "subquery-of-a-rate": 'max_over_time(rate(corner_total{kind="jumpy"}[2m])[20m:1m])',
      "subquery-of-an-aggregation": "avg_over_time(sum(temperature_celsius)[20m:2m])",
      "subquery-with-an-offset": 'max_over_time(wave{kind="slow"}[10m:1m] offset 15m)',
      "subquery-of-an-offset": 'max_over_time((wave{kind="slow"} offset 15m)[10m:1m])',
      "subquery-at-a-time": 'min_over_time(wave{kind="slow"}[10m:1m] @ 1748740000)',
      "subquery-in-a-subquery": "max_over_time(avg_over_time(temperature_celsius[5m:61s])[20m:5m])",
      "subquery-of-a-comparison": "count_over_time((temperature_celsius > 5)[30m:2m])",
      "subquery-over-a-gap": { expr: 'count_over_time(gappy{kind="long"}[20m:1m])', at: 2_531 },
      "subquery-rate-of-a-sum": "rate(sum(http_requests_total)[10m:1m])",
      "subquery-step-longer-than-the-range": 'count_over_time(ramp{slope="up"}[1m:5m])',
      "subquery-step-that-does-not-divide": 'count_over_time(ramp{slope="up"}[10m:3m])',
      "subquery-of-labels": 'last_over_time(label_replace(requests, "m", "$1", "method", "(.).*")[5m:1m])',
      "subquery-of-a-binary-expression": "min_over_time((ramp * 2 - 1)[10m:90s])",
    },
  },
  {
    rule: "basics.subquery/steps",
    ask: {
      "subquery-as-it-is": 'ramp{slope="up"}[5m:1m]',
      "subquery-as-it-is-of-several": "requests[2m:30s]",
      "subquery-of-time-as-it-is": "vector(time())[3m:1m]",
      "subquery-keeps-the-name": 'ramp{slope="up"}[2m:1m]',
      "subquery-of-a-function-as-it-is": 'abs(wave{kind="fast"})[3m:45s]',
    },
  },
  {
    rule: "basics.subquery/left-open",
    ask: {
      "subquery-left-boundary-is-outside": { expr: 'count_over_time(ramp{slope="up"}[5m:1m])', at: 3_600 },
      "subquery-left-open-as-it-is": { expr: "vector(time())[3m:1m]", at: 3_600 },
      "subquery-left-open-sum": { expr: "sum_over_time(vector(time())[2m:30s])", at: 3_600 },
    },
  },
];
