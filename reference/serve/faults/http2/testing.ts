import { connect as dial } from "node:net";
import type { Duplex } from "node:stream";
import { connect as dialTls } from "node:tls";
import { Decoder } from "../../../hpack/index.ts";
import { CLIENT_PREFACE } from "../../../http2/index.ts";
import type { Handler } from "../../handler.ts";
import { serve } from "../../server/serve.ts";
import type { ServeOptions, Server } from "../../server/options.ts";

/** Shared by the tests of this folder: a client that writes octets, and records what it receives. */

export type Frame = { readonly type: number; readonly flags: number; readonly stream: number; readonly payload: Buffer };
/** What a client receives on one connection. */
export type Seen = {
  readonly frames: readonly Frame[];
  /** Octets that are not a complete frame. */
  readonly rest: Buffer;
  readonly raw: Buffer;
  /** The number of reads. */
  readonly reads: number;
  readonly end: "end" | "reset" | "open";
};

export const DATA = 0;
export const HEADERS = 1;
export const RST_STREAM = 3;
export const SETTINGS = 4;
export const PUSH_PROMISE = 5;
export const PING = 6;
export const GOAWAY = 7;
export const WINDOW_UPDATE = 8;
export const CONTINUATION = 9;
const SILENCE_MS = 300;
export const HELLO = "hello, world\n";

export const frame = (type: number, flags: number, stream: number, ...payload: readonly number[]): Buffer =>
  Buffer.from([0, payload.length >> 8, payload.length & 0xff, type, flags, 0, 0, 0, stream, ...payload]);
/** `:method: GET`, `:scheme: http`, `:path: /`, and `:authority` as a literal. */
const GET = [0x82, 0x86, 0x84, 0x41, 9, ...Buffer.from("localhost")];
const literal = (text: string): number[] => [text.length, ...Buffer.from(text)];
export const get = (stream: number, spec?: string): Buffer =>
  frame(HEADERS, 0x05, stream, ...GET, ...(spec === undefined ? [] : [0x00, ...literal("touchstone-fault"), ...literal(spec)]));
export const PING_1 = frame(PING, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8);

/** Sends and receives until the end, or until nothing has arrived for a while. */
export function talk(server: Server, ...requests: readonly Buffer[]): Promise<Seen> {
  const { certificate, port } = server;
  const host = "127.0.0.1";
  const socket: Duplex =
    certificate === undefined ? dial(port, host) : dialTls({ port, host, ca: certificate, servername: "localhost", ALPNProtocols: ["h2"] });
  socket.write(Buffer.concat([CLIENT_PREFACE, frame(SETTINGS, 0, 0), frame(SETTINGS, 0x01, 0), ...requests]));
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    const over = (end: Seen["end"]): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ ...parse(Buffer.concat(pieces)), reads: pieces.length, end });
    };
    let timer = setTimeout(over, 10 * SILENCE_MS, "open");
    socket.on("data", (piece: Buffer) => {
      pieces.push(piece);
      clearTimeout(timer);
      timer = setTimeout(over, SILENCE_MS, "open");
    });
    socket.on("end", () => over("end"));
    socket.on("error", () => over("reset"));
  });
}
function parse(raw: Buffer): Pick<Seen, "frames" | "rest" | "raw"> {
  const frames: Frame[] = [];
  let at = 0;
  while (at + 9 <= raw.length) {
    const end = at + 9 + raw.readUIntBE(at, 3);
    if (end > raw.length) break;
    frames.push({ type: raw[at + 3]!, flags: raw[at + 4]!, stream: raw.readUInt32BE(at + 5), payload: raw.subarray(at + 9, end) });
    at = end;
  }
  return { frames, raw, rest: raw.subarray(at) };
}

export const ofType = ({ frames }: Seen, type: number): readonly Frame[] => frames.filter((one) => one.type === type);
export const onStream = ({ frames }: Seen, stream: number): readonly Frame[] => frames.filter((one) => one.stream === stream);
/** The types of the frames on stream 1. */
export const types = (seen: Seen): number[] => onStream(seen, 1).map(({ type }) => type);
export const acks = (seen: Seen, type: number): readonly Frame[] => ofType(seen, type).filter(({ flags }) => (flags & 1) !== 0);
export const content = (seen: Seen): string => Buffer.concat(ofType(seen, DATA).map(({ payload }) => payload)).toString();
export const decode = (block: Uint8Array) => new Decoder({ maxListSize: 65_536, maxStringLength: 65_536 }).decode(block);
export const list = (seen: Seen): [string, string][] => {
  const decoded = decode(ofType(seen, HEADERS)[0]!.payload);
  if (decoded.is !== "fields") throw new Error("no field section");
  return decoded.fields.map(({ name, value }) => [name, value]);
};
export const names = (seen: Seen): string[] => list(seen).map(([name]) => name);

const handler: Handler = () => ({ status: 200, fields: [["content-length", `${HELLO.length}`]], body: HELLO });
export async function ask(options: ServeOptions, ...requests: readonly Buffer[]): Promise<Seen> {
  await using server = await serve(handler, { graceMs: 0, date: false, onError: () => {}, ...options });
  return await talk(server, ...requests);
}
