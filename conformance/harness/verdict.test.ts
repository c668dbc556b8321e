import { describe, expect, test } from "vitest";
import type { Played, Twin } from "./driver.ts";
import { judge } from "./verdict.ts";

const must = {
  level: "MUST" as const,
  spec: "rfc9113#6.9" as const,
  steps: ["the mistake"],
  control: ["the legal twin"],
  allowed: [
    { see: "strict" },
    { see: "loose", by: "rfc9113#5.4" as const },
    { see: "poor", by: "rfc9113#5.4" as const, verdict: "warn" as const },
  ] as const,
};
const should = { ...must, level: "SHOULD NOT" as const };
const expected = ["strict", "loose", "poor"];
const played = (is: Played["is"], index?: number): Played => ({
  is,
  reason: "so it was",
  observed: "x",
  transcript: [],
  ...(index === undefined ? {} : { index }),
});
const twin = (is: Twin["is"]): Twin => ({ is, reason: "the twin", transcript: [] });
const verdict = (c: typeof must | typeof should, t: Twin | undefined, p: Played) => judge(c, t, p, expected).verdict;

describe("judge()", () => {
  test("an allowed outcome passes, a discouraged one warns", () => {
    expect(verdict(must, twin("accepted"), played("allowed", 0))).toBe("pass");
    expect(verdict(must, twin("accepted"), played("allowed", 1))).toBe("pass");
    expect(verdict(must, twin("accepted"), played("allowed", 2))).toBe("warn");
    expect(judge(must, twin("accepted"), played("allowed", 2), expected).reason).toContain("Better: strict");
  });

  test("anything else fails a MUST and warns on a SHOULD", () => {
    expect(verdict(must, twin("accepted"), played("other"))).toBe("fail");
    expect(verdict(should, twin("accepted"), played("other"))).toBe("warn");
  });

  test("a reason says what was seen, what was allowed, and by which rule", () => {
    expect(judge(must, twin("accepted"), played("other"), expected).reason).toBe(
      "so it was Allowed by rfc9113#6.9 (MUST): strict, or 2 others. Seen: x.",
    );
    expect(judge(must, twin("accepted"), played("allowed", 1), expected).reason).toBe("As permitted: loose. Seen: x.");
  });

  test("a refused twin proves nothing, whatever the case itself showed", () => {
    for (const c of [must, should])
      for (const is of ["allowed", "other", "error"] as const) expect(verdict(c, twin("refused"), played(is, 0))).toBe("unproved");
    expect(judge(must, twin("refused"), played("allowed", 0), expected).reason).toContain("nothing is proved");
  });

  test.each(["SHOULD", "SHOULD NOT", "MAY"] as const)("a refused twin of a %s is no fail, unless the refusal breaks a MUST", (level) => {
    const judged = (c: Parameters<typeof judge>[0]) => judge(c, twin("refused"), played("allowed", 0), expected);
    expect(judged({ ...must, level }).verdict).toBe("unproved");
    const broken = judged({ ...must, level, controlBreaks: "rfc9113#6.7/answered" });
    expect(broken.verdict).toBe("fail");
    expect(broken.reason).toContain("breaks rfc9113#6.7/answered");
  });

  test("a case without a mistake is judged by its answer, not by its twin", () => {
    const own = { ...must, control: must.steps };
    expect(judge(own, twin("refused"), played("other"), expected)).toMatchObject({ verdict: "fail" });
    expect(judge(own, twin("refused"), played("allowed", 0), expected).verdict).toBe("unproved");
  });

  test("errors and skips of either are kept as they are", () => {
    expect(verdict(must, twin("error"), played("allowed", 0))).toBe("error");
    expect(verdict(must, twin("skip"), played("allowed", 0))).toBe("skip");
    expect(verdict(must, twin("accepted"), played("error"))).toBe("error");
    expect(verdict(must, twin("accepted"), played("skip"))).toBe("skip");
  });
});
