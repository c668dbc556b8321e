import { expect, test } from "vitest";
import { id } from "../testing.ts";
import { readHex, writeHex } from "./testing.ts";

test.each([
  ["the least increment", "000004 08 00 00000001 00000001", 1, 1],
  ["the greatest, on the connection", "000004 08 00 00000000 7fffffff", 0, 0x7fff_ffff],
])("WINDOW_UPDATE: %s is read, and written the same", (_, wire, stream, increment) => {
  const frame = { is: "WINDOW_UPDATE", stream: id(stream), increment } as const;
  expect(readHex(wire)).toEqual(frame);
  expect(writeHex(frame)).toBe(wire.replaceAll(" ", ""));
});

test("WINDOW_UPDATE: the reserved bit is ignored", () => {
  expect(readHex("000004 08 00 00000001 80000001")).toMatchObject({ increment: 1 });
});

test.each([
  ["zero on a stream", "000004 08 00 00000001 00000000", "windowIncrementZero (stream)"],
  ["zero on the connection", "000004 08 00 00000000 00000000", "windowIncrementZero (connection)"],
  ["zero behind the reserved bit", "000004 08 00 00000001 80000000", "windowIncrementZero (stream)"],
  ["three octets", "000003 08 00 00000001 000001", "windowUpdateLengthNot4 (connection)"],
  ["five octets", "000005 08 00 00000001 0000000100", "windowUpdateLengthNot4 (connection)"],
])("WINDOW_UPDATE: %s is refused", (_, wire, name) => {
  expect(readHex(wire)).toBe(name);
});
