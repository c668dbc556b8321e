import { beforeAll, describe, expect, test } from "vitest";
import { passedBy, uncaught } from "../../harness/impostors/catch.ts";
import { readHints } from "../../harness/impostors/hints.ts";
import { HINTS, http1ServerParties, http1Server } from "./server-parties.ts";
import { startHttp1Server } from "./server.ts";

let all: Awaited<ReturnType<typeof http1ServerParties>>;
beforeAll(async () => {
  all = await http1ServerParties();
});
const hints = readHints(HINTS);

describe("no case without a culprit: an impostor that passes the control and fails the case", () => {
  test("every case for servers of HTTP/1.1 is failed by an impostor", async () => {
    expect(all.servers.cases.length).toBeGreaterThan(400);
    expect(await uncaught(all.servers, hints)).toEqual([]);
  });

  test("every case of abuse of HTTP/1.1 is failed by an impostor", async () => {
    expect(all.floods.cases.length).toBeGreaterThan(0);
    expect(await uncaught(all.floods, hints)).toEqual([]);
  });
});

describe("no credit for hanging up or keeping silent", () => {
  const wide = 64;

  test.each(["silent", "slams"])("the server of HTTP/1.1 that %s passes nothing", async (name) => {
    expect(await passedBy({ cases: [...all.servers.cases, ...all.floods.cases], start: http1Server(), concurrency: wide }, name)).toEqual(
      [],
    );
  });

  test("the lenient server passes only the cases that ask for patience", async () => {
    const patience = all.servers.cases.filter(({ id }) => id === "http1/field-without-value" || id === "http1/host-missing");
    const passed = await passedBy({ cases: patience, start: http1Server(), concurrency: wide }, "lenient");
    expect(passed).toEqual(["http1/field-without-value"]);
  });
});

test("an unknown impostor is refused with the names of the known ones", async () => {
  await expect(startHttp1Server("nobody")).rejects.toThrow(/Known: lenient, silent, slams/);
});
