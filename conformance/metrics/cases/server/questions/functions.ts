import type { Group } from "../question.ts";

/** Functions of one value at a time. */
const math = (name: string, of = "special"): Readonly<Record<string, string>> => ({
  [`${name}-of-special-values`]: `${name}(${of})`,
  [`${name}-of-a-wave`]: `${name}(wave{kind=~"fast|steps"})`,
});
const mathGroup = (name: string, more: Readonly<Record<string, string>> = {}): Group => ({
  rule: `functions.${name}/value`,
  both: true,
  ask: { ...math(name), ...more },
});
/** The smallest number separately, because it is often computed wrong. */
const logarithm = (name: string): Group => ({
  rule: `functions.${name}/value`,
  both: true,
  ask: {
    ...math(name, 'special{kind!="tiny"}'),
    [`${name}-of-counts`]: `${name}(requests)`,
    [`${name}-of-the-least-number`]: `${name}(special{kind="tiny"})`,
  },
});
const trigonometric = (name: string, argument: string): Readonly<Record<string, string>> => ({
  [`${name}-of-numbers`]: `${name}(${argument})`,
  [`${name}-of-infinities`]: `${name}(special{kind=~"nan|inf|minus_inf|zero|minus_zero"})`,
});

/** Functions without an argument that return the times of the query. */
const ofTheQuery = (name: string, sum: string): readonly Group[] => [
  {
    rule: `functions.${name}/value`,
    needs: ["functions of the query"],
    both: true,
    ask: { [`${name}-alone`]: `${name}()`, [`${name}-in-a-sum`]: sum, [`${name}-of-a-vector`]: `vector(${name}())` },
  },
];
const larger = (words: string, name: string): readonly Group[] => [
  {
    rule: `functions.${words}/value`,
    needs: ["functions of the query"],
    both: true,
    ask: {
      [`${words}-of-numbers`]: `${name}(2, -3)`,
      [`${words}-of-equal-numbers`]: `${name}(0.5, 0.5)`,
      [`${words}-of-infinities`]: `${name}(-Inf, Inf)`,
      [`${words}-with-a-scalar`]: `${name}(scalar(requests{method="get"}), time() - 1748736000)`,
      [`${words}-within-itself`]: `${name}(${name}(1, 5), ${name}(3, 4))`,
    },
  },
];

export const functions: readonly Group[] = [
  mathGroup("abs", { "abs-drops-the-name": 'abs(errors{code="500"})' }),
  mathGroup("ceil", { "ceil-of-fractions": "ceil(temperature_celsius)" }),
  mathGroup("floor", { "floor-of-fractions": "floor(temperature_celsius)" }),
  mathGroup("exp"),
  logarithm("ln"),
  mathGroup("log2", { "log2-of-counts": "log2(requests)" }),
  logarithm("log10"),
  mathGroup("sqrt", { "sqrt-of-counts": "sqrt(requests)" }),
  mathGroup("sgn"),
  {
    rule: "functions.round/value",
    both: true,
    ask: {
      ...math("round"),
      "round-to-a-multiple": "round(temperature_celsius, 5)",
      "round-to-a-fraction": "round(temperature_celsius, 0.25)",
      "round-half-up": "round(vector(2.5))",
      "round-minus-half-up": "round(vector(-2.5))",
      "round-half-of-a-multiple": "round(vector(15), 10)",
      "round-to-a-negative": "round(vector(7.3), -2)",
      "round-to-zero": "round(vector(7.3), 0)",
      "round-to-nan": "round(vector(7.3), NaN)",
    },
  },
  {
    rule: "functions.clamp/value",
    both: true,
    ask: {
      "clamp-both": "clamp(temperature_celsius, 0, 10)",
      "clamp-empty-where-bounds-cross": "clamp(temperature_celsius, 10, 0)",
      "clamp-to-nan": "clamp(requests, NaN, 100)",
      "clamp-of-special-values": "clamp(special, -10, 10)",
      "clamp-max": "clamp_max(temperature_celsius, 5)",
      "clamp-max-of-special-values": "clamp_max(special, 0.5)",
      "clamp-min": "clamp_min(temperature_celsius, 5)",
      "clamp-min-of-special-values": "clamp_min(special, 0.5)",
      "clamp-by-an-expression": 'clamp_max(errors, scalar(requests{method="del"}) - 10)',
      "clamp-max-to-nan": "clamp_max(requests, NaN)",
      "clamp-to-one-value": "clamp(requests, 100, 100)",
    },
  },
  {
    rule: "functions.trigonometric-functions/value",
    both: true,
    ask: {
      ...trigonometric("sin", 'wave{kind=~"fast|steps"}'),
      ...trigonometric("cos", 'wave{kind=~"fast|steps"}'),
      ...trigonometric("tan", 'wave{kind=~"fast|steps"}'),
      ...trigonometric("asin", "vector(0.5)"),
      ...trigonometric("acos", "vector(0.5)"),
      ...trigonometric("atan", 'wave{kind=~"fast|steps"}'),
      ...trigonometric("sinh", 'wave{kind=~"fast|steps"}'),
      ...trigonometric("cosh", 'wave{kind=~"fast|steps"}'),
      ...trigonometric("tanh", 'wave{kind=~"fast|steps"} / 10'),
      ...trigonometric("asinh", 'wave{kind=~"fast|steps"}'),
      ...trigonometric("acosh", "vector(2.5)"),
      ...trigonometric("atanh", "vector(0.5)"),
      "asin-beyond-one": "asin(vector(1.5))",
      "acosh-below-one": "acosh(vector(0.5))",
      "atanh-of-one": "atanh(vector(1))",
      "deg-of-numbers": 'deg(wave{kind="fast"})',
      "rad-of-numbers": 'rad(wave{kind="fast"})',
      "pi-alone": "pi()",
      "pi-in-a-sum": "2 * pi()",
    },
  },
  {
    rule: "functions.scalar/value",
    both: true,
    ask: {
      "scalar-of-one-element": 'scalar(requests{method="get"})',
      "scalar-of-none": "scalar(no_such_metric)",
      "scalar-of-several": "scalar(requests)",
      "scalar-in-a-sum": 'errors + scalar(requests{method="get"})',
      "scalar-of-a-vector-of-it": "scalar(vector(5))",
      "scalar-of-an-aggregation": "scalar(sum(errors)) / 2",
    },
  },
  {
    rule: "functions.vector/value",
    both: true,
    ask: {
      "vector-of-a-number": "vector(3.5)",
      "vector-of-time": "vector(time())",
      "vector-of-nan": "vector(NaN)",
      "vector-of-an-expression": "vector(1 + 2 * 3)",
      "vector-of-infinity": "vector(-Inf)",
    },
  },
  ...ofTheQuery("start", "time() - start()"),
  ...ofTheQuery("end", "end() - time()"),
  ...ofTheQuery("range", "range() + 1"),
  ...ofTheQuery("step", "step() + 1"),
  ...larger("max-of", "max_of"),
  ...larger("min-of", "min_of"),
  {
    rule: "functions.time/value",
    both: true,
    ask: {
      "time-alone": "time()",
      "time-in-a-sum": "time() - 1748736000",
      "timestamp-of-samples": "timestamp(irregular)",
      "timestamp-of-an-offset": 'timestamp(ramp{slope="up"} offset 10m)',
      "timestamp-of-an-expression": 'timestamp(ramp{slope="up"} + 0)',
      "timestamp-of-a-vector": "timestamp(vector(1))",
      "timestamp-twice": 'timestamp(timestamp(ramp{slope="up"}))',
      "timestamp-at-a-time": 'timestamp(ramp{slope="up"} @ 1748740000)',
      "timestamp-in-parentheses": 'timestamp((ramp{slope="up"}))',
    },
  },
  {
    rule: "functions.time/value",
    ask: {
      "time-of-a-fraction": { expr: "time()", at: 3_611.25 },
      "timestamp-of-milliseconds": { expr: "timestamp(irregular)", at: 3_000.5 },
    },
  },
  {
    rule: "functions.absent/value",
    both: true,
    ask: {
      "absent-of-nothing": "absent(no_such_metric)",
      "absent-with-labels": 'absent(no_such_metric{job="myjob"})',
      "absent-with-a-pattern": 'absent(no_such_metric{job="myjob",instance=~".*"})',
      "absent-of-an-aggregation": 'absent(sum(no_such_metric{job="myjob"}))',
      "absent-of-something": "absent(up)",
      "absent-same-label-twice": 'absent(no_such_metric{job="a",job="b",instance="c"})',
      "absent-label-not-equal": 'absent(no_such_metric{job!="a",instance="c"})',
      "absent-of-a-comparison": 'absent(up{job="api"} > 5)',
      "absent-of-an-offset": "absent(up offset 1w)",
    },
  },
  {
    rule: "functions.sort/order",
    ask: {
      "sort-ascending": { expr: "sort(errors)", ordered: true },
      "sort-descending": { expr: "sort_desc(errors)", ordered: true },
      "sort-nan-is-last": { expr: "sort(score)", ordered: true },
      "sort-desc-nan-is-last": { expr: "sort_desc(score)", ordered: true },
      "sort-of-special-values": { expr: 'sort(special{kind!~".*zero|nan"})', ordered: true },
      "sort-of-an-expression": { expr: "sort(-requests)", ordered: true },
      "sort-of-one": { expr: "sort(vector(1))", ordered: true },
      "sort-in-vain-over-a-range": { expr: "sort_desc(temperature_celsius)", range: [3_011, 3_611, 300] },
      "sort-of-nothing": { expr: "sort(no_such_metric)", ordered: true },
    },
  },
  {
    rule: "functions.sort-by-label/order",
    needs: ["experimental functions"],
    ask: {
      "sort-by-label-natural": { expr: 'sort_by_label(score, "item")', ordered: true },
      "sort-by-label-descending": { expr: 'sort_by_label_desc(score, "item")', ordered: true },
      "sort-by-two-labels": { expr: 'sort_by_label(score, "team", "item")', ordered: true },
      "sort-by-an-absent-label": { expr: 'sort_by_label(requests, "colour")', ordered: true },
    },
  },
  {
    rule: "functions.label-replace/value",
    both: true,
    ask: {
      "label-replace-group": 'label_replace(labelled, "host", "$1", "text", "([^:]*):.*")',
      "label-replace-named-group": 'label_replace(labelled{n="1"}, "port", "$port", "text", "(?P<host>.*):(?P<port>.*)")',
      "label-replace-braces": 'label_replace(labelled{n="1"}, "port", "${2}x", "text", "(.*):(.*)")',
      "label-replace-whole": 'label_replace(errors, "m", "is-$0", "method", "p.*")',
      "label-replace-no-match": 'label_replace(errors, "m", "x", "method", "zzz")',
      "label-replace-is-anchored": 'label_replace(errors, "m", "x", "method", "o")',
      "label-replace-removes-a-label": 'label_replace(errors{code="500"}, "code", "", "", "")',
      "label-replace-sets-a-label": 'label_replace(requests, "colour", "red", "", "")',
      "label-replace-absent-source": 'label_replace(requests, "colour", "$1-x", "nothing", "(.*)")',
      "label-replace-the-name": 'label_replace(requests, "__name__", "renamed", "", "")',
      "label-replace-itself": 'label_replace(errors, "method", "m-$1", "method", "(.*)")',
      "label-replace-unknown-group": 'label_replace(requests, "x", "a$9b", "method", "(.*)")',
      "label-replace-dollar": 'label_replace(requests, "x", "$$1", "method", "(.*)")',
      "label-replace-in-linear-time":
        'label_replace(label_replace(vector(1), "a", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "", ""), "b", "$1", "a", "(x+x+)+y")',
      "label-replace-keeps-the-value": 'label_replace(special, "x", "y", "kind", ".*")',
    },
  },
  {
    rule: "functions.label-join/value",
    both: true,
    ask: {
      "label-join-two": 'label_join(errors, "both", "-", "method", "code")',
      "label-join-none": 'label_join(requests, "none", "-")',
      "label-join-absent": 'label_join(requests, "both", "-", "method", "nothing")',
      "label-join-over-a-source": 'label_join(errors, "method", "/", "method", "code")',
      "label-join-empty-separator": 'label_join(errors, "both", "", "code", "method")',
      "label-join-the-name": 'label_join(requests, "n", ":", "__name__", "method")',
      "label-join-removes-a-label": 'label_join(requests{method="get"}, "method", "", "nothing")',
      "label-join-one-twice": 'label_join(requests, "x", ",", "method", "method")',
    },
  },
  {
    rule: "functions.info/labels",
    needs: ["experimental functions"],
    both: true,
    ask: {
      "info-of-everything": "info(load1)",
      "info-of-one-label": 'info(load1, {env=~".+"})',
      "info-of-another-series": 'info(load1, {__name__="build_info",version=~".+"})',
      "info-without-a-match": "info(requests)",
      "info-of-a-filter": 'info(load1, {region="north"})',
    },
  },
];
