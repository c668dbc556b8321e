import { describe, expect, test } from "vitest";
import { passedBy, uncaught } from "../../../harness/impostors/catch.ts";
import { readHints } from "../../../harness/impostors/hints.ts";
import { wrongWebClient } from "./client.ts";
import { DIALECTS, HINTS, MUTE, webClients } from "./parties.ts";

describe.each(DIALECTS)("clients of %s", (dialect) => {
  const party = webClients(dialect);

  test("every case is failed by an impostor", async () => {
    expect(await uncaught(party, readHints(HINTS))).toEqual([]);
  });
  test.each(MUTE)("the one that is %s passes nothing", async (name) => {
    expect(await passedBy({ ...party, concurrency: 64, abreast: 1 }, name)).toEqual([]);
  });
});

test("an unknown impostor is refused with the names of the known ones", () => {
  expect(() => wrongWebClient("nobody")).toThrow(/Known: lenient, silent, slams/);
});
