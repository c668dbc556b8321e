import { expect, test } from "vitest";
import { field } from "../core/index.ts";
import { treatment, usualTreatment } from "./policy.ts";

const treated = (name: string, value: string, sensitive = false, capacity = 4_096): string =>
  treatment(field(name, value, sensitive), usualTreatment(name), name.length + value.length + 32, capacity);

test("policy: what comes again is indexed, what does not is plain, what is secret is never indexed", () => {
  expect(treated("user-agent", "x")).toBe("index");
  expect(treated("x-own", "x")).toBe("index");
  expect([treated(":path", "/a"), treated("content-length", "7"), treated("etag", '"a"')]).toEqual(["plain", "plain", "plain"]);
  expect([treated("authorization", "Basic x"), treated("proxy-authorization", "x"), treated("x-own", "x", true)]).toEqual([
    "never",
    "never",
    "never",
  ]);
});

test("policy: a short cookie could be guessed, a long one is worth an entry", () => {
  expect([treated("cookie", "a".repeat(19)), treated("cookie", "a".repeat(20))]).toEqual(["never", "index"]);
});

test("policy: an entry of more than three quarters of the table stays out of it", () => {
  expect([treated("a", "x".repeat(42), false, 100), treated("a", "x".repeat(43), false, 100)]).toEqual(["index", "plain"]);
  expect(treated("a", "", false, 0)).toBe("plain");
});
