import { expect, test } from "vitest";
import { Misuse } from "../../core/index.ts";
import type { AnyClientConnection } from "./connection.ts";
import { race } from "./race.ts";

/** A connection that notes when it is closed. */
class Fake {
  isClosed = false;
  close(): Promise<void> {
    this.isClosed = true;
    return Promise.resolve();
  }
}
const connection = (): { readonly fake: Fake; readonly as: AnyClientConnection } => {
  const fake = new Fake();
  return { fake, as: fake as unknown as AnyClientConnection };
};
/** What was called, in order. */
function notes() {
  const seen: string[] = [];
  return { seen, lost: () => void seen.push("lost"), late: () => void seen.push("late") };
}
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

test("within its head start the first wins, and the second is not begun", async () => {
  const { seen, ...told } = notes();
  const first = connection();
  const second = (): Promise<never> => {
    seen.push("second");
    return Promise.reject(new Error("begun"));
  };
  expect(await race({ first: () => Promise.resolve(first.as), second, ...told, headStartMs: 10 })).toBe(first.as);
  await settled();
  expect([seen, first.fake.isClosed]).toEqual([[], false]);
});

test("a first attempt that fails has lost, and the second begins at once", async () => {
  const { seen, ...told } = notes();
  const second = connection();
  const failing = (): Promise<never> => Promise.reject(new Error("no"));
  expect(await race({ first: failing, second: () => Promise.resolve(second.as), ...told, headStartMs: 1e9 })).toBe(second.as);
  expect(new Set(seen)).toEqual(new Set(["lost"]));
});

test("a first attempt that comes after the second has lost, is late, and its connection is closed", async () => {
  const { seen, ...told } = notes();
  const [first, second] = [connection(), connection()];
  const slow = Promise.withResolvers<AnyClientConnection>();
  expect(await race({ first: () => slow.promise, second: () => Promise.resolve(second.as), ...told, headStartMs: 1 })).toBe(second.as);
  expect(seen).toEqual(["lost"]);
  slow.resolve(first.as);
  await settled();
  expect([seen, first.fake.isClosed, second.fake.isClosed]).toEqual([["lost", "late"], true, false]);
});

test("a second attempt that comes after the first is closed, and was told to stop", async () => {
  const { seen, ...told } = notes();
  const [first, second] = [connection(), connection()];
  const [slow, slower] = [Promise.withResolvers<AnyClientConnection>(), Promise.withResolvers<AnyClientConnection>()];
  let stop: AbortSignal | undefined;
  const begun = Promise.withResolvers<void>();
  const later = (signal: AbortSignal): Promise<AnyClientConnection> => {
    stop = signal;
    begun.resolve();
    return slower.promise;
  };
  const winner = race({ first: () => slow.promise, second: later, ...told, headStartMs: 1 });
  await begun.promise;
  slow.resolve(first.as);
  expect(await winner).toBe(first.as);
  slower.resolve(second.as);
  await settled();
  expect([seen, stop?.aborted, first.fake.isClosed, second.fake.isClosed]).toEqual([[], true, false, true]);
});

test("if both fail, the second says why; a mistake of the caller is not made good by it", async () => {
  const { seen, ...told } = notes();
  const fails = (why: Error) => async (): Promise<never> => {
    throw why;
  };
  const second = (): Promise<never> => {
    seen.push("second");
    return Promise.reject(new Error("two"));
  };
  await expect(race({ first: fails(new Error("one")), second, ...told })).rejects.toThrow("two");
  expect(seen).toEqual(["lost", "second"]);
  await expect(race({ first: fails(new Misuse("wrong")), second, ...told })).rejects.toThrow("wrong");
  expect(seen).toEqual(["lost", "second"]);
});

test("a caller who gives up ends both, and nobody has lost", async () => {
  const { seen, ...told } = notes();
  const caller = new AbortController();
  const waits = (signal: AbortSignal): Promise<never> =>
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
  const raced = race({ first: waits, second: waits, ...told, signal: caller.signal, headStartMs: 1 });
  await settled();
  caller.abort(new Error("enough"));
  await expect(raced).rejects.toThrow("enough");
  expect(seen).toEqual([]);
  await expect(race({ first: waits, second: waits, ...told, signal: caller.signal })).rejects.toThrow("enough");
});
