import { describe, expect, test } from "vitest";
import { slotFrom, Slots } from "./slots.ts";

const INTERVAL = 60_000;

describe("the times of a group", () => {
  test("groups are spread over the interval, and always at the same place", () => {
    const offsets = Array.from({ length: 300 }, (_, at) => new Slots(`f;g${at}`, INTERVAL, 0).next);
    for (let third = 0; third < 3; third++)
      expect(offsets.filter((offset) => Math.floor((offset * 3) / INTERVAL) === third).length).toBeGreaterThan(60);
    expect(new Slots("f;g1", INTERVAL, 1_234_567).next % INTERVAL).toBe(offsets[1]! % INTERVAL);
  });
  test("from any time on, the first is less than an interval away, and one of the group", () => {
    const first = slotFrom("f;g1", INTERVAL, 0);
    expect(first).toBe(new Slots("f;g1", INTERVAL, 0).next);
    expect(slotFrom("f;g1", INTERVAL, first)).toBe(first);
    expect(slotFrom("f;g1", INTERVAL, first + 1)).toBe(first + INTERVAL);
    expect(slotFrom("f;g1", INTERVAL, first - INTERVAL - 1)).toBe(first - INTERVAL);
  });
  test("an evaluation gets the time that it was due, however late the timer is", () => {
    const slots = new Slots("g", INTERVAL, 0);
    const first = slots.next;
    expect(slots.begin(first - 1)).toBeUndefined();
    expect(slots.begin(first + 5_000)).toBe(first);
    expect(slots.next).toBe(first + INTERVAL);
    expect(slots.missed).toBe(0);
  });
  test("times that passed during a long evaluation are missed, and counted", () => {
    const slots = new Slots("g", INTERVAL, 0);
    const first = slots.next;
    slots.begin(first);
    expect(slots.begin(first + 3 * INTERVAL + 1)).toBe(first + 3 * INTERVAL);
    expect([slots.begun, slots.missed]).toEqual([2, 2]);
  });
  test("a clock that goes back does not make the group wait for the old time", () => {
    const slots = new Slots("g", INTERVAL, 10 * INTERVAL);
    expect(slots.begin(2 * INTERVAL)).toBeUndefined();
    expect(slots.next).toBeLessThanOrEqual(3 * INTERVAL);
  });
});
