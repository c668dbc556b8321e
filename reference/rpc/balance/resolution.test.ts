import { expect, test } from "vitest";
import { instant, NEVER } from "../../core/index.ts";
import { Resolution } from "./resolution.ts";

const begun = (): Resolution => new Resolution(instant(0), () => 0.5);

test("a name is looked up when it is wanted, once at a time", () => {
  const resolution = begun();
  expect([resolution.deadline, resolution.take(instant(0))]).toEqual([NEVER, false]);
  resolution.want();
  expect([resolution.take(instant(0)), resolution.take(instant(0)), resolution.deadline]).toEqual([true, false, NEVER]);
  resolution.want();
  expect(resolution.take(instant(1))).toBe(false);
});
test("good look-ups are 30 seconds apart", () => {
  const resolution = begun();
  resolution.want();
  resolution.take(instant(0));
  resolution.done(true, instant(10));
  resolution.want();
  expect([resolution.deadline, resolution.take(instant(30_009)), resolution.take(instant(30_010))]).toEqual([30_010, false, true]);
});
test("after failures look-ups follow by themselves, further and further apart", () => {
  const resolution = begun();
  resolution.want();
  resolution.take(instant(0));
  resolution.done(false, instant(0));
  expect(resolution.deadline).toBe(1_000);
  resolution.take(instant(1_000));
  resolution.done(false, instant(1_000));
  expect(resolution.deadline).toBe(2_600);
});
