import { describe, expect, test } from "vitest";
import { passedBy, uncaught } from "../../harness/impostors/catch.ts";
import { readHints } from "../../harness/impostors/hints.ts";
import { HINTS, MUTE, subjects } from "./subject-parties.ts";

const parties = Object.entries(subjects());

describe("no case without a culprit", () => {
  test.each(parties)("every case for %s is failed by an impostor", async (_, party) => {
    expect(party.cases.length).toBeGreaterThan(1);
    expect(await uncaught(party, readHints(HINTS))).toEqual([]);
  });
});

describe("no credit for leaving or keeping silent", () => {
  test.each(MUTE)("the agent and the client that %s pass nothing", async (name) => {
    for (const [, party] of parties) expect(await passedBy({ ...party, concurrency: 32, abreast: 1 }, name)).toEqual([]);
  });
});
