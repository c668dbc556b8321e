import { createServer, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { echo } from "./echo.ts";
import { HandshakeFailed, keepWebSocket, type KeepOptions, type KeptWebSocket } from "./index.ts";
import type { Ending, Message, OpenWebSocket } from "./open-websocket.ts";
import { Fixture, until } from "./testing.ts";

const fixture = new Fixture();
afterEach(() => fixture.clear());

function kept(url: string, options: Partial<KeepOptions> = {}): KeptWebSocket {
  const one = keepWebSocket(url, { onMessage: () => {}, backoff: { firstMs: 4, mostMs: 20, attempts: 4 }, ...options });
  fixture.onEnd(() => one.close());
  return one;
}

describe("keepWebSocket()", () => {
  test("close while resume waits: closes that connection, and resolves when it is over", async () => {
    const ended: Ending[] = [];
    const server = await fixture.server((socket) => {
      socket.onClose = (ending) => void ended.push(ending);
    });
    const resumed = Promise.withResolvers<void>();
    let isResuming = false;
    const one = kept(server.url, {
      resume: () => {
        isResuming = true;
        return resumed.promise;
      },
    });
    await until(() => isResuming);
    await one.close(4_000, "enough");
    expect(await one.done).toMatchObject({ clean: true });
    await until(() => ended.length === 1);
    expect(ended[0]).toMatchObject({ code: 4_000, reason: "enough" });
    resumed.resolve();
    await resumed.promise;
    expect(one.current).toBe(undefined);
  });
  test("close while a connection is being opened: leaves none open, and does not resume", async () => {
    const open = new Set<OpenWebSocket>();
    const server = await fixture.server((socket) => {
      open.add(socket);
      socket.onClose = () => void open.delete(socket);
    });
    let resumes = 0;
    const one = kept(server.url, { resume: () => void resumes++ });
    await one.close();
    // The attempt may have reached the server, or not: a later one has.
    const opened = Promise.withResolvers<void>();
    const later = kept(server.url, { resume: () => opened.resolve() });
    await opened.promise;
    await later.close();
    await until(() => open.size === 0);
    expect(one.current).toBe(undefined);
    expect(resumes).toBe(0);
  });

  test("reconnects after a break, and resumes before anything else is sent", async () => {
    const opened: OpenWebSocket[] = [];
    const server = await fixture.server((socket, request) => {
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

  test.each([1001, 1012, 1013])("reconnects after %i, with which a server announces its return", async (code) => {
    let count = 0;
    const server = await fixture.server((socket) => void (++count === 1 && socket.close(code)));
    const one = kept(server.url);
    await until(() => count === 2 && one.current !== undefined);
    expect(one.current?.state).toBe("open");
  });

  test.each([1000, 1008, 4_000])("does not reconnect after %i, unless configured to", async (code) => {
    let count = 0;
    const server = await fixture.server((socket) => void (++count <= 2 && socket.close(code, "done")));
    expect(await kept(server.url).done).toEqual({ code, reason: "done", clean: true });
    expect(count).toBe(1);
    const stubborn = kept(server.url, { comesBack: () => true });
    await until(() => count === 3 && stubborn.current !== undefined);
  });

  test("gives up after the last attempt", async () => {
    const waits: number[] = [];
    const server = createServer((socket: Socket) => socket.on("error", () => {}).destroy()).listen(0, "127.0.0.1");
    await new Promise<void>((resolve) => void server.once("listening", resolve));
    fixture.onEnd(() => void server.close());
    const { port } = server.address() as { port: number };
    const one = kept(`ws://127.0.0.1:${port}/`, { onLost: (_why, wait) => void waits.push(wait) });
    await expect(one.done).rejects.toThrow("gave up after 4 attempts");
    expect(waits).toHaveLength(4);
    for (const [i, most] of [4, 8, 16, 20].entries()) {
      expect(waits[i]).toBeGreaterThanOrEqual(most / 2);
      expect(waits[i]).toBeLessThanOrEqual(most);
    }
  });

  test("gives up on a server that accepts and drops it each time", async () => {
    const server = await fixture.server((socket) => socket.abort());
    await expect(kept(server.url).done).rejects.toThrow("gave up after 4 attempts");
  });

  test("gives up at once if the server refuses for good", async () => {
    const server = await fixture.server(echo, { paths: ["/elsewhere"] });
    const failed = await kept(server.url).done.catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(HandshakeFailed);
    expect(failed).toMatchObject({ status: 404 });
  });

  test("a `resume` that fails closes the connection, and counts as an attempt", async () => {
    const codes: number[] = [];
    const server = await fixture.server((socket) => void (socket.onClose = ({ code }) => void codes.push(code)));
    const resume = async (): Promise<void> => Promise.reject(new Error("no state"));
    await expect(kept(server.url, { resume }).done).rejects.toThrow("no state");
    await until(() => codes.length === 5);
    expect(codes).toEqual([1011, 1011, 1011, 1011, 1011]);
  });

  test("`close` ends it for good, also during a wait", async () => {
    let count = 0;
    const server = await fixture.server(() => void (count += 1));
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
