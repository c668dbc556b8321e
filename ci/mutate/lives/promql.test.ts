import { expect, test } from "vitest";
import { livesSee } from "./testing.ts";
import { live } from "./promql.ts";

test("the same seed gives the same life, another seed another one", () => {
  const lives = Array.from({ length: 20 }, (_, seed) => live(seed));
  expect(lives.map((_, seed) => live(seed))).toEqual(lives);
  expect(new Set(lives).size).toBe(20);
});

test("a mistake in the evaluation changes a life, and one in the parser", { timeout: 120_000 }, async () => {
  const seen = await livesSee("metrics/promql", 150, [
    ["reference/metrics/promql/functions/rate.ts", "condition-false"],
    ["reference/metrics/promql/parse/matching.ts", "condition-false"],
  ]);
  expect(seen).toEqual([true, true]);
});
