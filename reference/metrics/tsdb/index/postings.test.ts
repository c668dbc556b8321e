import fc from "fast-check";
import { expect, test } from "vitest";
import { intersect, subtract, union } from "./postings.ts";

const members = fc.oneof(fc.array(fc.nat(30), { maxLength: 6 }), fc.array(fc.nat(400), { maxLength: 300 }));
const list = members.map((given) => Uint32Array.from(new Set(given)).sort());

test("intersect, subtract and union match operations on sets", () => {
  fc.assert(
    fc.property(list, list, fc.array(list, { maxLength: 12 }), (a, b, many) => {
      expect([...intersect(a, b)]).toEqual([...a].filter((one) => b.includes(one)));
      expect([...subtract(a, b)]).toEqual([...a].filter((one) => !b.includes(one)));
      expect([...union(many)]).toEqual([...new Set(many.flatMap((one) => [...one]))].sort((x, y) => x - y));
    }),
    { numRuns: 1_000 },
  );
});
