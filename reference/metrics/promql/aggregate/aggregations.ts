import type { ValueType } from "../syntax/value-type.ts";

/** One aggregation operator (Prometheus docs, querying/operators.md, "Aggregation operators"). */
export type Aggregation = {
  /** The type of the parameter before the vector; undefined if the operator has none. */
  readonly param?: ValueType;
  /** Needs the feature `promql-experimental-functions`. */
  readonly experimental?: true;
  /** Leaves native histograms out and adds an info annotation if there are any. */
  readonly ignoresHistograms?: true;
};

/** Every aggregation operator, by its name in lower case; a query may also write it in upper case. */
export const AGGREGATIONS = {
  sum: {},
  avg: {},
  min: { ignoresHistograms: true },
  max: { ignoresHistograms: true },
  bottomk: { param: "scalar", ignoresHistograms: true },
  topk: { param: "scalar", ignoresHistograms: true },
  limitk: { param: "scalar", experimental: true },
  limit_ratio: { param: "scalar", experimental: true },
  group: {},
  count: {},
  count_values: { param: "string" },
  stddev: { ignoresHistograms: true },
  stdvar: { ignoresHistograms: true },
  quantile: { param: "scalar", ignoresHistograms: true },
} as const satisfies Record<string, Aggregation>;

export type AggregationName = keyof typeof AGGREGATIONS;
export const isAggregation = (name: string): name is AggregationName => Object.hasOwn(AGGREGATIONS, name);
export const aggregationOf = (name: AggregationName): Aggregation => AGGREGATIONS[name];
