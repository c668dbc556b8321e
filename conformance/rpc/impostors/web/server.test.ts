import { describe, expect, test } from "vitest";
import { passedBy, uncaught } from "../../../harness/impostors/catch.ts";
import { readHints } from "../../../harness/impostors/hints.ts";
import { DIALECTS, HINTS, MUTE, webServers } from "./parties.ts";
import { startWebImpostor } from "./server.ts";

describe.each(DIALECTS)("servers of %s", (dialect) => {
  const party = webServers(dialect);

  test("every case is failed by an impostor", async () => {
    expect(await uncaught(party, readHints(HINTS))).toEqual([]);
  });
  test.each(MUTE)("the one that %s passes nothing", async (name) => {
    expect(await passedBy({ ...party, concurrency: 64, abreast: 1 }, name)).toEqual([]);
  });
});

test("an unknown impostor is refused with the names of the known ones", async () => {
  await expect(startWebImpostor("nobody")).rejects.toThrow(/Known: lenient, silent, slams/);
});
