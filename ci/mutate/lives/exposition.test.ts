import { expect, test } from "vitest";
import { livesSee } from "./testing.ts";
import { live } from "./exposition.ts";

test("the same seed gives the same life, another seed another one", () => {
  const lives = Array.from({ length: 20 }, (_, seed) => live(seed));
  expect(lives.map((_, seed) => live(seed))).toEqual(lives);
  expect(new Set(lives).size).toBe(20);
});

test("a mistake in the reader of messages changes a life, and one in known series", { timeout: 120_000 }, async () => {
  const seen = await livesSee("metrics/exposition", 300, [
    ["reference/metrics/exposition/protobuf-histogram.ts", "negation"],
    ["reference/metrics/exposition/page-known.ts", "negation"],
  ]);
  expect(seen).toEqual([true, true]);
});
