import { describe, expect, test } from "vitest";
import type { CaseResult, Result } from "../conformance/harness/result.ts";
import { sampleResult } from "./sample.ts";
import { toSarif } from "./sarif.ts";

type Run = {
  readonly tool: {
    readonly driver: { readonly rules: { readonly id: string; readonly helpUri?: string; readonly help: { readonly text: string } }[] };
  };
  readonly invocations: [
    { readonly executionSuccessful: boolean; readonly toolExecutionNotifications?: { readonly message: { readonly text: string } }[] },
  ];
  readonly results: {
    readonly ruleId: string;
    readonly ruleIndex: number;
    readonly level: string;
    readonly message: { readonly text: string };
    readonly suppressions?: unknown;
  }[];
};
const runs = (results: readonly Result[]): Run[] => (JSON.parse(toSarif(results)) as { runs: Run[] }).runs;
const passing = sampleResult({ cases: 1, shares: { fail: 0, warn: 0, skip: 0, error: 0 } });
const found = (change: Partial<CaseResult>): Run["results"] =>
  runs([{ ...passing, cases: passing.cases.map((c) => ({ ...c, ...change })) }])[0]!.results;

describe("toSarif()", () => {
  test("a run for each result, and a result for each case that did not pass, with its rule", () => {
    const results = [sampleResult({ cases: 200 }), sampleResult({ cases: 20, role: "client", seed: 3 })];
    const all = runs(results);
    expect(all).toHaveLength(2);
    for (const [at, { summary }] of results.entries()) {
      const { results: those, tool } = all[at]!;
      expect(those).toHaveLength(summary.fail + summary.warn + summary.error);
      for (const one of those) expect(tool.driver.rules[one.ruleIndex]?.id).toBe(one.ruleId);
    }
    expect(all[0]?.tool.driver.rules[0]?.helpUri).toMatch(/^https:\/\/www\.rfc-editor\.org\/rfc\/rfc9113\.html#/);
  });

  test("a rule has a help text with its section and the command that looks closer", () => {
    const [{ tool }] = runs([sampleResult({ cases: 20, shares: { fail: 1, warn: 0, skip: 0, error: 0 } })]) as [Run];
    expect(tool.driver.rules.length).toBeGreaterThan(0);
    for (const { id, help } of tool.driver.rules) {
      expect(help.text).toMatch(/Read RFC 9113 §[\d.]+ \(https:/);
      expect(help.text.endsWith(`--only ${id} --trace`)).toBe(true);
    }
  });

  test.each<[string, Partial<CaseResult>, string[]]>([
    ["a pass", {}, []],
    ["a skip", { verdict: "skip" }, []],
    ["a failure", { verdict: "fail" }, ["error"]],
    ["a warning", { verdict: "warn" }, ["warning"]],
    ["an error of the harness", { verdict: "error" }, ["note"]],
    ["a pass against the baseline", { baseline: "unexpected-pass" }, ["error"]],
    ["a case that moved", { baseline: "moved" }, ["error"]],
  ])("%s", (_, change, levels) => {
    expect(found(change).map(({ level }) => level)).toEqual(levels);
  });

  test("a known failure is there, and suppressed with its reason", () => {
    expect(found({ verdict: "fail", baseline: "expected" })[0]).toMatchObject({
      suppressions: [{ kind: "external", status: "accepted", justification: "known failure" }],
    });
    expect(found({ verdict: "fail" })[0]?.suppressions).toBeUndefined();
  });

  test("a partial run did not succeed", () => {
    const [run] = runs([{ ...passing, partial: { ran: 1, of: 9, why: "interrupted" } }]);
    expect(run?.invocations[0].executionSuccessful).toBe(false);
    expect(run?.invocations[0].toolExecutionNotifications?.[0]?.message.text).toContain("1 of 9 cases ran");
    expect(runs([passing])[0]?.invocations[0].executionSuccessful).toBe(true);
  });
});
