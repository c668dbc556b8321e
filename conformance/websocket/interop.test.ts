import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { chromium } from "playwright-core";
import { afterAll, describe, expect, test, type TestContext } from "vitest";
import Ws from "ws";
import { connectWebSocket, serveWebSocket, type OnOpen, type WebSocketServeOptions } from "../../reference/serve/websocket/index.ts";
import { selfSigned } from "../../reference/io/index.ts";
import { connect, serve, type Server } from "../../reference/serve/index.ts";
import { webSocket } from "../../reference/serve/websocket/index.ts";
import { allPeers, peer, startPeer, versionOf, type Peer } from "../peers/index.ts";

/** Our WebSocket client with everybody's server, and our server with everybody's client: what is not installed says how to get it. */

const missing = new Set<string>();
afterAll(() => {
  for (const line of missing) console.log(line);
});
function absent(context: TestContext, line: string): never {
  missing.add(line);
  return context.skip(line);
}
async function mustBeHere(p: Peer, context: TestContext): Promise<void> {
  if ((await versionOf(p)) === undefined) absent(context, `${p.name} is not installed: ${p.install}`);
}

const MESSAGES = ["", "é", "x".repeat(70_000), Buffer.alloc(0), randomBytes(125), randomBytes(126), randomBytes(300_000)] as const;

const echo: OnOpen = (socket) => {
  socket.onMessage = (data, kind) => void socket.send(data, kind);
};
const ours = (deflate: boolean, options: WebSocketServeOptions = {}): Promise<Server> =>
  serveWebSocket(echo, { deflate: deflate && { threshold: 0 }, subprotocols: ["chat"], onError: () => {}, graceMs: 500, ...options });

/** A peer on a machine with twenty other jobs takes longer than the defaults allow. */
const PATIENT = { pongMs: 300_000, closeMs: 300_000, endMs: 300_000 };

const servers = allPeers().filter(({ speaks, name }) => speaks["websocket"]?.server !== undefined && name !== "touchstone");

describe.each(servers.map((p) => [p.name, p] as const))("our client with the server %s", (_, p) => {
  test.for([false, true])("messages of all sizes come back, and the end is clean; compression offered: %s", async (deflate, context) => {
    await mustBeHere(p, context);
    await using running = await startPeer(p, { protocol: "websocket" });
    const options = { deflate: deflate && { threshold: 0 }, subprotocols: ["chat"], limits: PATIENT };
    const socket = await connectWebSocket(running.url, options);
    for (const message of MESSAGES) socket.send(message);
    const got: (string | Buffer)[] = [];
    for await (const message of socket) {
      got.push(typeof message === "string" ? message : Buffer.from(message));
      if (got.length === MESSAGES.length) break;
    }
    expect(got).toEqual(MESSAGES);
    expect(await socket.closed).toMatchObject({ code: 1000, clean: true });
  });
});

describe.each([false, true])("our server, compression: %s", (deflate) => {
  const extension = deflate ? "permessage-deflate" : "";

  test("with the client ws", async () => {
    await using server = await ours(deflate, { tls: true });
    const client = new Ws(server.url, ["other", "chat"], { ca: server.certificate, perMessageDeflate: { threshold: 0 } });
    const got: unknown[] = [];
    client.on("message", (data: Buffer, isBinary) => {
      got.push(isBinary ? data : data.toString());
      if (got.length === MESSAGES.length) client.close(4_000, "enough");
    });
    client.on("open", () => {
      for (const message of MESSAGES) client.send(message);
    });
    const code = await new Promise((resolve, reject) => void client.on("error", reject).on("close", resolve));
    expect([got, code, client.protocol, client.extensions.split(";", 1)[0]]).toEqual([MESSAGES, 4_000, "chat", extension]);
  });

  test("with Node's own client", async () => {
    await using server = await ours(deflate);
    expect(
      await asBrowsersDo(
        server.url,
        MESSAGES.map((message) => (typeof message === "string" ? message : [...message])),
      ),
    ).toEqual({
      protocol: "chat",
      extension,
      equal: true,
      code: 4_000,
      clean: true,
    });
  });

  test("with Python's websockets", async (context) => {
    const p = peer("websockets");
    await mustBeHere(p, context);
    await using server = await ours(deflate);
    const compression = deflate ? "'deflate'" : "None";
    const script = [
      "import asyncio, os, websockets",
      "async def main():",
      `  async with websockets.connect('${server.url}', subprotocols=['chat'], compression=${compression}) as socket:`,
      "    for message in ['', '\\u00e9', 'x' * 70000, b'', os.urandom(126), os.urandom(300000)]:",
      "      await socket.send(message)",
      "      assert await socket.recv() == message",
      "    await socket.close(4000, 'enough')",
      "    print(socket.subprotocol, socket.close_code, [e.name for e in socket.protocol.extensions])",
      "asyncio.run(main())",
    ].join("\n");
    const { stdout } = await promisify(execFile)(join(p.here, "python.sh"), ["-c", script]);
    expect(stdout.trim()).toBe(`chat 4000 ${deflate ? "['permessage-deflate']" : "[]"}`);
  });
});

describe("over HTTP/3, with aioquic and wsproto (rfc9220)", () => {
  const aioquic = peer("aioquic");
  const python = join(peer("websockets").here, "python.sh");
  const script = join(aioquic.here, "websocket.py");

  test("their client and our server", async (context) => {
    await mustBeHere(aioquic, context);
    await using server = await ours(true, { alpn: ["h3"] });
    const { stdout } = await promisify(execFile)(python, [script, "client", server.url.replace(/^ws/, "http")]);
    expect(JSON.parse(stdout)).toEqual({
      announced: 1,
      status: "200",
      protocol: "chat",
      deflate: true,
      equal: true,
      code: 4_000,
      ended: "in order",
    });
  });

  test.for([false, true])("our client and their server, compression offered: %s", async (deflate, context) => {
    await mustBeHere(aioquic, context);
    const folder = mkdtempSync(join(tmpdir(), "touchstone-websocket-"));
    const identity = await selfSigned();
    const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
    writeFileSync(cert, identity.cert);
    writeFileSync(key, identity.key);
    const child = spawn(python, [script, "server", "0", cert, key], { stdio: ["ignore", "pipe", "inherit"] });
    try {
      const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
      const url = `https://127.0.0.1:${line}/`;
      await using over = await connect(url, { alpn: ["h3"], tls: { ca: identity.cert }, graceMs: 200 });
      const socket = await connectWebSocket(url, { over, deflate: deflate && { threshold: 0 }, subprotocols: ["chat"], limits: PATIENT });
      expect([over.version, socket.subprotocol]).toEqual(["HTTP/3", "chat"]);
      for (const message of MESSAGES) socket.send(message);
      const got: (string | Buffer)[] = [];
      for await (const message of socket) {
        got.push(typeof message === "string" ? message : Buffer.from(message));
        if (got.length === MESSAGES.length) break;
      }
      expect(got).toEqual(MESSAGES);
      expect(await socket.closed).toMatchObject({ code: 1000, clean: true });
    } finally {
      child.kill();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

/** Runs here, and in a page: sends each message, compares what comes back, and closes. Octets are lists of numbers. */
async function asBrowsersDo(url: string, messages: readonly (string | number[])[]): Promise<object> {
  const client = new WebSocket(url, ["other", "chat"]);
  client.binaryType = "arraybuffer";
  const next = (): Promise<MessageEvent> => new Promise((resolve) => client.addEventListener("message", resolve, { once: true }));
  await new Promise((resolve, reject) => {
    client.addEventListener("open", resolve);
    client.addEventListener("error", () => reject(new Error("it was not opened")));
  });
  let equal = true;
  for (const message of messages) {
    client.send(typeof message === "string" ? message : Uint8Array.from(message));
    const { data } = (await next()) as MessageEvent<string | ArrayBuffer>;
    const back = typeof data === "string" ? data : [...new Uint8Array(data)];
    equal &&= JSON.stringify(back) === JSON.stringify(message);
  }
  const { protocol, extensions } = client;
  client.close(4_000, "enough");
  const { code, wasClean } = await new Promise<CloseEvent>((resolve) => client.addEventListener("close", resolve));
  return { protocol, extension: extensions.split(";", 1)[0], equal, code, clean: wasClean };
}

const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => existsSync(path));
const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"];
const SIZES = ["", "é", "x".repeat(70_000), [], [1, 2, 3], Array.from({ length: 70_000 }, (_, i) => i & 0xff)];

describe("our server with Chromium", () => {
  test.for([
    ["HTTP/1.1", false],
    ["HTTP/1.1", true],
    ["HTTP/2", false],
    ["HTTP/2", true],
  ] as const)("over %s, compression: %s", async ([version, deflate], context) => {
    if (CHROMIUM === undefined) return absent(context, "There is no chromium here: on Debian, apt-get install chromium.");
    const seen: string[] = [];
    const handler: Parameters<typeof serve>[0] = (request, exchange) => {
      if (request.path !== "/echo")
        return { status: 200, fields: [["content-type", "text/html"]], body: "<!doctype html><title>WebSocket</title>" };
      seen.push(request.version);
      return webSocket(request, exchange, echo, { deflate: deflate && { threshold: 0 }, subprotocols: ["chat"] });
    };
    // A browser opens a WebSocket over HTTP/2 where it has a connection to the same origin that has announced extended CONNECT (rfc8441#3).
    await using server = await serve(handler, {
      tls: version === "HTTP/2",
      alpn: version === "HTTP/2" ? ["h2", "http/1.1"] : ["http/1.1"],
      http2: { settings: { enableConnectProtocol: true } },
      onError: () => {},
      graceMs: 500,
    });
    const folder = mkdtempSync(join(tmpdir(), "touchstone-websocket-"));
    const browser = await chromium.launchPersistentContext(folder, { executablePath: CHROMIUM, args: FLAGS, ignoreHTTPSErrors: true });
    // A page takes minutes on a machine with twenty other jobs.
    browser.setDefaultTimeout(120_000);
    try {
      const page = await browser.newPage();
      await page.goto(server.url);
      const url = `${server.url.replace("http", "ws")}echo`;
      const told = await page.evaluate(`(${asBrowsersDo.toString()})(${JSON.stringify(url)}, ${JSON.stringify(SIZES)})`);
      expect(told).toEqual({ protocol: "chat", extension: deflate ? "permessage-deflate" : "", equal: true, code: 4_000, clean: true });
      expect(seen).toEqual([version]);
    } finally {
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
    }
    return undefined;
  });
});
