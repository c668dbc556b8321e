import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Outcome } from "./outcome.ts";
import { publish, rowOf, tableOf } from "./publish.ts";
import { Survivors } from "./survivors.ts";

const witness = { seed: 1, original: "a", mutant: "b" };
const outcome = (key: string, caught: boolean, lived?: Outcome["lived"]): Outcome => ({
  mutant: { key, file: "a.ts", operator: "x", owner: "", edit: { start: 0, end: 1, text: "" }, line: 1, about: "" },
  ...(caught ? { suite: { by: "case", how: "fail" } } : {}),
  ...(lived === undefined ? {} : { lived }),
  asked: { abuse: false, units: true },
  ms: 1,
});
const survivors = new Survivors([
  { key: "same", why: "equivalent", reason: "r" },
  { key: "fine", why: "lawful", reason: "r", passage: "rfc9113#5" },
]);
const about = { target: "toy", of: 40, seed: 3, abuse: false, date: "2026-01-02" };
const row = rowOf(
  about,
  [
    outcome("a", true, { count: 9 }),
    outcome("b", true, { count: 9, witness }),
    outcome("same", false),
    outcome("fine", false),
    outcome("alike", false, { count: 9 }),
    outcome("hole", false, { count: 9, witness }),
  ],
  survivors,
);

test("a row counts survivors by their reason; one without a reason is alike in all lives, or open", () => {
  expect(row).toEqual({
    ...about,
    judged: 6,
    caught: 2,
    moved: 0,
    equivalent: 1,
    lawful: 1,
    invisible: 0,
    alike: 1,
    driven: 2,
    distinguished: 1,
    open: 1,
  });
});

test("the score leaves equivalent mutants out, the last column lawful ones as well", () => {
  expect(tableOf([row])).toContain(
    "| `toy` | 6 of 40 | 3 | no | 2 | 0 | 1 | 1 | 1 | 0 | 1 | 50.0 % | 50.0 % | 66.7 % | 1 of 2 | 2026-01-02 |",
  );
});

test("publishing a target replaces its row and keeps the others", () => {
  const folder = mkdtempSync(join(tmpdir(), "mutation-"));
  publish(folder, [row, { ...row, target: "other" }]);
  publish(folder, [{ ...row, caught: 5, open: 0 }]);
  const text = readFileSync(join(folder, "mutation.md"), "utf8");
  expect(text).toContain("| `other` | 6 of 40 | 3 | no | 2 |");
  expect(text).toContain("| `toy` | 6 of 40 | 3 | no | 5 |");
});
