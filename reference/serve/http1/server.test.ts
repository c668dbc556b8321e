import { once } from "node:events";
import { Agent, request as httpRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import { connect as tcp } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { Pool } from "undici";
import { afterEach, describe, expect, test } from "vitest";
import type { Request } from "../../http/index.ts";
import type { Exchange, Handler } from "../handler.ts";
import { serve } from "../server/serve.ts";
import type { Server, ServeOptions } from "../server/options.ts";
import { talk } from "../testing.ts";

const open: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

async function start(handler: Handler, options: ServeOptions = {}): Promise<Server> {
  const server = await serve(handler, { alpn: ["http/1.1"], graceMs: 200, ...options });
  open.push(() => server.close());
  return server;
}
/** The response to a few requests in one write; the connection must close by itself. */
const say = async (server: Server, ...lines: string[]): Promise<string> => (await talk(server.port, lines.join("\r\n"))).toString();
const bodies = (text: string): string[] => text.split(/HTTP\/1\.1 \d+ [^]*?\r\n\r\n/).slice(1);

type Answer = { readonly response: IncomingMessage; readonly body: string; readonly interim: number[] };
/** A request of node:http, and its whole response. */
async function ask(server: Server, options: RequestOptions = {}, content?: string | Uint8Array): Promise<Answer> {
  const interim: number[] = [];
  const request = httpRequest({ host: "127.0.0.1", port: server.port, ...options }).end(content);
  request.on("information", ({ statusCode }) => interim.push(statusCode));
  const [response] = (await once(request, "response")) as [IncomingMessage];
  const chunks = await Array.fromAsync(response as AsyncIterable<Buffer>);
  return { response, body: Buffer.concat(chunks).toString(), interim };
}

describe("answers", () => {
  test("a response: status, fields and content, with Content-Length and Date added", async () => {
    const { response, body } = await ask(await start(() => ({ status: 201, fields: [["X-Name", "value"]], body: "héllo" })));
    expect([response.statusCode, response.headers["x-name"], response.headers["content-length"], body]).toEqual([
      201,
      "value",
      "6",
      "héllo",
    ]);
    expect(new Date(response.headers.date!).toUTCString()).toBe(response.headers.date);
  });

  test("an iteration is chunked, with its trailers after it; available content is chunked if it has trailers", async () => {
    const words = async function* words() {
      yield "one ";
      await pause(2);
      yield "two";
    };
    const server = await start(({ path }) => ({
      status: 200,
      body: path === "/at-once" ? "one two" : words(),
      trailers: () => [["x-end", "yes"]],
    }));
    for (const path of ["/", "/at-once"]) {
      const { response, body } = await ask(server, { path });
      expect([response.headers["transfer-encoding"], response.headers["content-length"], body]).toEqual(["chunked", undefined, "one two"]);
      expect(response.trailers).toEqual({ "x-end": "yes" });
    }
  });

  test("a client of HTTP/1.0: content of unknown length ends with the connection, without interim responses", async () => {
    const server = await start((_, exchange) => {
      exchange.interim(103);
      return {
        status: 200,
        body: (async function* () {
          yield "all ";
          yield "of it";
        })(),
      };
    });
    const text = await say(server, "GET / HTTP/1.0", "", "");
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(text).toMatch(/\r\n\r\nall of it$/);
    expect(text).not.toMatch(/chunked/i);
  });

  test("HEAD: the fields of GET, and no content", async () => {
    const { response, body } = await ask(await start(() => ({ status: 200, body: "hello" })), { method: "HEAD" });
    expect([response.headers["content-length"], body]).toEqual(["5", ""]);
  });

  test("interim responses come first", async () => {
    const server = await start((_, exchange) => {
      exchange.interim(103, [["link", "</a>; rel=preload"]]);
      return { status: 200, body: String(exchange.push({ path: "/a" }, { status: 200 })) };
    });
    expect(await ask(server)).toMatchObject({ interim: [103], body: "false" });
  });

  test("pipelined requests: answered in order, and the answers to one read leave in one write", async () => {
    const server = await start(async ({ path }) => {
      if (path === "/1") await pause(30);
      return { status: 200, body: path };
    });
    const requests = ["/1", "/2", "/3"].map(
      (path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n${path === "/3" ? "Connection: close\r\n" : ""}\r\n`,
    );
    expect(bodies((await talk(server.port, requests.join(""))).toString())).toEqual(["/1", "/2", "/3"]);

    const quick = await start(() => ({ status: 204 }));
    const socket = tcp(quick.port, "127.0.0.1");
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".repeat(20));
    const [first] = (await once(socket, "data")) as [Buffer];
    expect(first.toString().match(/204 No Content/g)).toHaveLength(20);
    socket.destroy();
  });
});

test("undici with pipelining: gets all answers, and its uploads arrive", async () => {
  const server = await start(async ({ path, method, body }) => ({
    status: 200,
    body: method === "POST" ? String((await body.bytes()).length) : path,
  }));
  const pool = new Pool(server.url, { connections: 2, pipelining: 10 });
  open.push(() => pool.close());
  const paths = Array.from({ length: 100 }, (_, i) => `/${i}`);
  const asked = await Promise.all(paths.map(async (path) => (await pool.request({ path, method: "GET" })).body.text()));
  expect([asked, server.connections]).toEqual([paths, 2]);
  const posted = await pool.request({ path: "/", method: "POST", body: Buffer.alloc(700_000) });
  expect(await posted.body.text()).toBe("700000");
});

describe("requests", () => {
  test("a request: control data and fields as in every version", async () => {
    let seen: (Request & { readonly stream: number }) | undefined;
    const server = await start((request, { stream }) => {
      seen = { ...pick(request), stream };
      return { status: 200 };
    });
    await say(server, "GET http://Example.com:81/a?b HTTP/1.1", "Host: ignored", "X-One: 1", "Connection: close", "", "");
    expect(seen).toMatchObject({
      version: "HTTP/1.1",
      method: "GET",
      scheme: "http",
      authority: "Example.com:81",
      path: "/a?b",
      stream: 1,
    });
    expect(seen!.fields.get("x-one")).toBe("1");
  });
  const pick = ({ version, method, scheme, authority, path, fields, body }: Request) => ({
    version,
    method,
    scheme,
    authority,
    path,
    fields,
    body,
  });

  test("a request over TLS: its scheme is https", async () => {
    const { port } = await start(({ scheme }) => ({ status: 200, body: scheme }), { tls: true });
    const request = httpsRequest({ host: "127.0.0.1", port, rejectUnauthorized: false }).end();
    const [response] = (await once(request, "response")) as [IncomingMessage];
    expect(Buffer.concat(await Array.fromAsync(response as AsyncIterable<Buffer>)).toString()).toBe("https");
  });
  test("content is read as it arrives, with its trailers", async () => {
    const server = await start(async ({ body }) => {
      const text = await body.text();
      return { status: 200, body: `${text} ${(await body.trailers).get("x-end") ?? "none"}` };
    });
    const text = await say(
      server,
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n",
      "5\r\nhello\r\n0\r\nX-End: yes\r\n\r\n",
    );
    expect(bodies(text)).toEqual(["hello yes"]);
    expect((await ask(server, { method: "PUT" }, new Uint8Array(300_000).fill(97))).body).toHaveLength(300_005);
  });

  test("Expect: reading sends 100 once; a final response without it closes the connection", async () => {
    const server = await start(async ({ path, body }, exchange) => {
      if (path === "/early") exchange.interim(100);
      return { status: 200, body: path === "/not" ? "no" : await body.text() };
    });
    const expecting = { method: "POST", headers: { expect: "100-continue", "content-length": "2" } };
    for (const path of ["/", "/early"])
      expect(await ask(server, { ...expecting, path }, "ok")).toMatchObject({ interim: [100], body: "ok" });
    expect(await say(server, "POST /not HTTP/1.1", "Host: x", "Content-Length: 2", "Expect: 100-continue", "", "")).toMatch(
      /^HTTP\/1\.1 200 OK\r\n[^]*Connection: close\r\n\r\nno$/,
    );
  });

  test("unread content: the next request is answered", async () => {
    const server = await start(({ path }) => ({ status: 200, body: path }));
    const content = "x".repeat(100_000);
    const requests = `POST /1 HTTP/1.1\r\nHost: x\r\nContent-Length: ${content.length}\r\n\r\n${content}GET /2 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    expect(bodies((await talk(server.port, requests)).toString())).toEqual(["/1", "/2"]);
  });

  test("content that arrives in full and is never read: any number of requests are answered", async () => {
    const server = await start(async () => pause(5).then(() => ({ status: 200, body: "ok" })));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    open.push(() => agent.destroy());
    for (let nth = 0; nth < 30; nth++)
      expect((await ask(server, { method: "POST", agent }, "x".repeat(20_000))).response.statusCode).toBe(200);
  });

  test("an invalid request: refused with an explanation after pending answers, and the connection closes", async () => {
    const server = await start(async ({ path }) => pause(5).then(() => ({ status: 200, body: path })));
    const text = await say(server, "GET /good HTTP/1.1", "Host: x", "", "GET /bad HTTP/1.1", "Host: x", "Content-Length: 1, 2", "", "");
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\/goodHTTP\/1\.1 400 Bad Request\r\n[^]*Connection: close\r\n/);
    expect(text).toMatch(/\r\ndate: [^]*\r\ndate: /i);
  });
});

describe("errors", () => {
  test("a handler that throws: 500, and the connection continues", async () => {
    const errors: unknown[] = [];
    const handler: Handler = ({ path }) => {
      if (path === "/throws") throw new Error("a mistake");
      return path === "/rejects" ? Promise.reject(new Error("another")) : { status: 200, body: "fine" };
    };
    const server = await start(handler, { onError: (error) => errors.push((error as Error).message) });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    open.push(() => agent.destroy());
    const statuses: (number | undefined)[] = [];
    for (const path of ["/throws", "/rejects", "/"]) statuses.push((await ask(server, { path, agent })).response.statusCode);
    expect([statuses, errors]).toEqual([
      [500, 500, 200],
      ["a mistake", "another"],
    ]);
  });

  test("content that fails: the connection is cut", async () => {
    const server = await start(
      () => ({
        status: 200,
        body: (async function* () {
          yield "some";
          await pause(5);
          throw new Error("no more");
        })(),
      }),
      { onError: () => {} },
    );
    await expect(ask(server)).rejects.toThrow(/aborted/);
    const text = await say(server, "GET / HTTP/1.1", "Host: x", "", "");
    expect(text).toMatch(/4\r\nsome\r\n$/);
  });

  test("reset: cuts the connection", async () => {
    const server = await start((_, exchange) => {
      exchange.reset("CANCEL");
      return { status: 200 };
    });
    expect(await say(server, "GET / HTTP/1.1", "Host: x", "", "")).toBe("");
  });

  test("a client that leaves: aborts the signal", async () => {
    const aborted = Promise.withResolvers<unknown>();
    const server = await start((_, { signal }) => {
      signal.addEventListener("abort", () => aborted.resolve(signal.reason));
      return new Promise(() => {});
    });
    const socket = tcp(server.port, "127.0.0.1", () => socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
    await pause(30);
    socket.resetAndDestroy();
    expect(await aborted.promise).toMatchObject({ name: "StreamFailed", reason: "closed" });
  });

  test("close: requests in progress complete, with Connection: close", async () => {
    const go = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const server = await start(() => (asked.resolve(), go.promise.then(() => ({ status: 200, body: "after all" }))), { graceMs: 5_000 });
    const answer = ask(server, { agent: new Agent({ keepAlive: true }) });
    await asked.promise;
    const closed = server.close();
    go.resolve();
    const { response, body } = await answer;
    expect([response.headers.connection, body]).toEqual(["close", "after all"]);
    await closed;
    expect(server.connections).toBe(0);
  });

  test("limits: time for a head, octets of a target", async () => {
    const server = await start(() => ({ status: 200 }), { http1: { limits: { headMs: 100, targetOctets: 20 } } });
    expect(await say(server, "GET / HTT")).toMatch(/^HTTP\/1\.1 408 /);
    expect(await say(server, `GET /${"a".repeat(20)} HTTP/1.1`, "Host: x", "", "")).toMatch(/^HTTP\/1\.1 414 /);
  });

  test("idleMs ends an idle connection, unless a limit of the version says otherwise", async () => {
    expect(await say(await start(() => ({ status: 200 }), { idleMs: 100 }))).toBe("");
    expect(await say(await start(() => ({ status: 200 }), { idleMs: 60_000, http1: { limits: { idleMs: 100 } } }))).toBe("");
  });

  test("stallMs ends a connection whose client reads nothing", async () => {
    const server = await start(() => ({ status: 200, body: new Uint8Array(20_000_000) }), { stallMs: 100 });
    const socket = tcp(server.port, "127.0.0.1").pause();
    open.push(() => void socket.destroy());
    socket.on("error", () => {});
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    while (server.connections === 0) await pause(5);
    while (server.connections > 0) await pause(5);
    expect(server.connections).toBe(0);
  });

  test("a leniency applies if it is named", async () => {
    const folded = ["GET / HTTP/1.1", "Host: x", "X-Long: one", "  two", "Connection: close", "", ""];
    const handler: Handler = ({ fields }) => ({ status: 200, body: fields.get("x-long") ?? "" });
    expect(await say(await start(handler), ...folded)).toMatch(/^HTTP\/1\.1 400 /);
    expect(bodies(await say(await start(handler, { http1: { lenient: { obsFold: true } } }), ...folded))).toEqual(["one two"]);
  });
});

describe("switching protocols", () => {
  const shout = (exchange: Exchange, status: number) =>
    exchange.switchTo(status, status === 101 ? [["upgrade", "shout"]] : [], ({ socket, rest }) => {
      const answer = (bytes: Uint8Array): void => void socket.write(Buffer.from(bytes).toString().toUpperCase());
      if (rest.length > 0) answer(rest);
      socket
        .on("data", answer)
        .on("end", () => socket.end())
        .resume();
    });

  test("Upgrade: hands over the socket, with the octets that arrived of the new protocol", async () => {
    let offered: readonly string[] = [];
    const errors: unknown[] = [];
    const server = await start(
      (_, exchange) => {
        offered = exchange.upgrade;
        return shout(exchange, 101);
      },
      { onError: (error) => errors.push(error) },
    );
    const socket = tcp(server.port, "127.0.0.1");
    socket.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: shout, other/2\r\n\r\nfirst ");
    let text = "";
    socket.on("data", (bytes: Buffer) => (text += bytes.toString()));
    while (!text.endsWith("FIRST ")) await pause(2);
    socket.end("second");
    await once(socket, "close");
    expect(text).toMatch(/^HTTP\/1\.1 101 Switching Protocols\r\n[^]*\r\n\r\nFIRST SECOND$/);
    expect(offered).toEqual(["shout", "other/2"]);
    expect(errors).toEqual([]);
  });

  test("CONNECT: the tunnel is the content of both messages, as in HTTP/2", async () => {
    const server = await start(({ method, body, authority }) => ({
      status: method === "CONNECT" && authority === "far:1" ? 200 : 400,
      body,
    }));
    const socket = tcp(server.port, "127.0.0.1");
    socket.write("CONNECT far:1 HTTP/1.1\r\nHost: far:1\r\n\r\nthere ");
    let text = "";
    socket.on("data", (bytes: Buffer) => (text += bytes.toString()));
    while (!text.endsWith("there ")) await pause(2);
    socket.end("and back");
    await once(socket, "close");
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\nthere and back$/);
    expect(text).not.toMatch(/content-length|transfer-encoding/i);
  });

  test("a tunnel whose content fails: cut, and onError is called", async () => {
    const errors: [string, string][] = [];
    const server = await start(
      () => ({
        status: 200,
        body: (async function* breaks() {
          yield "half";
          throw new Error("the far side is gone");
        })(),
      }),
      { onError: (error, request) => errors.push([(error as Error).message, request?.method ?? ""]) },
    );
    const socket = tcp(server.port, "127.0.0.1");
    socket.write("CONNECT far:1 HTTP/1.1\r\nHost: far:1\r\n\r\n");
    socket.resume();
    await once(socket, "close");
    expect(errors).toEqual([["the far side is gone", "CONNECT"]]);
  });

  test("a switch without a request for it: Misuse", async () => {
    const errors: string[] = [];
    const server = await start((_, exchange) => shout(exchange, 101), { onError: (error) => errors.push((error as Error).message) });
    expect(await say(server, "GET / HTTP/1.1", "Host: x", "Connection: close", "", "")).toMatch(/^HTTP\/1\.1 500 /);
    expect(errors).toEqual(["101 does not switch protocols here: answer Upgrade with 101, and CONNECT with 2xx"]);
  });

  test("close: also closes switched connections", async () => {
    const server = await start((_, exchange) => shout(exchange, 101), { graceMs: 50 });
    const socket = tcp(server.port, "127.0.0.1", () =>
      socket.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: shout\r\n\r\n"),
    );
    await once(socket, "data");
    expect(server.connections).toBe(1);
    await server.close();
    expect(server.connections).toBe(0);
  });
});
