import { expect, test } from "vitest";
import { live } from "./rpc.ts";
import { livesSee, testSeeds } from "./testing.ts";

testSeeds(live, 60);

test("mistakes in messages, limits and values show", async () => {
  const mistakes = [
    ["reference/rpc/envelope.ts", "negation"],
    ["reference/rpc/messages.ts", "negation"],
    ["reference/rpc/metadata.ts", "not-dropped"],
    ["reference/rpc/timeout.ts", "constant-plus-1"],
    ["reference/rpc/percent.ts", "arithmetic"],
  ] as const;
  expect(await livesSee("rpc", 2_000, mistakes)).toEqual(mistakes.map(() => true));
});
