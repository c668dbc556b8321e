import { describe, expect, test } from "vitest";
import { Unreachable, WrongUse } from "./driver.ts";
import { whenReady } from "./ready.ts";

/** Fails `times` times, then succeeds. */
function failing(
  times: number,
  error: () => Error = () => new Unreachable("nothing listens"),
): { attempt: () => Promise<string>; count: () => number } {
  let count = 0;
  return {
    attempt: async () => {
      count += 1;
      if (count <= times) throw error();
      return "there";
    },
    count: () => count,
  };
}

describe("whenReady()", () => {
  test("without patience there is one attempt", async () => {
    const { attempt, count } = failing(1);
    await expect(whenReady(attempt, undefined)).rejects.toThrow("nothing listens");
    expect(count()).toBe(1);
  });

  test("a subject that answers late is waited for, and that is said once", async () => {
    const said: string[] = [];
    const { attempt, count } = failing(3);
    expect(await whenReady(attempt, { ms: 10_000, onWait: (why) => said.push(why) })).toBe("there");
    expect(count()).toBe(4);
    expect(said).toEqual(["nothing listens"]);
  });

  test("when the time is over, the last reason says how long it was", async () => {
    await expect(whenReady(failing(99).attempt, { ms: 120 })).rejects.toThrow("nothing listens (waited 120 ms)");
    await expect(whenReady(failing(99).attempt, { ms: 0 })).rejects.toThrow("(waited 0 s)");
  });

  test("an error of another kind is not waited out", async () => {
    const { attempt, count } = failing(1, () => new WrongUse("no such case"));
    await expect(whenReady(attempt, { ms: 10_000 })).rejects.toThrow("no such case");
    expect(count()).toBe(1);
  });

  test("a subject that has ended is not waited for, even if something else answers in its place", async () => {
    const patience = { ms: 10_000, over: () => "it ended with status 1" };
    await expect(whenReady(failing(99).attempt, patience)).rejects.toThrow("it ended with status 1");
    await expect(whenReady(failing(0).attempt, patience)).rejects.toThrow("it ended with status 1");
  });

  test("an interruption does not wait for an attempt that hangs", async () => {
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 20);
    const hanging = new Promise<string>(() => {});
    await expect(whenReady(() => hanging, undefined, abort.signal)).rejects.toThrow("The subject had not answered.");
  });

  test("an interruption ends the waiting at once", async () => {
    const abort = new AbortController();
    const began = performance.now();
    setTimeout(() => abort.abort(), 20);
    await expect(whenReady(failing(99).attempt, { ms: 30_000 }, abort.signal)).rejects.toThrow("nothing listens");
    expect(performance.now() - began).toBeLessThan(10_000);
  });
});
