import { describe, expect, test } from "vitest";
import { passedBy, uncaught } from "../../harness/impostors/catch.ts";
import { readHints } from "../../harness/impostors/hints.ts";
import { HINTS, MUTE, rpcProxies, wrongProxy } from "./proxy-parties.ts";
import { startWrongProxy } from "./proxy.ts";

/** These impostors never answer: no need to wait longer. */
const BRIEF_MS = 20;
const party = rpcProxies();

describe("proxies of calls that are wrong on purpose", () => {
  test("every case for proxies is failed by an impostor that passes its control", async () => {
    expect(await uncaught(party, readHints(HINTS))).toEqual([]);
  });

  test.each(MUTE)("the proxy that %s passes nothing", async (name) => {
    expect(await passedBy({ ...party, start: (one) => wrongProxy(one, BRIEF_MS) }, name)).toEqual([]);
  });

  test("a relay that checks nothing passes trailers, and fails what needs limits", async () => {
    const some = party.cases.filter(({ id }) => id === "rpc/proxy-trailers-passed" || id === "rpc/proxy-slow-client-slows-origin");
    // On a busy machine the slow client is not the slowest: then again.
    await expect.poll(() => passedBy({ ...party, cases: some }, "lenient")).toEqual(["rpc/proxy-trailers-passed"]);
  });

  test("an unknown impostor is refused with the names of the known ones", async () => {
    await expect(startWrongProxy("nobody", "127.0.0.1:1")).rejects.toThrow(/Known: lenient, silent, slams/);
  });
});
