import { expect, test } from "vitest";
import { Cursor } from "./cursor.ts";

test("Cursor.fail(): goes to the end, and the first fault stays", () => {
  const cursor = new Cursor().open(new Uint8Array(5));
  cursor.fail("huffmanEos");
  cursor.fail("integerTruncated");
  expect([cursor.at, cursor.fault]).toEqual([5, "huffmanEos"]);
});

test("Cursor.open(): a new block begins without fault; close() releases it", () => {
  const cursor = new Cursor().open(new Uint8Array(5));
  cursor.fail("huffmanEos");
  cursor.open(new Uint8Array(3));
  expect([cursor.at, cursor.end, cursor.fault]).toEqual([0, 3, undefined]);
  cursor.close();
  expect(cursor.octets).toHaveLength(0);
});

test("Cursor.room(): one buffer serves many strings, and a large one does not outlive its block", () => {
  const cursor = new Cursor().open(Uint8Array.of(1));
  const small = cursor.room(10);
  expect(cursor.room(200)).toBe(small);
  cursor.close();
  expect(cursor.room(10)).toBe(small);
  expect(cursor.room(5_000).length).toBeGreaterThanOrEqual(5_000);
  cursor.close();
  expect(cursor.room(10).length).toBeLessThan(5_000);
});
