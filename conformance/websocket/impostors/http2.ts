import { type Duplex, duplexPair } from "node:stream";
import type { FieldSpec, FrameSpec } from "../../http2/vocabulary.ts";
import { handshakeKey } from "../driver/connection.ts";
import { Http2End } from "../../wire/http2/end.ts";
import { DEFAULTS } from "../../wire/http2/numbers.ts";
import { ResponseReader } from "../../wire/http1/read.ts";
import type { ReadFrame } from "../../wire/http2/read.ts";
import type { Section } from "../../wire/http2/sections.ts";
import { fromLatin1, join, toLatin1 } from "../../wire/octets.ts";

/** The flaws of an impostor with the stream that carries its WebSocket over HTTP/2. */
export type Http2Flaw = {
  /** Accepts extended CONNECT without having announced it. */
  readonly announces?: false;
  /** Replaces the response to the extended CONNECT. */
  readonly answers?: (fields: FieldSpec[]) => void;
  /** Refuses a request because of its fields, with a stream error. */
  readonly refuses?: (fields: ReadonlyMap<string, string>) => boolean;
  /** Ends its streams by RST_STREAM; does not end them when the client does; ends the whole connection with one of them. */
  readonly resets?: true;
  readonly holds?: true;
  readonly takesAllAlong?: true;
};

const WINDOW = 2 ** 30;
const CONNECTION_FIELDS = /^(?:upgrade|connection|sec-websocket-accept|content-length)$/i;
/** Whether a connection begins with the HTTP/2 preface. */
export const isHttp2 = (octets: Uint8Array): boolean => toLatin1(octets.subarray(0, 4)) === "PRI ";

/** A stream: our end of the pair whose other end is the impostor, and whether the stream was reset. */
type Carried = { readonly ours: Duplex; readonly theirs: Duplex; opened: boolean; over: boolean };

/**
 * Puts HTTP/2 before an impostor that speaks HTTP/1.1: an extended CONNECT becomes the handshake that it stands for, 101 becomes 200, and
 * the octets after them travel in DATA. Every flaw is thus the same over both versions.
 */
class WebSocketsOverHttp2 {
  readonly #wire: Http2End;
  readonly #socket: Duplex;
  readonly #flaw: Http2Flaw;
  readonly #accept: (tunnel: Duplex) => void;
  readonly #streams = new Map<number, Carried>();

  constructor(socket: Duplex, flaw: Http2Flaw, accept: (tunnel: Duplex) => void) {
    this.#socket = socket;
    this.#flaw = flaw;
    this.#accept = accept;
    this.#wire = new Http2End(socket, {
      we: "server",
      replenishAfter: Number.POSITIVE_INFINITY,
      on: { frame: (frame, section) => this.#frame(frame, section) },
    });
    const settings: FrameSpec["settings"] = [["INITIAL_WINDOW_SIZE", WINDOW]];
    const announced: FrameSpec["settings"] = flaw.announces === false ? settings : [...settings, ["ENABLE_CONNECT_PROTOCOL", 1]];
    void this.#wire.preface("", { type: "SETTINGS", settings: announced });
    this.#send({ type: "WINDOW_UPDATE", increment: WINDOW });
    socket.on("end", () => socket.end());
    socket.once("close", () => {
      for (const { theirs } of this.#streams.values()) theirs.destroy();
    });
  }

  #send(spec: FrameSpec): void {
    void this.#wire.send([spec]);
  }

  #frame(frame: ReadFrame, section: Section | undefined): void {
    const { type, stream } = frame;
    const carried = this.#streams.get(stream);
    if (section?.of === "HEADERS") this.#open(section);
    else if (type === "DATA" && carried !== undefined) {
      if ((frame.data?.length ?? 0) > 0) carried.ours.write(frame.data);
      if (frame.endStream === true && this.#flaw.holds !== true) carried.ours.end();
    } else if (type === "RST_STREAM" && carried !== undefined) {
      carried.over = true;
      this.#streams.delete(stream);
      carried.theirs.destroy();
      if (this.#flaw.takesAllAlong === true) this.#socket.end();
    }
  }

  #open({ stream, fields }: Section): void {
    const named = new Map(fields);
    if (this.#flaw.refuses?.(named) === true) return this.#send({ type: "RST_STREAM", stream, code: "PROTOCOL_ERROR" });
    const [ours, theirs] = duplexPair();
    const carried: Carried = { ours, theirs, opened: false, over: false };
    this.#streams.set(stream, carried);
    const reader = new ResponseReader(() => "GET");
    ours.on("data", (octets: Uint8Array) => {
      if (carried.opened) return this.#data(stream, octets);
      reader.push(octets);
      const [answer] = reader.all;
      if (answer === undefined) return undefined;
      carried.opened = true;
      const out: FieldSpec[] = [[":status", String(answer.status === 101 ? 200 : answer.status)]];
      for (const { name, value } of answer.fields) if (!CONNECTION_FIELDS.test(name)) out.push([name.toLowerCase(), value]);
      this.#flaw.answers?.(out);
      this.#send({ type: "HEADERS", stream, flags: ["END_HEADERS"], fields: out });
      return this.#data(stream, answer.status === 101 ? reader.tunnel : answer.content);
    });
    ours.on("end", () => this.#end(stream, carried));
    // A reset stream is closed, which the impostor notices.
    theirs.on("error", () => {});
    ours.on("error", () => {});
    this.#accept(theirs);
    ours.write(handshakeOf(fields, stream));
  }

  #data(stream: number, octets: Uint8Array): void {
    for (let at = 0; at < octets.length; at += DEFAULTS.maxFrameSize) {
      const data = octets.subarray(at, at + DEFAULTS.maxFrameSize);
      this.#wire.octets(join([this.#wire.build([{ type: "DATA", stream, length: data.length }]), data]));
    }
  }

  #end(stream: number, carried: Carried): void {
    if (carried.over) return;
    carried.over = true;
    if (this.#flaw.resets === true) this.#send({ type: "RST_STREAM", stream, code: "CANCEL" });
    else this.#send({ type: "DATA", stream, flags: ["END_STREAM"] });
    if (this.#flaw.takesAllAlong === true) this.#socket.end();
  }
}

/** Serves an HTTP/2 connection: `accept` gets each WebSocket as if it came over HTTP/1.1. */
export const serveHttp2 = (socket: Duplex, flaw: Http2Flaw, accept: (tunnel: Duplex) => void): WebSocketsOverHttp2 =>
  new WebSocketsOverHttp2(socket, flaw, accept);

/** The HTTP/1.1 handshake that is equivalent to an extended CONNECT. */
function handshakeOf(fields: readonly (readonly [name: string, value: string])[], stream: number): Uint8Array {
  const named = new Map(fields);
  const regular = fields.filter(([name]) => !/^:|^sec-websocket-version$/.test(name));
  const written = regular.map(
    ([name, value]) =>
      `${name.replace("sec-websocket", "Sec-WebSocket").replaceAll(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase())}: ${value}`,
  );
  const version = named.get("sec-websocket-version");
  const lines = [
    `GET ${named.get(":path") ?? "/"} HTTP/1.1`,
    `Host: ${named.get(":authority") ?? "nobody"}`,
    "Upgrade: websocket",
    "Connection: Upgrade",
    `Sec-WebSocket-Key: ${handshakeKey(stream)}`,
    ...(version === undefined ? [] : [`Sec-WebSocket-Version: ${version}`]),
    ...written,
  ];
  return fromLatin1(`${lines.join("\r\n")}\r\n\r\n`);
}
