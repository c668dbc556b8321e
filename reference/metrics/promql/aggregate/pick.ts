import { ABSENT, FLOAT, Matrix } from "../evaluate/value.ts";
import { byValue, reordered } from "../functions/sort.ts";
import type { Strides, Work } from "../evaluate/strides.ts";
import { eachRow, LABELS_WORK } from "../evaluate/rows.ts";
import { sorted } from "../evaluate/sorted.ts";
import type { Groups } from "./groups.ts";

/** Aggregations that select elements and keep their labels. */

/** `topk` (`sign` 1) or `bottomk` (-1), with one integer k for each step. */
export type Best = { readonly ks: Float64Array; readonly sign: 1 | -1 };

/** `topk` and `bottomk` (Prometheus docs, querying/operators.md, "topk and bottomk"). Of equal values the first wins. */
export function* best(matrix: Matrix, groups: Groups, { ks, sign }: Best, strides: Strides): Work<Matrix> {
  const { steps, values, kinds } = matrix;
  const heaps = new Heaps(matrix, groups, ks, sign);
  yield* eachRow(matrix, strides, (row, first) => {
    const group = groups.of[row] ?? 0;
    for (let step = 0; step < steps; step++) {
      if (kinds[first + step] === FLOAT) heaps.offer(group, step, row, values[first + step] ?? 0);
    }
    strides.charge(steps * HEAP_WORK);
  });
  const chosen = new Uint8Array(matrix.cells);
  heaps.each((row, step) => {
    chosen[row * steps + step] = 1;
  });
  const out = yield* chosenOf(matrix, chosen, strides);
  if (steps !== 1) return out;
  // In an instant query the elements of each group are sorted, one group after the other.
  const chosenGroups = [...chosen.keys()].filter((row) => chosen[row] === 1).map((row) => groups.of[row] ?? 0);
  const group = (row: number): number => chosenGroups[row] ?? 0;
  return yield* reordered(
    out,
    strides,
    (a, b) => group(a) - group(b) || byValue(out.values[a] ?? 0, out.values[b] ?? 0, sign === 1 ? -1 : 1) || a - b,
  );
}

/** The cost of a heap operation, in samples (`Strides`). */
const HEAP_WORK = 8;

/** A matrix with only the chosen cells. */
function* chosenOf(matrix: Matrix, chosen: Uint8Array, strides: Strides): Work<Matrix> {
  const { steps } = matrix;
  const out = new Matrix(steps);
  out.isNameless = matrix.isNameless;
  yield* eachRow(matrix, strides, (row, source) => {
    let first = -1;
    for (let step = 0; step < steps; step++) {
      if (chosen[source + step] === 0) continue;
      if (first < 0) first = out.addRow(matrix.sources[row] ?? matrix.labelsOf(row));
      out.copyCell(first + step, matrix, source + step);
    }
  });
  return out;
}

/** A heap of at most k rows for each group and step, with the worst on top; one array holds all of them. */
class Heaps {
  readonly #matrix: Matrix;
  readonly #ks: Float64Array;
  readonly #sign: 1 | -1;
  /** For each group, the offset of its first heap and the capacity of each of its heaps. */
  readonly #places: Float64Array;
  readonly #rooms: Float64Array;
  readonly #rows: Uint32Array;
  readonly #sizes: Uint32Array;

  constructor(matrix: Matrix, groups: Groups, ks: Float64Array, sign: 1 | -1) {
    this.#matrix = matrix;
    this.#ks = ks;
    this.#sign = sign;
    const number = groups.labels.length;
    this.#rooms = new Float64Array(number);
    for (const group of groups.of) this.#rooms[group] = (this.#rooms[group] ?? 0) + 1;
    const most = ks.reduce((most, k) => Math.max(most, k), 0);
    this.#places = new Float64Array(number);
    let place = 0;
    for (let group = 0; group < number; group++) {
      this.#rooms[group] = Math.min(this.#rooms[group] ?? 0, most);
      this.#places[group] = place;
      place += (this.#rooms[group] ?? 0) * matrix.steps;
    }
    this.#rows = new Uint32Array(place);
    this.#sizes = new Uint32Array(number * matrix.steps);
  }

  offer(group: number, step: number, row: number, value: number): void {
    const heap = group * this.#matrix.steps + step;
    const room = Math.min(this.#rooms[group] ?? 0, this.#ks[step] ?? 0);
    if (room < 1) return;
    const base = (this.#places[group] ?? 0) + step * (this.#rooms[group] ?? 0);
    const size = this.#sizes[heap] ?? 0;
    if (size < room) {
      this.#rows[base + size] = row;
      this.#sizes[heap] = size + 1;
      this.#rise(base, size, step);
      return;
    }
    const worst = this.#valueOf(this.#rows[base] ?? 0, step);
    if (!(value * this.#sign > worst * this.#sign || (worst !== worst && value === value))) return;
    this.#rows[base] = row;
    this.#sink(base, size, step);
  }

  each(visit: (row: number, step: number) => void): void {
    const { steps } = this.#matrix;
    for (let heap = 0; heap < this.#sizes.length; heap++) {
      const [group, step] = [Math.floor(heap / steps), heap % steps];
      const base = (this.#places[group] ?? 0) + step * (this.#rooms[group] ?? 0);
      for (let at = 0; at < (this.#sizes[heap] ?? 0); at++) visit(this.#rows[base + at] ?? 0, step);
    }
  }

  #valueOf(row: number, step: number): number {
    return this.#matrix.values[row * this.#matrix.steps + step] ?? 0;
  }

  /** Whether one row leaves the heap before another: its value is worse, or it came later. */
  #isWorse(a: number, b: number, step: number): boolean {
    const [x, y] = [this.#valueOf(a, step), this.#valueOf(b, step)];
    if (x === y || (x !== x && y !== y)) return a > b;
    if (x !== x || y !== y) return x !== x;
    return x * this.#sign < y * this.#sign;
  }

  #rise(base: number, from: number, step: number): void {
    const rows = this.#rows;
    for (let at = from; at > 0;) {
      const parent = (at - 1) >> 1;
      const [own, above] = [rows[base + at] ?? 0, rows[base + parent] ?? 0];
      if (!this.#isWorse(own, above, step)) return;
      rows[base + at] = above;
      rows[base + parent] = own;
      at = parent;
    }
  }

  #sink(base: number, size: number, step: number): void {
    const rows = this.#rows;
    for (let at = 0; ;) {
      let worst = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < size && this.#isWorse(rows[base + child] ?? 0, rows[base + worst] ?? 0, step)) worst = child;
      }
      if (worst === at) return;
      const own = rows[base + at] ?? 0;
      rows[base + at] = rows[base + worst] ?? 0;
      rows[base + worst] = own;
      at = worst;
    }
  }
}

/** A number from 0 to 1 derived from labels: stable, and uniformly distributed (FNV-1a over the text, then mixed). */
export function drawn(key: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

/** `limitk`: the k elements of each group whose labels have the smallest hash numbers. */
export function* some(matrix: Matrix, groups: Groups, ks: Float64Array, strides: Strides): Work<Matrix> {
  const { steps } = matrix;
  const draws: { readonly row: number; readonly draw: number }[] = [];
  yield* eachRow(matrix, strides, (row) => {
    draws.push({ row, draw: drawn(matrix.labelsOf(row).key) });
    strides.charge(LABELS_WORK);
  });
  const order = yield* sorted(draws, (a, b) => a.draw - b.draw || a.row - b.row, strides);
  const taken = new Uint32Array(groups.labels.length * steps);
  const chosen = new Uint8Array(matrix.cells);
  for (const { row } of order) {
    for (let step = 0; step < steps; step++) {
      const heap = (groups.of[row] ?? 0) * steps + step;
      if (matrix.kinds[row * steps + step] === ABSENT || (taken[heap] ?? 0) >= (ks[step] ?? 0)) continue;
      taken[heap] = (taken[heap] ?? 0) + 1;
      chosen[row * steps + step] = 1;
    }
    if (strides.isDue(steps)) yield;
  }
  return yield* chosenOf(matrix, chosen, strides);
}

/** `limit_ratio`: selects elements whose hash number is below the ratio; a negative ratio selects those that its complement does not. */
export function* share(matrix: Matrix, ratios: Float64Array, strides: Strides): Work<Matrix> {
  const { steps } = matrix;
  const chosen = new Uint8Array(matrix.cells);
  yield* eachRow(matrix, strides, (row, first) => {
    const draw = drawn(matrix.labelsOf(row).key);
    strides.charge(LABELS_WORK);
    for (let step = 0; step < steps; step++) {
      const ratio = Math.max(-1, Math.min(1, ratios[step] ?? 0));
      const isIn = ratio >= 0 ? draw < ratio : draw >= 1 + ratio;
      if (isIn && matrix.kinds[first + step] !== ABSENT) chosen[first + step] = 1;
    }
  });
  return yield* chosenOf(matrix, chosen, strides);
}
