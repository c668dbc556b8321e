import { afterEach, expect, test, vi } from "vitest";
import type { CaseResult, Result } from "../../conformance/harness/result.ts";
import type { Questions } from "./examine.ts";
import { Silence } from "./silence.ts";

afterEach(() => void vi.useRealTimers());

/** A subject whose cases end when the test says so. */
function subject(): { readonly ask: (asked: Questions) => Promise<Result>; readonly end: () => void } {
  let heard: Questions["onResult"];
  return {
    ask: (asked) => {
      heard = asked.onResult;
      return new Promise(() => {});
    },
    end: () => heard?.({ id: "slow" } as CaseResult),
  };
}

test("a slow subject is no late one: each result begins the limit anew", async () => {
  vi.useFakeTimers();
  const slow = subject();
  const silence = new Silence(1_000);
  let isLate = false;
  void silence.late.then(() => (isLate = true));
  const seen: string[] = [];
  void silence.heard(slow).ask({ ids: ["slow"], onResult: ({ id }) => void seen.push(id) });
  for (let i = 0; i < 5; i++) {
    await vi.advanceTimersByTimeAsync(900);
    slow.end();
  }
  expect([isLate, seen.length]).toEqual([false, 5]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(isLate).toBe(true);
});

test("after the end nothing is late", async () => {
  vi.useFakeTimers();
  const silence = new Silence(1_000);
  let isLate = false;
  void silence.late.then(() => (isLate = true));
  silence.end();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(isLate).toBe(false);
});
