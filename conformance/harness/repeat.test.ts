import { describe, expect, test } from "vitest";
import { exitStatus } from "./baseline.ts";
import { joined } from "./repeat.ts";
import type { CaseResult, Result, Verdict } from "./result.ts";

const run = (verdicts: Readonly<Record<string, Verdict>>, marks: Readonly<Record<string, CaseResult["baseline"]>> = {}): Result => {
  const cases = Object.entries(verdicts).map(([id, verdict]): CaseResult => {
    const baseline = marks[id];
    return {
      id,
      spec: "rfc9112#3",
      level: "MUST",
      role: "server",
      title: "t",
      verdict,
      reason: `${id} ${verdict}`,
      expected: [],
      observed: verdict,
      covers: [],
      ms: 1,
      transcript: [],
      ...(baseline === undefined ? {} : { baseline }),
    };
  });
  return {
    subject: { name: "s", role: "server", target: "t" },
    suite: "http1",
    tool: { name: "touchstone", version: "0" },
    startedAt: "2026-01-01T00:00:00Z",
    ms: 10,
    summary: { pass: 0, warn: 0, fail: 0, unproved: 0, skip: 0, error: 0 },
    coverage: [],
    cases,
  };
};
const marks = ({ cases }: Result): unknown[] => cases.map(({ id, verdict, baseline, runs }) => [id, verdict, baseline, runs]);

describe("joined()", () => {
  test("one run without a list stays as it is", () => {
    const one = run({ a: "pass" });
    expect(joined([one], [])).toBe(one);
  });

  test("verdicts that stay: the marks of the baseline stay, and the times add up", () => {
    const result = joined([run({ a: "fail" }, { a: "expected" }), run({ a: "fail" }, { a: "expected" })], []);
    expect(marks(result)).toEqual([["a", "fail", "expected", undefined]]);
    expect(result.ms).toBe(20);
    expect(exitStatus([result], false)).toBe(0);
  });

  test("a verdict that moves is unsteady with all of its verdicts, keeps the worst, and is red", () => {
    const result = joined([run({ a: "pass" }), run({ a: "warn" }), run({ a: "pass" })], []);
    expect(marks(result)).toEqual([["a", "warn", "unsteady", ["pass", "warn", "pass"]]]);
    expect(result.cases[0]?.observed).toBe("warn");
    expect(result.summary.warn).toBe(1);
    expect(exitStatus([result], false)).toBe(1);
  });

  test("an expected failure that passes once is unsteady too", () => {
    const result = joined([run({ a: "fail" }, { a: "expected" }), run({ a: "pass" }, { a: "unexpected-pass" })], []);
    expect(marks(result)).toEqual([["a", "fail", "unsteady", ["fail", "pass"]]]);
  });

  test("a case of the list is flaky, not red, in one run as in several", () => {
    const flaky = [{ id: "a*", why: "slow disk" }];
    expect(marks(joined([run({ a: "fail" })], flaky, ["a"]))).toEqual([["a", "fail", "flaky", undefined]]);
    const result = joined([run({ a: "fail", b: "pass" }), run({ a: "pass", b: "pass" })], flaky, ["a", "b"]);
    expect(marks(result)).toEqual([
      ["a", "fail", "flaky", ["fail", "pass"]],
      ["b", "pass", undefined, undefined],
    ]);
    expect(exitStatus([result], true)).toBe(0);
  });

  test("a case of the list that only passes has no mark", () => {
    expect(marks(joined([run({ a: "pass" })], [{ id: "a", why: "x" }], ["a"]))).toEqual([["a", "pass", undefined, undefined]]);
  });

  test("an entry that matches no case is stale, and red", () => {
    const result = joined([run({ a: "pass" })], [{ id: "gone", why: "x" }], ["a"]);
    expect(result.stale).toEqual(["gone"]);
    expect(exitStatus([result], false)).toBe(1);
  });

  test("one partial run makes the result partial", () => {
    const partial = { ran: 1, of: 2, why: "interrupted" } as const;
    expect(joined([run({ a: "pass" }), { ...run({}), partial }], []).partial).toEqual(partial);
  });
});
