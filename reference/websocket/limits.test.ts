import { expect, test } from "vitest";
import { DEFAULT_LIMITS } from "./limits.ts";

test("every limit has a positive default", () => {
  for (const [name, limit] of Object.entries(DEFAULT_LIMITS)) expect(Number.isFinite(limit) && limit > 0, name).toBe(true);
});
