import { expect, test } from "vitest";
import { latin1 } from "./latin1.ts";

const all = Uint8Array.from({ length: 256 }, (_, i) => i);

test("latin1(): every octet is the character with the same number, in short and long strings", () => {
  expect([...latin1(all, 0, 256)].map((one) => one.charCodeAt(0))).toEqual([...all]);
  for (let at = 0; at < 256; at++) expect(latin1(all, at, at + 1).charCodeAt(0)).toBe(at);
});

test("latin1(): reads the given range, at every length", () => {
  for (let length = 0; length < 40; length++)
    expect(latin1(all, 65, 65 + length)).toBe(String.fromCharCode(...all.subarray(65, 65 + length)));
});
