import { expect, test } from "vitest";
import { FrameType } from "../frame/index.ts";
import { HeaderBlock } from "./header-block.ts";
import { DEFAULT_LIMITS } from "../limits.ts";
import { fromHex, id, octets, T0, toHex } from "../testing.ts";

const begin = (stream: number, block: Uint8Array): HeaderBlock =>
  new HeaderBlock({ is: "HEADERS", stream: id(stream), endStream: false, endHeaders: false, block }, T0);
const limits = { ...DEFAULT_LIMITS, blockOctets: 10, continuations: 3 };

test("HeaderBlock: joins its fragments in order, after the reads that brought them are gone", () => {
  const first = fromHex("0102");
  const block = begin(1, first);
  first.fill(0);
  expect(block.add(fromHex(""), limits)).toBeUndefined();
  expect(block.add(fromHex("0304"), limits)).toBeUndefined();
  expect(toHex(block.join())).toBe("01020304");
});

test("HeaderBlock: any frame but CONTINUATION on the same stream interrupts it", () => {
  const block = begin(3, octets(1));
  const head = (type: number, stream: number) => ({ length: 0, type, flags: 0, stream: id(stream) });
  expect(block.isInterruptedBy(head(FrameType.CONTINUATION, 3))).toBe(false);
  expect(block.isInterruptedBy(head(FrameType.CONTINUATION, 1))).toBe(true);
  expect(block.isInterruptedBy(head(FrameType.DATA, 3))).toBe(true);
  expect(block.isInterruptedBy(head(0xff, 3))).toBe(true);
});

test("HeaderBlock: too many fragments are a flood, and so are too many bytes", () => {
  const many = begin(1, octets(0));
  const answers = [1, 2, 3, 4].map(() => many.add(octets(0), limits)?.name);
  expect(answers).toEqual([undefined, undefined, undefined, "floodOfContinuations"]);
  const large = begin(1, octets(6));
  expect([large.add(octets(4), limits)?.name, large.add(octets(1), limits)?.name]).toEqual([undefined, "blockTooLarge"]);
});
