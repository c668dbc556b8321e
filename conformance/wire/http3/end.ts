import { Decoder, DecoderStreamReader, type Decoded } from "../../../reference/qpack/index.ts";
import type { LineClosed, LineEvents, QuicLine } from "../quic/line.ts";
import { build } from "./build.ts";
import type { FrameSpec, SettingName } from "./frame-spec.ts";
import { codeName, type CodeName, codeOf, FRAMES, settingId, streamKind, type StreamKind, streamType } from "./numbers.ts";
import { FrameCutter, readFrame, type ReadField, type ReadFrame } from "./read.ts";
import { readVarint, varint } from "./varint.ts";
import { inWords, octetsInWords } from "./words.ts";
import { join } from "../octets.ts";
import { lacking, type RequestField } from "../request-fields.ts";

/** Where an end writes down both directions; `Recorder` in the harness is one. */
export type Transcript = {
  wire(way: "->" | "<-", means: string, octets: Uint8Array): void;
  remark(means: string): void;
};

export type ReadCode = CodeName | `0x${string}`;
/** What the peer opened a stream for; `nothing yet` before the type of a unidirectional stream has come. */
export type PeerStream = StreamKind | `0x${string}` | "request" | "bidirectional" | "nothing yet";

/** What the peer does, in the order in which it reaches us. `stream` is the identifier. */
export type Observed =
  | { readonly is: "opened"; readonly stream: number; readonly kind: PeerStream }
  /** A frame on a control stream, a push stream, or that of a message. `problem`: why its section does not decode. */
  | {
      readonly is: "frame";
      readonly stream: number;
      readonly frame: ReadFrame;
      readonly fields?: readonly ReadField[];
      readonly problem?: string;
    }
  /** Instructions on its encoder stream; `problem` says why they cannot be read. */
  | { readonly is: "insertions"; readonly stream: number; readonly octets: number; readonly problem?: string }
  | {
      readonly is: "decoded";
      readonly stream: number;
      readonly instruction: "acknowledgment" | "cancellation" | "increment";
      readonly value: number;
    }
  /** Its part of a stream ended; `cut`: within a frame. */
  | { readonly is: "end"; readonly stream: number; readonly cut: boolean }
  | { readonly is: "reset"; readonly stream: number; readonly code: ReadCode }
  | { readonly is: "stop"; readonly stream: number; readonly code: ReadCode }
  /** The connection is over. `by` names who or what ended it; `code` is undefined for a code of the transport. */
  | { readonly is: "closed"; readonly by: LineClosed["by"]; readonly code: ReadCode | undefined; readonly words: string };

export type Http3EndOptions = {
  readonly we: "client" | "server";
  readonly on: (observed: Observed) => void;
  readonly transcript?: Transcript;
  /** Replaces the braces in field values. */
  readonly text?: (value: string) => string;
  /** Of a client: fields that every request has. */
  readonly fields?: readonly RequestField[];
  /** Leaves DATA out of the transcript: what it carries is written down elsewhere. */
  readonly carries?: true;
};

type Incoming = { kind: PeerStream; readonly cutter: FrameCutter; start: Uint8Array };
type Settings = readonly (readonly [SettingName | number, number])[];

const REQUEST_STREAMS = new Set<PeerStream>(["request", "bidirectional"]);

/**
 * Our end of one HTTP/3 connection, client or server. It writes any octets on any stream, and reads leniently. By itself it only gives credit, and
 * acknowledges sections and insertions while it has a decoder stream.
 */
export class Http3End {
  readonly #line: QuicLine;
  readonly #options: Http3EndOptions;
  readonly #incoming = new Map<number, Incoming>();
  readonly #answers: DecoderStreamReader;
  #answersFrom = 0;
  #decoder: Decoder | undefined;
  /** Frames whose sections wait for insertions. */
  readonly #blocked = new Map<number, ReadFrame[]>();
  #decoderStream: number | undefined;
  #dropped = false;

  /** What we have announced, by number. */
  readonly ourSettings = new Map<number, number>();
  /** The peer's SETTINGS. */
  readonly theirSettings = new Map<string, number>();
  /** Whether they have come, even if empty. */
  hasTheirSettings = false;
  /** How the connection ended. */
  closed: Extract<Observed, { is: "closed" }> | undefined;
  endedByUs = false;
  established = false;
  /** Say on the decoder stream what we have decoded. */
  acknowledges = true;
  /** The streams on which we have sent anything. */
  readonly written = new Set<number>();
  /** The streams whose end we have sent. */
  readonly finished = new Set<number>();
  /** The streams that we have reset, and those on which the peer wants nothing more. */
  readonly #stopped = new Set<number>();
  /** The types of the frames that we have sent. */
  readonly sentTypes = new Set<FrameSpec["type"]>();

  constructor(line: QuicLine, options: Http3EndOptions) {
    this.#line = line;
    this.#options = options;
    this.#answers = new DecoderStreamReader((one) => {
      const value = one.is === "increment" ? one.by : one.streamId;
      this.#tell({ is: "decoded", stream: this.#answersFrom, instruction: one.is, value });
      return undefined;
    });
  }

  /** Opens a stream; undefined while the peer permits no more. */
  open(direction: "bidirectional" | "unidirectional"): number | undefined {
    return this.#line.open(direction);
  }
  /** The first octets of a unidirectional stream: its type. */
  begin(stream: number, kind: StreamKind | number): void {
    const octets = varint(streamType(kind));
    this.#write(stream, octets, false, `the type of a stream: ${typeof kind === "string" ? kind : `0x${kind.toString(16)}`}`);
    if (kind === "decoder") this.#decoderStream = stream;
  }
  /** Writes frames in one piece. */
  send(stream: number, given: readonly FrameSpec[], end = false): void {
    const frames = this.#completed(given);
    this.#write(stream, this.build(frames), end, frames.map((frame) => this.#specInWords(frame)).join("; "));
  }
  /** The same in pieces of `cut` octets, each in a datagram of its own. */
  async sendCut(stream: number, given: readonly FrameSpec[], end: boolean, cut: number): Promise<void> {
    const frames = this.#completed(given);
    const octets = this.build(frames);
    const words = frames.map((frame) => this.#specInWords(frame)).join("; ");
    for (let at = 0; at < octets.length; at += cut) {
      const piece = octets.subarray(at, at + cut);
      this.#write(
        stream,
        piece,
        end && at + cut >= octets.length,
        at === 0 ? `${words} (the first ${piece.length} octets)` : "the next octets",
      );
      await this.#line.flushed();
    }
  }
  /** The octets of frames as they are sent now. */
  build(frames: readonly FrameSpec[]): Uint8Array {
    for (const { type, settings } of frames) {
      this.sentTypes.add(type);
      this.#announce(settings ?? []);
    }
    const { text = (value: string) => value } = this.#options;
    return join(frames.map((frame) => build(frame, { text })));
  }
  /** Writes octets as they are. */
  octets(stream: number, octets: Uint8Array, note: string, end = false): void {
    this.#write(stream, octets, end, note);
  }
  finish(stream: number): void {
    this.#write(stream, new Uint8Array(0), true, "nothing");
  }
  /** Octets that the caller writes down itself. */
  carry(stream: number, octets: Uint8Array): void {
    if (!this.#stopped.has(stream)) this.#put(stream, octets, false);
  }
  /** The same in a DATA frame. */
  content(stream: number, octets: Uint8Array): void {
    this.carry(stream, join([varint(FRAMES.DATA), varint(octets.length), octets]));
  }
  reset(stream: number, code: CodeName | number): void {
    if (this.#stopped.has(stream)) return;
    this.#stopped.add(stream);
    this.#options.transcript?.remark(`we reset stream ${stream} with ${codeName(codeOf(code))}`);
    this.#line.reset(stream, codeOf(code));
  }
  stop(stream: number, code: CodeName | number): void {
    this.#options.transcript?.remark(`we ask for the end of stream ${stream} with ${codeName(codeOf(code))}`);
    this.#line.stop(stream, codeOf(code));
  }
  close(code: CodeName | number): void {
    this.#options.transcript?.remark(`we close the connection with ${codeName(codeOf(code))}`);
    this.endedByUs = true;
    this.#line.close(codeOf(code), "");
  }
  /** Ends the connection without a trace: nothing more is written down or reported. */
  async drop(): Promise<void> {
    this.#dropped = true;
    await this.#line.drop();
  }
  /** Keeps the connection from becoming idle. */
  ping(): void {
    this.#line.ping();
  }
  flushed(): Promise<void> {
    return this.#line.flushed();
  }

  /** Forgets what the peer's encoder has inserted, and with it an error that it made. */
  forgetTable(): void {
    this.#decoder = undefined;
  }

  /** What the peer opened a stream for. */
  kindOf(stream: number): PeerStream | undefined {
    return this.#incoming.get(stream)?.kind;
  }

  /** An event of the connection under this end. */
  readonly receive: LineEvents = (event) => {
    if (this.#dropped) return;
    switch (event.is) {
      case "established":
        this.established = true;
        break;
      case "opened":
        this.#incomingOf(event.stream);
        break;
      case "data":
        this.#line.consumed(event.stream, event.octets.length);
        this.#data(event.stream, event.octets, event.end);
        break;
      case "reset":
        this.#remark(`the peer reset stream ${event.stream} with ${codeName(event.code)}`);
        this.#tell({ is: "reset", stream: event.stream, code: codeName(event.code) });
        break;
      case "stopped":
        this.#stopped.add(event.stream);
        this.#remark(`the peer asks for the end of stream ${event.stream} with ${codeName(event.code)}`);
        this.#tell({ is: "stop", stream: event.stream, code: codeName(event.code) });
        break;
      case "closed":
        return this.#closed(event);
      default:
    }
  };

  #closed({ by, layer, code, reason }: LineClosed): void {
    const name = layer === "application" ? codeName(code) : undefined;
    const said = reason === "" ? "" : ` (${reason})`;
    const words =
      by === "peer"
        ? `the connection was closed with ${name ?? `code 0x${code.toString(16)} of QUIC`}${said}`
        : `the connection ended: ${by === "us" ? `we closed it, ${name ?? `with code 0x${code.toString(16)} of QUIC`}${said}` : by}`;
    this.#remark(words);
    this.closed = { is: "closed", by, code: by === "peer" ? name : undefined, words };
    this.#tell(this.closed);
  }

  #incomingOf(stream: number): Incoming {
    const there = this.#incoming.get(stream);
    if (there !== undefined) return there;
    const isUnidirectional = stream % 4 >= 2;
    const kind = isUnidirectional ? "nothing yet" : stream % 2 === 0 ? "request" : "bidirectional";
    const made: Incoming = { kind, cutter: new FrameCutter(), start: new Uint8Array(0) };
    this.#incoming.set(stream, made);
    const byPeer = (stream % 2 === 0) !== (this.#options.we === "client");
    if (byPeer && !isUnidirectional) this.#tell({ is: "opened", stream, kind });
    return made;
  }

  #data(stream: number, octets: Uint8Array, end: boolean): void {
    const incoming = this.#incomingOf(stream);
    const rest = incoming.kind === "nothing yet" ? this.#typed(stream, incoming, octets) : octets;
    if (rest !== undefined && rest.length > 0) this.#octets(stream, incoming, rest);
    if (!end) return;
    const cut = incoming.cutter.pending > 0;
    this.#remark(`the peer ended stream ${stream}${cut ? `, within a frame of which ${incoming.cutter.pending} octets have come` : ""}`);
    this.#tell({ is: "end", stream, cut });
  }

  /** Reads the type of a unidirectional stream; returns what follows it. */
  #typed(stream: number, incoming: Incoming, octets: Uint8Array): Uint8Array | undefined {
    const start = join([incoming.start, octets]);
    const type = readVarint(start);
    if (type === undefined) {
      incoming.start = start;
      return undefined;
    }
    incoming.kind = streamKind(type.value);
    this.#options.transcript?.wire("<-", `stream ${stream}: its type, ${incoming.kind}`, start.subarray(0, type.size));
    this.#tell({ is: "opened", stream, kind: incoming.kind });
    return start.subarray(type.size);
  }

  #octets(stream: number, { kind, cutter }: Incoming, octets: Uint8Array): void {
    if (kind === "control" || REQUEST_STREAMS.has(kind)) {
      for (const whole of cutter.push(octets)) this.#frame(stream, kind, readFrame(whole));
      return;
    }
    this.#options.transcript?.wire("<-", `stream ${stream}: ${octetsInWords(octets)}`, octets);
    if (kind === "encoder") this.#insertions(stream, octets);
    if (kind !== "decoder") return;
    this.#answersFrom = stream;
    this.#answers.receive(octets);
  }

  #frame(stream: number, kind: PeerStream, frame: ReadFrame): void {
    if (kind === "control" && frame.type === "SETTINGS") {
      this.hasTheirSettings = true;
      for (const [name, value] of frame.settings ?? []) this.theirSettings.set(name, value);
    }
    const decoded = frame.section === undefined ? undefined : this.#ourDecoder().decode(stream, frame.section);
    if (decoded?.is === "blocked") {
      this.#blocked.set(stream, [...(this.#blocked.get(stream) ?? []), frame]);
      this.#options.transcript?.wire("<-", `stream ${stream}: ${inWords(frame)}, which waits for insertions`, frame.octets);
      return;
    }
    this.#decodedFrame(stream, frame, decoded);
  }

  #decodedFrame(stream: number, frame: ReadFrame, decoded: Decoded | undefined): void {
    const fields =
      decoded === undefined || decoded.is === "fault" ? undefined : decoded.fields.map(({ name, value }): ReadField => [name, value]);
    const problem = decoded?.is === "fault" ? decoded.name : undefined;
    if (this.#options.carries !== true || frame.type !== "DATA")
      this.#options.transcript?.wire("<-", `stream ${stream}: ${inWords(frame, fields)}`, frame.octets);
    if (problem !== undefined) this.#remark(`the field section does not decode: ${problem}`);
    this.#tell({ is: "frame", stream, frame, ...(fields === undefined ? {} : { fields }), ...(problem === undefined ? {} : { problem }) });
    this.#acknowledge();
  }

  #insertions(stream: number, octets: Uint8Array): void {
    const { unblocked, fault } = this.#ourDecoder().receive(octets);
    const problem = fault?.name;
    this.#tell({ is: "insertions", stream, octets: octets.length, ...(problem === undefined ? {} : { problem }) });
    for (const { streamId, decoded } of unblocked) {
      const [frame, ...others] = this.#blocked.get(streamId) ?? [];
      this.#blocked.set(streamId, others);
      if (frame !== undefined) this.#decodedFrame(streamId, frame, decoded);
    }
    this.#acknowledge();
  }

  /** What the peer's encoder needs of us. */
  #acknowledge(): void {
    const octets = this.#decoder?.take() ?? new Uint8Array(0);
    if (octets.length > 0 && this.#decoderStream !== undefined && this.acknowledges)
      this.#write(this.#decoderStream, octets, false, "what we have decoded");
  }

  /** The peer's encoder begins when it knows our limits, so those that we have announced by then hold. */
  #ourDecoder(): Decoder {
    return (this.#decoder ??= new Decoder({
      maxTableCapacity: this.ourSettings.get(settingId("QPACK_MAX_TABLE_CAPACITY")) ?? 0,
      maxBlockedStreams: this.ourSettings.get(settingId("QPACK_BLOCKED_STREAMS")) ?? 0,
      maxListSize: MOST,
      maxStringLength: MOST,
    }));
  }

  #announce(settings: Settings): void {
    for (const [name, value] of settings) this.ourSettings.set(settingId(name), value);
  }

  /** Adds the fields that every request has to the sections with pseudo-fields. A request as octets stays as it is. */
  #completed(frames: readonly FrameSpec[]): readonly FrameSpec[] {
    const { fields: ours = [] } = this.#options;
    if (ours.length === 0) return frames;
    return frames.map((frame) => {
      const { type, fields } = frame;
      if (type !== "HEADERS" || fields === undefined || !fields.some(([name]) => name.startsWith(":"))) return frame;
      return { ...frame, fields: [...fields, ...lacking(fields, ours)] };
    });
  }

  #specInWords(spec: FrameSpec): string {
    const { text = (value: string) => value } = this.#options;
    const octets = build(spec, { text });
    const fields = spec.fields?.map(([name, value]): ReadField => [text(name), text(value)]);
    const lies = spec.length === undefined ? "" : ` (its Length says ${spec.length})`;
    return `${inWords(readFrame(octets), fields)}${lies}`;
  }

  #write(stream: number, octets: Uint8Array, end: boolean, words: string): void {
    if (this.#stopped.has(stream)) return this.#remark(`not sent, since stream ${stream} was given up: ${words}`);
    this.#options.transcript?.wire("->", `stream ${stream}: ${words}${end ? ", and its end" : ""}`, octets);
    this.#put(stream, octets, end);
  }
  #put(stream: number, octets: Uint8Array, end: boolean): void {
    this.written.add(stream);
    if (end) this.finished.add(stream);
    this.#line.send(stream, octets, end);
  }
  #remark(words: string): void {
    this.#options.transcript?.remark(words);
  }
  #tell(observed: Observed): void {
    this.#options.on(observed);
  }
}

/** No section of a subject is larger. */
const MOST = 1 << 24;
