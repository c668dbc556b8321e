import { expect, test } from "vitest";
import { Outgoing } from "./outgoing.ts";

const octets = (text: string): Uint8Array => Buffer.from(text);
async function* three() {
  yield octets("a");
  await Promise.resolve();
  yield octets("b");
  yield octets("c");
}
const texts = async (outgoing: Outgoing): Promise<string> => Buffer.concat(await Array.fromAsync(outgoing)).toString();

test("a further attempt begins with the first message, and continues with those that nobody has read", async () => {
  const outgoing = new Outgoing(three());
  const first = outgoing[Symbol.asyncIterator]();
  await first.next();
  const pending = first.next();
  expect(await texts(outgoing)).toBe("abc");
  expect(await pending).toEqual({ done: true, value: undefined });
  expect(await texts(outgoing)).toBe("abc");
  expect(outgoing.isReplayable).toBe(true);
});

test("after commit nothing is kept", async () => {
  const outgoing = new Outgoing(three());
  const first = outgoing[Symbol.asyncIterator]();
  await first.next();
  outgoing.commit();
  expect(outgoing.isReplayable).toBe(false);
  expect(Buffer.from((await first.next()).value!).toString()).toBe("b");
  expect(Buffer.from((await first.next()).value!).toString()).toBe("c");
  expect((await first.next()).done).toBe(true);
});

test("more than a mebibyte is not kept for another attempt", async () => {
  const outgoing = new Outgoing(
    (async function* large() {
      yield new Uint8Array(1_048_576);
      await Promise.resolve();
      yield new Uint8Array(1);
    })(),
  );
  const reader = outgoing[Symbol.asyncIterator]();
  await reader.next();
  expect(outgoing.isReplayable).toBe(true);
  await reader.next();
  expect(outgoing.isReplayable).toBe(false);
});

test("the end of the call ends the source", async () => {
  let ended = false;
  const outgoing = new Outgoing(
    (async function* endless() {
      try {
        for (;;) {
          await Promise.resolve();
          yield octets("x");
        }
      } finally {
        ended = true;
      }
    })(),
  );
  const reader = outgoing[Symbol.asyncIterator]();
  await reader.next();
  await outgoing.stop();
  expect(ended).toBe(true);
  expect((await reader.next()).done).toBe(true);
});

test("an error of the source reaches the attempt, and permits no other", async () => {
  const outgoing = new Outgoing(
    (async function* broken(): AsyncGenerator<Uint8Array> {
      await Promise.resolve();
      yield octets("x");
      throw new Error("broken");
    })(),
  );
  await expect(texts(outgoing)).rejects.toThrow("broken");
  expect(outgoing.isReplayable).toBe(false);
  expect(outgoing.failure?.error).toMatchObject({ message: "broken" });
});

/** Messages of one octet, without end, and how often they were ended. */
function endless() {
  const ends = { count: 0 };
  let next = 0;
  const source: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({
      next: () => Promise.resolve({ done: false, value: Uint8Array.of(next++) }),
      return: () => {
        ends.count++;
        return Promise.resolve({ done: true, value: undefined });
      },
    }),
  };
  return { outgoing: new Outgoing(source), ends };
}
const DONE = { done: true, value: undefined };

test("the end of the call ends the source once, and attempts that still read", async () => {
  const { outgoing, ends } = endless();
  const attempts: AsyncIterator<Uint8Array, undefined>[] = [];
  // Only the second one has read all that is kept.
  for (const count of [2, 3, 2]) {
    const attempt = outgoing[Symbol.asyncIterator]();
    attempts.push(attempt);
    for (let at = 0; at < count; at++) expect(await attempt.next()).toEqual({ done: false, value: Uint8Array.of(at) });
  }
  await outgoing.stop();
  await outgoing.stop();
  expect(ends.count).toBe(1);
  expect(await Promise.all(attempts.map((attempt) => attempt.next()))).toEqual([DONE, DONE, DONE]);
});

test("the end of an attempt ends the source only when no other follows", async () => {
  const { outgoing, ends } = endless();
  const first = outgoing[Symbol.asyncIterator]();
  await first.next();
  await first.return!();
  expect([ends.count, outgoing.isReplayable]).toEqual([0, true]);
  outgoing.commit();
  await Promise.resolve();
  expect([ends.count, outgoing.isReplayable]).toEqual([1, false]);
});

test("a call that is committed before an attempt reads is sent all the same", async () => {
  const { outgoing, ends } = endless();
  outgoing.commit();
  const only = outgoing[Symbol.asyncIterator]();
  expect(await only.next()).toEqual({ done: false, value: Uint8Array.of(0) });
  expect(ends.count).toBe(0);
  await only.return!();
  expect(ends.count).toBe(1);
});
