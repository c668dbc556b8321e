import { expect, test } from "vitest";
import { uncaught } from "../../harness/impostors/catch.ts";
import { readHints } from "../../harness/impostors/hints.ts";
import { codecs, HINTS } from "./parties.ts";

test("every case for codecs is failed by an impostor", async () => {
  expect(await uncaught(await codecs(), readHints(HINTS))).toEqual([]);
});
