import { describe, expect, test } from "vitest";
import type { CaseResult, Result } from "../conformance/harness/result.ts";
import { sampleResult } from "./sample.ts";
import { toTap } from "./tap.ts";

const passing = sampleResult({ cases: 1, shares: { fail: 0, warn: 0, skip: 0, error: 0 } });
const of = (change: Partial<CaseResult>, more: Partial<Result> = {}): string[] =>
  toTap([{ ...passing, ...more, cases: passing.cases.map((c) => ({ ...c, id: "http2/a", ...change })) }])
    .trimEnd()
    .split("\n");
/** The line of the test point. */
const point = (change: Partial<CaseResult>): string => of(change).find((line) => /^(?:not )?ok /.test(line)) ?? "";

describe("toTap()", () => {
  test("a version, a plan, and a point for each case", () => {
    const lines = toTap([sampleResult({ cases: 30 }), sampleResult({ cases: 5, role: "client" })]).split("\n");
    expect(lines[0]).toBe("TAP version 14");
    expect(lines).toContain("1..35");
    expect(lines.filter((line) => /^(?:not )?ok \d+ - /.test(line))).toHaveLength(35);
  });

  test.each<[string, Partial<CaseResult>, string | RegExp]>([
    ["a pass", {}, "ok 1 - http2 server http2/a"],
    ["a warning", { verdict: "warn" }, "ok 1 - http2 server http2/a"],
    ["a failure", { verdict: "fail" }, "not ok 1 - http2 server http2/a"],
    ["a failure that the baseline does not have", { verdict: "fail", baseline: "unexpected" }, "not ok 1 - http2 server http2/a"],
    ["an error", { verdict: "error" }, "not ok 1 - http2 server http2/a"],
    ["a skip", { verdict: "skip", reason: "Not # offered." }, "ok 1 - http2 server http2/a # SKIP Not \\# offered."],
    ["an unproved case", { verdict: "unproved", reason: "x" }, "ok 1 - http2 server http2/a # SKIP x"],
    [
      "a known failure",
      { verdict: "fail", baseline: "expected", reason: "It hangs." },
      "not ok 1 - http2 server http2/a # TODO known failure: It hangs.",
    ],
    ["a pass against the baseline", { baseline: "unexpected-pass" }, "not ok 1 - http2 server http2/a"],
    ["an unsteady case", { verdict: "warn", baseline: "unsteady", runs: ["warn", "pass"] }, "not ok 1 - http2 server http2/a"],
  ])("%s", (_, change, expected) => {
    expect(point(change)).toBe(expected);
  });

  test("a failure has a block of YAML, whose strings need no parser of ours", () => {
    const lines = of({ verdict: "fail", reason: 'It said "no":\n- twice', observed: "x: y # z" });
    const from = lines.indexOf("  ---");
    expect(lines.slice(from, lines.indexOf("  ...") + 1)).toEqual([
      "  ---",
      '  message: "It said \\"no\\": - twice"',
      '  severity: "fail"',
      expect.stringMatching(/^ {2}section: "RFC /),
      expect.stringMatching(/^ {2}level: "/),
      '  observed: "x: y # z"',
      "  ...",
    ]);
  });

  test("a stale entry is a failure, a partial run bails out", () => {
    const lines = of({}, { stale: ["http2/gone"], partial: { ran: 1, of: 9, why: "interrupted" } });
    expect(lines).toContain("1..2");
    expect(lines).toContain("not ok 2 - http2: the baseline entry http2/gone");
    expect(lines.at(-1)).toBe("Bail out! 1 of 9 cases ran, then the run was interrupted");
  });
});
