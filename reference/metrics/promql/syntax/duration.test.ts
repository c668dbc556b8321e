import { describe, expect, test } from "vitest";
import type { Duration } from "./ast.ts";
import { durationMs, formatDuration, type QueryWindow, readDuration } from "./duration.ts";
import { formatNumber, readNumber } from "./number.ts";
import { parse } from "../parse/parse.ts";

describe("durations: texts", () => {
  test.each([
    ["5m", 300_000],
    ["1h30m", 5_400_000],
    ["1y2w3d4h5m6s7ms", 31_536_000_000 + 1_209_600_000 + 259_200_000 + 14_400_000 + 300_000 + 6_007],
    ["0s", 0],
    ["m", "invalid"],
    ["", "invalid"],
    ["1m1h", "invalid"],
    ["1m1m", "invalid"],
    ["1.5h", "invalid"],
    ["-1m", "invalid"],
    ["300y", "outOfRange"],
  ])("%j", (text, ms) => expect(readDuration(text)).toBe(ms));
  test.each([
    [0, "0s"],
    [1, "1ms"],
    [90_000, "1m30s"],
    [604_800_000, "1w"],
    [694_800_000, "8d1h"],
    [31_536_000_000, "1y"],
    [31_622_400_000, "366d"],
    [-300_000, "-5m"],
  ])("%d", (ms, text) => expect(formatDuration(ms)).toBe(text));
});

describe("durations: expressions (Prometheus docs, querying/basics.md, Duration expressions)", () => {
  const window: QueryWindow = { stepMs: 60_000, rangeMs: 3_600_000 };
  const rangeOf = (text: string): Duration => {
    const expr = parse(`a[${text}]`);
    if (expr.is !== "matrixSelector") throw new Error(JSON.stringify(expr));
    return expr.range;
  };
  test.each([
    ["5m * 2", 600_000],
    ["10m - 1m", 540_000],
    ["(5+2) * 1m", 420_000],
    ["1h / 2", 1_800_000],
    ["4h % 3h", 3_600_000],
    ["(2 ^ 3) * 1m", 480_000],
    ["step() + 1", 61_000],
    ["max_of(step(), 5s)", 60_000],
    ["min_of(2 * step() + 5s, 5m)", 125_000],
    ["range()", 3_600_000],
    ["2 ^ 3 ^ 2", 512_000],
    ["10 - 2 - 3", 5_000],
    ["100 - -2 ^ 2", 104_000],
    ["-(-5m)", 300_000],
    ["1.001", 1_001],
    ["0.0015 + 0", 1],
  ])("%s", (text, ms) => expect(durationMs(rangeOf(text), window, "length")).toBe(ms));
  test.each([
    ["5m - 10m", "duration must be greater than 0"],
    ["step() - 1m", "duration must be greater than 0"],
    ["1 / (step() - 1m)", "division by zero"],
    ["1 % (step() - 1m)", "modulo by zero"],
    ["10 ^ 300", "duration out of range"],
  ])("%s is no length", (text, message) => expect(durationMs(rangeOf(text), window, "length")).toMatchObject({ is: "fault", message }));
  test("an offset may be nothing or less", () => {
    expect(durationMs(rangeOf("5m - 10m"), window, "offset")).toBe(-300_000);
    expect(durationMs(rangeOf("step() - 1m"), window, "offset")).toBe(0);
  });
});

describe("numbers: texts", () => {
  test.each([
    [1e21, "1000000000000000000000"],
    [1.5e-7, "0.00000015"],
    [-1e-7, "-0.0000001"],
    [123_456.789, "123456.789"],
    [-0, "-0"],
    [0.1 + 0.2, "0.30000000000000004"],
    [Number.MAX_VALUE, `17976931348623157${"0".repeat(292)}`],
    [Number.NEGATIVE_INFINITY, "-Inf"],
  ])("%d", (value, text) => {
    expect(formatNumber(value)).toBe(text);
    expect(Number(text.replace("Inf", "Infinity"))).toBe(value);
  });
  test.each(["", "-1", "1_", "_1", "1__0", "0x", "0x1_", "1e", "1.2.3", "1 ", "Infinity", "0b1"])("%j is none", (text) =>
    expect(readNumber(text)).toBeUndefined(),
  );
});
