import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { constants, deflateRawSync } from "node:zlib";
import type { Measures } from "../lib/alternate.ts";
import { measured } from "../lib/measured.ts";
import type { BenchSubject } from "../lib/subject.ts";

/** Messages to an echo endpoint, over raw sockets with prepared frames, so that the client is faster than the server. */
export type EchoLoad = {
  readonly connections: number;
  /** Messages in flight on each connection. */
  readonly inFlight: number;
  /** Octets of a message before compression. */
  readonly size: number;
  /** On all connections together. */
  readonly messages: number;
  readonly compressed: boolean;
};

const TIME_LIMIT_MS = 120_000;
/** The maximum size of the buffer of repeated frames, which is sent in one write. */
const WRITE_OCTETS = 1 << 20;

/** Each connection keeps `inFlight` messages in flight: it sends a message for each echo. */
export async function echoes(subject: BenchSubject, load: EchoLoad): Promise<Measures> {
  const each = Math.ceil(load.messages / load.connections);
  const frame = load.compressed ? compressedFrame(json(load.size)) : plainFrame(Buffer.alloc(load.size, "touchstone "));
  const copies = Math.max(1, Math.min(load.inFlight, Math.floor(WRITE_OCTETS / frame.length)));
  const frames = Buffer.concat(Array.from({ length: copies }, () => frame));
  const sockets = await Promise.all(Array.from({ length: load.connections }, () => open(subject, load.compressed)));
  try {
    return await measured(subject, "message", async () => {
      const began = performance.now();
      await Promise.all(sockets.map((socket) => exchange(subject, socket, { frames, frame, copies, each, load })));
      return { count: each * load.connections, seconds: (performance.now() - began) / 1_000 };
    });
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

type Exchange = {
  readonly frames: Buffer;
  readonly frame: Buffer;
  readonly copies: number;
  readonly each: number;
  readonly load: EchoLoad;
};

function exchange(subject: BenchSubject, socket: Socket, { frames, frame, copies, each, load }: Exchange): Promise<void> {
  return new Promise((resolve, reject) => {
    let unsent = each;
    let due = each;
    const count = load.compressed ? countFrames() : countOctets(headOf(load.size) + load.size);
    const fail = (why: string): void => {
      socket.destroy();
      reject(new Error(`${subject.name}: ${why}`));
    };
    const send = (wanted: number): void => {
      let left = Math.min(wanted, unsent);
      unsent -= left;
      for (; left > 0; left -= copies) socket.write(left >= copies ? frames : frames.subarray(0, left * frame.length));
    };
    socket.removeAllListeners("error").removeAllListeners("close");
    socket.once("error", ({ message }) => fail(message)).once("close", () => fail("the server closed the connection"));
    socket.setTimeout(TIME_LIMIT_MS, () => fail("no echo in time"));
    socket.on("data", (octets: Buffer) => {
      const received = count(octets);
      due -= received;
      if (due > 0) return send(received);
      socket.removeAllListeners("close").destroy();
      return due === 0 ? resolve() : fail("received more echoes than messages sent");
    });
    send(load.inFlight);
  });
}

/** Counts frames of equal length by their octets. */
function countOctets(length: number): (octets: Buffer) => number {
  let octetsSoFar = 0;
  let counted = 0;
  return (octets) => {
    octetsSoFar += octets.length;
    const whole = Math.floor(octetsSoFar / length);
    const received = whole - counted;
    counted = whole;
    return received;
  };
}
/** Counts frames by their heads: compressed frames differ in length. */
function countFrames(): (octets: Buffer) => number {
  /** An incomplete head. */
  let kept: Buffer = Buffer.alloc(0);
  /** Octets left in the current payload; -1 while reading a head. */
  let left = -1;
  return (octets) => {
    const all = kept.length === 0 ? octets : Buffer.concat([kept, octets]);
    let received = 0;
    let at = 0;
    for (;;) {
      if (left < 0) {
        const head = all.length - at < 2 ? 2 : headBy(all[at + 1]! & 0x7f);
        if (all.length - at < head) break;
        left = head === 2 ? all[at + 1]! & 0x7f : head === 4 ? all.readUInt16BE(at + 2) : Number(all.readBigUInt64BE(at + 2));
        at += head;
      }
      const skipped = Math.min(left, all.length - at);
      at += skipped;
      left -= skipped;
      if (left > 0) break;
      left = -1;
      received += 1;
    }
    kept = all.subarray(at);
    return received;
  };
}
/** The length of a head by its 7-bit length field. */
const headBy = (seven: number): number => (seven < 126 ? 2 : seven === 126 ? 4 : 10);

function plainFrame(payload: Buffer): Buffer {
  return masked(0x82, payload);
}
/** Does not refer to earlier messages, so that it can be repeated with any agreement. */
function compressedFrame(payload: Buffer): Buffer {
  return masked(0xc1, deflateRawSync(payload, { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, -4));
}
function masked(first: number, payload: Buffer): Buffer {
  const { length } = payload;
  const head = Buffer.alloc(headOf(length));
  head[0] = first;
  if (length < 126) head[1] = 0x80 | length;
  else if (length < 65_536) {
    head[1] = 0xfe;
    head.writeUInt16BE(length, 2);
  } else {
    head[1] = 0xff;
    head.writeBigUInt64BE(BigInt(length), 2);
  }
  const key = randomBytes(4);
  return Buffer.concat([head, key, payload.map((octet, i) => octet ^ key[i & 3]!)]);
}
/** The length of a head for a payload length, without the masking key. */
const headOf = (length: number): number => (length < 126 ? 2 : length < 65_536 ? 4 : 10);

/** JSON text as programs send it: records with equal names and different values. */
export function json(size: number): Buffer {
  let text = "";
  for (let i = 0; text.length < size; i++)
    text += `{"id":${(i * 7_919) % 100_003},"name":"item ${i}","price":${((i * 31) % 977) / 10},"tags":["a","b${i % 9}"]},`;
  return Buffer.from(text.slice(0, size), "latin1");
}

/** Opens a connection and completes the handshake. */
export function open(subject: BenchSubject, compressed = false): Promise<Socket> {
  const { hostname, port, host } = new URL(subject.origin);
  const lines = [
    `GET ${subject.paths.small} HTTP/1.1`,
    `Host: ${host}`,
    "Upgrade: websocket",
    "Connection: Upgrade",
    `Sec-WebSocket-Key: ${randomBytes(16).toString("base64")}`,
    "Sec-WebSocket-Version: 13",
    ...(compressed ? ["Sec-WebSocket-Extensions: permessage-deflate"] : []),
  ];
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true }, () => socket.write(`${lines.join("\r\n")}\r\n\r\n`));
    const fail = (why: string): void => reject(new Error(`${subject.name}: ${why}`));
    socket.once("error", ({ message }) => fail(message)).once("close", () => fail("the server closed the connection during the handshake"));
    socket.once("data", (octets: Buffer) => {
      const head = octets.toString("latin1");
      if (!/^HTTP\/1\.1 101 [^]*\r\n\r\n$/.test(head)) return fail(`expected 101, got "${head.split("\r\n", 1)[0]}"`);
      if (/sec-websocket-extensions: permessage-deflate/i.test(head) !== compressed)
        return fail(compressed ? "the server did not agree to compression" : "the server agreed to compression without an offer");
      return resolve(socket);
    });
  });
}

/** Opens a connection and waits for one echo. */
export async function echoed(name: string, port: number): Promise<Socket> {
  const socket = await open({ name, version: "", origin: `http://127.0.0.1:${port}`, pid: undefined, paths: { small: "/" } });
  const echo = once(socket, "data");
  socket.write(plainFrame(Buffer.from("hello")));
  await echo;
  return socket.resume();
}
