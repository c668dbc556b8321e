import fc from "fast-check";
import { expect, test } from "vitest";
import { Deadlines } from "./deadlines.ts";
import { instant, NEVER, type Instant } from "./time.ts";

class Timer {
  deadline: Instant = NEVER;
}

test("without deadlines the first is never", () => {
  const deadlines = new Deadlines<Timer>();
  deadlines.note(new Timer());
  expect([deadlines.first, deadlines.due(instant(1e9))]).toEqual([NEVER, undefined]);
});

test("what is due is taken out, and counts again once it is noted", () => {
  const [deadlines, one] = [new Deadlines<Timer>(), new Timer()];
  one.deadline = instant(5);
  deadlines.note(one);
  expect([deadlines.due(instant(4)), deadlines.due(instant(5)), deadlines.due(instant(5))]).toEqual([undefined, one, undefined]);
  expect(deadlines.first).toBe(NEVER);
  deadlines.note(one);
  expect(deadlines.first).toBe(5);
});

const when = fc.oneof(fc.integer({ min: 0, max: 30 }), fc.constant(Number.POSITIVE_INFINITY));
const step = fc.oneof(
  fc.record({ is: fc.constant("move" as const), timer: fc.nat(19), to: when }),
  fc.record({ is: fc.constant("delete" as const), timer: fc.nat(19) }),
  fc.record({ is: fc.constant("due" as const), now: fc.nat(12) }),
);
test("any deadlines that move: the first and those due are as by looking at all", () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 50, maxLength: 150 }), (steps) => {
      const timers = Array.from({ length: 20 }, () => new Timer());
      const known = new Set<Timer>();
      const deadlines = new Deadlines<Timer>();
      /** How much later each was than the first of all. */
      const order: number[] = [];
      for (const one of steps) {
        if (one.is === "move") {
          const timer = timers[one.timer]!;
          const before = timer.deadline;
          timer.deadline = instant(one.to);
          // A known deadline that moves away need not be noted.
          if (!known.has(timer) || timer.deadline < before) deadlines.note(timer);
          known.add(timer);
        } else if (one.is === "delete") {
          deadlines.delete(timers[one.timer]!);
          known.delete(timers[one.timer]!);
        } else {
          for (let due = deadlines.due(instant(one.now)); due !== undefined; due = deadlines.due(instant(one.now))) {
            order.push(due.deadline - Math.min(...[...known].map(({ deadline }) => deadline)));
            known.delete(due);
          }
        }
        expect(deadlines.first).toBe(Math.min(NEVER, ...[...known].map(({ deadline }) => deadline)));
      }
      expect(order.filter((late) => late !== 0)).toEqual([]);
    }),
    { numRuns: 2_000 },
  );
});
