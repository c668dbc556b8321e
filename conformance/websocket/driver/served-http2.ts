import type { Accepted } from "../../harness/subject/client-run.ts";
import type { Recorder } from "../../harness/connection/recorder.ts";
import { fill, type Values } from "../../wire/http1/build.ts";
import type { RawField, ReadRequest } from "../../wire/http1/read.ts";
import { Http2End } from "../../wire/http2/end.ts";
import { DEFAULTS } from "../../wire/http2/numbers.ts";
import type { ReadField, ReadFrame } from "../../wire/http2/read.ts";
import type { Section } from "../../wire/http2/sections.ts";
import { framesInWords } from "../../wire/http2/words.ts";
import type { Ending } from "../../wire/sockets.ts";
import type { Handshake } from "../vocabulary.ts";
import type { Answer, CarrierRule } from "./carrier.ts";
import { fieldsFrom } from "./connect-handshake.ts";
import type { ServedCarrier, ServedListener } from "./served-carrier.ts";
import { StreamWriter } from "./stream-writer.ts";

/** Windows that no case fills: these cases are not about flow control. */
const WINDOW = 2 ** 30;
const REPLENISH_AFTER = 2 ** 24;
const NOTHING = new Uint8Array();
/** A valid response (rfc8441#5). */
const GOOD: Readonly<Record<string, string>> = { ":status": "200" };

/** How an HTTP/2 connection of a client is served. */
export type Serving = {
  readonly recorder: Recorder;
  /** Whether our SETTINGS enable extended CONNECT. */
  readonly announces: boolean;
  /** Called when a stream opens after the first: makes a carrier by `carrier` for it. */
  readonly another: () => void;
};

/** An HTTP/2 connection that a client opened: each of its requests is the handshake of a WebSocket. */
export class ServedStreams {
  readonly wire: Http2End;
  /** Whether extended CONNECT was announced. */
  readonly announces: boolean;
  readonly #another: () => void;
  readonly #streams = new Map<number, Http2Served>();
  #free: Http2Served | undefined;

  constructor(socket: Accepted, { recorder, announces, another }: Serving) {
    this.announces = announces;
    this.#another = another;
    this.wire = new Http2End(socket, {
      we: "server",
      transcript: recorder,
      // The WebSocket connection records the frames inside DATA itself.
      writesDown: ({ type }) => type !== "DATA",
      replenishAfter: REPLENISH_AFTER,
      on: {
        frame: (frame, section) => this.#frame(frame, section),
        garbage: () => this.#end("reset", "the client does not speak HTTP/2"),
        ended: (how) =>
          this.#end(how, how === "fin" ? "the client closed the HTTP/2 connection" : "the client reset the HTTP/2 connection"),
      },
    });
    const enabled = announces ? ([["ENABLE_CONNECT_PROTOCOL", 1]] as const) : [];
    void this.wire.preface("", { type: "SETTINGS", settings: [["INITIAL_WINDOW_SIZE", WINDOW], ...enabled] });
    void this.wire.send([{ type: "WINDOW_UPDATE", increment: WINDOW - DEFAULTS.window }]);
  }

  /** The carrier of the next stream that the client opens. */
  carrier(listener: ServedListener): Http2Served {
    this.#free = new Http2Served(this, listener);
    return this.#free;
  }

  #frame(frame: ReadFrame, section: Section | undefined): void {
    const { type, stream } = frame;
    if (section?.of === "HEADERS") this.#head(section);
    if (type === "DATA") this.#streams.get(stream)?.received(frame.data ?? NOTHING, frame.endStream === true);
    if (type === "SETTINGS" || type === "WINDOW_UPDATE") for (const one of this.#streams.values()) one.opened();
    if (type === "RST_STREAM") this.#streams.get(stream)?.over("reset", `the client reset the stream with ${frame.code ?? "no code"}`);
  }

  #head({ stream, fields, endStream }: Section): void {
    const known = this.#streams.get(stream);
    // Trailers end a stream.
    if (known !== undefined) return known.received(NOTHING, endStream);
    if (this.#free === undefined) this.#another();
    const one = this.#free;
    if (one === undefined) return;
    this.#free = undefined;
    this.#streams.set(stream, one);
    one.asked(stream, fields, endStream);
  }

  #end(how: "fin" | "reset", words: string): void {
    for (const one of this.#streams.values()) one.over(how, words);
    this.#free?.over(how, words);
  }
}

/** Our end of a stream on which a client opens a WebSocket by extended CONNECT: END_STREAM is its FIN, RST_STREAM its RST (rfc8441#5). */
export class Http2Served implements ServedCarrier {
  readonly name = "http2";
  readonly opens = 200;
  readonly behind = NOTHING;
  request: ReadRequest | undefined;
  response: Answer | undefined;
  readonly #streams: ServedStreams;
  readonly #listener: ServedListener;
  #stream = 0;
  #writer: StreamWriter | undefined;
  #next: Answer | undefined;
  #over = false;
  /** How it ended, if not with END_STREAM. */
  #reset: string | undefined;

  constructor(streams: ServedStreams, listener: ServedListener) {
    this.#streams = streams;
    this.#listener = listener;
  }

  broken(rule: CarrierRule): string | undefined {
    if (rule === "ended in order") return this.#reset;
    return this.#streams.announces || this.request === undefined ? undefined : "it sent an extended CONNECT that was not announced";
  }

  build({ more = [], ...handshake }: Handshake, values: Values): { octets: Uint8Array; words: string } {
    // Braces may stand for a whole line.
    const lines = more.map((line) => fill(line, values));
    const fields = fieldsFrom(GOOD, { ...handshake, more: lines }).map(([name, value]) => [name, fill(value, values)] as const);
    const octets = this.#streams.wire.build([{ type: "HEADERS", stream: this.#stream, flags: ["END_HEADERS"], fields }]);
    this.#next = { status: Number(fields.find(([name]) => name === ":status")?.[1]), fields: rawFields(fields), complete: true };
    return { octets, words: framesInWords(octets, () => fields).join(" | ") };
  }
  async begin(octets: Uint8Array): Promise<void> {
    await this.#writer?.begin(octets);
  }
  answered(): void {
    if ((this.#next?.status ?? 0) >= 200) this.response = this.#next;
  }
  async write(octets: Uint8Array): Promise<void> {
    await this.#writer?.write(octets);
  }
  leave(): void {
    this.#writer?.end();
  }
  end(how: Ending): void {
    if (how === "reset") this.#writer?.reset();
    else this.leave();
  }
  drop(): void {
    this.#writer?.stop();
    this.#streams.wire.drop();
  }

  /** The client has opened the stream. */
  asked(stream: number, fields: readonly ReadField[], last: boolean): void {
    const { wire } = this.#streams;
    const value = (name: string): string => fields.find(([one]) => one === name)?.[1] ?? "";
    this.#stream = stream;
    this.#writer = new StreamWriter(wire, stream);
    const [method, target] = [value(":method"), value(":path")];
    const nothing = { content: NOTHING, chunks: [], trailers: [], oddities: [], from: 0, headEnd: 0, to: 0 };
    const start = `${method} ${target}`;
    this.request = { start, method, target, version: "HTTP/2", fields: rawFields(fields), framing: "tunnel", complete: true, ...nothing };
    this.#listener.asked();
    if (last) this.received(NOTHING, true);
  }
  received(octets: Uint8Array, last: boolean): void {
    this.#listener.data(octets);
    if (last) this.over("fin", "the client ended the stream");
  }
  /** The windows have grown. */
  opened(): void {
    this.#writer?.flush();
  }
  over(how: "fin" | "reset", words: string): void {
    if (this.#over) return;
    this.#over = true;
    if (how === "reset") {
      this.#writer?.stop();
      this.#reset = words;
    }
    this.#listener.ended(how, words);
  }
}

const rawFields = (fields: readonly (readonly [name: string, value: string])[]): RawField[] =>
  fields.map(([name, value]) => ({ name, value, line: `${name}: ${value}` }));
