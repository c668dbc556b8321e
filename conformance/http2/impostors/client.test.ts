import { expect, beforeAll, describe, test } from "vitest";
import { type Party, passedBy, uncaught } from "../../harness/impostors/catch.ts";
import { readHints } from "../../harness/impostors/hints.ts";
import type { Case } from "../vocabulary.ts";
import { runClient } from "./client.ts";
import { clientParties, HINTS } from "./client-parties.ts";
import { MUTE } from "./parties.ts";

let clients: Party<Case>;
let tlsClients: Party<Case>;
beforeAll(async () => {
  ({ clients, tlsClients } = await clientParties());
});
const hints = readHints(HINTS);

describe("no case without a culprit: an impostor that passes the control and fails the case", () => {
  test("every case for clients is failed by an impostor", async () => {
    expect(await uncaught(clients, hints)).toEqual([]);
  });

  test("every case for clients over TLS is failed by an impostor", async () => {
    expect(tlsClients.cases.length).toBeGreaterThan(0);
    expect(await uncaught(tlsClients, hints)).toEqual([]);
  });

  test("a case that no impostor fails is found, whatever the hints say", async () => {
    const { cases, ...rest } = clients;
    const whole = cases.filter(({ id }) => id === "http2/client-response-whole");
    const easy = { ...rest, cases: whole, names: ["lenient"] };
    expect(await uncaught(easy, { lenient: ["http2/client-response-whole"] })).toEqual(["http2/client-response-whole"]);
  });
});

describe("no credit for hanging up or keeping silent", () => {
  test.each(MUTE)("the client that %s passes nothing", async (name) => {
    expect(await passedBy({ ...clients, concurrency: 16 }, name)).toEqual([]);
  });
});

test("an unknown client impostor is refused with the names of the known ones", () => {
  expect(() => runClient("nobody", "http://127.0.0.1:1/")).toThrow(/Known: lenient/);
});
