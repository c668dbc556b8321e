import { expect, test } from "vitest";
import { Defaults } from "./defaults.ts";

test("Defaults.with(): changes replace defaults, and without changes the defaults hold", () => {
  const limits = new Defaults({ head: 1, body: 2 });
  expect(limits.with({ body: 3 })).toEqual({ head: 1, body: 3 });
  expect(limits.with(undefined)).toEqual({ head: 1, body: 2 });
});

test("Defaults.with(): the same changes give the same frozen value", () => {
  const limits = new Defaults({ head: 1 });
  const changes = { head: 5 };
  expect(limits.with(changes)).toBe(limits.with(changes));
  expect(Object.isFrozen(limits.with(changes))).toBe(true);
  expect(Object.isFrozen(limits.with(undefined))).toBe(true);
});
