import { describe, expect, test } from "vitest";
import { passedBy, uncaught } from "../../harness/impostors/catch.ts";
import { readHints } from "../../harness/impostors/hints.ts";
import { clients, HINTS, MUTE } from "./client-parties.ts";
import { wrongClient } from "./client.ts";

const party = clients();

describe("no case without a culprit", () => {
  test("every case for clients is failed by an impostor", async () => {
    expect(await uncaught(party, readHints(HINTS))).toEqual([]);
  });
});

describe("no credit for keeping silent, and none for failing everything", () => {
  test.each(MUTE)("the client that is %s passes nothing", async (name) => {
    expect(await passedBy({ ...party, concurrency: 64, abreast: 1 }, name)).toEqual([]);
  });
});

describe("next to no credit for the same answer to everything", () => {
  test.each(["only ok", "only internal"])("the client that says %s passes at most 2% of the cases", async (name) => {
    const passed = await passedBy({ ...party, concurrency: 64, abreast: 1 }, name);
    expect(passed.length).toBeLessThanOrEqual(party.cases.length / 50);
  });
});

test("an unknown client impostor is refused with the names of the known ones", () => {
  expect(() => wrongClient("nobody")).toThrow(/Known: lenient, silent, slams/);
});
