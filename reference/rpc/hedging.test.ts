import { expect, test } from "vitest";
import { instant, NEVER } from "../core/index.ts";
import { Hedging } from "./hedging.ts";
import { RetryTokens } from "./retry.ts";
import { Status } from "./status.ts";

const POLICY = { maxAttempts: 3, delayMs: 500, nonFatalStatusCodes: new Set([Status.UNAVAILABLE]) };
const begun = (changes: Partial<typeof POLICY> = {}, tokens?: RetryTokens): Hedging =>
  new Hedging({ ...POLICY, ...changes }, tokens, instant(0));
const take = (hedging: Hedging, ...times: number[]): boolean[] => times.map((ms) => hedging.take(instant(ms)));
const failed = (hedging: Hedging, ms: number, status: (typeof Status)[keyof typeof Status] = Status.UNAVAILABLE, pushBack?: string) =>
  hedging.failed(status, pushBack, instant(ms));

test("attempts are sent a delay apart, up to the most", () => {
  const hedging = begun();
  expect(take(hedging, 0, 1, 499, 500, 999, 1_000, 9_000)).toEqual([true, false, false, true, false, true, false]);
  expect([hedging.sent, hedging.deadline]).toEqual([3, NEVER]);
});
test("without a delay all are sent at once", () => {
  expect(take(begun({ delayMs: 0 }), 0, 0, 0, 0)).toEqual([true, true, true, false]);
});
test("a failure that is not fatal sends the next at once, and the delay begins again", () => {
  const hedging = begun();
  take(hedging, 0);
  expect([failed(hedging, 100), take(hedging, 100), hedging.deadline]).toEqual(["goes on", [true], 600]);
});
test("a fatal failure ends the call, beside others too", () => {
  const hedging = begun();
  take(hedging, 0, 500);
  expect([failed(hedging, 600, Status.NOT_FOUND), hedging.deadline]).toEqual(["ends", NEVER]);
});
test("the last failure ends the call", () => {
  const hedging = begun({ maxAttempts: 2 });
  take(hedging, 0, 500);
  expect([failed(hedging, 600), failed(hedging, 700)]).toEqual(["goes on", "ends"]);
});
test("push-back delays the next attempt, or forbids it", () => {
  const later = begun();
  take(later, 0);
  expect([failed(later, 100, Status.UNAVAILABLE, "2000"), later.deadline]).toEqual(["goes on", 2_100]);
  expect([take(later, 2_100), later.deadline]).toEqual([[true], 2_600]);
  const never = begun();
  take(never, 0, 500);
  expect([failed(never, 600, Status.UNAVAILABLE, "-1"), never.deadline]).toEqual(["goes on", NEVER]);
  expect(failed(never, 700)).toBe("ends");
});
test("throttling: the first attempt is always sent, others only with tokens", () => {
  const tokens = new RetryTokens({ maxTokens: 2, tokenRatio: 1 });
  const hedging = begun({}, tokens);
  take(hedging, 0);
  expect(failed(hedging, 100)).toBe("ends");
  const other = begun({}, tokens);
  expect([take(other, 0, 500), other.deadline]).toEqual([[true, false], NEVER]);
  other.ended(Status.OK);
  expect(tokens.permits).toBe(true);
  other.ended(Status.UNAVAILABLE);
  other.ended(Status.NOT_FOUND);
  expect(tokens.permits).toBe(false);
});
