import { describe, expect, test } from "vitest";
import { escapeMarkdown, toMarkdown } from "./markdown.ts";
import { sampleResult } from "./sample.ts";

describe("toMarkdown()", () => {
  test("contains the counts, each failure with what was expected and observed, and coverage by section", () => {
    const result = sampleResult({ cases: 60, version: "1.52.0", shares: { fail: 0.1, warn: 0.1, unproved: 0.1 } });
    const text = toMarkdown([result]);
    const { pass, warn, fail, unproved, skip, error } = result.summary;
    expect(text).toContain(`| nghttpd 1.52.0 | http2 server | ${pass} | ${warn} | ${fail} | ${unproved} | ${skip} | ${error} | 4.2 s |`);
    expect(text.match(/^### fail: /gm)).toHaveLength(fail);
    expect(text.match(/^- expected: /gm)).toHaveLength(fail + error);
    expect(text).toContain(`<summary>${unproved} unproved: nghttpd 1.52.0, http2 server</summary>`);
    expect(text).toContain("| RFC 9113 §6.9 WINDOW\\_UPDATE | 3 | 0 | 1 | 2 | 0 | 0 |");
    expect(fail * warn * unproved).toBeGreaterThan(0);
  });

  test("every table row has as many cells as its header", () => {
    const hostile = " | a | b \n| c |\\| ";
    const text = toMarkdown([sampleResult({ cases: 30, name: `x${hostile}`, shares: { fail: 0.5 }, hostile })]);
    const cells = (line: string): number => line.replaceAll(/\\[\\|]/g, "").split("|").length;
    const tables = text.split(/\n(?:[^|].*)?(?=\n)/).map((part) => part.trim().split("\n"));
    const uneven = tables.filter(([head = "", ...rows]) => head.startsWith("|") && rows.some((row) => cells(row) !== cells(head)));
    expect(tables.filter(([head]) => head?.startsWith("|")).length).toBeGreaterThan(1);
    expect(uneven).toEqual([]);
  });

  test("text from a subject is not markup", () => {
    expect(escapeMarkdown("<img src=x> **b** [l](javascript:x) `c` #1 a_b\n# h &amp;")).toBe(
      "&lt;img src=x&gt; \\*\\*b\\*\\* \\[l\\](javascript:x) \\`c\\` \\#1 a\\_b \\# h &amp;amp;",
    );
    const text = toMarkdown([sampleResult({ cases: 20, shares: { fail: 1 }, hostile: "</details><script>alert(1)</script>\n# h" })]);
    expect(text).not.toMatch(/<script|^# h/m);
  });

  test("a subject that fails everything still fits a job page", () => {
    const text = toMarkdown([sampleResult({ cases: 2000, shares: { fail: 1 }, hostile: "x".repeat(5000) })]);
    expect(text.length).toBeLessThan(1_000_000);
    expect(text).toContain("And 1950 more:");
  });
});
