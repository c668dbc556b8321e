import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Damage } from "../files/damage.ts";
import { type Intervals, isCovered, isDeleted, isTouched, parseTombstones, printTombstones, withInterval } from "./tombstones.ts";

const stretch = fc.tuple(fc.nat(40), fc.nat(15)).map(([first, width]) => [first, first + width] as const);
const inside = (list: readonly (readonly [number, number])[], time: number): boolean =>
  list.some(([first, last]) => time >= first && time <= last);
const TIMES = Array.from({ length: 60 }, (_, at) => at);

describe("intervals", () => {
  test("contain the added times, in order and disjoint", () => {
    fc.assert(
      fc.property(fc.array(stretch, { maxLength: 8 }), stretch, (list, [first, last]) => {
        const intervals = list.reduce<Intervals>((sum, [from, to]) => withInterval(sum, from, to), []);
        expect(TIMES.filter((time) => isDeleted(intervals, time))).toEqual(TIMES.filter((time) => inside(list, time)));
        for (let at = 2; at < intervals.length; at += 2) expect(intervals[at]).toBeGreaterThan((intervals[at - 1] ?? 0) + 1);
        const asked = TIMES.filter((time) => time >= first && time <= last);
        expect(isCovered(intervals, first, last)).toBe(asked.every((time) => inside(list, time)));
        expect(isTouched(intervals, first, last)).toBe(asked.some((time) => inside(list, time)));
      }),
      { numRuns: 500 },
    );
  });

  test("read back what was written", () => {
    const stones = fc.dictionary(fc.nat(2 ** 40).map(String), fc.array(stretch, { minLength: 1, maxLength: 4 }));
    fc.assert(
      fc.property(stones, (all) => {
        const map = new Map(
          Object.entries(all).map(([series, list]) => [
            Number(series),
            list.reduce<Intervals>((sum, [from, to]) => withInterval(sum, from - 20, to), []),
          ]),
        );
        expect(parseTombstones("x", printTombstones(map))).toEqual(map);
      }),
    );
  });

  test("with an octet changed or missing: damage", () => {
    const bytes = printTombstones(new Map([[7, [1, 2, 9, 12]]]));
    for (let at = 0; at < bytes.length; at++) {
      expect(() => parseTombstones("x", bytes.with(at, (bytes[at] ?? 0) ^ 4))).toThrow(Damage);
      expect(() => parseTombstones("x", bytes.subarray(0, at))).toThrow(Damage);
    }
  });
});
