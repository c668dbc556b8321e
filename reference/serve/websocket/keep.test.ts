import { createServer, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { echo } from "./echo.ts";
import { HandshakeFailed, keepWebSocket, type KeepOptions, type KeptWebSocket } from "./index.ts";
import type { Ending, Message, OpenWebSocket } from "./open-websocket.ts";
import { Stage, until } from "./testing.ts";

const stage = new Stage();
afterEach(() => stage.clear());

function kept(url: string, options: Partial<KeepOptions> = {}): KeptWebSocket {
  const one = keepWebSocket(url, { onMessage: () => {}, backoff: { firstMs: 4, mostMs: 20, attempts: 4 }, ...options });
  stage.onEnd(() => one.close());
  return one;
}

describe("a connection that is kept", () => {
  test("comes back after it broke, and says where it left off before anything else", async () => {
    const opened: OpenWebSocket[] = [];
    const server = await stage.server((socket, request) => {
      opened.push(socket);
      void echo(socket, request);
    });
    const got: Message[] = [];
    const returns: number[] = [];
    const lost: [Ending | Error, number][] = [];
    const one = kept(server.url, {
      onMessage: (data) => void got.push(data),
      resume: (socket, count) => {
        returns.push(count);
        socket.send(`resume ${count}`);
      },
      onLost: (why, wait) => void lost.push([why, wait]),
    });
    expect(one.send("too early")).toBe(false);
    await until(() => one.current !== undefined);
    one.send("hello");
    await until(() => got.length === 2);
    opened[0]!.abort();
    await until(() => got.length === 3);
    expect(one.send("again")).toBe(true);
    await until(() => got.length === 4);
    expect(got).toEqual(["resume 0", "hello", "resume 1", "again"]);
    expect(returns).toEqual([0, 1]);
    expect(lost).toEqual([[expect.objectContaining({ code: 1006 }), expect.any(Number)]]);
    expect(lost[0]![1]).toBeLessThanOrEqual(4);
  });

  test.each([1001, 1012, 1013])("comes back after %i, by which a server says that it will be there again", async (code) => {
    let count = 0;
    const server = await stage.server((socket) => void (++count === 1 && socket.close(code)));
    const one = kept(server.url);
    await until(() => count === 2 && one.current !== undefined);
    expect(one.current?.state).toBe("open");
  });

  test.each([1000, 1008, 4_000])("does not come back after %i, unless it is told to", async (code) => {
    let count = 0;
    const server = await stage.server((socket) => void (++count <= 2 && socket.close(code, "done")));
    expect(await kept(server.url).done).toEqual({ code, reason: "done", clean: true });
    expect(count).toBe(1);
    const stubborn = kept(server.url, { comesBack: () => true });
    await until(() => count === 3 && stubborn.current !== undefined);
  });

  test("gives up after as many attempts as it may make", async () => {
    const waits: number[] = [];
    const server = createServer((socket: Socket) => socket.on("error", () => {}).destroy()).listen(0, "127.0.0.1");
    await new Promise<void>((resolve) => void server.once("listening", resolve));
    stage.onEnd(() => void server.close());
    const { port } = server.address() as { port: number };
    const one = kept(`ws://127.0.0.1:${port}/`, { onLost: (_why, wait) => void waits.push(wait) });
    await expect(one.done).rejects.toThrow("gave up after 4 attempts");
    expect(waits).toHaveLength(4);
    for (const [i, most] of [4, 8, 16, 20].entries()) {
      expect(waits[i]).toBeGreaterThanOrEqual(most / 2);
      expect(waits[i]).toBeLessThanOrEqual(most);
    }
  });

  test("gives up in the end on a server that lets it in and drops it each time", async () => {
    const server = await stage.server((socket) => socket.abort());
    await expect(kept(server.url).done).rejects.toThrow("gave up after 4 attempts");
  });

  test("gives up at once where the server refuses what it asks for", async () => {
    const server = await stage.server(echo, { paths: ["/elsewhere"] });
    const failed = await kept(server.url).done.catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(HandshakeFailed);
    expect(failed).toMatchObject({ status: 404 });
  });

  test("a `resume` that fails closes the connection, and counts as an attempt", async () => {
    const codes: number[] = [];
    const server = await stage.server((socket) => void (socket.onClose = ({ code }) => void codes.push(code)));
    const resume = async (): Promise<void> => Promise.reject(new Error("no state"));
    await expect(kept(server.url, { resume }).done).rejects.toThrow("no state");
    await until(() => codes.length === 5);
    expect(codes).toEqual([1011, 1011, 1011, 1011, 1011]);
  });

  test("`close` ends it for good, also while it waits to come back", async () => {
    let count = 0;
    const server = await stage.server(() => void (count += 1));
    const one = kept(server.url);
    await until(() => one.current !== undefined);
    await one.close(4_000, "enough");
    expect(await one.done).toMatchObject({ code: 4_000, clean: true });
    let isLost = false;
    const waiting = kept("ws://127.0.0.1:1/", { backoff: { firstMs: 60_000, mostMs: 60_000 }, onLost: () => void (isLost = true) });
    await until(() => isLost);
    await waiting.close();
    expect(await waiting.done).toMatchObject({ code: 1006 });
    expect(count).toBe(1);
  });
});
