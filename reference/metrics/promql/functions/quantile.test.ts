import fc from "fast-check";
import { expect, test } from "vitest";
import { quantile } from "./quantile.ts";

/** By sorting all of them. */
function sorted(phi: number, values: readonly number[]): number {
  if (Number.isNaN(phi)) return Number.NaN;
  if (phi < 0) return -Infinity;
  if (phi > 1) return Infinity;
  const order = values.toSorted((a, b) => (Number.isNaN(a) || Number.isNaN(b) ? Number(Number.isNaN(b)) - Number(Number.isNaN(a)) : a - b));
  const rank = phi * (order.length - 1);
  const below = Math.floor(rank);
  const above = Math.min(order.length - 1, below + 1);
  return (order[below] ?? 0) * (1 - (rank - below)) + (order[above] ?? 0) * (rank - below);
}

test("quantile: selects the value that sorting would give", () => {
  const number = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.double({ min: -1e6, max: 1e6 }), fc.constant(Number.NaN));
  fc.assert(
    fc.property(
      fc.double({ min: -0.2, max: 1.2 }),
      fc.array(number, { minLength: 1, maxLength: 60 }),
      fc.nat({ max: 3 }),
      (phi, values, before) => {
        const room = Float64Array.from([...Array.from({ length: before }, () => 7), ...values, 9]);
        expect(quantile(phi, room, before, before + values.length)).toBe(sorted(phi, values));
        expect(room[before + values.length]).toBe(9);
      },
    ),
    { numRuns: 500 },
  );
});

test("quantile: of no values is NaN", () => {
  expect(quantile(0.5, new Float64Array(3), 1, 1)).toBeNaN();
});
