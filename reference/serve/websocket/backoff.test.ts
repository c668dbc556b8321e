import { expect, test } from "vitest";
import { waitBefore } from "./backoff.ts";

test("waitBefore(): doubles up to the longest wait, half of it random, and ends after the last attempt", () => {
  const backoff = { firstMs: 100, mostMs: 1_000, attempts: 6 };
  const waits = (chance: number): (number | undefined)[] => [1, 2, 3, 4, 5, 6, 7].map((attempt) => waitBefore(attempt, backoff, chance));
  expect(waits(0)).toEqual([50, 100, 200, 400, 500, 500, undefined]);
  expect(waits(1)).toEqual([100, 200, 400, 800, 1_000, 1_000, undefined]);
  expect(waitBefore(10, {}, 1)).toBe(30_000);
  expect(waitBefore(11, {}, 1)).toBeUndefined();
  expect(waitBefore(5_000, { attempts: 10_000 }, 1)).toBe(30_000);
});
