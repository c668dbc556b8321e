import { createServer as createHttp, type Server as HttpServer } from "node:http";
import { createServer, type Server as NetServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { Misuse } from "../../core/index.ts";
import { ConnectFailed, StreamFailed } from "../errors.ts";
import type { Handler } from "../handler.ts";
import { createClient, type HttpClient } from "./pool.ts";
import type { ClientOptions } from "./options.ts";
import { serve } from "../server/serve.ts";
import type { Server, ServeOptions } from "../server/options.ts";
import { listenOn } from "../testing.ts";

const left: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const clean of left.splice(0).toReversed()) await clean();
});
function client(options: ClientOptions = {}): HttpClient {
  const made = createClient({ graceMs: 0, ...options });
  left.push(() => made.close());
  return made;
}
async function ours(handler: Handler, options: ServeOptions = {}): Promise<Server> {
  const server = await serve(handler, { graceMs: 0, ...options });
  left.push(() => server.close());
  return server;
}
async function listening(server: NetServer | HttpServer): Promise<string> {
  const { port, stop } = await listenOn(server);
  left.push(stop);
  return `http://127.0.0.1:${port}/`;
}
/** Answers with the number of the connection. */
const which: Handler = (_, { connection }) => ({ status: 200, body: String(connection.id) });
const text = async (from: HttpClient, url: string, request = {}): Promise<string> => (await from.request(url, request)).body.text();

describe("connections are kept", () => {
  test("sequential requests share a connection", async () => {
    const server = await ours(which);
    const pool = client();
    const ids = [];
    for (let i = 0; i < 3; i++) ids.push(await text(pool, server.url));
    expect([ids, pool.connections]).toEqual([["1", "1", "1"], 1]);
  });

  test("concurrent requests have a connection each, up to the limit; the rest wait", async () => {
    const server = await ours(async (request, exchange) => pause(20).then(() => which(request, exchange)));
    const pool = client({ maxConnections: 3 });
    const ids = await Promise.all(Array.from({ length: 9 }, () => text(pool, server.url)));
    expect([new Set(ids), pool.connections, server.connections]).toEqual([new Set(["1", "2", "3"]), 3, 3]);
  });

  test("an idle connection closes after keepMs", async () => {
    const server = await ours(which);
    const pool = client({ keepMs: 40 });
    await text(pool, server.url);
    expect(server.connections).toBe(1);
    await expect.poll(() => [pool.connections, server.connections]).toEqual([0, 0]);
    expect(await text(pool, server.url)).toBe("2");
  });

  test("a connection that the server closes is not reused", async () => {
    const url = await listening(createHttp((_, response) => response.setHeader("connection", "close").end("once")));
    const pool = client();
    for (let i = 0; i < 3; i++) expect(await text(pool, url)).toBe("once");
    await expect.poll(() => pool.connections).toBe(0);
  });

  test("a response that is not read completely closes its connection, and affects no other request", async () => {
    const server = await ours((request, exchange) =>
      request.path === "/long" ? { status: 200, body: new Uint8Array(5_000_000) } : which(request, exchange),
    );
    const pool = client({ maxConnections: 1 });
    const { body } = await pool.request(`${server.url}long`);
    for await (const chunk of body) if (chunk.length > 0) break;
    expect(await text(pool, server.url)).toBe("2");
  });

  test("TLS: HTTP/2 is negotiated if both speak it, and one connection carries all requests", async () => {
    const server = await ours(which, { tls: true });
    const tls = { ca: server.certificate! };
    const pool = client({ tls });
    const ids = await Promise.all(Array.from({ length: 20 }, () => text(pool, server.url)));
    expect([new Set(ids), (await pool.request(server.url)).version]).toEqual([new Set(["1"]), "HTTP/2"]);
    const old = client({ tls, alpn: ["http/1.1"] });
    expect((await old.request(server.url)).version).toBe("HTTP/1.1");
  });

  test("Upgrade: the first request and all later ones are answered in HTTP/2", async () => {
    const server = await ours(which);
    const pool = client({ http2: { h2c: "upgrade" } });
    const first = await pool.request(server.url);
    expect([first.version, await first.body.text()]).toEqual(["HTTP/2", "2"]);
    const ids = await Promise.all(Array.from({ length: 5 }, () => text(pool, server.url)));
    expect([new Set(ids), pool.connections]).toEqual([new Set(["2"]), 1]);
  });
});

describe("a stale connection", () => {
  /** Answers the first request of each connection, and drops the connection at the second. */
  async function forgetful(how: "end" | "reset"): Promise<{ url: string; requests: string[] }> {
    const requests: string[] = [];
    const url = await listening(
      createServer((socket) => {
        let count = 0;
        socket.on("data", (bytes: Buffer) => {
          requests.push(bytes.toString().split(" ", 1)[0]!);
          if (count++ === 0) socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
          else if (how === "end") socket.end();
          else socket.resetAndDestroy();
        });
      }),
    );
    return { url, requests };
  }
  test.each(["end", "reset"] as const)("an idempotent request is sent again on another connection (%s)", async (how) => {
    const { url, requests } = await forgetful(how);
    const pool = client();
    for (const method of ["GET", "PUT", "GET"])
      expect(await text(pool, url, { method, ...(method === "PUT" && { body: "x" }) })).toBe("ok");
    expect(requests).toEqual(["GET", "PUT", "PUT", "GET", "GET"]);
  });
  test("POST is not sent again, nor is content that can be read only once", async () => {
    const { url, requests } = await forgetful("end");
    const pool = client();
    await text(pool, url);
    await expect(pool.request(url, { method: "POST", body: "x" })).rejects.toMatchObject({ reason: "unanswered", retryable: false });
    await text(pool, url);
    const once = (async function* () {
      yield "x";
    })();
    await expect(pool.request(url, { method: "PUT", body: once })).rejects.toMatchObject({ reason: "unanswered" });
    expect(requests).toEqual(["GET", "POST", "GET", "PUT"]);
  });
  test("a request on a new connection without an answer is not sent again", async () => {
    let asked = 0;
    const url = await listening(createServer((socket) => socket.once("data", () => (asked++, socket.end()))));
    await expect(client().request(url)).rejects.toMatchObject({ reason: "unanswered" });
    expect(asked).toBe(1);
  });
});

describe("errors", () => {
  test("nothing listens: every request fails, including waiting ones", async () => {
    const url = await listening(createServer());
    await left.pop()!();
    const pool = client({ maxConnections: 1 });
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => pool.request(url)));
    expect(outcomes.map((outcome) => outcome.status === "rejected" && outcome.reason instanceof ConnectFailed)).toEqual([true, true, true]);
  });

  test("too many waiting requests: refused; a waiting one can be aborted", async () => {
    const go = Promise.withResolvers<void>();
    const server = await ours(async (request, exchange) => go.promise.then(() => which(request, exchange)));
    const pool = client({ maxConnections: 1, maxWaiting: 1 });
    const first = text(pool, server.url);
    while (pool.connections === 0) await pause(2);
    const controller = new AbortController();
    const second = pool.request(server.url, { signal: controller.signal });
    await expect(pool.request(server.url)).rejects.toMatchObject({ reason: "refused" });
    controller.abort();
    await expect(second).rejects.toBeInstanceOf(StreamFailed);
    go.resolve();
    expect(await first).toBe("1");
  });

  test("an invalid request: fails, and its connection returns to the pool", async () => {
    const server = await ours(which);
    const pool = client({ maxConnections: 1 });
    await expect(pool.request(server.url, { fields: [["x", "a\r\nb: c"]] })).rejects.toBeInstanceOf(Misuse);
    expect(await text(pool, server.url)).toBe("1");
  });

  test("a closed client: Misuse", async () => {
    const pool = client();
    await pool.close();
    await expect(pool.request("http://127.0.0.1:1/")).rejects.toBeInstanceOf(Misuse);
  });
});
