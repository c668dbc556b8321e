import { expect, test } from "vitest";
import { live } from "./router.ts";
import { livesSee, testSeeds } from "./testing.ts";

testSeeds(live, 20);

test("a mistake in a group changes a life, and one in the text of matchers", async () => {
  const seen = await livesSee("metrics/router", 100, [
    ["reference/metrics/router/group.ts", "arithmetic"],
    ["reference/metrics/router/matcher-text.ts", "negation"],
  ]);
  expect(seen).toEqual([true, true]);
});
