import { describe, expect, test } from "vitest";
import { passedBy, uncaught } from "../../harness/impostors/catch.ts";
import { readHints } from "../../harness/impostors/hints.ts";
import { HINTS, hubs, MUTE } from "./hub-parties.ts";

const party = hubs();

describe("no case without a culprit", () => {
  test("every case for hubs is failed by an impostor", async () => {
    expect(party.cases.length).toBeGreaterThan(150);
    expect(await uncaught(party, readHints(HINTS))).toEqual([]);
  });
});

describe("no credit for hanging up or keeping silent", () => {
  test.each(MUTE)("the hub that is %s passes nothing", async (name) => {
    expect(await passedBy({ ...party, concurrency: 64, abreast: 1 }, name)).toEqual([]);
  });
});
