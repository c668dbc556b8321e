import { beforeAll, describe, expect, test } from "vitest";
import { type Party, passedBy, uncaught } from "../../harness/impostors/catch.ts";
import { readHints } from "../../harness/impostors/hints.ts";
import type { Case } from "../vocabulary.ts";
import { runClient } from "./client.ts";
import { clientParty, HINTS, MUTE } from "./client-parties.ts";

let party: Party<Case>;
beforeAll(async () => {
  party = await clientParty();
});

test("every case for clients is failed by an impostor that passes its control", async () => {
  expect(await uncaught(party, readHints(HINTS))).toEqual([]);
});

describe("no credit for hanging up or keeping silent", () => {
  test.each(MUTE)("the client that %s passes nothing", async (name) => {
    expect(await passedBy({ ...party, concurrency: 32 }, name)).toEqual([]);
  });
});

test("an unknown client impostor is refused with the names of the known ones", async () => {
  await expect(runClient("nobody", "https://127.0.0.1:1/", new AbortController().signal)).rejects.toThrow(/Known: lenient/);
});
