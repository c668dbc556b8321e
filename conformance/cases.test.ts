import { describe, expect, test } from "vitest";
import { requirementFiles } from "./harness/coverage.ts";
import { lint } from "./harness/lint.ts";
import { allSuites } from "./harness/registry.ts";
import { rolesOf } from "./harness/suite.ts";
import { SUITES } from "./suites.ts";

const requirements = requirementFiles();
const parts = (
  await Promise.all(
    (await allSuites(SUITES)).map(([name, suite]) =>
      Promise.all(
        rolesOf(suite).map(async (role) => {
          const words = await suite.roles[role]?.words();
          return {
            name,
            role,
            cases: (await suite.roles[role]?.cases({})) ?? [],
            features: words?.features ?? [],
            monitors: words?.monitors ?? [],
            refusals: words?.refusals ?? [],
          };
        }),
      ),
    ),
  )
).flat();

describe("the cases", () => {
  test.each(parts)("$name, $role: all are well-formed", ({ role, cases, features, monitors, refusals }) => {
    expect(lint(cases, { requirements, features: { [role]: features }, monitors, refusals })).toEqual([]);
  });

  test("an id belongs to one suite", () => {
    const ids = parts.flatMap(({ cases }) => cases.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    expect(parts.flatMap(({ name, cases }) => cases.filter(({ id }) => !id.startsWith(`${name}/`)).map(({ id }) => id))).toEqual([]);
  });

  test("a suite has cases for each of its roles, and for no other", () => {
    for (const { name, role, cases } of parts) expect([name, ...new Set(cases.map((c) => c.role))]).toEqual([name, role]);
  });
});

describe("the requirements", () => {
  const all = requirements.flatMap(({ spec, requirements: entries }) => entries.map((one) => ({ ref: `${spec}#${one.id}`, ...one })));

  test("an inferred one is a SHOULD at most", () => {
    expect(all.filter(({ basis, level }) => basis === "inferred" && level.startsWith("MUST")).map(({ ref }) => ref)).toEqual([]);
  });

  test("every one that binds only under a condition, or is inferred, says why", () => {
    expect(
      all.filter(({ basis, why }) => (basis === "inferred" || basis === "conditional") !== (why !== undefined)).map(({ ref }) => ref),
    ).toEqual([]);
  });
});
