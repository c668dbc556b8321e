import { describe, expect, test } from "vitest";
import { difference } from "./answers.ts";

const row = (value: string, job = "a", time = 1): object => ({ metric: { job, le: "1" }, value: [time, value] });
const answer = (...result: object[]): string => JSON.stringify({ status: "success", data: { resultType: "vector", result } });

describe("difference()", () => {
  test("ignores the order and the last digits", () => {
    expect(difference(answer(row("1"), row("0.30000000000000004", "b")), answer(row("0.3", "b"), row("1")))).toBeUndefined();
    expect(difference(answer(row("NaN")), answer(row("NaN")))).toBeUndefined();
  });

  test.each([
    ["another value", answer(row("1")), answer(row("1.001"))],
    ["another time", answer(row("1")), answer(row("1", "a", 2))],
    ["other labels", answer(row("1")), answer(row("1", "b"))],
    ["one more series", answer(row("1")), answer(row("1"), row("1", "b"))],
    ["one more point", answer({ metric: {}, values: [[1, "1"]] }), answer({ metric: {}, values: [] })],
    ["empty answers", answer(), answer()],
    ["NaN instead of a number", answer(row("1")), answer(row("NaN"))],
    ["an error", '{"status":"error"}', answer(row("1"))],
  ])("reports %s", (_, ours, theirs) => {
    expect(difference(ours, theirs)).toEqual(expect.any(String));
  });
});
