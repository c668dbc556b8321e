import { once } from "node:events";
import http2, { type Http2Server, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";
import { createServer, type Server as NetServer } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { afterEach, expect, test } from "vitest";
import { Misuse } from "../../core/index.ts";
import { selfSigned } from "../../io/index.ts";
import { connect, type Client } from "./index.ts";
import type { ConnectOptions } from "../client/options.ts";
import { ConnectFailed, StreamFailed, type ConnectFailure } from "../errors.ts";
import type { Handler } from "../handler.ts";
import { serve } from "../server/serve.ts";
import { listenOn } from "../testing.ts";

const left: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const clean of left.splice(0).reverse()) await clean();
});

async function listening(server: NetServer | Http2Server): Promise<number> {
  const { port, stop } = await listenOn(server);
  left.push(stop);
  return port;
}
async function open(url: string, options?: ConnectOptions): Promise<Client> {
  const client = await connect(url, { graceMs: 0, ...options });
  left.push(() => client.close());
  return client;
}
/** Our client, connected to node:http2's server. */
async function toNode(answer: (stream: ServerHttp2Stream, headers: http2.IncomingHttpHeaders) => void, options?: ConnectOptions) {
  const server = http2.createServer({ settings: { enableConnectProtocol: true } });
  server.on("stream", (stream: ServerHttp2Stream, headers) => {
    stream.on("error", () => {});
    answer(stream, headers);
  });
  const session = once(server, "session") as Promise<[ServerHttp2Session]>;
  const port = await listening(server);
  const client = await open(`http://127.0.0.1:${port}/`, options);
  return { client, port, session: (await session)[0] };
}
/** Our client, connected to our server. */
async function toOurs(handler: Handler, options?: ConnectOptions): Promise<Client> {
  const server = await serve(handler, { graceMs: 0 });
  left.push(() => server.close());
  return open(server.url, options);
}
const text = async (chunks: AsyncIterable<Buffer | Uint8Array>): Promise<string> => Buffer.concat(await Array.fromAsync(chunks)).toString();
/** Answers with this content. */
function say(stream: ServerHttp2Stream, content: string): ServerHttp2Stream {
  stream.respond();
  return stream.end(content);
}
/** The error of a rejected promise. */
async function failure<E>(promise: Promise<unknown>, kind: new (...args: never[]) => E): Promise<E> {
  const error: unknown = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(kind);
  return error as E;
}

test("request: reaches the server as given, and its response comes back", async () => {
  const { client, port } = await toNode((stream, headers) => {
    stream.respond({ ":status": 203, "x-a": "b" });
    stream.end(JSON.stringify(headers));
  });
  const { status, fields, body, interim } = await client.request({
    method: "OPTIONS",
    path: "/a?b=c",
    fields: [["X-Kind", "k"]],
    priority: "u=1",
  });
  expect([status, fields.get("x-a"), interim]).toEqual([203, "b", []]);
  expect(JSON.parse(await body.text())).toMatchObject({
    ":method": "OPTIONS",
    ":path": "/a?b=c",
    ":scheme": "http",
    ":authority": `127.0.0.1:${port}`,
    "x-kind": "k",
    priority: "u=1",
  });
});

test("content: text has a length, an iteration has none, and both arrive with trailers", async () => {
  const { client } = await toNode((stream, headers) => {
    let sum: unknown;
    stream.on("trailers", (trailers) => (sum = trailers["x-sum"]));
    void text(stream as AsyncIterable<Buffer>).then((content) => say(stream, JSON.stringify([headers["content-length"], content, sum])));
  });
  const send = async (request: Parameters<Client["request"]>[0]): Promise<unknown> =>
    JSON.parse(await (await client.request({ method: "POST", ...request })).body.text());
  expect(await send({ body: "gr\u00fc\u00df" })).toEqual(["6", "gr\u00fc\u00df", null]);
  let sent = 0;
  const pieces = async function* pieces(): AsyncGenerator<string | Uint8Array> {
    for (const piece of ["one ", Buffer.from("two")]) {
      sent++;
      yield piece;
    }
  };
  expect(await send({ body: pieces(), trailers: () => [["X-Sum", String(sent)]] })).toEqual([null, "one two", "2"]);
});

test("an upload larger than every window: sent as the server reads", async () => {
  const { client } = await toNode((stream) => {
    void text(stream as AsyncIterable<Buffer>).then(({ length }) => say(stream, String(length)));
  });
  const blocks = async function* blocks(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < 40; at++) yield Buffer.alloc(10_000, "x");
  };
  const { body } = await client.request({ method: "PUT", body: blocks() });
  expect(await body.text()).toBe("400000");
});

test("a download larger than every window: continues as it is read", async () => {
  const { client } = await toNode((stream) => {
    stream.respond();
    stream.end(Buffer.alloc(5_000_000, "x"));
  });
  const { body } = await client.request();
  expect(await body.bytes()).toHaveLength(5_000_000);
});

test("content that fails: resets the stream", async () => {
  const { client } = await toNode(() => {});
  const broken = async function* broken(): AsyncGenerator<string> {
    yield "a";
    throw new Error("the file is gone");
  };
  const error = await failure(client.request({ method: "PUT", body: broken() }), StreamFailed);
  expect(error).toMatchObject({ reason: "aborted", cause: { message: "the file is gone" } });
});

test("trailers and interim responses of the server are reported", async () => {
  const { client } = await toNode((stream) => {
    stream.additionalHeaders({ ":status": 103, link: "</a.css>" });
    stream.respond({ ":status": 200 }, { waitForTrailers: true });
    stream.on("wantTrailers", () => stream.sendTrailers({ "x-sum": "7" }));
    stream.end("content");
  });
  const { interim, body } = await client.request();
  expect(interim.map(({ status, fields }) => [status, fields.get("link")])).toEqual([[103, "</a.css>"]]);
  expect(await body.text()).toBe("content");
  expect((await body.trailers).get("x-sum")).toBe("7");
});

test("push: arrives with its request if `push` is on", async () => {
  const handler: Handler = (_, exchange) => ({
    status: 200,
    body: String(exchange.push({ path: "/more" }, { status: 200, body: "pushed" })),
  });
  const wanting = await toOurs(handler, { http2: { push: true } });
  const { body, pushes } = await wanting.request();
  expect(await body.text()).toBe("true");
  expect(pushes.map(({ request }) => [request.method, request.path])).toEqual([["GET", "/more"]]);
  expect(await (await pushes[0]!.response).body.text()).toBe("pushed");
  const other = await toOurs(handler);
  expect(await (await other.request()).body.text()).toBe("false");
});

test("CONNECT: the tunnel carries octets both ways", async () => {
  const { client } = await toNode((stream, headers) => {
    stream.respond({ ":status": 200, "x-for": String(headers[":protocol"]) });
    stream.pipe(stream);
  });
  const more = Promise.withResolvers<string>();
  const words = async function* words(): AsyncGenerator<string> {
    yield "one";
    yield await more.promise;
  };
  const { fields, body } = await client.request({ method: "CONNECT", protocol: "websocket", path: "/chat", body: words() });
  expect(fields.get("x-for")).toBe("websocket");
  const back: string[] = [];
  for await (const chunk of body) {
    back.push(Buffer.from(chunk).toString());
    more.resolve("two");
  }
  expect(back.join(" ")).toBe("one two");
});

test("signal: aborts the request before, during and after its head; the stream is reset, the connection continues", async () => {
  const resets: Promise<number>[] = [];
  const begun = Promise.withResolvers<void>();
  const { client } = await toNode((stream, headers) => {
    if (headers[":path"] === "/fine") return stream.respond({ ":status": 204 }, { endStream: true });
    resets.push(new Promise((resolve) => stream.once("close", () => resolve(stream.rstCode))));
    if (headers[":path"] === "/head") {
      stream.respond();
      stream.write("some");
    } else begun.resolve();
    return undefined;
  });
  await expect(client.request({ signal: AbortSignal.abort(new Error("never mind")) })).rejects.toThrow("never mind");

  const early = new AbortController();
  const waiting = client.request({ path: "/wait", signal: early.signal });
  await begun.promise;
  early.abort(new Error("too long"));
  const error = await failure(waiting, StreamFailed);
  expect(error).toMatchObject({ reason: "aborted", retryable: false, cause: { message: "too long" } });

  const late = new AbortController();
  const { body } = await client.request({ path: "/head", signal: late.signal });
  const rest = body.text();
  late.abort();
  expect((await failure(rest, StreamFailed)).reason).toBe("aborted");

  expect(await Promise.all(resets)).toEqual([http2.constants.NGHTTP2_CANCEL, http2.constants.NGHTTP2_CANCEL]);
  expect((await client.request({ path: "/fine" })).status).toBe(204);
});

test("leaving the loop over the content: resets the stream", async () => {
  const stopped = Promise.withResolvers<number>();
  const { client } = await toNode((stream) => {
    stream.once("close", () => stopped.resolve(stream.rstCode));
    stream.respond();
    stream.write("some");
  });
  const { body } = await client.request();
  for await (const chunk of body) {
    expect(chunk).toHaveLength(4);
    break;
  }
  expect(await stopped.promise).toBe(http2.constants.NGHTTP2_CANCEL);
});

test.each([
  ["REFUSED_STREAM", { reason: "refused", retryable: true, errorCode: "REFUSED_STREAM" }, /send it again/],
  ["INTERNAL_ERROR", { reason: "reset", retryable: false, errorCode: "INTERNAL_ERROR" }, /reset the stream with INTERNAL_ERROR/],
] as const)("a stream reset by the server with %s", async (code, expected, says) => {
  const { client } = await toNode((stream) => stream.close(http2.constants[`NGHTTP2_${code}`]));
  const error = await failure(client.request(), StreamFailed);
  expect(error).toMatchObject(expected);
  expect(error.message).toMatch(says);
});

test("after GOAWAY: further requests are refused, and may be retried", async () => {
  const { client, session } = await toNode((stream) => {
    stream.respond();
    stream.write("first ");
    stream.session!.goaway(0, stream.id!);
    stream.once("end", () => stream.end("last")).resume();
  });
  const more = Promise.withResolvers<string>();
  const body = async function* body(): AsyncGenerator<string> {
    yield await more.promise;
  };
  const under = await client.request({ method: "POST", body: body() });
  const reading = under.body[Symbol.asyncIterator]();
  expect(Buffer.from((await reading.next()).value as Uint8Array).toString()).toBe("first ");
  while (client.accepting) await client.ping();
  const error = await failure(client.request(), StreamFailed);
  expect(error).toMatchObject({ reason: "refused", retryable: true });
  more.resolve("go");
  expect(Buffer.from((await reading.next()).value as Uint8Array).toString()).toBe("last");
  session.destroy();
});

test("a broken connection: fails requests in progress, and later ones", async () => {
  const { client } = await toNode((stream) => stream.session!.destroy());
  expect(await failure(client.request(), StreamFailed)).toMatchObject({ reason: "closed", retryable: false });
  await client.closed;
  expect(client.accepting).toBe(false);
  expect((await failure(client.request(), StreamFailed)).message).toMatch(/^the connection has ended .*: open another$/);
  expect((await failure(client.ping(), StreamFailed)).reason).toBe("closed");
});

test("ping: resolves to the round trip", async () => {
  const { client } = await toNode(() => {});
  expect(await client.ping()).toBeGreaterThanOrEqual(0);
});

test("close: requests in progress complete, new ones are refused", async () => {
  const go = Promise.withResolvers<void>();
  const client = await toOurs(async () => go.promise.then(() => ({ status: 200, body: "after all" })), { graceMs: 20_000 });
  const under = client.request();
  await client.ping();
  const closed = client.close();
  expect(client.accepting).toBe(false);
  expect((await failure(client.request(), StreamFailed)).reason).toBe("refused");
  go.resolve();
  expect(await (await under).body.text()).toBe("after all");
  await closed;
});

test("close: drops the rest after graceMs", async () => {
  const client = await toOurs(() => new Promise(() => {}));
  const under = failure(client.request(), StreamFailed);
  await client.close();
  expect((await under).reason).toBe("closed");
});

const LOOPBACK = "127.0.0.1";
/** A port at which nothing listens. */
async function nobody(): Promise<string> {
  const server = createServer();
  const port = await listening(server);
  await new Promise((resolve) => server.close(resolve));
  return `http://${LOOPBACK}:${port}/`;
}
const speaking = async (words: string): Promise<string> =>
  `http://${LOOPBACK}:${await listening(createServer((socket) => void socket.resume().end(words)))}/`;
const silent = async (): Promise<string> => `http://${LOOPBACK}:${await listening(createServer((socket) => void socket.resume()))}/`;
async function onlyHttp1(): Promise<string> {
  const server = createTlsServer({ ...(await selfSigned()), ALPNProtocols: ["http/1.1"] });
  server.on("tlsClientError", () => {});
  return `https://${LOOPBACK}:${await listening(server)}/`;
}
async function selfMade(): Promise<string> {
  const server = await serve(() => ({ status: 200 }), { tls: true, graceMs: 0, onError: () => {} });
  left.push(() => server.close());
  return server.url;
}
const secure = async (url: Promise<string>): Promise<string> => (await url).replace("http:", "https:");

test.each<[string, () => Promise<string>, ConnectFailure, RegExp, ConnectOptions?]>([
  ["nobody listens", nobody, "unreachable", /^nothing listens at 127\.0\.0\.1:\d+: is the server running\?$/],
  ["an answer in HTTP/1.1", () => speaking("HTTP/1.1 400 Bad Request\r\n\r\n"), "protocol", /answers, but not in HTTP\/2/],
  ["nothing but an end", () => speaking(""), "protocol", /closed the connection before it spoke HTTP\/2$/],
  ["no answer in time", silent, "timeout", /has not answered within 0\.05 seconds: is it the right port\?$/, { connectMs: 50 }],
  ["no h2 over TLS", onlyHttp1, "protocol", /does not offer HTTP\/2 over TLS \(ALPN h2\)$/, { tls: { verify: false } }],
  ["a certificate nobody knows", selfMade, "tls", /is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\): pass it as `tls\.ca`/],
  ["TLS where none is", () => secure(speaking("hello there")), "tls", /does not speak TLS: try http: instead of https:$/],
  ["silence instead of TLS", () => secure(silent()), "timeout", /has not answered within 0\.05 seconds/, { connectMs: 50 }],
])("no connection: %s", async (_, where, reason, says, options) => {
  const error = await failure(connect(await where(), options), ConnectFailed);
  expect(error.message).toMatch(says);
  expect(error.reason).toBe(reason);
});

test("an invalid URL and an unsupported scheme are refused with Misuse", async () => {
  await expect(connect("nonsense")).rejects.toThrow(Misuse);
  await expect(connect("ftp://127.0.0.1/")).rejects.toThrow('"ftp:" is not supported: give an http: or https: URL');
});

test("TLS: a trusted certificate is accepted", async () => {
  await using server = await serve(() => ({ status: 200, body: "safe" }), { tls: true });
  await using client = await connect(server.url, { tls: { ca: server.certificate! } });
  expect(await (await client.request()).body.text()).toBe("safe");
});
