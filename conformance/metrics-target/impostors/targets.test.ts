import { expect, test } from "vitest";
import { passedBy, uncaught } from "../../harness/impostors/catch.ts";
import { cases } from "../cases/load.ts";
import { closed, SILENT, startImpostor, targets } from "./target-parties.ts";

const all = await cases();

test("every case for targets is failed by a target that is wrong about one thing", async () => {
  expect(await uncaught(targets(all), {})).toEqual([]);
});

test.each(SILENT)("a target that is %s passes nothing", async (name) => {
  expect(await passedBy({ cases: all, start: closed, concurrency: 64 }, name)).toEqual([]);
});

test("the target without a mistake fails nothing", async () => {
  expect(await uncaught({ ...targets(all), names: ["faultless"], start: startImpostor }, {})).toEqual(all.map(({ id }) => id));
});
