import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import type { Result, Verdict } from "../../conformance/harness/result.ts";
import { comparisonHtml } from "../html.ts";
import { sampleResult } from "../sample.ts";
import { changesIn } from "./changes.ts";
import { compare } from "./matrix.ts";
import { comparisonTerminal } from "./terminal.ts";

const run = (verdicts: readonly (Verdict | undefined)[], startedAt: string): Result => {
  const base = sampleResult({ cases: verdicts.length });
  return {
    ...base,
    startedAt,
    cases: base.cases.flatMap((c, at) => (verdicts[at] === undefined ? [] : [{ ...c, id: `x/${at}`, verdict: verdicts[at]! }])),
  };
};
const before = run(["pass", "fail", "fail", "pass", "skip", "fail", "pass"], "2026-01-01T00:00:00Z");
const now = run(["fail", "pass", "warn", "pass", "unproved", "error", undefined], "2026-02-01T00:00:00Z");

describe("changesIn()", () => {
  test("new failures, mended cases, and other verdicts; a case of one run only is no change", () => {
    const [matrix] = compare([before, now]).matrices;
    const changes = changesIn(matrix!);
    const ids = Object.fromEntries(Object.entries(changes ?? {}).map(([kind, rows]) => [kind, rows.map(({ id }) => id).sort()]));
    expect(ids).toEqual({ broken: ["x/0"], mended: ["x/1", "x/2"], moved: ["x/4", "x/5"] });
  });

  test("one run, three runs and two subjects have no changes", () => {
    const other = { ...now, subject: { ...now.subject, name: "another", target: "http://127.0.0.1:9/" } };
    expect(changesIn(compare([before, other]).matrices[0]!)).toBeUndefined();
    const newer = { ...now, subject: { ...now.subject, name: "another" } };
    expect(changesIn(compare([before, newer]).matrices[0]!)).toBeDefined();
    expect(changesIn(compare([before]).matrices[0]!)).toBeUndefined();
    expect(changesIn(compare([before, now, before]).matrices[0]!)).toBeUndefined();
  });

  test("the page and the terminal name them", () => {
    const both = compare([before, now]);
    const text = stripVTControlCharacters(comparisonTerminal(both));
    expect(text).toContain("New failures (1): x/0");
    expect(text).toContain("Mended (2): x/1, x/2");
    expect(text).toContain("Other verdicts (2): x/4, x/5");
    const page = comparisonHtml(both);
    expect(page).toContain("From the first run to the second");
    expect(page).toMatch(/New failures.*x\/0.*Mended.*x\/1.*Other verdicts.*x\/4/s);
    expect(comparisonHtml(compare([before]))).not.toContain("From the first run");
  });
});
