import type { Socket } from "node:net";
import type { FrameSpec } from "../../http2/vocabulary.ts";
import { type ReadResponse, ResponseReader } from "../../wire/http1/read.ts";
import { Http2End } from "../../wire/http2/end.ts";
import type { ReadFrame } from "../../wire/http2/read.ts";
import type { Section } from "../../wire/http2/sections.ts";
import { fromLatin1, join, toLatin1 } from "../../wire/octets.ts";
import type { ProxyFlaw } from "./flaw.ts";

/** The HTTP/2 side of a wrong proxy: it writes fields into lines of HTTP/1.1 without any check. */

const PSEUDO = [":method", ":scheme", ":authority", ":path"];

/** Speaks HTTP/2 to the client from here on; `first` has the octets received so far. */
export function downgrade(client: Socket, first: Buffer, flaw: ProxyFlaw, dial: () => Socket): void {
  client.pause();
  client.unshift(first);
  new Downgrade(client, flaw, dial).begin();
  client.resume();
}

type Fields = (readonly [string, string])[];
type Stream = { fields: Fields; content: Uint8Array[]; trailers: Fields };

class Downgrade {
  readonly #client: Socket;
  readonly #wire: Http2End;
  readonly #flaw: ProxyFlaw;
  readonly #dial: () => Socket;
  readonly #streams = new Map<number, Stream>();
  readonly #tunnels = new Map<number, Socket>();

  constructor(client: Socket, flaw: ProxyFlaw, dial: () => Socket) {
    this.#client = client;
    this.#flaw = flaw;
    this.#dial = dial;
    this.#wire = new Http2End(client, {
      we: "server",
      replenishAfter: Number.POSITIVE_INFINITY,
      on: { frame: (frame, section) => this.#take(frame, section) },
    });
  }

  begin(): void {
    void this.#wire.preface("", { type: "SETTINGS", settings: [["ENABLE_CONNECT_PROTOCOL", 1]] });
    this.#client.on("end", () => this.#client.end());
  }

  #send(...frames: FrameSpec[]): void {
    void this.#wire.send(frames);
  }

  #take(frame: ReadFrame, section: Section | undefined): void {
    if (section !== undefined) {
      const there = this.#streams.get(section.stream);
      if (there === undefined) this.#streams.set(section.stream, { fields: [...section.fields], content: [], trailers: [] });
      else there.trailers = [...section.fields];
    }
    const stream = this.#streams.get(frame.stream);
    if (stream === undefined) return;
    const tunnel = this.#tunnels.get(frame.stream);
    if (tunnel !== undefined) {
      if (frame.data !== undefined) tunnel.write(frame.data);
      if (frame.endStream === true) tunnel.end();
      return;
    }
    if (section !== undefined && stream.fields.some(([name]) => name === ":protocol")) {
      this.#connect(frame.stream, stream);
      return;
    }
    if (frame.data !== undefined) stream.content.push(frame.data);
    if (frame.endStream === true || section?.endStream === true) this.#ask(frame.stream, stream);
  }

  /** Opens a WebSocket to the origin; the fields of its answer pass as they are. */
  #connect(number: number, { fields: came }: Stream): void {
    const fields = this.#flaw.fields?.(came) ?? came;
    const get = (name: string): string => fields.find(([one]) => one === name)?.[1] ?? "";
    const origin = this.#dial();
    this.#tunnels.set(number, origin);
    const reader = new ResponseReader(() => "GET");
    let isOpen = false;
    const send = (data: Uint8Array, flags: "END_STREAM"[]): void =>
      this.#send({ type: "DATA", stream: number, flags, data: toLatin1(data) });
    origin.on("data", (octets: Buffer) => {
      if (isOpen) return send(octets, []);
      reader.push(octets);
      const [head] = reader.all;
      if (head === undefined) return;
      isOpen = true;
      const status = head.status === 101 ? "200" : String(head.status);
      const answer = [[":status", status], ...head.fields.map(({ name, value }) => [name.toLowerCase(), value] as const)] as const;
      const fields = this.#flaw.response?.([...answer]) ?? answer;
      this.#send({ type: "HEADERS", stream: number, flags: ["END_HEADERS"], fields });
      if (reader.tunnel.length > 0) send(reader.tunnel, []);
    });
    origin.on("end", () => send(new Uint8Array(), ["END_STREAM"]));
    const rest = fields.filter(([name]) => !name.startsWith(":")).map(([name, value]) => `${name}: ${value}\r\n`);
    origin.write(`GET ${get(":path")} HTTP/1.1\r\nHost: ${get(":authority")}\r\n${rest.join("")}\r\n`);
  }

  /** Opens one connection to the origin per stream. */
  #ask(number: number, stream: Stream): void {
    const fields =
      this.#flaw.fields?.(stream.fields.concat(stream.trailers.map(([name, value]) => [`trailer ${name}`, value]))) ?? stream.fields;
    const get = (name: string): string => fields.find(([one]) => one === name)?.[1] ?? "";
    const content = join(stream.content);
    const framed = fields.some(([name]) => name === "content-length" || name === "transfer-encoding");
    const lines = [
      `${get(":method")} ${get(":path")} HTTP/1.1`,
      `Host: ${get(":authority")}`,
      ...fields.filter(([name]) => !PSEUDO.includes(name) && !name.startsWith("trailer ")).map(([name, value]) => `${name}: ${value}`),
      ...(framed || content.length === 0 ? [] : [`Content-Length: ${content.length}`]),
    ];
    const origin = this.#dial();
    const reader = new ResponseReader(() => get(":method"));
    let told = 0;
    const tell = (): void => {
      for (; told < reader.all.length; told++) {
        const one = reader.all[told];
        if (one === undefined || (one.status >= 200 && !one.complete)) return;
        this.#answer(number, one);
      }
    };
    origin.on("data", (octets: Buffer) => {
      reader.push(
        fromLatin1(
          this.#flaw.answers?.(toLatin1(octets), {
            reply: () => {},
            ask: () => {},
            redial: () => {},
            hangUp: () => {},
            leave: () => {},
            seen: new Map(),
          }) ?? toLatin1(octets),
        ),
      );
      tell();
    });
    origin.on("end", () => {
      reader.end("fin");
      tell();
      // A truncated response ends like a complete one.
      const cut = reader.responses[0];
      if (cut !== undefined && !cut.complete) this.#answer(number, cut);
      origin.end();
    });
    origin.write(join([fromLatin1(`${lines.join("\r\n")}\r\n\r\n`), content]));
  }

  #answer(stream: number, response: ReadResponse): void {
    const came = response.fields.map(({ name, value }) => [name.toLowerCase(), value] as const);
    const fields: Fields = [[":status", String(response.status)], ...came];
    const interim = response.status < 200;
    const changed = this.#flaw.response?.(fields) ?? fields;
    if (changed.length === 0) return;
    this.#send({ type: "HEADERS", stream, flags: ["END_HEADERS"], fields: changed });
    if (!interim) this.#send({ type: "DATA", stream, flags: ["END_STREAM"], data: toLatin1(response.content) });
  }
}
