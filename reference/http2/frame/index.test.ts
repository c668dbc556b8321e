import { expect, test } from "vitest";
import { Writer } from "../../core/index.ts";
import { fromHex, id } from "../testing.ts";
import { FrameType, readFrame, readFrames, writeFrame } from "./index.ts";

test("a frame of unknown type is returned as such, whatever its payload", () => {
  for (const type of [0x0b, 0x0d, 0x0f, 0x11, 0xff]) {
    expect(readFrame({ length: 1, type, flags: 0xff, stream: id(5) }, fromHex("00"))).toEqual({ is: "unknown", type, stream: 5 });
  }
});

test("every named type has a reader", () => {
  for (const [name, type] of Object.entries(FrameType)) {
    const got = readFrame({ length: 0, type, flags: 0, stream: id(name === "ALTSVC" ? 0 : 1) }, fromHex(""));
    // ALTSVC and ORIGIN that are not well formed are ignored; all others are read or refused.
    const ignores = name === "ALTSVC" || name === "ORIGIN";
    expect([name, got.is === "unknown"]).toEqual([name, ignores]);
  }
});

test("an unknown frame cannot be written", () => {
  expect(() => writeFrame(new Writer(), { is: "unknown", type: 0xff, stream: id(1) })).toThrow("no payload");
});

test("readFrames(): reads frame by frame, and ignores an incomplete head", () => {
  expect(readFrames(fromHex("000000040000000000" + "000000040100000000" + "0000")).map((frame) => frame.is)).toEqual([
    "SETTINGS",
    "SETTINGS",
  ]);
});
