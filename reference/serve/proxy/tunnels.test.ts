import { createHash } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { connect as dial, createServer, type AddressInfo, type Server as NetServer, type Socket } from "node:net";
import { duplexPair } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { Fields, type Request, type Response } from "../../http/index.ts";
import { connect } from "../client/connect.ts";
import type { Exchange, Switched } from "../handler.ts";
import { serve } from "../server/serve.ts";
import type { Server, ServeOptions } from "../server/options.ts";
import { talk } from "../testing.ts";
import { connectWebSocket, serveWebSocket } from "../websocket/index.ts";
import { join } from "./join.ts";
import type { ProxyOptions } from "./options.ts";
import { proxy } from "./proxy.ts";
import { Tunnels } from "./tunnels.ts";

const left: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of left.splice(0).toReversed()) await clean();
});
const portOf = async (server: NetServer | WebSocketServer): Promise<number> => {
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
};

const connectProtocol = { http2: { settings: { enableConnectProtocol: true } } } as const;
async function front(origin: string, options: ProxyOptions = {}, serving: ServeOptions = {}): Promise<Server> {
  const passing = proxy(origin, { graceMs: 0, ...options });
  left.push(() => passing.close());
  const server = await serve(passing.handler, { graceMs: 0, onError: () => {}, ...connectProtocol, ...serving });
  left.push(() => server.close());
  return server;
}
/** An echo server of `ws`; `seen` collects the heads of its requests. */
async function wsOrigin(seen: Record<string, unknown>[] = []): Promise<string> {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", handleProtocols: (names) => [...names][0] ?? false });
  server.on("connection", (socket, request) => {
    seen.push({ url: request.url, ...request.headers });
    socket.on("error", () => {});
    socket.on("message", (data, isBinary) => socket.send(data, { binary: isBinary }));
  });
  const port = await portOf(server);
  left.push(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  return `http://127.0.0.1:${port}/`;
}
/** Our echo server in one version of HTTP. */
async function ownServer(alpn: "h2" | "http/1.1"): Promise<Server> {
  const server = await serveWebSocket(
    (socket) => {
      socket.onMessage = (data) => void socket.send(data);
    },
    { alpn: [alpn], graceMs: 0, onError: () => {} },
  );
  left.push(() => server.close());
  return server;
}
const ownOrigin = async (alpn: "h2" | "http/1.1"): Promise<string> => (await ownServer(alpn)).url.replace("ws", "http");
const echoed = async (url: string): Promise<unknown> => {
  const socket = new WebSocket(url, ["chat"]);
  await once(socket, "open");
  socket.send("hello");
  const [data] = (await once(socket, "message")) as [Buffer];
  socket.close(4001, "bye");
  const [code, reason] = (await once(socket, "close")) as [number, Buffer];
  return [data.toString(), socket.protocol, code, reason.toString()];
};
const ws = (server: Server): string => server.url.replace("http", "ws");

describe("a WebSocket through the proxy", () => {
  test("from ws to ws over HTTP/1.1: messages, subprotocol and Close pass both ways", async () => {
    const seen: Record<string, unknown>[] = [];
    const server = await front(await wsOrigin(seen), { pseudonym: "front" });
    expect(await echoed(`${ws(server)}chat?x=1`)).toEqual(["hello", "chat", 4001, "bye"]);
    expect(seen[0]).toMatchObject({ url: "/chat?x=1", host: `127.0.0.1:${server.port}`, upgrade: "websocket", via: "1.1 front" });
  });

  test("from ws over HTTP/1.1 to an origin of HTTP/2, by extended CONNECT, on a connection of its own", async () => {
    const origin = await ownServer("h2");
    const server = await front(origin.url.replace("ws", "http"), { alpn: ["h2"] });
    const socket = new WebSocket(ws(server));
    await once(socket, "open");
    socket.send("hello");
    expect(String((await once(socket, "message"))[0])).toBe("hello");
    expect(origin.connections).toBe(1);
    socket.close(1000);
    expect((await once(socket, "close"))[0]).toBe(1000);
    await expect.poll(() => origin.connections).toBe(0);
  });

  test.each(["h2", "http/1.1"] as const)("from a client of HTTP/2 to an origin of %s", async (alpn) => {
    const server = await front(await ownOrigin(alpn), { alpn: [alpn] });
    await using client = await connect(server.url, { alpn: ["h2"], graceMs: 0 });
    const socket = await connectWebSocket(ws(server), { over: client });
    const big = "x".repeat(300_000);
    socket.send(big);
    expect((await socket[Symbol.asyncIterator]().next()).value).toBe(big);
    socket.close(1000);
    expect(await socket.closed).toMatchObject({ code: 1000, clean: true });
  });

  test("from a client of HTTP/2 to ws", async () => {
    const seen: Record<string, unknown>[] = [];
    const server = await front(await wsOrigin(seen));
    await using client = await connect(server.url, { alpn: ["h2"], graceMs: 0 });
    const socket = await connectWebSocket(ws(server), { over: client, subprotocols: ["chat"] });
    socket.send("hello");
    expect((await socket[Symbol.asyncIterator]().next()).value).toBe("hello");
    expect(socket.subprotocol).toBe("chat");
    socket.close();
    await socket.closed;
    expect(seen[0]).toMatchObject({ connection: "upgrade", via: "2 touchstone" });
  });

  test("an origin over TLS that has not enabled extended CONNECT is reached in HTTP/1.1", async () => {
    const origin = await serve(({ version }) => ({ status: 418, body: version }), { tls: true, graceMs: 0 });
    left.push(() => origin.close());
    const server = await front(origin.url, { tls: { verify: false } });
    const socket = new WebSocket(ws(server));
    const [, response] = (await once(socket, "unexpected-response")) as [unknown, AsyncIterable<Buffer> & { statusCode: number }];
    expect([response.statusCode, Buffer.concat(await Array.fromAsync(response)).toString()]).toEqual([418, "HTTP/1.1"]);
    // Neither that connection nor the one before it stays.
    await expect.poll(() => origin.connections).toBe(0);
  });
});

describe("a refusal", () => {
  const handshake = ["GET / HTTP/1.1", "Host: h", "Upgrade: websocket", "Connection: Upgrade, close", "Sec-WebSocket-Version: 13"];
  const KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
  const say = async (server: Server, ...lines: string[]): Promise<string> =>
    (await talk(server.port, [...lines, "", ""].join("\r\n"))).toString();
  async function raw(answer: string): Promise<{ readonly url: string; heard(): string; readonly left: Promise<void> }> {
    let heard = "";
    const sockets = new Set<Socket>();
    const over = Promise.withResolvers<void>();
    const server = createServer((socket) => {
      sockets.add(socket.on("error", () => {}).on("close", over.resolve));
      socket.on("data", (bytes: Buffer) => {
        heard += bytes.toString();
        if (heard.endsWith("\r\n\r\n")) socket.write(answer);
      });
    }).listen(0, "127.0.0.1");
    const port = await portOf(server);
    left.push(() => {
      server.close();
      for (const socket of sockets) socket.destroy();
    });
    return { url: `http://127.0.0.1:${port}/`, heard: () => heard, left: over.promise };
  }

  test("of the origin passes, and what follows it is a request again", async () => {
    const origin = await raw("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno");
    const server = await front(origin.url);
    expect(await say(server, ...handshake, KEY)).toMatch(/^HTTP\/1\.1 403 [^]*\r\n\r\nno$/);
    const kept = handshake.map((line) => line.replace(", close", ""));
    const both = await say(server, ...kept, KEY, "", "GET /two HTTP/1.1", "Host: h", "Connection: close");
    expect(both.match(/HTTP\/1\.1 403/g)).toHaveLength(2);
    expect(origin.heard()).toMatch(/GET \/two HTTP\/1\.1\r\n/);
  });
  test("an origin with a wrong key, or another protocol: 502, and its connection ends", async () => {
    for (const lines of ["Upgrade: websocket\r\nSec-WebSocket-Accept: wrong", "Upgrade: other"]) {
      const origin = await raw(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n${lines}\r\n\r\n`);
      expect(await say(await front(origin.url), ...handshake, KEY)).toMatch(/^HTTP\/1\.1 502 /);
      await origin.left;
    }
  });
  test("an origin that answers 200: passes over HTTP/1.1, and is 502 over HTTP/2, where it would open a tunnel", async () => {
    const origin = await raw("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    const server = await front(origin.url);
    expect(await say(server, ...handshake, KEY)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    await using client = await connect(server.url, { alpn: ["h2"], graceMs: 0 });
    await expect(connectWebSocket(ws(server), { over: client })).rejects.toMatchObject({ status: 502 });
  });
  test("other protocols, and handshakes without a key, are requests without Upgrade", async () => {
    const origin = await raw("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    const server = await front(origin.url);
    await say(server, ...handshake);
    await say(server, "GET / HTTP/1.1", "Host: h", "Upgrade: other", "Connection: Upgrade, close");
    expect(origin.heard()).not.toMatch(/upgrade/i);
    await using client = await connect(server.url, { alpn: ["h2"], graceMs: 0 });
    expect((await client.request({ method: "CONNECT", protocol: "other", authority: "h" })).status).toBe(501);
  });
  test("a silent origin: 504; none: 502", async () => {
    const origin = await raw("");
    expect(await say(await front(origin.url, { timeoutMs: 100 }), ...handshake, KEY)).toMatch(/^HTTP\/1\.1 504 /);
    expect(await say(await front("http://127.0.0.1:1/"), ...handshake, KEY)).toMatch(/^HTTP\/1\.1 502 /);
  });
  test("beyond maxTunnels: 503, until one ends", async () => {
    const server = await front(await wsOrigin(), { maxTunnels: 1 });
    const one = new WebSocket(ws(server));
    await once(one, "open");
    const other = new WebSocket(ws(server));
    const [, refusal] = (await once(other, "unexpected-response")) as [unknown, IncomingMessage];
    expect([refusal.statusCode, refusal.headers["content-type"]]).toEqual([503, "text/plain"]);
    expect(Buffer.concat(await Array.fromAsync(refusal as AsyncIterable<Buffer>)).toString()).toBe("1 tunnels are open: try again later\n");
    other.on("error", () => {}).terminate();
    one.close();
    await once(one, "close");
    await expect.poll(() => echoed(ws(server)).catch(() => "refused")).toEqual(["hello", "chat", 4001, "bye"]);
  });
});

describe("the end of a tunnel", () => {
  test("silence for tunnelIdleMs drops both sides", async () => {
    const server = await front(await wsOrigin(), { tunnelIdleMs: 100 });
    const socket = new WebSocket(ws(server)).on("error", () => {});
    await once(socket, "open");
    expect((await once(socket, "close"))[0]).toBe(1006);
  });
  test.each(["http/1.1", "h2"] as const)("a client in %s that breaks off breaks off at the origin", async (alpn) => {
    const ended = Promise.withResolvers<number>();
    const origin = new WebSocketServer({ port: 0, host: "127.0.0.1" });
    origin.on("connection", (socket) => socket.on("error", () => {}).on("close", (code) => ended.resolve(code)));
    const port = await portOf(origin);
    left.push(() => origin.close());
    const server = await front(`http://127.0.0.1:${port}/`);
    await using client = await connect(server.url, { alpn: ["h2"], graceMs: 0 });
    const socket = await connectWebSocket(ws(server), alpn === "h2" ? { over: client } : {});
    socket.abort();
    expect(await ended.promise).toBe(1006);
  });
  test("an origin that breaks off breaks off at the client", async () => {
    const origin = new WebSocketServer({ port: 0, host: "127.0.0.1" });
    origin.on("connection", (socket) => socket.terminate());
    const port = await portOf(origin);
    left.push(() => origin.close());
    const server = await front(`http://127.0.0.1:${port}/`);
    for (const over of [undefined, await connect(server.url, { alpn: ["h2"], graceMs: 0 })]) {
      const socket = await connectWebSocket(ws(server), over === undefined ? {} : { over });
      expect(await socket.closed).toMatchObject({ code: 1006, clean: false });
      await over?.close();
    }
  });
  test("a side that is cut while its end is being sent: no socket is kept", async () => {
    const server = createServer((socket) => void socket.on("error", () => {})).listen(0, "127.0.0.1");
    const port = await portOf(server);
    const [near, far] = [dial(port, "127.0.0.1"), dial(port, "127.0.0.1")];
    await Promise.all([once(near, "connect"), once(far, "connect")]);
    const errors: unknown[] = [];
    for (const socket of [near, far]) socket.on("error", (error) => errors.push(error));
    const closed = Promise.all([near, far].map((socket) => new Promise((resolve) => socket.once("close", resolve))));
    const nothing = new Uint8Array(0);
    const cut = join({ socket: near, rest: nothing }, { socket: far, rest: nothing }, { idleMs: 1_000, ended: () => {} });
    far.end("the last octets");
    await new Promise(process.nextTick);
    cut();
    await closed;
    expect(errors).toEqual([]);
    server.close();
  });
  test("closing the proxy drops its tunnels", async () => {
    const passing = proxy(await wsOrigin(), { graceMs: 0 });
    const server = await serve(passing.handler, { graceMs: 0 });
    left.push(() => server.close());
    const socket = new WebSocket(ws(server)).on("error", () => {});
    await once(socket, "open");
    await passing[Symbol.asyncDispose]();
    expect((await once(socket, "close"))[0]).toBe(1006);
  });

  /** An origin that switches, and notes what becomes of the connection. */
  async function switching(): Promise<{ readonly url: URL; readonly heard: () => string; readonly ended: Promise<unknown> }> {
    const ended = Promise.withResolvers<void>();
    let heard = "";
    const server = createServer((socket) => {
      socket.on("error", () => {}).on("close", () => ended.resolve());
      socket.once("data", (bytes: Buffer) => {
        const key = /sec-websocket-key: (\S+)/i.exec(bytes.toString())?.[1] ?? "";
        const accept = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
        const head = ["HTTP/1.1 101 Switching Protocols", "Connection: Upgrade", "Upgrade: websocket", `Sec-WebSocket-Accept: ${accept}`];
        socket.write([...head, "", ""].join("\r\n"));
        socket.on("data", (more: Buffer) => (heard += more.toString("latin1")));
      });
    }).listen(0, "127.0.0.1");
    const port = await portOf(server);
    left.push(() => void server.close());
    return { url: new URL(`http://127.0.0.1:${port}/`), heard: () => heard, ended: ended.promise };
  }
  const wanted = {
    method: "GET",
    path: "/",
    authority: "h",
    version: "HTTP/1.1",
    fields: new Fields([
      { name: "sec-websocket-key", value: "dGhlIHNhbXBsZSBub25jZQ==", sensitive: false },
      { name: "upgrade", value: "websocket", sensitive: false },
    ]),
  } as unknown as Request;
  const refused = (): Response => ({ status: 502 });
  test("a client that leaves in the moment of the switch: the origin's connection is closed, and nothing switches", async () => {
    const origin = await switching();
    const leaving = new AbortController();
    let messages = 0;
    const via = (): string => {
      // The second message is the response of the origin.
      if (++messages === 2) leaving.abort();
      return "1.1 test";
    };
    const tunnels = new Tunnels(origin.url, { connect: {}, most: 1, idleMs: 60_000, via });
    const exchange = { switchTo: vi.fn<Exchange["switchTo"]>() };
    await expect(tunnels.pass(wanted, exchange as unknown as Exchange, { signal: leaving.signal, refused })).rejects.toThrow("aborted");
    expect(exchange.switchTo).not.toHaveBeenCalled();
    await origin.ended;
  });
  test("a client that never takes its socket: the origin's connection is closed after idleMs, and hears nothing", async () => {
    const origin = await switching();
    const tunnels = new Tunnels(origin.url, { connect: {}, most: 1, idleMs: 10, via: () => "1.1 test" });
    const exchange = { switchTo: () => ({ status: 101 }) };
    await tunnels.pass(wanted, exchange as unknown as Exchange, { signal: new AbortController().signal, refused });
    await origin.ended;
    expect(origin.heard()).toBe("");
  });
  test("a tunnel that is in use outlives idleMs", async () => {
    const origin = await switching();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    left.push(() => vi.useRealTimers());
    const tunnels = new Tunnels(origin.url, { connect: {}, most: 1, idleMs: 60, via: () => "1.1 test" });
    left.push(() => tunnels.close());
    const [client, near] = duplexPair();
    const exchange = {
      switchTo: (_: number, __: unknown, take: (switched: Switched) => void) => {
        take({ socket: near, rest: new Uint8Array(0) });
        return { status: 101 };
      },
    };
    client.on("error", () => {});
    await tunnels.pass(wanted, exchange as unknown as Exchange, { signal: new AbortController().signal, refused });
    for (let times = 1; times <= 8; times++) {
      vi.advanceTimersByTime(50);
      client.write("x");
      while (origin.heard().length < times && !near.destroyed) await turn();
    }
    expect([origin.heard(), near.destroyed]).toEqual(["x".repeat(8), false]);
  });
});
