import { describe, expect, test } from "vitest";
import type { Result, Verdict } from "../../conformance/harness/result.ts";
import { sampleResult } from "../sample.ts";
import { compacted, mergeColumns, newFails } from "./published.ts";

const run = (name: string, version: string, verdicts: Readonly<Record<string, Verdict>> = {}): Result => {
  const whole = sampleResult({ cases: 4, name, version, shares: { fail: 0, warn: 0, skip: 0, error: 0 } });
  return { ...whole, cases: whole.cases.map((c, at) => ({ ...c, verdict: verdicts[String(at)] ?? c.verdict })) };
};
const columns = (results: readonly Result[]): string[] => results.map(({ subject }) => `${subject.name} ${subject.version}`);

describe("a published matrix", () => {
  test("keeps the columns that were not judged again, and replaces those that were", () => {
    const before = [run("a", "1"), run("b", "1"), run("c", "1")];
    expect(columns(mergeColumns(before, [run("b", "2")], ["a", "b", "c"]))).toEqual(["a 1", "b 2", "c 1"]);
  });

  test("inserts new columns in order, and drops those whose name is no longer known", () => {
    expect(columns(mergeColumns([run("a", "1"), run("z", "1")], [run("b", "1")], ["b", "a"]))).toEqual(["b 1", "a 1"]);
  });

  test("names failures and errors that are new for an implementation", () => {
    const before = [run("a", "1", { 0: "fail" }), run("b", "1", { 1: "fail" })];
    const now = [run("a", "2", { 0: "fail", 1: "fail", 2: "error", 3: "warn" })];
    const [, second, third] = now[0]?.cases ?? [];
    expect(newFails(before, now).map(({ name, c }) => `${name} ${c.id}`)).toEqual([`a ${second?.id}`, `a ${third?.id}`]);
  });

  test("has no transcripts, and observations only for cases that did not pass", () => {
    const [pass, warn] = compacted(run("a", "1", { 1: "warn" })).cases;
    expect([pass?.observed, pass?.expected, pass?.transcript, pass?.control]).toEqual(["", [], [], undefined]);
    expect(warn?.observed).not.toBe("");
    expect(warn?.transcript).toEqual([]);
  });
});
