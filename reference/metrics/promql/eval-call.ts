import { type Call, unwrap } from "./ast.ts";
import { overTime } from "./eval-over-time.ts";
import { ExecutionFailure } from "./failure.ts";
import { absent, absentOverTime } from "./functions/absent.ts";
import { classicAndNative, nativeNumbers } from "./functions/histograms.ts";
import { info } from "./functions/info.ts";
import { labelJoin, labelReplace } from "./functions/labels.ts";
import { CALENDAR, clamp, MATH, roundTo } from "./functions/math.ts";
import { OVER_TIME } from "./functions/over-time.ts";
import type { FunctionName } from "./functions/signatures.ts";
import { sortByLabel, sortByValue } from "./functions/sort.ts";
import { selectInstant } from "./eval-select.ts";
import { eachRow, withoutName } from "./rows.ts";
import type { Frame, Work } from "./query.ts";
import { ABSENT, FLOAT, HISTOGRAM, Matrix, Scalar, type Value } from "./value.ts";
import { Labels } from "../model/index.ts";
import { numberArgument, vectorArgument } from "./functions/given.ts";

type Perform = (call: Call, frame: Frame) => Work<Value>;

/** A call of a function (Prometheus docs, querying/functions.md). */
export function* call(expr: Call, frame: Frame): Work<Value> {
  const { name } = expr;
  const ofFrame = OF_FRAME[name];
  if (ofFrame !== undefined) {
    const values = new Float64Array(frame.steps);
    for (let step = 0; step < values.length; step++) values[step] = ofFrame(frame, step);
    return new Scalar(values);
  }
  // Start timestamps are not kept: as without the feature, nothing has one (Prometheus docs, querying/functions.md, "start_timestamp()").
  if (name === "start_timestamp") return new Matrix(frame.steps, 0);
  const special = SPECIAL[name];
  if (special !== undefined) return yield* special(expr, frame);
  if (OVER_TIME[name] !== undefined) return yield* overTime(expr, frame);
  const map = MATH[name] ?? CALENDAR[name];
  if (map === undefined) throw new ExecutionFailure(`function ${name} is not known to the engine`);
  return yield* mapped(expr, frame, map);
}

/** A function of each float by itself; histograms are left out. Without an argument it is asked of the step's time. */
function* mapped(expr: Call, frame: Frame, map: (value: number) => number): Work<Matrix> {
  if (expr.args.length === 0) return ofTimes(frame, (seconds) => map(seconds));
  return yield* floatsMapped(yield* vectorArgument(expr, 0, frame), frame, map);
}

function* floatsMapped(matrix: Matrix, { query }: Frame, map: (value: number, step: number) => number): Work<Matrix> {
  const { values, kinds, steps } = matrix;
  yield* eachRow(matrix, query, (_row, first) => {
    for (let step = 0, cell = first; step < steps; step++, cell++) {
      if (kinds[cell] === FLOAT) values[cell] = map(values[cell] ?? 0, step);
      else kinds[cell] = ABSENT;
    }
  });
  matrix.histograms = undefined;
  return yield* withoutName(matrix, query);
}

/** One element without labels at each step. */
function ofTimes({ times }: Frame, value: (seconds: number, step: number) => number): Matrix {
  const out = new Matrix(times.length, 1);
  out.addRow(Labels.NONE);
  for (let step = 0; step < times.length; step++) out.values[step] = value((times[step] ?? 0) / 1_000, step);
  out.kinds.fill(FLOAT);
  return out;
}

/** Scalars that the query and the step alone decide. */
const OF_FRAME: Readonly<Partial<Record<FunctionName, (frame: Frame, step: number) => number>>> = {
  pi: () => Math.PI,
  time: ({ times }, step) => (times[step] ?? 0) / 1_000,
  start: ({ query }) => query.steps.startMs / 1_000,
  end: ({ query }) => query.steps.endMs / 1_000,
  step: ({ query }) => query.steps.stepMs / 1_000,
  range: ({ query }) => (query.steps.endMs - query.steps.startMs) / 1_000,
};

const extreme = (of: (a: number, b: number) => number): Perform =>
  function* ofTwo(expr, frame) {
    const [a, b] = [yield* numberArgument(expr, 0, frame), yield* numberArgument(expr, 1, frame)];
    return new Scalar(a.map((value, step) => of(value, b[step] ?? Number.NaN)));
  };

/** clamp(), clamp_min(), clamp_max() */
const clamped = (minAt: number | undefined, maxAt: number | undefined): Perform =>
  function* limited(expr, frame) {
    const matrix = yield* vectorArgument(expr, 0, frame);
    const min = minAt === undefined ? undefined : yield* numberArgument(expr, minAt, frame);
    const max = maxAt === undefined ? undefined : yield* numberArgument(expr, maxAt, frame);
    const out = yield* floatsMapped(matrix, frame, (value, step) => clamp(value, min?.[step] ?? -Infinity, max?.[step] ?? Infinity));
    // Nothing is between a limit and a smaller one.
    yield* eachRow(out, frame.query, (_row, first) => {
      for (let step = 0; step < out.steps; step++) {
        if ((min?.[step] ?? -Infinity) > (max?.[step] ?? Infinity)) out.kinds[first + step] = ABSENT;
      }
    });
    return out;
  };

function* round(expr: Call, frame: Frame): Work<Matrix> {
  const matrix = yield* vectorArgument(expr, 0, frame);
  const nearest = expr.args.length > 1 ? yield* numberArgument(expr, 1, frame) : undefined;
  return yield* floatsMapped(matrix, frame, (value, step) => roundTo(value, nearest?.[step] ?? 1));
}

/** The only float at a step, NaN where there is another number of them. */
function* scalar(expr: Call, frame: Frame): Work<Scalar> {
  const matrix = yield* vectorArgument(expr, 0, frame);
  const found = new Uint32Array(frame.steps);
  const values = new Float64Array(frame.steps);
  yield* eachRow(matrix, frame.query, (_row, first) => {
    for (let step = 0; step < frame.steps; step++) {
      if (matrix.kinds[first + step] !== FLOAT) continue;
      found[step] = (found[step] ?? 0) + 1;
      values[step] = matrix.values[first + step] ?? 0;
    }
  });
  frame.query.budget.drop(matrix);
  return new Scalar(values.map((value, step) => (found[step] === 1 ? value : Number.NaN)));
}

function* vector(expr: Call, frame: Frame): Work<Matrix> {
  const values = yield* numberArgument(expr, 0, frame);
  return ofTimes(frame, (_seconds, step) => values[step] ?? Number.NaN);
}

/** The time of a selector's own sample; of what was computed, the time of the step (Prometheus docs, querying/functions.md, "timestamp()"). */
function* timestamp(expr: Call, frame: Frame): Work<Matrix> {
  const [arg] = expr.args;
  const inner = arg === undefined ? undefined : unwrap(arg);
  if (inner?.is === "vectorSelector") return yield* withoutName(yield* selectInstant(inner, frame, "timestamp"), frame.query);
  const matrix = yield* vectorArgument(expr, 0, frame);
  yield* eachRow(matrix, frame.query, (_row, first) => {
    for (let step = 0; step < frame.steps; step++) {
      if (matrix.kinds[first + step] === HISTOGRAM) matrix.kinds[first + step] = FLOAT;
      matrix.values[first + step] = (frame.times[step] ?? 0) / 1_000;
    }
  });
  matrix.histograms = undefined;
  return yield* withoutName(matrix, frame.query);
}

const SPECIAL: Readonly<Partial<Record<FunctionName, Perform>>> = {
  round,
  clamp: clamped(1, 2),
  clamp_min: clamped(1, undefined),
  clamp_max: clamped(undefined, 1),
  min_of: extreme(Math.min),
  max_of: extreme(Math.max),
  scalar,
  vector,
  timestamp,
  absent,
  absent_over_time: absentOverTime,
  histogram_quantile: classicAndNative,
  histogram_quantiles: classicAndNative,
  histogram_fraction: classicAndNative,
  histogram_avg: nativeNumbers,
  histogram_count: nativeNumbers,
  histogram_sum: nativeNumbers,
  histogram_stddev: nativeNumbers,
  histogram_stdvar: nativeNumbers,
  label_replace: labelReplace,
  label_join: labelJoin,
  info,
  sort: sortByValue,
  sort_desc: sortByValue,
  sort_by_label: sortByLabel,
  sort_by_label_desc: sortByLabel,
};
