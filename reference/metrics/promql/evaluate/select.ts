import { Columns } from "../../model/index.ts";
import type { Modifiers, VectorSelector } from "../syntax/ast.ts";
import { between } from "../functions/extended.ts";
import { atMs, type Frame, type Work } from "./query.ts";
import { selected } from "./selected.ts";
import { ExecutionFailure } from "./failure.ts";
import { FLOAT, HISTOGRAM, Matrix } from "./value.ts";

/** The time at which a selector reads for each step: shifted by `offset`, fixed by `@` (Prometheus docs, querying/basics.md, "Offset modifier", "@ modifier"). */
export function lookedAt(frame: Frame, modifiers: Modifiers): Float64Array {
  const { query, times } = frame;
  const back = query.ms(modifiers.offset, "offset");
  if (modifiers.at !== undefined) return new Float64Array(times.length).fill(atMs(modifiers.at, query.steps) - back);
  return back === 0 ? times : times.map((time) => time - back);
}

/** What a selector returns: the sample, its time in seconds, or the time of a float, where a histogram is a failure. */
export type Taken = "sample" | "timestamp" | "timestamp of a float";

/**
 * The most recent sample of each series at each step, if it is within the look-back and not a stale marker (Prometheus docs, querying/basics.md, "Instant
 * vector selectors", "Staleness"). Each series is read once for all steps.
 */
export function* selectInstant(selector: VectorSelector, frame: Frame, taken: Taken = "sample"): Work<Matrix> {
  const { query, steps } = frame;
  const { querier, budget, options } = query;
  const refs = lookedAt(frame, selector);
  const matrix = new Matrix(steps);
  if (steps === 0) return matrix;
  const back = options.lookbackMs;
  const from = (refs[0] ?? 0) - back + 1;
  const isSmoothed = selector.extension === "smoothed" && taken === "sample";
  const to = (refs[steps - 1] ?? 0) + (isSmoothed ? back : 0);
  const columns = new Columns();
  for (const series of selected(querier, { matchers: selector.matchers, start: from, end: to }, query)) {
    if (series === undefined) {
      yield;
      continue;
    }
    columns.clear();
    series.read(columns, from, to);
    if (query.isDue(columns.length + steps)) yield;
    if (columns.length === 0) continue;
    if (matrix.cells + steps > matrix.values.length) budget.room(matrix.cells * 2);
    const first = matrix.addRow(series.labels);
    const row = { matrix, first, columns, refs, back };
    const found = fill(row, taken);
    if (isSmoothed) smooth(row);
    if (found === 0) matrix.dropRow();
    matrix.held += found;
    budget.hold(found);
    query.tally?.add(found);
  }
  return budget.keep(matrix);
}

/** One series and the row it fills from cell `first` on; `refs` are the times read at each step, `back` the look-back. */
type Row = {
  readonly matrix: Matrix;
  readonly first: number;
  readonly columns: Columns;
  readonly refs: Float64Array;
  readonly back: number;
};

/** Interpolates linearly between two samples (Prometheus docs, feature_flags.md, "smoothed"). */
function smooth({ matrix, first, columns, refs, back }: Row): void {
  for (let step = 0; step < refs.length; step++) {
    const ref = refs[step] ?? 0;
    const after = columns.rowAt(ref + 1);
    const isBetween = after > 0 && after < columns.length && (columns.times[after] ?? 0) <= ref + back && !columns.isStale(after);
    if (matrix.kinds[first + step] === FLOAT && isBetween) matrix.values[first + step] = between(columns, after - 1, ref, false);
  }
}

/** Returns the number of steps with a sample. */
function fill({ matrix, first, columns, refs, back }: Row, taken: Taken): number {
  const { times, values, length, histograms } = columns;
  const { values: out, kinds } = matrix;
  let row = -1;
  let found = 0;
  for (let step = 0; step < refs.length; step++) {
    const ref = refs[step] ?? 0;
    while (row + 1 < length && (times[row + 1] ?? 0) <= ref) row += 1;
    if (row < 0 || (times[row] ?? 0) <= ref - back) continue;
    const value = values[row] ?? 0;
    // Only a NaN can be a stale marker.
    if (value !== value && columns.isStale(row)) continue;
    out[first + step] = taken === "sample" ? value : (times[row] ?? 0) / 1_000;
    kinds[first + step] = FLOAT;
    found += 1;
    const histogram = histograms?.[row];
    if (histogram === undefined || taken === "timestamp") continue;
    if (taken === "timestamp of a float") throw new ExecutionFailure("an info metric has floats, but this series has a histogram");
    matrix.setHistogram(first + step, histogram);
    kinds[first + step] = HISTOGRAM;
  }
  return found;
}
