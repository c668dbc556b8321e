import { expect, test } from "vitest";
import { fromHex, id } from "../testing.ts";
import { readHex, writeHex } from "./testing.ts";

const bare = { is: "HEADERS", stream: id(1), endStream: false, endHeaders: true, block: fromHex("82") };
const priority = { dependsOn: id(3), weight: 256, exclusive: true };

test.each([
  ["a whole block", "000001 01 04 00000001 82", bare],
  ["a first fragment", "000001 01 00 00000001 82", { ...bare, endHeaders: false }],
  ["the end of the stream", "000001 01 05 00000001 82", { ...bare, endStream: true }],
  ["padding", "000004 01 0c 00000001 02 82 0000", { ...bare, pad: 2 }],
  ["the deprecated priority", "000006 01 24 00000001 80000003 ff 82", { ...bare, priority }],
  ["both", "000008 01 2c 00000001 01 80000003 ff 82 00", { ...bare, priority, pad: 1 }],
  ["an empty fragment", "000000 01 00 00000001", { ...bare, endHeaders: false, block: fromHex("") }],
])("HEADERS: %s is read, and written the same", (_, wire, frame) => {
  expect(readHex(wire)).toEqual(frame);
  expect(writeHex(frame as never)).toBe(wire.replaceAll(" ", ""));
});

test.each([
  ["on stream 0", "000001 01 04 00000000 82", "headersOnConnection (connection)"],
  ["padding longer than what is left", "000002 01 0c 00000001 02 82", "paddingTooLong (connection)"],
  ["PADDED without Pad Length", "000000 01 0c 00000001", "headersTooShort (connection)"],
  ["PRIORITY without its five octets", "000004 01 24 00000001 00000003", "headersTooShort (connection)"],
])("HEADERS: %s is refused", (_, wire, name) => {
  expect(readHex(wire)).toBe(name);
});
