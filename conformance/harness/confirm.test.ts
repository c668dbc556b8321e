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

const calm = async () => 1;
const always = () => true;

describe("confirm()", () => {
  const later = (verdicts: Verdict[]) => async (one: CaseResult) => result(one.id, verdicts.shift() ?? "error");

  test("a plain pass is not performed again; a confirmed fail is performed twice", async () => {
    const results = [result("a", "pass"), result("b", "fail")];
    const asked: string[] = [];
    await confirm(results, {
      doubtful: ({ verdict }) => verdict !== "pass",
      slowness: calm,
      again: async (one) => {
        asked.push(one.id);
        return one;
      },
    });
    expect(asked).toEqual(["b"]);
    expect(results[1]).toMatchObject({ verdict: "fail", reason: "So it was." });
  });

  test("two of three decide, and the reason says so", async () => {
    const results = [result("a", "fail")];
    await confirm(results, { doubtful: always, slowness: calm, again: later(["pass", "pass"]) });
    expect(results[0]).toMatchObject({ verdict: "pass", reason: 'So it was. (Of three performances, one was "fail".)' });
    const other = [result("a", "pass")];
    await confirm(other, { doubtful: always, slowness: calm, again: later(["fail", "fail", "fail"]) });
    expect(other[0]?.verdict).toBe("fail");
    const relented = [result("a", "pass")];
    await confirm(relented, { doubtful: always, slowness: calm, again: later(["fail", "fail", "pass", "pass"]) });
    expect(relented[0]?.verdict).toBe("pass");
  });

  test("only a few slow cases are performed again", async () => {
    const results = Array.from({ length: 100 }, (_, at) => result(`c${at}`, "fail", 2000));
    let asked = 0;
    const again = async (one: CaseResult) => {
      asked += 1;
      return one;
    };
    await confirm(results, { doubtful: always, slowness: calm, again });
    expect(asked).toBe(12);
  });

  test("slow cases of another verdict do not use up the repetitions of failures and of late warnings", async () => {
    const late = (id: string): CaseResult => ({ ...result(id, "warn", 2000), timedOut: true });
    const others = Array.from({ length: 30 }, (_, at) => result(`c${at}`, "skip", 2000));
    const results = [...others, result("failed", "fail", 2000), late("late")];
    await confirm(results, {
      doubtful: always,
      slowness: calm,
      again: async (one) => result(one.id, one.verdict === "skip" ? "skip" : "pass"),
    });
    expect(results.slice(-2).map(({ verdict }) => verdict)).toEqual(["pass", "pass"]);
  });

  test("all slow cases are performed again if one of the few is no failure then", async () => {
    const slow = (): CaseResult[] => Array.from({ length: 30 }, (_, at) => result(`c${at}`, "fail", 2000));
    const again = async (one: CaseResult) => result(one.id, one.id === "c3" ? "fail" : "pass");
    const results = slow();
    await confirm(results, { doubtful: always, slowness: calm, again });
    expect(results.filter(({ verdict }) => verdict === "fail").map(({ id }) => id)).toEqual(["c3"]);
    let time = 0;
    const late = slow();
    await confirm(late, { doubtful: always, slowness: calm, again, now: () => (time += 30_000) });
    expect(new Set(late.slice(12).map(({ verdict }) => verdict))).toContain("unproved");
    expect(late.slice(12).some(({ verdict }) => verdict === "fail")).toBe(false);
  });

  test("on a busy machine a warning after a late answer is repeated with patience, however many there are", async () => {
    const results = Array.from({ length: 20 }, (_, at): CaseResult => ({ ...result(`c${at}`, "warn", 2000), timedOut: true }));
    const patience: number[] = [];
    const again = async (one: CaseResult, times: number): Promise<CaseResult> => {
      patience.push(times);
      return result(one.id, "pass");
    };
    await confirm(results, { doubtful: always, slowness: async () => 5, again });
    expect(results.every(({ verdict }) => verdict === "pass")).toBe(true);
    expect(patience).toEqual(Array(40).fill(5));
  });

  test("failures are confirmed one at a time", async () => {
    const results = Array.from({ length: 8 }, (_, at) => result(`c${at}`, "fail"));
    let [atOnce, most] = [0, 0];
    const again = async (one: CaseResult) => {
      most = Math.max(most, ++atOnce);
      await Promise.resolve();
      atOnce -= 1;
      return one;
    };
    await confirm(results, { doubtful: always, slowness: calm, again });
    expect(most).toBe(1);
  });
});

describe("on a busy machine", () => {
  /** Answers as a subject that is late: it fails unless one waits for so long. */
  const late =
    (needed: number, asked: number[] = []) =>
    async (one: CaseResult, patience: number): Promise<CaseResult> => {
      asked.push(patience);
      return patience >= needed ? result(one.id, "pass") : { ...result(one.id, "fail"), timedOut: true };
    };
  const fail = (id: string): CaseResult => ({ ...result(id, "fail"), timedOut: true });

  test("a late answer is waited for in proportion, and is no failure", async () => {
    const results = [fail("a")];
    const asked: number[] = [];
    await confirm(results, { doubtful: always, slowness: async () => 5.2, again: late(6, asked) });
    expect(asked).toEqual([6, 6]);
    expect(results[0]?.verdict).toBe("pass");
  });

  test("what is unproved is repeated in proportion, too, and no more than a few slow ones where the machine is calm", async () => {
    const asked: number[] = [];
    const again = async (one: CaseResult, patience: number): Promise<CaseResult> => {
      asked.push(patience);
      return result(one.id, patience >= 6 ? "pass" : "unproved", 2000);
    };
    const results = Array.from({ length: 20 }, (_, at) => result(`c${at}`, "unproved", 2000));
    await confirm(results, { doubtful: always, slowness: async () => 5.2, again });
    expect(asked).toEqual(Array.from({ length: 40 }, () => 6));
    expect(results.every(({ verdict }) => verdict === "pass")).toBe(true);
    asked.length = 0;
    const left = results.map(({ id }) => result(id, "unproved", 2000));
    await confirm(left, { doubtful: always, slowness: calm, again });
    expect(asked.length).toBeLessThan(20);
    expect(left.every(({ verdict }) => verdict === "unproved")).toBe(true);
  });

  test("a failure that patience does not mend stands", async () => {
    const results = [fail("a")];
    await confirm(results, { doubtful: always, slowness: async () => 5, again: late(100) });
    expect(results[0]?.verdict).toBe("fail");
  });

  test("a machine that is slower than our patience proves nothing by silence, but still by a wrong answer", async () => {
    const results = [fail("silent"), result("wrong", "fail")];
    const again = async (one: CaseResult): Promise<CaseResult> => one;
    await confirm(results, { doubtful: always, slowness: async () => 20, again });
    expect(results.map(({ verdict, tooBusy }) => [verdict, tooBusy])).toEqual([
      ["unproved", true],
      ["fail", undefined],
    ]);
    expect(results[0]?.reason).toContain("too busy to judge: everything takes 20.0 times as long");
  });

  test("a failure that comes and goes is unproved", async () => {
    const results = [result("a", "fail")];
    const verdicts: Verdict[] = ["pass", "fail"];
    await confirm(results, {
      doubtful: always,
      slowness: async () => 4,
      again: async (one) => result(one.id, verdicts.shift() ?? "error"),
    });
    expect(results[0]).toMatchObject({ verdict: "unproved", tooBusy: true });
  });

  test("patience has an end: what is left then is unproved", async () => {
    const results = [fail("a"), fail("b"), fail("c")];
    let time = 0;
    const again = async (one: CaseResult): Promise<CaseResult> => {
      time += 50_000;
      return one;
    };
    await confirm(results, { doubtful: always, slowness: async () => 4, again, now: () => time });
    expect(results.map(({ verdict }) => verdict)).toEqual(["fail", "fail", "unproved"]);
  });
});

test("elect(): the worst if all three differ", () => {
  expect(elect([result("a", "pass"), result("a", "warn"), result("a", "fail")])).toMatchObject({
    verdict: "fail",
    reason: expect.stringContaining('the others were "pass" and "warn"') as string,
  });
});
