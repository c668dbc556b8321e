import { describe, expect, test } from "vitest";
import { build } from "./build.ts";
import { readFrame } from "./read.ts";
import type { FrameSpec } from "./frame-spec.ts";
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
