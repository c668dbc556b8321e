import { expect, test } from "vitest";
import { livesSee, testSeeds } from "./testing.ts";
import { live } from "./tsdb.ts";

testSeeds(live, 20);

test("a mistake in a chunk changes a life, and one in the log", async () => {
  const seen = await livesSee("metrics/tsdb", 200, [
    ["reference/metrics/tsdb/chunk/float.ts", "arithmetic"],
    ["reference/metrics/tsdb/wal/scan.ts", "negation"],
  ]);
  expect(seen).toEqual([true, true]);
});
