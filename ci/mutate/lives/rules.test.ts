import { expect, test } from "vitest";
import { live } from "./rules.ts";
import { livesSee, testSeeds } from "./testing.ts";

testSeeds(live, 20);

test("a mistake in the life of an alert changes a life, and one in a template", async () => {
  const seen = await livesSee("metrics/rules", 100, [
    ["reference/metrics/rules/alert-state.ts", "negation"],
    ["reference/metrics/rules/template/humanize.ts", "arithmetic"],
  ]);
  expect(seen).toEqual([true, true]);
});
