import { DOMParser, type Element as XmlNode, onWarningStopParsing } from "@xmldom/xmldom";
import { describe, expect, test } from "vitest";
import type { CaseResult, Result } from "../conformance/harness/result.ts";
import { toJunit } from "./junit.ts";
import { sampleResult } from "./sample.ts";

type Attributes = Record<string, string>;
type Element = Record<string, unknown> & { "@": Attributes };
/** The document as a strict XML parser sees it; attributes under "@", every element a list, text under "#". */
function parse(xml: string): { suite: Element[] } {
  const { documentElement } = new DOMParser({ onError: onWarningStopParsing }).parseFromString(xml, "text/xml");
  return { suite: plain(documentElement!)["testsuite"] as Element[] };
}
function plain(node: XmlNode): Element {
  const element: Element = { "@": Object.fromEntries([...node.attributes].map(({ name, value }) => [name, value])), "#": node.textContent };
  for (const child of node.childNodes)
    if (child.nodeType === child.ELEMENT_NODE) ((element[child.nodeName] ??= []) as Element[]).push(plain(child as XmlNode));
  return element;
}
const cases = (suite: Element | undefined): Element[] => (suite?.["testcase"] ?? []) as Element[];
const with1 = (change: Partial<CaseResult>): Result => {
  const sample = sampleResult({ cases: 1, shares: { fail: 0, warn: 0, skip: 0, error: 0 } });
  return { ...sample, cases: sample.cases.map((c) => ({ ...c, ...change })) };
};

describe("toJunit()", () => {
  const results = [
    sampleResult({ cases: 100, shares: { fail: 0.1, error: 0.05, skip: 0.1, warn: 0.1, unproved: 0.1 } }),
    sampleResult({ cases: 20, role: "client", seed: 4 }),
  ];

  test("writes one suite per result and one testcase per case, with matching counts", () => {
    const { suite } = parse(toJunit(results));
    expect(suite).toHaveLength(2);
    for (const [at, result] of results.entries()) {
      const children = cases(suite[at]);
      expect(children).toHaveLength(result.cases.length);
      const having = (name: string): number => children.filter((c) => c[name] !== undefined).length;
      const { fail, error } = result.summary;
      const skip = result.summary.skip + result.summary.unproved;
      expect([having("failure"), having("error"), having("skipped")]).toEqual([fail, error, skip]);
      expect(suite[at]?.["@"]).toMatchObject({
        tests: String(result.cases.length),
        failures: String(fail),
        errors: String(error),
        skipped: String(skip),
      });
    }
  });

  test("the elements and attributes are those that the schemas of Ant and of Jenkins both allow, in their order", () => {
    const xml = toJunit([...results, { ...results[0]!, stale: ["http2/gone"], partial: { ran: 1, of: 2, why: "interrupted" } }]);
    // Ant: the root has no attributes; a suite has all of these, then properties, cases and both outputs; a case has at most one child.
    expect(xml).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<testsuites>\n/);
    const { suite } = parse(xml);
    for (const [at, one] of suite.entries()) {
      expect(Object.keys(one["@"]).sort()).toEqual([
        "errors",
        "failures",
        "hostname",
        "id",
        "name",
        "package",
        "skipped",
        "tests",
        "time",
        "timestamp",
      ]);
      expect(one["@"]).toMatchObject({ id: String(at), timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/) });
      expect(Object.keys(one).filter((name) => !/[@#]/.test(name))).toEqual(["properties", "testcase", "system-out", "system-err"]);
      for (const c of cases(one)) {
        expect(Object.keys(c["@"]).sort()).toEqual(["classname", "name", "time"]);
        expect(Object.keys(c).filter((name) => !/[@#]/.test(name)).length).toBeLessThan(2);
      }
    }
    expect(xml).toMatch(/<system-out>Warning: http2\//);
  });

  test("a testcase has the attributes that JUnit readers need", () => {
    const [first] = cases(parse(toJunit(results)).suite[0]);
    expect(first?.["@"]).toMatchObject({
      name: expect.stringMatching(/^http2\//),
      classname: expect.stringMatching(/^http2\.server\.RFC 9113 §3·4$/),
    });
    expect(first?.["@"]["time"]).toMatch(/^\d+\.\d{3}$/);
  });

  test("a failure contains what was expected and observed, and the transcript", () => {
    const xml = toJunit([with1({ verdict: "fail" })]);
    expect(xml).toContain("Expected: GOAWAY PROTOCOL_ERROR\n      or: the connection closed");
    expect(xml).toMatch(/Observed: .*\n/);
    expect(xml).toContain("-&gt; preface, SETTINGS (empty)");
  });

  test("an expected failure is skipped; an unexpected pass and a stale entry fail", () => {
    const marked = (change: Partial<CaseResult>) => cases(parse(toJunit([with1(change)])).suite[0])[0];
    expect(marked({ verdict: "fail", baseline: "expected" })).toHaveProperty("skipped");
    expect(marked({ verdict: "fail", baseline: "expected" })).not.toHaveProperty("failure");
    expect(marked({ verdict: "pass", baseline: "unexpected-pass" })).toHaveProperty("failure");
    const moved = marked({ verdict: "pass", baseline: "moved", before: { verdict: "pass", observed: "another status" } });
    expect(JSON.stringify(moved?.["failure"])).toContain("Before: another status (pass)");
    const { suite } = parse(toJunit([{ ...with1({}), stale: ["http2/gone"] }]));
    expect(suite[0]?.["@"]).toMatchObject({ tests: "2", failures: "1" });
    expect(cases(suite[0])[1]?.["@"]["name"]).toBe("baseline: http2/gone");
  });

  test("an unproved case is skipped with its reason, never red", () => {
    const [one] = cases(parse(toJunit([with1({ verdict: "unproved", reason: "It refused the twin." })])).suite[0]);
    expect(one).not.toHaveProperty("failure");
    expect(JSON.stringify(one?.["skipped"])).toContain("unproved: It refused the twin.");
  });

  test("text from a subject stays valid XML text", () => {
    const hostile = "]]></failure><testcase/>\u0000\u0008\u001b[31m\ud800 \uffff & \"' \u2028";
    const xml = toJunit([sampleResult({ cases: 10, shares: { fail: 1 }, hostile })]);
    const { suite } = parse(xml);
    expect(cases(suite[0])).toHaveLength(10);
    // oxlint-disable-next-line no-control-regex
    expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udfff]/);
    expect(xml).toContain("\\x00\\x08\\x1b[31m\\ud800");
  });

  test("a partial run has an error beside its cases, so that no pipeline takes it for a whole one", () => {
    const cut = { ...sampleResult({ cases: 3 }), partial: { ran: 3, of: 9, why: "interrupted" as const } };
    const text = toJunit([cut]);
    expect(text).toContain('<error message="Partial: 3 of 9 cases ran, then the run was interrupted." type="partial-run"/>');
    expect(text).toMatch(/<testsuite [^>]*tests="4"/);
  });
});
