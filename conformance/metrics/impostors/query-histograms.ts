import { membersOf } from "../../harness/shapes.ts";
import type { MetricsFlaw, Reply } from "./query-flaw.ts";
import { aggregations, type Call, calls, rewrite, type TextOf } from "./query-rewrite.ts";

/** Flaws with native histograms. */

type HistogramJson = { count: string; sum: string; buckets?: [rule: number, lower: string, upper: string, count: unknown][] };
type Element = { value?: unknown; values?: unknown[]; histogram?: [number, HistogramJson]; histograms?: [number, HistogramJson][] };

const elementsOf = ({ envelope }: Reply): Element[] => {
  const { result } = membersOf(envelope.data);
  return Array.isArray(result) ? (result as Element[]).filter((one) => typeof one === "object" && one !== null) : [];
};
const eachHistogram =
  (change: (histogram: HistogramJson) => void) =>
  (reply: Reply): void => {
    for (const { histogram, histograms = [] } of elementsOf(reply))
      for (const [, one] of histogram === undefined ? histograms : [histogram]) change(one);
  };
const buckets = (change: (bucket: NonNullable<HistogramJson["buckets"]>[number]) => void) =>
  eachHistogram((one) => one.buckets?.forEach(change));

/** Whether an expression selects native histograms of the data set. */
const isNative = (text: string): boolean => text.includes("native_");
const native = (names: RegExp, change: (args: readonly string[], whole: string, name: string) => string) =>
  calls(names, (args, whole, { name }) => (isNative(whole) ? change(args, whole, name) : undefined));
const argumentOf = ({ args: [first] }: Call, textOf: TextOf): string => (first === undefined ? "" : textOf(first));
/** Replaces histograms by 0 and keeps floats. */
const zeros = (vector: string): string => `(((${vector}) + 0) or histogram_count(${vector}) * 0)`;
/** A quantile as linear interpolation would return it, for a bucket whose upper bound is twice its lower one. */
const evenly = (quantile: string): string =>
  `(sgn(${quantile}) * 2 ^ floor(log2(abs(${quantile}))) * (1 + log2(abs(${quantile})) - floor(log2(abs(${quantile})))))`;
/** The greatest power of two that does not exceed a number. */
const wholeBucket = (text: string): string => (Number(text) > 0 ? String(2 ** Math.floor(Math.log2(Number(text)))) : text);
const swapped = (...pairs: readonly (readonly [string, string])[]) => {
  const others = new Map(pairs.flatMap(([a, b]) => [[a, b] as const, [b, a] as const]));
  return native(/./, (args, whole, name) => (others.has(name) ? `${others.get(name)}(${args.join(", ")})` : whole));
};
const ENDED = /(?<!["\w])native_gappy(?:\{[^}]*\})?(?!\w|\{|\[)/g;

export const METRICS_HISTOGRAM_FLAWS: Readonly<Record<string, MetricsFlaw>> = {
  "takes-histograms-for-zeros": {
    about: "treats a histogram as the number 0",
    expression: rewrite((part, textOf) => {
      if (part.is === "call" && /^(?:abs|sqrt|sort|scalar)$/.test(part.name) && part.args[0] !== undefined) {
        const vector = textOf(part.args[0]);
        return isNative(vector) ? `${part.name}(${zeros(vector)})` : undefined;
      }
      if (part.is === "call" && part.name === "info" && part.args[0] !== undefined) return zeros(textOf(part.args[0]));
      if (part.is === "call" && part.name === "max_over_time" && isNative(textOf(part)))
        return `${textOf(part)} or count_over_time(${argumentOf(part, textOf)})`;
      if (part.is === "aggregate" && /^(?:min|max|topk|bottomk|quantile|std)/.test(part.op) && isNative(textOf(part.expr))) {
        const param = part.param === undefined ? "" : `${textOf(part.param)}, `;
        const by = part.grouping.length === 0 ? "" : `by (${part.grouping.join(", ")})`;
        return `${part.op} ${by} (${param}${zeros(textOf(part.expr))})`;
      }
      if (part.is !== "binary" || /^(?:and|or|unless|<\/|>\/)$/.test(part.op)) return undefined;
      const [left, right] = [part.left, part.right].map((side) => (side.is === "vectorSelector" ? zeros(textOf(side)) : textOf(side)));
      const hasNumber = part.left.is === "number" || part.right.is === "number";
      return hasNumber && isNative(textOf(part)) && !/[*/]$/.test(part.op + (part.left.is === "number" ? "-" : ""))
        ? `${left} ${part.op} ${part.bool ? "bool " : ""}${right}`
        : undefined;
    }),
  },
  "floats-are-histograms": {
    about: "treats a float as the count of a histogram",
    expression: calls(/^histogram_(?:count|sum|avg)$/, ([vector = ""], whole) => `${whole} or (${vector} + 0)`),
  },
  "adds-no-histograms": {
    about: "leaves histograms out of sums and averages",
    expression: aggregations(["sum", "avg"], (clause, inner, _param, whole) =>
      isNative(inner) ? `${whole.startsWith("avg") ? "avg" : "sum"} ${clause} ((${inner}) + 0)` : whole,
    ),
  },
  "counts-no-histograms": {
    about: "leaves histograms out of counts",
    expression: rewrite((part, textOf) =>
      part.is === "aggregate" && /^(?:count|group|limitk)$/.test(part.op) && isNative(textOf(part.expr))
        ? `${part.op} ${part.grouping.length === 0 ? "" : `by (${part.grouping.join(", ")})`} (${part.param === undefined ? "" : `${textOf(part.param)}, `}(${textOf(part.expr)}) + 0)`
        : undefined,
    ),
  },
  "averages-histograms-as-sums": {
    about: "does not divide the sum of histograms",
    expression: rewrite((part, textOf) => {
      if (part.is === "call" && part.name === "avg_over_time" && isNative(textOf(part)))
        return `sum_over_time(${argumentOf(part, textOf)})`;
      if (part.is !== "aggregate" || part.op !== "avg" || !isNative(textOf(part.expr))) return undefined;
      return `sum ${part.grouping.length === 0 ? "" : `by (${part.grouping.join(", ")})`} (${textOf(part.expr)})`;
    }),
  },
  "sums-what-is-mixed": {
    about: "adds the floats of a mix",
    expression: rewrite((part, textOf) => {
      if (part.is === "call" && /^(?:i?rate|increase|sum_over_time)$/.test(part.name) && isNative(textOf(part)))
        return `${textOf(part)} or count_over_time(${argumentOf(part, textOf)})`;
      if (part.is !== "aggregate" || !/^(?:sum|avg)$/.test(part.op) || !isNative(textOf(part.expr))) return undefined;
      const by = part.grouping.length === 0 ? "" : `by (${part.grouping.join(", ")})`;
      return `${textOf(part)} or ${part.op} ${by} ((${textOf(part.expr)}) + 0)`;
    }),
  },
  "interpolates-linearly": {
    about: "interpolates linearly within a bucket of a schema",
    expression: native(/^histogram_quantiles?$/, (_args, whole) =>
      /native_(?:custom|bounded|lonely)/.test(whole) ? whole : evenly(whole),
    ),
  },
  "fractions-of-whole-buckets": {
    about: "does not interpolate between the bounds of a bucket",
    expression: native(
      /^histogram_fraction$/,
      ([lower = "", upper = "", vector = ""]) => `histogram_fraction(${wholeBucket(lower)}, ${wholeBucket(upper)}, ${vector})`,
    ),
  },
  "fractions-with-nan": {
    about: "counts NaN observations in a bucket",
    expression: native(/^histogram_(?:fraction|quantile)$/, (args, whole, name) =>
      name === "histogram_fraction" ? `clamp_max(${whole} * 1.25, 1)` : `histogram_quantile(${args[0]} * 0.8, ${args[1]})`,
    ),
  },
  "estimates-what-is-above-zero": {
    about: "ignores the zero bucket and everything below it",
    expression: native(/^histogram_(?:quantile|fraction|stddev|stdvar)$/, (args, _whole, name) => {
      const others = args.slice(0, -1).map((one) => `${one}, `);
      return `${name}(${others.join("")}(${args.at(-1)}) >/ 0.001)`;
    }),
  },
  "zero-bucket-is-positive": {
    about: "treats the zero bucket as positive",
    expression: native(/^histogram_(?:quantile|fraction)$/, (_args, whole, name) => {
      if (!whole.includes("native_only_zero")) return whole;
      return name === "histogram_quantile" ? `(${whole} + 0.5) / 2` : `${whole} * 2 / 3`;
    }),
  },
  "trims-whole-buckets": {
    about: "trims by whole buckets",
    expression: rewrite((part, textOf) =>
      part.is === "binary" && /^[<>]\/$/.test(part.op) && part.right.is === "number"
        ? `${textOf(part.left)} ${part.op} ${wholeBucket(textOf(part.right))}`
        : undefined,
    ),
  },
  "trims-the-other-side": {
    about: "keeps what a trim must drop",
    expression: rewrite((part, textOf) =>
      part.is === "binary" && /^[<>]\/$/.test(part.op)
        ? `${textOf(part.left)} ${part.op === "</" ? ">/" : "</"} ${textOf(part.right)}`
        : undefined,
    ),
  },
  "lowest-custom-bucket-is-its-bound": {
    about: "does not start custom buckets at zero",
    expression: native(/^histogram_(?:quantile|fraction)$/, (_args, whole, name) => {
      if (!/native_(?:custom|bounded|lonely)/.test(whole)) return whole;
      return name === "histogram_quantile" ? `clamp_min(${whole}, 1)` : `${whole} * 0.5`;
    }),
  },
  "highest-custom-bucket-is-infinite": {
    about: "treats observations above all bounds as infinite",
    expression: native(/^histogram_quantile$/, (_args, whole) =>
      whole.includes("native_custom") ? `(${whole}) / ((${whole}) < bool 4)` : whole,
    ),
  },
  "observations-of-neighbours": {
    about: "swaps count, sum and average",
    expression: swapped(["histogram_count", "histogram_sum"], ["histogram_stddev", "histogram_stdvar"]),
  },
  "averages-by-nothing": {
    about: "returns the sum of observations as their mean",
    expression: calls(/^histogram_avg$/, ([vector = ""]) => `histogram_sum(${vector})`),
  },
  "gauges-are-counters": {
    about: "swaps gauges and counters",
    expression: swapped(["delta", "increase"], ["idelta", "irate"]),
  },
  "forgets-resets-of-histograms": {
    about: "treats the reset of a histogram counter as a decrease",
    expression: native(/^(?:rate|increase|irate|resets)$/, ([range = ""], whole, name) => {
      if (name === "resets") return `${whole} * 0`;
      return name === "irate" ? `idelta(${range}) / 60` : name === "rate" ? `delta(${range}) / 600` : `delta(${range})`;
    }),
  },
  "counts-changes-of-counts": {
    about: "sees no change in a histogram with the same count",
    expression: native(/^changes$/, (_args, whole) => `clamp_max(${whole}, 1)`),
  },
  "subtracts-by-adding": {
    about: "adds instead of subtracting",
    expression: rewrite((part, textOf) => {
      if (part.is === "unary" && isNative(textOf(part.expr))) return textOf(part.expr);
      if (part.is !== "binary" || part.op !== "-" || part.right.is === "number" || !isNative(textOf(part.left))) return undefined;
      const { matching } = part;
      const by = matching === undefined ? "" : `${matching.on ? "on" : "ignoring"} (${matching.labels.join(", ")})`;
      return `${textOf(part.left)} + ${by} ${textOf(part.right)}`;
    }),
  },
  "multiplies-by-dividing": {
    about: "swaps multiplication and division",
    expression: rewrite((part, textOf) => {
      if (part.is !== "binary" || !/^[*/]$/.test(part.op) || !isNative(textOf(part))) return undefined;
      const { matching } = part;
      const by = matching === undefined ? "" : `${matching.on ? "on" : "ignoring"} (${matching.labels.join(", ")})`;
      const op = part.op === "*" ? "/" : "*";
      return part.left.is === "number"
        ? `${textOf(part.right)} ${op} ${textOf(part.left)}`
        : `${textOf(part.left)} ${op} ${by} ${textOf(part.right)}`;
    }),
  },
  "histograms-are-all-equal": {
    about: "treats all histograms as equal",
    expression: rewrite((part, textOf) => {
      if (part.is !== "binary" || !/^[!=]=$/.test(part.op) || !isNative(textOf(part.right))) return undefined;
      if (part.bool) return `histogram_count(${textOf(part.left)}) * 0 + 1`;
      return `${textOf(part.left)} ${part.op === "==" ? "and" : "unless"} ${textOf(part.right)}`;
    }),
  },
  "orders-histograms": {
    about: "compares histograms by their counts",
    expression: rewrite((part, textOf) => {
      if (part.is !== "binary" || !/^(?:[<>]=?|[!=]=)$/.test(part.op) || !isNative(textOf(part.left))) return undefined;
      const side = (text: string): string => (isNative(text) ? `(histogram_count(${text}) or (${text}) + 0)` : text);
      const by = part.matching === undefined ? "" : `on (${part.matching.labels.join(", ")})`;
      return `${side(textOf(part.left))} ${part.op} ${part.bool ? "bool " : ""}${by} ${side(textOf(part.right))}`;
    }),
  },
  "keeps-histograms-that-ended": {
    about: "returns a stale series of histograms",
    expression: (text) => text.replace(ENDED, (whole) => `last_over_time(${whole}[5m])`),
  },
  "no-warnings": { about: "returns no warnings", answers: ({ envelope }) => void delete envelope.warnings },
  "adds-what-has-no-bounds-in-common": {
    about: "treats custom buckets like those of a schema",
    expression: rewrite((part, textOf) => {
      const whole = textOf(part);
      if (!/native_custom\b/.test(whole) || !/native_seconds/.test(whole)) return undefined;
      return part.is === "binary" || part.is === "aggregate" ? `${whole} or vector(0)` : undefined;
    }),
  },
  "forgets-the-zero-bucket": {
    about: "omits the zero bucket",
    answers: eachHistogram((one) => void (one.buckets = (one.buckets ?? []).filter(([rule]) => rule !== 3))),
  },
  "tells-no-buckets": { about: "omits the buckets of histograms", answers: eachHistogram((one) => void delete one.buckets) },
  "sums-are-counts": {
    about: "returns the count of observations as their sum",
    answers: eachHistogram((one) => void (one.sum = one.count)),
  },
  "opens-buckets-on-the-other-side": {
    about: "includes the wrong bound in a bucket",
    answers: buckets((bucket) => void (bucket[0] = bucket[0] === 3 ? 2 : bucket[0] === 0 ? 1 : 0)),
  },
  "buckets-are-cumulative": {
    about: "returns cumulative buckets",
    answers: eachHistogram((one) => {
      let sum = 0;
      for (const bucket of one.buckets ?? []) bucket[3] = String((sum += Number(bucket[3])));
    }),
  },
  "bucket-counts-are-numbers": {
    about: "writes bucket counts as numbers",
    answers: buckets((bucket) => void (bucket[3] = Number(bucket[3]))),
  },
  "histograms-as-values": {
    about: "returns histograms as values",
    answers: (reply) => {
      for (const one of elementsOf(reply)) {
        if (one.histogram !== undefined) one.value = one.histogram;
        if (one.histograms !== undefined) one.values = [...(one.values ?? []), ...one.histograms];
        delete one.histogram;
        delete one.histograms;
      }
    },
  },
};
