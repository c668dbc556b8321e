import { compareLabels, compareText } from "../../model/index.ts";
import { eachRow, LABELS_WORK } from "../evaluate/rows.ts";
import { sorted } from "../evaluate/sorted.ts";
import type { Strides, Work } from "../evaluate/strides.ts";
import { ABSENT, FLOAT, HISTOGRAM, Matrix } from "../evaluate/value.ts";
import { textArgument, vectorArgument } from "./given.ts";
import type { Evaluate } from "./row.ts";

type Direction = "ascending" | "descending";
const signOf = (direction: Direction): 1 | -1 => (direction === "ascending" ? 1 : -1);

/** `sort` and `sort_desc`: the elements of an instant query by value, NaN last (Prometheus docs, querying/functions.md). */
export const sortByValue = (direction: Direction): Evaluate =>
  function* sorting(call, frame) {
    const matrix = yield* vectorArgument(call, 0, frame);
    yield* eachRow(matrix, frame.query, (_row, first) => {
      for (let cell = first; cell < first + matrix.steps; cell++) if (matrix.kinds[cell] === HISTOGRAM) matrix.kinds[cell] = ABSENT;
    });
    matrix.histograms = undefined;
    if (frame.steps !== 1) return matrix;
    const sign = signOf(direction);
    return yield* reordered(
      matrix,
      frame.query,
      (a, b) => byValue(matrix.values[a] ?? 0, matrix.values[b] ?? 0, sign),
      (row) => matrix.kinds[row] === FLOAT,
    );
  };

/** Compares for sorting; `sign` 1 is ascending, -1 descending, and NaN is last in both (Prometheus docs, querying/functions.md, "sort()"). */
export function byValue(a: number, b: number, sign: 1 | -1): number {
  const [isANaN, isBNaN] = [a !== a, b !== b];
  if (isANaN || isBNaN) return Number(isANaN) - Number(isBNaN);
  return a === b ? 0 : a < b ? -sign : sign;
}

/** `sort_by_label` and `sort_by_label_desc`: in natural order of the given labels, then by all labels. */
export const sortByLabel = (direction: Direction): Evaluate =>
  function* sorting(call, frame) {
    const matrix = yield* vectorArgument(call, 0, frame);
    if (frame.steps !== 1) return matrix;
    const names = call.args.slice(1).map((_, at) => textArgument(call, at + 1));
    const sign = signOf(direction);
    return yield* reordered(matrix, frame.query, (a, b) => {
      for (const name of names) {
        const order = natural(matrix.labelOf(a, name), matrix.labelOf(b, name));
        if (order !== 0) return order * sign;
      }
      return compareLabels(matrix.labelsOf(a), matrix.labelsOf(b)) * sign;
    });
  };

/** Reorders the rows of a matrix with one step. */
export function* reordered(
  matrix: Matrix,
  strides: Strides,
  compare: (a: number, b: number) => number,
  keep: (row: number) => boolean = () => true,
): Work<Matrix> {
  const rows = Array.from({ length: matrix.rows }, (_, row) => row).filter(keep);
  const order = yield* sorted(rows, compare, strides);
  const out = new Matrix(1, order.length);
  for (const row of order) {
    if (strides.isDue(LABELS_WORK)) yield;
    out.copyRow(matrix, row, matrix.labelsOf(row));
  }
  out.held = matrix.held;
  return out;
}

const CHUNKS = /\d+|\D+/g;

/** Natural order: numbers within a text compare by value, so `a2` precedes `a10`. */
function natural(a: string, b: string): number {
  if (a === b) return 0;
  const [left, right] = [a.match(CHUNKS) ?? [], b.match(CHUNKS) ?? []];
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    const [one = "", other = ""] = [left[at], right[at]];
    if (one === other) continue;
    const [x, y] = [Number(one), Number(other)];
    if (x !== x || y !== y) return compareText(one, other);
    if (x !== y) return x - y;
  }
  return left.length - right.length || compareText(a, b);
}
