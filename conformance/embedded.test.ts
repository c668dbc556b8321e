import { describe, expect, test } from "vitest";
import { check } from "./check.ts";
import { embedded } from "./embedded.ts";
import { notPassing } from "./harness/impostors/again.ts";
import { suiteNamed } from "./harness/registry.ts";
import type { Result } from "./harness/result.ts";
import { rolesOf } from "./harness/suite.ts";
import { suiteNames, SUITES } from "./suites.ts";

const performed = (suites: readonly string[], only?: readonly string[]): Promise<readonly Result[]> =>
  embedded(SUITES, suites, (_title, part) => check(SUITES, part), only === undefined ? {} : { only });

describe("the reference", () => {
  test.each(suiteNames)("passes every case of %s in every role, strictly, with none skipped", async (suite) => {
    let first: readonly Result[] | undefined;
    const others = await notPassing(async (only) => {
      const results = await performed([suite], only);
      first ??= results;
      return results.flatMap(({ cases }) => cases);
    });
    expect(others).toEqual([]);
    const results = first ?? [];
    expect(results.map(({ subject }) => subject.role)).toEqual(rolesOf(await suiteNamed(SUITES, suite)));
    for (const { cases, subject } of results) expect(cases.length, subject.role).toBeGreaterThan(20);
  });

  test("a role without a selected case is not started", async () => {
    const started: string[] = [];
    await embedded(
      SUITES,
      suiteNames,
      (title, part) => {
        started.push(title);
        return check(SUITES, part);
      },
      { only: ["hpack/index-zero"] },
    );
    expect(started).toEqual(["hpack codec"]);
  });

  test("a role that refuses the settings is left out while another takes them", async () => {
    const started: string[] = [];
    const settings = { dialect: "connect" };
    const perform = (title: string, part: Parameters<Parameters<typeof embedded>[2]>[1]) => {
      started.push(title);
      return check(SUITES, { ...part, settings });
    };
    const only = ["rpc/server-connect-unary-proto-http*"];
    const results = await embedded(SUITES, ["rpc"], perform, { only, settingsOf: async () => settings });
    expect(started).toEqual(["rpc server, in the dialects for browsers and plain HTTP"]);
    expect(results.map(({ summary }) => summary.pass)).toEqual([2]);
    const refused = embedded(SUITES, ["rpc"], perform, { settingsOf: async () => ({ dialect: "soap" }) });
    await expect(refused).rejects.toThrow('not "soap"');
  });
});
