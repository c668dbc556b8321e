import { expect, test } from "vitest";
import { id } from "../testing.ts";
import { readHex, writeHex } from "./testing.ts";

test.each([
  ["a known code", "000004 03 00 00000001 00000008", 8],
  ["a code that nobody has defined", "000004 03 00 00000001 ffffffff", 0xffff_ffff],
])("RST_STREAM: %s is read, and written the same", (_, wire, code) => {
  const frame = { is: "RST_STREAM", stream: id(1), code } as const;
  expect(readHex(wire)).toEqual(frame);
  expect(writeHex(frame)).toBe(wire.replaceAll(" ", ""));
});

test.each([
  ["on stream 0", "000004 03 00 00000000 00000008", "rstStreamOnConnection (connection)"],
  ["three octets", "000003 03 00 00000001 000008", "rstStreamLengthNot4 (connection)"],
  ["five octets", "000005 03 00 00000001 0000000800", "rstStreamLengthNot4 (connection)"],
])("RST_STREAM: %s is refused", (_, wire, name) => {
  expect(readHex(wire)).toBe(name);
});
