import { type Duplex, duplexPair } from "node:stream";
import type { FieldSpec, FrameSpec } from "../../http2/vocabulary.ts";
import { acceptOf } from "../driver/connection.ts";
import { type ReadRequest, RequestReader, valueOf } from "../../wire/http1/read.ts";
import { Http2End } from "../../wire/http2/end.ts";
import { DEFAULTS, MAGIC } from "../../wire/http2/numbers.ts";
import type { ReadFrame } from "../../wire/http2/read.ts";
import type { Section } from "../../wire/http2/sections.ts";
import { fromLatin1, join } from "../../wire/octets.ts";

/** The flaws of an impostor with the stream on which it opens its WebSocket. */
export type Http2ClientFlaw = {
  /** Rewrites the extended CONNECT. */
  readonly asks?: (fields: FieldSpec[]) => FieldSpec[];
  /** Ends its stream by RST_STREAM. */
  readonly resets?: true;
};

const WINDOW = 2 ** 30;
const STREAM = 1;
const OF_HTTP1 = /^(?:host|upgrade|connection|sec-websocket-key|content-length|transfer-encoding)$/i;

/**
 * Puts HTTP/2 behind an impostor that speaks HTTP/1.1: its handshake becomes an extended CONNECT, 200 becomes 101, and the octets after them
 * travel in DATA. Every flaw is thus the same over both versions.
 */
class StreamOfClient {
  readonly #socket: Duplex;
  readonly #flaw: Http2ClientFlaw;
  readonly #wire: Http2End;
  readonly #ours: Duplex;
  readonly #theirs: Duplex;
  readonly #reader = new RequestReader();
  #request: ReadRequest | undefined;
  #over = false;

  constructor(socket: Duplex, flaw: Http2ClientFlaw) {
    this.#socket = socket;
    this.#flaw = flaw;
    [this.#ours, this.#theirs] = duplexPair();
    this.#wire = new Http2End(socket, {
      we: "client",
      replenishAfter: Number.POSITIVE_INFINITY,
      on: { frame: (frame, section) => this.#frame(frame, section), ended: () => this.#ours.end() },
    });
    void this.#wire.preface(MAGIC, { type: "SETTINGS", settings: [["INITIAL_WINDOW_SIZE", WINDOW]] });
    this.#send({ type: "WINDOW_UPDATE", increment: WINDOW });
    this.#ours.on("data", (octets: Uint8Array) => this.#write(octets));
    this.#ours.on("end", () => this.#end());
    for (const one of [this.#ours, this.#theirs]) one.on("error", () => {});
    socket.once("close", () => this.#theirs.destroy());
  }

  /** What the impostor takes for its connection. */
  get tunnel(): Duplex {
    return this.#theirs;
  }

  #send(spec: FrameSpec): void {
    void this.#wire.send([spec]);
  }

  #write(octets: Uint8Array): void {
    if (this.#request !== undefined) return this.#data(octets);
    this.#reader.push(octets);
    const [request] = this.#reader.requests;
    if (request === undefined) return;
    this.#request = request;
    const fields: FieldSpec[] = [
      [":method", "CONNECT"],
      [":protocol", "websocket"],
      [":scheme", "http"],
      [":path", request.target],
      [":authority", valueOf(request.fields, "host") ?? ""],
    ];
    for (const { name, value } of request.fields) if (!OF_HTTP1.test(name)) fields.push([name.toLowerCase(), value]);
    this.#send({ type: "HEADERS", stream: STREAM, flags: ["END_HEADERS"], fields: this.#flaw.asks?.(fields) ?? fields });
    this.#data(this.#reader.octets.subarray(request.headEnd));
  }
  #data(octets: Uint8Array): void {
    for (let at = 0; at < octets.length; at += DEFAULTS.maxFrameSize) {
      const data = octets.subarray(at, at + DEFAULTS.maxFrameSize);
      this.#wire.octets(join([this.#wire.build([{ type: "DATA", stream: STREAM, length: data.length }]), data]));
    }
  }
  #end(): void {
    if (this.#over) return;
    this.#over = true;
    if (this.#request !== undefined && this.#flaw.resets === true) this.#send({ type: "RST_STREAM", stream: STREAM, code: "CANCEL" });
    else if (this.#request !== undefined) this.#send({ type: "DATA", stream: STREAM, flags: ["END_STREAM"] });
    if (this.#ours.writableEnded) this.#socket.end();
    else this.#ours.once("finish", () => this.#socket.end());
  }

  #frame(frame: ReadFrame, section: Section | undefined): void {
    if (section?.of === "HEADERS") this.#answer(section);
    if (frame.type === "DATA" && (frame.data?.length ?? 0) > 0) this.#ours.write(frame.data);
    if (frame.endStream === true || section?.endStream === true) this.#ours.end();
    if (frame.type === "RST_STREAM") {
      this.#over = true;
      this.#theirs.destroy();
      this.#socket.end();
    }
  }
  #answer({ fields }: Section): void {
    const named = fields.filter(([name]) => !name.startsWith(":")).map(([name, value]) => `${name}: ${value}\r\n`);
    const status = fields.find(([name]) => name === ":status")?.[1] ?? "";
    const key = valueOf(this.#request?.fields ?? [], "sec-websocket-key") ?? "";
    const own = `Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${acceptOf(key)}\r\n`;
    this.#ours.write(
      fromLatin1(`HTTP/1.1 ${status === "200" ? "101" : status} Whatever\r\n${status === "200" ? own : ""}${named.join("")}\r\n`),
    );
  }
}

/** The connection of an impostor over a stream of this one. */
export const overStream = (socket: Duplex, flaw: Http2ClientFlaw): Duplex => new StreamOfClient(socket, flaw).tunnel;
