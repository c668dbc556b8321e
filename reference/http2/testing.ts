import { field, instant, Writer, type Field, type Instant } from "../core/index.ts";
import { Decoder, Encoder } from "../hpack/index.ts";
import { Connection, type Options } from "./connection.ts";
import type { Event } from "./contract.ts";
import { ErrorCode } from "./error-code.ts";
import type { Fault } from "./faults.ts";
import { readFrames, writeFrame, type Frame } from "./frame/index.ts";
import { CLIENT_PREFACE } from "./receive/preface.ts";
import { streamId } from "./stream/id.ts";

/** Shared by the tests of this folder: short ways to write frames, and a peer that sends nothing but frames. */

export const T0: Instant = instant(0);
export const fromHex = (text: string): Uint8Array => Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
export const toHex = (bytes: Uint8Array): string => Array.from(bytes, (octet) => octet.toString(16).padStart(2, "0")).join("");
export const octets = (count: number, value = 0x61): Uint8Array => new Uint8Array(count).fill(value);

type Pairs = readonly (readonly [string, string])[];
export const fieldList = (pairs: Pairs): Field[] => pairs.map(([name, value]) => field(name, value));

/** A block without indexing: it does not change the decoder, so tests may send blocks in any order. */
export function block(pairs: Pairs): Uint8Array {
  const encoder = new Encoder({ tableSize: 0 });
  // Its first block carries a size update, and is not sent.
  encoder.encode([], new Writer());
  const w = new Writer();
  encoder.encode(fieldList(pairs), w);
  return w.take();
}

export const GET: Pairs = [
  [":method", "GET"],
  [":scheme", "http"],
  [":authority", "localhost"],
  [":path", "/"],
];
/** The request of `GET` with some pseudo-fields changed, and more fields after it. */
export function request(change: Readonly<Record<string, string | undefined>> = {}, ...more: Pairs): Pairs {
  const pseudo = Object.entries({ ...Object.fromEntries(GET), ...change }).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );
  return [...pseudo, ...more];
}
export const POST = request({ ":method": "POST" });

type More = { readonly end?: boolean; readonly open?: boolean; readonly pad?: number };
export const headers = (stream: number, pairs: Pairs, { end = true, open = false, pad }: More = {}): Frame => ({
  is: "HEADERS",
  stream: streamId(stream),
  endStream: end,
  endHeaders: !open,
  block: block(pairs),
  ...(pad !== undefined && { pad }),
});
export const post = (stream: number, ...more: Pairs): Frame => headers(stream, [...POST, ...more], { end: false });
export const get = (stream: number, ...more: Pairs): Frame => headers(stream, [...GET, ...more]);
export const data = (stream: number, bytes: Uint8Array | number, { end = false, pad }: More = {}): Frame => ({
  is: "DATA",
  stream: streamId(stream),
  endStream: end,
  data: typeof bytes === "number" ? octets(bytes) : bytes,
  ...(pad !== undefined && { pad }),
});
export const rst = (stream: number, code: ErrorCode = "CANCEL"): Frame => ({
  is: "RST_STREAM",
  stream: streamId(stream),
  code: ErrorCode[code],
});
export const settings = (...values: readonly (readonly [number, number])[]): Frame => ({
  is: "SETTINGS",
  ack: false,
  settings: values.map(([id, value]) => ({ id, value })),
});
export const SETTINGS_ACK: Frame = { is: "SETTINGS", ack: true, settings: [] };
export const ping = (ack = false, value = 7): Frame => ({ is: "PING", ack, data: octets(8, value) });
export const windowUpdate = (stream: number, increment: number): Frame => ({
  is: "WINDOW_UPDATE",
  stream: streamId(stream),
  increment,
});
export const goaway = (last: number, code: ErrorCode = "NO_ERROR"): Frame => ({
  is: "GOAWAY",
  last: streamId(last),
  code: ErrorCode[code],
  debug: octets(0),
});
export const continuation = (stream: number, fragment: Uint8Array, endHeaders = true): Frame => ({
  is: "CONTINUATION",
  stream: streamId(stream),
  endHeaders,
  block: fragment,
});
export const promise = (stream: number, promised: number, pairs: Pairs = GET): Frame => ({
  is: "PUSH_PROMISE",
  stream: streamId(stream),
  promised: streamId(promised),
  endHeaders: true,
  block: block(pairs),
});
export const priorityUpdate = (stream: number, value: string): Frame => ({ is: "PRIORITY_UPDATE", prioritized: streamId(stream), value });

/** The bytes of frames, and of what is given as bytes. */
export function wire(...frames: readonly (Frame | Uint8Array)[]): Uint8Array {
  const w = new Writer();
  for (const frame of frames) {
    if (frame instanceof Uint8Array) w.bytes(frame);
    else writeFrame(w, frame);
  }
  return w.take();
}
/** The bytes of a frame: its head as given, its payload in hexadecimal. */
export function raw(type: number, flags: number, stream: number, payload = "", length = payload.length / 2): Uint8Array {
  const w = new Writer();
  w.u24(length).u8(type).u8(flags).u32(stream).bytes(fromHex(payload));
  return w.take();
}

const CODES = Object.keys(ErrorCode);
const codeName = (code: number): string => CODES[code] ?? String(code);

/** A frame as one line of text. */
export function sayFrame(frame: Frame | Fault): string {
  switch (frame.is) {
    case "fault":
      return `fault ${frame.name}`;
    case "DATA":
      return `DATA ${frame.stream} ${frame.data.length}${frame.endStream ? " end" : ""}`;
    case "HEADERS":
      return `HEADERS ${frame.stream}${frame.endStream ? " end" : ""}${frame.endHeaders ? "" : " open"}`;
    case "RST_STREAM":
      return `RST_STREAM ${frame.stream} ${codeName(frame.code)}`;
    case "SETTINGS":
      return frame.ack ? "SETTINGS ack" : `SETTINGS ${frame.settings.map(({ id, value }) => `${id}=${value}`).join(" ")}`.trim();
    case "PING":
      return `PING${frame.ack ? " ack" : ""} ${toHex(frame.data)}`;
    case "GOAWAY":
      return `GOAWAY ${frame.last} ${codeName(frame.code)}`;
    case "WINDOW_UPDATE":
      return `WINDOW_UPDATE ${frame.stream} ${frame.increment}`;
    case "PUSH_PROMISE":
      return `PUSH_PROMISE ${frame.stream} ${frame.promised}`;
    case "PRIORITY_UPDATE":
      return `PRIORITY_UPDATE ${frame.prioritized} ${frame.value}`;
    default:
      return frame.is;
  }
}

/** An event as one line of text. */
export function sayEvent(event: Event): string {
  switch (event.is) {
    case "request":
      return `request ${event.stream}${event.end ? " end" : ""}`;
    case "interim":
      return `interim ${event.stream} ${event.status}`;
    case "response":
      return `response ${event.stream} ${event.status}${event.end ? " end" : ""}`;
    case "data":
      return `data ${event.stream} ${event.bytes.length}${event.end ? " end" : ""}`;
    case "trailers":
      return `trailers ${event.stream} ${event.fields.map(({ name, value }) => `${name}=${value}`).join(" ")}`.trim();
    case "pushed":
      return `pushed ${event.stream} ${event.promised}`;
    case "opened":
      return `opened ${event.ticket} ${event.stream}`;
    case "unopened":
      return `unopened ${event.ticket}`;
    case "reset":
      return `reset ${event.stream} ${event.code} by ${event.by}${event.fault === undefined ? "" : ` ${event.fault.name}`}`;
    case "pong":
      return `pong ${toHex(event.data)}`;
    case "goaway":
      return `goaway ${event.last} ${codeName(event.code)}`;
    case "closed":
      return `closed${event.fault === undefined ? "" : ` ${event.fault.name}`}`;
    case "done":
    case "writable":
      return `${event.is} ${event.stream}`;
    default:
      return event.is;
  }
}

export const join = (pieces: readonly Uint8Array[]): Uint8Array => wire(...pieces);

/** A connection, and a peer that sends the frames of the test. */
export class Rig {
  readonly c: Connection;
  now: Instant = T0;
  /** Bytes in one `receive`; by default all of them. */
  readonly cut: number;
  readonly #decoder = new Decoder();

  /** After the handshake, with nothing left to take. */
  constructor(options: Options, cut = Number.POSITIVE_INFINITY) {
    this.c = new Connection(options, T0);
    this.cut = cut;
    if (options.side === "server") this.events(CLIENT_PREFACE);
    this.events(settings(), SETTINGS_ACK);
    this.frames();
  }

  /** Sends frames to the connection; returns its events. */
  events(...frames: readonly (Frame | Uint8Array)[]): string[] {
    const bytes = wire(...frames);
    const lines: string[] = [];
    for (let at = 0; at < bytes.length; at += this.cut) {
      lines.push(...this.c.receive(bytes.subarray(at, at + Math.min(this.cut, bytes.length)), this.now).map(sayEvent));
    }
    return lines;
  }
  /** The frames that the connection sends, one line each. */
  frames(): string[] {
    return readFrames(this.octets()).map(sayFrame);
  }
  /** All bytes that the connection sends, by as many calls as needed. */
  octets(): Uint8Array {
    const pieces: Uint8Array[] = [];
    for (let more = this.c.take(); more.length > 0; more = this.c.take()) pieces.push(...more);
    return join(pieces);
  }
  /** The fields in all blocks that the connection sends, in order; each block must be in one frame. */
  fields(): string[][] {
    return readFrames(this.octets()).flatMap((frame) => {
      if (frame.is !== "HEADERS" && frame.is !== "PUSH_PROMISE") return [];
      const decoded = this.#decoder.decode(frame.block);
      return decoded.is === "fault" ? [[decoded.name]] : [decoded.fields.map(({ name, value }) => `${name}: ${value}`)];
    });
  }
  /** The events that actions have caused. */
  told(): string[] {
    return this.c.events().map(sayEvent);
  }
  tick(ms: number): string[] {
    this.now = instant(ms);
    return this.c.tick(this.now).map(sayEvent);
  }
}

export const server = (options: Omit<Options, "side"> = {}, cut?: number): Rig => new Rig({ side: "server", ...options }, cut);
export const client = (options: Omit<Options, "side"> = {}, cut?: number): Rig => new Rig({ side: "client", ...options }, cut);
export const id = streamId;

/** One row of a table: what the peer sends, the events, and the frames that answer. */
export type Case = readonly [
  name: string,
  frames: readonly (Frame | Uint8Array)[],
  events: readonly string[],
  replies: readonly string[],
  options?: Omit<Options, "side">,
];

/** Plays a case with the bytes in one piece, and again one by one: both must agree. */
export function play(side: Options["side"], [, frames, , , options]: Case, before?: (rig: Rig) => void): (readonly string[])[] {
  const [whole, chopped] = [Number.POSITIVE_INFINITY, 1].map((cut) => {
    const rig = new Rig({ side, ...options }, cut);
    before?.(rig);
    return [rig.events(...frames), rig.frames()];
  });
  if (JSON.stringify(whole) !== JSON.stringify(chopped)) return [["cut into octets it is another:"], ...whole!, ...chopped!];
  return whole!;
}

/** Cases for `test.each`, which names them by `$name`. */
export const named = (cases: readonly Case[]): { readonly name: string; readonly line: Case }[] =>
  cases.map((line) => ({ name: line[0], line }));
