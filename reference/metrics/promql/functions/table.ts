import { unwrap } from "../syntax/ast.ts";
import { overRange } from "../evaluate/over-time.ts";
import { absent, absentOverTime } from "./absent.ts";
import { checkQuantile, checkSmoothing } from "./arguments.ts";
import * as calendar from "./calendar.ts";
import { clamp, map, noSeries, ofTwoScalars, round, scalar, stepScalar, timestamp, vector } from "./elements.ts";
import { fraction, nativeNumber, quantileOf, quantilesOf } from "./histograms.ts";
import { nativeVariance } from "./histogram-native.ts";
import { info } from "./info.ts";
import { labelJoin, labelReplace } from "./labels.ts";
import { FUNCTION_NAMES, type FunctionName } from "./names.ts";
import * as range from "./over-time.ts";
import { type FunctionRow, row } from "./row.ts";
import { sortByLabel, sortByValue } from "./sort.ts";

const VECTOR = ["vector"] as const;
const MATRIX = ["matrix"] as const;
const experimental = true;

const ofNumber = (of: (value: number) => number): FunctionRow => row(VECTOR, map(of));
/** A calendar function uses the time of the step if it has no argument. */
const ofDate = (of: (seconds: number) => number): FunctionRow =>
  row(VECTOR, map(of), { variadic: 1, dependsOnTime: ({ args }) => args.length === 0 });
const ofRange = (about: range.RangeFunction, options = {}): FunctionRow => row(MATRIX, overRange(about), options);
const ofHistogram = (of: Parameters<typeof nativeNumber>[0]): FunctionRow => row(VECTOR, nativeNumber(of));
const ofQuery = (of: Parameters<typeof stepScalar>[0], options = {}): FunctionRow =>
  row([], stepScalar(of), { returns: "scalar", ...options });

/** Every function of the language (Prometheus docs, querying/functions.md): adding a name without a row does not compile. */
export const FUNCTIONS: Readonly<Record<FunctionName, FunctionRow>> = {
  // One element at a time.
  abs: ofNumber(Math.abs),
  ceil: ofNumber(Math.ceil),
  floor: ofNumber(Math.floor),
  exp: ofNumber(Math.exp),
  ln: ofNumber(Math.log),
  log2: ofNumber(Math.log2),
  log10: ofNumber(Math.log10),
  sqrt: ofNumber(Math.sqrt),
  // Zero keeps its sign, and NaN stays NaN.
  sgn: ofNumber(Math.sign),
  round: row(["vector", "scalar"], round, { variadic: 1 }),
  clamp: row(["vector", "scalar", "scalar"], clamp({ minAt: 1, maxAt: 2 })),
  clamp_max: row(["vector", "scalar"], clamp({ maxAt: 1 })),
  clamp_min: row(["vector", "scalar"], clamp({ minAt: 1 })),
  acos: ofNumber(Math.acos),
  acosh: ofNumber(Math.acosh),
  asin: ofNumber(Math.asin),
  asinh: ofNumber(Math.asinh),
  atan: ofNumber(Math.atan),
  atanh: ofNumber(Math.atanh),
  cos: ofNumber(Math.cos),
  cosh: ofNumber(Math.cosh),
  sin: ofNumber(Math.sin),
  sinh: ofNumber(Math.sinh),
  tan: ofNumber(Math.tan),
  tanh: ofNumber(Math.tanh),
  deg: ofNumber((value) => value * (180 / Math.PI)),
  rad: ofNumber((value) => value * (Math.PI / 180)),
  pi: ofQuery(() => Math.PI),

  // Conversions between types; missing series.
  scalar: row(VECTOR, scalar, { returns: "scalar" }),
  vector: row(["scalar"], vector),
  absent: row(VECTOR, absent),
  absent_over_time: row(MATRIX, absentOverTime),

  // Over a range: counters and gauges.
  rate: ofRange(range.rate),
  increase: ofRange(range.increase),
  irate: ofRange(range.irate),
  idelta: ofRange(range.idelta),
  delta: ofRange(range.delta),
  deriv: ofRange(range.deriv),
  changes: ofRange(range.changes),
  resets: ofRange(range.resets),
  predict_linear: row(["matrix", "scalar"], overRange(range.predictLinear), { dependsOnTime: true }),
  double_exponential_smoothing: row(
    ["matrix", "scalar", "scalar"],
    overRange({ ...range.doubleExponentialSmoothing, check: checkSmoothing }),
    { experimental },
  ),

  // Over a range: aggregation.
  avg_over_time: ofRange(range.avg),
  min_over_time: ofRange(range.min),
  max_over_time: ofRange(range.max),
  sum_over_time: ofRange(range.sum),
  count_over_time: ofRange(range.count),
  quantile_over_time: row(["scalar", "matrix"], overRange({ ...range.quantileOfRange, check: checkQuantile })),
  stddev_over_time: ofRange(range.stddev),
  stdvar_over_time: ofRange(range.stdvar),
  last_over_time: ofRange(range.last),
  first_over_time: ofRange(range.first),
  present_over_time: ofRange(range.present),
  mad_over_time: ofRange(range.mad, { experimental }),
  ts_of_min_over_time: ofRange(range.timeOfMin, { experimental }),
  ts_of_max_over_time: ofRange(range.timeOfMax, { experimental }),
  ts_of_last_over_time: ofRange(range.timeOfLast, { experimental }),
  ts_of_first_over_time: ofRange(range.timeOfFirst, { experimental }),

  // Histograms.
  histogram_avg: ofHistogram(({ sum, count }) => sum / count),
  histogram_count: ofHistogram(({ count }) => count),
  histogram_sum: ofHistogram(({ sum }) => sum),
  histogram_stddev: ofHistogram((histogram) => Math.sqrt(nativeVariance(histogram))),
  histogram_stdvar: ofHistogram(nativeVariance),
  histogram_fraction: row(["scalar", "scalar", "vector"], fraction),
  histogram_quantile: row(["scalar", "vector"], quantileOf),
  histogram_quantiles: row(["vector", "string", "scalar", "scalar"], quantilesOf, { variadic: 9, experimental }),

  // Time and calendar.
  time: ofQuery(({ times }, step) => (times[step] ?? 0) / 1_000, { dependsOnTime: true }),
  timestamp: row(VECTOR, timestamp, { dependsOnTime: ({ args: [arg] }) => arg === undefined || unwrap(arg).is !== "vectorSelector" }),
  start_timestamp: row(VECTOR, noSeries),
  minute: ofDate(calendar.minute),
  hour: ofDate(calendar.hour),
  day_of_week: ofDate(calendar.dayOfWeek),
  day_of_month: ofDate(calendar.dayOfMonth),
  day_of_year: ofDate(calendar.dayOfYear),
  days_in_month: ofDate(calendar.daysInMonth),
  month: ofDate(calendar.month),
  year: ofDate(calendar.year),

  // The query itself; also in duration expressions.
  start: ofQuery(({ query }) => query.steps.startMs / 1_000, { experimental }),
  end: ofQuery(({ query }) => query.steps.endMs / 1_000, { experimental }),
  step: ofQuery(({ query }) => query.steps.stepMs / 1_000, { experimental }),
  range: ofQuery(({ query }) => (query.steps.endMs - query.steps.startMs) / 1_000, { experimental }),
  min_of: row(["scalar", "scalar"], ofTwoScalars(Math.min), { returns: "scalar", experimental }),
  max_of: row(["scalar", "scalar"], ofTwoScalars(Math.max), { returns: "scalar", experimental }),

  // Labels and order.
  label_join: row(["vector", "string", "string", "string"], labelJoin, { variadic: -1 }),
  label_replace: row(["vector", "string", "string", "string", "string"], labelReplace),
  info: row(["vector", "vector"], info, { variadic: 1, experimental, dependsOnTime: true, matchersAt: 1 }),
  sort: row(VECTOR, sortByValue("ascending")),
  sort_desc: row(VECTOR, sortByValue("descending")),
  sort_by_label: row(["vector", "string"], sortByLabel("ascending"), { variadic: -1, experimental }),
  sort_by_label_desc: row(["vector", "string"], sortByLabel("descending"), { variadic: -1, experimental }),
};

const NAMES: ReadonlySet<string> = new Set(FUNCTION_NAMES);
export const isFunction = (name: string): name is FunctionName => NAMES.has(name);
