import { type Histogram, HistogramSum, histogramText, plain } from "../../model/index.ts";
import { MERGED_BOUNDS, MIXED_SAMPLES, MIXED_SCHEMAS, withName } from "../functions/notes.ts";
import { quantile } from "../functions/quantile.ts";
import type { Query, Work } from "../evaluate/query.ts";
import { eachRow } from "../evaluate/rows.ts";
import { ABSENT, FLOAT, Matrix } from "../evaluate/value.ts";
import { fillRows, type Groups, rowsOf } from "./groups.ts";

/** Aggregations that need all samples of a group at a step at once. */

/** The cost of one value in a quantile, in samples (`Strides`). */
const SORT_WORK = 8;

/** `quantile`; `phis` has one φ for each step. */
export function* quantiles(matrix: Matrix, groups: Groups, phis: Float64Array, query: Query): Work<Matrix> {
  const { steps } = matrix;
  const out = fillRows(new Matrix(steps, groups.labels.length), groups);
  const room = new Float64Array(matrix.rows);
  for (const [group, rows] of rowsOf(groups).entries()) {
    for (let step = 0; step < steps; step++) {
      if (query.isDue(rows.length * SORT_WORK)) yield;
      let found = 0;
      for (const row of rows) {
        if (matrix.kinds[row * steps + step] === FLOAT) room[found++] = matrix.values[row * steps + step] ?? 0;
      }
      if (found === 0) continue;
      out.values[group * steps + step] = quantile(phis[step] ?? Number.NaN, room, 0, found);
      out.kinds[group * steps + step] = FLOAT;
    }
  }
  return out;
}

/** The cost of formatting a value, in samples (`Strides`). */
const CELL_WORK = 16;

/** `count_values`: one series for each value, with the value as text in the label (Prometheus docs, querying/operators.md, "count_values"). */
export function* countValues(matrix: Matrix, groups: Groups, label: string, query: Query): Work<Matrix> {
  const { steps, rows } = matrix;
  const out = new Matrix(steps);
  const known = new Map<string, number>();
  for (let row = 0; row < rows; row++) {
    const group = groups.of[row] ?? 0;
    for (let step = 0; step < steps; step++) {
      if (query.isDue(CELL_WORK)) yield;
      const cell = row * steps + step;
      if (matrix.kinds[cell] === ABSENT) continue;
      const histogram = matrix.histogramAt(cell);
      const value = histogram === undefined ? plain(matrix.values[cell] ?? 0) : histogramText(histogram);
      const key = `${group} ${value}`;
      let first = known.get(key);
      if (first === undefined) {
        const labels = groups.labels[group]?.with(label, value) ?? matrix.labelsOf(row);
        query.budget.room(out.cells + steps);
        first = known.get(labels.key) ?? out.addRow(labels);
        known.set(labels.key, first);
        known.set(key, first);
      }
      out.values[first + step] = (out.values[first + step] ?? 0) + 1;
      out.kinds[first + step] = FLOAT;
    }
  }
  return out;
}

/** The cost of adding two histograms, in samples (`Strides`). */
const HISTOGRAM_WORK = 256;

/** Adds an annotation about a sum of histograms. */
export type Remark = (message: string, level: "warn" | "info") => void;

/** A `sum` or `avg`, with the result for the floats. */
export type SummedVector = { readonly matrix: Matrix; readonly groups: Groups; readonly floats: Matrix; readonly isAverage: boolean };

/** `sum` and `avg` of vectors with histograms (Prometheus docs, querying/operators.md, "sum"). */
export function* withHistograms({ matrix, groups, floats, isAverage }: SummedVector, query: Query, remark: Remark): Work<Matrix> {
  const { steps } = matrix;
  const sums: (HistogramSum | "refused" | undefined)[] = [];
  yield* eachRow(matrix, query, (row, first) => {
    for (let step = 0; step < steps; step++) {
      const histogram = matrix.histogramAt(first + step);
      if (histogram === undefined) continue;
      query.charge(HISTOGRAM_WORK);
      const cell = (groups.of[row] ?? 0) * steps + step;
      const sum = sums[cell];
      if (sum === undefined) sums[cell] = new HistogramSum(histogram, isAverage);
      else if (sum !== "refused" && !isAdded(sum, histogram, matrix.metricOf(row), remark)) sums[cell] = "refused";
    }
  });
  for (let cell = 0; cell < floats.cells; cell++) {
    const sum = sums[cell];
    if (sum === undefined) continue;
    const isMixed = floats.kinds[cell] === FLOAT;
    if (isMixed) remark(`${MIXED_SAMPLES} for aggregation`, "warn");
    if (sum !== "refused" && sum.areHintsContradictory) remark("conflicting counter resets during histogram aggregation", "warn");
    if (isMixed || sum === "refused") floats.kinds[cell] = ABSENT;
    else floats.setHistogram(cell, sum.total);
  }
  return floats;
}

function isAdded(sum: HistogramSum, next: Histogram, metric: string, remark: Remark): boolean {
  const added = sum.add(next);
  if (added === undefined) remark(withName(MIXED_SCHEMAS, metric), "warn");
  if (added?.areBoundsMerged === true) remark(MERGED_BOUNDS, "info");
  return added !== undefined;
}
