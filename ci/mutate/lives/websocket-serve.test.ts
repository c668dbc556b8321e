import { expect, test } from "vitest";
import { livesSee, testSeeds } from "./testing.ts";
import { live } from "./websocket-serve.ts";

testSeeds(live, 40);

test("a mistake in sockets, streams and both handshakes changes a life", async () => {
  const seen = await livesSee(
    "websocket",
    600,
    [
      ["reference/serve/websocket/socket-core.ts", "statement-removed"],
      ["reference/serve/websocket/stream-carrier.ts", "statement-removed"],
      ["reference/serve/websocket/accept.ts", "negation"],
      ["reference/serve/websocket/client.ts", "condition-false"],
    ],
    "ci/mutate/lives/websocket-serve.ts",
  );
  expect(seen).toEqual([true, true, true, true]);
});
