import { expect, test } from "vitest";
import { isWithin, type TimeInterval } from "./time-interval.ts";

const is = (interval: Partial<TimeInterval>, moment: string): boolean => isWithin({ zone: "UTC", ...interval }, Date.parse(moment));
const one = (first: number, last = first) => [{ first, last }];

test.each<[Partial<TimeInterval>, string, boolean]>([
  [{}, "2026-03-02T10:00:00Z", true],
  [{ times: one(540, 1_020) }, "2026-03-02T09:00:00Z", true],
  [{ times: one(540, 1_020) }, "2026-03-02T16:59:59Z", true],
  [{ times: one(540, 1_020) }, "2026-03-02T17:00:00Z", false],
  [{ times: one(0, 1_440) }, "2026-03-02T23:59:59Z", true],
  [{ weekdays: one(1, 5) }, "2026-03-02T10:00:00Z", true],
  [{ weekdays: one(1, 5) }, "2026-03-01T10:00:00Z", false],
  [{ daysOfMonth: one(-3, -1) }, "2026-02-26T10:00:00Z", true],
  [{ daysOfMonth: one(-3, -1) }, "2026-02-25T10:00:00Z", false],
  [{ daysOfMonth: one(1, 31) }, "2026-02-28T10:00:00Z", true],
  [{ daysOfMonth: one(30, 31) }, "2026-02-28T10:00:00Z", false],
  [{ daysOfMonth: one(5, -1) }, "2024-02-29T10:00:00Z", true],
  [{ months: one(1, 3), years: one(2026) }, "2026-03-31T23:00:00Z", true],
  [{ months: one(1, 3), years: one(2026) }, "2027-03-31T23:00:00Z", false],
  [{ months: one(3), zone: "Australia/Sydney" }, "2026-03-31T23:00:00Z", false],
  [{ times: one(600, 660), zone: "Europe/Paris" }, "2026-07-01T08:30:00Z", true],
  [{ times: one(600, 660), zone: "Europe/Paris" }, "2026-01-01T08:30:00Z", false],
  [{ times: one(600, 660), weekdays: one(3) }, "2026-07-01T10:30:00Z", true],
  [{ times: one(600, 660), weekdays: one(4) }, "2026-07-01T10:30:00Z", false],
])("%j at %s: %s", (interval, moment, expected) => {
  expect(is(interval, moment)).toBe(expected);
});
