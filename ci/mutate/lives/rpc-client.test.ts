import { expect, test } from "vitest";
import { live } from "./rpc-client.ts";
import { livesSee, testSeeds } from "./testing.ts";

testSeeds(live, 30);

test("mistakes in configs, attempts, policies and requests show", async () => {
  const mistakes = [
    ["reference/rpc/config-json.ts", "negation"],
    ["reference/rpc/published-config.ts", "negation"],
    ["reference/rpc/retry.ts", "constant-plus-1"],
    ["reference/rpc/hedging.ts", "negation"],
    ["reference/rpc/backoff.ts", "arithmetic"],
    ["reference/rpc/client-call.ts", "condition-true"],
    ["reference/rpc/balance/pick-first.ts", "negation"],
    ["reference/rpc/balance/reported-weight.ts", "arithmetic"],
    ["reference/rpc/balance/outlier-detection.ts", "negation"],
    ["reference/serve/rpc/outgoing.ts", "negation"],
  ] as const;
  expect(await livesSee("rpc/client", 1_500, mistakes)).toEqual(mistakes.map(() => true));
});
