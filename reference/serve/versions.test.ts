import { execFile } from "node:child_process";
import { once } from "node:events";
import { connect as http2Connect } from "node:http2";
import { connect as tcp, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { connect as tls } from "node:tls";
import { promisify } from "node:util";
import { afterEach, describe, expect, test } from "vitest";
import { CLIENT_PREFACE, readFrames } from "../http2/index.ts";
import { judgePreface } from "./server/first-octets.ts";
import { settingsOffered } from "./http2/h2c.ts";
import { field } from "../core/index.ts";
import { peer } from "./cli/peer.ts";
import { serve } from "./server/serve.ts";
import type { Server, ServeOptions } from "./server/options.ts";
import { ask, nodeClient, talk } from "./testing.ts";

/** One listening server for HTTP/1.1 and HTTP/2. */

const open: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});
async function start(options: ServeOptions = {}): Promise<Server> {
  const server = await serve(peer, { graceMs: 200, ...options });
  open.push(() => server.close());
  return server;
}
const GET = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
/** An empty SETTINGS frame. */
const SETTINGS = Buffer.from("000000040000000000", "hex");
const drop = (socket: Socket): Socket => socket.on("error", () => {});

describe("in clear text the first octets identify the version", () => {
  test("each version alone, and both at the same time on one port", async () => {
    const server = await start();
    await using client = await nodeClient(server.url);
    const [second, first] = await Promise.all([ask(client.session, { ":path": "/" }), talk(server.port, GET)]);
    expect(second.body).toBe("Touchstone speaks HTTP/2.\n");
    expect(first.toString()).toMatch(/Touchstone speaks HTTP\/1\.1\.\n$/);
  });

  test("octet by octet", async () => {
    const server = await start();
    const drip = async (octets: Buffer): Promise<Buffer> => {
      const socket = drop(tcp({ port: server.port, host: "127.0.0.1", noDelay: true }));
      await once(socket, "connect");
      const answer: Buffer[] = [];
      socket.on("data", (bytes: Buffer) => answer.push(bytes));
      for (const octet of octets) {
        socket.write(Uint8Array.of(octet));
        await pause(1);
      }
      while (answer.length === 0) await pause(2);
      socket.destroy();
      return Buffer.concat(answer);
    };
    expect(readFrames(await drip(Buffer.concat([CLIENT_PREFACE, SETTINGS])))[0]?.is).toBe("SETTINGS");
    expect((await drip(Buffer.from(GET))).toString()).toMatch(/^HTTP\/1\.1 200 /);
    // Up to PRI it can be either; the peer does not know such a method.
    expect((await drip(Buffer.from("PRINT / HTTP/1.1\r\nHost: x\r\n\r\n"))).toString()).toMatch(/^HTTP\/1\.1 501 /);
  });

  test("a silent or incomplete client is dropped in time, and with the server", async () => {
    const server = await start({ http2: { limits: { prefaceMs: 100 } } });
    for (const words of ["", "PRI * HTTP/2.0\r\n"]) {
      const socket = drop(tcp(server.port, "127.0.0.1", () => socket.write(words)));
      const since = performance.now();
      await once(socket.resume(), "close");
      expect(performance.now() - since).toBeGreaterThan(80);
    }
    const patient = await start();
    const gone = once(drop(tcp(patient.port, "127.0.0.1")).resume(), "close");
    while (patient.connections === 0) await pause(2);
    await patient.close();
    await gone;
    expect(patient.connections).toBe(0);
  });

  test.each([
    ["", "short"],
    ["PRI * HTTP/2.0\r\n\r\nSM\r\n\r", "short"],
    ["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "preface"],
    ["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nmore", "preface"],
    ["PRI * HTTP/2.0\r\n\r\nSX", "other"],
    ["GET", "other"],
  ])("%j is %s", (text, verdict) => {
    expect(judgePreface(Buffer.from(text), CLIENT_PREFACE)).toBe(verdict);
  });
});

describe("over TLS ALPN selects the version", () => {
  test.each([
    [["h2", "http/1.1"], "h2"],
    [["http/1.1"], "http/1.1"],
    [undefined, false],
  ] as const)("%j gives %j", async (offered, agreed) => {
    const server = await start({ tls: true });
    const socket = tls({
      port: server.port,
      host: "127.0.0.1",
      rejectUnauthorized: false,
      ...(offered !== undefined && { ALPNProtocols: [...offered] }),
    });
    await once(socket, "secureConnect");
    expect(socket.alpnProtocol).toBe(agreed);
    expect(agreed === "h2" ? await viaHttp2(socket, server.url) : await viaHttp1(socket)).toMatchObject({
      scheme: "https",
      path: "/echo?json",
    });
  });
  async function viaHttp2(socket: Socket, url: string): Promise<unknown> {
    const session = http2Connect(url, { createConnection: () => socket });
    const { body } = await ask(session, { ":path": "/echo?json" });
    session.destroy();
    return JSON.parse(body);
  }
  async function viaHttp1(socket: Socket): Promise<unknown> {
    socket.write("GET /echo?json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    const answer = Buffer.concat(await Array.fromAsync(socket as AsyncIterable<Buffer>)).toString();
    return JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4));
  }

  test("a client without ALPN cannot mean HTTP/2", async () => {
    const server = await start({ tls: true });
    const socket = tls({ port: server.port, host: "127.0.0.1", rejectUnauthorized: false }, () => socket.write(CLIENT_PREFACE));
    const answer = Buffer.concat(await Array.fromAsync(socket as AsyncIterable<Buffer>));
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 505 /);
  });
});

describe("Upgrade: h2c", () => {
  const UPGRADE = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n";

  test("101, and the request is answered on stream 1", async () => {
    const server = await start();
    const socket = drop(tcp(server.port, "127.0.0.1"));
    const chunks: Buffer[] = [];
    socket.on("data", (bytes: Buffer) => chunks.push(bytes));
    socket.write(`GET /bytes/3 HTTP/1.1\r\nHost: x\r\n${UPGRADE}\r\n`);
    socket.write(CLIENT_PREFACE);
    socket.write(SETTINGS);
    const frames = () => {
      const all = Buffer.concat(chunks);
      const head = all.indexOf("\r\n\r\n") + 4;
      expect(all.subarray(0, head).toString()).toMatch(/^HTTP\/1\.1 101 [^]*upgrade: h2c\r\n/i);
      return readFrames(all.subarray(head));
    };
    while (chunks.length === 0 || !frames().some((frame) => frame.is === "DATA")) await pause(2);
    expect(frames()[0]).toMatchObject({ is: "SETTINGS", ack: false });
    expect(frames().filter(({ is }) => is === "HEADERS" || is === "DATA")).toMatchObject([
      { is: "HEADERS", stream: 1 },
      { is: "DATA", stream: 1, data: { length: 3 } },
    ]);
    socket.write(Buffer.from("0000080600000000000000000000000000", "hex"));
    while (!frames().some((frame) => frame.is === "PING" && frame.ack)) await pause(2);
    socket.destroy();
  });

  test.each([
    ["with content", `POST /echo HTTP/1.1\r\nContent-Length: 2\r\n${UPGRADE}`, "ok"],
    ["settings twice", `GET / HTTP/1.1\r\n${UPGRADE}HTTP2-Settings: AAMAAABkAAQAAP__\r\n`, ""],
    ["settings that Connection does not name", `GET / HTTP/1.1\r\n${UPGRADE.replace(", HTTP2-Settings", "")}`, ""],
    ["settings that are cut", `GET / HTTP/1.1\r\n${UPGRADE.replace("AAMAAABkAAQAAP__", "AAMAAABkAA")}`, ""],
  ])("is ignored: %s", async (_, head, content) => {
    const server = await start();
    const answer = await talk(server.port, `${head}Host: x\r\n\r\n${content}${GET}`);
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 [^]*HTTP\/1\.1 200 /);
  });

  test("is ignored for CONNECT, which switches by itself", async () => {
    const server = await start();
    const answer = await talk(server.port, `CONNECT far:1 HTTP/1.1\r\nHost: far:1\r\n${UPGRADE}\r\nback`, 300);
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 [^]*back$/);
  });

  test("is ignored if `h2c` is false, and over TLS", async () => {
    const server = await start({ http2: { h2c: false } });
    expect((await talk(server.port, `GET / HTTP/1.1\r\nHost: x\r\n${UPGRADE}\r\n${GET}`)).toString()).toMatch(/^HTTP\/1\.1 200 /);
    const secure = await start({ tls: true });
    const socket = tls({ port: secure.port, host: "127.0.0.1", rejectUnauthorized: false });
    socket.write(`GET / HTTP/1.1\r\nHost: x\r\n${UPGRADE}\r\n${GET}`);
    const answer = Buffer.concat(await Array.fromAsync(socket as AsyncIterable<Buffer>));
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 /);
  });

  const list = (...values: string[]) => [
    field("connection", "Upgrade, HTTP2-Settings"),
    ...values.map((value) => field("http2-settings", value)),
  ];
  test.each([
    [["h2c"], list("AAMAAABkAAQAAP__"), 12],
    [["h2c"], list(""), 0],
    [["websocket"], list(""), undefined],
    [["h2c"], list(), undefined],
    [["h2c"], list("AAMAAABk", "AAMAAABk"), undefined],
    [["h2c"], list("AAMAAABkA"), undefined],
    [["h2c"], list("AAMAAA=="), undefined],
    [["h2c"], list("AAMA AABk"), undefined],
    [["h2c"], list("AAMAAABk".repeat(200)), undefined],
    [["h2c"], [field("http2-settings", "")], undefined],
  ])("Upgrade %j with %j: a payload of %j octets", (upgrade, fields, length) => {
    expect(settingsOffered(upgrade, fields)?.length).toBe(length);
  });
});

test.each(["--http1.0", "--http1.1", "--http2", "--http2-prior-knowledge"])("curl %s gets its version", async (version) => {
  const server = await start();
  const run = promisify(execFile);
  const { stdout } = await run("curl", ["-sS", version, "-w", " %{http_version}", `${server.url}bytes/100000`, "-o", "/dev/null"]);
  expect(stdout.trim()).toBe({ "--http1.0": "1.1", "--http1.1": "1.1" }[version] ?? "2");
  const posted = await run("curl", ["-sS", version, "--data-binary", "hello", `${server.url}echo`]);
  expect(posted.stdout).toBe("hello");
});
