import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { average, Kahan } from "./kahan.ts";

const total = (values: readonly number[]): number => {
  const kahan = new Kahan();
  for (const value of values) kahan.add(value);
  return kahan.total;
};

describe("Kahan", () => {
  test("keeps small numbers beside large ones", () => {
    expect(total([1e100, 1, -1e100])).toBe(1);
    expect(total([1, 1e100, 1, -1e100])).toBe(2);
    expect(total(Array.from({ length: 10 }, () => 0.1))).toBe(1);
  });

  test("an infinite sum stays infinite; opposite infinities give NaN", () => {
    expect(total([1, Infinity, 5])).toBe(Infinity);
    expect(total([1, -Infinity, 5])).toBe(-Infinity);
    expect(total([Infinity, -Infinity])).toBeNaN();
  });

  test("gives the exact sum of integers in any order", () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), (values) => {
        expect(total(values)).toBe(values.reduce((sum, value) => sum + value, 0));
      }),
    );
  });
});

describe("average", () => {
  test("is finite although the sum overflows", () => {
    expect(average(Float64Array.of(1.5e308, 1.5e308, 1.5e308), 0, 3)).toBe(1.5e308);
    expect(average(Float64Array.of(9, -1.7e308, -1.7e308), 1, 3)).toBe(-1.7e308);
  });

  test("is infinite for infinities of one sign, and NaN for both signs", () => {
    expect(average(Float64Array.of(Infinity, 1, Infinity), 0, 3)).toBe(Infinity);
    expect(average(Float64Array.of(Infinity, -Infinity), 0, 2)).toBeNaN();
  });
});
