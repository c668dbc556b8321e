import { expect, test } from "vitest";
import { instant } from "../../core/index.ts";
import { AutoTune } from "./refill.ts";
import { ReceiveWindow } from "./window.ts";

/** A window of 1000 octets that is used up and given back every `ms`; returns its sizes. */
function sizes(tune: AutoTune, ms: number, times = 5): number[] {
  const window = new ReceiveWindow(1_000);
  const seen: number[] = [];
  for (let at = 0; at < times; at++) {
    const { size } = window;
    window.take(size);
    window.give(size);
    tune.refill(window, instant(at * ms));
    seen.push(window.size);
    expect(window.left).toBe(window.size);
  }
  return seen;
}

test("a window that is used up within two round trips doubles, up to the limit", () => {
  const tune = new AutoTune(5_000);
  tune.sample(100);
  expect(sizes(tune, 150)).toEqual([1_000, 2_000, 4_000, 5_000, 5_000]);
});

test("a window that lasts for two round trips stays as it is", () => {
  const tune = new AutoTune(5_000);
  tune.sample(400);
  tune.sample(100);
  expect(sizes(tune, 200)).toEqual([1_000, 1_000, 1_000, 1_000, 1_000]);
});

test("a round trip too short for the clock counts as a millisecond", () => {
  const tune = new AutoTune(5_000);
  tune.sample(0);
  expect(sizes(tune, 1).at(-1)).toBe(5_000);
});
