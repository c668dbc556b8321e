import { Columns, compareLabels, type Histogram, Labels } from "../../model/index.ts";
import type { Querier, Queryable } from "../../storage/index.ts";
import type { Annotation } from "./annotations.ts";
import { type Expr, type MatrixSelector, type Subquery, typeOf, unwrap } from "../syntax/ast.ts";
import { Budget } from "./budget.ts";
import { evaluate } from "./evaluate.ts";
import { type Extent, extentOf } from "./extent.ts";
import { ExecutionFailure } from "./failure.ts";
import type { Profile } from "./profile.ts";
import { ENGINE_DEFAULTS, type EngineOptions, Frame, Query, type Steps, stepTimes, type Work } from "./query.ts";
import type { SamplePool } from "./pool.ts";
import { eachRange, shapeOf } from "./range-rows.ts";
import { eachRow, LABELS_WORK } from "./rows.ts";
import { sorted } from "./sorted.ts";
import { type Kind, Matrix } from "./value.ts";

/** The value of a query, by the type of the expression (Prometheus docs, querying/api.md, "Expression query result formats"). */
export type QueryValue =
  | { readonly is: "scalar"; readonly timeMs: number; readonly value: number }
  | { readonly is: "string"; readonly timeMs: number; readonly text: string }
  /** One sample each, in the order of the expression: `sort` and `topk` define one. */
  | { readonly is: "vector"; readonly timeMs: number; readonly elements: readonly Element[] }
  /** Sorted by labels. `series` reuses the same columns for each series. */
  | { readonly is: "matrix"; readonly size: number; series(): Iterable<readonly [Labels, Columns]> };

/** One element of an instant vector; if `histogram` is defined, ignore `value`. */
export type Element = { readonly labels: Labels; readonly value: number; readonly histogram: Histogram | undefined };

/** The result of an evaluation with its annotations. A failure is thrown as `QueryFailure` instead. */
export type QueryResult = {
  readonly value: QueryValue;
  readonly warnings: readonly Annotation[];
  readonly infos: readonly Annotation[];
  /** The largest number of samples in memory at one time. */
  readonly peakSamples: number;
  /** Samples seen by all steps together, and how many of them no earlier step had seen; 0 unless `countSamples` is set. */
  readonly totalSamples: number;
  readonly samplesRead: number;
};

/** Evaluates at one time, in milliseconds since 1970. The work yields often: see `Work` and `finish`. */
export function* evaluateInstant(queryable: Queryable, expr: Expr, timeMs: number, options: QueryOptions = {}): Work<QueryResult> {
  const steps = { startMs: timeMs, endMs: timeMs, stepMs: 0 };
  return yield* withQuery({ queryable, expr, steps, options }, function* instant(query) {
    const root = unwrap(expr);
    const frame = new Frame(query, stepTimes(steps));
    if (root.is === "matrixSelector" || root.is === "subquery") return yield* samplesOf(root, frame);
    const value = yield* evaluate(expr, frame);
    if (value.is === "string") return { is: "string", timeMs, text: value.text };
    if (value.is === "scalar") return { is: "scalar", timeMs, value: value.values[0] ?? Number.NaN };
    return { is: "vector", timeMs, elements: yield* elementsOf(value, query) };
  });
}

/** Evaluates at every step from start to end; the end is included if it is a step. */
export function* evaluateRange(queryable: Queryable, expr: Expr, steps: Steps, options: QueryOptions = {}): Work<QueryResult> {
  return yield* withQuery({ queryable, expr, steps, options }, function* range(query) {
    const type = typeOf(expr);
    if (type !== "vector" && type !== "scalar")
      throw new ExecutionFailure(`invalid expression type "${NAMES[type]}" for range query, must be Scalar or instant Vector`);
    query.budget.room((steps.endMs - steps.startMs) / steps.stepMs);
    const times = stepTimes(steps);
    const value = yield* evaluate(expr, new Frame(query, times));
    if (value.is === "vector") return yield* matrixOf(value, times, query);
    const only = new Matrix(times.length, 1);
    only.addRow(Labels.NONE);
    if (value.is === "scalar") only.values.set(value.values);
    only.kinds.fill(1 satisfies Kind);
    return yield* matrixOf(only, times, query);
  });
}

const NAMES = { matrix: "range vector", string: "string" } as const;

/** Runs work to its end. Calls `checkpoint` at each yield, which can end the work by throwing. */
export function finish<T>(work: Work<T>, checkpoint: () => void = () => {}): T {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
    try {
      checkpoint();
    } catch (error) {
      work[Symbol.dispose]();
      throw error;
    }
  }
}

/** The largest number of points per series of a range query (Prometheus docs, querying/api.md, "Range queries"); the query API refuses more. */
export const MOST_POINTS = 11_000;
/** Whether more than `MOST_POINTS` steps follow the first point; times in milliseconds. */
export const exceedsPoints = ({ startMs, endMs, stepMs }: Steps): boolean => (endMs - startMs) / stepMs > MOST_POINTS;

/** `pool`: the samples that all queries of a server hold together; `profile` gets the cost of each node. */
export type QueryOptions = Partial<EngineOptions> & { readonly pool?: SamplePool; readonly profile?: Profile };

type QueryPlan = {
  readonly queryable: Queryable;
  readonly expr: Expr;
  readonly steps: Steps;
  readonly options: QueryOptions;
};

function* withQuery(plan: QueryPlan, run: (query: Query) => Work<QueryValue>): Work<QueryResult> {
  const { queryable, expr, steps } = plan;
  const { pool, profile, ...given } = plan.options;
  const options = { ...ENGINE_DEFAULTS, ...given };
  const querier = openFor(queryable, extentOf(expr, steps, options));
  const budget = new Budget(options.maxSamples, pool);
  const query = new Query({ steps, querier, budget, options, evaluate, profile });
  try {
    const value = yield* run(query);
    const { annotations, tally } = query;
    return {
      value,
      warnings: annotations.warnings,
      infos: annotations.infos,
      peakSamples: budget.peak,
      totalSamples: tally?.loaded ?? 0,
      samplesRead: tally?.read ?? 0,
    };
  } finally {
    budget.end();
    querier.close();
  }
}

const NOTHING: Querier = { select: () => [], labelNames: () => [], labelValues: () => [], close() {} };
const openFor = (queryable: Queryable, extent: Extent | undefined): Querier =>
  extent === undefined ? NOTHING : queryable.querier(extent.startMs, extent.endMs);

function* elementsOf(matrix: Matrix, query: Query): Work<Element[]> {
  const found: Element[] = [];
  for (let row = 0; row < matrix.rows; row++) {
    if (query.isDue(LABELS_WORK)) yield;
    if (matrix.isRowEmpty(row)) continue;
    found.push({ labels: matrix.labelsOf(row), value: matrix.values[row] ?? 0, histogram: matrix.histogramAt(row) });
  }
  return found;
}

function* matrixOf(matrix: Matrix, times: Float64Array, query: Query): Work<QueryValue> {
  const found: { readonly row: number; readonly labels: Labels }[] = [];
  yield* eachRow(matrix, query, (row) => {
    if (!matrix.isRowEmpty(row)) found.push({ row, labels: matrix.labelsOf(row) });
  });
  const rows = yield* sorted(found, (a, b) => compareLabels(a.labels, b.labels), query);
  return {
    is: "matrix",
    size: rows.length,
    *series() {
      const columns = new Columns();
      for (const { row, labels } of rows) {
        columns.clear();
        matrix.readRow(row, times, columns);
        yield [labels, columns] as const;
      }
    },
  };
}

/** A range vector as the whole expression: the samples themselves. */
function* samplesOf(root: MatrixSelector | Subquery, frame: Frame): Work<QueryValue> {
  const { budget } = frame.query;
  const found: (readonly [Labels, Columns])[] = [];
  yield* eachRange(root, frame, shapeOf(root, frame), (labels, columns) => {
    if (columns.length === 0) return;
    budget.hold(columns.length);
    found.push([labels, columns.copy()]);
  });
  const rows = yield* sorted(found, ([a], [b]) => compareLabels(a, b), frame.query);
  return { is: "matrix", size: rows.length, series: () => rows };
}
