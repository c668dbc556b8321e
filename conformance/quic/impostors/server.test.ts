import { beforeAll, describe, expect, test } from "vitest";
import { type Party, passedBy, uncaught } from "../../harness/impostors/catch.ts";
import { readHints } from "../../harness/impostors/hints.ts";
import type { Case } from "../vocabulary.ts";
import { floodParty, HINTS, MUTE, server, serverParty } from "./parties.ts";
import { startServer } from "./server.ts";

let party: Party<Case>;
beforeAll(async () => {
  party = await serverParty();
});
const hints = readHints(HINTS);

describe("no case without a culprit: an impostor that passes the control and fails the case", () => {
  test("every case for servers is failed by an impostor", async () => {
    expect(await uncaught(party, hints)).toEqual([]);
  });

  test("every case of abuse is failed by an impostor", async () => {
    expect(await uncaught(await floodParty(), hints)).toEqual([]);
  });

  test("a case that no impostor fails is found, whatever the hints say", async () => {
    const patient = party.cases.filter(({ id }) => id === "quic/data-blocked-is-accepted");
    expect(await uncaught({ ...party, cases: patient, names: ["lenient"] }, { lenient: ["quic/data-blocked-is-accepted"] })).toEqual([
      "quic/data-blocked-is-accepted",
    ]);
  });
});

describe("no credit for hanging up or keeping silent", () => {
  test.each(MUTE)("the server that %s passes nothing", async (name) => {
    expect(await passedBy({ cases: party.cases, start: server, concurrency: 64 }, name)).toEqual([]);
  });
});

test("an unknown server impostor is refused with the names of the known ones", async () => {
  await expect(startServer("nobody")).rejects.toThrow(/Known: lenient, silent, slams/);
});
