import type { Group, Question } from "../question.ts";

const KINDS = [
  "steady",
  "constant",
  "from_zero",
  "from_ten",
  "to_zero",
  "to_some",
  "thrice",
  "falling",
  "huge",
  "fraction",
  "once",
  "two",
  "sparse",
  "nan",
  "jumpy",
] as const;
const plain = (name: string): string => name.replaceAll("_", "-");
/** One function over every kind of counter. */
const ofEach = (call: string): Readonly<Record<string, string | Question>> =>
  Object.fromEntries(
    KINDS.map((kind) => {
      const expr = `${call}(corner_total{kind="${kind}"}[10m])`;
      return [`${call}-of-${plain(kind)}`, kind === "once" || kind === "two" ? { expr, at: 1_911 } : expr];
    }),
  );

/** Functions of counters and gauges over a range. */
export const rates: readonly Group[] = [
  {
    rule: "functions.rate/extrapolated",
    both: true,
    ask: {
      ...ofEach("rate"),
      "rate-of-a-restarted-instance": { expr: 'rate(http_requests_total{instance="b:80",method="GET",code="200"}[5m])', at: 2_531 },
      "rate-within-a-sample": 'rate(ramp{slope="up"}[1m])',
      "rate-of-two-samples": 'rate(ramp{slope="up"}[2m])',
      "rate-before-the-data": { expr: "rate(http_requests_total[5m])", at: -10 },
      "rate-as-the-data-begins": { expr: 'rate(http_requests_total{instance="a:80",code="200"}[10m])', at: 131 },
      "rate-as-the-data-ends": { expr: 'rate(corner_total{kind="steady"}[10m])', at: 7_451 },
      "rate-over-a-gap": { expr: 'rate(gappy{kind="long"}[20m])', at: 2_411 },
      "rate-with-a-short-gap": { expr: 'rate(gappy{kind="short"}[10m])', at: 2_161 },
      "rate-of-a-long-range": 'rate(http_requests_total{instance="d:80",method="POST",code="404"}[1h])',
      "rate-summed": "sum by (job) (rate(http_requests_total[5m]))",
      "rate-of-fractions": 'sum by (mode) (rate(cpu_seconds_total{instance="a:80"}[10m]))',
      "rate-drops-the-name": 'rate(corner_total{kind="steady"}[2m])',
    },
  },
  {
    rule: "functions.increase/extrapolated",
    both: true,
    ask: {
      ...ofEach("increase"),
      "increase-of-two-restarts": { expr: 'increase(http_requests_total{instance="d:80",method="GET",code="200"}[2h])', at: 7_191 },
      "increase-longer-than-the-data": { expr: 'increase(corner_total{kind="steady"}[1d])', at: 7_191 },
      "increase-from-zero-at-its-begin": { expr: 'increase(corner_total{kind="from_zero"}[10m])', at: 911 },
      "increase-from-ten-at-its-begin": { expr: 'increase(corner_total{kind="from_ten"}[10m])', at: 911 },
      "increase-is-rate-times-range": 'increase(corner_total{kind="jumpy"}[7m]) - 420 * rate(corner_total{kind="jumpy"}[7m])',
      "increase-by-job": "sum by (job, code) (increase(http_requests_total[15m]))",
      "increase-at-the-end-of-a-series": { expr: 'increase(gappy{kind="early"}[10m])', at: 2_051 },
    },
  },
  {
    rule: "functions.delta/extrapolated",
    both: true,
    ask: {
      ...Object.fromEntries(["up", "down", "flat", "inf"].map((slope) => [`delta-of-${slope}`, `delta(ramp{slope="${slope}"}[10m])`])),
      "delta-of-a-wave": 'delta(wave{kind=~"slow|fast"}[15m])',
      "delta-of-nan": 'delta(wave{kind="nan"}[6m])',
      "delta-is-not-corrected": 'delta(corner_total{kind="to_zero"}[20m])',
      "delta-of-two": 'delta(corner_total{kind="two"}[40m])',
      "delta-of-one": 'delta(corner_total{kind="once"}[1h])',
      "delta-irregular": "delta(irregular[5m])",
      "delta-below-zero-is-kept": "delta(temperature_celsius[30m])",
    },
  },
  {
    rule: "functions.irate/last-two",
    both: true,
    ask: {
      ...Object.fromEntries(
        ["steady", "to_zero", "thrice", "falling", "once", "two", "sparse", "jumpy"].map((kind) => [
          `irate-of-${plain(kind)}`,
          `irate(corner_total{kind="${kind}"}[10m])`,
        ]),
      ),
      "irate-at-a-reset": { expr: 'irate(http_requests_total{instance="b:80",method="GET"}[5m])', at: 2_409 },
      "irate-of-nan": 'irate(corner_total{kind="nan"}[5m])',
    },
  },
  {
    rule: "functions.idelta/last-two",
    both: true,
    ask: {
      "idelta-of-a-wave": 'idelta(wave{kind=~"slow|fast|steps"}[10m])',
      "idelta-is-not-corrected": 'idelta(corner_total{kind="falling"}[5m])',
      "idelta-irregular": "idelta(irregular[5m])",
      "idelta-of-one": 'idelta(corner_total{kind="once"}[1h])',
      "idelta-of-infinity": { expr: 'idelta(ramp{slope="inf"}[3m])', at: 3_660 },
    },
  },
  {
    rule: "functions.resets/count",
    both: true,
    ask: {
      ...Object.fromEntries(
        ["steady", "constant", "to_zero", "to_some", "thrice", "falling", "once", "nan"].map((kind) => [
          `resets-of-${plain(kind)}`,
          `resets(corner_total{kind="${kind}"}[30m])`,
        ]),
      ),
      "resets-of-instances": { expr: 'resets(http_requests_total{method="GET",code="200"}[2h])', at: 7_191 },
      "resets-of-nothing": "resets(no_such_metric[5m])",
    },
  },
  {
    rule: "functions.changes/count",
    both: true,
    ask: {
      "changes-of-a-wave": "changes(wave[30m])",
      "changes-of-nan": 'changes(special{kind="nan"}[10m])',
      "changes-of-nan-and-numbers": 'changes(wave{kind="nan"}[20m])',
      "changes-of-a-flag": { expr: 'changes(up{instance="e:80"}[1h])', at: 7_191 },
      "changes-of-one": 'changes(gappy{kind="once"}[2h])',
      "changes-of-zeros": 'changes(special{kind=~".*zero"}[10m])',
    },
  },
  {
    rule: "functions.deriv/regression",
    both: true,
    ask: {
      ...Object.fromEntries(["up", "down", "flat", "inf"].map((slope) => [`deriv-of-${slope}`, `deriv(ramp{slope="${slope}"}[10m])`])),
      "deriv-of-a-wave": 'deriv(wave{kind=~"slow|fast"}[20m])',
      "deriv-irregular": "deriv(irregular[10m])",
      "deriv-of-one": 'deriv(corner_total{kind="once"}[1h])',
      "deriv-of-two": 'deriv(corner_total{kind="two"}[1h])',
      "deriv-of-temperatures": "deriv(temperature_celsius[30m])",
    },
  },
  {
    rule: "functions.predict-linear/regression",
    both: true,
    ask: {
      ...Object.fromEntries(
        ["up", "down", "flat", "inf"].map((slope) => [`predict-${slope}`, `predict_linear(ramp{slope="${slope}"}[10m], 3600)`]),
      ),
      "predict-a-wave": 'predict_linear(wave{kind="slow"}[20m], 600)',
      "predict-the-past": 'predict_linear(ramp{slope="up"}[10m], -600)',
      "predict-now": "predict_linear(temperature_celsius[30m], 0)",
      "predict-irregular": "predict_linear(irregular[10m], 60)",
      "predict-by-an-expression": 'predict_linear(ramp{slope="down"}[10m], scalar(requests{method="post"}))',
      "predict-with-an-offset": 'predict_linear(wave{kind="slow"}[10m] offset 5m, 600)',
      "predict-at-a-time": 'predict_linear(wave{kind="slow"}[10m] @ 1748740000, 600)',
      "predict-of-one": 'predict_linear(corner_total{kind="once"}[1h], 60)',
    },
  },
];
