import { type Labels, METADATA_NAMES } from "../../model/index.ts";
import { sameLabels } from "./failure.ts";
import type { Query } from "./query.ts";
import type { Strides, Work } from "./strides.ts";
import { ABSENT, Matrix } from "./value.ts";

/** The cost of making the labels of a row, in samples (`Strides`). */
export const LABELS_WORK = 64;

/** The cost of reading or writing text of labels, in samples (`Strides`). */
export const textWork = (characters: number): number => characters >>> 3;

/** Visits each row and yields in between: a loop over millions of cells would block everything else. */
export function* eachRow({ rows, steps }: Matrix, strides: Strides, visit: (row: number, first: number) => void): Work<void> {
  for (let row = 0; row < rows; row++) {
    if (strides.isDue(steps)) yield;
    visit(row, row * steps);
  }
}

/**
 * Drops the metric name, type and unit (Prometheus docs, querying/functions.md and querying/operators.md). Series that differ only in
 * those labels are merged; two samples at the same step fail.
 */
export function* withoutName(matrix: Matrix, query: Query): Work<Matrix> {
  if (matrix.isNameless) return matrix;
  const { sources } = matrix;
  const isOneName = haveOneName(sources);
  matrix.isNameless = true;
  return isOneName ? matrix : yield* united(matrix, query);
}

/** Whether all labels have the same metric name, type and unit. */
export function haveOneName(sources: readonly Labels[]): boolean {
  const names = [...METADATA_NAMES].map((name) => [name, sources[0]?.get(name)] as const);
  return sources.every((labels) => names.every(([name, value]) => labels.get(name) === value));
}

/** Merges rows with equal labels. */
export function* united(matrix: Matrix, query: Query): Work<Matrix> {
  const rows = new Map<string, number>();
  const labels: Labels[] = [];
  const targets: number[] = [];
  for (let row = 0; row < matrix.rows; row++) {
    const own = matrix.labelsOf(row);
    if (query.isDue(LABELS_WORK + textWork(own.key.length))) yield;
    const target = rows.get(own.key) ?? labels.length;
    if (target === labels.length) {
      rows.set(own.key, target);
      labels.push(own);
    }
    targets.push(target);
  }
  if (labels.length === matrix.rows) return matrix;
  const out = new Matrix(matrix.steps, labels.length);
  for (const own of labels) out.addRow(own);
  yield* eachRow(matrix, query, (row) => layOver(out, targets[row] ?? 0, matrix, row));
  query.budget.drop(matrix);
  return query.budget.keep(out);
}

/** Copies the samples of a row into another row, which must have no sample at the same steps. */
function layOver(out: Matrix, target: number, from: Matrix, row: number): void {
  const [first, source] = [target * out.steps, row * from.steps];
  for (let step = 0; step < out.steps; step++) {
    if (from.kinds[source + step] === ABSENT) continue;
    if (out.kinds[first + step] !== ABSENT) throw sameLabels();
    out.copyCell(first + step, from, source + step);
  }
}

/** Repeats the only step of `once` for every step. */
export function* spread(once: Matrix, steps: number, query: Query): Work<Matrix> {
  const out = new Matrix(steps, once.rows);
  out.isNameless = once.isNameless;
  for (let row = 0; row < once.rows; row++) {
    const first = out.addRow(once.sources[row] ?? once.labelsOf(row));
    for (let step = 0; step < steps; step++) out.copyCell(first + step, once, row);
    if (query.isDue(steps)) yield;
  }
  return out;
}
