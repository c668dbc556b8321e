import { expect, test } from "vitest";
import { live } from "./qpack.ts";
import { livesSee, testSeeds } from "./testing.ts";

testSeeds(live, 60);

test("mistakes in counts and references show", async () => {
  const keys = ["reference/qpack/outstanding.ts | boundary | Outstanding.mayRisk | this.#risky.size < maxBlocked"];
  expect(await livesSee("qpack", 600, keys)).toEqual(keys.map(() => true));
});
