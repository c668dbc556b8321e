import { createServer as createHttp, type RequestListener } from "node:http";
import { createServer, type Server as NetServer, type Socket } from "node:net";
import { createServer as createTls } from "node:https";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { Misuse } from "../../core/index.ts";
import { selfSigned } from "../../io/index.ts";
import { connect, type Client } from "../client/connect.ts";
import type { ConnectOptions } from "../client/options.ts";
import type { Handler } from "../handler.ts";
import { peer } from "../cli/peer.ts";
import { serve } from "../server/serve.ts";
import { listenOn } from "../testing.ts";

const left: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const clean of left.splice(0).toReversed()) await clean();
});
async function listening(server: NetServer): Promise<number> {
  const { port, stop } = await listenOn(server);
  left.push(stop);
  return port;
}
async function open(url: string, options: ConnectOptions = {}): Promise<Client> {
  const client = await connect(url, { alpn: ["http/1.1"], graceMs: 0, ...options });
  left.push(() => client.close());
  return client;
}
async function toNode(listener: RequestListener, options?: ConnectOptions): Promise<Client> {
  return open(`http://127.0.0.1:${await listening(createHttp(listener))}/`, options);
}
async function toOurs(handler: Handler, options?: ConnectOptions): Promise<Client> {
  const server = await serve(handler, { graceMs: 0 });
  left.push(() => server.close());
  return open(server.url, options);
}
type Raw = { readonly client: Client; readonly heard: () => string; readonly socket: () => Socket };
/** A server that calls a function with all octets it has received. */
async function toRaw(answer: (heard: string, socket: Socket) => void, options?: ConnectOptions): Promise<Raw> {
  let heard = "";
  let socket: Socket | undefined;
  const port = await listening(
    createServer({ allowHalfOpen: true }, (accepted) => {
      socket = accepted.on("data", (bytes: Buffer) => {
        heard += bytes.toString("latin1");
        answer(heard, accepted);
      });
      accepted.on("end", () => accepted.end());
    }),
  );
  return { client: await open(`http://127.0.0.1:${port}/`, options), heard: () => heard, socket: () => socket! };
}
/** Answers once, when the head has arrived. */
const once1 = (text: string) => {
  let isSaid = false;
  return (heard: string, socket: Socket): void => {
    if (isSaid || !heard.includes("\r\n\r\n")) return;
    isSaid = true;
    socket.write(text);
  };
};
const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

describe("requests", () => {
  test("request: fields, content and trailers reach the server", async () => {
    const { client, heard } = await toRaw((all, socket) => {
      if (all.endsWith("hello") || all.endsWith("0\r\nx-end: 1\r\n\r\n") || all.endsWith("x: y\r\n\r\n")) socket.write(OK);
    });
    const slowly = async function* slowly() {
      yield "hel";
      await pause(5);
      yield "lo";
    };
    for (const request of [
      { path: "/a?b", authority: "h:1", fields: [["X", "y"]] as const },
      { method: "POST", authority: "h:1", body: "hello" },
      { method: "PUT", authority: "h:1", body: slowly(), trailers: [["X-End", "1"]] as const },
      { authority: "h:1", target: "http://far/x", fields: [["X", "y"]] as const },
    ])
      await (await client.request(request)).body.text();
    expect(heard()).toBe(
      [
        "GET /a?b HTTP/1.1\r\nhost: h:1\r\nx: y\r\n\r\n",
        "POST / HTTP/1.1\r\nhost: h:1\r\ncontent-length: 5\r\n\r\nhello",
        "PUT / HTTP/1.1\r\nhost: h:1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\nx-end: 1\r\n\r\n",
        "GET http://far/x HTTP/1.1\r\nhost: h:1\r\nx: y\r\n\r\n",
      ].join(""),
    );
  });

  test("concurrent requests: sent one after another in order, and node:http answers all", async () => {
    let atOnce = 0;
    const client = await toNode((request, response) => {
      atOnce++;
      expect(atOnce).toBe(1);
      request.resume().on("end", () =>
        setTimeout(() => {
          atOnce--;
          response.end(request.url);
        }, 3),
      );
    });
    const paths = Array.from({ length: 8 }, (_, i) => `/${i}`);
    const texts = await Promise.all(paths.map(async (path) => (await client.request({ method: "POST", path, body: "x" })).body.text()));
    expect(texts).toEqual(paths);
  });

  test("TLS: http/1.1 is negotiated, and assumed for a server without ALPN", async () => {
    for (const ALPNProtocols of [["http/1.1"], undefined]) {
      const secure = await listening(
        createTls({ ...(await selfSigned()), ...(ALPNProtocols && { ALPNProtocols }) }, (_, response) => response.end("safe")),
      );
      const client = await open(`https://127.0.0.1:${secure}/`, { alpn: ["h2", "http/1.1"], tls: { verify: false } });
      const { version, body } = await client.request();
      expect([client.version, version, await body.text()]).toEqual(["HTTP/1.1", "HTTP/1.1", "safe"]);
    }
  });

  test("a feature that HTTP/1.1 lacks: Misuse, and the connection stays usable", async () => {
    const client = await toOurs(() => ({ status: 200, body: "fine" }));
    await expect(client.ping()).rejects.toBeInstanceOf(Misuse);
    await expect(client.request({ method: "CONNECT", protocol: "websocket" })).rejects.toBeInstanceOf(Misuse);
    await expect(client.request({ fields: [["bad name", "x"]] })).rejects.toBeInstanceOf(Misuse);
    expect(await (await client.request()).body.text()).toBe("fine");
  });
});

describe("responses", () => {
  test("HEAD, 204 and 304: no content, whatever Content-Length says; without a length the content ends with the connection", async () => {
    const answers = ["200 OK\r\nContent-Length: 5", "204 No Content", "304 Not Modified\r\nContent-Length: 5"];
    let count = 0;
    const { client } = await toRaw((_, socket) => void socket.write(`HTTP/1.1 ${answers[count++]}\r\n\r\n`));
    for (const method of ["HEAD", "GET", "GET"]) expect(await (await client.request({ method })).body.text()).toBe("");
    const until = await toRaw((_, socket) => void socket.end("HTTP/1.0 200 OK\r\n\r\nuntil the end"));
    const { version, body } = await until.client.request();
    expect([version, await body.text()]).toEqual(["HTTP/1.0", "until the end"]);
  });

  test("a broken connection: the content fails, even if it is delimited by the close", async () => {
    const { client } = await toRaw((_, socket) => void socket.write("HTTP/1.1 200 OK\r\n\r\nuntil the", () => socket.resetAndDestroy()));
    const { body } = await client.request();
    await expect(body.text()).rejects.toMatchObject({ name: "StreamFailed", reason: "closed" });
  });

  test("a folded field line: read as one line, unless obsFold is false", async () => {
    const folded = once1("HTTP/1.1 200 OK\r\nX-Long: one\r\n  two\r\nContent-Length: 2\r\n\r\nok");
    const { client } = await toRaw(folded);
    expect((await client.request()).fields.get("x-long")).toBe("one two");
    const strict = await toRaw(once1("HTTP/1.1 200 OK\r\nX-Long: one\r\n  two\r\n\r\n"), { http1: { lenient: { obsFold: false } } });
    await expect(strict.client.request()).rejects.toMatchObject({ reason: "fault", fault: { name: "lineFolded" } });
  });

  test("a limit of the client applies", async () => {
    const { client } = await toRaw(once1("HTTP/1.1 200 OK\r\nX-Long: 0123456789\r\nContent-Length: 0\r\n\r\n"), {
      http1: { limits: { fieldOctets: 20 } },
    });
    await expect(client.request({})).rejects.toMatchObject({ name: "StreamFailed" });
  });

  test("interim responses: reported on arrival, and kept", async () => {
    const { client } = await toRaw(once1(`HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n${OK}`));
    const told: number[] = [];
    const { interim } = await client.request({ onInterim: ({ status }) => told.push(status) });
    expect([told, interim.map(({ status }) => status), interim[0]!.fields.get("link")]).toEqual([[103, 102], [103, 102], "</a>"]);
  });

  test.each([
    ["short of its length", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc", "truncated"],
    ["without its last chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", "truncated"],
    ["in an invalid chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nx\r\n", "fault"],
  ])("content that ends %s: the request fails", async (_, text, reason) => {
    const { client } = await toRaw((__, socket) => void socket.end(text));
    const { body } = await client.request();
    await expect(body.text()).rejects.toMatchObject({ name: "StreamFailed", reason });
    await client.closed;
  });

  test.each([
    ["nothing", "", "unanswered"],
    ["half a head", "HTTP/1.1 200 OK\r\nConte", "truncated"],
    ["nonsense", "SSH-2.0-x\r\n", "fault"],
    ["two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", "fault"],
  ])("%s: not a response, and queued requests were not sent", async (_, text, reason) => {
    const { client } = await toRaw((__, socket) => void socket.end(text));
    const [first, second] = await Promise.allSettled([client.request(), client.request()]);
    expect(first).toMatchObject({ reason: { reason } });
    expect(second).toMatchObject({ reason: { reason: "refused", retryable: true } });
    expect(client.accepting).toBe(false);
  });
});

describe("Expect: 100-continue", () => {
  const asked = { method: "POST", body: "content", expectMs: 20_000 } as const;

  test("content waits for 100", async () => {
    const before: boolean[] = [];
    const { client } = await toRaw((heard, socket) => {
      before.push(heard.includes("content-length") && heard.endsWith("content"));
      socket.write(heard.endsWith("content") ? OK : "HTTP/1.1 100 Continue\r\n\r\n");
    });
    expect((await client.request(asked)).status).toBe(200);
    expect(before).toEqual([false, true]);
  });
  test("without 100 the content is sent after expectMs", async () => {
    const { client } = await toRaw((heard, socket) => void (heard.endsWith("content") && socket.write(OK)));
    expect((await client.request({ ...asked, expectMs: 20 })).status).toBe(200);
  });
  test("a final response instead of 100: the content is not sent, and the connection closes", async () => {
    const { client, heard } = await toRaw(once1("HTTP/1.1 413 Content Too Large\r\nContent-Length: 2\r\n\r\nno"));
    const { status, body } = await client.request(asked);
    expect([status, await body.text()]).toEqual([413, "no"]);
    await client.closed;
    expect(heard()).not.toMatch(/\r\n\r\ncontent/);
  });
  test("HTTP/2 behaves alike", async () => {
    const client = await toOurs(async ({ body, path }) => ({ status: 200, body: path === "/no" ? "no" : await body.text() }), {
      alpn: ["h2"],
    });
    const { interim, body } = await client.request(asked);
    expect([interim.map(({ status }) => status), await body.text()]).toEqual([[100], "content"]);
    expect(await (await client.request({ ...asked, path: "/no" })).body.text()).toBe("no");
    expect(client.accepting).toBe(true);
  });
});

describe("ends", () => {
  test("abort: closes the connection; queued requests fail as refused", async () => {
    const { client } = await toRaw(() => {});
    const controller = new AbortController();
    const outcomes = Promise.allSettled([client.request({ signal: controller.signal }), client.request()]);
    await pause(10);
    controller.abort();
    expect(await outcomes).toMatchObject([{ reason: { reason: "aborted" } }, { reason: { reason: "refused" } }]);
    await client.closed;
  });
  test("abort of a queued request: the others continue", async () => {
    const go = Promise.withResolvers<void>();
    const seen: string[] = [];
    const client = await toOurs(async ({ path }) => {
      seen.push(path);
      return go.promise.then(() => ({ status: 200, body: "fine" }));
    });
    const first = client.request();
    const controller = new AbortController();
    const second = client.request({ path: "/aborted", signal: controller.signal });
    const third = client.request();
    controller.abort();
    await expect(second).rejects.toMatchObject({ reason: "aborted" });
    go.resolve();
    expect(await Promise.all([first, third].map(async (each) => (await each).body.text()))).toEqual(["fine", "fine"]);
    expect(seen).toEqual(["/", "/"]);
  });
  test("a queued request that cannot be sent: it fails alone", async () => {
    const client = await toOurs(() => ({ status: 200, body: "fine" }));
    const [first, second, third] = [client.request(), client.request({ fields: [["a b", "c"]] }), client.request()];
    await expect(second).rejects.toMatchObject({ reason: "aborted", cause: expect.any(Misuse) });
    expect(await Promise.all([first, third].map(async (each) => (await each).body.text()))).toEqual(["fine", "fine"]);
  });
  test("a connection that ends: queued requests fail as refused, and say why it ended", async () => {
    const wrong = await toRaw((_, socket) => void socket.write("nonsense\r\n\r\n"));
    const one = Promise.allSettled([wrong.client.request(), wrong.client.request()]);
    expect((await one)[1]).toMatchObject({ reason: { reason: "refused", fault: { name: "statusLineInvalid" } } });
    const short = await toRaw((_, socket) => void socket.end("HTTP/1.1 200 OK\r\n"));
    const next = Promise.allSettled([short.client.request(), short.client.request()]);
    expect((await next)[1]).toMatchObject({ reason: { reason: "refused", fault: { name: "endedEarly" } } });
    const broken = await toRaw((_, socket) => void socket.resetAndDestroy());
    const other = Promise.allSettled([broken.client.request(), broken.client.request()]);
    expect((await other)[1]).toMatchObject({ reason: { reason: "refused", cause: { code: "ECONNRESET" } } });
  });
  test("a thousand requests wait, and no more", async () => {
    const { client } = await toRaw(() => {});
    const all = Array.from({ length: 1_001 }, () => client.request());
    const outcomes = Promise.allSettled(all);
    await expect(client.request()).rejects.toThrow(Misuse);
    await client.close();
    expect((await outcomes).filter(({ status }) => status === "fulfilled")).toEqual([]);
  });
  test("close lets what is under way end", async () => {
    const client = await toOurs(async () => pause(20).then(() => ({ status: 200, body: "after all" })), { graceMs: 5_000 });
    const under = client.request();
    await pause(5);
    const closed = client.close();
    expect(await (await under).body.text()).toBe("after all");
    await closed;
  });
});

describe("switching protocols", () => {
  test("101: hands over the socket, with the octets that arrived of the new protocol", async () => {
    const { client } = await toRaw((heard, socket) => {
      if (heard.endsWith("\r\n\r\n")) socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nfirst");
      else socket.end("last");
    });
    const { status, switched } = await client.request({
      fields: [
        ["connection", "upgrade"],
        ["upgrade", "x"],
      ],
    });
    expect([status, Buffer.from(switched!.rest).toString()]).toEqual([101, "first"]);
    switched!.socket.write("more");
    expect(Buffer.concat(await Array.fromAsync(switched!.socket as AsyncIterable<Buffer>)).toString()).toBe("last");
    await client.closed;
  });
  test("CONNECT: the tunnel is the content of both messages, as in HTTP/2", async () => {
    const client = await toOurs(peer);
    const there = async function* there() {
      yield "there ";
      await pause(5);
      yield "and back";
    };
    const { status, body } = await client.request({ method: "CONNECT", authority: "far:1", body: there() });
    expect([status, await body.text()]).toEqual([200, "there and back"]);
  });
  test("a broken tunnel: its reader gets the error", async () => {
    const client = await toOurs(({ body }) => ({ status: 200, body }));
    const breaks = async function* breaks() {
      yield "half";
      await pause(5);
      throw new Error("there is no more");
    };
    const { body } = await client.request({ method: "CONNECT", authority: "far:1", body: breaks() });
    await expect(body.text()).rejects.toThrow("there is no more");
  });
  test("a refused CONNECT: an ordinary response", async () => {
    const client = await toOurs(() => ({ status: 403, body: "no" }));
    const { status, body, switched } = await client.request({ method: "CONNECT", authority: "far:1" });
    expect([status, await body.text(), switched]).toEqual([403, "no", undefined]);
  });
  test("CONNECT: to the authority of the request, or else of the connection, and without an offer of h2c", async () => {
    const options = { alpn: ["h2", "http/1.1"], http2: { h2c: "upgrade" } } as const;
    for (const [wanted, target] of [
      [{ authority: "far:1" }, /^CONNECT far:1 HTTP/],
      [{}, /^CONNECT 127\.0\.0\.1:\d+ HTTP/],
    ] as const) {
      const { client, heard } = await toRaw(once1("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"), options);
      await client.request({ method: "CONNECT", ...wanted });
      expect(heard()).toMatch(target);
      expect(heard()).not.toContain("h2c");
    }
  });
  test("h2c: not offered over TLS", async () => {
    const server = await serve(({ fields }) => ({ status: 200, body: fields.get("upgrade") ?? "no" }), {
      alpn: ["http/1.1"],
      tls: true,
      graceMs: 0,
    });
    left.push(() => server.close());
    const client = await open(server.url, { alpn: ["h2", "http/1.1"], http2: { h2c: "upgrade" }, tls: { verify: false } });
    expect(await (await client.request()).body.text()).toBe("no");
  });
  test("h2c: offered once, with the first request without content; either version continues", async () => {
    const options = { alpn: ["h2", "http/1.1"], http2: { h2c: "upgrade" } } as const;
    const ours = await toOurs(async ({ version, body }) => ({ status: 200, body: `${version} ${await body.text()}` }), options);
    const answers = await Promise.all(
      [{ method: "POST", body: "a" }, {}, { method: "POST", body: "b" }].map(async (each) => (await ours.request(each)).body.text()),
    );
    expect([answers, ours.version, ours.accepting]).toEqual([["HTTP/1.1 a", "HTTP/2 ", "HTTP/2 b"], "HTTP/2", true]);
    expect(await ours.ping()).toBeGreaterThan(0);
    await ours.close();
    await ours.closed;

    const { client, heard } = await toRaw((_, socket) => void socket.write(OK), options);
    for (let i = 0; i < 2; i++) await (await client.request()).body.text();
    expect(client.version).toBe("HTTP/1.1");
    expect(heard().match(/Connection: Upgrade, HTTP2-Settings|upgrade: h2c|http2-settings: [\w-]+\r\n/gi)).toHaveLength(3);
  });
});
