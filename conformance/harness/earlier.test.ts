import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { exitStatus } from "./baseline.ts";
import { Earlier, sightOf } from "./earlier.ts";
import type { CaseResult, Result } from "./result.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-earlier-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, data: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, typeof data === "string" ? data : JSON.stringify(data));
  return path;
};
const result = (id: string, observed: string, more: Partial<CaseResult> = {}): CaseResult => ({
  id,
  spec: "rfc9110#15",
  level: "MUST",
  role: "server",
  title: "t",
  verdict: "pass",
  reason: "r",
  expected: [],
  observed,
  covers: [],
  ms: 0,
  transcript: [],
  ...more,
});
const marked = async (
  before: readonly CaseResult[],
  now: readonly CaseResult[],
  again: (one: CaseResult) => CaseResult = (one) => one,
): Promise<CaseResult[]> => {
  const results = [...now];
  await new Earlier(before).mark(results, async (one) => again(one));
  return results;
};
const status = (cases: readonly CaseResult[]): number => exitStatus([{ cases } as unknown as Result], false);

describe("an earlier result", () => {
  test("a case that shows something else has moved, although it passes: the run is red", async () => {
    const [one] = await marked([result("a", "400, the connection closed")], [result("a", "414, the connection closed")]);
    expect(one).toMatchObject({
      verdict: "pass",
      baseline: "moved",
      before: { verdict: "pass", observed: "400, the connection closed" },
    });
    expect(status([one as CaseResult])).toBe(1);
  });

  test("a case that shows the same is unmarked, and expected if it failed before", async () => {
    const seen = [result("a", "400"), result("b", "200", { verdict: "fail" })];
    const cases = await marked(seen, seen);
    expect(cases.map(({ baseline }) => baseline)).toEqual([undefined, "expected"]);
    expect(status(cases)).toBe(0);
  });

  test("a case that the earlier run does not include is judged by its verdict alone", async () => {
    const [one] = await marked([result("a", "400", { role: "proxy" })], [result("a", "200")]);
    expect(one).not.toHaveProperty("baseline");
  });

  test("what differs from run to run is no change: drawn paths, ports, durations", () => {
    const words = "GET /touchstone-mcf1-127 to 127.0.0.1:4000 after 12 ms, 3 octets";
    expect(sightOf({ verdict: "pass", observed: words })).toBe(
      sightOf({ verdict: "pass", observed: "GET /touchstone-xyz-3 to 127.0.0.1:9 after 7.5 s, 3 octets" }),
    );
    expect(sightOf({ verdict: "pass", observed: words })).not.toBe(sightOf({ verdict: "warn", observed: words }));
    expect(sightOf({ verdict: "pass", observed: '101, PONG "fence 1-1", TEXT "a"' })).toBe(
      sightOf({ verdict: "pass", observed: '101, TEXT "a", PONG "fence 1-2"' }),
    );
    expect(sightOf({ verdict: "pass", outcome: 0, observed: words })).not.toBe(sightOf({ verdict: "pass", outcome: 1, observed: words }));
    expect(sightOf({ verdict: "pass", observed: "3 octets" })).not.toBe(sightOf({ verdict: "pass", observed: "4 octets" }));
  });

  test("a case that once more shows what it showed before has not moved", async () => {
    const [one] = await marked([result("a", "400")], [result("a", "reset")], (c) => ({ ...c, observed: "400" }));
    expect(one).toMatchObject({ observed: "400" });
    expect(one).not.toHaveProperty("baseline");
  });

  describe("details, on which no verdict depends", () => {
    const seen = (details: string): CaseResult => result("a", "200", { details });

    test("a case whose details differ has moved, and shows them", async () => {
      const [one] = await marked([seen("Date: 1, chunked")], [seen("Date: 1, length 5")]);
      expect(one).toMatchObject({
        baseline: "moved",
        observed: "200 [Date: 1, length 5]",
        before: { verdict: "pass", observed: "200 [Date: 1, chunked]" },
      });
    });

    test("details that no two performances share are chance", async () => {
      let round = 0;
      const [one] = await marked([seen("id 0")], [seen("id 1")], (c) => ({ ...c, details: `id ${"x".repeat(++round)}` }));
      expect(one).not.toHaveProperty("baseline");
    });

    test("a result without details, of an earlier version, is compared by what it has", async () => {
      const [one] = await marked([result("a", "200")], [seen("chunked")]);
      expect(one).not.toHaveProperty("baseline");
    });

    test("drawn paths and ports in them are no change", async () => {
      const [one] = await marked(
        [seen("GET /touchstone-a1-000001 host: 127.0.0.1:1")],
        [seen("GET /touchstone-b2-000002 host: 127.0.0.1:2")],
      );
      expect(one).not.toHaveProperty("baseline");
    });
  });

  test("is read from what --save writes: one run or several", () => {
    const [a, b] = [{ cases: [result("a", "400")] }, { cases: [result("b", "200")] }];
    expect(Earlier.read(file("one.json", a)).of(result("a", ""))).toMatchObject({ observed: "400" });
    expect(Earlier.read(file("two.json", [a, b])).of(result("b", ""))).toMatchObject({ observed: "200" });
  });

  test("anything else is refused with what to do", () => {
    expect(() => Earlier.read(join(folder, "absent.json"))).toThrow(/cannot be read .*--save/);
    expect(() => Earlier.read(file("broken.json", "{"))).toThrow(/cannot be read .*--save/);
    expect(() => Earlier.read(file("baseline.json", [{ id: "a", why: "b" }]))).toThrow(/is not a result of touchstone check/);
  });
});
