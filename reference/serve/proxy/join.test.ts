import { type Duplex, duplexPair } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { join } from "./join.ts";

// Time is virtual; the sockets are pairs in memory.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

const IDLE_MS = 100;

/** A tunnel; `client` and `origin` are its far ends. */
function tunnel(rest: { readonly one?: string; readonly other?: string } = {}) {
  const [client, near] = duplexPair();
  const [origin, far] = duplexPair();
  const ended = vi.fn<() => void>();
  const heard = { client: "", origin: "" };
  for (const socket of [client, origin]) socket.on("error", () => {});
  client.on("data", (bytes: Buffer) => (heard.client += bytes.toString()));
  origin.on("data", (bytes: Buffer) => (heard.origin += bytes.toString()));
  const one = { socket: near, rest: Buffer.from(rest.one ?? "") };
  const other = { socket: far, rest: Buffer.from(rest.other ?? "") };
  const cut = join(one, other, { idleMs: IDLE_MS, ended });
  return { client, origin, near, far, ended, heard, cut };
}
/** Enough turns of the loop for octets, or ends, to pass through. */
async function settled(): Promise<void> {
  for (let left = 8; left > 0; left--) await turn();
}
const isDestroyed = (...sockets: readonly Duplex[]): boolean[] => sockets.map(({ destroyed }) => destroyed);

test("octets that came with the switch pass first, even a single one", async () => {
  const { client, origin, heard } = tunnel({ one: "a", other: "b" });
  client.write("c");
  origin.write("d");
  await settled();
  expect(heard).toEqual({ client: "bd", origin: "ac" });
});

test("silence cuts it; octets in either direction begin the time anew", async () => {
  const { client, origin, near, far, ended } = tunnel();
  for (const socket of [client, origin]) {
    vi.advanceTimersByTime(IDLE_MS - 1);
    socket.write("x");
    await settled();
  }
  vi.advanceTimersByTime(IDLE_MS - 1);
  expect([isDestroyed(near, far), ended.mock.calls.length]).toEqual([[false, false], 0]);
  vi.advanceTimersByTime(1);
  expect([isDestroyed(near, far), ended.mock.calls.length]).toEqual([[true, true], 1]);
});

test("it ends once, whatever follows, and leaves no timer", async () => {
  const { near, far, ended, cut } = tunnel();
  cut();
  cut();
  await settled();
  expect([isDestroyed(near, far), ended.mock.calls.length, vi.getTimerCount()]).toEqual([[true, true], 1, 0]);
});

test("the end of one direction passes; the other goes on, and the tunnel ends with it", async () => {
  const { client, origin, heard, ended } = tunnel();
  client.end("last");
  await settled();
  origin.write("still here");
  await settled();
  expect([heard, ended.mock.calls.length]).toEqual([{ client: "still here", origin: "last" }, 0]);
  origin.end();
  await settled();
  expect(ended.mock.calls.length).toBe(1);
});

test("a side that breaks breaks the other", async () => {
  const { near, far, ended } = tunnel();
  near.destroy(new Error("broken"));
  await settled();
  expect([isDestroyed(near, far), ended.mock.calls.length]).toEqual([[true, true], 1]);
});
