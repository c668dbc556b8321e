import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { after, NEVER, type Instant } from "../core/index.ts";
import { now, Watch, type Timed } from "./clock.ts";

/** A deadline that moves once, when it is due. */
class Deadline implements Timed {
  deadline: Instant;
  readonly #then: Instant;
  readonly seen: Instant[] = [];

  constructor(deadline: Instant, then: Instant = NEVER) {
    this.deadline = deadline;
    this.#then = then;
  }
  due(at: Instant): void {
    this.seen.push(at);
    this.deadline = this.seen.length === 1 ? this.#then : NEVER;
  }
}

test("the clock is monotonic, in whole milliseconds", () => {
  const first = now();
  expect(now()).toBeGreaterThanOrEqual(first);
  expect(Number.isInteger(first)).toBe(true);
});

test("a deadline is noticed after it has passed, and forgotten without another one", async () => {
  const watch = new Watch();
  const at = now();
  const soon = new Deadline(after(at, 20), after(at, 40));
  const far = new Deadline(after(at, 60_000));
  watch.add(soon);
  watch.add(far);
  while (soon.seen.length < 2) await pause(10);
  expect(soon.seen[0]).toBeGreaterThanOrEqual(after(at, 20));
  expect([far.seen.length, watch.has(soon), watch.has(far)]).toEqual([0, false, true]);
  watch.delete(far);
  expect(watch.size).toBe(0);
});

test("after a pause without deadlines the next one is noticed too", async () => {
  const watch = new Watch();
  for (let round = 0; round < 2; round++) {
    const soon = new Deadline(now());
    watch.add(soon);
    while (soon.seen.length === 0) await pause(10);
    while (watch.size > 0) await pause(10);
    await pause(250);
    expect(soon.seen).toHaveLength(1);
  }
});
