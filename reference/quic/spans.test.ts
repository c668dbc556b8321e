import fc from "fast-check";
import { expect, test } from "vitest";
import { Spans } from "./spans.ts";

const step = fc.tuple(fc.boolean(), fc.nat(60), fc.nat(12));

test("spans are a set of integers", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.nat(60), fc.nat(20), (steps, at, length) => {
      const spans = new Spans();
      const model = new Set<number>();
      for (const [isAdded, from, count] of steps) {
        const numbers = Array.from({ length: count }, (_, i) => from + i);
        const isNew = numbers.some((one) => !model.has(one));
        expect(isAdded ? spans.add(from, from + count) : isNew).toBe(isNew);
        if (!isAdded) spans.remove(from, from + count);
        for (const one of numbers)
          if (isAdded) model.add(one);
          else model.delete(one);
      }
      const all = spans.list.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, i) => from + i));
      expect(all).toEqual([...model].sort((a, b) => a - b));
      expect(spans.list.every(({ from }, i) => i === 0 || from > spans.list[i - 1]!.to)).toBe(true);
      expect([spans.size, spans.first, spans.last]).toEqual([spans.list.length, spans.list[0], spans.list.at(-1)]);
      const asked = Array.from({ length }, (_, i) => at + i);
      expect(spans.has(at)).toBe(model.has(at));
      expect(spans.covers(at, at + length)).toBe(asked.every((one) => model.has(one)));
      const gaps = spans.missing(at, at + length).flatMap(({ from, to }) => Array.from({ length: to - from }, (_, i) => from + i));
      expect(gaps).toEqual(asked.filter((one) => !model.has(one)));
    }),
    { numRuns: 500 },
  );
});
