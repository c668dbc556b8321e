import { expect, test } from "vitest";
import { readHex, writeHex } from "./testing.ts";

test.each([
  ["none", "000000 04 00 00000000", false, []],
  ["an acknowledgement", "000000 04 01 00000000", true, []],
  [
    "several, one unknown, one twice",
    "000018 04 00 00000000 0003 00000064 ff00 00000001 0004 0000ffff 0003 ffffffff",
    false,
    [
      { id: 3, value: 100 },
      { id: 0xff00, value: 1 },
      { id: 4, value: 65_535 },
      { id: 3, value: 0xffff_ffff },
    ],
  ],
])("SETTINGS: %s are read in order, and written the same", (_, wire, ack, settings) => {
  const frame = { is: "SETTINGS", ack, settings } as const;
  expect(readHex(wire)).toEqual(frame);
  expect(writeHex(frame)).toBe(wire.replaceAll(" ", ""));
});

test.each([
  ["on a stream", "000000 04 00 00000001", "settingsOnStream (connection)"],
  ["an acknowledgement with a parameter", "000006 04 01 00000000 0003 00000064", "settingsAckNotEmpty (connection)"],
  ["an acknowledgement with one octet", "000001 04 01 00000000 00", "settingsAckNotEmpty (connection)"],
  ["five octets", "000005 04 00 00000000 0003000000", "settingsLengthNotMultipleOf6 (connection)"],
  ["seven octets", "000007 04 00 00000000 00030000006400", "settingsLengthNotMultipleOf6 (connection)"],
])("SETTINGS: %s is refused", (_, wire, name) => {
  expect(readHex(wire)).toBe(name);
});
