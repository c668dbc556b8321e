import type { Strides, Work } from "../evaluate/strides.ts";
import { eachRow } from "../evaluate/rows.ts";
import { ABSENT, FLOAT, HISTOGRAM, Matrix } from "../evaluate/value.ts";
import { fillRows, type Groups } from "./groups.ts";

/** Aggregations that need one pass over the rows and a few numbers for each group and step; they ignore histograms. */

/** Calls `visit` for each row with its first cell and the first cell of its group. */
function* eachOfGroup(matrix: Matrix, { of }: Groups, strides: Strides, visit: (source: number, target: number) => void): Work<void> {
  yield* eachRow(matrix, strides, (row, source) => visit(source, (of[row] ?? 0) * matrix.steps));
}

/** `sum`: compensated, so that the order of series does not change the last digit. */
export function* sum(matrix: Matrix, groups: Groups, strides: Strides): Work<Matrix> {
  const { steps, kinds, values } = matrix;
  const out = fillRows(new Matrix(steps, groups.labels.length), groups);
  const lost = new Float64Array(out.cells);
  const [sums, outKinds] = [out.values, out.kinds];
  yield* eachOfGroup(matrix, groups, strides, (source, target) => {
    for (let step = 0; step < steps; step++) {
      if (kinds[source + step] !== FLOAT) continue;
      const value = values[source + step] ?? 0;
      const before = sums[target + step] ?? 0;
      const next = before + value;
      if (next === Infinity || next === -Infinity) lost[target + step] = 0;
      else if (Math.abs(before) >= Math.abs(value)) lost[target + step] = (lost[target + step] ?? 0) + (before - next + value);
      else lost[target + step] = (lost[target + step] ?? 0) + (value - next + before);
      sums[target + step] = next;
      outKinds[target + step] = FLOAT;
    }
  });
  for (let cell = 0; cell < out.cells; cell++) sums[cell] = (sums[cell] ?? 0) + (lost[cell] ?? 0);
  return out;
}

/** `avg`: the sum divided by the count, or, if the sum overflows although no value is infinite, a running mean. */
export function* avg(matrix: Matrix, groups: Groups, strides: Strides): Work<Matrix> {
  const out = yield* sum(matrix, groups, strides);
  const counts = yield* count(matrix, groups, strides);
  for (let cell = 0; cell < out.cells; cell++) {
    const total = out.values[cell] ?? 0;
    const number = counts.values[cell] ?? 0;
    const isBeyond = Math.abs(total) === Infinity || total !== total;
    out.values[cell] = isBeyond ? movedMean(matrix, groups, cell, total) : total / number;
  }
  return out;
}

/** The running mean of one group at one step. If a value is infinite or NaN, the mean is what the sum is. */
function movedMean(matrix: Matrix, { of }: Groups, cell: number, total: number): number {
  const { steps } = matrix;
  const [group, step] = [Math.floor(cell / steps), cell % steps];
  let [mean, number] = [0, 0];
  for (let row = 0; row < matrix.rows; row++) {
    const source = row * steps + step;
    if (of[row] !== group || matrix.kinds[source] !== FLOAT) continue;
    const value = matrix.values[source] ?? 0;
    if (!Number.isFinite(value)) return total;
    number += 1;
    mean += value / number - mean / number;
  }
  return mean;
}

/** `min` (`sign` -1) and `max`: NaN only if there is nothing else. */
export function* extreme(matrix: Matrix, groups: Groups, strides: Strides, sign: 1 | -1): Work<Matrix> {
  const { steps, kinds, values } = matrix;
  const out = fillRows(new Matrix(steps, groups.labels.length), groups);
  const { values: best, kinds: outKinds } = out;
  yield* eachOfGroup(matrix, groups, strides, (source, target) => {
    for (let step = 0; step < steps; step++) {
      if (kinds[source + step] !== FLOAT) continue;
      const value = values[source + step] ?? 0;
      const kept = best[target + step] ?? 0;
      if (outKinds[target + step] !== ABSENT && !(value * sign > kept * sign || kept !== kept)) continue;
      best[target + step] = value;
      outKinds[target + step] = FLOAT;
    }
  });
  return out;
}

/** `count`: floats and histograms. */
export function* count(matrix: Matrix, groups: Groups, strides: Strides): Work<Matrix> {
  const { steps, kinds } = matrix;
  const out = fillRows(new Matrix(steps, groups.labels.length), groups);
  const { values: counts, kinds: outKinds } = out;
  yield* eachOfGroup(matrix, groups, strides, (source, target) => {
    for (let step = 0; step < steps; step++) {
      if (kinds[source + step] === ABSENT) continue;
      counts[target + step] = (counts[target + step] ?? 0) + 1;
      outKinds[target + step] = FLOAT;
    }
  });
  return out;
}

/** `group`: 1 wherever there is a sample. */
export function* group(matrix: Matrix, groups: Groups, strides: Strides): Work<Matrix> {
  const out = yield* count(matrix, groups, strides);
  for (let cell = 0; cell < out.cells; cell++) if (out.kinds[cell] === FLOAT) out.values[cell] = 1;
  return out;
}

/** `stdvar` and `stddev`, of the population, by Welford's recurrence. */
export function* deviation(matrix: Matrix, groups: Groups, strides: Strides, isRoot: boolean): Work<Matrix> {
  const { steps, kinds, values } = matrix;
  const out = fillRows(new Matrix(steps, groups.labels.length), groups);
  const [counts, means] = [new Float64Array(out.cells), new Float64Array(out.cells)];
  const { values: squares, kinds: outKinds } = out;
  yield* eachOfGroup(matrix, groups, strides, (source, target) => {
    for (let step = 0; step < steps; step++) {
      if (kinds[source + step] !== FLOAT) continue;
      const value = values[source + step] ?? 0;
      const number = (counts[target + step] ?? 0) + 1;
      const mean = means[target + step] ?? 0;
      const distance = value - mean;
      const moved = mean + distance / number;
      counts[target + step] = number;
      means[target + step] = moved;
      squares[target + step] = (squares[target + step] ?? 0) + distance * (value - moved);
      outKinds[target + step] = FLOAT;
    }
  });
  for (let cell = 0; cell < out.cells; cell++) {
    const variance = (squares[cell] ?? 0) / (counts[cell] ?? 1);
    squares[cell] = isRoot ? Math.sqrt(variance) : variance;
  }
  return out;
}

/** Whether a matrix contains a histogram. */
export const hasHistogram = (matrix: Matrix): boolean => {
  if (matrix.histograms === undefined) return false;
  for (let cell = 0; cell < matrix.cells; cell++) if (matrix.kinds[cell] === HISTOGRAM) return true;
  return false;
};
