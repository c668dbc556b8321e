import { expect, test } from "vitest";
import { ShardPlan } from "./shards.ts";

test("as many shards as the work takes: 1,000 samples a second of 5 ms each are 5 seconds of work", () => {
  const plan = new ShardPlan(1, 50);
  expect(plan.look({ read: 10_000, sent: 10_000, sendingMs: 50_000, behind: 0 }, 10_000, 1)).toBe(5);
});
test("what is behind adds to it, up to the most; a quiet queue returns to the least", () => {
  const plan = new ShardPlan(2, 20);
  expect(plan.look({ read: 10_000, sent: 10_000, sendingMs: 50_000, behind: 20_000 }, 10_000, 5)).toBe(10);
  expect(plan.look({ read: 10_000, sent: 10_000, sendingMs: 50_000, behind: 1e9 }, 10_000, 10)).toBe(20);
  let shards = 20;
  for (let look = 0; look < 40; look++) shards = plan.look({ read: 10, sent: 10, sendingMs: 20, behind: 0 }, 10_000, shards);
  expect(shards).toBe(2);
});
test("nothing changes by little, nor while nothing is sent", () => {
  const plan = new ShardPlan(1, 50);
  expect(plan.look({ read: 10_000, sent: 10_000, sendingMs: 50_000, behind: 0 }, 10_000, 6)).toBe(6);
  expect(plan.look({ read: 10_000, sent: 0, sendingMs: 0, behind: 1e9 }, 10_000, 6)).toBe(6);
});
