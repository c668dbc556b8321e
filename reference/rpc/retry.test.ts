import { expect, test } from "vitest";
import { Retries, RetryTokens } from "./retry.ts";
import { Status, type StatusCode } from "./status.ts";

const { OK, UNAVAILABLE, NOT_FOUND } = Status;
const POLICY = {
  maxAttempts: 5,
  initialBackoffMs: 100,
  maxBackoffMs: 300,
  backoffMultiplier: 2,
  retryableStatusCodes: new Set<StatusCode>([UNAVAILABLE]),
};
const retries = (tokens?: RetryTokens, random = 0.5) => new Retries(POLICY, tokens, () => random);

test("waits grow up to the longest, vary by a fifth, and end with the attempts", () => {
  const middle = retries();
  expect([1, 2, 3, 4, 5].map(() => middle.failed(UNAVAILABLE, undefined))).toEqual([100, 200, 300, 300, "stop"]);
  expect(middle.count).toBe(4);
  expect(retries(undefined, 0).failed(UNAVAILABLE, undefined)).toBe(80);
  expect(retries(undefined, 1).failed(UNAVAILABLE, undefined)).toBe(120);
});

test("any other status stops", () => {
  expect(retries().failed(NOT_FOUND, undefined)).toBe("stop");
  expect(retries().failed(NOT_FOUND, "100")).toBe("stop");
});

test("a push-back is the next wait, and the one after it is the first again; a negative or invalid one stops", () => {
  const pushed = retries();
  pushed.failed(UNAVAILABLE, undefined);
  pushed.failed(UNAVAILABLE, undefined);
  expect(pushed.failed(UNAVAILABLE, "7")).toBe(7);
  expect(pushed.failed(UNAVAILABLE, undefined)).toBe(100);
  expect(retries().failed(UNAVAILABLE, "-1")).toBe("stop");
  expect(retries().failed(UNAVAILABLE, "soon")).toBe("stop");
});

test("failures take tokens; at half of them retries stop, until successes have returned enough", () => {
  const tokens = new RetryTokens({ maxTokens: 4, tokenRatio: 0.5 });
  const one = retries(tokens);
  expect(one.failed(UNAVAILABLE, undefined)).toBe(100);
  expect(one.failed(UNAVAILABLE, undefined)).toBe("stop");
  expect(tokens.permits).toBe(false);
  retries(tokens).ended(OK);
  expect(tokens.permits).toBe(true);
  for (let count = 0; count < 10; count++) retries(tokens).ended(OK);
  // No more than there were: two failures reach half again.
  retries(tokens).ended(UNAVAILABLE);
  retries(tokens).ended(NOT_FOUND);
  expect(retries(tokens).failed(NOT_FOUND, "-1")).toBe("stop");
  expect(tokens.permits).toBe(false);
});
