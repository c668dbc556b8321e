import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Replay } from "./replay.ts";

describe("Replay", () => {
  test("keeps the last octets of any stream, by their offsets", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 20 }),
        fc.nat(50),
        fc.array(fc.uint8Array({ maxLength: 30 }), { maxLength: 12 }),
        fc.nat(),
        fc.nat(),
        (capacity, at, pieces, a, b) => {
          const replay = new Replay(capacity, at);
          const all: number[] = [];
          for (const piece of pieces) {
            replay.append(piece);
            all.push(...piece);
          }
          expect(replay.end).toBe(at + all.length);
          expect(replay.end - replay.start).toBe(Math.min(capacity, all.length));
          const held = replay.end - replay.start;
          const from = replay.start + (a % (held + 1));
          const to = from + (b % (replay.end - from + 1));
          expect(replay.slice(from, to)).toEqual(Uint8Array.from(all.slice(from - at, to - at)));
        },
      ),
      { numRuns: 500 },
    );
  });

  test("slice(): returns a copy", () => {
    const replay = new Replay(4);
    replay.append(Uint8Array.of(1, 2));
    const before = replay.slice(0);
    replay.append(Uint8Array.of(3, 4, 5, 6));
    expect([...before]).toEqual([1, 2]);
  });

  test("slice(): octets that are no longer kept are Misuse", () => {
    const replay = new Replay(2);
    replay.append(Uint8Array.of(1, 2, 3));
    expect(() => replay.slice(0)).toThrow("0 to 3 is not kept: the replay has 1 to 3");
    expect(() => replay.slice(1, 4)).toThrow("not kept");
  });
});
