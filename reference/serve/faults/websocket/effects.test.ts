import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { connect } from "../../client/connect.ts";
import { connectWebSocket, serveWebSocket } from "../../websocket/index.ts";
import { parseSpec } from "../spec.ts";
import { CLIENT_FAULTS, SERVER_FAULTS } from "./index.ts";

const MOST = 2_000_000;
const graceMs = 0;
const onError = (): void => {};
const echo = (faults: readonly string[]) =>
  serveWebSocket(
    (socket) => {
      socket.onMessage = (data) => void socket.send(data);
    },
    { graceMs, faults, onError },
  );

/** Longer than the drive of a connection lingers after its end. */
const OPEN_MS = 1_500;
/**
 * What `ws` reports of a connection: messages, pongs, errors, and the code of its end. "open": it stays open long after everything else that
 * is `expected` has been seen.
 */
function noted(socket: WebSocket, expected: string): Promise<string> {
  const words: (string | number)[] = [];
  return new Promise((resolve) => {
    let late: NodeJS.Timeout | undefined;
    const note = (word: string | number): void => {
      words.push(word);
      watch();
    };
    const watch = (): void => {
      clearTimeout(late);
      if ([...words, "open"].join(" ") !== expected) return;
      late = setTimeout(() => {
        note("open");
        resolve(words.join(" "));
        socket.terminate();
      }, OPEN_MS);
    };
    watch();
    socket.on("message", (data: Buffer) => note(`"${data.toString()}"`));
    socket.on("pong", (data: Buffer) => note(`pong-${data.toString()}`));
    socket.on("error", (error: NodeJS.ErrnoException) => note(error.code ?? error.message));
    socket.on("close", (code) => {
      note(code);
      resolve(words.join(" "));
    });
  });
}
/** A client of `ws` sends a ping and a message, and closes when it is answered. */
async function clientSees(fault: string, expected: string): Promise<string> {
  await using server = await echo([fault]);
  const socket = new WebSocket(server.url, { maxPayload: MOST });
  const all = noted(socket, expected);
  socket.on("open", () => {
    socket.ping("p");
    socket.send("hello");
  });
  socket.on("message", (data: Buffer) => void (data.length > 0 && setTimeout(() => socket.close(1000), 20)));
  return await all;
}
/** Our client answers a ping of a server of `ws`, sends a message, and closes. */
async function serverSees(fault: string, expected: string): Promise<string> {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", maxPayload: MOST });
  await once(server, "listening");
  const seen = new Promise<string>((resolve) => {
    server.on("connection", (socket) => {
      resolve(noted(socket, expected));
      socket.ping("p");
    });
  });
  const socket = await connectWebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/`, { faults: [fault], onError });
  socket.onPong = () => {};
  // The ping arrives first.
  await new Promise((resolve) => setTimeout(resolve, 30));
  socket.send("hello");
  await new Promise((resolve) => setTimeout(resolve, 60));
  socket.close();
  const words = await seen;
  socket.abort();
  server.close();
  return words;
}

/** What `ws` sees of each fault, at either end. */
const EFFECTS: readonly [fault: string, seen: string, byServer?: string][] = [
  ["drop", "pong-p 1006"],
  ["drop:how=reset", "pong-p 1006"],
  ["half-frame", "pong-p 1006"],
  ["silence", "open"],
  ["silence:after=1", 'pong-p "hello" 1000', 'pong-p "hello" 1000'],
  ["no-close", 'pong-p "hello" open'],
  ["no-close:how=end", 'pong-p "hello" 1006'],
  ["bad-close:how=short", 'pong-p "hello" WS_ERR_INVALID_CONTROL_PAYLOAD_LENGTH 1006'],
  ["bad-close:how=reserved", 'pong-p "hello" WS_ERR_INVALID_CLOSE_CODE 1006'],
  ["bad-close:how=unassigned", 'pong-p "hello" WS_ERR_INVALID_CLOSE_CODE 1006'],
  ["bad-close:how=reason", 'pong-p "hello" WS_ERR_INVALID_UTF8 1006'],
  ["after-close", 'pong-p "hello" 1000', 'pong-p "hello" 1000'],
  ["delay:ms=50", 'pong-p "hello" 1000', 'pong-p "hello" 1000'],
  ["slow:octets=3,ms=5", 'pong-p "hello" 1000', 'pong-p "hello" 1000'],
  ["bad-mask", "pong-p WS_ERR_UNEXPECTED_MASK 1006", "pong-p WS_ERR_EXPECTED_MASK 1006"],
  ["bad-utf8:how=octet", "pong-p WS_ERR_INVALID_UTF8 1006"],
  ["bad-utf8:how=cut", "pong-p WS_ERR_INVALID_UTF8 1006"],
  ["bad-utf8:how=overlong", "pong-p WS_ERR_INVALID_UTF8 1006"],
  ["bad-utf8:how=surrogate", "pong-p WS_ERR_INVALID_UTF8 1006"],
  ["oversize:how=announced", "pong-p WS_ERR_UNSUPPORTED_MESSAGE_LENGTH 1006"],
  ["oversize:how=sent,octets=2000001", "pong-p WS_ERR_UNSUPPORTED_MESSAGE_LENGTH 1006"],
  ["oversize:how=bit", "pong-p WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH 1006"],
  ["reserved-bit:bit=3", "pong-p WS_ERR_UNEXPECTED_RSV_2_3 1006"],
  ["reserved-bit:bit=1", "pong-p WS_ERR_UNEXPECTED_RSV_1 1006"],
  ["bad-opcode:opcode=3", "pong-p WS_ERR_INVALID_OPCODE 1006"],
  ["bad-opcode:opcode=11", "pong-p WS_ERR_INVALID_OPCODE 1006"],
  ["bad-control:how=fragmented", "pong-p WS_ERR_EXPECTED_FIN 1006"],
  ["bad-control:how=long", "pong-p WS_ERR_INVALID_CONTROL_PAYLOAD_LENGTH 1006"],
  ["bad-fragment:how=stray", "pong-p WS_ERR_INVALID_OPCODE 1006"],
  ["bad-fragment:how=nested", "pong-p WS_ERR_INVALID_OPCODE 1006"],
  ["long-length", 'pong-p "hello" 1000', 'pong-p "hello" 1000'],
  ["ping-ack:how=never", '"hello" 1000', '"hello" 1000'],
  ["ping-ack:how=wrong", 'pong-other "hello" 1000', 'pong-other "hello" 1000'],
  ["ping-ack:how=twice", 'pong-p pong-p "hello" 1000', 'pong-p pong-p "hello" 1000'],
  ["flood:what=empty,frames=3", 'pong-p "" "hello" 1000', 'pong-p "" "hello" 1000'],
  ["flood:what=pong,frames=2", 'pong-p pong- pong- "hello" 1000', 'pong-p pong- pong- "hello" 1000'],
  ["garbage", "pong-p WS_ERR_UNEXPECTED_RSV_2_3 1006"],
  ["http", "pong-p WS_ERR_UNEXPECTED_RSV_1 1006"],
];

describe.concurrent("what ws sees of each fault of WebSocket", () => {
  it("is listed for every fault, and every choice of what is wrong", () => {
    for (const known of [SERVER_FAULTS, CLIENT_FAULTS]) {
      const shown = EFFECTS.map(([fault]) => parseSpec(fault, known, "WebSocket"));
      for (const { name, args } of known) {
        expect(shown.map(({ fault }) => fault.name)).toContain(name);
        const { how } = args;
        if (how?.is !== "word" || how.words.includes("reset")) continue;
        const tried = shown.filter(({ fault }) => fault.name === name).map(({ values }) => values["how"]);
        expect(tried, name).toEqual(expect.arrayContaining([...how.words]));
      }
    }
  });
  it.each(EFFECTS)("at a server: %s", async (fault: string, seen: string) => expect(await clientSees(fault, seen)).toBe(seen));
  it.each(EFFECTS)("at a client: %s", async (fault: string, seen: string, byServer = seen) =>
    expect(await serverSees(fault, byServer)).toBe(byServer),
  );
});

describe("faults of WebSocket", () => {
  it("work over HTTP/2 too", async () => {
    await using server = await echo(["bad-utf8:after=2"]);
    await using client = await connect(server.url.replace("ws", "http"), { alpn: ["h2"], graceMs });
    const socket = await connectWebSocket(server.url, { over: client });
    socket.onMessage = () => void socket.send("again");
    socket.send("hello");
    expect(await socket.closed).toMatchObject({ fault: { name: "textInvalid" } });
  });
  it("are refused if nobody knows them, with the names of those that exist", async () => {
    await expect(echo(["no-such"])).rejects.toThrow(/WebSocket has no fault "no-such"\. Known: drop, /);
    await expect(echo(["bad-chunk"])).rejects.toThrow(/WebSocket cannot do "bad-chunk", which HTTP\/1\.1 can/);
    await expect(connectWebSocket("ws://127.0.0.1:1/", { faults: ["no-such"] })).rejects.toThrow(/WebSocket has no fault "no-such"/);
  });
});
