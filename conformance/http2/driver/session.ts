import type { Duplex } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { blockDecoder } from "../../wire/field-block.ts";
import { build, type Setting } from "../../wire/http2.ts";
import { DEFAULTS, MAGIC } from "../../wire/http2-numbers.ts";
import { FrameCutter, readFrame, type ReadFrame } from "../../wire/http2-read.ts";
import { inWords } from "../../wire/http2-words.ts";
import { fromLatin1, printable, toLatin1 } from "../../wire/octets.ts";
import type { FrameSpec, StreamRef } from "../vocabulary.ts";
import { Lives } from "./lives.ts";
import type { Log, Section } from "./log.ts";
import { patient } from "../../harness/patient.ts";
import type { Recorder } from "../../harness/recorder.ts";
import { Sections } from "./sections.ts";
import { Windows } from "./windows.ts";

/** So many pieces of a write that is cut are kept apart by time. */
const PACED = 100;
const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

export type SessionOptions = {
  /** Who we are on this connection. */
  readonly we: "client" | "server";
  readonly log: Log;
  readonly recorder: Recorder;
  /** Which connection of the case this is. */
  readonly on: number;
  /** Replaces the braces in field values. */
  readonly text: (value: string) => string;
  readonly streamOf: (ref: StreamRef) => number;
};

/**
 * Our end of one connection: sends what it is told, reads whatever comes, keeps the books, and meanwhile does by itself what a peer
 * must do anyway (acknowledge SETTINGS, answer PING, replenish windows) unless the case has taken that over.
 */
export class Session {
  readonly #socket: Duplex;
  readonly #options: SessionOptions;
  readonly #in = new FrameCutter();
  readonly #out = new FrameCutter();
  readonly #sections = new Sections(blockDecoder());
  readonly #sent = new Sections(blockDecoder());
  #magicLeft: number;
  #automatic: Uint8Array[] = [];
  #tableLimit: number = DEFAULTS.tableSize;
  #cutting = false;
  #ended = false;
  #endedByUs = false;

  /** Acknowledge the subject's SETTINGS by itself. */
  acknowledges = true;
  #replenishes = true;
  readonly #owed = new Map<number, number>();

  /** What the subject may still receive from us, by its own word. */
  readonly theirWindows = new Windows();
  /** What the subject may still send us, by ours. */
  readonly ourWindows = new Windows();
  /** The subject's SETTINGS, last value of each. */
  readonly theirSettings = new Map<string, number>();
  /** Frames of ours as the subject reads them, for the monitors. */
  readonly sentFrames: { readonly at: number; readonly frame: ReadFrame; readonly after: number }[] = [];
  readonly #closedStreams = new Set<number>();
  highestStream = 0;
  readonly #lives = new Lives();

  constructor(socket: Duplex, options: SessionOptions) {
    this.#socket = patient(socket);
    this.#options = options;
    this.#magicLeft = options.we === "server" ? MAGIC.length : 0;
    socket.on("data", (chunk: Uint8Array) => this.#receive(chunk));
    socket.on("end", () => this.#end("fin"));
    socket.on("close", () => this.#end("fin"));
    socket.on("error", () => this.#end("reset"));
  }

  /** Whether one more request is within the limit that the subject has announced (rfc9113#5.1.2). */
  get hasRoom(): boolean {
    return this.#lives.open < (this.theirSettings.get("MAX_CONCURRENT_STREAMS") ?? Number.POSITIVE_INFINITY);
  }

  get ended(): boolean {
    return this.#ended;
  }

  send(frames: readonly FrameSpec[], cut?: number): Promise<void> | undefined {
    const built = frames.map((spec) => build(spec, this.#setting));
    const whole = Buffer.concat(built);
    if (cut !== undefined) return this.#writeCut(whole, cut);
    this.#write(whole);
    this.#book(whole, false);
    return undefined;
  }

  /** Octets as they are; `note` says in the transcript what they mean. */
  octets(bytes: Uint8Array, note: string): void {
    this.#options.recorder.wire("->", note, bytes);
    this.#write(bytes);
    this.#book(bytes, true);
  }

  preface(magic: string, settings: FrameSpec | undefined, cut?: number): Promise<void> | undefined {
    const bytes = fromLatin1(magic);
    if (magic !== "") this.#options.recorder.wire("->", magic === MAGIC ? "connection preface" : `preface "${printable(magic)}"`, bytes);
    const frames = settings === undefined ? new Uint8Array() : build(settings, this.#setting);
    const whole = Buffer.concat([bytes, frames]);
    if (cut !== undefined) return this.#writeCut(whole, cut, frames);
    this.#write(whole);
    this.#book(frames, false);
    return undefined;
  }

  holdWindows(hold: boolean): void {
    this.#replenishes = !hold;
    if (hold) return;
    for (const [stream, octets] of this.#owed) this.#automatically({ type: "WINDOW_UPDATE", stream, increment: octets });
    this.#owed.clear();
  }

  /** Ends our half, or the whole transport. */
  end(how: "half" | "whole"): void {
    this.#options.recorder.remark(how === "half" ? "we end our half of the connection" : "we close the connection");
    this.#endedByUs = true;
    if (how === "half") this.#socket.end();
    else this.#socket.destroy();
  }

  /** After the case: nothing more is recorded. */
  drop(): void {
    this.#socket.removeAllListeners("data");
    this.#socket.destroy();
  }

  get #setting(): Setting {
    const tableLimit = this.theirSettings.get("HEADER_TABLE_SIZE") ?? DEFAULTS.tableSize;
    const frameLimit = this.theirSettings.get("MAX_FRAME_SIZE") ?? DEFAULTS.maxFrameSize;
    return { stream: this.#options.streamOf, text: this.#options.text, tableLimit, frameLimit };
  }

  #write(bytes: Uint8Array): void {
    if (bytes.length > 0 && this.#socket.writable) this.#socket.write(bytes);
  }

  /** Pieces that each leave the process on their own; nothing of ours gets between them. */
  async #writeCut(bytes: Uint8Array, cut: number, frames = bytes): Promise<void> {
    this.#cutting = true;
    let pieces = 0;
    this.#book(frames, false);
    for (let at = 0; at < bytes.length && this.#socket.writable; at += cut) {
      this.#socket.write(bytes.subarray(at, at + cut));
      // A moment between pieces, so that they are read one by one; where there are very many, only a turn.
      await (++pieces <= PACED ? pause(1) : turn());
    }
    this.#cutting = false;
    this.#flushAutomatic();
  }

  /** Follows our own octets as the subject reads them: who is allowed what, which streams are used, whether a frame or block is open. */
  #book(bytes: Uint8Array, quietly: boolean): void {
    const before = this.#out.pending;
    const whole = this.#out.push(bytes);
    for (const octets of whole) {
      const frame = readFrame(octets);
      const section = this.#sent.take(frame);
      this.#keepOurs(frame);
      if (!quietly) this.#options.recorder.wire("->", inWords(frame, section?.fields), octets);
    }
    const left = this.#out.pending;
    if (!quietly && left > 0 && left !== before) {
      const tail = bytes.subarray(Math.max(0, bytes.length - left));
      const words =
        tail.length >= 9 ? `${inWords(readFrame(tail))} (its Length promises more than was sent)` : `${tail.length} octets of a frame`;
      this.#options.recorder.wire("->", words, tail);
    }
    if (whole.length > 0) this.#flushAutomatic();
  }

  #keepOurs(frame: ReadFrame): void {
    this.sentFrames.push({ at: this.#options.recorder.now, frame, after: this.#options.log.seen.length });
    if (frame.stream > this.highestStream) this.highestStream = frame.stream;
    this.ourWindows.grant(frame);
    if (frame.type === "DATA") this.theirWindows.use(frame.stream, frame.length);
    if (frame.type === "RST_STREAM") this.#closedStreams.add(frame.stream);
    this.#lives.ours(frame);
    for (const [name, value] of frame.settings ?? []) {
      // Read leniently: the largest that was ever announced. Whether the subject keeps to the last is a monitor's business.
      if (name === "HEADER_TABLE_SIZE") this.#sections.limit((this.#tableLimit = Math.max(this.#tableLimit, value)));
    }
  }

  /** A frame that a peer owes anyway; it waits while our last octets end inside a frame or a field block. */
  #automatically(spec: FrameSpec): void {
    this.#automatic.push(build(spec, this.#setting));
    this.#flushAutomatic();
  }

  #flushAutomatic(): void {
    if (this.#cutting || this.#out.pending > 0 || this.#sent.open || this.#automatic.length === 0) return;
    const bytes = Buffer.concat(this.#automatic);
    this.#automatic = [];
    this.#write(bytes);
    this.#book(bytes, false);
  }

  #receive(chunk: Uint8Array): void {
    let bytes = chunk;
    if (this.#magicLeft > 0) {
      const expected = MAGIC.slice(MAGIC.length - this.#magicLeft);
      const part = bytes.subarray(0, this.#magicLeft);
      if (toLatin1(part) !== expected.slice(0, part.length)) return this.#garbage(chunk, "is not the connection preface");
      this.#magicLeft -= part.length;
      bytes = bytes.subarray(part.length);
      if (this.#magicLeft === 0) this.#options.recorder.wire("<-", "connection preface", fromLatin1(MAGIC));
    }
    if (this.#options.log.seen.length === 0 && toLatin1(bytes.subarray(0, 5)) === "HTTP/") {
      return this.#garbage(chunk, "is an answer in HTTP/1.1");
    }
    for (const octets of this.#in.push(bytes)) this.#takeFrame(octets);
  }

  #takeFrame(octets: Uint8Array): void {
    const frame = readFrame(octets);
    const section = this.#sections.take(frame);
    this.#options.recorder.wire("<-", inWords(frame, section?.problem === undefined ? section?.fields : undefined), octets);
    if (section?.problem !== undefined) this.#options.recorder.remark(`the field block does not decode: ${section.problem}`);
    this.#react(frame, section);
    this.#options.log.push({
      is: "frame",
      at: this.#options.recorder.now,
      on: this.#options.on,
      frame,
      ...(section === undefined ? {} : { section }),
    });
  }

  #react(frame: ReadFrame, section: Section | undefined): void {
    this.theirWindows.grant(frame);
    if (frame.stream > this.highestStream) this.highestStream = frame.stream;
    if (section?.promised !== undefined && section.promised > this.highestStream) this.highestStream = section.promised;
    if (frame.type === "SETTINGS" && frame.ack === false) {
      for (const [name, value] of frame.settings ?? []) this.theirSettings.set(name, value);
      if (this.acknowledges) this.#automatically({ type: "SETTINGS", flags: ["ACK"] });
    }
    if (frame.type === "PING" && frame.ack === false && frame.problem === undefined) {
      this.#automatically({ type: "PING", flags: ["ACK"], hex: Buffer.from(frame.payload).toString("hex") });
    }
    if (frame.type === "DATA" && frame.length > 0) {
      this.ourWindows.use(frame.stream, frame.length);
      if (frame.endStream !== true && !this.#closedStreams.has(frame.stream)) this.#owe(frame.stream, frame.length);
      this.#owe(0, frame.length);
    }
    this.#lives.theirs(frame);
    if (frame.type === "RST_STREAM" || frame.endStream === true) {
      this.#closedStreams.add(frame.stream);
      this.#owed.delete(frame.stream);
    }
  }

  #owe(stream: number, octets: number): void {
    if (this.#replenishes) this.#automatically({ type: "WINDOW_UPDATE", stream, increment: octets });
    else this.#owed.set(stream, (this.#owed.get(stream) ?? 0) + octets);
  }

  #garbage(bytes: Uint8Array, why: string): void {
    const text = printable(toLatin1(bytes), 60);
    this.#options.recorder.wire("<-", `"${text}" ${why}`, bytes);
    const http1 = toLatin1(bytes.subarray(0, 5)) === "HTTP/" ? ({ http1: true } as const) : {};
    this.#options.log.push({ is: "garbage", at: this.#options.recorder.now, on: this.#options.on, text: `"${text}" ${why}`, ...http1 });
    this.#socket.removeAllListeners("data");
    this.#socket.resume();
  }

  #end(how: "fin" | "reset"): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#in.pending > 0) this.#options.recorder.remark(`the subject ended inside a frame, after ${this.#in.pending} octets of it`);
    this.#options.recorder.remark(how === "fin" ? "the subject closed the connection" : "the connection was reset");
    this.#options.log.push({ is: "end", at: this.#options.recorder.now, on: this.#options.on, how, ours: this.#endedByUs });
  }
}
