import { Labels } from "../../model/index.ts";
import { type Call, unwrap } from "../syntax/ast.ts";
import { selectInstant } from "../evaluate/select.ts";
import type { Frame, Work } from "../evaluate/query.ts";
import { eachRow, withoutName } from "../evaluate/rows.ts";
import { ABSENT, FLOAT, HISTOGRAM, Matrix, Scalar } from "../evaluate/value.ts";
import { numberArgument, vectorArgument } from "./given.ts";
import type { Evaluate } from "./row.ts";

/** Functions that map one element at a time, and conversions between scalars and vectors. */

/** A function of each float; histograms are dropped. Without an argument it is a function of the step's time in seconds. */
export const map = (of: (value: number) => number): Evaluate =>
  function* mapped(call, frame) {
    if (call.args.length === 0) return ofTimes(frame, (seconds) => of(seconds));
    return yield* mapFloats(yield* vectorArgument(call, 0, frame), frame, of);
  };

function* mapFloats(matrix: Matrix, { query }: Frame, of: (value: number, step: number) => number): Work<Matrix> {
  const { values, kinds, steps } = matrix;
  yield* eachRow(matrix, query, (_row, first) => {
    for (let step = 0, cell = first; step < steps; step++, cell++) {
      if (kinds[cell] === FLOAT) values[cell] = of(values[cell] ?? 0, step);
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

/** A scalar that depends only on the query and the step. */
export const stepScalar = (of: (frame: Frame, step: number) => number): Evaluate =>
  // oxlint-disable-next-line require-yield -- an evaluator is a generator, and this one has nothing to wait for.
  function* scalarOfStep(_call, frame) {
    const values = new Float64Array(frame.steps);
    for (let step = 0; step < values.length; step++) values[step] = of(frame, step);
    return new Scalar(values);
  };

/** An empty vector. `start_timestamp()`: the storage keeps no start timestamps, so no series has one. */
// oxlint-disable-next-line require-yield -- an evaluator is a generator, and this one has nothing to wait for.
export const noSeries: Evaluate = function* noSeries(_call, frame) {
  return new Matrix(frame.steps, 0);
};

/** `min_of` and `max_of`: of two scalars at each step. */
export const ofTwoScalars = (of: (a: number, b: number) => number): Evaluate =>
  function* ofTwo(call, frame) {
    const [a, b] = [yield* numberArgument(call, 0, frame), yield* numberArgument(call, 1, frame)];
    return new Scalar(a.map((value, step) => of(value, b[step] ?? Number.NaN)));
  };

/** `clamp`, `clamp_min` and `clamp_max`, with the positions of their limits among the arguments. A limit that is NaN makes NaN. */
export const clamp = ({ minAt, maxAt }: { readonly minAt?: number; readonly maxAt?: number }): Evaluate =>
  function* clamped(call, frame) {
    const matrix = yield* vectorArgument(call, 0, frame);
    const mins = minAt === undefined ? undefined : yield* numberArgument(call, minAt, frame);
    const maxs = maxAt === undefined ? undefined : yield* numberArgument(call, maxAt, frame);
    const min = (step: number): number => mins?.[step] ?? -Infinity;
    const max = (step: number): number => maxs?.[step] ?? Infinity;
    const out = yield* mapFloats(matrix, frame, (value, step) => Math.max(min(step), Math.min(max(step), value)));
    // If the lower limit exceeds the upper one, the result is empty.
    yield* eachRow(out, frame.query, (_row, first) => {
      for (let step = 0; step < out.steps; step++) if (min(step) > max(step)) out.kinds[first + step] = ABSENT;
    });
    return out;
  };

/** `round`: to the nearest multiple, ties upwards. */
export function* round(call: Call, frame: Frame): Work<Matrix> {
  const matrix = yield* vectorArgument(call, 0, frame);
  const nearest = call.args.length > 1 ? yield* numberArgument(call, 1, frame) : undefined;
  return yield* mapFloats(matrix, frame, (value, step) => roundTo(value, nearest?.[step] ?? 1));
}

/** Multiplies by the inverse, because 1/0.1 is exact and 0.1 is not. */
function roundTo(value: number, nearest: number): number {
  const inverse = 1 / nearest;
  return Math.floor(value * inverse + 0.5) / inverse;
}

/** `scalar`: the only float at a step, or NaN if there is none or more than one. */
export function* scalar(call: Call, frame: Frame): Work<Scalar> {
  const matrix = yield* vectorArgument(call, 0, frame);
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

/** `vector`: one element without labels. */
export function* vector(call: Call, frame: Frame): Work<Matrix> {
  const values = yield* numberArgument(call, 0, frame);
  return ofTimes(frame, (_seconds, step) => values[step] ?? Number.NaN);
}

/** `timestamp`: for a selector the time of its sample, for any other expression the time of the step. */
export function* timestamp(call: Call, frame: Frame): Work<Matrix> {
  const [arg] = call.args;
  const inner = arg === undefined ? undefined : unwrap(arg);
  if (inner?.is === "vectorSelector") return yield* withoutName(yield* selectInstant(inner, frame, "timestamp"), frame.query);
  const matrix = yield* vectorArgument(call, 0, frame);
  yield* eachRow(matrix, frame.query, (_row, first) => {
    for (let step = 0; step < frame.steps; step++) {
      if (matrix.kinds[first + step] === HISTOGRAM) matrix.kinds[first + step] = FLOAT;
      matrix.values[first + step] = (frame.times[step] ?? 0) / 1_000;
    }
  });
  matrix.histograms = undefined;
  return yield* withoutName(matrix, frame.query);
}
