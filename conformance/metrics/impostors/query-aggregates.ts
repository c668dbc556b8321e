import type { MetricsFlaw } from "./query-flaw.ts";
import { type Aggregate, aggregations, clauseOf, orElse, rewrite } from "./query-rewrite.ts";

/** Flaws in aggregations. */

const grouped = (change: (part: Aggregate) => string | undefined) =>
  rewrite((part, textOf) => {
    if (part.is !== "aggregate") return undefined;
    const clause = change(part);
    const param = part.param === undefined ? "" : `${textOf(part.param)}, `;
    return clause === undefined ? undefined : `${part.op} ${clause} (${param}${textOf(part.expr)})`;
  });
/** The rank below the requested one, as a share of the number of elements. */
const lowerRank = (quantile: string, inner: string): string =>
  `scalar(floor(vector(${quantile}) * (count(${inner}) - 1)) / (count(${inner}) - 1))`;
const somethingForNothing = (...names: readonly string[]) =>
  aggregations(names, (_clause, _inner, _param, whole) => orElse(whole, "vector(0)"));
const unbiased = (clause: string, inner: string): string =>
  `stdvar ${clause} (${inner}) * count ${clause} (${inner}) / (count ${clause} (${inner}) - 1)`;

export const METRICS_AGGREGATION_FLAWS: Readonly<Record<string, MetricsFlaw>> = {
  "sums-all-but-one": {
    about: "leaves the maximum of a group out of its sum",
    expression: aggregations(["sum"], (clause, inner) => `sum ${clause} (${inner}) - max ${clause} (${inner})`),
  },
  "sums-nothing-to-zero": { about: "returns a sum of an empty vector", expression: somethingForNothing("sum") },
  "counts-nothing-as-zero": { about: "returns a count of an empty vector", expression: somethingForNothing("count") },
  "takes-nothing-for-a-group": {
    about: "returns a value for other aggregations of an empty vector",
    expression: somethingForNothing("avg", "min", "max", "group", "stddev", "stdvar", "quantile"),
  },
  "shares-among-all": {
    about: "divides the sum of a group by the number of all elements",
    expression: aggregations(["avg"], (clause, inner) => `sum ${clause} (${inner}) / scalar(count(${inner}))`),
  },
  "means-are-medians": {
    about: "returns the median as the mean",
    expression: aggregations(["avg"], (clause, inner) => `quantile ${clause} (0.5, ${inner})`),
  },
  "averages-overflow": {
    about: "adds before it divides",
    expression: aggregations(["avg"], (clause, inner) => `sum ${clause} (${inner}) / count ${clause} (${inner})`),
  },
  "least-is-greatest": {
    about: "swaps min and max",
    expression: rewrite((part, textOf) =>
      part.is === "aggregate" && (part.op === "min" || part.op === "max")
        ? `${part.op === "min" ? "max" : "min"} ${clauseOf(part)} (${textOf(part.expr)})`
        : undefined,
    ),
  },
  "nan-is-least": {
    about: "treats NaN as a minimum",
    expression: aggregations(["min", "max"], (clause, inner, _param, whole) => `${whole} + 0 * sum ${clause} (${inner})`),
  },
  "counts-one-more": {
    about: "returns a count that is one too high",
    expression: aggregations(["count"], (_clause, _inner, _param, whole) => `${whole} + 1`),
  },
  "groups-are-two": {
    about: "returns 2 for group",
    expression: aggregations(["group"], (_clause, _inner, _param, whole) => `${whole} * 2`),
  },
  "deviates-as-a-sample": {
    about: "divides a variance by one less than the number of elements",
    expression: rewrite((part, textOf) => {
      if (part.is !== "aggregate" || (part.op !== "stddev" && part.op !== "stdvar")) return undefined;
      const variance = unbiased(clauseOf(part), textOf(part.expr));
      return part.op === "stddev" ? `sqrt(${variance})` : variance;
    }),
  },
  "greatest-are-least": {
    about: "swaps topk and bottomk",
    expression: rewrite((part, textOf) =>
      part.is === "aggregate" && part.param !== undefined && (part.op === "topk" || part.op === "bottomk")
        ? `${part.op === "topk" ? "bottomk" : "topk"} ${clauseOf(part)} (${textOf(part.param)}, ${textOf(part.expr)})`
        : undefined,
    ),
  },
  "picks-by-size": {
    about: "uses the absolute value of a negative number of elements",
    expression: aggregations(["topk"], (clause, inner, param) => `topk ${clause} (scalar(abs(vector(${param}))), ${inner})`),
  },
  "picks-of-nothing": {
    about: "picks an element of an empty vector",
    expression: aggregations(["topk", "bottomk"], (_clause, inner, _param, whole) => orElse(whole, `(vector(0) unless on () ${inner})`)),
  },
  "picks-of-all": {
    about: "picks from all elements instead of from each group",
    expression: grouped((part) => (part.param !== undefined && /k$|^limit/.test(part.op) ? "" : undefined)),
  },
  "quantiles-of-elements": {
    about: "does not interpolate between the elements of a group",
    expression: aggregations(["quantile"], (clause, inner, param) => `quantile ${clause} (${lowerRank(param, inner)}, ${inner})`),
  },
  "quantiles-within": {
    about: "returns the least value for a quantile below 0, and the greatest for one above 1",
    expression: aggregations(
      ["quantile"],
      (clause, inner, param) => `quantile ${clause} (scalar(clamp(vector(${param}), 0, 1)), ${inner})`,
    ),
  },
  "counts-values-without-them": {
    about: "returns the count of a value without the value",
    expression: aggregations(["count_values"], (clause, inner) => `count ${clause} (${inner})`),
  },
  "limits-nothing": {
    about: "returns all elements instead of some",
    expression: aggregations(["limitk", "limit_ratio"], (_clause, inner) => inner),
  },
  "by-keeps-all-labels": {
    about: "keeps every label when it groups by some",
    expression: grouped(({ grouping, without }) => (!without && grouping.length > 0 ? "without ()" : undefined)),
  },
  "ignores-without": {
    about: "makes a single group for without",
    expression: grouped(({ without }) => (without ? "" : undefined)),
  },
  "first-label-of-by": {
    about: "groups by the first label of several",
    expression: grouped(({ grouping, without }) => (!without && grouping.length > 1 ? `by (${JSON.stringify(grouping[0])})` : undefined)),
  },
};
