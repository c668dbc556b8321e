import { describe, expect, test } from "vitest";
import { toGithub } from "./github.ts";
import { sampleResult } from "./sample.ts";

const lines = (text: string): string[] => text.trimEnd().split("\n");

describe("toGithub()", () => {
  test("an error for each failure, a warning for each warning, a notice with the counts", () => {
    const result = sampleResult({ cases: 40, shares: { fail: 0.1, warn: 0.1, error: 0.02 } });
    const { fail, error, warn } = result.summary;
    const kinds = lines(toGithub([result])).map((line) => /^::(\w+) title=/.exec(line)?.[1]);
    expect(kinds.filter((kind) => kind === "error")).toHaveLength(fail + error);
    expect(kinds.filter((kind) => kind === "warning")).toHaveLength(warn);
    expect(kinds.at(-1)).toBe("notice");
    expect(fail * warn).toBeGreaterThan(0);
  });

  test("beyond ten annotations, the tenth counts the rest", () => {
    const errors = lines(toGithub([sampleResult({ cases: 30, shares: { fail: 1 } })])).filter((line) => line.startsWith("::error"));
    expect(errors).toHaveLength(10);
    expect(errors.at(-1)).toContain("21 more are in the report");
  });

  test("text from a subject neither starts a command nor ends a property", () => {
    const hostile = "\n::set-env name=PATH::x\r\n::error::y%0A,title:z";
    const text = toGithub([sampleResult({ cases: 3, name: `a,b:c${hostile}`, shares: { fail: 1 }, hostile })]);
    expect(lines(text)).toHaveLength(4);
    for (const line of lines(text)) {
      expect(line).toMatch(/^::(?:error|notice) title=[^:,]*::/);
      expect(line).not.toContain("\r");
    }
    expect(text).toContain("%0A::set-env name=PATH::x");
    expect(text).toContain("y%250A");
  });

  test("stale entries of a baseline are errors, known failures are not", () => {
    const result = sampleResult({ cases: 1, shares: { fail: 1 } });
    const known = { ...result, stale: ["http2/gone"], cases: result.cases.map((c) => ({ ...c, baseline: "expected" as const })) };
    const errors = lines(toGithub([known])).filter((line) => line.startsWith("::error"));
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain("http2/gone");
  });
});
