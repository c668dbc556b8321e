import { describe, expect, test } from "vitest";
import type { Result } from "../conformance/harness/result.ts";
import { coverageByDocument, coverageWords, mergedCoverage } from "./coverage.ts";
import { toGithub } from "./github.ts";
import { toHtml } from "./html.ts";
import { toJunit } from "./junit.ts";
import { toMarkdown } from "./markdown.ts";
import { toText } from "./terminal.ts";
import { stripVTControlCharacters } from "node:util";
import {
  address,
  compareRefs,
  differenceOf,
  duration,
  failWords,
  findings,
  labels,
  prose,
  sectionLink,
  sectionName,
  subjectName,
  summaryWords,
  troubles,
} from "./order.ts";
import { sampleResult } from "./sample.ts";

describe("sections", () => {
  test("an address is split and named", () => {
    expect(address("rfc9113#6.9/increment-zero")).toEqual({ doc: "rfc9113", section: "6.9", entry: "increment-zero" });
    expect(sectionName("rfc9113#6.9.1/x")).toBe("RFC 9113 §6.9.1");
    expect(prose("Closed (rfc9113#5.4.1), see rfc7541#C.2.")).toBe("Closed (RFC 9113 §5.4.1), see RFC 7541 §C.2.");
    expect(sectionLink("rfc9113#6.9")).toBe("https://www.rfc-editor.org/rfc/rfc9113.html#section-6.9");
    expect(sectionLink("rfc7541#C.2")).toBe("https://www.rfc-editor.org/rfc/rfc7541.html#appendix-C.2");
    expect(sectionLink("rfc9113#javascript:x")).toBe("https://www.rfc-editor.org/rfc/rfc9113.html");
  });

  test("sort by place in the document", () => {
    const refs = ["rfc9113#A", "rfc9113#10.5", "rfc9113#6.10", "rfc9113#6.9", "rfc9113#6.9.1", "rfc9113#6", "rfc7541#5.1"];
    expect([...refs].sort(compareRefs)).toEqual([
      "rfc7541#5.1",
      "rfc9113#6",
      "rfc9113#6.9",
      "rfc9113#6.9.1",
      "rfc9113#6.10",
      "rfc9113#10.5",
      "rfc9113#A",
    ]);
  });
});

describe("words", () => {
  test("a summary lists non-zero counts, worst first", () => {
    expect(summaryWords({ pass: 3, fail: 1, warn: 0, skip: 2, error: 0, unproved: 4 })).toBe("1 failed, 4 unproved, 3 passed, 2 skipped");
    expect(summaryWords({ pass: 0, fail: 0, warn: 0, skip: 0, error: 0, unproved: 0 })).toBe("no case ran");
  });

  test("labels distinguish results by what differs", () => {
    const one = sampleResult({ cases: 1, name: "a" });
    expect(labels([one])).toEqual([""]);
    expect(labels([one, { ...one, suite: "hpack" }])).toEqual(["http2 server", "hpack server"]);
    expect(labels([one, { ...one, subject: { ...one.subject, name: "b" } }])).toEqual(["a", "b"]);
    expect(labels([one, one])).toEqual(["http2 server", "http2 server"]);
  });

  test("a subject is named by name and version without repetition, or by the name it gives itself", () => {
    const named = (name: string, version?: string) =>
      subjectName({ subject: { name, role: "server", target: "http://x/", ...(version === undefined ? {} : { version }) } } as Result);
    expect([named("nginx", "1.22"), named("nginx 1.22", "1.22"), named("nginx")]).toEqual(["nginx 1.22", "nginx 1.22", "nginx"]);
    expect([named("nghttpd", "nghttpd nghttp2/1.52.0"), named("http://x/", "h2o/2.2.5"), named("http://x/")]).toEqual([
      "nghttpd nghttp2/1.52.0",
      "h2o/2.2.5",
      "http://x/",
    ]);
  });

  test("durations have a suitable unit", () => {
    expect([duration(340.4), duration(1234), duration(61_000)]).toEqual(["340 ms", "1.2 s", "61 s"]);
  });
});

test("troubles(): failures before errors, without expected failures", () => {
  const [c] = sampleResult({ cases: 1 }).cases;
  if (c === undefined) throw new Error("a sample has cases");
  const found = troubles([
    { ...c, id: "x/pass", verdict: "pass" },
    { ...c, id: "x/error", verdict: "error" },
    { ...c, id: "x/known", verdict: "fail", baseline: "expected" },
    { ...c, id: "x/new", verdict: "fail", baseline: "unexpected" },
    { ...c, id: "x/mended", verdict: "pass", baseline: "unexpected-pass" },
    { ...c, id: "x/fail", verdict: "fail" },
  ]);
  expect(found.map(({ id }) => id)).toEqual(["x/fail", "x/new", "x/error", "x/mended"]);
});

describe("findings()", () => {
  const [c] = sampleResult({ cases: 1 }).cases;
  if (c === undefined) throw new Error("a sample has cases");
  const fail = (id: string, cause?: string) => ({ ...c, id, verdict: "fail" as const, ...(cause === undefined ? {} : { cause }) });
  const cases = [fail("a", "x"), fail("b", "y"), fail("c", "x"), fail("d"), fail("e")];

  test("cases with one cause are one finding; without a cause each is its own", () => {
    expect(findings(cases).map((one) => one.map(({ id }) => id).join())).toEqual(["a,c", "b", "d", "e"]);
    expect(failWords(cases)).toBe("5 failed for 4 causes");
    expect(failWords(cases.slice(1, 2))).toBe("1 failed");
  });

  test("a report that shows what was allowed and seen shows the difference alone", () => {
    const reason = "It accepted this. Allowed by rfc9113#6.9 (MUST NOT): GOAWAY, or 2 others. Seen: PING (ACK).";
    expect(differenceOf({ reason })).toBe("It accepted this.");
    expect(differenceOf({ reason: "Silence." })).toBe("Silence.");
  });

  test("every report groups by cause", () => {
    const sample = sampleResult({ cases: 60, shares: { fail: 0.5 } });
    const one = { ...sample, cases: sample.cases.map((any) => (any.verdict === "fail" ? { ...any, cause: "one" } : any)) };
    const { fail: failed } = sample.summary;
    expect(toText([one])).toContain(`the same in ${failed - 1} more: `);
    expect(stripVTControlCharacters(toText([one]))).toContain(`${failed} failed for 1 cause`);
    expect(toMarkdown([one])).toContain(`<summary>The same in ${failed - 1} more</summary>`);
    expect(toGithub([one]).match(/^::error /gm)).toHaveLength(1);
    expect(toHtml([one])).toMatch(new RegExp(`The same in ${failed - 1} more cases`));
    expect(toHtml([one])).toContain(`${failed} of 60 cases failed for 1 cause.`);
    expect(toJunit([one])).toContain(`name="failures" value="${failed} failed for 1 cause"`);
  });
});

describe("coverage", () => {
  const entry = { requirement: "rfc9113#6.9/x", level: "MUST", text: "It does.", state: "skip", cases: [] } as const;
  const result = (...coverage: Result["coverage"]): Result => ({ ...sampleResult({ cases: 1 }), coverage });

  test("merges several runs: the strongest state, with the cases of all", () => {
    const merged = mergedCoverage([
      result({ ...entry, state: "pass", cases: ["a"] }),
      result(entry),
      result({ ...entry, state: "pass", cases: ["a", "b"] }),
    ]);
    expect(merged).toEqual([{ ...entry, state: "pass", cases: ["a", "b"] }]);
    expect(mergedCoverage([result(entry), result({ ...entry, state: "fail" })])[0]).toMatchObject({ state: "fail" });
  });

  test("counts by document and section", () => {
    const documents = coverageByDocument([
      result(
        { ...entry, state: "pass" },
        { ...entry, requirement: "rfc9113#6.10/y" },
        { ...entry, requirement: "rfc7541#5.1/z", state: "fail" },
      ),
    ]);
    expect(documents.map(({ doc, sections }) => [doc, sections.map(({ ref }) => ref)])).toEqual([
      ["rfc9113", ["rfc9113#6.9", "rfc9113#6.10"]],
      ["rfc7541", ["rfc7541#5.1"]],
    ]);
    expect(documents[0]?.title).toBe("HTTP/2");
    expect(documents[0]?.sections[0]?.title).toBe("WINDOW_UPDATE");
    expect(coverageWords(documents[0]?.counts ?? { fail: 0, warn: 0, pass: 0, unproved: 0, skip: 0 })).toBe("1 passed, 1 skipped of 2");
  });
});
