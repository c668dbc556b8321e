import { expect, test } from "vitest";
import { fromHex, id } from "../testing.ts";
import { readHex, writeHex } from "./testing.ts";

test.each([
  ["content", "000003 00 00 00000001 616263", { is: "DATA", stream: id(1), endStream: false, data: fromHex("616263") }],
  ["the end without content", "000000 00 01 00000003", { is: "DATA", stream: id(3), endStream: true, data: fromHex("") }],
  ["padding", "000006 00 08 00000001 02 616263 0000", { is: "DATA", stream: id(1), endStream: false, data: fromHex("616263"), pad: 2 }],
  ["padding of no octets", "000001 00 09 00000001 00", { is: "DATA", stream: id(1), endStream: true, data: fromHex(""), pad: 0 }],
])("DATA: %s is read, and written the same", (_, wire, frame) => {
  expect(readHex(wire)).toEqual(frame);
  expect(writeHex(frame as never)).toBe(wire.replaceAll(" ", ""));
});

test.each([
  ["on stream 0", "000001 00 00 00000000 61", "dataOnConnection (connection)"],
  ["padding as long as the payload", "000003 00 08 00000001 03 0000", "paddingTooLong (connection)"],
  ["PADDED without Pad Length", "000000 00 08 00000001", "dataTooShort (stream)"],
])("DATA: %s is refused", (_, wire, name) => {
  expect(readHex(wire)).toBe(name);
});

test("DATA: flags that it does not define, and the reserved bit, are ignored", () => {
  expect(readHex("000001 00 f6 80000001 61")).toEqual({ is: "DATA", stream: 1, endStream: false, data: fromHex("61") });
});

test("DATA: padding that is not zero is accepted", () => {
  expect(readHex("000003 00 08 00000001 01 61 ff")).toMatchObject({ is: "DATA", data: fromHex("61") });
});
