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
