import { expect, test } from "vitest";
import { fromHex } from "../testing.ts";
import { readHex, writeHex } from "./testing.ts";

test.each([
  ["a question", "000008 06 00 00000000 0102030405060708", false],
  ["an answer", "000008 06 01 00000000 0102030405060708", true],
])("PING: %s is read, and written the same", (_, wire, ack) => {
  const frame = { is: "PING", ack, data: fromHex("0102030405060708") } as const;
  expect(readHex(wire)).toEqual(frame);
  expect(writeHex(frame)).toBe(wire.replaceAll(" ", ""));
});

test.each([
  ["on a stream", "000008 06 00 00000001 0102030405060708", "pingOnStream (connection)"],
  ["seven octets", "000007 06 00 00000000 01020304050607", "pingLengthNot8 (connection)"],
  ["nine octets", "000009 06 01 00000000 010203040506070809", "pingLengthNot8 (connection)"],
])("PING: %s is refused", (_, wire, name) => {
  expect(readHex(wire)).toBe(name);
});
