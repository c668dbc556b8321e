import { expect, test } from "vitest";
import { id } from "../testing.ts";
import { readHex, writeHex } from "./testing.ts";

test.each([
  ["with a value", "000007 10 00 00000000 00000003 753d30", 3, "u=0"],
  ["without one", "000004 10 00 00000000 00000003", 3, ""],
])("PRIORITY_UPDATE: %s is read, and written the same", (_, wire, stream, value) => {
  const frame = { is: "PRIORITY_UPDATE", prioritized: id(stream), value } as const;
  expect(readHex(wire)).toEqual(frame);
  expect(writeHex(frame)).toBe(wire.replaceAll(" ", ""));
});

test.each([
  ["on a stream", "000004 10 00 00000003 00000003", "priorityUpdateOnStream (connection)"],
  ["three octets", "000003 10 00 00000000 000003", "priorityUpdateTooShort (connection)"],
  ["of stream 0", "000004 10 00 00000000 00000000", "priorityUpdateOfConnection (connection)"],
  ["of stream 0 behind the reserved bit", "000004 10 00 00000000 80000000", "priorityUpdateOfConnection (connection)"],
])("PRIORITY_UPDATE: %s is refused", (_, wire, name) => {
  expect(readHex(wire)).toBe(name);
});
