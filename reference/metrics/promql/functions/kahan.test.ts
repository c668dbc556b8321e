import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { average, Kahan } from "./kahan.ts";

const total = (values: readonly number[]): number => {
  const kahan = new Kahan();
  for (const value of values) kahan.add(value);
  return kahan.total;
};

describe("Kahan", () => {
  test("loses nothing of small numbers beside large ones", () => {
    expect(total([1e100, 1, -1e100])).toBe(1);
    expect(total([1, 1e100, 1, -1e100])).toBe(2);
    expect(total(Array.from({ length: 10 }, () => 0.1))).toBe(1);
  });

  test("an infinite sum stays infinite, opposite infinities are NaN", () => {
    expect(total([1, Infinity, 5])).toBe(Infinity);
    expect(total([1, -Infinity, 5])).toBe(-Infinity);
    expect(total([Infinity, -Infinity])).toBeNaN();
  });

  test("is the sum of integers, whatever their order", () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), (values) => {
        expect(total(values)).toBe(values.reduce((sum, value) => sum + value, 0));
      }),
    );
  });
});

describe("average", () => {
  test("is finite where the sum is not", () => {
    expect(average(Float64Array.of(1.5e308, 1.5e308, 1.5e308), 0, 3)).toBe(1.5e308);
    expect(average(Float64Array.of(9, -1.7e308, -1.7e308), 1, 3)).toBe(-1.7e308);
  });

  test("of infinities is infinite, of opposite ones NaN", () => {
    expect(average(Float64Array.of(Infinity, 1, Infinity), 0, 3)).toBe(Infinity);
    expect(average(Float64Array.of(Infinity, -Infinity), 0, 2)).toBeNaN();
  });
});
