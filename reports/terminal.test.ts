import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import type { CaseResult, Result } from "../conformance/harness/result.ts";
import { toGithub } from "./github.ts";
import { toHtml } from "./html.ts";
import { toMarkdown } from "./markdown.ts";
import { sampleResult } from "./sample.ts";
import { toText } from "./terminal.ts";

const passing = sampleResult({ cases: 12, shares: { fail: 0, warn: 0, skip: 0, error: 0 } });
const withCases = (marks: readonly Partial<CaseResult>[], more: Partial<Result> = {}): Result => {
  const cases = passing.cases.map((c, at): CaseResult => ({ ...c, ...marks[at] }));
  const summary = { pass: 0, warn: 0, fail: 0, unproved: 0, skip: 0, error: 0 };
  for (const { verdict } of cases) summary[verdict] += 1;
  return { ...passing, summary, ...more, cases };
};
const lines = (result: Result, strict = false): string[] =>
  stripVTControlCharacters(toText([result], { strict }))
    .trimEnd()
    .split("\n");
const last = (result: Result, strict = false): string => lines(result, strict).at(-1) ?? "";

test("the command that shows a failure has the flags of the suite", () => {
  const failed = (more: Partial<Result>): string => lines(withCases([{ verdict: "fail" }], more)).join("\n");
  expect(failed({})).toMatch(/look closer: touchstone check \S+ \S+ --only/);
  expect(failed({ settings: { dialect: "grpc", data: "a b" } })).toMatch(
    /look closer: touchstone check \S+ \S+ --dialect grpc --data 'a b' --only/,
  );
});

describe("the last line of a run", () => {
  test("nothing failed", () => {
    expect(last(passing)).toBe("Nothing failed.");
  });

  test.each<[string, Result, string, boolean?]>([
    ["a failure", withCases([{ verdict: "fail" }]), "Next: read one failure"],
    ["a case that passes against the baseline", withCases([{ baseline: "unexpected-pass" }]), "Next: bring the baseline up to date"],
    ["a stale entry", withCases([], { stale: ["http2/gone"] }), "Next: bring the baseline up to date"],
    ["a verdict that moves", withCases([{ verdict: "warn", baseline: "unsteady", runs: ["warn", "pass"] }]), "Next: find out why"],
    ["an error", withCases([{ verdict: "error" }]), "Next: the errors are about reaching"],
    ["a case that moved", withCases([{ baseline: "moved" }]), "Next: if the new behaviour is intended"],
    ["a warning where warnings are red", withCases([{ verdict: "warn" }]), "Next: --strict", true],
    ["an unproved case where those are red", withCases([{ verdict: "unproved" }]), "Next: --strict", true],
    [
      "mostly unproved cases",
      withCases(Array.from({ length: 9 }, () => ({ verdict: "unproved" }))),
      "Next: more cases are unproved than judged",
    ],
    ["a partial run", withCases([], { partial: { ran: 12, of: 40, why: "interrupted" } }), "Next: run the rest"],
  ])("%s: says what to do, and no good news", (_, result, words, strict = false) => {
    expect(last(result, strict)).toContain(words);
    expect(lines(result, strict).join("\n")).not.toContain("Nothing failed");
  });

  test("only known failures: they are counted", () => {
    expect(
      last(
        withCases([
          { verdict: "fail", baseline: "expected" },
          { verdict: "fail", baseline: "flaky" },
        ]),
      ),
    ).toBe("Nothing failed but 2 known failures.");
  });
});

describe("a run with a baseline", () => {
  const result = withCases(
    [
      { id: "x/new", verdict: "fail", baseline: "unexpected" },
      { id: "x/known", verdict: "fail", baseline: "expected" },
      { id: "x/mended", baseline: "unexpected-pass" },
      { id: "x/moving", verdict: "warn", baseline: "unsteady", runs: ["pass", "warn"] },
    ],
    { stale: ["x/gone"] },
  );

  test("what the baseline got wrong stands last, one line each", () => {
    const shown = lines(result);
    const counts = shown.findIndex((line) => line.includes("12 cases in"));
    expect(shown.slice(counts + 1, -1)).toEqual([
      "new failure  x/new",
      "passes now   x/mended: remove it from the baseline",
      "unsteady     x/moving: pass, warn",
      "stale        x/gone: no case has this id; remove the entry",
    ]);
  });

  test("a known failure is one line", () => {
    expect(lines(result).filter((line) => line.includes("x/known"))).toEqual([
      expect.stringMatching(/^ {2}fail {2}x\/known {2}known failure: /),
    ]);
  });
});

describe("a partial run", () => {
  const result = withCases([], { partial: { ran: 12, of: 40, why: "interrupted" } });
  const words = "12 of 40 cases ran, then the run was interrupted";

  test("the terminal says so first and last", () => {
    expect(lines(result)[0]).toBe(`PARTIAL  http2 server: ${words}.`);
    expect(lines(result).at(-2)).toBe(`Partial: ${words}.`);
  });
  test("every report says so", () => {
    expect(toHtml([result])).toContain(words);
    expect(toMarkdown([result])).toContain(words);
    expect(toGithub([result])).toMatch(new RegExp(`^::error title=.*::${words}`, "m"));
  });
  test("--fail-fast is named as the reason", () => {
    expect(toMarkdown([{ ...result, partial: { ran: 12, of: 40, why: "fail-fast" } }])).toContain("fail-fast ended the run");
  });
});

test.each([60, 80, 120])("the table fits a terminal of %i columns", (width) => {
  const table = stripVTControlCharacters(toText([sampleResult({ cases: 300 })], { width }))
    .split("\n")
    .filter((line) => /^[┌├└│]/.test(line));
  expect(table.length).toBeGreaterThan(10);
  expect(Math.max(...table.map((line) => line.length))).toBeLessThanOrEqual(width);
});
