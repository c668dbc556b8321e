import { expect, test } from "vitest";
import { livesSee, testSeeds } from "./testing.ts";
import { live } from "./websocket.ts";

testSeeds(live, 40);

test("a mistake in frames, messages, the close, handshakes and compression changes a life", async () => {
  const seen = await livesSee("websocket", 1_000, [
    ["reference/websocket/frame.ts", "boundary"],
    ["reference/websocket/message.ts", "condition-false"],
    ["reference/websocket/endpoint.ts", "statement-removed"],
    ["reference/websocket/handshake-http1.ts", "condition-false"],
    ["reference/websocket/permessage-deflate.ts", "constant-plus-1"],
  ]);
  expect(seen).toEqual([true, true, true, true, true]);
});
