import { expect, test } from "vitest";
import { live } from "./channel.ts";
import { livesSee, testSeeds } from "./testing.ts";

testSeeds(live, 40);

test("a mistake in a hub, a session, input, screens and messages changes a life", async () => {
  const seen = await livesSee("channel", 1_000, [
    ["reference/websocket/channel/hub.ts", "condition-false"],
    ["reference/websocket/channel/terminal-session.ts", "statement-removed"],
    ["reference/websocket/channel/typing.ts", "boundary"],
    ["reference/websocket/channel/drawing.ts", "statement-removed"],
    ["reference/websocket/channel/protocol.ts", "constant-plus-1"],
  ]);
  expect(seen).toEqual([true, true, true, true, true]);
});
