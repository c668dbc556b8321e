import { join } from "node:path";
import { expect, test } from "vitest";
import { covers } from "./cover.ts";
import { lives, originalLives } from "./lives.ts";
import { mutantsOfTarget } from "./target-mutants.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const mutants = mutantsOfTarget({ root: ROOT, sources: ["ci/checks/toy/protocol.ts"], judges: [], units: [], survivors: [] });
const original = await originalLives(ROOT, "ci/checks/toy/lives.ts", 20);
const lived = (operator: string, about: string) => {
  const mutant = mutants.find((one) => one.operator === operator && one.about.includes(about));
  if (mutant === undefined) throw new Error(`the toy has no ${operator} at ${about}`);
  return lives(ROOT, mutant, original);
};

test("a mistake that shows in a life has the first line that differs as its witness", async () => {
  const { witness } = (await lived("condition-false", "test(line)")) ?? {};
  expect(witness).toMatchObject({ mutant: "error 40" });
  expect(witness?.original).toMatch(/^pong \d+$/);
});

test("code that no life executes is not presumed to be equivalent", async () => {
  expect(await lived("statement-removed", "socket.destroy()")).toBeUndefined();
});

test("a module without lives is refused", async () => {
  await expect(originalLives(ROOT, "ci/checks/toy/suite.ts", 5)).rejects.toThrow("live");
});

test("the smallest region around an offset says whether it was executed", () => {
  const regions = [
    { start: 0, end: 100, executed: true },
    { start: 10, end: 20, executed: false },
  ];
  expect([covers(regions, 5), covers(regions, 10), covers(regions, 20), covers(regions, 100)]).toEqual([true, false, true, false]);
});
