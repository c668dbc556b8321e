import { expect, test } from "vitest";
import { instant } from "../../core/index.ts";
import { EarlyGuard } from "./early-guard.ts";

const ticket = (number: number): Uint8Array =>
  Uint8Array.from({ length: 60 }, (_, at) => (at === 59 ? number & 255 : at === 58 ? number >> 8 : at));
const OPENED = instant(1_000_000);
const admit = (guard: EarlyGuard, number: number, now: number, change: { issuedAt?: number; ageMs?: number } = {}): boolean => {
  const { issuedAt = 900_000 } = change;
  return guard.admit(ticket(number), { issuedAt: instant(issuedAt), ageMs: change.ageMs ?? now - issuedAt }, instant(now));
};

test("EarlyGuard: a ticket is admitted once, for as long as its ClientHello could be fresh", () => {
  const guard = new EarlyGuard(instant(0), { windowMs: 1_000 });
  expect(admit(guard, 1, 1_000_000)).toBe(true);
  for (let now = 1_000_000; now <= 1_002_000; now += 100) expect(admit(guard, 1, now, { ageMs: 100_000 }), `${now}`).toBe(false);
  expect(admit(guard, 2, 1_002_000)).toBe(true);
});

test.each([
  [1_001, false],
  [1_000, true],
  [-1_000, true],
  [-1_001, false],
])("EarlyGuard: an age that differs by %i ms from ours is admitted: %s", (ms, expected) => {
  const guard = new EarlyGuard(instant(0), { windowMs: 1_000 });
  expect(admit(guard, 1, 1_000_000, { ageMs: 100_000 + ms })).toBe(expected);
});

test("EarlyGuard: refuses older tickets until nothing that was used before can be fresh", () => {
  const guard = new EarlyGuard(OPENED, { windowMs: 1_000 });
  expect(admit(guard, 1, 1_000_500)).toBe(false);
  expect(admit(guard, 1, 1_002_000)).toBe(false);
  expect(admit(guard, 1, 1_002_001)).toBe(true);
  expect(admit(new EarlyGuard(OPENED, { windowMs: 1_000 }), 1, 1_000_500, { issuedAt: 1_000_000 })).toBe(true);
});

test("EarlyGuard: holds no more than its limit, and has room again later", () => {
  const guard = new EarlyGuard(instant(0), { windowMs: 1_000, most: 3 });
  expect([1, 2, 3, 4].map((number) => admit(guard, number, 1_000_000))).toEqual([true, true, true, false]);
  expect(admit(guard, 5, 1_002_500)).toBe(false);
  expect(admit(guard, 6, 1_004_600)).toBe(true);
});
