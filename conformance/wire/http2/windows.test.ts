import { describe, expect, test } from "vitest";
import { build } from "./build.ts";
import { readFrame } from "./read.ts";
import type { FrameSpec } from "../../http2/vocabulary.ts";
import { Recorder } from "../../harness/recorder.ts";
import { Windows } from "./windows.ts";

const frame = (spec: FrameSpec) => readFrame(build(spec, { stream: (ref) => ref as number, text: (value) => value, tableLimit: 4096 }));

describe("Windows", () => {
  test("DATA uses both windows, WINDOW_UPDATE opens one (rfc9113#6.9.1)", () => {
    const windows = new Windows();
    windows.use(1, 65_535);
    expect([windows.connection, windows.stream(1), windows.stream(3)]).toEqual([0, 0, 65_535]);
    windows.grant(frame({ type: "WINDOW_UPDATE", stream: 1, increment: 10 }));
    windows.grant(frame({ type: "WINDOW_UPDATE", stream: 0, increment: 20 }));
    expect([windows.connection, windows.stream(1)]).toEqual([20, 10]);
    expect(windows.granted.get(1)).toBe(10);
  });

  test("a new initial size moves every stream, below zero too, and not the connection (rfc9113#6.9.2)", () => {
    const windows = new Windows();
    windows.use(1, 60_000);
    windows.grant(frame({ type: "SETTINGS", settings: [["INITIAL_WINDOW_SIZE", 10_000]] }));
    expect([windows.connection, windows.stream(1), windows.stream(3)]).toEqual([5535, -50_000 + 0, 10_000]);
  });

  test("an acknowledgement changes nothing", () => {
    const windows = new Windows();
    windows.grant(frame({ type: "SETTINGS", flags: ["ACK"], settings: [["INITIAL_WINDOW_SIZE", 1]] }));
    expect(windows.stream(1)).toBe(65_535);
  });
});

describe("Recorder", () => {
  test("keeps the beginning and the end of a flood", () => {
    const recorder = new Recorder();
    for (let at = 0; at < 1000; at++) recorder.remark(`line ${at}`);
    const { lines } = recorder;
    expect(lines[0]?.means).toBe("line 0");
    expect(lines.at(-1)?.means).toBe("line 999");
    expect(lines.some(({ means }) => means === "… 600 lines left out")).toBe(true);
  });

  test("cuts long octets, and says how many there were", () => {
    const recorder = new Recorder();
    recorder.wire("<-", "DATA", new Uint8Array(1000).fill(1));
    recorder.wire("->", "HEADERS", new Uint8Array(1000).fill(1));
    expect(recorder.lines[0]).toMatchObject({ octets: 1000 });
    expect(recorder.lines[1]?.octets).toBeUndefined();
  });
});
