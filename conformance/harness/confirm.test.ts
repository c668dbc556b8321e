import { describe, expect, test } from "vitest";
import { confirm, elect } from "./confirm.ts";
import type { CaseResult, Verdict } from "./result.ts";

const result = (id: string, verdict: Verdict, ms = 1): CaseResult => ({
  id,
  spec: "rfc9113#6.9",
  level: "MUST",
  role: "server",
  title: "T.",
  verdict,
  reason: "So it was.",
  expected: [],
  observed: "",
  covers: [],
  ms,
  transcript: [],
});

describe("confirm()", () => {
  const later = (verdicts: Verdict[]) => async (one: CaseResult) => result(one.id, verdicts.shift() ?? "error");

  test("a plain pass is not performed again; a confirmed fail is performed twice", async () => {
    const results = [result("a", "pass"), result("b", "fail")];
    const asked: string[] = [];
    await confirm(
      results,
      ({ verdict }) => verdict !== "pass",
      async (one) => {
        asked.push(one.id);
        return one;
      },
    );
    expect(asked).toEqual(["b"]);
    expect(results[1]).toMatchObject({ verdict: "fail", reason: "So it was." });
  });

  test("two of three decide, and the reason says so", async () => {
    const results = [result("a", "fail")];
    await confirm(results, () => true, later(["pass", "pass"]));
    expect(results[0]).toMatchObject({ verdict: "pass", reason: 'So it was. (Of three performances, one was "fail".)' });
    const other = [result("a", "pass")];
    await confirm(other, () => true, later(["fail", "fail"]));
    expect(other[0]?.verdict).toBe("fail");
  });

  test("only a few slow cases are performed again", async () => {
    const results = Array.from({ length: 100 }, (_, at) => result(`c${at}`, "fail", 2000));
    let asked = 0;
    await confirm(
      results,
      () => true,
      async (one) => {
        asked += 1;
        return one;
      },
    );
    expect(asked).toBe(12);
  });
});

test("elect(): the worst if all three differ", () => {
  expect(elect([result("a", "pass"), result("a", "warn"), result("a", "fail")])).toMatchObject({
    verdict: "fail",
    reason: expect.stringContaining('the others were "pass" and "warn"') as string,
  });
});
