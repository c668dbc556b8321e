import { expect, test } from "vitest";
import { fromHex, id } from "../testing.ts";
import { readHex, writeHex } from "./testing.ts";

test.each([
  ["a fragment", "000001 09 00 00000001 82", false, "82"],
  ["the last fragment", "000001 09 04 00000001 82", true, "82"],
  ["an empty one", "000000 09 04 00000001", true, ""],
])("CONTINUATION: %s is read, and written the same", (_, wire, endHeaders, block) => {
  const frame = { is: "CONTINUATION", stream: id(1), endHeaders, block: fromHex(block) } as const;
  expect(readHex(wire)).toEqual(frame);
  expect(writeHex(frame)).toBe(wire.replaceAll(" ", ""));
});

test("CONTINUATION: has no padding: the flag is ignored", () => {
  expect(readHex("000002 09 0c 00000001 0182")).toMatchObject({ block: fromHex("0182") });
});

test("CONTINUATION: on stream 0 is refused", () => {
  expect(readHex("000001 09 04 00000000 82")).toBe("continuationOnConnection (connection)");
});
