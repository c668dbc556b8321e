import { expect, test } from "vitest";
import type { Budget } from "../http/index.ts";
import { DEFAULT_LIMITS } from "./limits.ts";

test("every default limit is a positive number, or a budget with burst and refill", () => {
  for (const [name, limit] of Object.entries(DEFAULT_LIMITS) as [string, number | Budget][]) {
    const numbers = typeof limit === "number" ? [limit] : [limit.burst, limit.perSecond];
    for (const number of numbers) expect(Number.isFinite(number) && number > 0, name).toBe(true);
  }
});

test("the largest block fits into the CONTINUATION frames allowed", () => {
  expect(DEFAULT_LIMITS.continuations * 16_384).toBeGreaterThanOrEqual(DEFAULT_LIMITS.blockOctets);
});
