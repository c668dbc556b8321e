import { expect, test } from "vitest";
import { fromHex, id } from "../testing.ts";
import { readHex, writeHex } from "./testing.ts";

const bare = { is: "PUSH_PROMISE", stream: id(1), promised: id(2), endHeaders: true, block: fromHex("82") };

test.each([
  ["a whole block", "000005 05 04 00000001 00000002 82", bare],
  ["a first fragment", "000005 05 00 00000001 00000002 82", { ...bare, endHeaders: false }],
  ["padding", "000008 05 0c 00000001 02 00000002 82 0000", { ...bare, pad: 2 }],
])("PUSH_PROMISE: %s is read, and written the same", (_, wire, frame) => {
  expect(readHex(wire)).toEqual(frame);
  expect(writeHex(frame as never)).toBe(wire.replaceAll(" ", ""));
});

test("PUSH_PROMISE: the reserved bit of the promised stream is ignored", () => {
  expect(readHex("000005 05 04 00000001 80000002 82")).toEqual(bare);
});

test.each([
  ["on stream 0", "000005 05 04 00000000 00000002 82", "pushPromiseOnConnection (connection)"],
  ["three octets", "000003 05 04 00000001 000002", "pushPromiseTooShort (connection)"],
  ["padding longer than what is left", "000006 05 0c 00000001 02 00000002 82", "paddingTooLong (connection)"],
  ["PADDED without room for the promised stream", "000004 05 0c 00000001 00 000000", "pushPromiseTooShort (connection)"],
])("PUSH_PROMISE: %s is refused", (_, wire, name) => {
  expect(readHex(wire)).toBe(name);
});
