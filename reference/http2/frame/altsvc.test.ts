import { expect, test } from "vitest";
import { id } from "../testing.ts";
import { readHex, writeHex } from "./testing.ts";

test.each([
  ["for an origin", "000006 0a 00 00000000 0001 61 68323d", 0, "a", "h2="],
  ["for the origin of a request", "000005 0a 00 00000001 0000 68323d", 1, "", "h2="],
])("ALTSVC: %s is read, and written the same", (_, wire, stream, origin, value) => {
  const frame = { is: "ALTSVC", stream: id(stream), origin, value } as const;
  expect(readHex(wire)).toEqual(frame);
  expect(writeHex(frame)).toBe(wire.replaceAll(" ", ""));
});

test.each([
  ["without a length", "000001 0a 00 00000000 00"],
  ["with a length past its end", "000003 0a 00 00000000 0002 61"],
  ["on stream 0 without an origin", "000005 0a 00 00000000 0000 68323d"],
  ["on a stream with an origin", "000006 0a 00 00000001 0001 61 68323d"],
])("ALTSVC: one %s says nothing", (_, wire) => {
  expect(readHex(wire)).toMatchObject({ is: "unknown", type: 0x0a });
});
