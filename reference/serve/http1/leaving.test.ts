import { once } from "node:events";
import { connect as tcp, type Socket } from "node:net";
import { connect as tls } from "node:tls";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { connect } from "../client/connect.ts";
import { createClient } from "../client/pool.ts";
import type { Handler } from "../handler.ts";
import { proxy } from "../proxy/proxy.ts";
import type { Server, ServeOptions } from "../server/options.ts";
import { serve } from "../server/serve.ts";

/** Clients that leave while a response is awaited, and how they say so (rfc9112#9.6). */

const left: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const clean of left.splice(0).toReversed()) await clean();
});
async function start(handler: Handler, options: ServeOptions = {}): Promise<Server> {
  const server = await serve(handler, { graceMs: 0, ...options });
  left.push(() => server.close());
  return server;
}
/** A handler that waits for its signal, and the reason of that; then it fails, as most do. */
function waiting(): { readonly handler: Handler; readonly asked: Promise<void>; readonly aborted: Promise<unknown> } {
  const asked = Promise.withResolvers<void>();
  const aborted = Promise.withResolvers<unknown>();
  const handler: Handler = (_, { signal }) =>
    new Promise((_, reject) => {
      asked.resolve();
      signal.addEventListener("abort", () => {
        aborted.resolve(signal.reason);
        reject(signal.reason as Error);
      });
    });
  return { handler, asked: asked.promise, aborted: aborted.promise };
}
const GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
async function raw(server: Server, isTls = false): Promise<{ readonly socket: Socket; readonly heard: Promise<string> }> {
  const place = { port: server.port, host: "127.0.0.1", allowHalfOpen: true };
  const socket = isTls ? tls({ ...place, rejectUnauthorized: false }) : tcp(place);
  left.push(() => void socket.destroy());
  socket.on("error", () => {});
  await once(socket, isTls ? "secureConnect" : "connect");
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  const heard = once(socket, "end").then(() => Buffer.concat(chunks).toString());
  heard.catch(() => {});
  return { socket, heard };
}

describe("a server", () => {
  test.each([
    ["closes its socket", (socket: Socket) => socket.destroy()],
    ["ends its half", (socket: Socket) => socket.end()],
    ["resets", (socket: Socket) => socket.resetAndDestroy()],
  ])("a client that %s: the signal of a waiting handler aborts", async (_, leave) => {
    const { handler, asked, aborted } = waiting();
    const errors: unknown[] = [];
    const server = await start(handler, { alpn: ["http/1.1"], onError: (error, request) => request !== undefined && errors.push(error) });
    const { socket } = await raw(server);
    socket.write(GET);
    await asked;
    leave(socket);
    expect(await aborted).toMatchObject({ name: "StreamFailed", reason: "closed" });
    await pause(5);
    expect(errors).toEqual([]);
  });
  test("over TLS: close_notify aborts the signal", async () => {
    const { handler, asked, aborted } = waiting();
    const { socket } = await raw(await start(handler, { tls: true }), true);
    socket.write(GET);
    await asked;
    socket.end();
    expect(await aborted).toMatchObject({ reason: "closed" });
  });
  test("a signal that is asked for late: aborted already; a response that is given all the same is sent", async () => {
    let isAborted: boolean | undefined;
    const server = await start(async (_, exchange) => {
      await pause(30);
      isAborted = exchange.signal.aborted;
      return { status: 200, body: "after all" };
    });
    const { socket, heard } = await raw(server);
    socket.end(GET);
    expect(await heard).toMatch(/^HTTP\/1\.1 200 [^]*Connection: close[^]*after all$/i);
    expect(isAborted).toBe(true);
  });
  test("a client that ends its half after the response: the signal stays", async () => {
    const signals: AbortSignal[] = [];
    const server = await start((_, { signal }) => {
      signals.push(signal);
      return { status: 200, body: "ok".repeat(10) };
    });
    const { socket, heard } = await raw(server);
    socket.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhel");
    while (signals.length === 0) await pause(2);
    socket.end("lo");
    expect(await heard).toMatch(/^HTTP\/1\.1 200 /);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  });
  test("requests behind the one that waits learn it, too", async () => {
    const signals: boolean[] = [];
    const server = await start(async (_, { signal }) => {
      await pause(30);
      signals.push(signal.aborted);
      return { status: 200 };
    });
    const { socket, heard } = await raw(server);
    socket.end(`${GET}${GET}`);
    expect((await heard).match(/ 200 /g)).toHaveLength(2);
    expect(signals).toEqual([true, true]);
  });
  test("a request that begins after the end: its signal is aborted from the start", async () => {
    const signals: boolean[] = [];
    const server = await start(
      async (_, { signal }) => {
        signals.push(signal.aborted);
        if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
        return { status: 200 };
      },
      { http1: { limits: { pipelined: 1 } } },
    );
    const { socket, heard } = await raw(server);
    socket.end(`${GET}${GET}`);
    expect((await heard).match(/ 200 /g)).toHaveLength(2);
    expect(signals).toEqual([false, true]);
  });
  test("halfClose ignore: the signal stays, the response is sent; a reset aborts it", async () => {
    let isAborted: boolean | undefined;
    const reset = Promise.withResolvers<unknown>();
    const server = await start(
      async ({ path }, { signal }) => {
        if (path === "/reset") signal.addEventListener("abort", () => reset.resolve(signal.reason));
        await pause(path === "/reset" ? 200 : 30);
        isAborted = signal.aborted;
        return { status: 200, body: "wanted" };
      },
      { http1: { halfClose: "ignore" } },
    );
    const { socket, heard } = await raw(server);
    socket.end(GET);
    expect(await heard).toMatch(/wanted$/);
    expect(isAborted).toBe(false);
    const other = await raw(server);
    other.socket.write("GET /reset HTTP/1.1\r\nHost: x\r\n\r\n");
    await pause(20);
    other.socket.resetAndDestroy();
    expect(await reset.promise).toMatchObject({ reason: "closed" });
  });
  test("another value of halfClose is refused", async () => {
    await expect(serve(() => ({ status: 200 }), { http1: { halfClose: "yes" as never } })).rejects.toThrow(/give abort or ignore/);
  });
  test("a handler that fails without having looked at its signal: reported, and answered with 500", async () => {
    const errors: unknown[] = [];
    const server = await start(
      async () => {
        await pause(20);
        throw new Error("a bug");
      },
      { onError: (error) => errors.push(error) },
    );
    const { socket, heard } = await raw(server);
    socket.end(GET);
    expect(await heard).toMatch(/^HTTP\/1\.1 500 /);
    expect(errors).toMatchObject([{ message: "a bug" }]);
  });
});

describe("our proxy", () => {
  test.each(["http/1.1", "h2"] as const)("a client that leaves: the request to the origin over %s is stopped", async (version) => {
    const { handler, asked, aborted } = waiting();
    const origin = await start(handler, { alpn: [version] });
    const passing = proxy(origin.url, { graceMs: 0, alpn: [version] });
    left.push(() => passing.close());
    const front = await start(passing.handler);
    const { socket } = await raw(front);
    socket.write(GET);
    await asked;
    socket.destroy();
    expect(await aborted).toMatchObject({ name: "StreamFailed" });
  });
  test("a half-closed client with halfClose ignore gets its response through the proxy", async () => {
    const origin = await start(async () => pause(20).then(() => ({ status: 200, body: "from far" })));
    const passing = proxy(origin.url, { graceMs: 0 });
    left.push(() => passing.close());
    const front = await start(passing.handler, { http1: { halfClose: "ignore" } });
    const { socket, heard } = await raw(front);
    socket.end(GET);
    expect(await heard).toMatch(/ 200 [^]*from far/);
  });
});

describe("our client", () => {
  /** Why the server's signal aborted, after the client did something. */
  test.each([
    ["ignore", false],
    ["abort", false],
    ["ignore", true],
    ["abort", true],
  ] as const)("abort ends with a reset, which a server sees with halfClose %s (TLS: %s)", async (halfClose, tls) => {
    const { handler, asked, aborted } = waiting();
    const gone: unknown[] = [];
    const server = await start((request, exchange) => (request.path === "/first" ? { status: 204 } : handler(request, exchange)), {
      tls,
      alpn: ["http/1.1"],
      http1: { halfClose },
      onError: (error, request) => request === undefined && gone.push(error),
    });
    const client = await connect(server.url, { alpn: ["http/1.1"], tls: { verify: false } });
    // Behind the handshake, of which a server may still be writing the end when the first request comes.
    await client.request({ path: "/first" });
    const controller = new AbortController();
    const outcome = client.request({ signal: controller.signal }).catch((error: unknown) => error);
    await asked;
    controller.abort(new Error("never mind"));
    expect(await outcome).toMatchObject({ reason: "aborted", cause: { message: "never mind" } });
    await client.closed;
    await aborted;
    await pause(5);
    expect(gone).toMatchObject([{ code: "ECONNRESET" }]);
  });
  test("a loop over the content that is left early ends with a reset, too", async () => {
    const stopped = Promise.withResolvers<unknown>();
    const endless = async function* endless(signal: AbortSignal) {
      signal.addEventListener("abort", () => stopped.resolve(signal.reason));
      for (;;) {
        yield "more";
        await pause(2);
      }
    };
    const server = await start((_, { signal }) => ({ status: 200, body: endless(signal) }), {
      http1: { halfClose: "ignore" },
      onError: () => {},
    });
    const client = await connect(server.url, { alpn: ["http/1.1"] });
    for await (const _ of (await client.request()).body) break;
    expect(await stopped.promise).toMatchObject({ reason: "closed", cause: { code: "ECONNRESET" } });
  });

  describe.each(["http/1.1", "h2"] as const)("over %s", (version) => {
    test("timeoutMs: fails while the response is awaited, and while its content is", async () => {
      const ends: unknown[] = [];
      const drip = async function* drip() {
        for (;;) {
          yield "drop";
          await pause(5);
        }
      };
      const server = await start(
        ({ path }, { signal }) => {
          signal.addEventListener("abort", () => ends.push(path));
          return path === "/" ? new Promise(() => {}) : { status: 200, body: drip() };
        },
        { alpn: [version], onError: () => {} },
      );
      const first = await connect(server.url, { alpn: [version], graceMs: 0, http2: { h2c: "prior-knowledge" } });
      await expect(first.request({ timeoutMs: 200 })).rejects.toMatchObject({ reason: "timeout", retryable: false });
      const pool = createClient({ alpn: [version], graceMs: 0, http2: { h2c: "prior-knowledge" } });
      left.push(() => pool.close());
      const { body } = await pool.request(`${server.url}drip`, { timeoutMs: 800, headersMs: 700 });
      await expect(body.text()).rejects.toMatchObject({ reason: "timeout" });
      while (ends.length < 2) await pause(2);
      expect(ends).toEqual(["/", "/drip"]);
      await first.close();
    });
    test("headersMs: fails only while the response has not begun; in time nothing fails", async () => {
      const server = await start(
        async ({ path }) => {
          if (path === "/late") await pause(500);
          return { status: 200, body: "in time" };
        },
        { alpn: [version], onError: () => {} },
      );
      const pool = createClient({ alpn: [version], graceMs: 0, http2: { h2c: "prior-knowledge" } });
      left.push(() => pool.close());
      const { body } = await pool.request(server.url, { headersMs: 1_000, timeoutMs: 2_000 });
      expect(await body.text()).toBe("in time");
      await expect(pool.request(`${server.url}late`, { headersMs: 20 })).rejects.toMatchObject({ reason: "timeout" });
    });
  });
  test("timeoutMs includes the wait for a connection of the pool", async () => {
    const server = await start(() => new Promise(() => {}), { alpn: ["http/1.1"] });
    const pool = createClient({ alpn: ["http/1.1"], maxConnections: 1, graceMs: 0 });
    left.push(() => pool.close());
    const first = pool.request(server.url, { timeoutMs: 300 }).catch((error: unknown) => error);
    await expect(pool.request(server.url, { timeoutMs: 30 })).rejects.toMatchObject({ reason: "timeout", message: /no connection/ });
    expect(await first).toMatchObject({ reason: "timeout" });
  });

  test("a request behind an unread body: refused with what to do, and the connection goes on after it is read", async () => {
    const large = Buffer.alloc(4 << 20, "x");
    const server = await start(({ path }) => ({ status: 200, body: path === "/large" ? large : "small" }));
    const client = await connect(server.url, { alpn: ["http/1.1"], unreadMs: 50, graceMs: 0 });
    left.push(() => client.close());
    const { body } = await client.request({ path: "/large" });
    await expect(client.request()).rejects.toMatchObject({ reason: "refused", retryable: true, message: /is not read.*createClient/ });
    // A reader that takes its time holds nobody up for ever.
    const next = client.request();
    let size = 0;
    for await (const piece of body) {
      size += piece.length;
      if (size < 1_000_000) await pause(10);
    }
    expect([size, await (await next).body.text()]).toEqual([large.length, "small"]);
  });
  test("a pool whose connections all have unread bodies: refused with what to do", async () => {
    const large = Buffer.alloc(4 << 20, "x");
    const server = await start(() => ({ status: 200, body: large }), { alpn: ["http/1.1"] });
    const pool = createClient({ alpn: ["http/1.1"], maxConnections: 2, unreadMs: 50, graceMs: 0 });
    left.push(() => pool.close());
    const held = await Promise.all([pool.request(server.url), pool.request(server.url)]);
    await expect(pool.request(server.url)).rejects.toMatchObject({ reason: "refused", message: /2 connections.*is not read/ });
    const next = pool.request(server.url);
    await held[0].body.bytes();
    expect((await (await next).body.bytes()).length).toBe(large.length);
  });
});
