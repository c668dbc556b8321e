import { describe, expect, test } from "vitest";
import { Labels } from "../../model/index.ts";
import { histogramOf } from "../../model/histogram-testing.ts";
import { Budget } from "./budget.ts";
import { ServerBusy, TooManySamples } from "./failure.ts";
import { SamplePool } from "./pool.ts";
import { FLOAT, Matrix } from "./value.ts";

/** A row of three floats and, if asked for, a histogram after them. */
function matrix(buckets?: readonly number[]): Matrix {
  const made = new Matrix(4);
  made.addRow(Labels.NONE);
  made.kinds.fill(FLOAT, 0, 3);
  if (buckets !== undefined) made.setHistogram(3, histogramOf(buckets));
  return made;
}

describe("the budget of a query", () => {
  test("counts what is held and its peak, and fails one sample beyond the limit", () => {
    const budget = new Budget(10);
    budget.hold(6);
    budget.release(2);
    budget.hold(1);
    expect([budget.held, budget.peak]).toEqual([5, 6]);
    budget.release(1);
    budget.glance(6);
    expect([budget.held, budget.peak]).toEqual([4, 10]);
    budget.hold(6);
    expect(() => budget.hold(1)).toThrow(TooManySamples);
  });

  test("a matrix is held until it is dropped, and once if it is kept again", () => {
    const budget = new Budget(100);
    const made = matrix();
    expect(budget.keep(budget.keep(made)).held).toBe(3);
    expect(budget.held).toBe(3);
    budget.drop(made);
    budget.drop(made);
    expect([budget.held, budget.peak, made.held]).toEqual([0, 3, 0]);
  });

  test.each([
    // Eight numbers are 64 octets, four samples; each bucket and span is another number.
    [[], 3 + 4],
    [[1, 2, 3], 3 + 6],
    [[1, 2, 3, 4], 3 + 6],
    [[1, 2, 3, 4, 5], 3 + 7],
    [Array.from({ length: 40 }, () => 1), 3 + 24],
  ])("a histogram with the buckets %j counts by its size: %i with three floats", (buckets, held) => {
    expect(new Budget(100).keep(matrix(buckets)).held).toBe(held);
  });

  test("a histogram in the first cell counts too, with the buckets of both sides", () => {
    const made = new Matrix(1);
    made.addRow(Labels.NONE);
    made.setHistogram(0, histogramOf([]));
    expect(new Budget(100).keep(made).held).toBe(4);
    const spans = [{ offset: 0, length: 2 }];
    made.setHistogram(0, histogramOf([1, 1], { negative: [1, 1, 1, 1, 1], negativeSpans: [...spans, ...spans, ...spans] }));
    // 8 + 2 + 5 + 1 + 3 numbers.
    expect(new Budget(100).keep(made).held).toBe(9);
  });

  test("room for cells and for text is limited to twice the samples", () => {
    const budget = new Budget(10);
    expect(() => budget.room(20)).not.toThrow();
    expect(() => budget.room(21)).toThrow(TooManySamples);
    budget.text(12);
    budget.text(8);
    expect(() => budget.text(1)).toThrow(TooManySamples);
    expect(budget.peak).toBe(0);
  });

  test("a query takes from the pool of the server, and gives everything back", () => {
    const pool = new SamplePool(10);
    const [one, other] = [new Budget(8, pool), new Budget(8, pool)];
    one.hold(4);
    one.text(4);
    expect(pool.held).toBe(6);
    other.hold(4);
    expect(() => other.hold(1)).toThrow(ServerBusy);
    other.release(3);
    expect(pool.held).toBe(7);
    one.end();
    one.end();
    other.end();
    expect([pool.held, one.held]).toEqual([0, 0]);
  });
});
