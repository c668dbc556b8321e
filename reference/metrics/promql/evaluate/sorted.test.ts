import fc from "fast-check";
import { expect, test } from "vitest";
import { finish } from "./engine.ts";
import { sorted } from "./sorted.ts";
import { Strides } from "./strides.ts";

type Item = { readonly rank: number; readonly at: number };
const byRank = (a: Item, b: Item): number => a.rank - b.rank;

test("sorted(): sorts stably", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 9_000 }), fc.integer({ min: 1, max: 9_000 }), fc.integer(), (count, ranks, salt) => {
      const items = Array.from({ length: count }, (_, at) => ({ rank: Math.imul(at + salt, 0x9e37_79b1) % ranks, at }));
      expect(finish(sorted(items, byRank, new Strides()))).toEqual(items.toSorted(byRank));
    }),
    { numRuns: 30 },
  );
});

test("sorted(): yields for very many items, also if they are already in order", () => {
  for (const sign of [1, -1]) {
    let pauses = 0;
    const items = Array.from({ length: 100_000 }, (_, at) => at * sign);
    const work = sorted(items, (a, b) => a - b, new Strides());
    expect(finish(work, () => void (pauses += 1))).toEqual(items.toSorted((a, b) => a - b));
    expect(pauses).toBeGreaterThan(5);
  }
});
