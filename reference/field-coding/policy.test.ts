import { expect, test } from "vitest";
import { field } from "../core/index.ts";
import { habitOf, isSecret, isWorthAnEntry } from "./policy.ts";

/** How a field goes that no table holds. */
function treated(name: string, value: string, sensitive = false, capacity = 4_096): string {
  const habit = habitOf(name);
  if (isSecret(field(name, value, sensitive), habit)) return "never indexed";
  return isWorthAnEntry(habit, name.length + value.length + 32, capacity) ? "indexed" : "plain";
}

test("policy: repeated values are indexed, one-off values are plain, secrets are never indexed", () => {
  expect([treated("user-agent", "x"), treated("x-own", "x")]).toEqual(["indexed", "indexed"]);
  expect([treated(":path", "/a"), treated("content-length", "7"), treated("etag", '"a"')]).toEqual(["plain", "plain", "plain"]);
  expect([treated("authorization", "Basic x"), treated("proxy-authorization", "x")]).toEqual(["never indexed", "never indexed"]);
  expect([treated("x-own", "x", true), treated("user-agent", "x", true)]).toEqual(["never indexed", "never indexed"]);
});

test("policy: a short cookie could be guessed, a long one is worth an entry", () => {
  expect([treated("cookie", "a".repeat(19)), treated("cookie", "a".repeat(20))]).toEqual(["never indexed", "indexed"]);
});

test("policy: an entry of more than three quarters of the table stays out of it", () => {
  expect([treated("a", "x".repeat(42), false, 100), treated("a", "x".repeat(43), false, 100)]).toEqual(["indexed", "plain"]);
  expect(treated("a", "", false, 0)).toBe("plain");
});
