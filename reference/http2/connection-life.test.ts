import { expect, test } from "vitest";
import { instant, NEVER } from "../core/index.ts";
import { ConnectionLife, type LifeOptions } from "./connection-life.ts";

const life = (options: LifeOptions, random = 0.5): ConnectionLife => new ConnectionLife(options, instant(0), random);

test("without limits nothing ends", () => {
  expect(life({}).deadline).toBe(NEVER);
});
test("idle: counts from the last stream's end, and not while there is one", () => {
  const one = life({ maxIdleMs: 1_000 });
  expect(one.deadline).toBe(1_000);
  one.streams(1, instant(500));
  expect([one.deadline, one.tick(instant(5_000))]).toEqual([NEVER, undefined]);
  one.streams(0, instant(6_000));
  one.streams(0, instant(6_500));
  expect([one.tick(instant(6_999)), one.tick(instant(7_000)), one.deadline]).toEqual([undefined, "max_idle", NEVER]);
});
test.each([
  [0, 900],
  [0.5, 1_000],
  [1, 1_100],
])("age: varies by a tenth (%d: %d ms)", (random, ms) => {
  expect(life({ maxAgeMs: 1_000 }, random).deadline).toBe(ms);
});
test("age: streams have the grace, then the connection is over", () => {
  const one = life({ maxAgeMs: 1_000, graceMs: 100 });
  one.streams(1, instant(1));
  expect([one.tick(instant(1_000)), one.deadline, one.tick(instant(1_099)), one.tick(instant(1_100)), one.deadline]).toEqual([
    "max_age",
    1_100,
    undefined,
    "over",
    NEVER,
  ]);
});
test("age: without a grace streams end by themselves", () => {
  const one = life({ maxAgeMs: 1_000 });
  expect([one.tick(instant(1_000)), one.deadline]).toEqual(["max_age", NEVER]);
});
