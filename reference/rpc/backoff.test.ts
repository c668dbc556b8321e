import { expect, test } from "vitest";
import { Backoff, CONNECTION_BACKOFF } from "./backoff.ts";

test("each wait is 1.6 times the one before, up to two minutes, and varies by a fifth", () => {
  const middle = new Backoff(CONNECTION_BACKOFF, () => 0.5);
  expect([1, 2, 3, 4].map(() => middle.failed())).toEqual([1_000, 1_600, 2_560, 4_096]);
  for (let count = 0; count < 10; count++) middle.failed();
  expect(middle.failed()).toBe(120_000);
  middle.succeeded();
  expect(middle.failed()).toBe(1_000);
  expect(new Backoff(CONNECTION_BACKOFF, () => 0).failed()).toBe(800);
  expect(new Backoff(CONNECTION_BACKOFF, () => 1).failed()).toBe(1_200);
});
