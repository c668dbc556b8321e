import fc from "fast-check";
import { expect, test } from "vitest";
import { Gathered } from "./gathered.ts";

test("Gathered.take(): returns all octets in order, whatever was announced, and starts again", () => {
  const piece = fc.record({
    size: fc.oneof(fc.nat(40), fc.integer({ min: 900, max: 5_000 })),
    announced: fc.oneof(fc.constant(0), fc.nat(9_000)),
  });
  const gathered = new Gathered();
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      let next = 0;
      const given = pieces.map(({ size, announced }) => {
        const octets = Uint8Array.from({ length: size }, () => next++ & 0xff);
        gathered.push(octets, announced);
        return octets;
      });
      expect(Buffer.compare(gathered.take(), Buffer.concat(given))).toBe(0);
    }),
  );
});

test("Gathered: allocates once for a frame that arrives as announced", () => {
  const gathered = new Gathered();
  for (let left = 1_000_000; left > 0; left -= 50_000) gathered.push(new Uint8Array(50_000), left);
  const all = gathered.take();
  expect([all.length, all.buffer.byteLength]).toEqual([1_000_000, 1_000_000]);
});

test("Gathered: bounds the room for announced octets, and keeps no large room for a few", () => {
  const gathered = new Gathered();
  gathered.push(new Uint8Array(600_000), 2 ** 40);
  expect(gathered.take().buffer.byteLength).toBe(1_048_576);
  gathered.push(new Uint8Array(10), 2 ** 40);
  const all = gathered.take();
  expect([all.length, all.buffer.byteLength]).toEqual([10, 10]);
});

test("Gathered: does not copy a message that fills most of the room that was announced for it", () => {
  const gathered = new Gathered();
  gathered.push(new Uint8Array(58), 67);
  const all = gathered.take();
  expect([all.length, all.buffer.byteLength]).toEqual([58, 67]);
});

test("Gathered: allocates rarely for many small pieces", () => {
  const gathered = new Gathered();
  for (let i = 0; i < 100_000; i++) gathered.push(Uint8Array.of(i & 0xff), 1);
  const all = gathered.take();
  expect([all.length, all[99_999]]).toEqual([100_000, 99_999 & 0xff]);
});

test("Gathered.take(): messages of one octet share no memory", () => {
  const [one, other] = [new Gathered(), new Gathered()];
  one.push(Uint8Array.of(1), 1);
  const first = one.take();
  other.push(Uint8Array.of(2), 1);
  expect([...first, ...other.take()]).toEqual([1, 2]);
});
