import { describe, expect, test } from "vitest";
import { requirementFiles } from "./harness/coverage.ts";
import { lint } from "./harness/lint.ts";
import { SUITES, suiteNames } from "./suites.ts";

const requirements = requirementFiles();
const suites = await Promise.all(suiteNames.map(async (name) => ({ name, cases: await SUITES[name].load() })));

describe("the cases", () => {
  test.each(suites)("$name: none is malformed", ({ name, cases }) => {
    expect(lint(cases, { requirements, ...SUITES[name].words })).toEqual([]);
  });

  test("an id belongs to one suite", () => {
    const ids = suites.flatMap(({ cases }) => cases.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    expect(suites.flatMap(({ name, cases }) => cases.filter(({ id }) => !id.startsWith(`${name}/`)).map(({ id }) => id))).toEqual([]);
  });

  test("a suite has cases for each of its roles, and for no other", () => {
    for (const { name, cases } of suites)
      expect([...new Set(cases.map(({ role }) => role))].sort()).toEqual([...SUITES[name].roles].sort());
  });
});
