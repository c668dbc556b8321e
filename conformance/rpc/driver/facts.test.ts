import { describe, expect, test } from "vitest";
import { messageOfParts, partsAt } from "../../wire/rpc/parts.ts";
import type { Fact } from "../vocabulary.ts";
import { areTrue, writtenFields } from "./facts.ts";

const ref = (id: number) => messageOfParts([[3, id]]);
/** A page of sockets. */
const PAGE = messageOfParts([
  [1, ref(4)],
  [1, ref(7)],
  [2, 0],
]);
const KEPT = new Map([["socket", 7]]);

describe("facts about a page with 4 and 7, and an end of 0", () => {
  test.each<[boolean, Fact]>([
    [true, { at: [1, 3], are: [4, { kept: "socket" }] }],
    [false, { at: [1, 3], are: [4] }],
    [false, { at: [1, 3], are: [7, 4] }],
    [true, { at: [1, 3], include: { kept: "socket" } }],
    [false, { at: [1, 3], include: { kept: "socket", plus: 1 } }],
    [true, { at: [1, 3], exclude: 5 }],
    [false, { at: [1, 3], exclude: { kept: "socket" } }],
    [false, { at: [1, 3], exclude: { kept: "what was never kept" } }],
    [true, { at: [1, 3], from: 4, to: 7 }],
    [false, { at: [1, 3], from: 5 }],
    [false, { at: [1, 3], to: 6 }],
    [false, { at: [5], from: 1 }],
    [true, { at: [1, 3], count: [2, 2] }],
    [false, { at: [1, 3], count: [3, 9] }],
    [true, { at: [1, 3], rise: true }],
    [true, { at: [2], are: [] }],
    [false, { at: [2], are: [0] }],
    [true, { at: [1, 3], among: [1, 3] }],
    [false, { at: [1, 3], among: [2] }],
  ])("%s: %o", (holds, fact) => {
    expect(areTrue(PAGE, [fact], KEPT)).toBe(holds);
  });

  test("numbers that fall do not rise", () => {
    const falling = messageOfParts([
      [1, ref(7)],
      [1, ref(4)],
    ]);
    expect(areTrue(falling, [{ at: [1, 3], rise: true }], KEPT)).toBe(false);
  });
});

test("a message of ours: what was kept, more by some, inside another message, and nothing for what was never kept", () => {
  const fields = [
    [1, { kept: "socket", plus: 1 }],
    [2, [[1, "a"]]],
    [3, { kept: "what was never kept" }],
  ] as const;
  const message = writtenFields(fields, KEPT);
  expect(partsAt(message, [1])).toEqual([8]);
  expect(partsAt(message, [2, 1]).map((one) => Buffer.from(one as Uint8Array).toString())).toEqual(["a"]);
  expect(partsAt(message, [3])).toEqual([]);
});
