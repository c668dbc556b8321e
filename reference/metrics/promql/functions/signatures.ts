/** The types that an expression can have (Prometheus docs, querying/basics.md, "Expression language data types"). */
export type ValueType = "scalar" | "vector" | "matrix" | "string";

/**
 * What a function takes and gives (Prometheus docs, querying/functions.md).
 * `variadic`: 0 takes exactly `args`; n > 0 makes the last argument optional and takes up to n of it; -1 takes any number of the last, none included.
 */
export type Signature = {
  readonly args: readonly ValueType[];
  readonly variadic: number;
  readonly returns: ValueType;
  /** Only with the feature `promql-experimental-functions`. */
  readonly experimental: boolean;
};

type Shape = { readonly variadic?: number; readonly returns?: ValueType; readonly experimental?: boolean };
const takes = (args: readonly ValueType[], shape: Shape = {}): Signature => ({
  args,
  variadic: shape.variadic ?? 0,
  returns: shape.returns ?? "vector",
  experimental: shape.experimental ?? false,
});

const ofVector = takes(["vector"]);
const ofMatrix = takes(["matrix"]);
/** Calendar functions read `vector(time())` where nothing is given. */
const ofMoment = takes(["vector"], { variadic: 1 });
const ofNothing = takes([], { returns: "scalar" });
const experimental = true;
const newMatrix = takes(["matrix"], { experimental });
const newScalar = takes([], { returns: "scalar", experimental });

/** Every function of the language, by name. */
export const FUNCTIONS = {
  // Element by element.
  abs: ofVector,
  ceil: ofVector,
  floor: ofVector,
  exp: ofVector,
  ln: ofVector,
  log2: ofVector,
  log10: ofVector,
  sqrt: ofVector,
  sgn: ofVector,
  round: takes(["vector", "scalar"], { variadic: 1 }),
  clamp: takes(["vector", "scalar", "scalar"]),
  clamp_max: takes(["vector", "scalar"]),
  clamp_min: takes(["vector", "scalar"]),
  acos: ofVector,
  acosh: ofVector,
  asin: ofVector,
  asinh: ofVector,
  atan: ofVector,
  atanh: ofVector,
  cos: ofVector,
  cosh: ofVector,
  sin: ofVector,
  sinh: ofVector,
  tan: ofVector,
  tanh: ofVector,
  deg: ofVector,
  rad: ofVector,
  pi: ofNothing,

  // Between the types; what is there at all.
  scalar: takes(["vector"], { returns: "scalar" }),
  vector: takes(["scalar"]),
  absent: ofVector,
  absent_over_time: ofMatrix,

  // Over a range: counters and gauges.
  rate: ofMatrix,
  increase: ofMatrix,
  irate: ofMatrix,
  idelta: ofMatrix,
  delta: ofMatrix,
  deriv: ofMatrix,
  changes: ofMatrix,
  resets: ofMatrix,
  predict_linear: takes(["matrix", "scalar"]),
  double_exponential_smoothing: takes(["matrix", "scalar", "scalar"], { experimental }),

  // Over a range: aggregation.
  avg_over_time: ofMatrix,
  min_over_time: ofMatrix,
  max_over_time: ofMatrix,
  sum_over_time: ofMatrix,
  count_over_time: ofMatrix,
  quantile_over_time: takes(["scalar", "matrix"]),
  stddev_over_time: ofMatrix,
  stdvar_over_time: ofMatrix,
  last_over_time: ofMatrix,
  first_over_time: ofMatrix,
  present_over_time: ofMatrix,
  mad_over_time: newMatrix,
  ts_of_min_over_time: newMatrix,
  ts_of_max_over_time: newMatrix,
  ts_of_last_over_time: newMatrix,
  ts_of_first_over_time: newMatrix,

  // Histograms.
  histogram_avg: ofVector,
  histogram_count: ofVector,
  histogram_sum: ofVector,
  histogram_stddev: ofVector,
  histogram_stdvar: ofVector,
  histogram_fraction: takes(["scalar", "scalar", "vector"]),
  histogram_quantile: takes(["scalar", "vector"]),
  histogram_quantiles: takes(["vector", "string", "scalar", "scalar"], { variadic: 9, experimental }),

  // Time and the calendar.
  time: ofNothing,
  timestamp: ofVector,
  start_timestamp: ofVector,
  minute: ofMoment,
  hour: ofMoment,
  day_of_week: ofMoment,
  day_of_month: ofMoment,
  day_of_year: ofMoment,
  days_in_month: ofMoment,
  month: ofMoment,
  year: ofMoment,

  // What the query itself is; also part of duration expressions.
  start: newScalar,
  end: newScalar,
  step: newScalar,
  range: newScalar,
  min_of: takes(["scalar", "scalar"], { returns: "scalar", experimental }),
  max_of: takes(["scalar", "scalar"], { returns: "scalar", experimental }),

  // Labels and order.
  label_join: takes(["vector", "string", "string", "string"], { variadic: -1 }),
  label_replace: takes(["vector", "string", "string", "string", "string"]),
  info: takes(["vector", "vector"], { variadic: 1, experimental }),
  sort: ofVector,
  sort_desc: ofVector,
  sort_by_label: takes(["vector", "string"], { variadic: -1, experimental }),
  sort_by_label_desc: takes(["vector", "string"], { variadic: -1, experimental }),
} as const satisfies Record<string, Signature>;
/** As it stands in a query, in lower case. */
export type FunctionName = keyof typeof FUNCTIONS;

export const isFunction = (name: string): name is FunctionName => Object.hasOwn(FUNCTIONS, name);
export const signatureOf = (name: FunctionName): Signature => FUNCTIONS[name];

/** What an aggregation takes before its vector, and whether it is experimental (Prometheus docs, querying/operators.md, "Aggregation operators"). */
export type Aggregation = { readonly param: ValueType | undefined; readonly experimental: boolean };
const aggregation = (param?: ValueType, isNew = false): Aggregation => ({ param, experimental: isNew });

/** Every aggregation operator, by name. */
export const AGGREGATIONS = {
  sum: aggregation(),
  avg: aggregation(),
  min: aggregation(),
  max: aggregation(),
  bottomk: aggregation("scalar"),
  topk: aggregation("scalar"),
  limitk: aggregation("scalar", experimental),
  limit_ratio: aggregation("scalar", experimental),
  group: aggregation(),
  count: aggregation(),
  count_values: aggregation("string"),
  stddev: aggregation(),
  stdvar: aggregation(),
  quantile: aggregation("scalar"),
} as const satisfies Record<string, Aggregation>;
/** As it stands in a query; there upper case is taken too. */
export type AggregationName = keyof typeof AGGREGATIONS;

export const isAggregation = (name: string): name is AggregationName => Object.hasOwn(AGGREGATIONS, name);
