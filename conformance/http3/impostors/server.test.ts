import { expect, beforeAll, describe, test } from "vitest";
import { type Party, passedBy, uncaught } from "../../harness/impostors/catch.ts";
import { readHints } from "../../harness/impostors/hints.ts";
import type { Case } from "../vocabulary.ts";
import { MUTE } from "./parties.ts";
import { floodParty, HINTS, server, serverParty } from "./server-parties.ts";
import { SERVER_FLAWS } from "./server-flaws.ts";
import { startServer } from "./server.ts";

let party: Party<Case>;
let floods: Party<Case>;
beforeAll(async () => {
  party = await serverParty();
  floods = await floodParty();
});
const hints = readHints(HINTS);

describe("no case without a culprit: an impostor that passes the control and fails the case", () => {
  test("every case for servers is failed by an impostor", async () => {
    expect(await uncaught(party, hints)).toEqual([]);
  });

  test("every case of abuse is failed by an impostor", async () => {
    expect(await uncaught(floods, hints)).toEqual([]);
  });

  test("a case that no impostor fails is found, whatever the hints say", async () => {
    const patient = party.cases.filter(({ id }) => id === "http3/stream-of-reserved-type");
    expect(await uncaught({ ...party, cases: patient, names: ["lenient"] }, { lenient: ["http3/stream-of-reserved-type"] })).toEqual([
      "http3/stream-of-reserved-type",
    ]);
  });
});

describe("no credit for hanging up or keeping silent", () => {
  test.each(MUTE.filter((name) => name in SERVER_FLAWS))("the server that %s passes nothing", async (name) => {
    expect(await passedBy({ cases: [...party.cases, ...floods.cases], start: server, concurrency: 64 }, name)).toEqual([]);
  });
});

test("an unknown server impostor is refused with the names of the known ones", async () => {
  await expect(startServer("nobody")).rejects.toThrow(/Known: lenient, silent, slams/);
});
