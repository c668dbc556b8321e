import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Labels } from "../../model/index.ts";
import { ABSENT, FLOAT, Matrix } from "../evaluate/value.ts";
import { finish } from "../evaluate/engine.ts";
import { Strides } from "../evaluate/strides.ts";
import { type Groups, groupsOf } from "./groups.ts";
import { best, drawn, share, some } from "./pick.ts";

const STEPS = 3;

/** Rows `{n, g}` of values, undefined where there is none. */
function matrixOf(rows: readonly (readonly (number | undefined)[])[]): Matrix {
  const matrix = new Matrix(STEPS);
  for (const [n, values] of rows.entries()) {
    const first = matrix.addRow(Labels.of({ n: String(n), g: String(n % 2) }));
    for (const [step, value] of values.entries()) {
      if (value === undefined) continue;
      matrix.values[first + step] = value;
      matrix.kinds[first + step] = FLOAT;
    }
  }
  return matrix;
}
/** What stands in a group at a step. */
function valuesOf(matrix: Matrix, step: number, group: string): number[] {
  const found: number[] = [];
  for (let row = 0; row < matrix.rows; row++) {
    const cell = row * STEPS + step;
    if (matrix.labelOf(row, "g") === group && matrix.kinds[cell] !== ABSENT) found.push(matrix.values[cell] ?? 0);
  }
  return found;
}

const value = fc.option(fc.oneof(fc.integer({ min: -9, max: 9 }), fc.constant(Number.NaN)), { nil: undefined });
const rows = fc.array(fc.tuple(value, value, value), { maxLength: 30 });
const grouped = (matrix: Matrix): Groups => finish(groupsOf(matrix, { grouping: ["g"], without: false }, new Strides()));

describe("topk and bottomk", () => {
  test.each([1, -1] as const)("choose the elements that sorting would put first, sign %d", (sign) => {
    fc.assert(
      fc.property(rows, fc.array(fc.integer({ min: -1, max: 6 }), { minLength: STEPS, maxLength: STEPS }), (given, ks) => {
        const matrix = matrixOf(given);
        const chosen = finish(best(matrix, grouped(matrix), { ks: Float64Array.from(ks), sign }, new Strides()));
        const order = (values: number[]): number[] =>
          values.sort((a, b) => (Number.isNaN(a) || Number.isNaN(b) ? Number(Number.isNaN(a)) - Number(Number.isNaN(b)) : (b - a) * sign));
        for (let step = 0; step < STEPS; step++) {
          for (const group of ["0", "1"]) {
            const wanted = order(valuesOf(matrix, step, group)).slice(0, Math.max(0, ks[step] ?? 0));
            expect(order(valuesOf(chosen, step, group))).toEqual(wanted);
          }
        }
      }),
    );
  });
});

test("limitk: chooses k elements of each group, and a smaller k chooses a subset of them", () => {
  fc.assert(
    fc.property(rows, fc.integer({ min: 1, max: 8 }), (given, k) => {
      const matrix = matrixOf(given);
      const groups = grouped(matrix);
      const chosen = (number: number): Matrix => finish(some(matrix, groups, new Float64Array(STEPS).fill(number), new Strides()));
      const [more, fewer] = [chosen(k), chosen(k - 1)];
      for (let step = 0; step < STEPS; step++) {
        expect(valuesOf(more, step, "0")).toHaveLength(Math.min(k, valuesOf(matrix, step, "0").length));
      }
      const names = new Set(more.sources.map(({ key }) => key));
      expect(fewer.sources.every(({ key }) => names.has(key))).toBe(true);
    }),
  );
});

test("limit_ratio: a ratio and its complement partition the elements", () => {
  fc.assert(
    fc.property(rows, fc.double({ min: 0, max: 1, noNaN: true }), (given, ratio) => {
      const matrix = matrixOf(given);
      const shared = (own: number): Matrix => finish(share(matrix, new Float64Array(STEPS).fill(own), new Strides()));
      const [a, b] = [shared(ratio), shared(ratio - 1)];
      fc.pre(ratio < 1);
      expect(a.count() + b.count()).toBe(matrix.count());
      expect(new Set([...a.sources, ...b.sources].map(({ key }) => key)).size).toBe(a.rows + b.rows);
    }),
  );
});

test("drawn: hash numbers are spread evenly over 0 to 1", () => {
  const tenths = Array.from({ length: 10 }, () => 0);
  for (let n = 0; n < 10_000; n++) {
    const tenth = Math.floor(drawn(Labels.of({ n: String(n) }).key) * 10);
    tenths[tenth] = (tenths[tenth] ?? 0) + 1;
  }
  expect(Math.min(...tenths)).toBeGreaterThan(800);
  expect(Math.max(...tenths)).toBeLessThan(1_200);
});
