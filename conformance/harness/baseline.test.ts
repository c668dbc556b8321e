import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { applyBaseline, baselineOf, exitStatus, readBaseline, writeBaseline } from "./baseline.ts";
import type { CaseResult, Result, Verdict } from "./result.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-baseline-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const result = (id: string, verdict: Verdict): CaseResult => ({
  id,
  spec: "rfc9113#6.9",
  level: "MUST",
  role: "server",
  title: "t",
  verdict,
  reason: `because ${id}`,
  expected: [],
  observed: "",
  covers: [],
  ms: 0,
  transcript: [],
});
const runOf = (cases: readonly CaseResult[], stale?: readonly string[]): Result => ({
  subject: { name: "s", role: "server", target: "t" },
  suite: "http2",
  tool: { name: "touchstone", version: "0" },
  startedAt: "2026-01-01T00:00:00Z",
  ms: 0,
  summary: { pass: 0, warn: 0, fail: 0, unproved: 0, skip: 0, error: 0 },
  coverage: [],
  cases,
  ...(stale === undefined ? {} : { stale }),
});

describe("applyBaseline()", () => {
  const known = [{ id: "http2/ping-*", why: "drops PING" }];

  test("a known failure is expected, an unknown one is not", () => {
    const { cases } = applyBaseline(known, [result("http2/ping-zero", "fail"), result("http2/other", "fail")], []);
    expect(cases.map(({ baseline }) => baseline)).toEqual(["expected", "unexpected"]);
  });

  test("an expected failure that passes is red, so that entries cannot rot", () => {
    const { cases } = applyBaseline(known, [result("http2/ping-zero", "pass")], ["http2/ping-zero"]);
    expect(cases[0]).toMatchObject({ baseline: "unexpected-pass", verdict: "pass" });
    expect(exitStatus([runOf(cases)], false)).toBe(1);
  });

  test("an entry that matches no case at all is stale; one whose case was not selected is not", () => {
    expect(applyBaseline(known, [], ["http2/other"]).stale).toEqual(["http2/ping-*"]);
    expect(applyBaseline(known, [], ["http2/ping-zero"]).stale).toEqual([]);
    expect(exitStatus([runOf([], ["http2/ping-*"])], false)).toBe(1);
  });

  test("a known failure that is unproved this time is neither new nor mended", () => {
    expect(applyBaseline(known, [result("http2/ping-zero", "unproved")], []).cases[0]?.baseline).toBe("expected");
    expect(applyBaseline(known, [result("http2/other", "unproved")], []).cases[0]?.baseline).toBeUndefined();
  });

  test("an error is never excused", () => {
    expect(applyBaseline(known, [result("http2/ping-zero", "error")], []).cases[0]?.baseline).toBeUndefined();
  });
});

describe("exitStatus()", () => {
  test.each([
    [["pass", "skip", "warn"], false, 0],
    [["pass", "warn"], true, 1],
    [["fail"], false, 1],
    [["error", "pass"], false, 3],
    [["error", "fail"], false, 1],
    [["unproved", "pass"], false, 0],
    [["unproved", "pass"], true, 1],
    [["unproved", "unproved", "pass", "skip", "skip"], false, 3],
  ] as const)("%j, strict %s: %i", (verdicts, strict, status) => {
    expect(exitStatus([runOf(verdicts.map((verdict) => result("http2/x", verdict)))], strict)).toBe(status);
  });

  test("a machine too busy to judge is no success", () => {
    const cases = [result("http2/x", "pass"), { ...result("http2/y", "unproved"), tooBusy: true as const }];
    expect(exitStatus([runOf(cases)], false)).toBe(3);
  });

  test("expected failures are not red", () => {
    expect(exitStatus([runOf([{ ...result("http2/x", "fail"), baseline: "expected" }])], false)).toBe(0);
  });
});

describe("the file", () => {
  test("a baseline written by baselineOf() reads back, and keeps old reasons", () => {
    const cases = [result("http2/a", "fail"), result("http2/b", "fail"), result("http2/c", "pass"), result("http2/d", "warn")];
    const known = baselineOf(cases, [{ id: "http2/a", why: "an old reason" }], false);
    const path = join(folder, "known.json");
    writeBaseline(path, known);
    expect(readBaseline(path)).toEqual([
      { id: "http2/a", why: "an old reason" },
      { id: "http2/b", why: "because http2/b" },
    ]);
    expect(baselineOf(cases, [], true).map(({ id }) => id)).toContain("http2/d");
  });

  test.each([
    ["absent", () => join(folder, "nowhere.json"), "cannot be read"],
    ["no JSON", () => file("a.json", "{"), "is not JSON"],
    ["another shape", () => file("b.json", '{"known":[]}'), "is damaged at its top"],
    ["an entry without a reason", () => file("c.json", '[{"id":"http2/a"}]'), "is damaged at /0"],
  ])("%s: one line that says what to do", (_, path, line) => {
    expect(() => readBaseline(path())).toThrow(new RegExp(`^[^\n]*${line}[^\n]*$`));
  });
});
