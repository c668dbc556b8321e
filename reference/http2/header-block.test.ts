import { expect, test } from "vitest";
import { FrameType } from "./frame/index.ts";
import { HeaderBlock } from "./header-block.ts";
import { DEFAULT_LIMITS } from "./limits.ts";
import { fromHex, id, octets, toHex } from "./testing.ts";

const limits = { ...DEFAULT_LIMITS, blockOctets: 10, continuations: 3 };

test("header block: its fragments are joined in order, and outlive the reads that brought them", () => {
  const first = fromHex("0102");
  const block = new HeaderBlock(id(1), first, true);
  first.fill(0);
  expect(block.add(fromHex(""), limits)).toBeUndefined();
  expect(block.add(fromHex("0304"), limits)).toBeUndefined();
  expect(toHex(block.join())).toBe("01020304");
});

test("header block: only CONTINUATION of the same stream may follow", () => {
  const block = new HeaderBlock(id(3), octets(1), false);
  const head = (type: number, stream: number) => ({ length: 0, type, flags: 0, stream: id(stream) });
  expect(block.interruptedBy(head(FrameType.CONTINUATION, 3), FrameType.CONTINUATION)).toBe(false);
  expect(block.interruptedBy(head(FrameType.CONTINUATION, 1), FrameType.CONTINUATION)).toBe(true);
  expect(block.interruptedBy(head(FrameType.DATA, 3), FrameType.CONTINUATION)).toBe(true);
  expect(block.interruptedBy(head(0xff, 3), FrameType.CONTINUATION)).toBe(true);
});

test("header block: too many fragments, and too many octets, are each a flood", () => {
  const many = new HeaderBlock(id(1), octets(0), false);
  const answers = [1, 2, 3, 4].map(() => many.add(octets(0), limits)?.name);
  expect(answers).toEqual([undefined, undefined, undefined, "floodOfContinuations"]);
  const large = new HeaderBlock(id(1), octets(6), false);
  expect([large.add(octets(4), limits)?.name, large.add(octets(1), limits)?.name]).toEqual([undefined, "blockTooLarge"]);
});
