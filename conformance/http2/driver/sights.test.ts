import { describe, expect, test } from "vitest";
import { build } from "../../wire/http2/build.ts";
import { readFrame } from "../../wire/http2/read.ts";
import type { FrameSpec, Sight } from "../vocabulary.ts";
import { Log, type Seen } from "./log.ts";
import { isSeen, type View } from "./sights.ts";

const setting = { stream: (ref: unknown) => ref as number, text: (value: string) => value };
const frame = (spec: FrameSpec): Seen => ({ is: "frame", at: 0, on: 0, frame: readFrame(build(spec, setting)) });
const response = (stream: number, status: string): Seen => {
  const read = readFrame(build({ type: "HEADERS", stream, flags: ["END_STREAM", "END_HEADERS"] }, setting));
  const section = { of: "HEADERS", stream, fields: [[":status", status]], endStream: true, block: new Uint8Array() } as const;
  return { is: "frame", at: 0, on: 0, frame: read, section };
};
const seenIn = (sight: Sight, ...seen: Seen[]): boolean => {
  const log = new Log();
  for (const one of seen) log.push(one);
  const view: View = {
    log,
    seen: log.seen,
    streamOf: (ref) => ref as number,
    text: (value) => value,
    role: "server",
    fenced: true,
    monitor: () => undefined,
  };
  return isSeen(sight, view);
};

describe("isSeen()", () => {
  test("a response like another: the same status, once the other has come", () => {
    const like: Sight = { see: "response", stream: 3, sameStatusAs: 1 };
    expect(seenIn(like, response(1, "404"), response(3, "404"))).toBe(true);
    expect(seenIn(like, response(1, "200"), response(3, "404"))).toBe(false);
    expect(seenIn(like, response(3, "200"))).toBe(false);
  });

  test("any error: undefined codes too, but not NO_ERROR", () => {
    const any: Sight = { see: "GOAWAY", code: "any error" };
    expect(seenIn(any, frame({ type: "GOAWAY", code: 0xfffffc78 }))).toBe(true);
    expect(seenIn(any, frame({ type: "GOAWAY", code: "CANCEL" }))).toBe(true);
    expect(seenIn(any, frame({ type: "GOAWAY", code: "NO_ERROR" }))).toBe(false);
    expect(seenIn({ see: "RST_STREAM", stream: 1, code: "any error" }, frame({ type: "RST_STREAM", stream: 1, code: "NO_ERROR" }))).toBe(
      false,
    );
    expect(seenIn({ see: "RST_STREAM", stream: 1, code: "any error" }, frame({ type: "RST_STREAM", stream: 1, code: 99 }))).toBe(true);
  });

  test("at least: a member that is not lower", () => {
    const atLeast: Sight = { see: "frame", type: "GOAWAY", where: { "last at least": 3 } };
    expect(seenIn(atLeast, frame({ type: "GOAWAY", last: 1 }))).toBe(false);
    expect(seenIn(atLeast, frame({ type: "GOAWAY", last: 3 }))).toBe(true);
    expect(seenIn(atLeast, frame({ type: "GOAWAY", last: 0x7fffffff }))).toBe(true);
    expect(seenIn(atLeast, frame({ type: "PING", hex: "0000000000000000" }))).toBe(false);
  });

  test("a separate TLS connection: the last one counts", () => {
    const tls = (outcome: "refused" | "answered"): Seen => ({ is: "tls", at: 0, outcome, words: outcome });
    expect(seenIn({ see: "tls", outcome: ["refused", "ended"] }, tls("answered"), tls("refused"))).toBe(true);
    expect(seenIn({ see: "tls", outcome: "refused" }, tls("refused"), tls("answered"))).toBe(false);
    expect(seenIn({ see: "tls", outcome: "refused" })).toBe(false);
  });
});
