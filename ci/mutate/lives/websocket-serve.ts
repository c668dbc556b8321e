import crypto, { createHash } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { Fields, type FieldsInit, type Request } from "../../../reference/http/index.ts";
import { deflateEngine } from "../../../reference/io/index.ts";
import type { Client } from "../../../reference/serve/client/connect.ts";
import type { ClientRequest } from "../../../reference/serve/client/request.ts";
import type { Closable, Exchange } from "../../../reference/serve/handler.ts";
import {
  connectWebSocket,
  type ConnectWebSocketOptions,
  type OpenWebSocket,
  webSocket,
  type WebSocketOptions,
} from "../../../reference/serve/websocket/index.ts";
import { Draw } from "./http1-draw.ts";
import { fieldsText, latin1 } from "./serve-handler.ts";
import { type Far, FarStream, farWire } from "./websocket-far.ts";
import { brief, type Wire } from "./serve-wire.ts";
import { errorText, World } from "./serve-world.ts";
import { cutAnew, drawnFrames } from "./websocket-frames.ts";
import { requestOf } from "./websocket-handshakes.ts";
import { about, act, opened, options, serving } from "./websocket-programs.ts";

type Peer = { readonly to: "server" | "client"; readonly isCompressed: boolean };
/** What a raw peer sends and does, and what time and the program do meanwhile. */
async function talk(world: World, far: Far, sockets: readonly OpenWebSocket[], { to, isCompressed }: Peer): Promise<void> {
  const { d } = world;
  const draw = (): number => d.below(0x4000_0000) / 0x4000_0000;
  // It never refers to earlier messages, and fits any window.
  const deflater = isCompressed ? deflateEngine().deflater(9, false) : undefined;
  const frames = drawnFrames(draw, { to, ...(deflater && { deflate: (octets, end) => deflater.deflate(octets, end) }) });
  for (const piece of cutAnew(draw, frames).slice(0, 60)) {
    world.say(`far > ${brief(latin1(piece))}`);
    far.send(piece);
    if (!d.once(4)) await world.settle();
    if (d.once(6)) await disturb(world, far, sockets);
  }
  deflater?.close();
  await world.settle();
  for (let more = d.between(1, 5); more > 0; more--) {
    await disturb(world, far, sockets);
    await world.settle();
    far.said();
  }
  far.stall(false);
  await world.settle();
}
const CLOSES = [
  [0x88, 0x80, 0, 0, 0, 0],
  [0x88, 0x82, 0, 0, 0, 0, 0x03, 0xe8],
  [0x88, 0x00],
  [0x88, 0x02, 0x03, 0xe8],
].map((octets) => Uint8Array.from(octets));

async function disturb(world: World, far: Far, sockets: readonly OpenWebSocket[]): Promise<void> {
  const { d } = world;
  const [socket] = sockets;
  await d.often<() => unknown>([
    [socket === undefined ? 0 : 6, () => act(world, "program", socket!)],
    [3, () => world.advance(d.of([1, 49, 50, 51, 299, 300, 699, 700, 701, 1_000, 5_000]))],
    [1, () => world.advance(d.of([29_999, 30_000, 30_001, 61_000]))],
    [1, () => (world.say("stalls"), far.stall(true))],
    [2, () => (world.say("reads"), far.stall(false))],
    [2, () => far.send(d.of(CLOSES).slice())],
    [1, () => (world.say("ends"), far.end())],
    [d.once(2) ? 1 : 0, () => (world.say("breaks"), far.break())],
  ])();
}

function exchangeOf(world: World, wire: Wire | undefined): Exchange {
  const { d } = world;
  const rest = d.once(3) ? Uint8Array.of(0x81, 0x81, 0, 0, 0, 0, 0x61).subarray(0, d.between(0, 7)) : new Uint8Array(0);
  const exchange = {
    closing: new Set<Closable>(),
    reset: (code: string) => world.say(`reset with ${code}`),
    switchTo: (status: number, fields: FieldsInit, take: (switched: unknown) => void) => {
      world.say(`switches ${status} ${fieldsText(fields as Iterable<readonly [string, string]>)}`);
      take({ socket: wire?.socket, rest });
      return { status };
    },
  };
  return exchange as unknown as Exchange;
}

const GOOD = { upgrade: "websocket", connection: "Upgrade", "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==" };
/** A server: of its own requests most are good. */
async function serverLife(world: World): Promise<void> {
  const { d } = world;
  const isHttp1 = d.once(2);
  const isCompressed = d.once(2);
  const extensions = isCompressed && {
    "sec-websocket-extensions": `permessage-deflate${d.of(["", "; client_max_window_bits", "; server_max_window_bits=9", "; server_no_context_takeover"])}`,
  };
  const own = {
    version: isHttp1 ? (d.once(20) ? "HTTP/1.0" : "HTTP/1.1") : "HTTP/2",
    method: isHttp1 ? "GET" : "CONNECT",
    scheme: "http",
    authority: "a",
    path: "/",
    ...(!isHttp1 && { protocol: "websocket" }),
    fields: Fields.from(
      Object.entries({
        ...(isHttp1 && GOOD),
        "sec-websocket-version": "13",
        ...extensions,
        ...(d.once(3) && { "sec-websocket-protocol": "chat" }),
        ...(d.once(3) && { origin: d.of(["http://a", "http://b"]) }),
      }),
    ),
  };
  const isOwn = !d.once(5);
  const head = isOwn ? own : requestOf(() => d.below(0x4000_0000) / 0x4000_0000, !isHttp1);
  const given: WebSocketOptions = {
    ...options(world),
    ...(d.once(4) && { origins: d.of([["*"], ["http://b"], ["http://a", "http://example.com"]]) }),
    ...(d.once(3) && { subprotocols: ["chat"] }),
    ...(d.once(2) && { onRefused: (fault, why) => world.say(`refused ${fault.name} ${why}`) }),
  };
  world.say(`${JSON.stringify(given)} ${JSON.stringify(head)} ${fieldsText(head.fields)}`);
  // The same options serve several connections.
  for (let left = d.once(4) ? 2 : 1; left > 0; left--) {
    const sockets: OpenWebSocket[] = [];
    const wire = isHttp1 ? world.wire("client") : undefined;
    // After a refusal the server of HTTP owns the socket, and hears its errors.
    wire?.socket.on("error", () => {});
    const stream = new FarStream(world);
    const far = wire === undefined ? stream : farWire(wire);
    const exchange = exchangeOf(world, wire);
    if (d.once(given.slowReader === undefined ? 6 : 2)) far.stall(true);
    const open = serving(world, sockets);
    world.try("", () => {
      const { status, fields, body } = webSocket({ ...head, body: stream.inflow } as unknown as Request, exchange, open, given);
      world.say(`answers ${status} ${fieldsText(fields ?? [])} ${typeof body === "string" ? body : ""}`);
      if (typeof body === "object" && Symbol.asyncIterator in body) void stream.read(body);
    });
    world.say(`${exchange.closing.size} close with the server`);
    await world.settle();
    const agreed = sockets[0]?.extensions !== "" && sockets.length > 0;
    await talk(world, far, sockets, { to: "server", isCompressed: agreed && isCompressed });
    if (d.once(3)) for (const one of exchange.closing) one.shutdown();
    await world.settle();
    if (d.once(2)) far.end();
    await world.advance(d.of([50, 800, 31_000]));
    world.say(`${exchange.closing.size} close with the server`);
    for (const socket of sockets) about(world, "server", socket);
    far.break();
    await world.settle();
  }
}

const DIGEST = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
/** The fields of a raw server's answer, most often good. */
function answerFields(d: Draw, request: string, isHttp1: boolean): [string, string][] {
  const key = /^sec-websocket-key: *(.*)\r$/im.exec(request)?.[1] ?? "";
  const fields: [string, string][] = isHttp1
    ? [
        ["upgrade", d.once(12) ? "h2c" : "websocket"],
        ["connection", "Upgrade"],
        [
          "sec-websocket-accept",
          d.once(12)
            ? key
            : createHash("sha1")
                .update(key + DIGEST)
                .digest("base64"),
        ],
      ]
    : [];
  if (/permessage-deflate/.test(request) && !d.once(3)) {
    fields.push([
      "sec-websocket-extensions",
      `permessage-deflate${d.of(["", "", "; client_no_context_takeover", "; server_no_context_takeover", "; client_max_window_bits=10"])}`,
    ]);
  }
  if (/superchat/.test(request) && !d.once(3))
    fields.push([
      "sec-websocket-protocol",
      d.often([
        [5, "chat"],
        [1, "none"],
      ]),
    ]);
  return fields.filter(() => !d.once(24));
}

/** A client: over a connection of its own, or over a stream. */
async function clientLife(world: World): Promise<void> {
  const { d } = world;
  const isHttp1 = d.once(2);
  const given: Omit<ConnectWebSocketOptions, "over"> = {
    ...options(world),
    ...(d.once(3) && { subprotocols: ["chat", "superchat"] }),
    ...(d.once(4) && {
      fields: d.of<FieldsInit | Record<string, string>>([
        [["X-A", "b"]],
        { "X-A": "b" },
        { Authorization: "c" },
        { Upgrade: "x" },
        { "Sec-WebSocket-Version": "13" },
      ]),
    }),
    ...(d.once(4) && { origin: "http://a" }),
  };
  const url = d.often([
    [16, "ws://a/p?q"],
    [4, "http://b:81"],
    [d.once(3) ? 1 : 0, d.of(["ftp://a/", "ws://a/#x", "ws://u@a/", "ws://:p@a/"])],
    // Over a stream nothing depends on TLS.
    [isHttp1 ? 0 : 5, d.of(["wss://a/", "https://a/x"])],
  ]);
  world.say(`${url} ${JSON.stringify(given)}`);
  world.reached = d.once(20) ? "refused" : "connected";
  const stream = new FarStream(world);
  const status = d.often([
    [12, isHttp1 ? 101 : 200],
    [1, 403],
    [1, isHttp1 ? 200 : 101],
  ]);
  const why = d.of(["", "no\r\nway", "x".repeat(300)]);
  let isCompressed = false;
  const over = isHttp1 ? undefined : clientOver(world, stream, { status, why, compressed: () => (isCompressed = true) });
  const sockets: OpenWebSocket[] = [];
  void world.tell("open", connectWebSocket(url, { ...given, ...(over && { over }) }), (socket) => {
    sockets.push(socket);
    opened(world, "client", socket);
    return "opened";
  });
  await world.settle();
  let far: Far = stream;
  const [wire] = world.far;
  if (wire !== undefined) {
    far = farWire(wire);
    const fields = answerFields(d, wire.all, true);
    isCompressed = fieldsText(fields).includes("permessage-deflate");
    const lines = [...fields, ...(status === 101 ? [] : [["content-length", String(why.length)]])].map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    const answer = `HTTP/1.1 ${status} Told\r\n${lines.join("")}\r\n${status === 101 ? "" : why}`;
    world.say(`far > ${brief(answer)}`);
    wire.send(answer + (d.once(4) ? latin1(Uint8Array.of(0x81, 0x01, 0x61).subarray(0, d.between(1, 3))) : ""));
  }
  await world.settle();
  await talk(world, far, sockets, { to: "client", isCompressed });
  if (d.once(2)) far.end();
  await world.advance(d.of([50, 800, 31_000]));
  for (const socket of sockets) about(world, "client", socket);
  far.break();
  await world.settle();
}

type Told = { readonly status: number; readonly why: string; compressed(): void };
/** An HTTP/2 connection that carries one stream. */
function clientOver(world: World, stream: FarStream, { status, why, compressed }: Told): Client {
  const { d } = world;
  const request = async ({ fields, body, signal, ...head }: ClientRequest): Promise<unknown> => {
    const asked = fieldsText(fields as Iterable<readonly [string, string]>);
    world.say(`asks ${JSON.stringify(head)} ${asked}`);
    signal?.addEventListener("abort", () => world.say("the request is aborted"));
    if (d.once(12)) throw new Error("the stream was refused");
    const answered = answerFields(d, asked, false);
    if (fieldsText(answered).includes("permessage-deflate")) compressed();
    void stream.read(body as AsyncIterable<Uint8Array>);
    const text = (): Promise<string> => (d.once(6) ? new Promise(() => {}) : Promise.resolve(why));
    return {
      status,
      fields: Fields.from(answered),
      version: "HTTP/2",
      interim: [],
      pushes: [],
      body: Object.assign(stream.inflow, { text }),
    };
  };
  const settings = d.once(12) ? d.of([undefined, { enableConnectProtocol: false }]) : { enableConnectProtocol: true };
  return { request, settings, version: "HTTP/2" } as unknown as Client;
}

/** Where random octets come from now. */
const STAGE: { draw: Draw | undefined } = { draw: undefined };
const original = crypto.randomFillSync;
function fill<Into extends NodeJS.ArrayBufferView>(into: Into): Into {
  const { draw } = STAGE;
  if (draw === undefined) return original(into);
  const octets = into as unknown as Uint8Array;
  for (let at = 0; at < octets.length; at++) octets[at] = draw.below(256);
  return into;
}

/** One life of a WebSocket with its program, over a socket or a stream in memory, in virtual time. */
export async function live(seed: number): Promise<string> {
  const d = new Draw(seed);
  if (crypto.randomFillSync !== fill) {
    crypto.randomFillSync = fill as typeof original;
    syncBuiltinESMExports();
  }
  STAGE.draw = new Draw(seed + 1);
  const world = new World(d);
  try {
    if (d.once(3)) await clientLife(world);
    else await serverLife(world);
    return await world.end();
  } catch (error) {
    return `${errorText(error)}\n${await world.end()}`;
  } finally {
    STAGE.draw = undefined;
    world.leave();
  }
}
