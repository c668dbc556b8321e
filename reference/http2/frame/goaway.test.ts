import { expect, test } from "vitest";
import { fromHex, id } from "../testing.ts";
import { readHex, writeHex } from "./testing.ts";

test.each([
  ["without debug data", "000008 07 00 00000000 00000005 00000000", 5, 0, ""],
  ["with debug data", "00000a 07 00 00000000 7fffffff 0000000b 6162", 0x7fff_ffff, 11, "6162"],
])("GOAWAY: %s is read, and written the same", (_, wire, last, code, debug) => {
  const frame = { is: "GOAWAY", last: id(last), code, debug: fromHex(debug) } as const;
  expect(readHex(wire)).toEqual(frame);
  expect(writeHex(frame)).toBe(wire.replaceAll(" ", ""));
});

test("GOAWAY: the reserved bit of the last stream is ignored", () => {
  expect(readHex("000008 07 00 00000000 80000005 00000000")).toMatchObject({ last: 5 });
});

test.each([
  ["on a stream", "000008 07 00 00000001 00000005 00000000", "goawayOnStream (connection)"],
  ["seven octets", "000007 07 00 00000000 00000005 000000", "goawayTooShort (connection)"],
])("GOAWAY: %s is refused", (_, wire, name) => {
  expect(readHex(wire)).toBe(name);
});
