import { beforeAll, describe, expect, test } from "vitest";
import { type Party, passedBy, uncaught } from "../../harness/impostors/catch.ts";
import type { Case } from "../vocabulary.ts";
import { readHints } from "../../harness/impostors/hints.ts";
import { HINTS, http1Proxies, wrongProxy } from "./proxy-parties.ts";
import { startWrongProxy } from "./proxy.ts";

/** These impostors never answer: no need to wait longer. */
const BRIEF_MS = 20;

let proxies: Party<Case>;
beforeAll(async () => {
  proxies = await http1Proxies();
});

describe("proxies that are wrong on purpose", () => {
  test("every case for proxies is failed by an impostor that passes its control", async () => {
    expect(await uncaught(proxies, readHints(HINTS))).toEqual([]);
  });

  test.each(["silent", "slams"])("the proxy that %s passes nothing", async (name) => {
    expect(await passedBy({ ...proxies, start: (one) => wrongProxy(one, BRIEF_MS) }, name)).toEqual([]);
  });

  test("a tunnel passes the order of fields, and fails Via", async () => {
    const some = proxies.cases.filter(({ id }) => id === "http1/proxy-request-lines-in-order" || id === "http1/proxy-via-added");
    expect(await passedBy({ ...proxies, cases: some }, "lenient")).toEqual(["http1/proxy-request-lines-in-order"]);
  });

  test("an unknown impostor is refused with the names of the known ones", async () => {
    await expect(startWrongProxy("nobody", "127.0.0.1:1")).rejects.toThrow(/Known: lenient, silent, slams/);
  });
});
