import { describe, expect, test } from "vitest";
import { Recorder } from "./recorder.ts";

describe("Recorder", () => {
  test("keeps the beginning and the end of a flood", () => {
    const recorder = new Recorder();
    for (let at = 0; at < 1000; at++) recorder.remark(`line ${at}`);
    const { lines } = recorder;
    expect(lines[0]?.means).toBe("line 0");
    expect(lines.at(-1)?.means).toBe("line 999");
    expect(lines.some(({ means }) => means === "… 600 lines omitted")).toBe(true);
  });

  test("cuts long octets, and keeps their number", () => {
    const recorder = new Recorder();
    recorder.wire("<-", "DATA", new Uint8Array(1000).fill(1));
    recorder.wire("->", "HEADERS", new Uint8Array(1000).fill(1));
    expect(recorder.lines[0]).toMatchObject({ octets: 1000 });
    expect(recorder.lines[1]?.octets).toBeUndefined();
  });
});
