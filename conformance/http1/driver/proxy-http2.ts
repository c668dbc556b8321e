import type { Socket } from "node:net";
import { Sections } from "../../http2/driver/sections.ts";
import type { FrameSpec } from "../../http2/vocabulary.ts";
import { patient } from "../../harness/patient.ts";
import type { Recorder } from "../../harness/recorder.ts";
import type { Waiting } from "../../harness/waiting.ts";
import { blockDecoder } from "../../wire/field-block.ts";
import { fill, type Values } from "../../wire/http1.ts";
import type { RawField, ReadRequest, ReadResponse } from "../../wire/http1-read.ts";
import { build } from "../../wire/http2.ts";
import { FrameCutter, readFrame, type ReadField, type ReadFrame } from "../../wire/http2-read.ts";
import { inWords } from "../../wire/http2-words.ts";
import { fromLatin1, join } from "../../wire/octets.ts";
import type { Conversation } from "./connection.ts";

/** The client's side of a proxy in HTTP/2: frames as the case wrote them; what comes back is read as responses, one a stream. */

const PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
/** A window that no case fills: what the proxy sends is never held back. */
const WINDOW = 0x7fff_ffff;
const BEYOND_DEFAULT = WINDOW - 65_535;

type Draft = { -readonly [Member in keyof ReadResponse]: ReadResponse[Member] };

export class Http2Front implements Conversation {
  readonly #socket: Socket;
  readonly #recorder: Recorder;
  readonly #waiting: Waiting;
  readonly #values: Values;
  readonly #cutter = new FrameCutter();
  readonly #sections = new Sections(blockDecoder());
  readonly #responses = new Map<number, Draft>();
  readonly #interim = new Map<number, ReadResponse[]>();
  readonly #methods = new Map<number, string>();
  /** Streams of the fence: their answers are none of the case. */
  readonly #apart = new Set<number>();
  readonly #sentWhole = new Set<number>();
  #settings = 0;
  #highest = -1;
  #dropped = false;
  readonly resets: number[] = [];
  goaway = false;
  ended: "fin" | "reset" | undefined;
  endedByUs = false;
  readonly garbage = [];
  readonly tunnel = new Uint8Array();
  readonly upgraded = undefined;
  readonly sent: readonly ReadRequest[] = [];

  constructor(socket: Socket, values: Values, recorder: Recorder, waiting: Waiting) {
    this.#socket = patient(socket);
    this.#values = values;
    this.#recorder = recorder;
    this.#waiting = waiting;
    socket.on("data", (octets: Uint8Array) => this.#receive(octets));
    socket.on("end", () => this.#end("fin"));
    socket.on("close", () => this.#end("fin"));
    socket.on("error", () => this.#end("reset"));
  }

  /** Final responses in the order of their streams. */
  get responses(): readonly ReadResponse[] {
    return this.#ofCase(this.#responses);
  }
  /** Interim responses on streams that have no final one. */
  get interim(): readonly ReadResponse[] {
    return this.#ofCase(this.#interim).flat();
  }
  #ofCase<T>(all: ReadonlyMap<number, T>): T[] {
    const streams = [...all.keys()].filter((stream) => !this.#apart.has(stream)).sort((a, b) => a - b);
    return streams.flatMap((stream) => all.get(stream) ?? []);
  }

  /** Sends preface and SETTINGS; true when the SETTINGS of the other side have come and ours are acknowledged. */
  open(timeout: number): Promise<boolean> {
    this.#write("the preface", fromLatin1(PREFACE));
    this.send([
      {
        type: "SETTINGS",
        settings: [
          ["ENABLE_PUSH", 0],
          ["INITIAL_WINDOW_SIZE", WINDOW],
        ],
      },
      { type: "WINDOW_UPDATE", increment: BEYOND_DEFAULT },
    ]);
    return this.#waiting.until(() => this.#settings === 3 || this.ended !== undefined, timeout).then(() => this.#settings === 3);
  }

  send(frames: readonly FrameSpec[]): void {
    const setting = { stream: (ref: unknown) => Number(ref), text: (value: string) => fill(value, this.#values) };
    const octets = frames.map((spec) => {
      if (typeof spec.stream === "number") this.#highest = Math.max(this.#highest, spec.stream);
      if (typeof spec.stream === "number" && Array.isArray(spec.flags) && spec.flags.includes("END_STREAM"))
        this.#sentWhole.add(spec.stream);
      const method = spec.fields?.find(([name]) => name === ":method")?.[1];
      if (method !== undefined) this.#methods.set(Number(spec.stream), method);
      return build(typeof spec.data === "string" ? { ...spec, data: fill(spec.data, this.#values) } : spec, setting);
    });
    frames.forEach((spec, at) => {
      const one = octets[at];
      if (one !== undefined)
        this.#recorder.wire(
          "->",
          inWords(
            readFrame(one),
            spec.fields?.map(([name, value]): ReadField => [name, fill(value, this.#values)]),
          ),
          one,
        );
    });
    if (this.ended === undefined && !this.endedByUs) this.#socket.write(join(octets));
  }

  /** A request of the fence, on a stream of its own; its response is found by that stream. */
  ask(path: string): number {
    const stream = this.#highest + 2;
    this.#apart.add(stream);
    const fields = [
      [":method", "GET"],
      [":scheme", "{scheme}"],
      [":authority", "{authority}"],
      [":path", path],
    ] as const;
    this.send([{ type: "HEADERS", stream, flags: ["END_STREAM", "END_HEADERS"], fields }]);
    return stream;
  }
  responseOn(stream: number): ReadResponse | undefined {
    return this.#responses.get(stream);
  }

  /** It was answered to the end, or reset. */
  isConcluded(stream: number): boolean {
    return this.resets.includes(stream) || this.#responses.get(stream)?.complete === true;
  }
  /** Requests that are sent to their end and not concluded. */
  get unconcluded(): number[] {
    return [...this.#sentWhole].filter((stream) => !this.isConcluded(stream));
  }

  end(how: "half" | "whole" | "reset"): void {
    if (this.endedByUs) return;
    this.#recorder.remark(
      how === "half" ? "we end our half of the connection" : how === "whole" ? "we close the connection" : "we reset the connection",
    );
    this.endedByUs = true;
    if (how === "half") this.#socket.end();
    else if (how === "whole") this.#socket.destroy();
    // What TLS wraps cannot be reset from here: it is dropped without a goodbye.
    else if ("encrypted" in this.#socket) this.#socket.destroy();
    else this.#socket.resetAndDestroy();
  }

  /** After the case: nothing more is recorded. */
  drop(): void {
    this.#dropped = true;
    this.#socket.removeAllListeners("data");
    this.#socket.destroy();
  }

  #write(means: string, octets: Uint8Array): void {
    this.#recorder.wire("->", means, octets);
    this.#socket.write(octets);
  }

  #receive(octets: Uint8Array): void {
    if (this.#dropped) return;
    for (const whole of this.#cutter.push(octets)) this.#take(readFrame(whole), whole);
    this.#waiting.poke();
  }

  #take(frame: ReadFrame, octets: Uint8Array): void {
    const section = this.#sections.take(frame);
    this.#recorder.wire("<-", inWords(frame, section?.fields), octets);
    if (frame.type === "SETTINGS") {
      this.#settings |= frame.ack === true ? 2 : 1;
      if (frame.ack !== true) this.send([{ type: "SETTINGS", flags: ["ACK"] }]);
    } else if (frame.type === "PING" && frame.ack !== true)
      this.send([{ type: "PING", flags: ["ACK"], hex: Buffer.from(frame.payload).toString("hex") }]);
    else if (frame.type === "GOAWAY") this.goaway ||= frame.code !== "NO_ERROR";
    else if (frame.type === "RST_STREAM") this.resets.push(frame.stream);
    if (section?.of === "HEADERS") this.#section(section.stream, section.fields);
    const response = this.#responses.get(frame.stream);
    if (response === undefined) return;
    if (frame.data !== undefined) response.content = join([response.content, frame.data]);
    response.complete ||= frame.endStream === true || (section?.endStream ?? false);
  }

  #section(stream: number, section: readonly ReadField[]): void {
    const fields = section.map(([name, value]): RawField => ({ name, value, line: `${name}: ${value}` }));
    const status = Number(section.find(([name]) => name === ":status")?.[1] ?? Number.NaN);
    const there = this.#responses.get(stream);
    if (there !== undefined) there.trailers = fields;
    else if (status < 200) this.#interim.set(stream, [...(this.#interim.get(stream) ?? []), this.#message(stream, status, fields)]);
    else {
      this.#responses.set(stream, { ...this.#message(stream, status, fields), interim: this.#interim.get(stream) ?? [] });
      this.#interim.delete(stream);
    }
  }

  #message(stream: number, status: number, fields: RawField[]): ReadResponse {
    const method = this.#methods.get(stream) ?? "GET";
    const framing = method === "HEAD" || status === 204 || status === 304 || status < 200 ? "none" : "length";
    const nothing = {
      content: new Uint8Array(),
      chunks: [],
      trailers: [],
      complete: status < 200,
      oddities: [],
      from: 0,
      headEnd: 0,
      to: 0,
    };
    return { start: "", version: "HTTP/2", status, reason: "", method, fields, framing, interim: [], ...nothing };
  }

  #end(how: "fin" | "reset"): void {
    if (this.ended !== undefined || this.#dropped) return;
    this.ended = how;
    this.#recorder.remark(how === "fin" ? "the connection closed" : "the connection was reset");
    this.#waiting.poke();
  }
}
