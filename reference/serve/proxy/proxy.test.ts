import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { field, Writer } from "../../core/index.ts";
import { Encoder } from "../../hpack/index.ts";
import { Fields } from "../../http/index.ts";
import { CLIENT_PREFACE } from "../../http2/index.ts";
import { connect } from "../client/connect.ts";
import { afterContent, endToEnd, isListed, lastHop } from "./hop.ts";
import { peer } from "../cli/peer.ts";
import { proxy } from "./proxy.ts";
import type { ProxyOptions } from "./options.ts";
import { serve } from "../server/serve.ts";
import type { Server } from "../server/options.ts";
import { ask, nodeClient, talk } from "../testing.ts";

const left: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const clean of left.splice(0).toReversed()) await clean();
});

async function front(origin: string, options: ProxyOptions = {}): Promise<Server> {
  const passing = proxy(origin, { graceMs: 0, ...options });
  left.push(() => passing.close());
  const server = await serve(passing.handler, { graceMs: 0, onError: () => {} });
  left.push(() => server.close());
  return server;
}
/** A raw origin: `answer` is called with all octets of the connection so far. */
async function raw(answer: (heard: string, socket: Socket) => void): Promise<{ readonly url: string; readonly heard: () => string }> {
  let all = "";
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    let heard = "";
    socket.on("data", (bytes: Buffer) => {
      heard += bytes.toString("latin1");
      all += bytes.toString("latin1");
      answer(heard, socket);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  left.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, heard: () => all };
}
/** An origin with one answer, sent after the whole request. */
const always = (answer: string, end = /\r\n\r\n$/) => raw((heard, socket) => void (end.test(heard) && socket.write(answer)));
const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
const say = async (server: Server, ...lines: string[]): Promise<string> => (await talk(server.port, lines.join("\r\n"))).toString("latin1");
const GET = ["GET /a?b HTTP/1.1", "Host: example.com", "Connection: close"];

describe("fields", () => {
  test("fields of the connection stay, the others are forwarded unchanged, and Via is added", async () => {
    const origin = await always(
      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: x-own\r\nX-Own: 1\r\nKeep-Alive: timeout=5\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nVia: 1.0 inner\r\n\r\nok",
    );
    const answer = await say(
      await front(origin.url, { pseudonym: "front" }),
      "GET /a?b HTTP/1.1",
      "Host: example.com",
      "Connection: close, X-Mine",
      "X-Mine: 1",
      "X-Two: 1",
      "X-Two: 2",
      "Upgrade: other",
      "TE: deflate",
      "Via: 1.0 outer",
      "",
      "",
    );
    expect(origin.heard().split("\r\n")).toEqual(
      ["GET /a?b HTTP/1.1", "x-two: 1", "x-two: 2", "via: 1.0 outer", "via: 1.1 front", "", ""].toSpliced(1, 0, "host: example.com"),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    for (const line of ["set-cookie: a=1", "set-cookie: b=2", "via: 1.0 inner", "via: 1.1 front"]) expect(answer).toContain(`${line}\r\n`);
    expect(answer).not.toMatch(/x-own|keep-alive/i);
  });

  test("the origin's Alt-Svc stays here: it would lead clients past the proxy", async () => {
    const origin = await always('HTTP/1.1 200 OK\r\nAlt-Svc: h3=":1"\r\nX-Other: 1\r\nContent-Length: 0\r\n\r\n');
    const { url } = await front(origin.url);
    const answer = (await talk(Number(new URL(url).port), "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")).toString();
    expect(answer).toMatch(/\r\nx-other: 1\r\n/i);
    expect(answer).not.toMatch(/alt-svc/i);
  });
  test("the authority of an absolute target replaces Host", async () => {
    const origin = await always(OK);
    await say(await front(origin.url), "GET http://real.example/x HTTP/1.1", "Host: other.example", "Connection: close", "", "");
    expect(origin.heard()).toMatch(/^GET \/x HTTP\/1\.1\r\nhost: real\.example\r\n/);
  });

  test("Max-Forwards: decremented for TRACE and OPTIONS alone, and answered here at 0", async () => {
    const origin = await always(OK);
    const server = await front(origin.url);
    const of = (method: string, most: string) =>
      say(server, `${method} /x HTTP/1.1`, "Host: h", "Connection: close", `Max-Forwards: ${most}`, "Cookie: secret", "", "");
    const traced = await of("TRACE", "0");
    expect(traced).toMatch(/content-type: message\/http\r\n[^]*\r\n\r\nTRACE \/x HTTP\/1\.1\r\nhost: h\r\n/);
    expect(traced).not.toContain("secret");
    expect(await of("OPTIONS", "0")).toMatch(/^HTTP\/1\.1 200 OK\r\nallow: /);
    expect(origin.heard()).toBe("");
    await of("OPTIONS", "10");
    await of("GET", "0");
    expect(origin.heard().match(/max-forwards: \d+/g)).toEqual(["max-forwards: 9", "max-forwards: 0"]);
  });

  test.each([
    ["close, X-A", { "x-a": "1", "x-b": "2" }, ["x-b"]],
    ["content-length, host", { "content-length": "1", host: "x" }, ["content-length", "host"]],
    ["", { te: "trailers", "transfer-encoding": "chunked", "proxy-connection": "x", upgrade: "h2c", "http2-settings": "" }, []],
  ])("of a message with Connection: %s are forwarded", (connection, fields, names) => {
    const list = Fields.from([["connection", connection], ...Object.entries(fields)]);
    expect(endToEnd(list).map(([name]) => name)).toEqual(names);
  });
  test("lists, hops and trailers are parsed", () => {
    const fields = Fields.from([
      ["te", "gzip;q=0.5, Trailers"],
      ["max-forwards", "3"],
      ["content-length", "3"],
      ["x-sum", "1"],
    ]);
    expect([isListed(fields, "te", "trailers"), isListed(fields, "te", "deflate"), isListed(fields, "expect", "100-continue")]).toEqual([
      true,
      false,
      false,
    ]);
    expect([lastHop("TRACE", fields), lastHop("GET", fields), lastHop("OPTIONS", Fields.from([["max-forwards", "-1"]]))]).toEqual([
      3,
      undefined,
      undefined,
    ]);
    expect(afterContent(fields, Fields.from([])).map(([name]) => name)).toEqual(["max-forwards", "x-sum"]);
    expect(afterContent(fields, Fields.from([["connection", "X-Sum"]])).map(([name]) => name)).toEqual(["max-forwards"]);
  });
});

describe("content", () => {
  test("passes both ways in each version, with trailers for clients that accept them", async () => {
    const origin = await serve(peer, { graceMs: 0 });
    left.push(() => origin.close());
    const server = await front(origin.url);
    for (const alpn of [["http/1.1"], ["h2"]] as const) {
      await using client = await connect(server.url, { alpn, graceMs: 0 });
      const big = new Uint8Array(2_000_000).fill(97);
      const slowly = async function* slowly() {
        yield "one ";
        await pause(5);
        yield "two";
      };
      expect(await (await client.request({ method: "POST", path: "/echo", body: big })).body.text()).toHaveLength(2_000_000);
      expect(await (await client.request({ method: "POST", path: "/echo", body: slowly() })).body.text()).toBe("one two");
      const asked = await client.request({ method: "POST", path: "/echo?json", body: slowly(), trailers: [["x-sum", "7"]] });
      expect(JSON.parse(await asked.body.text())).toMatchObject({ octets: 7, trailers: [["x-sum", "7"]] });
      const { body } = await client.request({
        path: "/trailers",
        fields: [["te", "trailers"], ...(alpn[0] === "h2" ? [] : [["connection", "te"] as const])],
      });
      await body.text();
      expect((await body.trailers).get("x-end")).toBe("yes");
      expect((await client.request({ method: "HEAD", path: "/bytes/10" })).fields.get("content-length")).toBe("10");
    }
    expect(await say(server, "GET /trailers HTTP/1.1", "Host: h", "Connection: close", "", "")).not.toMatch(/x-end/);
  });

  test("interim responses are forwarded, except to HTTP/1.0", async () => {
    const origin = await always(
      `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nConnection: x\r\nX: 1\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n${OK}`,
    );
    const server = await front(origin.url);
    expect(await say(server, ...GET, "", "")).toMatch(
      /^HTTP\/1\.1 103 Early Hints\r\nlink: <\/a>\r\n\r\nHTTP\/1\.1 102 [^]*?\r\n\r\nHTTP\/1\.1 200 OK\r\n/,
    );
    expect(await say(server, "GET / HTTP/1.0", "", "")).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });

  test("Expect is forwarded, and the client gets 100 when the origin sends it, or after expectMs", async () => {
    const asking = await raw((heard, socket) => {
      if (heard.endsWith("\r\n\r\n")) socket.write("HTTP/1.1 100 Continue\r\n\r\n");
      if (heard.endsWith("hello")) socket.write(OK);
    });
    const silent = await always(OK, /hello$/);
    for (const [origin, options] of [
      [asking, { expectMs: 20_000 }],
      [silent, { expectMs: 20 }],
    ] as const) {
      const server = await front(origin.url, options);
      await using client = await connect(server.url, { alpn: ["http/1.1"], graceMs: 0 });
      const { status, interim } = await client.request({ method: "POST", body: "hello", expectMs: 20_000 });
      expect([status, interim.map((head) => head.status)]).toEqual([200, [100]]);
      expect(origin.heard()).toMatch(/\r\nexpect: 100-continue\r\n/);
    }
  });

  test("over HTTP/2: interim responses, Expect, and TRACE with its fields reach the other side", async () => {
    const origin = await raw((heard, socket) => {
      if (heard.endsWith("hello")) socket.write(`HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${OK}`);
      else if (/^POST[^]*\r\n\r\n$/.test(heard)) socket.write("HTTP/1.1 100 Continue\r\n\r\n");
      else if (heard.startsWith("TRACE")) socket.write("HTTP/1.1 405 Method Not Allowed\r\nAllow: GET\r\nContent-Length: 0\r\n\r\n");
    });
    const server = await front(origin.url, { expectMs: 20_000 });
    await using client = await connect(server.url, { alpn: ["h2"], graceMs: 0 });
    const { status, interim } = await client.request({ method: "POST", body: "hello", expectMs: 20_000 });
    expect([status, interim.map((head) => head.status)]).toEqual([200, [100, 103]]);
    expect(interim[1]?.fields.get("link")).toBe("</a>");
    await using other = await connect((await front(origin.url)).url, { alpn: ["h2"], graceMs: 0 });
    expect((await other.request({ method: "TRACE", path: "/x", fields: [["x-mine", "1"]] })).status).toBe(405);
    expect(origin.heard()).toMatch(/TRACE \/x HTTP\/1\.1\r\n[^]*x-mine: 1\r\nvia: 2 touchstone\r\n\r\n$/);
  });

  test("an origin that refuses content: gets none, and its response reaches the client", async () => {
    const origin = await always("HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n");
    const server = await front(origin.url);
    const answer = await say(server, "POST / HTTP/1.1", "Host: h", "Content-Length: 5", "Expect: 100-continue", "", "");
    expect(answer).toMatch(/^HTTP\/1\.1 417 [^]*Connection: close\r\n/);
    expect(origin.heard()).not.toContain("hello");
  });
});

describe("errors of the origin", () => {
  test("an incomplete response is never completed for the client", async () => {
    for (const head of ["Content-Length: 10", "Transfer-Encoding: chunked"]) {
      const origin = await raw((_, socket) => void socket.end(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n3\r\nabc`));
      const server = await front(origin.url);
      const answer = await say(server, "GET / HTTP/1.1", "Host: h", "", "");
      expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
      expect(answer).not.toMatch(/\r\n0\r\n\r\n$/);
      await using client = await nodeClient(server.url);
      const stream = client.session.request({ ":path": "/" });
      stream.resume().on("error", () => {});
      await new Promise((resolve) => stream.once("close", resolve));
      expect(stream.rstCode).toBe(2);
    }
  });

  test.each([
    ["nobody listens", "", /^HTTP\/1\.1 502 /],
    ["it hangs up", "end", /^HTTP\/1\.1 502 /],
    ["it speaks nonsense", "SSH-2.0-x\r\n\r\n", /^HTTP\/1\.1 502 /],
    ["its answer has two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", /^HTTP\/1\.1 502 /],
    ["it says nothing", "silence", /^HTTP\/1\.1 504 /],
  ])("%s", async (_, what, says) => {
    const origin = await raw((_, socket) => {
      if (what === "end") socket.end();
      else if (what !== "silence") socket.write(what);
    });
    if (what === "") await left.pop()!();
    expect(await say(await front(origin.url, { timeoutMs: 100 }), ...GET, "", "")).toMatch(says);
  });

  test("an origin that finishes no TLS handshake: 504 after connectMs", async () => {
    const origin = await raw(() => {});
    const server = await front(origin.url.replace("http:", "https:"), { connectMs: 100 });
    expect(await say(server, ...GET, "", "")).toMatch(/^HTTP\/1\.1 504 /);
  });

  test("silence within content: cuts the response", async () => {
    const origin = await raw((_, socket) => void socket.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"));
    const answer = await say(await front(origin.url, { timeoutMs: 100 }), "GET / HTTP/1.1", "Host: h", "", "");
    expect(answer).toMatch(/\r\n\r\nabc$/);
  });

  test("connections to the origin are kept, and a stale one is invisible to clients", async () => {
    let connections = 0;
    const origin = await raw((heard, socket) => {
      const count = heard.match(/\r\n\r\n/g)!.length;
      if (count === 1) connections++;
      if (count < 3) socket.write(OK);
      else socket.end();
    });
    const server = await front(origin.url);
    for (let i = 0; i < 4; i++) expect(await say(server, ...GET, "", "")).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*ok$/);
    expect(connections).toBe(2);
  });
});

describe("from HTTP/2 to HTTP/1.1", () => {
  test("the request is rewritten, with one Cookie field and the checked length", async () => {
    const origin = await always(OK, /hello$/);
    await using client = await nodeClient((await front(origin.url)).url);
    const { body } = await ask(
      client.session,
      { ":method": "POST", ":path": "/x", ":authority": "h.example", cookie: ["a=1", "b=2"], "content-length": "5" },
      "hello",
    );
    expect(body).toBe("ok");
    expect(origin.heard()).toBe(
      "POST /x HTTP/1.1\r\nhost: h.example\r\ncookie: a=1; b=2\r\ncontent-length: 5\r\nvia: 2 touchstone\r\n\r\nhello",
    );
  });

  test.each<[string, Record<string, string>]>([
    ["a space in the path", { ":path": "/a b" }],
    ["a space in the authority", { ":authority": "a b" }],
    ["a space in the method", { ":method": "GET /" }],
    ["a line end in a value", { "x-a": "a\r\nb: c" }],
    ["transfer-encoding", { "transfer-encoding": "chunked" }],
    ["a length that is not the content's", { "content-length": "7" }],
  ])("%s never reaches the origin", async (_, wrong) => {
    const origin = await always(OK);
    const server = await front(origin.url);
    const fields = Object.entries({ ":method": "GET", ":scheme": "http", ":authority": "h", ":path": "/", ...wrong });
    const block = new Writer();
    new Encoder().encode(
      fields.map(([name, value]) => field(name, value)),
      block,
    );
    const octets = block.take();
    const head = Buffer.from([0, octets.length >> 8, octets.length & 255, 1, 5, 0, 0, 0, 1]);
    const answer = await talk(server.port, Buffer.concat([CLIENT_PREFACE, Buffer.from("000000040000000000", "hex"), head, octets]), 300);
    expect(answer.length).toBeGreaterThan(9);
    expect(origin.heard()).toBe("");
  });
});

describe("from HTTP/2 to HTTP/2", () => {
  test("te: trailers goes on, and a head that ends the response stays one", async () => {
    let heard: string | undefined;
    const origin = await serve(
      ({ fields }) => {
        heard = fields.get("te");
        return { status: 200, fields: [["x-status", "5"]] };
      },
      { alpn: ["h2"], graceMs: 0 },
    );
    left.push(() => origin.close());
    const server = await front(origin.url, { alpn: ["h2"] });
    await using client = await connect(server.url, { alpn: ["h2"], graceMs: 0 });
    const response = await client.request({ method: "POST", body: "hello", fields: [["te", "trailers"]] });
    expect([heard, response.endsWithHead, response.fields.get("x-status")]).toEqual(["trailers", true, "5"]);
  });

  test("a reset of the origin within its response reaches the client with its code", async () => {
    const origin = await serve(
      (_, exchange) => ({
        status: 200,
        body: (async function* cut() {
          yield "a";
          await pause(5);
          exchange.reset("ENHANCE_YOUR_CALM");
        })(),
      }),
      { alpn: ["h2"], graceMs: 0, onError: () => {} },
    );
    left.push(() => origin.close());
    const server = await front(origin.url, { alpn: ["h2"] });
    await using client = await connect(server.url, { alpn: ["h2"], graceMs: 0 });
    await expect((await client.request({})).body.text()).rejects.toMatchObject({ errorCode: "ENHANCE_YOUR_CALM" });
  });
});

describe("an origin of HTTP/1.0", () => {
  const old = (heard: string, socket: Socket): void => {
    if (/^GET .*\r\n\r\n$|^POST .*(?:hello|\r\n0\r\n\r\n)$/s.test(heard)) socket.end("HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok");
  };
  const chunked = (server: Server, content: string): Promise<string> =>
    say(
      server,
      "POST /a HTTP/1.1",
      "Host: a",
      "Connection: close",
      "Transfer-Encoding: chunked",
      "",
      content.length.toString(16),
      content,
      "0",
      "",
      "",
    );

  test("gets content with a length after its first response", async () => {
    const origin = await raw(old);
    const server = await front(origin.url);
    await say(server, ...GET, "", "");
    expect(await chunked(server, "hello")).toMatch(/^HTTP\/1\.1 200/);
    expect(origin.heard()).toMatch(/POST .*content-length: 5\r\n\r\nhello$/s);
    expect(origin.heard()).not.toMatch(/transfer-encoding/);
  });

  test("content that is too long to buffer: 411", async () => {
    const origin = await raw(old);
    const server = await front(origin.url);
    await say(server, ...GET, "", "");
    expect(await chunked(server, "a".repeat(1_100_000))).toMatch(/^HTTP\/1\.1 411/);
    expect(origin.heard()).not.toMatch(/POST/);
  });
});
