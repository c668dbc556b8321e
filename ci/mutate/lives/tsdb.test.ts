import { expect, test } from "vitest";
import { livesSee } from "./testing.ts";
import { live } from "./tsdb.ts";

test("the same seed gives the same life, another seed another one", () => {
  const lives = Array.from({ length: 20 }, (_, seed) => live(seed));
  expect(lives.map((_, seed) => live(seed))).toEqual(lives);
  expect(new Set(lives).size).toBe(20);
});

test("a mistake in a chunk changes a life, and one in the log", { timeout: 120_000 }, async () => {
  const seen = await livesSee("metrics/tsdb", 200, [
    ["reference/metrics/tsdb/chunk/float.ts", "arithmetic"],
    ["reference/metrics/tsdb/wal/scan.ts", "negation"],
  ]);
  expect(seen).toEqual([true, true]);
});
