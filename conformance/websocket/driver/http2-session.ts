import type { Duplex } from "node:stream";
import { patient } from "../../harness/patient.ts";
import type { Recorder } from "../../harness/recorder.ts";
import { Waiting } from "../../harness/waiting.ts";
import type { FrameSpec } from "../../http2/vocabulary.ts";
import { blockDecoder } from "../../wire/field-block.ts";
import { build } from "../../wire/http2.ts";
import { DEFAULTS, MAGIC } from "../../wire/http2-numbers.ts";
import { FrameCutter, type ReadField, readFrame, type ReadFrame } from "../../wire/http2-read.ts";
import { framesInWords, inWords } from "../../wire/http2-words.ts";
import { fromLatin1, join } from "../../wire/octets.ts";

/** Windows that nothing in a case fills: the flow of what comes is not what these cases are about. */
const WINDOW = 2 ** 30;
/** So much is taken in before the window is opened again. */
const REFILL = 2 ** 24;

/** What a stream is told. */
export type StreamListener = {
  readonly head: (fields: readonly ReadField[], last: boolean) => void;
  readonly data: (octets: Uint8Array, last: boolean) => void;
  readonly ended: (how: "fin" | "reset", words: string) => void;
  /** Its window, or that of the connection, has opened. */
  readonly opened: () => void;
};

/** Our end of a connection of HTTP/2 whose streams carry WebSockets: the preface, windows, and what every client answers by itself. */
export class Http2Session {
  /** The server's settings, the last value of each; undefined before its first SETTINGS. */
  settings: Map<string, number> | undefined;
  over = false;
  /** What may still be sent, on all streams together, and at first on each. */
  window: number = DEFAULTS.window;
  readonly waiting = new Waiting();
  readonly #socket: Duplex;
  readonly #recorder: Recorder;
  readonly #streams = new Map<number, StreamListener>();
  readonly #windows = new Map<number, number>();
  readonly #cutter = new FrameCutter();
  readonly #decoder = blockDecoder();
  #next = 1;
  #taken = 0;
  #block: { readonly head: ReadFrame; readonly parts: Uint8Array[] } | undefined;
  #dropped = false;

  constructor(socket: Duplex, recorder: Recorder) {
    this.#socket = patient(socket);
    this.#recorder = recorder;
    socket.on("data", (octets: Uint8Array) => this.#receive(octets));
    socket.on("end", () => this.#end("fin", "the connection of HTTP/2 closed"));
    socket.on("close", () => this.#end("fin", "the connection of HTTP/2 closed"));
    socket.on("error", () => this.#end("reset", "the connection of HTTP/2 was reset"));
    const settings: FrameSpec = { type: "SETTINGS", settings: [["INITIAL_WINDOW_SIZE", WINDOW]] };
    const octets = join([fromLatin1(MAGIC), this.#built(settings), this.#built({ type: "WINDOW_UPDATE", increment: WINDOW })]);
    this.#recorder.wire("->", `the preface of HTTP/2 | SETTINGS INITIAL_WINDOW_SIZE=${WINDOW} | WINDOW_UPDATE ${WINDOW}`, octets);
    this.#socket.write(octets);
  }

  /** A stream of its own. */
  open(listener: StreamListener): number {
    const stream = this.#next;
    this.#next += 2;
    this.#streams.set(stream, listener);
    return stream;
  }

  windowOf(stream: number): number {
    return Math.min(this.window, this.#windows.get(stream) ?? this.settings?.get("INITIAL_WINDOW_SIZE") ?? DEFAULTS.window);
  }
  get frameLimit(): number {
    return this.settings?.get("MAX_FRAME_SIZE") ?? DEFAULTS.maxFrameSize;
  }

  /** A frame as octets, and in words. */
  frame(spec: FrameSpec): { octets: Uint8Array; words: string } {
    const octets = this.#built(spec);
    const words = framesInWords(octets, ({ type }) =>
      type === "HEADERS" ? spec.fields?.map(([name, value]) => [name, value]) : undefined,
    );
    return { octets, words: words.join(" | ") };
  }

  /** Sends a frame, and writes it down. */
  send(spec: FrameSpec): void {
    const { octets, words } = this.frame(spec);
    this.#recorder.wire("->", words, octets);
    this.write(octets);
  }

  /** Of a stream's octets what its window takes, in one frame; how many that were. */
  data(stream: number, octets: Uint8Array, last = false): number {
    const count = Math.max(0, Math.min(octets.length, this.windowOf(stream), this.frameLimit));
    if (count === 0 && !(last && octets.length === 0)) return 0;
    this.#windows.set(stream, (this.#windows.get(stream) ?? this.windowOf(stream)) - count);
    this.window -= count;
    const flags = last && count === octets.length ? (["END_STREAM"] as const) : [];
    const head = this.#built({ type: "DATA", stream, flags, length: count });
    this.write(join([head, octets.subarray(0, count)]));
    return count;
  }

  write(octets: Uint8Array, done?: () => void): void {
    if (this.#socket.writable) this.#socket.write(octets, () => done?.());
    else done?.();
  }
  /** Resolves when everything that was written has left. */
  flushed(): Promise<void> {
    return new Promise((resolve) => this.write(new Uint8Array(), resolve));
  }

  drop(): void {
    this.#dropped = true;
    this.over = true;
    this.#socket.removeAllListeners("data");
    this.#socket.destroy();
  }

  #built(spec: FrameSpec): Uint8Array {
    return build(spec, { stream: Number, text: (value) => value });
  }

  #receive(octets: Uint8Array): void {
    if (this.#dropped) return;
    for (const frame of this.#cutter.push(octets)) this.#frame(readFrame(frame));
    this.waiting.poke();
  }

  #frame(frame: ReadFrame): void {
    const { type, stream, payload } = frame;
    if (type === "DATA") return this.#data(frame);
    if (type === "HEADERS" || type === "CONTINUATION") return this.#headers(frame);
    this.#recorder.wire("<-", inWords(frame), frame.octets);
    if (type === "SETTINGS" && frame.ack !== true) this.#settings(frame);
    else if (type === "PING" && frame.ack !== true) this.send({ type: "PING", flags: ["ACK"], hex: Buffer.from(payload).toString("hex") });
    else if (type === "WINDOW_UPDATE") this.#update(stream, frame.increment ?? 0);
    else if (type === "RST_STREAM") {
      const listener = this.#streams.get(stream);
      this.#streams.delete(stream);
      listener?.ended("reset", `the stream was reset with ${frame.code ?? "no code"}`);
    } else if (type === "GOAWAY") {
      this.over = true;
      for (const [one, listener] of this.#streams)
        if (one > (frame.last ?? 0)) listener.ended("reset", "the stream was not taken any more");
    }
  }

  #settings({ settings = [] }: ReadFrame): void {
    const before = this.settings?.get("INITIAL_WINDOW_SIZE") ?? DEFAULTS.window;
    this.settings = new Map([...(this.settings ?? []), ...settings]);
    const difference = (this.settings.get("INITIAL_WINDOW_SIZE") ?? DEFAULTS.window) - before;
    for (const [stream, window] of this.#windows) this.#windows.set(stream, window + difference);
    this.send({ type: "SETTINGS", flags: ["ACK"] });
    for (const { opened } of this.#streams.values()) opened();
  }

  #update(stream: number, increment: number): void {
    if (stream === 0) this.window += increment;
    else this.#windows.set(stream, (this.#windows.get(stream) ?? this.settings?.get("INITIAL_WINDOW_SIZE") ?? DEFAULTS.window) + increment);
    for (const { opened } of this.#streams.values()) opened();
  }

  #data({ stream, data = new Uint8Array(), endStream = false, length }: ReadFrame): void {
    this.#taken += length;
    if (this.#taken >= REFILL) {
      for (const one of [0, ...this.#streams.keys()]) this.send({ type: "WINDOW_UPDATE", stream: one, increment: this.#taken });
      this.#taken = 0;
    }
    this.#streams.get(stream)?.data(data, endStream);
  }

  #headers(frame: ReadFrame): void {
    const open = frame.type === "HEADERS" ? { head: frame, parts: [] } : this.#block;
    open?.parts.push(frame.fragment ?? new Uint8Array());
    this.#block = frame.endHeaders === true ? undefined : open;
    if (open === undefined || frame.endHeaders !== true) {
      this.#recorder.wire("<-", inWords(frame), frame.octets);
      return;
    }
    const decoded = this.#decoder.decode(join(open.parts));
    const fields = "fields" in decoded ? decoded.fields : [];
    this.#recorder.wire(
      "<-",
      "fields" in decoded ? inWords(open.head, fields) : `${inWords(open.head)} [${decoded.problem}]`,
      frame.octets,
    );
    this.#streams.get(open.head.stream)?.head(fields, open.head.endStream === true);
  }

  #end(how: "fin" | "reset", words: string): void {
    if (this.#dropped || (this.over && this.#streams.size === 0)) return;
    this.over = true;
    for (const listener of this.#streams.values()) listener.ended(how, words);
    this.#streams.clear();
    this.waiting.poke();
  }
}
