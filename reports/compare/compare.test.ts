import { stripVTControlCharacters } from "node:util";
import { describe, expect, test, vi } from "vitest";
import type { CaseResult, Result, Verdict } from "../../conformance/harness/result.ts";
import { comparisonHtml } from "../html.ts";
import { sampleResult } from "../sample.ts";
import { agreements, compare, comparisonMarkdown, comparisonTerminal, disagreements } from "./index.ts";

const [sampleCase] = sampleResult({ cases: 1 }).cases;
if (sampleCase === undefined) throw new Error("a sample has cases");
/** A result with these verdicts: `{ "6.9/zero": "fail" }`. */
const run = (name: string, verdicts: Record<string, Verdict>, more: Partial<Result> = {}): Result => ({
  ...sampleResult({ cases: 1, name }),
  cases: Object.entries(verdicts).map(([id, verdict]): CaseResult => ({
    ...(sampleCase as CaseResult),
    id: `http2/${id}`,
    spec: `rfc9113#${id.split("/")[0] ?? ""}`,
    verdict,
    observed: `${name} ${id}`,
  })),
  ...more,
});
const nginx = run("nginx", { "6.10/a": "pass", "6.9/b": "pass", "6.9/c": "warn", "5.1/d": "pass", "5.1/e": "fail" });
const h2o = run("h2o", { "6.10/a": "fail", "6.9/b": "pass", "6.9/c": "pass", "5.1/d": "skip", "5.1/e": "fail" });
const caddy = run("caddy", { "6.9/b": "pass" });
const comparison = compare([nginx, h2o, caddy]);
const [matrix] = comparison.matrices;
if (matrix === undefined) throw new Error("results make a matrix");

describe("compare()", () => {
  test("lists cases by section and implementation; a case missing from a run has no cell", () => {
    expect(matrix.suite).toBe("http2 server");
    expect(matrix.columns.map(({ name }) => name)).toEqual(["nginx", "h2o", "caddy"]);
    expect(matrix.rows.map(({ id }) => id)).toEqual(["http2/5.1/d", "http2/5.1/e", "http2/6.9/b", "http2/6.9/c", "http2/6.10/a"]);
    expect(matrix.rows[0]?.cells.map((cell) => cell?.verdict)).toEqual(["pass", "skip", undefined]);
  });

  test("counts what each implementation ran", () => {
    expect(matrix.columns.map(({ summary }) => summary)).toEqual([
      { pass: 3, warn: 1, fail: 1, unproved: 0, skip: 0, error: 0 },
      { pass: 2, warn: 0, fail: 2, unproved: 0, skip: 1, error: 0 },
      { pass: 1, warn: 0, fail: 0, unproved: 0, skip: 0, error: 0 },
    ]);
  });

  test("a case that one implementation fails comes first; a case that all fail is not a difference", () => {
    expect(disagreements(matrix).map(({ id }) => id)).toEqual(["http2/6.10/a", "http2/6.9/c", "http2/5.1/d"]);
    expect(agreements(matrix).map(({ verdict, rows }) => [verdict, rows.map(({ id }) => id)])).toEqual([
      ["fail", ["http2/5.1/e"]],
      ["pass", ["http2/6.9/b"]],
    ]);
  });

  test("each suite and role has a matrix of its own", () => {
    const client = run("curl", { "6.9/b": "pass" }, { subject: { name: "curl", role: "client", target: "curl {url}" } });
    expect(compare([nginx, client]).matrices.map(({ suite, columns }) => [suite, columns.length])).toEqual([
      ["http2 server", 1],
      ["http2 client", 1],
    ]);
  });

  test("distinguishes two runs of one implementation", () => {
    const names = (...runs: Result[]) => compare(runs).matrices[0]?.columns.map(({ name }) => name);
    const later = { ...nginx, startedAt: "2027-01-01T00:00:00Z" };
    expect(names(nginx, later)).toEqual(["nginx (2026-11-21T09:47:00.000Z)", "nginx (2027-01-01T00:00:00Z)"]);
    const other = { ...nginx, subject: { ...nginx.subject, target: "https://127.0.0.1:8443/" } };
    expect(names(nginx, other)).toEqual(["nginx (http://127.0.0.1:8080/)", "nginx (https://127.0.0.1:8443/)"]);
    expect(names(nginx, nginx)).toEqual(["nginx (1)", "nginx (2)"]);
  });
});

describe("the comparison as text", () => {
  test("in a terminal: totals, then differences, then the rest as counts or in full", () => {
    const text = stripVTControlCharacters(comparisonTerminal(comparison));
    expect(text).toContain("http2 server: 3 implementations, 5 cases");
    expect(text).toContain("They differ on 3:");
    expect(text.indexOf("http2/6.10/a")).toBeLessThan(text.indexOf("http2/5.1/d"));
    expect(text).toMatch(/│ case +│ nginx │ h2o +│ caddy │/);
    expect(text).toMatch(/│ RFC 9113 §6\.9 WINDOW_UPDATE +│/);
    expect(text).toMatch(/│ http2\/6\.10\/a │ pass +│ fail +│ · +│/);
    expect(text).toContain("They agree on fail in 1 more: http2/5.1/e.");
    expect(text).not.toContain("http2/6.9/b");
    expect(stripVTControlCharacters(comparisonTerminal(comparison, { everything: true }))).toContain("http2/6.9/b");
  });

  test("uses colours if requested, and honours NO_COLOR", () => {
    vi.stubEnv("FORCE_COLOR", "1");
    expect(comparisonTerminal(comparison)).not.toBe(stripVTControlCharacters(comparisonTerminal(comparison)));
    vi.stubEnv("FORCE_COLOR", undefined);
    vi.stubEnv("NO_COLOR", "1");
    expect(comparisonTerminal(comparison)).toBe(stripVTControlCharacters(comparisonTerminal(comparison)));
    vi.unstubAllEnvs();
  });

  test("in a narrow terminal numbers replace the names, and the totals explain them", () => {
    const text = stripVTControlCharacters(comparisonTerminal(comparison, { width: 30 }));
    expect(text).toMatch(/│ case +│ 1 +│ 2 +│ 3 +│/);
    expect(text).toMatch(/│ 2 │ h2o +│ 2 +│/);
    expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(64);
  });

  test("in Markdown: the differences, then what was observed for each cause", () => {
    const text = comparisonMarkdown(comparison);
    expect(text).toContain("### Where they differ (3)");
    expect(text).toMatch(/http2\/6\.10\/a \| MUST \| pass \| \*\*fail\*\* \| · \|/);
    expect(text).toContain("<details><summary>fail: 3 verdicts, 2 causes</summary>");
    expect(text).toMatch(/Observed: nginx 5\.1\/e\n {2}- nginx: http2\/5\.1\/e\n {2}- h2o: http2\/5\.1\/e\n/);
    expect(text).toMatch(/Observed: h2o 6\.10\/a\n {2}- h2o: http2\/6\.10\/a\n/);
    expect(text).not.toContain("http2/6.9/b");
  });

  test("in Markdown: cases of one section with one cause are one finding, which names the first three", () => {
    const many = run("nginx", Object.fromEntries(["a", "b", "c", "d", "e"].map((id) => [`6.9/${id}`, "fail"])));
    const sameCause = { ...many, cases: many.cases.map((c) => ({ ...c, cause: "The increment is not read." })) };
    const text = comparisonMarkdown(compare([sameCause, caddy]));
    expect(text).toContain("<details><summary>fail: 5 verdicts, 1 cause</summary>");
    expect(text).toContain("  - nginx: http2/6.9/a, http2/6.9/b, http2/6.9/c and 2 more\n");
  });

  test("in Markdown: ten thousand differences stay a short document, and it says what it left out", () => {
    const cases = Array.from({ length: 10_000 }, (_, at) => `6.9/case-${at}`);
    const all = (name: string, verdict: Verdict) => run(name, Object.fromEntries(cases.map((id) => [id, verdict])));
    const text = comparisonMarkdown(compare([all("a", "fail"), all("b", "pass")]));
    expect(text.length).toBeLessThan(200_000);
    expect(text).toContain("And 9940 more: the page of this comparison lists them.");
    expect(text).toContain("- And 9700 more causes of 9700 verdicts.");
  });

  test("no control character of a subject reaches the terminal", () => {
    const hostile = compare([run("a\u001b]0;x\u0007", { "6.9/a": "pass" }), run("b", { "6.9/a": "fail" })]);
    // oxlint-disable-next-line no-control-regex
    expect(stripVTControlCharacters(comparisonTerminal(hostile))).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });

  test("says that implementations agree", () => {
    expect(stripVTControlCharacters(comparisonTerminal(compare([caddy, caddy])))).toContain("They agree on all cases.");
    expect(comparisonHtml(compare([caddy, caddy]))).toContain("They agree on all cases.");
  });
});
