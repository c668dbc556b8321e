import { describe, expect, test } from "vitest";
import { stepsOf } from "../http2/driver/replay.ts";
import type { TranscriptLine } from "./result.ts";
import { parseJsonLines, renderJsonLines, renderText } from "./transcript.ts";

const lines: TranscriptLine[] = [
  { at: 0.1, way: "->", means: "connection preface", hex: "505249" },
  { at: 0.2, way: "->", means: "SETTINGS", hex: "000000040000000000" },
  { at: 1, way: "<-", means: "SETTINGS", hex: "000000040000000000" },
  { at: 1.1, way: "->", means: "SETTINGS ACK", hex: "000000040100000000" },
  { at: 400, way: "->", means: "DATA stream 1 300 octets", hex: "00012c000000000001", octets: 309 },
  { at: 401, way: "--", means: "a remark" },
  { at: 402, way: "->", means: "PING 70756e6300000003", hex: "00000806000000000070756e6300000003" },
];

describe("renderText()", () => {
  test("time, direction, meaning, octets beneath", () => {
    const text = renderText(lines);
    expect(text).toContain("     0.1 ms -> connection preface\n               505249");
    expect(text).toContain("… (309 octets)");
    expect(renderText(lines, { hex: false }).split("\n")).toHaveLength(lines.length);
  });
});

describe("JSON lines", () => {
  test("are read back as they were written", () => {
    expect(parseJsonLines(renderJsonLines(lines))).toEqual(lines);
  });
  test.each(["{", '{"at":1}', '{"at":1,"way":"=>","means":""}'])("%s is refused with its line", (text) => {
    expect(() => parseJsonLines(`${JSON.stringify(lines[0])}\n${text}`)).toThrow("Line 2");
  });
});

describe("stepsOf()", () => {
  test("replays our octets without the driver's own answers and fences, with the pauses", () => {
    const steps = stepsOf(lines);
    expect(steps.map((step) => step.do)).toEqual(["bytes", "bytes", "wait", "bytes"]);
    expect(steps[3]).toMatchObject({ hex: "00012c000000000001".padEnd(618, "0") });
  });

  test("truncated octets cannot be replayed, unless they are zeros of DATA", () => {
    expect(() => stepsOf([{ at: 0, way: "->", means: "HEADERS stream 1", hex: "00", octets: 9000 }])).toThrow("was cut");
  });
});
