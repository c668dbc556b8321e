import { Columns, type Labels, withHint } from "../../model/index.ts";
import type { MatrixSelector, Subquery } from "../syntax/ast.ts";
import { lookedAt } from "./select.ts";
import { Frame, timesFrom, type Work } from "./query.ts";
import { selected } from "./selected.ts";

/** The windows of a range vector: one at each step, of equal length, ending at `ends`; they may overlap. */
export type RangeShape = { readonly ends: Float64Array; readonly rangeMs: number };
/** Handles one series; may return work that yields. */
export type RangeVisitor = (labels: Labels, columns: Columns) => Work<void> | void;

export const shapeOf = (expr: MatrixSelector | Subquery, frame: Frame): RangeShape => ({
  ends: lookedAt(frame, expr.is === "matrixSelector" ? expr.selector : expr),
  rangeMs: frame.query.ms(expr.range, "length"),
});

/**
 * Visits each series of a range vector once, with all its samples from the first window to the last, without stale markers. The columns are reused
 * for the next series.
 */
export function* eachRange(expr: MatrixSelector | Subquery, frame: Frame, { ends, rangeMs }: RangeShape, visit: RangeVisitor): Work<void> {
  if (ends.length === 0) return;
  const extension = expr.is === "matrixSelector" ? expr.selector.extension : undefined;
  const { lookbackMs } = frame.query.options;
  const from = (ends[0] ?? 0) - rangeMs + 1 - (extension === undefined ? 0 : lookbackMs);
  const to = (ends[ends.length - 1] ?? 0) + (extension === "smoothed" ? lookbackMs : 0);
  const { tally } = frame.query;
  const counted: RangeVisitor =
    tally === undefined
      ? visit
      : (labels, columns) => {
          tally.addWindows(columns, ends, rangeMs);
          return visit(labels, columns);
        };
  const { profile } = frame.query;
  const noted = (visitor: RangeVisitor): RangeVisitor =>
    profile === undefined ? visitor : (labels, columns) => (profile.addSeries(expr, columns.length), visitor(labels, columns));
  if (expr.is === "subquery") yield* eachOfSubquery(expr, frame, { from, to }, noted(visit));
  else yield* eachOfSelector(expr, frame, { from, to }, noted(counted));
}

/** Milliseconds since 1970, both ends included. */
type Times = { readonly from: number; readonly to: number };

function* eachOfSelector({ selector }: MatrixSelector, { query }: Frame, { from, to }: Times, visit: RangeVisitor): Work<void> {
  const columns = new Columns();
  for (const series of selected(query.querier, { matchers: selector.matchers, start: from, end: to }, query)) {
    if (series === undefined) {
      yield;
      continue;
    }
    columns.clear();
    series.read(columns, from, to);
    query.budget.glance(columns.length);
    withoutStale(columns);
    const more = visit(series.labels, columns);
    if (more !== undefined) yield* more;
    if (query.isDue(columns.length)) yield;
  }
}

/** The steps of a subquery are multiples of its own step, independent of the start of the query (Prometheus docs, querying/basics.md, "Subquery"). */
function* eachOfSubquery(expr: Subquery, { query }: Frame, { from, to }: Times, visit: RangeVisitor): Work<void> {
  const step = expr.step === undefined ? query.options.subqueryStepMs : query.ms(expr.step, "length");
  const first = Math.ceil(from / step) * step;
  const count = Math.max(0, Math.floor((to - first) / step) + 1);
  query.budget.room(count);
  const times = timesFrom(first, step, count);
  const value = yield* query.evaluate(expr.expr, new Frame(query, times));
  if (value.is !== "vector") return;
  const columns = new Columns();
  for (let row = 0; row < value.rows; row++) {
    columns.clear();
    value.readRow(row, times, columns);
    forgetHints(columns);
    const more = visit(value.labelsOf(row), columns);
    if (more !== undefined) yield* more;
    if (query.isDue(columns.length)) yield;
  }
  query.budget.drop(value);
}

/** Removes counter-reset hints: they refer to the previous sample in the storage, which is not the previous sample here (Prometheus specs, native_histograms.md, "Counter resets"). */
function forgetHints({ histograms, length }: Columns): void {
  if (histograms === undefined) return;
  for (let row = 0; row < length; row++) {
    const histogram = histograms[row];
    if (histogram !== undefined && histogram.resetHint !== "gauge") histograms[row] = withHint(histogram, "unknown");
  }
}

function withoutStale(columns: Columns): void {
  const { times, values, length } = columns;
  let kept = 0;
  for (let row = 0; row < length; row++) {
    const value = values[row] ?? 0;
    if (value !== value && columns.isStale(row)) continue;
    if (kept !== row) {
      times[kept] = times[row] ?? 0;
      values[kept] = value;
      if (columns.histograms !== undefined) columns.histograms[kept] = columns.histograms[row];
    }
    kept += 1;
  }
  columns.length = kept;
}
