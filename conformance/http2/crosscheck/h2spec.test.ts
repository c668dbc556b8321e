import { describe, expect, test } from "vitest";
import { serve } from "../../../reference/serve/index.ts";
import { check } from "../../check.ts";
import type { CaseResult, Verdict } from "../../harness/result.ts";
import { SUITES } from "../../suites.ts";
import { loadCases } from "../cases/load.ts";
import { compare, comparisonText } from "../../crosscheck/compare.ts";
import type { TheirCase } from "../../crosscheck/crosscheck.ts";
import { findH2spec, h2spec, h2specVersion, parseReport, runH2spec } from "./h2spec.ts";
import { H2SPEC_MAP } from "./map.ts";

const REPORT = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="6.7. PING" package="http2/6.7" id="6.7" tests="2">
    <testcase package="http2/6.7" classname="Sends a PING frame" time="0.0002"></testcase>
    <testcase package="http2/6.7" classname="Sends &quot;x&quot; &amp; y" time="0.2"><failure>
        PING Frame
        Timeout</failure></testcase>
  </testsuite>
  <testsuite name="7. Error Codes" package="http2/7" id="7" tests="1">
    <testcase package="http2/7" classname="Sends one" time="0"><skipped></skipped></testcase>
  </testsuite>
</testsuites>`;

test("parseReport(): sections, titles without entities, verdicts with their detail", () => {
  expect(parseReport(REPORT)).toEqual([
    { section: "http2/6.7", title: "Sends a PING frame", verdict: "pass", detail: "" },
    { section: "http2/6.7", title: 'Sends "x" & y', verdict: "fail", detail: "PING Frame Timeout" },
    { section: "http2/7", title: "Sends one", verdict: "skip", detail: "" },
  ]);
});

describe("compare()", () => {
  const ours = (id: string, verdict: Verdict): CaseResult => ({
    id,
    spec: "rfc9113#6.7",
    level: "MUST",
    role: "server",
    title: "T.",
    verdict,
    reason: "R.",
    expected: [],
    observed: "O",
    covers: [],
    ms: 0,
    transcript: [],
  });
  const theirs = (verdict: TheirCase["verdict"]): TheirCase => ({ section: "s", title: "t", verdict, detail: "D" });
  const map = { s: { t: ["http2/a", "http2/b"] } };
  const come = (verdict: TheirCase["verdict"], ...mine: Verdict[]) =>
    compare(
      [theirs(verdict)],
      mine.map((one, at) => ours(`http2/${"ab"[at]}`, one)),
      { tool: "h2spec", map },
    )[0]?.is;

  test("only fails disagree; a warning of ours is shown as one", () => {
    expect(come("pass", "pass", "warn")).toBe("warned");
    expect(come("fail", "pass", "fail")).toBe("agree");
    expect(come("pass", "pass", "fail")).toBe("differ");
    expect(come("fail", "pass", "warn")).toBe("warned");
    expect(come("fail", "pass", "pass")).toBe("differ");
  });

  test("a skip on one side is not a difference, and a case without a counterpart is unmapped", () => {
    expect(come("pass", "skip", "skip")).toBe("unjudged");
    expect(come("skip", "pass", "pass")).toBe("unjudged");
    expect(compare([theirs("pass")], [], { tool: "h2spec", map: {} })[0]?.is).toBe("unmapped");
  });

  test("a difference shows both sides, and the command that runs the case", () => {
    const text = comparisonText(compare([theirs("fail")], [ours("http2/a", "pass")], { tool: "h2spec", map }), {
      tool: "h2spec",
      version: "2.6.0",
      again: "touchstone check http2 URL",
    });
    expect(text).toContain("h2spec fails what we pass");
    expect(text).toContain("h2spec: D");
    expect(text).toContain("touchstone check http2 URL --only http2/a --trace");
    expect(text).toContain("1 cases of h2spec 2.6.0 (0 passed there): 0 agree, 1 differ, 0 with a warning");
  });
});

describe("the map", () => {
  test("names only cases that exist", async () => {
    const ids = new Set((await loadCases()).map(({ id }) => id));
    const named = Object.values(H2SPEC_MAP).flatMap((titles) => Object.values(titles).flat());
    expect(named.filter((id) => !ids.has(id as never))).toEqual([]);
  });

  /** Between the two versions one case took another title, and one became two. All other titles are the same in both. */
  const OLDER = [
    ["http2/5.3.1", "Sends HEADERS frame that depend on itself"],
    ["hpack/2.3.3", "Sends a header field representation with invalid index"],
  ] as const;
  const NEWER = [
    ["http2/5.3.1", "Sends HEADERS frame that depends on itself"],
    ["hpack/2.3.3", "Sends a indexed header field representation with invalid index"],
    ["hpack/2.3.3", "Sends a literal header field representation with invalid index"],
  ] as const;

  test("maps the 146 cases of 2.2.1 and the 147 of 2.6.0, each to a case of ours", () => {
    const entries = Object.entries(H2SPEC_MAP).flatMap(([section, titles]) =>
      Object.entries(titles).map((one) => [section, ...one] as const),
    );
    const without = (others: readonly (readonly [string, string])[]) =>
      entries.filter(([section, title]) => !others.some((one) => one[0] === section && one[1] === title));
    expect(without(NEWER)).toHaveLength(146);
    expect(without(OLDER)).toHaveLength(147);
    expect(without([...OLDER, ...NEWER])).toHaveLength(144);
    expect(entries.filter(([, , ids]) => ids.length === 0)).toEqual([]);
  });
});

const program = (() => {
  try {
    return findH2spec(undefined);
  } catch {
    console.warn("h2spec is not here, so it is not run: ci/h2spec.sh installs it.");
    return undefined;
  }
})();

test.runIf(program !== undefined)("h2specVersion(): the version of the module, whatever the program prints", async () => {
  expect(await h2specVersion(program ?? "")).toMatch(/^\d+\.\d+\.\d+$/);
});

test.runIf(program !== undefined)(
  "h2spec itself, strict, on our own server: all pass, all are mapped, and ours agrees",
  async () => {
    await using server = await serve(() => ({ status: 200, fields: [["content-type", "text/plain"]], body: "x".repeat(200) }), {
      // To octets that are no preface, a server of both versions answers in HTTP/1.1, and h2spec knows no such server.
      alpn: ["h2"],
      onError: () => {},
    });
    const theirs = await runH2spec(program ?? "", server.url, 1);
    expect(theirs.length).toBeGreaterThanOrEqual(146);
    expect(theirs.filter(({ verdict }) => verdict !== "pass")).toEqual([]);
    const ours = await check(SUITES, { suite: "http2", subject: server.url });
    const comparisons = compare(theirs, ours.cases, h2spec);
    expect(comparisons.filter(({ is }) => is === "differ" || is === "unmapped").map(({ theirs: one, ours: mine }) => [one, mine])).toEqual(
      [],
    );
  },
  60_000,
);
