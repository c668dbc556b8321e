import { expect, test } from "vitest";
import { FRAME, Framer, MORE, TOO_LARGE } from "./framer.ts";
import { data, octets, ping, settings, toHex, wire } from "../testing.ts";

const bytes = wire(settings([3, 100]), data(1, 40), ping(), data(1, 0, { end: true }));

/** All frames in reads of `cut` octets. */
function read(input: Uint8Array, cut: number, max = 16_384): string[] {
  const framer = new Framer();
  const seen: string[] = [];
  for (let at = 0; at < input.length; at += cut) {
    framer.push(input.subarray(at, at + cut));
    for (let found = framer.next(max); found !== MORE; found = framer.next(max)) {
      if (found === TOO_LARGE) return [...seen, "too large"];
      expect(found).toBe(FRAME);
      const { type, flags, stream, length } = framer.head;
      seen.push(`${type} ${flags} ${stream} ${length} ${toHex(framer.payload)}`);
    }
  }
  return seen;
}

test("Framer: reads of any size give the same frames", () => {
  const whole = read(bytes, bytes.length);
  expect(whole).toHaveLength(4);
  for (let cut = 1; cut < bytes.length; cut++) expect(read(bytes, cut), `reads of ${cut}`).toEqual(whole);
});

test("Framer: a length over the limit is found as soon as the head is complete", () => {
  const large = wire(data(1, octets(41)));
  expect(read(large.subarray(0, 9), 9, 40)).toEqual(["too large"]);
  for (let cut = 1; cut < 12; cut++) expect(read(large, cut, 40)).toEqual(["too large"]);
  expect(read(large, 100, 41)).toHaveLength(1);
});

test("Framer: isMidFrame between and within frames", () => {
  const framer = new Framer();
  for (const [upTo, isMid] of [
    [4, true],
    [9, true],
    [16, true],
    [17, false],
  ] as const) {
    framer.push(wire(ping()).subarray(upTo === 4 ? 0 : upTo === 9 ? 4 : upTo === 16 ? 9 : 16, upTo));
    framer.next(16_384);
    expect([upTo, framer.isMidFrame]).toEqual([upTo, isMid]);
  }
});

test("Framer: a frame within one read is a view, not a copy", () => {
  const framer = new Framer();
  const input = wire(data(1, 3));
  framer.push(input);
  framer.next(16_384);
  expect(framer.payload.buffer).toBe(input.buffer);
});

test("Framer: retains nothing of what was read when it is at rest", () => {
  for (const rest of [0, 4, 12]) {
    const framer = new Framer();
    framer.push(wire(data(1, 3), ping()).subarray(0, 12 + rest));
    expect(framer.next(16_384)).toBe(FRAME);
    expect(framer.next(16_384)).toBe(MORE);
    expect([rest, framer.payload.buffer.byteLength]).toEqual([rest, 0]);
  }
});
