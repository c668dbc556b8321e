import { expect, test } from "vitest";
import { Cursor } from "./cursor.ts";

test("Cursor.fail(): goes to the end, and the first fault stays", () => {
  const cursor = new Cursor().open(new Uint8Array(5));
  cursor.fail("huffmanEos");
  cursor.fail("integerTruncated");
  expect([cursor.at, cursor.fault]).toEqual([5, "huffmanEos"]);
});

test("Cursor.open(): a new block begins without fault; close() lets go of it", () => {
  const cursor = new Cursor().open(new Uint8Array(5));
  cursor.fail("huffmanEos");
  cursor.open(new Uint8Array(3));
  expect([cursor.at, cursor.end, cursor.fault]).toEqual([0, 3, undefined]);
  cursor.close();
  expect([cursor.octets.length, cursor.end]).toEqual([0, 0]);
});
