import { expect, test } from "vitest";
import { live } from "./scrape.ts";
import { livesSee, testSeeds } from "./testing.ts";

testSeeds(live, 20);

test("a mistake in the series of a target changes a life, and one in relabelling", async () => {
  const seen = await livesSee("metrics/scrape", 100, [
    ["reference/metrics/scrape/series.ts", "arithmetic"],
    ["reference/metrics/scrape/relabel.ts", "negation"],
  ]);
  expect(seen).toEqual([true, true]);
});
