import { expect, test } from "vitest";
import { passedBy, uncaught } from "../../harness/impostors/catch.ts";
import { readHints } from "../../harness/impostors/hints.ts";
import { SENDER_HINTS, senders } from "./sender-parties.ts";

test.concurrent("every case for senders is failed by an impostor that is wrong about one thing", async () => {
  expect(await uncaught(senders, readHints(SENDER_HINTS))).toEqual([]);
});

test.concurrent("a sender that sends nothing passes nothing", async () => {
  expect(await passedBy(senders, "silent")).toEqual([]);
});
