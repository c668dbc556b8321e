import { createHash } from "node:crypto";
import { createServer, type Socket } from "node:net";
import { listening, type RunningImpostor } from "../harness/impostors/listening.ts";

/**
 * Servers that understand nothing: each answers everything in the same way, without reading more than it needs to find where an answer is
 * due. They measure the suites: a pass of a stub is a pass that anybody gets.
 */

/** A stub by its name; `handle` gets each connection. */
export type Stub = { readonly name: string; readonly handle: (socket: Socket) => void };

/** One answer for every empty line; the word "close" ends the connection, or the first answer does. */
const http1 = (answer: string, ends: boolean) => (socket: Socket) => {
  let tail = "";
  socket.on("data", (octets: Buffer) => {
    const text = tail + octets.toString("latin1");
    const heads = text.split("\r\n\r\n");
    tail = (heads.pop() ?? "").slice(-20);
    for (const _ of heads) socket.write(answer);
    if (heads.length > 0 && (ends || /close\s*$/m.test(heads.join("\n")))) socket.end();
  });
};

const PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const HEADERS = 1;
const DATA = 0;
const SETTINGS = 4;
const PING = 6;
const ACK = 1;
const END_STREAM = 1;
const END_HEADERS = 4;

function frame(type: number, flags: number, stream: number, payload: Uint8Array = new Uint8Array()): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** Sends one field block of one octet for every HEADERS frame, which it does not decode, and content. */
const http2 = (block: number, content: string) =>
  answering((stream) => [
    frame(HEADERS, END_HEADERS | (content === "" ? END_STREAM : 0), stream, Uint8Array.of(block)),
    ...(content === "" ? [] : [frame(DATA, END_STREAM, stream, Buffer.from(content))]),
  ]);

/** Fields as literals without indexing (rfc7541#6.2.2). */
const block = (fields: readonly (readonly [name: string, value: string])[]): Buffer =>
  Buffer.concat(
    fields.flatMap(([name, value]) => [Buffer.from([0, name.length]), Buffer.from(name), Buffer.from([value.length]), Buffer.from(value)]),
  );
const HEAD = [
  [":status", "200"],
  ["content-type", "application/rpc"],
] as const;

/** One message and OK for every call, or only a status. */
const rpc = (message: string | undefined, status: number) =>
  answering((stream) => {
    const trailers = [["rpc-status", String(status)]] as const;
    if (message === undefined) return [frame(HEADERS, END_HEADERS | END_STREAM, stream, block([...HEAD, ...trailers]))];
    return [
      frame(HEADERS, END_HEADERS, stream, block(HEAD)),
      frame(DATA, 0, stream, Buffer.concat([Buffer.from([0, 0, 0, 0, message.length]), Buffer.from(message)])),
      frame(HEADERS, END_HEADERS | END_STREAM, stream, block(trailers)),
    ];
  });

/** Acknowledges SETTINGS and PING, and answers every HEADERS frame alike. */
const answering = (answer: (stream: number) => readonly Buffer[]) => (socket: Socket) => {
  let buffered = Buffer.alloc(0);
  let isGreeted = false;
  socket.write(frame(SETTINGS, 0, 0));
  socket.on("data", (octets: Buffer) => {
    buffered = Buffer.concat([buffered, octets]);
    if (!isGreeted && buffered.length < PREFACE.length) return;
    if (!isGreeted) buffered = buffered.subarray(PREFACE.length);
    isGreeted = true;
    while (buffered.length >= 9) {
      const length = buffered.readUIntBE(0, 3);
      if (buffered.length < 9 + length) return;
      const [type = 0, flags = 0] = buffered.subarray(3, 5);
      const stream = buffered.readUInt32BE(5) & 0x7fffffff;
      const payload = Buffer.from(buffered.subarray(9, 9 + length));
      buffered = buffered.subarray(9 + length);
      if (type === SETTINGS && (flags & ACK) === 0) socket.write(frame(SETTINGS, ACK, 0));
      if (type === PING && (flags & ACK) === 0) socket.write(frame(PING, ACK, 0, payload));
      if (type !== HEADERS) continue;
      for (const one of answer(stream)) socket.write(one);
    }
  });
};

const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** Agrees to every handshake, and sends every frame back without its mask; a PING as a PONG, and the connection ends after a Close frame. */
const websocket = (socket: Socket): void => {
  let buffered = Buffer.alloc(0);
  let open = false;
  socket.on("data", (octets: Buffer) => {
    buffered = Buffer.concat([buffered, octets]);
    if (!open) {
      const end = buffered.indexOf("\r\n\r\n");
      if (end < 0) return;
      const key = /^sec-websocket-key:\s*(\S*)/im.exec(buffered.subarray(0, end).toString("latin1"))?.[1] ?? "";
      const accept = createHash("sha1")
        .update(key + GUID)
        .digest("base64");
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
      );
      buffered = buffered.subarray(end + 4);
      open = true;
    }
    for (let read = nextFrame(buffered); read !== undefined; read = nextFrame(buffered)) {
      buffered = buffered.subarray(read.octets);
      socket.write(read.back);
      if (read.closes) socket.end();
    }
  });
};

/** The next frame as it is sent back, and how many octets it had. */
function nextFrame(from: Buffer): { readonly back: Buffer; readonly octets: number; readonly closes: boolean } | undefined {
  const [first = 0, second = 0] = from;
  const short = second & 0x7f;
  const extended = short === 126 ? 2 : short === 127 ? 8 : 0;
  const masked = (second & 0x80) !== 0;
  const start = 2 + extended + (masked ? 4 : 0);
  if (from.length < start) return undefined;
  const length = extended === 0 ? short : extended === 2 ? from.readUInt16BE(2) : Number(from.readBigUInt64BE(2));
  if (from.length < start + length) return undefined;
  const payload = Buffer.from(from.subarray(start, start + length));
  if (masked) for (let at = 0; at < length; at++) payload[at] = (payload[at] ?? 0) ^ (from[start - 4 + (at % 4)] ?? 0);
  const opcode = first & 0x0f;
  const back = Buffer.concat([Buffer.from([opcode === 9 ? (first & 0xf0) | 10 : first, short]), from.subarray(2, 2 + extended), payload]);
  return { back, octets: start + length, closes: opcode === 8 };
}

const mirror = (socket: Socket): void => void socket.pipe(socket);
const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
const OK_AND_CLOSE = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok";
const BAD = "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
/** The static entries `:status: 200` and `:status: 400`, as an indexed field (rfc7541#6.1). */
const INDEXED_200 = 0x88;
const INDEXED_400 = 0x8c;

/** The stubs of each suite for servers. */
export const STUBS: Readonly<Record<"http1" | "http2" | "websocket" | "rpc", readonly Stub[]>> = {
  http1: [
    { name: "always 200", handle: http1(OK, false) },
    { name: "always 200, then the end", handle: http1(OK_AND_CLOSE, true) },
    { name: "always 400", handle: http1(BAD, true) },
    { name: "echo everything", handle: mirror },
  ],
  http2: [
    { name: "always 200", handle: http2(INDEXED_200, "") },
    { name: "always 200 with content", handle: http2(INDEXED_200, "always the same, whatever the request was about") },
    { name: "always 400", handle: http2(INDEXED_400, "") },
    { name: "echo everything", handle: mirror },
  ],
  rpc: [
    // A Response with the payload that most calls send.
    { name: "always OK", handle: rpc("\n\ntouchstone\u0010\u0001", 0) },
    { name: "always OK without a payload", handle: rpc("", 0) },
    { name: "always OK without a message", handle: rpc(undefined, 0) },
    { name: "always INTERNAL", handle: rpc(undefined, 13) },
    { name: "always UNIMPLEMENTED", handle: rpc(undefined, 12) },
    { name: "always 200", handle: http2(INDEXED_200, "") },
    { name: "echo everything", handle: mirror },
  ],
  websocket: [
    { name: "always 200", handle: http1(OK, false) },
    { name: "always 400", handle: http1(BAD, true) },
    { name: "echo everything", handle: mirror },
    { name: "echo every frame", handle: websocket },
  ],
};

/** Starts a stub on a port of this machine. */
export const startStub = (suite: keyof typeof STUBS, { handle }: Stub): Promise<RunningImpostor> =>
  listening(createServer(handle), suite === "websocket" ? "ws" : "http");
