import { expect, test } from "vitest";
import { passedBy, uncaught } from "../../harness/impostors/catch.ts";
import { readHints } from "../../harness/impostors/hints.ts";
import { ROUTER_HINTS, routers } from "./router-parties.ts";

test.concurrent("every case for routers is failed by an impostor that is wrong about one thing", async () => {
  expect(await uncaught(routers, readHints(ROUTER_HINTS))).toEqual([]);
});

test.concurrent("a router that does nothing passes nothing", async () => {
  expect(await passedBy(routers, "silent")).toEqual([]);
});
