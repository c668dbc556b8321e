import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { Misuse } from "../../core/index.ts";
import { connectWebSocket, keepWebSocket } from "./index.ts";
import { echo } from "./echo.ts";
import { Fixture } from "./testing.ts";

const fixture = new Fixture();
afterEach(() => fixture.clear());

test("send accepts octets in any buffer or view, and throws for anything else", async () => {
  const server = await fixture.server((socket, request) => void echo(socket, request));
  const socket = await connectWebSocket(server.url);
  const octets = Uint8Array.of(1, 2, 3, 4);
  const { buffer } = octets;
  for (const data of [octets, buffer, new DataView(buffer, 1, 2), new Uint16Array(buffer)]) expect(socket.send(data)).toBe(true);
  socket.sendPart(new DataView(buffer, 3), true);
  const got: number[][] = [];
  for await (const data of socket) {
    got.push([...(data as Uint8Array)]);
    if (got.length === 5) break;
  }
  expect(got).toEqual([[1, 2, 3, 4], [1, 2, 3, 4], [2, 3], [1, 2, 3, 4], [4]]);
});

test.each([5, null, undefined, { length: 1 }, [1]])("send(%j) is a mistake of the caller", async (data) => {
  const server = await fixture.server((socket, request) => void echo(socket, request));
  const socket = await connectWebSocket(server.url);
  expect(() => socket.send(data as unknown as string)).toThrow(Misuse);
  expect(() => socket.send(data as unknown as string)).toThrow(/send a string, or octets as Uint8Array, ArrayBuffer or a view of one/);
  expect(socket.state).toBe("open");
  socket.abort();
});

test("send(Blob) says what it wants instead", async () => {
  const server = await fixture.server((socket, request) => void echo(socket, request));
  const socket = await connectWebSocket(server.url);
  expect(() => socket.send(new Blob(["a"]) as unknown as string)).toThrow(/send\(await blob\.bytes\(\)\)/);
  socket.abort();
});

test("false means one thing, wait for `drained`; what was not sent is counted", async () => {
  const server = await fixture.server(() => {});
  const socket = await connectWebSocket(server.url);
  socket.pause();
  // More than the transport takes at once: sent, but no more for now.
  while (socket.send(new Uint8Array(1 << 20)));
  expect([socket.state, socket.dropped]).toEqual(["open", 0]);
  await socket.drained();
  expect(socket.send("room again")).toBe(true);
  socket.abort();
  await socket.closed;
  expect([socket.send("late"), socket.sendPart("late", true), socket.dropped]).toEqual([false, false, 2]);
  await socket.drained();
});

test("a kept connection: false means that nothing was sent", async () => {
  const server = await fixture.server(() => {});
  const kept = keepWebSocket(server.url, { onMessage: () => {} });
  expect(kept.send("too early")).toBe(false);
  while (kept.current === undefined) await pause(2);
  for (let i = 0; i < 20; i++) expect(kept.send(new Uint8Array(1 << 18))).toBe(true);
  await kept.close();
  expect(kept.send("too late")).toBe(false);
});
