import { expect, test } from "vitest";
import { livesSee, testSeeds } from "./testing.ts";
import { live } from "./promql.ts";

testSeeds(live, 20);

test("a mistake in the evaluation changes a life, and one in the parser", async () => {
  const seen = await livesSee("metrics/promql", 150, [
    ["reference/metrics/promql/functions/rate.ts", "condition-false"],
    ["reference/metrics/promql/parse/matching.ts", "condition-false"],
  ]);
  expect(seen).toEqual([true, true]);
});
