import { Writer, type Field } from "../../core/index.ts";
import { Decoder, Encoder } from "../../hpack/index.ts";
import { CLIENT_PREFACE, Flag, FrameType, INITIAL_SETTINGS, SettingId } from "../../http2/index.ts";
import type { Filter, Link } from "../../io/index.ts";
import type { Wanted } from "./catalogue.ts";
import { continuation, Cutter, isAck, octetsOfFrame, without } from "./frames.ts";
import type { Line, OutFrame, Step } from "./step.ts";

/** Blocks longer than this are split: every client takes frames of this size (rfc9113#4.2). */
const FRAME_OCTETS = 16_384;
/** No fault sends more than this to overrun a window. */
const MOST_WINDOW = 1 << 26;

/** What is about responses leaves frames of the connection alone. */
const onStreams =
  (step: Step, isMeant: (stream: number) => boolean): Step =>
  (frame, next, line) =>
    frame.stream !== 0 && isMeant(frame.stream) ? step(frame, next, line) : next(frame);

/** The faults of one connection: frames that the machine writes go through each of them, then to the socket. */
export class FaultFilter implements Filter, Line {
  readonly #link: Link;
  readonly #steps: Step[];
  readonly #out = new Cutter();
  readonly #in = new Cutter();
  #prefaceLeft = CLIENT_PREFACE.length;
  #isCut = false;
  readonly #timers = new Set<NodeJS.Timeout>();

  /** Blocks are written anew without indexing: a changed one leaves no trace in the client's decoder. */
  readonly #decoder = new Decoder();
  readonly #encoder = new Encoder({ tableSize: 0 });
  /** A block whose CONTINUATION is still to come from the machine. */
  #open: OutFrame | undefined;

  /** What the client allows. */
  #streamWindow = INITIAL_SETTINGS.initialWindowSize;
  #connectionWindow = INITIAL_SETTINGS.initialWindowSize;

  constructor(link: Link, wanted: readonly Wanted[]) {
    this.#link = link;
    this.#steps = wanted.map(({ kind, start }) => (kind.of === "connection" ? start() : onStreams(start(), () => true)));
  }

  /** One more fault: on frames of a stream only, where it is about a response. */
  add({ kind, start }: Wanted, stream: number): void {
    this.#steps.push(kind.of === "connection" ? start() : onStreams(start(), (id) => id === stream));
  }

  outgoing(pieces: readonly Uint8Array[]): void {
    for (const piece of pieces) for (const frame of this.#out.push(piece)) this.#collect(frame);
  }
  incoming(bytes: Uint8Array): void {
    const skipped = Math.min(this.#prefaceLeft, bytes.length);
    this.#prefaceLeft -= skipped;
    for (const frame of this.#in.push(bytes.subarray(skipped))) this.#watch(frame);
    this.#link.receive(bytes);
  }
  /** The connection is gone: nothing is sent later. */
  close(): void {
    this.#isCut = true;
    for (const timer of this.#timers) clearTimeout(timer);
  }

  // As a line.

  raw(bytes: Uint8Array): void {
    if (!this.#isCut) this.#link.write([bytes]);
  }
  cut(how: "end" | "reset"): void {
    this.#isCut = true;
    this.#link.cut(how);
  }
  after(ms: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      act();
    }, ms);
    this.#timers.add(timer);
  }
  get window(): number {
    return Math.min(this.#streamWindow, this.#connectionWindow, MOST_WINDOW);
  }
  fields(block: Uint8Array): readonly Field[] {
    const decoded = new Decoder({ maxListSize: Number.POSITIVE_INFINITY }).decode(block);
    return decoded.is === "fault" ? [] : decoded.fields;
  }
  block(fields: readonly Field[]): Uint8Array {
    const w = new Writer();
    this.#encoder.encode(fields, w);
    return w.take();
  }

  /** Blocks are made whole, and written anew. */
  #collect(frame: OutFrame): void {
    if (frame.type === FrameType.CONTINUATION && this.#open !== undefined) {
      const { flags, payload } = this.#open;
      this.#open = { ...this.#open, flags: flags | (frame.flags & Flag.END_HEADERS), payload: Buffer.concat([payload, frame.payload]) };
    } else if (frame.type === FrameType.HEADERS || frame.type === FrameType.PUSH_PROMISE) this.#open = frame;
    else return this.#pass(frame, 0);
    if ((this.#open.flags & Flag.END_HEADERS) === 0) return undefined;
    const { payload, type } = this.#open;
    // A promise has its stream in front of the block.
    const at = type === FrameType.PUSH_PROMISE ? 4 : 0;
    const decoded = this.#decoder.decode(payload.subarray(at));
    const fields = decoded.is === "fault" ? [] : decoded.fields;
    const whole = { ...this.#open, payload: Buffer.concat([payload.subarray(0, at), this.block(fields)]) };
    this.#open = undefined;
    return this.#pass(whole, 0);
  }
  /** Through the faults from the given one on. */
  #pass(frame: OutFrame, from: number): void {
    const step = this.#steps[from];
    if (step === undefined) return this.#send(frame);
    return step(frame, (next) => this.#pass(next, from + 1), this);
  }
  #send(frame: OutFrame): void {
    const { type, flags, stream, payload } = frame;
    const isSplit = type === FrameType.HEADERS && payload.length > FRAME_OCTETS && (flags & Flag.END_HEADERS) !== 0;
    if (!isSplit) return this.raw(octetsOfFrame(frame));
    this.raw(octetsOfFrame({ ...without(frame, Flag.END_HEADERS), payload: payload.subarray(0, FRAME_OCTETS) }));
    for (let at = FRAME_OCTETS; at < payload.length; at += FRAME_OCTETS) {
      this.raw(octetsOfFrame(continuation(stream, payload.subarray(at, at + FRAME_OCTETS), at + FRAME_OCTETS >= payload.length)));
    }
    return undefined;
  }

  /** What the client says about its windows. */
  #watch(frame: OutFrame): void {
    const { type, stream, payload } = frame;
    const view = new DataView(payload.buffer, payload.byteOffset, payload.length);
    if (type === FrameType.WINDOW_UPDATE && stream === 0 && payload.length === 4) this.#connectionWindow += view.getUint32(0);
    if (type !== FrameType.SETTINGS || isAck(frame)) return;
    for (let at = 0; at + 6 <= payload.length; at += 6) {
      if (view.getUint16(at) === SettingId.INITIAL_WINDOW_SIZE) this.#streamWindow = view.getUint32(at + 2);
    }
  }
}
