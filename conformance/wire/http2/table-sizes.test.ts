import { expect, test } from "vitest";
import type { FrameSpec } from "./frame-spec.ts";
import { TableSizes } from "./table-sizes.ts";

const headers: FrameSpec = { type: "HEADERS", stream: 1, fields: [] };
const ack: FrameSpec = { type: "SETTINGS", flags: ["ACK"] };
const sizesIn = (sizes: TableSizes, ...frames: FrameSpec[]): unknown[] => frames.map((frame) => sizes.signal(frame).tableSize);

test("size update: owed once, after the acknowledgement of a smaller size, on the first frame of a field block", () => {
  const sizes = new TableSizes();
  sizes.announced([["HEADER_TABLE_SIZE", 100]]);
  expect(sizesIn(sizes, headers)).toEqual([undefined]);
  sizes.signal(ack);
  expect(sizesIn(sizes, { type: "PING" }, headers, headers)).toEqual([undefined, [100], undefined]);
});

test("size update: the smallest of several sizes, in one SETTINGS or in several", () => {
  const sizes = new TableSizes();
  sizes.announced([
    ["HEADER_TABLE_SIZE", 0],
    ["HEADER_TABLE_SIZE", 4096],
  ]);
  sizes.announced([["HEADER_TABLE_SIZE", 50]]);
  sizes.signal(ack);
  sizes.signal(ack);
  expect(sizesIn(sizes, headers)).toEqual([[0]]);
});

test("size update: not owed for the initial size or a larger one, nor for other settings", () => {
  const sizes = new TableSizes();
  sizes.announced([["HEADER_TABLE_SIZE", 65_536]]);
  sizes.announced([["HEADER_TABLE_SIZE", 4096]]);
  sizes.announced([["MAX_FRAME_SIZE", 20_000]]);
  for (let n = 0; n < 4; n++) sizes.signal(ack);
  expect(sizesIn(sizes, headers)).toEqual([undefined]);
});

test("size update: a frame that states its own sizes, perhaps none, keeps them, and nothing is owed after it", () => {
  const sizes = new TableSizes();
  sizes.announced([["HEADER_TABLE_SIZE", 100]]);
  sizes.signal(ack);
  expect(sizesIn(sizes, { ...headers, tableSize: [] }, headers)).toEqual([[], undefined]);
});
