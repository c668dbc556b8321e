import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { type CallFailed, Status } from "../../rpc/index.ts";
import { answered, begin, call, ECHOES, envelope, started, statusOf } from "./testing.ts";

afterEach(() => void vi.useRealTimers());

/** How calls end early: at their deadline, by the client, by the server; and what is not read. */

test("a deadline that has passed ends the call without its handler; an invalid one is INTERNAL", async () => {
  const one = vi.fn(ECHOES.one);
  await using at = await started({ one });
  expect(statusOf(await call(at.session, "One", ["x"], { "rpc-timeout": "0n" }))).toBe("4");
  expect(statusOf(await call(at.session, "One", ["x"], { "rpc-timeout": "soon" }))).toBe("13");
  expect(statusOf(await call(at.session, "One", ["x"], { "rpc-timeout": "123456789n" }))).toBe("13");
  expect(one).not.toHaveBeenCalled();
  expect(statusOf(await call(at.session, "One", ["x"], { "rpc-timeout": "99999999H" }))).toBe("0");
});

test("at its deadline the server cancels a call: its signal aborts, and its stream is reset with CANCEL", async () => {
  const aborted = Promise.withResolvers<unknown>();
  const deadlines: number[] = [];
  await using at = await started({
    one: async (_, server) => {
      deadlines.push(server.deadline!, performance.now() + 500);
      server.signal.addEventListener("abort", () => aborted.resolve(server.signal.reason));
      await aborted.promise;
      throw server.signal.reason;
    },
  });
  const earliest = performance.now() + 500;
  const got = await call(at.session, "One", ["x"], { "rpc-timeout": "500m" });
  expect(got.code).toBe(8);
  // It counts from the arrival of the request, which is before the handler runs.
  expect([earliest, ...deadlines]).toEqual([earliest, ...deadlines].toSorted((a, b) => a - b));
  expect(await aborted.promise).toMatchObject({ status: Status.DEADLINE_EXCEEDED });
});

test("a client that cancels aborts the signal, the requests and the responses of its call", async () => {
  const ends: string[] = [];
  const gate = Promise.withResolvers<void>();
  await using at = await started({
    one: async (_, server) => {
      await once(server.signal, "abort");
      ends.push(`one ${(server.signal.reason as CallFailed).statusName}`);
      gate.resolve();
      return "";
    },
    async *chat(texts) {
      try {
        for await (const text of texts) yield text;
      } catch (error) {
        ends.push(`chat ${(error as CallFailed).statusName}`);
        throw error;
      }
    },
    async *spread(text) {
      try {
        for (;;) yield text.repeat(1_000);
      } finally {
        await wait(1);
        ends.push("spread");
      }
    },
  });
  const one = begin(at.session, "One");
  one.end(envelope("x"));
  const chat = begin(at.session, "Chat");
  chat.write(envelope("x"));
  await once(chat, "data");
  const spread = begin(at.session, "Spread");
  spread.end(envelope("x"));
  await once(spread, "data");
  for (const stream of [one, chat, spread]) stream.on("error", () => {}).destroy(new Error("enough"));
  await gate.promise;
  await expect.poll(() => ends.toSorted()).toEqual(["chat CANCELLED", "one CANCELLED", "spread"]);
});

test("a server that ends a call early tells the client to stop sending", async () => {
  await using at = await started({ gather: () => "enough" });
  const stream = begin(at.session, "Gather");
  stream.write(envelope("x"));
  const got = await answered(stream);
  expect(got.messages).toEqual(["enough"]);
  expect([statusOf(got), got.code]).toEqual(["0", 0]);
});

test("requests that a handler does not read are not taken from the client", async () => {
  const gate = Promise.withResolvers<void>();
  await using at = await started({
    gather: async (texts) => {
      await gate.promise;
      let octets = 0;
      for await (const { length } of texts) octets += length;
      return String(octets);
    },
  });
  const stream = begin(at.session, "Gather");
  let sent = 0;
  const message = envelope("x".repeat(100_000));
  stream.write(message);
  for (let count = 0; count < 40; count++) stream.write(message, () => sent++);
  stream.end();
  await wait(100);
  expect(sent).toBeLessThan(10);
  gate.resolve();
  expect((await answered(stream)).messages).toEqual([String(41 * 100_000)]);
});

test("a deadline in more days than a timer has passes when they are over", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const begun = Promise.withResolvers<AbortSignal>();
  await using at = await started({
    one: async (_, { signal }) => {
      begun.resolve(signal);
      return once(signal, "abort").then(() => "");
    },
  });
  // 700 hours are 29 days; a timer has 24.
  const got = call(at.session, "One", ["x"], { "rpc-timeout": "700H" });
  const signal = await begun.promise;
  const seen: boolean[] = [];
  for (const ms of [0x7fff_ffff, 700 * 3_600_000 - 0x7fff_ffff - 1, 1]) {
    vi.advanceTimersByTime(ms);
    seen.push(signal.aborted);
  }
  vi.useRealTimers();
  expect(seen).toEqual([false, false, true]);
  expect((await got).code).toBe(8);
});
