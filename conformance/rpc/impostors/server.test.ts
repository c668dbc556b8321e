import { describe, expect, test } from "vitest";
import { passedBy, uncaught } from "../../harness/impostors/catch.ts";
import { readHints } from "../../harness/impostors/hints.ts";
import { HINTS, MUTE, servers } from "./server-parties.ts";
import { startImpostor } from "./server.ts";

const party = servers();

describe("no case without a culprit", () => {
  test("every case for servers is failed by an impostor", async () => {
    expect(await uncaught(party, readHints(HINTS))).toEqual([]);
  });
});

describe("no credit for hanging up or keeping silent", () => {
  test.each(MUTE)("the server that %s passes nothing", async (name) => {
    expect(await passedBy({ ...party, concurrency: 64, abreast: 1 }, name)).toEqual([]);
  });
});

describe("next to no credit for the same answer to everything", () => {
  test.each(["only ok", "only internal"])("the server that says %s passes at most 2% of the cases", async (name) => {
    const passed = await passedBy({ ...party, concurrency: 64, abreast: 1 }, name);
    expect(passed.length).toBeLessThanOrEqual(party.cases.length / 50);
  });
});

test("an unknown server impostor is refused with the names of the known ones", async () => {
  await expect(startImpostor("nobody")).rejects.toThrow(/Known: lenient, silent, slams/);
});
