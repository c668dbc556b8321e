import type { Duplex } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { blockDecoder } from "../hpack/field-block.ts";
import { build, type Setting } from "./build.ts";
import type { FrameSpec, StreamRef } from "./frame-spec.ts";
import { DEFAULTS, MAGIC } from "./numbers.ts";
import { OpenStreams } from "./open-streams.ts";
import { FrameCutter, readFrame, type ReadFrame } from "./read.ts";
import type { RequestField } from "../request-fields.ts";
import { RequestHeads } from "./request-heads.ts";
import { type Section, Sections } from "./sections.ts";
import { TableSizes } from "./table-sizes.ts";
import { Windows } from "./windows.ts";
import { inWords } from "./words.ts";
import { fromLatin1, printable, toHex, toLatin1 } from "../octets.ts";
import { type Ending, ENDING_IN_WORDS, endSocket, survivingWrites } from "../sockets.ts";
import { turn } from "../writes.ts";

/** Pieces of a cut write that are kept apart by time; the rest only by a turn of the loop. */
const PACED = 100;

/** Where an end writes down both directions; `Recorder` in the harness is one. */
export type Transcript = {
  wire(way: "->" | "<-", means: string, octets: Uint8Array): void;
  remark(means: string): void;
};

/** What an end reports, as it happens. */
export type Http2Events = {
  /** A frame came; `section` is the field section that it completes. */
  readonly frame?: (frame: ReadFrame, section: Section | undefined) => void;
  /** A frame of ours was written, read as the peer reads it. */
  readonly sent?: (frame: ReadFrame) => void;
  /** The peer does not speak HTTP/2: nothing more is read. */
  readonly garbage?: (words: string, http1: boolean) => void;
  /** The peer ended the connection, or reset it. */
  readonly ended?: (how: "fin" | "reset") => void;
};

export type Http2EndOptions = {
  readonly we: "client" | "server";
  readonly on: Http2Events;
  readonly transcript?: Transcript;
  /** Whether a frame is written down; all are by default. */
  readonly writesDown?: (frame: ReadFrame) => boolean;
  /** Replaces the braces in field values. */
  readonly text?: (value: string) => string;
  readonly streamOf?: (ref: StreamRef) => number;
  /** Of a client: fields that every request has. */
  readonly fields?: readonly RequestField[];
  /** The octets that the peer may send before we replenish its windows: 0 replenishes after every DATA frame. */
  readonly replenishAfter?: number;
};

/**
 * Our end of one HTTP/2 connection, client or server. It writes any octets, legal or not, and reads leniently. By itself it
 * does only what every peer must: it acknowledges SETTINGS, answers PING, and replenishes windows, unless that is switched off.
 */
export class Http2End {
  readonly #socket: Duplex;
  readonly #options: Http2EndOptions;
  readonly #in = new FrameCutter();
  readonly #out = new FrameCutter();
  readonly #received = new Sections(blockDecoder());
  readonly #sent = new Sections(blockDecoder());
  #magicLeft: number;
  #automatic: Uint8Array[] = [];
  #tableLimit: number = DEFAULTS.tableSize;
  #cutting = false;
  #ended = false;
  #endedByUs = false;
  #dropped = false;
  #frames = 0;
  #replenishAfter: number;
  readonly #owed = new Map<number, number>();
  readonly #tableSizes = new TableSizes();
  readonly #closedStreams = new Set<number>();
  readonly #open = new OpenStreams();
  readonly #heads: RequestHeads;

  /** Acknowledge the peer's SETTINGS. */
  acknowledges = true;
  /** Answer PING. */
  answersPings = true;
  /** What the peer lets us send. */
  readonly theirWindows = new Windows();
  /** What we let the peer send. */
  readonly ourWindows = new Windows();
  /** The peer's SETTINGS, the last value of each. */
  readonly theirSettings = new Map<string, number>();
  /** Whether the peer's SETTINGS have arrived, even if empty. */
  hasTheirSettings = false;
  /** The highest stream that either side has used. */
  highestStream = 0;

  constructor(socket: Duplex, options: Http2EndOptions) {
    this.#socket = survivingWrites(socket);
    this.#options = options;
    this.#heads = new RequestHeads(options.fields ?? []);
    this.#replenishAfter = options.replenishAfter ?? 0;
    this.#magicLeft = options.we === "server" ? MAGIC.length : 0;
    socket.on("data", (chunk: Uint8Array) => this.#receive(chunk));
    socket.on("end", () => this.#end("fin"));
    socket.on("close", () => this.#end("fin"));
    socket.on("error", () => this.#end("reset"));
  }

  /** Whether one more request stays within the peer's limit (rfc9113#5.1.2). */
  get hasRoom(): boolean {
    return this.#open.open < (this.theirSettings.get("MAX_CONCURRENT_STREAMS") ?? Number.POSITIVE_INFINITY);
  }
  /** The peer has ended the connection. */
  get ended(): boolean {
    return this.#ended;
  }
  /** We ended our half before. */
  get endedByUs(): boolean {
    return this.#endedByUs;
  }
  /** The largest payload that the peer accepts. */
  get frameLimit(): number {
    return this.theirSettings.get("MAX_FRAME_SIZE") ?? DEFAULTS.maxFrameSize;
  }

  /** Writes frames in one write, or in pieces of `cut` octets that each leave the process on their own. */
  send(frames: readonly FrameSpec[], cut?: number): Promise<void> | undefined {
    const whole = this.build(frames);
    if (cut !== undefined) return this.#writeCut(whole, cut);
    this.#write(whole);
    this.#book(whole, true);
    return undefined;
  }

  /** The octets of frames as they are sent now. */
  build(frames: readonly FrameSpec[]): Uint8Array {
    return Buffer.concat(frames.map((spec) => build(this.#tableSizes.signal(spec), { ...this.#setting, more: this.#heads.more(spec) })));
  }

  /** Writes octets as they are. `note` is their meaning in the transcript; without it, they are not written down. */
  octets(bytes: Uint8Array, note?: string): void {
    if (note !== undefined) this.#options.transcript?.wire("->", note, bytes);
    this.#write(bytes);
    this.#book(bytes, false);
  }

  /** The connection preface: the magic octets of a client (or others), and SETTINGS. */
  preface(magic: string, settings: FrameSpec | undefined, cut?: number): Promise<void> | undefined {
    const bytes = fromLatin1(magic);
    if (magic !== "") this.#options.transcript?.wire("->", magic === MAGIC ? "connection preface" : `preface "${printable(magic)}"`, bytes);
    const frames = settings === undefined ? new Uint8Array() : this.build([settings]);
    const whole = Buffer.concat([bytes, frames]);
    if (cut !== undefined) return this.#writeCut(whole, cut, frames);
    this.#write(whole);
    this.#book(frames, true);
    return undefined;
  }

  /** Writes as many octets of a stream's content as its windows and one frame take, and returns how many those were. */
  data(stream: number, octets: Uint8Array, last = false): number {
    const room = Math.min(this.theirWindows.connection, this.theirWindows.stream(stream), this.frameLimit);
    const count = Math.max(0, Math.min(octets.length, room));
    if (count === 0 && !(last && octets.length === 0)) return 0;
    const flags = last && count === octets.length ? (["END_STREAM"] as const) : [];
    const head = this.build([{ type: "DATA", stream, flags, length: count }]);
    this.octets(Buffer.concat([head, octets.subarray(0, count)]));
    return count;
  }

  /** Octets that were written and have not left the process. */
  get unsent(): number {
    return this.#socket.writableLength;
  }

  /** Resolves when all that was written has left the process. */
  flushed(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#socket.writable) this.#socket.write(new Uint8Array(), () => resolve());
      else resolve();
    });
  }

  /** Stops replenishing windows, or resumes and catches up; from then on after every `replenishAfter` octets, as in the options by default. */
  holdWindows(hold: boolean, replenishAfter = this.#options.replenishAfter ?? 0): void {
    this.#replenishAfter = hold ? Number.POSITIVE_INFINITY : replenishAfter;
    if (!hold) this.#replenish();
  }

  end(how: Ending): void {
    this.#options.transcript?.remark(ENDING_IN_WORDS[how]);
    this.#endedByUs = true;
    endSocket(this.#socket, how);
  }

  /** Ends the connection without a trace: nothing more is written down or reported. */
  drop(): void {
    this.#dropped = true;
    this.#socket.removeAllListeners("data");
    this.#socket.destroy();
  }

  get #setting(): Setting {
    return {
      stream: this.#options.streamOf ?? Number,
      text: this.#options.text ?? ((value) => value),
      tableLimit: this.theirSettings.get("HEADER_TABLE_SIZE") ?? DEFAULTS.tableSize,
      frameLimit: this.frameLimit,
    };
  }

  #write(bytes: Uint8Array): void {
    if (bytes.length > 0 && this.#socket.writable) this.#socket.write(bytes);
  }

  /** Writes pieces that each leave the process on their own; no other octets of ours get between them. */
  async #writeCut(bytes: Uint8Array, cut: number, frames = bytes): Promise<void> {
    this.#cutting = true;
    let pieces = 0;
    this.#book(frames, true);
    for (let at = 0; at < bytes.length && this.#socket.writable; at += cut) {
      this.#socket.write(bytes.subarray(at, at + cut));
      await (++pieces <= PACED ? pause(1) : turn());
    }
    this.#cutting = false;
    this.#flushAutomatic();
  }

  /** Follows our own octets as the peer reads them: windows, streams, and whether a frame or a field block is open. */
  #book(bytes: Uint8Array, writesDown: boolean): void {
    const before = this.#out.pending;
    const whole = this.#out.push(bytes);
    for (const octets of whole) {
      const frame = readFrame(octets);
      const section = this.#sent.take(frame);
      this.#keepOurs(frame);
      if (writesDown) this.#writeDown("->", frame, section);
    }
    const left = this.#out.pending;
    if (writesDown && left > 0 && left !== before) {
      const tail = bytes.subarray(Math.max(0, bytes.length - left));
      const words =
        tail.length >= 9 ? `${inWords(readFrame(tail))} (its Length promises more than was sent)` : `${tail.length} octets of a frame`;
      this.#options.transcript?.wire("->", words, tail);
    }
    if (whole.length > 0) this.#flushAutomatic();
  }

  #writeDown(way: "->" | "<-", frame: ReadFrame, section: Section | undefined): void {
    const { transcript, writesDown } = this.#options;
    if (transcript === undefined || writesDown?.(frame) === false) return;
    transcript.wire(way, inWords(frame, section?.problem === undefined ? section?.fields : undefined), frame.octets);
    if (way === "<-" && section?.problem !== undefined) transcript.remark(`the field block does not decode: ${section.problem}`);
  }

  #keepOurs(frame: ReadFrame): void {
    this.#options.on.sent?.(frame);
    if (frame.stream > this.highestStream) this.highestStream = frame.stream;
    this.ourWindows.grant(frame);
    if (frame.type === "DATA") this.theirWindows.use(frame.stream, frame.length);
    if (frame.type === "RST_STREAM") this.#closedStreams.add(frame.stream);
    this.#open.ours(frame);
    for (const [name, value] of frame.settings ?? []) {
      // Lenient: the largest table that we ever announced. A monitor checks whether the peer respects the last one.
      if (name === "HEADER_TABLE_SIZE") this.#received.limit((this.#tableLimit = Math.max(this.#tableLimit, value)));
    }
  }

  /** A frame that any peer owes; it waits while our last octets end inside a frame or a field block. */
  #automatically(spec: FrameSpec): void {
    this.#automatic.push(this.build([spec]));
    this.#flushAutomatic();
  }

  #flushAutomatic(): void {
    if (this.#cutting || this.#out.pending > 0 || this.#sent.open || this.#automatic.length === 0) return;
    const bytes = Buffer.concat(this.#automatic);
    this.#automatic = [];
    this.#write(bytes);
    this.#book(bytes, true);
  }

  #receive(chunk: Uint8Array): void {
    if (this.#dropped) return;
    let bytes = chunk;
    if (this.#magicLeft > 0) {
      const expected = MAGIC.slice(MAGIC.length - this.#magicLeft);
      const part = bytes.subarray(0, this.#magicLeft);
      if (toLatin1(part) !== expected.slice(0, part.length)) return this.#garbage(chunk, "is not the connection preface");
      this.#magicLeft -= part.length;
      bytes = bytes.subarray(part.length);
      if (this.#magicLeft === 0) this.#options.transcript?.wire("<-", "connection preface", fromLatin1(MAGIC));
    }
    if (this.#frames === 0 && toLatin1(bytes.subarray(0, 5)) === "HTTP/") return this.#garbage(chunk, "is an answer in HTTP/1.1");
    for (const octets of this.#in.push(bytes)) if (!this.#dropped) this.#takeFrame(octets);
  }

  #takeFrame(octets: Uint8Array): void {
    this.#frames += 1;
    const frame = readFrame(octets);
    const section = this.#received.take(frame);
    this.#writeDown("<-", frame, section);
    this.#react(frame, section);
    this.#options.on.frame?.(frame, section);
  }

  #react(frame: ReadFrame, section: Section | undefined): void {
    this.theirWindows.grant(frame);
    this.highestStream = Math.max(this.highestStream, frame.stream, section?.promised ?? 0);
    if (frame.type === "SETTINGS" && frame.ack === false) {
      this.hasTheirSettings = true;
      for (const [name, value] of frame.settings ?? []) this.theirSettings.set(name, value);
      this.#tableSizes.announced(frame.settings ?? []);
      if (this.acknowledges) this.#automatically({ type: "SETTINGS", flags: ["ACK"] });
    }
    if (this.answersPings && frame.type === "PING" && frame.ack === false && frame.problem === undefined)
      this.#automatically({ type: "PING", flags: ["ACK"], hex: toHex(frame.payload) });
    if (frame.type === "DATA" && frame.length > 0) {
      this.ourWindows.use(frame.stream, frame.length);
      if (frame.endStream !== true && !this.#closedStreams.has(frame.stream)) this.#owe(frame.stream, frame.length);
      this.#owe(0, frame.length);
      if ((this.#owed.get(0) ?? 0) >= this.#replenishAfter) this.#replenish();
    }
    this.#open.theirs(frame);
    if (frame.type === "RST_STREAM" || frame.endStream === true) {
      this.#closedStreams.add(frame.stream);
      this.#owed.delete(frame.stream);
    }
  }

  #owe(stream: number, octets: number): void {
    this.#owed.set(stream, (this.#owed.get(stream) ?? 0) + octets);
  }

  #replenish(): void {
    const owed = [...this.#owed];
    this.#owed.clear();
    for (const [stream, increment] of owed) this.#automatically({ type: "WINDOW_UPDATE", stream, increment });
  }

  #garbage(bytes: Uint8Array, why: string): void {
    const words = `"${printable(toLatin1(bytes), 60)}" ${why}`;
    this.#options.transcript?.wire("<-", words, bytes);
    this.#options.on.garbage?.(words, toLatin1(bytes.subarray(0, 5)) === "HTTP/");
    this.#socket.removeAllListeners("data");
    this.#socket.resume();
  }

  #end(how: "fin" | "reset"): void {
    if (this.#ended || this.#dropped) return;
    this.#ended = true;
    const { transcript, on } = this.#options;
    if (this.#in.pending > 0) transcript?.remark(`the subject ended inside a frame, after ${this.#in.pending} octets of it`);
    transcript?.remark(how === "fin" ? "the subject closed the connection" : "the connection was reset");
    on.ended?.(how);
  }
}
