import { once } from "node:events";
import { connect as dial, createServer, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { configOf } from "./metrics/discovery/testing.ts";
import { HttpAccess } from "./metrics/http-access.ts";
import { startAgent } from "./channel/index.ts";
import { connect, createClient, proxy, serve } from "./index.ts";
import { openChannel } from "./rpc/index.ts";
import { listenOn } from "./testing.ts";
import { connectWebSocket, keepWebSocket } from "./websocket/index.ts";

/** Attempts to connect end with their client. The server accepts connections, reads, and never sends an octet. */

const NEVER_MS = 0x7fff_ffff;
const SOON_MS = 2_000;
const left: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of left.splice(0).toReversed()) await clean();
});

type Silent = { readonly at: string; readonly first: Promise<Socket>; readonly seen: Socket[] };
async function silent(): Promise<Silent> {
  const seen: Socket[] = [];
  const first = Promise.withResolvers<Socket>();
  const server = createServer((socket) => {
    seen.push(socket);
    // The attempt is under way when its first octets are there.
    socket.once("data", () => first.resolve(socket)).resume();
  });
  const { port, stop } = await listenOn(server);
  left.push(stop);
  return { at: `127.0.0.1:${port}`, first: first.promise, seen };
}

/** Begins to connect; the result ends whatever has begun. */
type Begin = (at: string) => (() => unknown) | Promise<() => unknown>;
const ignored = (): void => {};

/** A client of the metrics server, with more in its configuration. */
function access(url: string, more = ""): () => unknown {
  const client = new HttpAccess(configOf("http_sd_configs", `{url: "${url}"${more}}`), { connectMs: NEVER_MS, keepMs: 1_000 });
  client.request(url, { fields: [] }).catch(ignored);
  return () => client.close();
}

const CLIENTS: readonly (readonly [name: string, begin: Begin])[] = [
  [
    "connect, by its signal",
    (at) => {
      const stop = new AbortController();
      connect(`https://${at}/`, { connectMs: NEVER_MS, signal: stop.signal }).catch(ignored);
      return () => stop.abort();
    },
  ],
  [
    "a pool, in the TLS handshake",
    (at) => {
      const client = createClient({ connectMs: NEVER_MS });
      client.request(`https://${at}/`).catch(ignored);
      return () => client.close();
    },
  ],
  [
    "a pool, before the SETTINGS of HTTP/2",
    (at) => {
      const client = createClient({ alpn: ["h2"], connectMs: NEVER_MS });
      client.request(`http://${at}/`).catch(ignored);
      return () => client.close();
    },
  ],
  ["a client of the metrics server, through SOCKS", (at) => access("https://target.invalid/", `, proxy_url: "socks5://${at}"`)],
  ["a client of the metrics server, through a proxy", (at) => access("https://target.invalid/", `, proxy_url: "http://${at}"`)],
  ["a client of the metrics server, through a proxy with TLS", (at) => access("https://target.invalid/", `, proxy_url: "https://${at}"`)],
  [
    "a WebSocket, by its signal",
    (at) => {
      const stop = new AbortController();
      connectWebSocket(`wss://${at}/`, { connectMs: 1_000_000, signal: stop.signal }).catch(ignored);
      return () => stop.abort();
    },
  ],
  [
    "a WebSocket that reconnects, in the TLS handshake",
    (at) => {
      const socket = keepWebSocket(`wss://${at}/`, { connectMs: 1_000_000, onMessage: ignored });
      return () => socket.close();
    },
  ],
  [
    "a WebSocket that reconnects, in its own handshake",
    (at) => {
      const socket = keepWebSocket(`ws://${at}/`, { connectMs: 1_000_000, onMessage: ignored });
      return () => socket.close();
    },
  ],
  [
    "an agent of a channel",
    (at) => {
      const agent = startAgent({ url: `wss://${at}/api/ws/sessions/main`, token: "t", command: "/bin/cat" });
      return () => agent.close();
    },
  ],
  [
    "an RPC channel",
    (at) => {
      const channel = openChannel(`https://${at}`, { connectMs: NEVER_MS });
      channel.connect();
      return () => channel.close();
    },
  ],
  [
    "a proxy that passes a request on",
    async (at) => {
      const front = proxy(`https://${at}/`, { connectMs: NEVER_MS, timeoutMs: NEVER_MS });
      const server = await serve(front.handler, { graceMs: 0 });
      left.push(() => server.close());
      fetch(server.url).catch(ignored);
      return () => front.close();
    },
  ],
  [
    "a proxy that passes a WebSocket on",
    async (at) => {
      const front = proxy(`https://${at}/`, { connectMs: NEVER_MS, timeoutMs: NEVER_MS });
      const server = await serve(front.handler, { graceMs: 0 });
      left.push(() => server.close());
      connectWebSocket(server.url.replace("http:", "ws:")).catch(ignored);
      return () => front.close();
    },
  ],
];

test.each(CLIENTS)("%s: close ends an attempt at a silent server at once", async (_, begin) => {
  const server = await silent();
  const end = await begin(server.at);
  const socket = await server.first;
  const gone = new Promise((resolve) => socket.once("close", resolve));
  const since = performance.now();
  await Promise.all([end(), gone]);
  expect(performance.now() - since).toBeLessThan(SOON_MS);
  // And no other follows.
  await pause(50);
  expect(server.seen.filter(({ closed }) => !closed)).toEqual([]);
});

describe("a limit of time", () => {
  const LIMITED: readonly (readonly [name: string, begin: (at: string) => Promise<unknown>])[] = [
    ["connect", (at) => connect(`https://${at}/`, { connectMs: 50 })],
    ["a pool", (at) => createClient({ connectMs: 50 }).request(`https://${at}/`)],
    ["a WebSocket", (at) => connectWebSocket(`wss://${at}/`, { connectMs: 50 })],
    ["a tunnel that is never ready", () => connect("https://target.invalid/", { connectMs: 50, tunnel: () => new Promise(() => {}) })],
  ];
  test.each(LIMITED)("%s: an attempt at a silent server ends after connectMs, with its socket", async (_, begin) => {
    const server = await silent();
    const failure: unknown = await begin(server.at).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "CONNECT_FAILED", reason: "timeout" });
    await expect.poll(() => server.seen.filter(({ closed }) => !closed)).toEqual([]);
  });
});

test("a tunnel that is ready after its attempt has ended is closed", async () => {
  const server = await silent();
  const stop = new AbortController();
  const tunnel = Promise.withResolvers<Socket>();
  const attempt = connect("https://target.invalid/", { signal: stop.signal, tunnel: () => tunnel.promise });
  stop.abort();
  await expect(attempt).rejects.toMatchObject({ code: "CONNECT_FAILED" });
  const [host = "", port] = server.at.split(":");
  const socket = dial(Number(port), host);
  await once(socket, "connect");
  tunnel.resolve(socket);
  await expect.poll(() => socket.destroyed).toBe(true);
});

test("a pool: a connection whose request has gone meanwhile is closed after keepMs", async () => {
  const server = await serve(() => ({ status: 200 }), { tls: true, graceMs: 0 });
  left.push(() => server.close());
  const client = createClient({ tls: { verify: false }, keepMs: 2_000 });
  left.push(() => client.close());
  const stop = new AbortController();
  const request = client.request(server.url, { signal: stop.signal });
  stop.abort();
  await expect(request).rejects.toMatchObject({ reason: "aborted" });
  await expect.poll(() => client.connections, { interval: 10 }).toBe(1);
  await expect.poll(() => client.connections).toBe(0);
});
