import { expect, test } from "vitest";
import { median, pairedRatio, spread } from "./stats.ts";

test("median(): the middle sample, or the mean of the two middle samples", () => {
  expect([median([3, 1, 2]), median([4, 1, 2, 3]), median([])]).toEqual([2, 2.5, Number.NaN]);
});

test("spread(): the quartiles", () => {
  expect(spread([8, 1, 2, 3, 4, 5, 6, 7])).toEqual([3, 7]);
});

test("pairedRatio(): cancels out a slow phase that affects both subjects", () => {
  expect(pairedRatio([1, 10, 100], [2, 20, 200])).toBe(0.5);
});
