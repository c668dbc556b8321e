import { createServer as createHttp } from "node:http";
import { createServer, type Server as NetServer, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { Misuse } from "../../core/index.ts";
import { acceptKey } from "../../websocket/index.ts";
import { connect } from "../http2/index.ts";
import { serve } from "../server/serve.ts";
import { echo } from "./echo.ts";
import { connectWebSocket, HandshakeFailed, serveWebSocket, type ConnectWebSocketOptions, type WebSocketServeOptions } from "./index.ts";
import { sha1 } from "./platform.ts";
import { Fixture, until } from "./testing.ts";

const fixture = new Fixture();
afterEach(() => fixture.clear());

/** A server that answers a handshake with these lines; ACCEPT stands for the correct value. */
async function answering(lines: string, after: (socket: Socket) => void = () => {}): Promise<string> {
  const server: NetServer = createServer((socket) => {
    socket.on("error", () => {});
    fixture.onEnd(() => void socket.destroy());
    socket.once("data", (octets: Buffer) => {
      const key = /sec-websocket-key: (\S+)/i.exec(octets.toString("latin1"))![1]!;
      socket.write(lines.replace("ACCEPT", acceptKey(key, sha1)), "latin1");
      after(socket);
    });
  }).listen(0, "127.0.0.1");
  await new Promise<void>((resolve) => void server.once("listening", resolve));
  fixture.onEnd(() => void server.close());
  return `ws://127.0.0.1:${(server.address() as { port: number }).port}/`;
}
const SWITCH = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ACCEPT\r\n";

describe("a handshake", () => {
  test.each<readonly [string, string, string]>([
    ["no accept", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n", "acceptMissing"],
    ["a wrong one", `${SWITCH.replace("ACCEPT", "AAAAAAAAAAAAAAAAAAAAAAAAAAA=")}\r\n`, "acceptWrong"],
    ["a sub-protocol that was not offered", `${SWITCH}Sec-WebSocket-Protocol: other\r\n\r\n`, "protocolUnasked"],
    ["an extension that was not offered", `${SWITCH}Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n`, "extensionUnasked"],
  ])("with %s fails, and blames the server", async (_what, lines, name) => {
    let ended = false;
    const url = await answering(lines, (socket) => void socket.once("close", () => (ended = true)));
    const failed = await connectWebSocket(url, { subprotocols: ["chat"] }).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(HandshakeFailed);
    expect(failed).toMatchObject({ status: 101, fault: { name } });
    await until(() => ended);
  });

  test("that is declined fails with the status and the server's words", async () => {
    const server = createHttp((_, response) => response.writeHead(503).end("later, please")).listen(0, "127.0.0.1");
    await new Promise<void>((resolve) => void server.once("listening", resolve));
    fixture.onEnd(() => void server.close());
    const url = `ws://127.0.0.1:${(server.address() as { port: number }).port}/`;
    await expect(connectWebSocket(url)).rejects.toMatchObject({
      status: 503,
      message: expect.stringMatching(/answers 503: later, please$/),
    });
  });

  test.each(["https", "wss"])("with an %s: URL goes over TLS", async (scheme) => {
    const server = await fixture.server(echo, { tls: true });
    const socket = await connectWebSocket(`${scheme}://127.0.0.1:${server.port}/`, { tls: { ca: server.certificate! } });
    fixture.onEnd(() => socket.abort());
    expect(socket.state).toBe("open");
  });

  test("that is not answered times out", async () => {
    const url = await answering("");
    await expect(connectWebSocket(url, { connectMs: 50 })).rejects.toThrow("abort");
  });

  test("carries the caller's fields, given either way, but none of the handshake's own", async () => {
    const seen: (string | undefined)[] = [];
    const server = await fixture.server((_, { fields }) => void seen.push(fields.get("authorization"), fields.get("x-one")));
    for (const fields of [{ Authorization: "Bearer x", "X-One": "1" }, [["authorization", "Bearer x"] as const, ["x-one", "1"] as const]]) {
      const socket = await connectWebSocket(server.url, { fields });
      socket.close();
      await socket.closed;
    }
    expect(seen).toEqual(["Bearer x", "1", "Bearer x", "1"]);
    await expect(connectWebSocket(server.url, { fields: { "Sec-WebSocket-Key": "x" } })).rejects.toThrow(Misuse);
  });

  test.each(["ftp://a/", "ws://a/#b", "ws://user:pass@a/"])("%s is not a WebSocket URL", async (url) => {
    await expect(connectWebSocket(url)).rejects.toThrow(Misuse);
  });

  test("over HTTP/2 fails at once if the server has not enabled extended CONNECT", async () => {
    const server = await serve(() => ({ status: 200 }), { graceMs: 0 });
    fixture.onEnd(() => server.close());
    const client = await connect(server.url, { graceMs: 0 });
    fixture.onEnd(() => client.close());
    await expect(connectWebSocket(server.url, { over: client })).rejects.toThrow("has not enabled extended CONNECT");
  });

  test("several WebSockets share one HTTP/2 connection with other requests", async () => {
    const server = await fixture.server(echo, { paths: ["/"] });
    const client = await connect(server.url.replace("ws", "http"), { graceMs: 0 });
    fixture.onEnd(() => client.close());
    const sockets = await Promise.all(Array.from({ length: 5 }, () => connectWebSocket(server.url, { over: client })));
    const answers = sockets.map(
      (socket, i) =>
        new Promise((resolve) => {
          socket.onMessage = resolve;
          socket.send(`message ${i}`);
        }),
    );
    expect((await client.request({ path: "/elsewhere" })).status).toBe(404);
    expect(await Promise.all(answers)).toEqual([0, 1, 2, 3, 4].map((i) => `message ${i}`));
    expect(server.connections).toBe(1);
  });
});

describe("frames that arrive with the response", () => {
  test("are read, even if the caller reads late", async () => {
    const url = await answering(`${SWITCH}\r\n\x81\x05hello`);
    const socket = await connectWebSocket(url);
    await new Promise((resolve) => setTimeout(resolve, 10));
    const iterator = socket[Symbol.asyncIterator]();
    expect(await iterator.next()).toEqual({ done: false, value: "hello" });
    socket.abort();
  });
});

describe("a client", () => {
  test("closes with 1002 if the server masks", async () => {
    const octets: Buffer[] = [];
    const url = await answering(`${SWITCH}\r\n`, (socket) => {
      socket.on("data", (more: Buffer) => void octets.push(more));
      socket.write(Buffer.of(0x81, 0x80, 0, 0, 0, 0));
    });
    const socket = await connectWebSocket(url);
    expect(await socket.closed).toMatchObject({ code: 1006, clean: false, fault: { name: "maskForbidden", code: 1002 } });
    await until(() => octets.length > 0);
    const close = Buffer.concat(octets);
    expect([close[0], close[1]! & 0x80]).toEqual([0x88, 0x80]);
  });
});

test("OpenWebSocket: shows the user its interface and nothing of the machine or the transport", async () => {
  const socket = await fixture.pair("ws", echo, { deflate: true, subprotocols: ["chat"] }, { deflate: true, subprotocols: ["chat"] });
  const shown = [...Object.keys(socket), ...Object.getOwnPropertyNames(Object.getPrototypeOf(socket))].filter(
    (name) => name !== "constructor",
  );
  expect(shown.toSorted()).toEqual(
    "abort close closed drained dropped extensions isPaused onClose onMessage onPong pause ping queued resume send sendPart state subprotocol".split(
      " ",
    ),
  );
  expect([socket.state, socket.subprotocol, socket.extensions]).toEqual(["open", "chat", expect.stringMatching(/^permessage-deflate/)]);
  socket.close();
  expect(socket.state).toBe("closing");
  await socket.closed;
  expect(socket.state).toBe("closed");
});

test("serveWebSocket: refuses a fault that WebSocket does not have", async () => {
  await expect(serveWebSocket(echo, { faults: ["no-such"] })).rejects.toThrow(/no fault "no-such"/);
});

test.each([
  ["connectWebSocket", () => connectWebSocket("ws://127.0.0.1:1/", { protocols: ["chat"] } as ConnectWebSocketOptions)],
  ["serveWebSocket", () => serveWebSocket(echo, { paht: ["/"] } as WebSocketServeOptions)],
])("%s: refuses an unknown option", async (name, call) => {
  await expect(call()).rejects.toThrow(new RegExp(`^${name}: there is no option .* did you mean`));
});
