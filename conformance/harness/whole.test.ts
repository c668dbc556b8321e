import { describe, expect, test } from "vitest";
import type { CaseResult, Result, Verdict } from "./result.ts";
import { wholeOf } from "./whole.ts";

const caseOf = (id: string, verdict: Verdict, spec = "rfc9113#6.9"): CaseResult => ({
  id,
  spec: spec as CaseResult["spec"],
  level: "MUST",
  role: "server",
  title: "T.",
  verdict,
  reason: "So it was.",
  expected: [],
  observed: "",
  covers: ["rfc9113#6.9/always-counted"],
  ms: 1,
  transcript: [],
});
const resultOf = (index: number, cases: readonly CaseResult[], more: Partial<Result> = {}): Result => ({
  subject: { name: "127.0.0.1:8080", role: "server", target: "http://127.0.0.1:8080/" },
  suite: "http2",
  tool: { name: "touchstone", version: "0" },
  startedAt: `2026-01-01T00:00:0${9 - index}.000Z`,
  ms: index * 100,
  summary: { pass: 0, warn: 0, fail: 0, unproved: 0, skip: 0, error: 0 },
  coverage: [],
  titles: { [`rfc${index}`]: "T" },
  shard: { index, of: 2, selected: 3 },
  cases,
  ...more,
});
const first = resultOf(1, [caseOf("http2/b", "fail")]);
const second = resultOf(2, [caseOf("http2/c", "pass", "rfc9113#10"), caseOf("http2/a", "pass")]);

describe("wholeOf()", () => {
  test("joins the shards of a run: cases by section, counts, coverage, titles, and the times of all", () => {
    const [whole, ...others] = wholeOf([second, first]);
    expect(others).toEqual([]);
    expect(whole).toMatchObject({
      startedAt: "2026-01-01T00:00:07.000Z",
      ms: 200,
      summary: { pass: 2, fail: 1 },
      titles: { rfc1: "T", rfc2: "T" },
    });
    expect(whole?.cases.map(({ id }) => id)).toEqual(["http2/a", "http2/b", "http2/c"]);
    expect(whole?.coverage.map(({ requirement, state }) => [requirement, state])).toEqual([["rfc9113#6.9/always-counted", "fail"]]);
    expect([whole?.shard, whole?.partial]).toEqual([undefined, undefined]);
  });

  test("a missing shard, and one that was cut, make it partial", () => {
    expect(wholeOf([first])[0]?.partial).toEqual({ ran: 1, of: 3, why: "missing-shards" });
    const cut = { ...second, cases: second.cases.slice(1), partial: { ran: 1, of: 2, why: "interrupted" as const } };
    expect(wholeOf([first, cut])[0]?.partial).toEqual({ ran: 2, of: 3, why: "interrupted" });
  });

  test("runs of other roles and suites, and whole runs, stay apart", () => {
    const other = { ...first, suite: "hpack" };
    const { shard: _, ...entire } = first;
    expect(wholeOf([first, second, other, entire, entire]).map(({ suite, cases }) => [suite, cases.length])).toEqual([
      ["http2", 3],
      ["hpack", 1],
      ["http2", 1],
      ["http2", 1],
    ]);
  });

  test("subjects that --start gave other ports are one subject", () => {
    const elsewhere = { ...second, subject: { ...second.subject, name: "127.0.0.1:9090" } };
    expect(wholeOf([first, elsewhere])).toHaveLength(1);
  });

  test("one that is given twice, and shards of different runs, are refused", () => {
    expect(() => wholeOf([first, first])).toThrow("shard 1 of 2 is given twice");
    const foreign = { ...second, shard: { index: 2, of: 2, selected: 9 } };
    expect(() => wholeOf([first, foreign])).toThrow("divide different runs");
  });
});
