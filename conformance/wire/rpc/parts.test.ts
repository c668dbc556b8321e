import { expect, test } from "vitest";
import { fromHex, toHex } from "../octets.ts";
import { addressOctets, isPart, messageOfParts, partsAt, partsInWords } from "./parts.ts";

const inner = messageOfParts([
  [1, "a"],
  [2, 300],
]);
const message = messageOfParts([
  [1, inner],
  [1, messageOfParts([[1, "b"]])],
  [3, -1],
]);

test("a message of parts: fields in their order, a negative number in ten octets", () => {
  expect(toHex(inner)).toBe("0a016110ac02");
  expect(toHex(message)).toBe("0a060a016110ac020a030a016218ffffffffffffffffff01");
});

test("a place: every value of each repeated field on the way, in order", () => {
  expect(partsAt(message, [1, 1]).map((one) => Buffer.from(one as Uint8Array).toString())).toEqual(["a", "b"]);
  expect(partsAt(message, [1, 2])).toEqual([300]);
  expect(partsAt(message, [3, 1])).toEqual([]);
  expect(partsAt(fromHex("0a05"), [1])).toEqual([]);
});

test("a value is the expected one: numbers, texts, and addresses in both forms of version 4", () => {
  expect(isPart(5, 5)).toBe(true);
  expect(isPart(Buffer.from("a"), "a")).toBe(true);
  expect(isPart(Buffer.from("a"), "b")).toBe(false);
  const mapped = fromHex("00000000000000000000ffff7f000001");
  expect(isPart(mapped, Uint8Array.of(127, 0, 0, 1))).toBe(true);
  expect(isPart(Uint8Array.of(127, 0, 0, 2), mapped)).toBe(false);
});

test.each([
  ["127.0.0.1", "7f000001"],
  ["::ffff:10.0.0.1", "0a000001"],
  ["::1", "00000000000000000000000000000001"],
  ["2001:db8::a:1", "20010db80000000000000000000a0001"],
])("the octets of the address %s", (address, hex) => {
  expect(toHex(addressOctets(address) ?? new Uint8Array())).toBe(hex);
});

test("a name is no address", () => {
  expect(addressOctets("localhost")).toBeUndefined();
});

test("a message in words: nested, with texts", () => {
  expect(partsInWords(message)).toBe('{1: {1: "a", 2: 300}, 1: {1: "b"}, 3: 18446744073709552000}');
});
