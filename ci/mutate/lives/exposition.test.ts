import { expect, test } from "vitest";
import { livesSee, testSeeds } from "./testing.ts";
import { live } from "./exposition.ts";

testSeeds(live, 20);

test("a mistake in the reader of messages changes a life, and one in known series", async () => {
  const seen = await livesSee("metrics/exposition", 300, [
    ["reference/metrics/exposition/protobuf-histogram.ts", "negation"],
    ["reference/metrics/exposition/page-known.ts", "negation"],
  ]);
  expect(seen).toEqual([true, true]);
});
