import { describe, expect, test } from "vitest";
import { causeOf, withCauses } from "./cause.ts";
import type { CaseResult } from "./result.ts";

const result = (change: Partial<CaseResult>): CaseResult => ({
  id: "websocket/x",
  spec: "rfc6455#7.1.1",
  level: "MUST",
  role: "server",
  title: "T.",
  verdict: "fail",
  reason: "Within 2000 ms after its Close frame the connection did not end.",
  expected: ["a Close frame with 1002"],
  observed: "",
  covers: [],
  ms: 0,
  transcript: [],
  ...change,
});

describe("causeOf()", () => {
  test("the same difference is one cause, whatever was expected and wherever", () => {
    const other = result({ expected: ["a Close frame with 1007"], spec: "rfc6455#8.1", reason: result({}).reason.replace("2000", "8000") });
    expect(causeOf(other)).toBe(causeOf(result({})));
    expect(causeOf(result({ reason: "Silence: within 2000 ms it answered nothing." }))).not.toBe(causeOf(result({})));
  });

  test("a subject that only went on has a cause for each thing that it should have noticed", () => {
    const reason = "It accepted this as if nothing were wrong: it answered the next message.";
    const [one, same, elsewhere] = [
      result({ reason, spec: "rfc9113#8.2" }),
      result({ reason, spec: "rfc9113#8.2" }),
      result({ reason, spec: "rfc9113#6.1" }),
    ];
    expect(causeOf(one)).toBe(causeOf(same));
    expect(causeOf(one)).not.toBe(causeOf(elsewhere));
    expect(causeOf(one)).not.toBe(causeOf(result({ reason, spec: "rfc9113#8.2", expected: ["GOAWAY"] })));
  });

  test("what passes or is skipped has none", () => {
    expect(
      withCauses([result({ verdict: "pass" }), result({ verdict: "skip" }), result({})]).map(({ cause }) => cause !== undefined),
    ).toEqual([false, false, true]);
  });
});
