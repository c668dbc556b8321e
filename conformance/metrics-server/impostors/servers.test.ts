import { expect, test } from "vitest";
import { passedBy, uncaught } from "../../harness/impostors/catch.ts";
import { readHints } from "../../harness/impostors/hints.ts";
import { HINTS, servers } from "./server-parties.ts";

test.concurrent("every case for metrics servers is failed by a server that is wrong about one thing", async () => {
  expect(await uncaught(servers, readHints(HINTS))).toEqual([]);
});

test.concurrent("a server that does nothing passes nothing", async () => {
  expect(await passedBy(servers, "silent")).toEqual([]);
});
