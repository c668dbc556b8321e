import { expect, test } from "vitest";
import { readHex, writeHex } from "./testing.ts";

test.each([
  ["none", "000000 0c 00 00000000", []],
  ["two", "000007 0c 00 00000000 0001 61 0002 6263", ["a", "bc"]],
])("ORIGIN: %s are read, and written the same", (_, wire, origins) => {
  const frame = { is: "ORIGIN", origins } as const;
  expect(readHex(wire)).toEqual(frame);
  expect(writeHex(frame)).toBe(wire.replaceAll(" ", ""));
});

test.each([
  ["on a stream", "000003 0c 00 00000001 0001 61"],
  ["with a flag", "000003 0c 01 00000000 0001 61"],
  ["cut within a length", "000004 0c 00 00000000 0001 61 00"],
  ["cut within an origin", "000003 0c 00 00000000 0002 61"],
])("ORIGIN: one %s says nothing", (_, wire) => {
  expect(readHex(wire)).toMatchObject({ is: "unknown", type: 0x0c });
});
