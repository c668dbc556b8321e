import { describe, expect, test } from "vitest";
import { Schedule } from "./index.ts";

const INTERVAL = 10_000;

describe("schedule", () => {
  test("targets are spread over the interval", () => {
    const offsets = Array.from({ length: 1_000 }, (_, at) => new Schedule(`http://h${at}/metrics`, INTERVAL, 0).next);
    const thirds = [0, 0, 0];
    for (const offset of offsets) thirds[Math.min(2, Math.floor((offset - 1) / (INTERVAL / 3)))]! += 1;
    expect(Math.min(...thirds)).toBeGreaterThan(280);
    expect(offsets.every((offset) => offset > 0 && offset <= INTERVAL)).toBe(true);
  });
  test("the times of a target do not depend on when the server starts", () => {
    const first = new Schedule("a", INTERVAL, 0).next;
    expect(new Schedule("a", INTERVAL, 123_456).next % INTERVAL).toBe(first % INTERVAL);
  });
  test("scrapes follow at equal distances, and a small delay does not show", () => {
    const schedule = new Schedule("a", INTERVAL, 0);
    const first = schedule.next;
    const times = [0, 2, 3].map((late, at) => {
      const begun = schedule.begin(first + at * INTERVAL + late);
      schedule.end();
      return begun! - first;
    });
    expect(times).toEqual([0, INTERVAL, 2 * INTERVAL + 3]);
  });
  test("nothing begins before its time", () => {
    const schedule = new Schedule("a", INTERVAL, 0);
    expect(schedule.begin(schedule.next - 1)).toBeUndefined();
  });
  test("a scrape that takes longer than the interval is not overlapped: the interval is missed", () => {
    const schedule = new Schedule("a", INTERVAL, 0);
    const first = schedule.next;
    expect(schedule.begin(first)).toBe(first);
    expect(schedule.begin(first + INTERVAL)).toBeUndefined();
    expect(schedule.missed).toBe(1);
    schedule.end();
    expect(schedule.begin(first + 2 * INTERVAL)).toBe(first + 2 * INTERVAL);
  });
  test("a process that slept scrapes once", () => {
    const schedule = new Schedule("a", INTERVAL, 0);
    const first = schedule.next;
    expect(schedule.begin(first + 50 * INTERVAL + 5_000)).toBe(first + 50 * INTERVAL + 5_000);
    schedule.end();
    expect(schedule.next).toBe(first + 51 * INTERVAL);
  });
  test("a clock that goes back does not stop the scrapes", () => {
    const schedule = new Schedule("a", INTERVAL, 1_000_000);
    schedule.begin(schedule.next);
    schedule.end();
    schedule.begin(500_000);
    expect(schedule.next).toBeGreaterThan(500_000);
    expect(schedule.next).toBeLessThanOrEqual(500_000 + INTERVAL);
  });
});
