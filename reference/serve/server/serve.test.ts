import { once } from "node:events";
import { connect as tcp } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { connect as tls } from "node:tls";
import { afterEach, describe, expect, test } from "vitest";
import { CLIENT_PREFACE } from "../../http2/index.ts";
import type { Request } from "../../http/index.ts";
import type { Exchange, Handler } from "../handler.ts";
import { serve } from "./serve.ts";
import type { ServeOptions } from "./options.ts";
import { ask, pairOf, talk } from "../testing.ts";

const GET = { ":path": "/" };
const POST = { ":method": "POST", ":path": "/" };
const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each[Symbol.asyncDispose]();
});

async function pair(handler: Handler, options?: ServeOptions) {
  const both = await pairOf(handler, options);
  open.push(both);
  return both;
}
async function* chunks(count: number, size: number): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < count; i++) yield new Uint8Array(size);
}

describe("answers", () => {
  test("a response: status, fields and content, with Content-Length and Date added", async () => {
    const { session } = await pair(() => ({ status: 201, fields: [["X-Name", "value"]], body: "héllo" }));
    const { status, headers, body } = await ask(session, GET);
    expect([status, headers["x-name"], headers["content-length"], body]).toEqual([201, "value", "6", "héllo"]);
    expect(new Date(headers.date!).toUTCString()).toBe(headers.date);
  });

  test("trailers without content", async () => {
    const { session } = await pair(() => ({ status: 200, trailers: [["x-end", "yes"]] }));
    const { body, trailers } = await ask(session, GET);
    expect([body, trailers["x-end"]]).toEqual(["", "yes"]);
  });

  test("a handler that answers at once reads the content all the same", async () => {
    const read = Promise.withResolvers<string>();
    const { session } = await pair(({ body }) => {
      read.resolve(body.text());
      return { status: 200 };
    });
    expect((await ask(session, POST, "hello")).status).toBe(200);
    expect(await read.promise).toBe("hello");
  });

  test("fields of the handler are not repeated, and Date can be turned off", async () => {
    const { session } = await pair(() => ({ status: 200, fields: [["content-length", "2"]], body: "ok" }), { date: false });
    const { headers } = await ask(session, GET);
    expect([headers["content-length"], headers.date]).toEqual(["2", undefined]);
  });

  test("an iteration, with trailers from a function at its end", async () => {
    let size = 0;
    const { session } = await pair(() => ({
      status: 200,
      body: (async function* () {
        for (const word of ["one ", "two ", "three"]) {
          size += word.length;
          yield word;
          await pause(2);
        }
      })(),
      trailers: () => [["x-size", String(size)]],
    }));
    const { body, trailers } = await ask(session, GET);
    expect([body, trailers["x-size"]]).toEqual(["one two three", "13"]);
  });

  test("megabytes, in one piece and in many, for concurrent requests", async () => {
    const { session } = await pair(({ path }) => ({
      status: 200,
      body: path === "/one" ? new Uint8Array(3_000_000) : chunks(300, 10_000),
    }));
    const answers = await Promise.all(["/one", "/many", "/one", "/many"].map((path) => ask(session, { ":path": path })));
    expect(answers.map(({ body }) => body.length)).toEqual([3_000_000, 3_000_000, 3_000_000, 3_000_000]);
  });

  test("HEAD: the fields of GET without content; an iteration is not started", async () => {
    let isGenerated = false;
    const { session } = await pair(({ path }) => ({
      status: 200,
      body:
        path === "/text"
          ? "hello"
          : (async function* () {
              isGenerated = true;
              yield "hello";
            })(),
    }));
    const text = await ask(session, { ":method": "HEAD", ":path": "/text" });
    expect([text.headers["content-length"], text.body]).toEqual(["5", ""]);
    expect((await ask(session, { ":method": "HEAD", ":path": "/generated" })).status).toBe(200);
    expect(isGenerated).toBe(false);
  });

  test("204 and 304: no content, and no Content-Length added", async () => {
    const { session } = await pair(({ path }) => ({ status: Number(path.slice(1)) }));
    for (const status of [204, 304]) {
      const answer = await ask(session, { ":path": `/${status}` });
      expect([answer.status, answer.headers["content-length"], answer.body]).toEqual([status, undefined, ""]);
    }
  });

  test("interim responses come first, in any number", async () => {
    const { session } = await pair((_, exchange) => {
      exchange.interim(103, [["link", "</a>; rel=preload"]]);
      exchange.interim(103);
      return { status: 200 };
    });
    expect((await ask(session, GET)).interim).toEqual([103, 103]);
  });

  test("pushes, if the client allows them", async () => {
    const pushed: boolean[] = [];
    const { session } = await pair((_, exchange) => {
      pushed.push(exchange.push({ path: "/style.css", fields: [["x-for", "you"]] }, { status: 200, body: "body {}" }));
      return { status: 200, body: "page" };
    });
    const promised = new Promise<readonly string[]>((resolve) => {
      session.on("stream", (stream, request) => {
        let content = "";
        stream.on("data", (chunk: Buffer) => (content += String(chunk)));
        stream.on("end", () => resolve([String(request[":path"]), String(request["x-for"]), content]));
      });
    });
    await ask(session, GET);
    expect([await promised, pushed]).toEqual([["/style.css", "you", "body {}"], [true]]);
    session.settings({ enablePush: false });
    await once(session, "localSettings");
    await ask(session, GET);
    expect(pushed).toEqual([true, false]);
  });
});

describe("requests", () => {
  test("control data, fields in order, cookies joined", async () => {
    let seen: Request | undefined;
    const { session, server } = await pair((request) => ((seen = request), { status: 200 }));
    await ask(session, { ":path": "/a?b=c", "x-first": "1", cookie: ["a=1", "b=2"], "x-last": "2" });
    const expected = ["GET", "http", `127.0.0.1:${server.port}`, "/a?b=c", undefined];
    expect([seen?.method, seen?.scheme, seen?.authority, seen?.path, seen?.protocol]).toEqual(expected);
    expect(seen?.fields.get("cookie")).toBe("a=1; b=2");
    expect([...seen!.fields].map(([name]) => name)).toEqual(["x-first", "cookie", "x-last"]);
  });

  test("content is read in pieces, or whole, with its trailers", async () => {
    const { session } = await pair(async ({ path, body }) => {
      if (path === "/text") return { status: 200, body: `${await body.text()} ${(await body.trailers).get("x-end")}` };
      let size = 0;
      for await (const chunk of body) size += chunk.length;
      return { status: 200, body: String(size) };
    });
    expect((await ask(session, { ...POST, ":path": "/count" }, new Uint8Array(2_000_000))).body).toBe("2000000");
    const stream = session.request({ ...POST, ":path": "/text" }, { waitForTrailers: true, endStream: false });
    stream.on("wantTrailers", () => stream.sendTrailers({ "x-end": "yes" }));
    stream.end("said");
    let body = "";
    for await (const chunk of stream) body += String(chunk);
    expect(body).toBe("said yes");
  });

  test("unread content stops its client, and no other stream", async () => {
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const { session } = await pair(async ({ path, body }) => {
      if (path === "/held") await held;
      return { status: 200, body: String((await body.bytes()).length) };
    });
    const first = session.request({ ...POST, ":path": "/held" }, { endStream: false });
    first.end(Buffer.alloc(2_000_000));
    await pause(50);
    expect(first.writableFinished).toBe(false);
    expect((await ask(session, { ...POST, ":path": "/free" }, Buffer.alloc(1_000_000))).body).toBe("1000000");
    release();
    let body = "";
    for await (const chunk of first) body += String(chunk);
    expect(body).toBe("2000000");
  });

  test("a response before the content is read: little content is discarded, much is stopped with NO_ERROR", async () => {
    const { session } = await pair(() => ({ status: 200, body: "enough" }));
    expect((await ask(session, POST, Buffer.alloc(10_000))).body).toBe("enough");
    expect((await ask(session, POST, Buffer.alloc(5_000_000))).body).toBe("enough");
    expect((await ask(session, GET)).status).toBe(200);
  });

  test("leaving the loop over content: refuses the rest after the response", async () => {
    const { session } = await pair(async ({ body }) => {
      for await (const chunk of body) return { status: 413, body: `after ${chunk.length > 0}` };
      return { status: 200 };
    });
    const answer = await ask(session, POST, Buffer.alloc(5_000_000));
    expect([answer.status, answer.body]).toEqual([413, "after true"]);
  });

  test("extended CONNECT: a tunnel, open until both directions have ended", async () => {
    const { session } = await pair(({ protocol, body }) => ({ status: 200, fields: [["x-protocol", protocol ?? ""]], body }), {
      http2: { settings: { enableConnectProtocol: true } },
    });
    if (!session.remoteSettings.enableConnectProtocol) await once(session, "remoteSettings");
    const tunnel = session.request({
      ":method": "CONNECT",
      ":protocol": "websocket",
      ":path": "/",
      ":scheme": "http",
      ":authority": "localhost",
    });
    const [head] = await once(tunnel, "response");
    tunnel.write("ping");
    const [echo] = await once(tunnel, "data");
    tunnel.end("last");
    const [last] = await once(tunnel, "data");
    expect([head["x-protocol"], String(echo), String(last)]).toEqual(["websocket", "ping", "last"]);
    await once(tunnel, "close");
  });
});

describe("handlers that fail", () => {
  const failures = (): { failed: unknown[]; options: ServeOptions } => {
    const failed: unknown[] = [];
    return { failed, options: { onError: (error) => failed.push(error) } };
  };

  test.each([
    [
      "throw",
      () => {
        throw new Error("oops");
      },
    ],
    ["reject", () => Promise.reject(new Error("oops"))],
    ["answer nothing", () => undefined as never],
    ["answer an impossible status", () => ({ status: 99 })],
    ["give fields that must not be sent", () => ({ status: 200, fields: [["connection", "close"]] as const })],
    ["give content where there must be none", () => ({ status: 204, body: "content" })],
  ] satisfies [string, Handler][] as [string, Handler][])("%s: 500, onError is called, and the server continues", async (_, handler) => {
    const { failed, options } = failures();
    const { session } = await pair(
      (request, exchange) => (request.path === "/good" ? { status: 200 } : handler(request, exchange)),
      options,
    );
    const answer = await ask(session, GET);
    expect([answer.status, answer.body, failed.length]).toEqual([500, "Internal Server Error\n", 1]);
    expect((await ask(session, { ":path": "/good" })).status).toBe(200);
  });

  test("content that fails: resets the stream, so that it cannot seem complete", async () => {
    const { failed, options } = failures();
    const { session } = await pair(
      () => ({
        status: 200,
        body: (async function* () {
          yield "half";
          throw new Error("oops");
        })(),
      }),
      options,
    );
    await expect(ask(session, GET)).rejects.toThrow("NGHTTP2_INTERNAL_ERROR");
    expect(failed.map(String)).toEqual(["Error: oops"]);
  });

  test("a handler that fails because its client has left: onError is not called", async () => {
    const { failed, options } = failures();
    const begun = Promise.withResolvers<Exchange>();
    const returned = Promise.withResolvers<void>();
    const { session } = await pair((request, given) => {
      begun.resolve(given);
      if (request.path === "/wait") return pause(10_000, { status: 200 }, { signal: given.signal });
      return {
        status: 200,
        body: (async function* () {
          try {
            for (;;) {
              yield "more";
              await pause(1);
            }
          } finally {
            returned.resolve();
          }
        })(),
      };
    }, options);
    const waiting = session.request({ ":path": "/wait" });
    const { signal } = await begun.promise;
    waiting.close(8);
    while (!signal.aborted) await pause(2);
    const endless = session.request({ ":path": "/endless" });
    await once(endless, "data");
    endless.close(8);
    await returned.promise;
    expect(failed).toEqual([]);
  });
});

describe("connections", () => {
  test("HTTP/2 only: a client of HTTP/1.1 gets a response that it can read", async () => {
    const { server } = await pair(() => ({ status: 200 }), { alpn: ["h2"] });
    const answer = (await talk(server.port, "GET / HTTP/1.1\r\nhost: x\r\n\r\n")).toString();
    expect(answer).toMatch(/^HTTP\/1\.1 505 .*\r\n/);
    expect(answer).toContain("This server speaks HTTP/2 only");
  });

  test("HTTP/2 only, TLS: h2 is negotiated, http/1.1 alone is refused, and a client without ALPN gets 505", async () => {
    const { server, session } = await pair((_, { connection }) => ({ status: 200, body: JSON.stringify(connection.tls) }), {
      tls: true,
      alpn: ["h2"],
    });
    expect(JSON.parse((await ask(session, GET)).body).version).toBe("TLSv1.3");
    const refused = tls({ port: server.port, host: "127.0.0.1", rejectUnauthorized: false, ALPNProtocols: ["http/1.1"] });
    const [error] = await once(refused, "error");
    expect(error.code).toBe("ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL");
    const without = tls({ port: server.port, host: "127.0.0.1", rejectUnauthorized: false });
    const [words] = await once(without, "data");
    expect(String(words)).toContain("505 HTTP Version Not Supported");
    without.destroy();
  });

  test("TLS 1.1 is refused, and so are forbidden cipher suites, even if the server is configured with them", async () => {
    const { server } = await pair(() => ({ status: 200 }), { tls: { ciphers: "ALL:@SECLEVEL=0" } });
    const offer = { port: server.port, host: "127.0.0.1", rejectUnauthorized: false, ALPNProtocols: ["h2"], ciphers: "ALL:@SECLEVEL=0" };
    const old = tls({ ...offer, minVersion: "TLSv1.1", maxVersion: "TLSv1.1" });
    await once(old, "error");
    const weak = tls({ ...offer, maxVersion: "TLSv1.2", ciphers: "AES128-SHA:@SECLEVEL=0" });
    await once(weak, "secureConnect");
    weak.write(CLIENT_PREFACE);
    const octets: Buffer[] = [];
    for await (const chunk of weak) octets.push(chunk as Buffer);
    // GOAWAY with INADEQUATE_SECURITY (rfc9113#9.2.2).
    expect(Buffer.concat(octets).toString("hex")).toMatch(/0000..07(?:00){9}0000000c/);
  });

  test("exchange.connection: its properties and actions", async () => {
    const { session } = await pair((request, { connection, stream }) => {
      if (request.path === "/shutdown") connection.shutdown();
      if (request.path === "/abort") connection.abort("ENHANCE_YOUR_CALM");
      return { status: 200, body: JSON.stringify([connection.id, connection.remoteAddress, stream, connection.tls ?? null]) };
    });
    expect(JSON.parse((await ask(session, GET)).body)).toEqual([1, "127.0.0.1", 1, null]);
    const goaway = once(session, "goaway");
    await ask(session, { ":path": "/shutdown" });
    expect((await goaway)[0]).toBe(0);
  });

  test("a handler can reset its stream, or drop the connection", async () => {
    const { session } = await pair((request, exchange) => {
      if (request.path === "/destroy") exchange.connection.destroy();
      else exchange.reset("ENHANCE_YOUR_CALM");
      return { status: 200 };
    });
    await expect(ask(session, GET)).rejects.toThrow("NGHTTP2_ENHANCE_YOUR_CALM");
    session.request({ ":path": "/destroy" }).on("error", () => {});
    await once(session, "close");
  });

  test("a silent client: gets GOAWAY; with content missing, its stream is reset first", async () => {
    const { session } = await pair(async ({ body }) => ({ status: 200, body: await body.text() }), { idleMs: 150 });
    const owing = session.request(POST, { endStream: false });
    owing.on("error", () => {});
    await once(owing, "close");
    expect(owing.rstCode).toBe(8);
    const [code] = await once(session, "goaway");
    expect(code).toBe(0);
  });

  test("maxConnections: further connections are closed", async () => {
    const { server } = await pair(() => ({ status: 200 }), { maxConnections: 1 });
    expect((await talk(server.port, "")).length).toBe(0);
    expect(server.connections).toBe(1);
  });

  test("errors of transports reach onError", async () => {
    const errors: unknown[] = [];
    const server = await serve(() => ({ status: 200 }), { onError: (error) => errors.push(error) });
    open.push(server);
    const socket = tcp(server.port, "127.0.0.1");
    socket.write(CLIENT_PREFACE);
    await once(socket, "connect");
    await pause(20);
    socket.resetAndDestroy();
    while (errors.length === 0) await pause(5);
    expect((errors[0] as NodeJS.ErrnoException).code).toBe("ECONNRESET");
  });
});
