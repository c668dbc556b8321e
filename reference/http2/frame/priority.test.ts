import { expect, test } from "vitest";
import { id } from "../testing.ts";
import { readHex, writeHex } from "./testing.ts";

test.each([
  ["least weight", "000005 02 00 00000001 00000003 00", { dependsOn: id(3), weight: 1, exclusive: false }],
  ["most weight, exclusive", "000005 02 00 00000001 80000000 ff", { dependsOn: id(0), weight: 256, exclusive: true }],
])("PRIORITY: %s is read, and written the same", (_, wire, priority) => {
  const frame = { is: "PRIORITY", stream: id(1), priority } as const;
  expect(readHex(wire)).toEqual(frame);
  expect(writeHex(frame)).toBe(wire.replaceAll(" ", ""));
});

test.each([
  ["on stream 0", "000005 02 00 00000000 00000003 00", "priorityOnConnection (connection)"],
  ["four octets", "000004 02 00 00000001 00000003", "priorityLengthNot5 (stream)"],
  ["six octets", "000006 02 00 00000001 00000003 0000", "priorityLengthNot5 (stream)"],
])("PRIORITY: %s is refused", (_, wire, name) => {
  expect(readHex(wire)).toBe(name);
});
