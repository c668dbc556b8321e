import { expect, test } from "vitest";
import { DEFAULT_LIMITS } from "./limits.ts";
import { head, server } from "./testing.ts";

test("every limit has a positive default", () => {
  for (const [name, limit] of Object.entries(DEFAULT_LIMITS)) expect(Number.isFinite(limit) && limit > 0, name).toBe(true);
});

test("a request line of the recommended length is accepted (rfc9112#3)", () => {
  const rig = server();
  const target = `/${"a".repeat(8_000)}`;
  expect(rig.receives(head(`GET ${target} HTTP/1.1`, "Host: a"))).toEqual([`request 1 GET ${target} end`]);
});
