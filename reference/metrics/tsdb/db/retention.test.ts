import { expect, test } from "vitest";
import { beyondRetention, DEFAULT_RETENTION } from "./retention.ts";

const DAY = 86_400_000;
const block = (ulid: string, lastDay: number, octets = 10) => ({ ulid, minTime: 0, maxTime: lastDay * DAY, octets });
const blocks = [block("new", 30), block("old", 14), block("edge", 15), block("kept", 16)];

test("blocks older than the retention, counted from the newest, are removed", () => {
  expect(beyondRetention(blocks, DEFAULT_RETENTION)).toEqual(["edge", "old"]);
  expect(beyondRetention([], DEFAULT_RETENTION)).toEqual([]);
  expect(beyondRetention(blocks, { ms: 0, octets: 0 })).toEqual([]);
});

test("the oldest blocks are removed until the rest and the log fit, whatever their size", () => {
  const sized = [block("new", 30, 10), block("kept", 16, 10), block("edge", 15, 100), block("old", 14, 1)];
  expect(beyondRetention(sized, { ms: 0, octets: 25 })).toEqual(["edge", "old"]);
  expect(beyondRetention(sized, { ms: 0, octets: 121 })).toEqual([]);
  expect(beyondRetention(sized, { ms: 0, octets: 121 }, 1)).toEqual(["old"]);
});
