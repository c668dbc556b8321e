import { expect, test } from "vitest";
import { isCacheable, isIdempotent, isSafe } from "./method.ts";

test.each([
  ["GET", true, true, true],
  ["HEAD", true, true, true],
  ["OPTIONS", true, true, false],
  ["PUT", false, true, false],
  ["POST", false, false, true],
  ["CONNECT", false, false, false],
  ["BREW", false, false, false],
  ["get", false, false, false],
])("%s: safe %s, idempotent %s, cacheable %s", (method, safe, idempotent, cacheable) => {
  expect([isSafe(method), isIdempotent(method), isCacheable(method)]).toEqual([safe, idempotent, cacheable]);
});
