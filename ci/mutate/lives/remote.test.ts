import { expect, test } from "vitest";
import { live } from "./remote.ts";
import { livesSee, testSeeds } from "./testing.ts";

testSeeds(live, 20);

test("a mistake in the queue changes a life, and one in a message", async () => {
  const seen = await livesSee("metrics/remote", 100, [
    ["reference/metrics/remote/send-queue.ts", "min-max-swapped"],
    ["reference/metrics/remote/write-message.ts", "negation"],
  ]);
  expect(seen).toEqual([true, true]);
});
