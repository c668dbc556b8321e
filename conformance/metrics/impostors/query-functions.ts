import type { MetricsFlaw } from "./query-flaw.ts";
import { calls, rewrite } from "./query-rewrite.ts";

/** Flaws in functions. */

/** Swaps the functions of each pair. */
const swapped = (...pairs: readonly (readonly [string, string])[]): ((text: string) => string) => {
  const others = new Map(pairs.flatMap(([a, b]) => [[a, b] as const, [b, a] as const]));
  return rewrite((part, textOf) => {
    const other = part.is === "call" ? others.get(part.name) : undefined;
    return part.is === "call" && other !== undefined ? `${other}(${part.args.map(textOf).join(", ")})` : undefined;
  });
};

export const METRICS_FUNCTION_FLAWS: Readonly<Record<string, MetricsFlaw>> = {
  "rounds-the-other-way": { about: "swaps ceil and floor", expression: swapped(["ceil", "floor"], ["clamp_min", "clamp_max"]) },
  "rounds-to-one": {
    about: "rounds to whole numbers, halves down",
    expression: calls(/^round$/, ([vector]) => `ceil(${vector} - 0.5)`),
  },
  "sines-are-cosines": {
    about: "swaps sine and cosine, and degrees and radians",
    expression: swapped(
      ["sin", "cos"],
      ["sinh", "cosh"],
      ["asin", "acos"],
      ["asinh", "acosh"],
      ["tan", "tanh"],
      ["atan", "atanh"],
      ["deg", "rad"],
    ),
  },
  "logarithms-of-another-base": {
    about: "swaps the logarithms, and root and sign",
    expression: swapped(["ln", "log2"], ["exp", "log10"], ["sqrt", "sgn"]),
  },
  "neighbours-over-time": {
    about: "swaps functions over time",
    expression: swapped(
      ["min_over_time", "max_over_time"],
      ["avg_over_time", "sum_over_time"],
      ["count_over_time", "present_over_time"],
      ["stddev_over_time", "stdvar_over_time"],
      ["first_over_time", "last_over_time"],
      ["changes", "resets"],
    ),
  },
  "deviates-as-a-sample-over-time": {
    about: "divides the variance of samples by one less than their number",
    expression: calls(/^std(?:dev|var)_over_time$/, ([range], whole, { name }) => {
      const share = `count_over_time(${range}) / (count_over_time(${range}) - 1)`;
      return name.startsWith("stddev") ? `${whole} * sqrt(${share})` : `${whole} * ${share}`;
    }),
  },
  "medians-over-time": {
    about: "computes the median for every quantile",
    expression: calls(/^quantile_over_time$/, ([, range]) => `quantile_over_time(0.5, ${range})`),
  },
  "falls-where-it-rises": {
    about: "inverts the sign of slopes",
    expression: calls(/^(?:i?delta|deriv)$/, (_args, whole) => `-(${whole})`),
  },
  "predicts-now": {
    about: "predicts the present value",
    expression: calls(/^predict_linear$/, ([range]) => `predict_linear(${range}, 0)`),
  },
  "smooths-everything-the-same": {
    about: "smooths with fixed factors",
    expression: calls(/^double_exponential_smoothing$/, ([range]) => `double_exponential_smoothing(${range}, 0.5, 0.5)`),
  },
  "sorts-the-other-way": {
    about: "sorts from the other end",
    expression: swapped(["sort", "sort_desc"], ["sort_by_label", "sort_by_label_desc"]),
  },
  "calendar-of-neighbours": {
    about: "swaps the parts of a date",
    expression: swapped(["year", "month"], ["day_of_month", "day_of_year"], ["hour", "minute"], ["day_of_week", "days_in_month"]),
  },
  "keeps-labels-as-they-are": {
    about: "replaces and joins no labels",
    expression: calls(/^label_(?:replace|join)$/, ([vector]) => vector),
  },
  "takes-its-time-for-that-of-samples": {
    about: "returns the time of the query instead of the sample's",
    expression: calls(/^timestamp$/, ([vector]) => `${vector} * 0 + time()`),
  },
  "scalar-of-the-greatest": {
    about: "returns the greatest of several elements as a scalar",
    expression: calls(/^scalar$/, ([vector]) => `scalar(max(${vector}))`),
  },
  "has-a-time-of-its-own": { about: "returns a time an hour too early", expression: calls(/^time$/, (_args, whole) => `${whole} - 3600`) },
  "medians-of-histograms": {
    about: "computes the median for every quantile of a histogram",
    expression: calls(/^histogram_quantile$/, ([, vector]) => `histogram_quantile(0.5, ${vector})`),
  },
};
