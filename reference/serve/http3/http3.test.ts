import { createSocket } from "node:dgram";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { Misuse } from "../../core/index.ts";
import { bindUdp } from "../../io/index.ts";
import { makeAuthority } from "../../io/testing.ts";
import { peer } from "../cli/peer.ts";
import { connect, createClient, Fields, serve, type Handler, type ServeOptions, type Server } from "./index.ts";

/** A server and a client in HTTP/3, over UDP. */

const trusting = (server: Server) => ({ tls: { ca: server.certificate! } });
const start = (handler: Handler = peer, options: ServeOptions = {}): Promise<Server> => serve(handler, { graceMs: 500, ...options });

describe("one handler, one port, three versions", () => {
  test("each client speaks its own", async () => {
    await using server = await start(peer, { alpn: ["h3", "h2", "http/1.1"], tls: true });
    for (const [alpn, version] of [
      ["h3", "HTTP/3"],
      ["h2", "HTTP/2"],
      ["http/1.1", "HTTP/1.1"],
    ] as const) {
      await using client = await connect(server.url, { alpn: [alpn], ...trusting(server) });
      expect(await (await client.request({ path: "/" })).body.text()).toBe(`Touchstone speaks ${version}.\n`);
    }
  });
  test("a client that may fall back does so if UDP leads nowhere", async () => {
    await using server = await start(peer, { alpn: ["h2"], tls: true });
    await using client = createClient({ alpn: ["h3", "h2"], ...trusting(server) });
    expect((await client.request(server.url)).version).toBe("HTTP/2");
  });
  test("a place that UDP does not lead to is asked in HTTP/3 once", async () => {
    const closing: Handler = () => ({ status: 200, fields: [["connection", "close"]], body: "ok" });
    await using server = await start(closing, { alpn: ["http/1.1"], tls: true });
    const deaf = await bindUdp({ host: "127.0.0.1", port: server.port });
    let datagrams = 0;
    deaf.on("message", () => void datagrams++);
    await using client = createClient({ alpn: ["h3", "http/1.1"], ...trusting(server) });
    const ask = async (): Promise<void> => void (await (await client.request(server.url)).body.text());
    await ask();
    const before = datagrams;
    await ask();
    deaf.close();
    expect([before > 0, datagrams]).toEqual([true, before]);
  });
  test("over TCP responses say where HTTP/3 is, unless the handler or an option says otherwise (rfc7838#3)", async () => {
    const both = { alpn: ["h3", "h2", "http/1.1"], tls: true } as const;
    const said = async (server: Server, alpn: "h3" | "h2" | "http/1.1"): Promise<string | null> => {
      await using client = await connect(server.url, { alpn: [alpn], ...trusting(server) });
      return (await client.request()).fields.get("alt-svc") ?? null;
    };
    await using server = await start(() => ({ status: 200 }), both);
    const expected = `h3=":${server.port}"; ma=86400`;
    expect([await said(server, "h2"), await said(server, "http/1.1"), await said(server, "h3")]).toEqual([expected, expected, null]);
    await using other = await start(() => ({ status: 200, fields: [["alt-svc", "clear"]] }), both);
    await using brief = await start(() => ({ status: 200 }), { ...both, http3: { altSvcSeconds: 60 } });
    await using silent = await start(() => ({ status: 200 }), { ...both, http3: { altSvcSeconds: 0 } });
    await using streams = await start(() => ({ status: 200 }), { alpn: ["h2"], tls: true });
    expect([await said(other, "h2"), await said(brief, "h2"), await said(silent, "h2"), await said(streams, "h2")]).toEqual([
      "clear",
      `h3=":${brief.port}"; ma=60`,
      null,
      null,
    ]);
  });
  test("a port that is taken for UDP alone: an error if it was asked for", async () => {
    const taken = await bindUdp({ host: "127.0.0.1", port: 0 });
    const { port } = taken.address();
    await expect(start(peer, { alpn: ["h3", "h2"], tls: true, port })).rejects.toThrow(`port ${port} of 127.0.0.1 is in use`);
    taken.close();
    // Nothing holds it any more, for TCP neither.
    await using server = await start(peer, { alpn: ["h3", "h2"], tls: true, port });
    expect(server.port).toBe(port);
  });
  test("a client goes where the server has said, and says so (rfc7838#2.4, #5)", async () => {
    const asked: string[] = [];
    const notes: Handler = ({ version, fields }) => {
      asked.push(`${version} ${fields.get("alt-used") ?? "-"}`);
      return { status: 200, body: version };
    };
    await using elsewhere = await start(notes, { alpn: ["h3"], tls: true });
    const { port } = elsewhere;
    await using server = await start(
      async (request, exchange) => ({ ...(await notes(request, exchange)), fields: [["alt-svc", `h3=":${port}"`]] }),
      { alpn: ["h2"], tls: true },
    );
    await using client = createClient({ alpn: ["h2", "h3"], tls: { verify: false } });
    const ask = async (): Promise<string> => (await client.request(server.url)).body.text();
    const first = await ask();
    await vi.waitFor(async () => expect(await ask()).toBe("HTTP/3"), { timeout: 60_000 });
    expect([first, asked[0], asked.at(-1)]).toEqual(["HTTP/2", "HTTP/2 -", `HTTP/3 127.0.0.1:${port}`]);
  });
  test("where the server has named a place that says nothing, requests go on, and it is asked once", async () => {
    const deaf = await bindUdp({ host: "127.0.0.1", port: 0 });
    let datagrams = 0;
    deaf.on("message", () => void datagrams++);
    const fields: [string, string][] = [
      ["alt-svc", `h3=":${deaf.address().port}"`],
      ["connection", "close"],
    ];
    await using server = await start(() => ({ status: 200, fields, body: "ok" }), { alpn: ["http/1.1"], tls: true });
    await using client = createClient({ alpn: ["http/1.1", "h3"], tls: { verify: false } });
    const ask = async (): Promise<string> => (await client.request(server.url)).body.text();
    expect([await ask(), await ask(), await ask()]).toEqual(["ok", "ok", "ok"]);
    await vi.waitFor(() => expect(datagrams).toBeGreaterThan(0), { timeout: 60_000 });
    await pause(1_500);
    const before = datagrams;
    expect(await ask()).toBe("ok");
    deaf.close();
    expect(datagrams).toBe(before);
  });
  test("a fault that HTTP/3 does not have is refused although another version could be spoken", async () => {
    const client = createClient({ alpn: ["h3", "http/1.1"], faults: ["bad-chunk"] });
    await expect(client.request("https://127.0.0.1:1/")).rejects.toThrow(Misuse);
    await client.close();
  });
  test("there is no clear text", async () => {
    await expect(start(peer, { tls: false })).rejects.toThrow(Misuse);
    await expect(connect("http://127.0.0.1:1/")).rejects.toThrow(Misuse);
  });
});

describe("exchanges", () => {
  test("content, trailers, interim responses, and what the handler knows", async () => {
    let info: object | undefined;
    await using server = await start(async (request, { connection, stream }) => {
      info = { ...connection.tls, address: connection.remoteAddress, id: connection.id, stream };
      const text = await request.body.text();
      return { status: 200, body: `${text}!`, trailers: [["x-got", (await request.body.trailers).get("x-sent") ?? ""]] };
    });
    await using client = await connect(server.url, trusting(server));
    const response = await client.request({
      method: "POST",
      body: "hello",
      trailers: new Fields([{ name: "x-sent", value: "1", sensitive: false }]),
    });
    expect([response.version, await response.body.text(), (await response.body.trailers).get("x-got")]).toEqual(["HTTP/3", "hello!", "1"]);
    expect(info).toMatchObject({ version: "TLSv1.3", isResumed: false, client: undefined, address: "127.0.0.1", id: 1, stream: 0 });
  });
  test("more requests than streams: the rest wait", async () => {
    await using server = await start(peer, { http3: { quic: { bidirectionalStreams: 4 } } });
    await using client = await connect(server.url, trusting(server));
    const texts = await Promise.all(Array.from({ length: 40 }, async () => (await client.request({ path: "/" })).body.text()));
    expect(new Set(texts)).toEqual(new Set(["Touchstone speaks HTTP/3.\n"]));
  });
  test("a client that aborts ends the handler's signal, and the connection goes on", async () => {
    const aborted = Promise.withResolvers<unknown>();
    await using server = await start(async (request, { signal }) => {
      if (request.path !== "/hang") return { status: 200, body: "fine" };
      signal.addEventListener("abort", () => aborted.resolve(signal.reason));
      await once(signal, "abort");
      return { status: 200 };
    });
    await using client = await connect(server.url, trusting(server));
    const controller = new AbortController();
    const request = client.request({ path: "/hang", signal: controller.signal });
    await pause(50);
    controller.abort();
    await expect(request).rejects.toMatchObject({ name: "StreamFailed", reason: "aborted" });
    expect(await aborted.promise).toMatchObject({ reason: "reset", errorCode: "CANCEL" });
    expect(await (await client.request({ path: "/" })).body.text()).toBe("fine");
  });
  test("a handler that resets, and one that throws", async () => {
    await using server = await start(
      (request, exchange) => {
        if (request.path === "/throw") throw new Error("wrong");
        exchange.reset("REFUSED_STREAM");
        return { status: 200 };
      },
      { onError: () => {} },
    );
    await using client = await connect(server.url, trusting(server));
    await expect(client.request({ path: "/reset" })).rejects.toMatchObject({ reason: "refused", retryable: true });
    expect((await client.request({ path: "/throw" })).status).toBe(500);
  });
  test("a response that is not read holds its sender, and nothing else", async () => {
    await using server = await start();
    await using client = await connect(server.url, trusting(server));
    const unread = await client.request({ path: "/bytes/20000000" });
    expect(await (await client.request({ path: "/" })).body.text()).toBe("Touchstone speaks HTTP/3.\n");
    let octets = 0;
    for await (const piece of unread.body) {
      octets += piece.length;
      if (octets > 1_000_000) break;
    }
    expect(await (await client.request({ path: "/" })).body.text()).toBe("Touchstone speaks HTTP/3.\n");
  });
});

describe("ends", () => {
  test("close completes what is in progress", async () => {
    const server = await start(async () => {
      await pause(200);
      return { status: 200, body: "late" };
    });
    await using client = await connect(server.url, trusting(server));
    const answer = client.request({ path: "/" });
    await pause(50);
    const closed = server.close();
    expect(await (await answer).body.text()).toBe("late");
    await closed;
    await client.closed;
    expect([server.connections, client.accepting]).toEqual([0, false]);
  });
  test("close drops what takes longer than `graceMs`", async () => {
    const server = await start(() => new Promise(() => {}), { graceMs: 100 });
    await using client = await connect(server.url, trusting(server));
    const answer = client.request({ path: "/" });
    await pause(50);
    await server.close();
    await expect(answer).rejects.toMatchObject({ name: "StreamFailed", reason: "closed" });
  });
  test("an idle connection ends on both sides", async () => {
    await using server = await start(peer, { idleMs: 200 });
    await using client = await connect(server.url, trusting(server));
    await client.closed;
    expect(client.accepting).toBe(false);
    while (server.connections > 0) await pause(10);
  });
});

test("`tls.ciphers` names the suites of TLS 1.3, the preferred one first, on either side", async () => {
  const suite: Handler = (_, { connection }) => ({ status: 200, body: connection.tls!.cipher });
  const [aes, chacha] = ["TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"];
  const agreed = async (ofServer: string | undefined, ofClient: string | undefined): Promise<string> => {
    await using server = await start(suite, { tls: ofServer === undefined ? true : { ciphers: ofServer } });
    const tls = { ca: server.certificate!, ...(ofClient !== undefined && { ciphers: ofClient }) };
    await using client = await connect(server.url, { tls });
    return (await client.request()).body.text();
  };
  expect([
    await agreed(undefined, chacha),
    await agreed(`${chacha}:${aes}`, undefined),
    await agreed(`${aes}:${chacha}`, `${chacha}:${aes}`),
  ]).toEqual([chacha, chacha, aes]);
  await expect(agreed(aes, chacha)).rejects.toMatchObject({ reason: "tls" });
});

test("keys change after `quic.keyPackets` packets, and nothing is lost", async () => {
  await using server = await start(peer, { http3: { quic: { keyPackets: 50 } } });
  await using client = await connect(server.url, { ...trusting(server), http3: { quic: { keyPackets: 20 } } });
  const body = Buffer.alloc(1_000_000, "touchstone ");
  expect((await (await client.request({ path: "/bytes/1000000" })).body.bytes()).length).toBe(1_000_000);
  expect((await (await client.request({ method: "POST", path: "/echo", body })).body.bytes()).length).toBe(1_000_000);
});

test("certificates of clients: required, or only requested", async () => {
  const authority = await makeAuthority();
  const [mine, stranger] = [await authority.issue(), await (await makeAuthority()).issue()];
  const subject: Handler = (_, { connection }) => ({ status: 200, body: `${connection.tls?.client?.isTrusted}` });
  const ask = async (server: Server, own?: { cert: string; key: string }): Promise<string> => {
    await using client = await connect(server.url, { tls: { ca: server.certificate!, ...own } });
    return (await client.request()).body.text();
  };
  await using requires = await start(subject, { tls: { ca: authority.cert } });
  expect(await ask(requires, mine)).toBe("true");
  await expect(ask(requires)).rejects.toMatchObject({ reason: "tls" });
  await expect(ask(requires, stranger)).rejects.toMatchObject({ reason: "tls" });
  await using requests = await start(subject, { tls: { ca: authority.cert, clientCertificate: "request" } });
  expect([await ask(requests), await ask(requests, stranger), await ask(requests, mine)]).toEqual(["undefined", "false", "true"]);
});

describe("no connection", () => {
  test("the certificate is checked: authority and name", async () => {
    await using server = await start();
    await expect(connect(server.url)).rejects.toMatchObject({ reason: "tls" });
    await expect(connect(server.url, { tls: { ca: server.certificate!, servername: "other.example" } })).rejects.toMatchObject({
      reason: "tls",
    });
    await using client = await connect(server.url, { tls: { verify: false } });
    expect((await client.request()).status).toBe(200);
  });
  test("nobody answers, or something that is not QUIC", async () => {
    const socket = createSocket("udp4").bind(0, "127.0.0.1");
    await once(socket, "listening");
    socket.on("message", (_, from) => socket.send("what?", from.port, from.address));
    const { port } = socket.address();
    await expect(connect(`https://127.0.0.1:${port}/`, { connectMs: 300 })).rejects.toMatchObject({
      name: "ConnectFailed",
      reason: "timeout",
    });
    socket.close();
  });
  test("octets of nobody do not disturb a server", async () => {
    await using server = await start();
    const socket = createSocket("udp4");
    for (let size = 0; size < 1_500; size += 97) socket.send(Buffer.alloc(size, 0xc0 + size), server.port, "127.0.0.1");
    await using client = await connect(server.url, trusting(server));
    expect((await client.request()).status).toBe(200);
    socket.close();
  });
});

test("a connection stays open while a response is outstanding, for longer than its idle time (rfc9114#5.1)", async () => {
  const late: Handler = async () => {
    await pause(8_000);
    return { status: 200, body: "late" };
  };
  await using server = await start(late, { alpn: ["h3"], tls: true });
  await using client = await connect(server.url, { alpn: ["h3"], http3: { quic: { idleMs: 6_000 } }, ...trusting(server) });
  expect(await (await client.request({ path: "/" })).body.text()).toBe("late");
}, 60_000);
