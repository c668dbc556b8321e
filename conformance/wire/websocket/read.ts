import { inflated, type Inflated } from "./deflate.ts";
import { join, toHex } from "../octets.ts";
import { isControl, LONGEST_CONTROL, maySend, opcodeName } from "./numbers.ts";
import { masked, Window } from "./build.ts";

/** Reads WebSocket frames and messages leniently: it refuses nothing, and notes oddities. Independent of `reference/`, which it judges. */

export type ReadFrame = {
  readonly fin: boolean;
  readonly rsv: number;
  readonly opcode: number;
  readonly masked: boolean;
  readonly key: string;
  readonly lengthBits: 7 | 16 | 64;
  readonly length: number;
  /** Unmasked. */
  readonly payload: Uint8Array;
  readonly octets: Uint8Array;
  /** Of a Close frame; undefined if it has none. */
  readonly code?: number;
  readonly reason?: Uint8Array;
};

/** Splits incoming octets into frames. */
export class FrameCutter {
  #parts: Uint8Array[] = [];
  #held = 0;
  /** How many octets are needed before a frame can be complete: a large one is joined once, not with every read. */
  #wanted = 2;

  /** Octets of an incomplete frame. */
  get pending(): number {
    return this.#held;
  }
  push(octets: Uint8Array): ReadFrame[] {
    const frames: ReadFrame[] = [];
    if (octets.length > 0) this.#parts.push(octets);
    this.#held += octets.length;
    if (this.#held < this.#wanted) return frames;
    let rest = new Uint8Array(join(this.#parts));
    for (let frame = readFrame(rest); frame !== undefined; frame = readFrame(rest)) {
      frames.push(frame);
      rest = rest.subarray(frame.octets.length);
    }
    this.#parts = rest.length === 0 ? [] : [rest];
    this.#held = rest.length;
    this.#wanted = lengthOf(rest);
    return frames;
  }
}

/** The length of the frame that begins here, or how many octets are needed to determine it. */
function lengthOf(octets: Uint8Array): number {
  const second = octets[1];
  if (second === undefined) return 2;
  const short = second & 0x7f;
  const head = 2 + (short < 126 ? 0 : short === 126 ? 2 : 8);
  if (octets.length < head) return head;
  const length = short < 126 ? short : Number(`0x${toHex(octets.subarray(2, head))}`);
  return head + ((second & 0x80) === 0 ? 0 : 4) + length;
}

/** The frame at the beginning of these octets; undefined if it is incomplete. */
export function readFrame(octets: Uint8Array): ReadFrame | undefined {
  const [first, second] = octets;
  if (first === undefined || second === undefined) return undefined;
  const short = second & 0x7f;
  const lengthBits = short < 126 ? 7 : short === 126 ? 16 : 64;
  const lengthEnd = lengthBits === 7 ? 2 : 2 + lengthBits / 8;
  if (octets.length < lengthEnd) return undefined;
  const length = lengthBits === 7 ? short : Number(BigInt(`0x${toHex(octets.subarray(2, lengthEnd))}`));
  const isMasked = (second & 0x80) !== 0;
  const from = lengthEnd + (isMasked ? 4 : 0);
  if (octets.length < from + length) return undefined;
  const key = octets.subarray(lengthEnd, from);
  const raw = octets.slice(from, from + length);
  const payload = isMasked ? masked(raw, key) : raw;
  const opcode = first & 0x0f;
  const [high, low] = payload;
  return {
    fin: (first & 0x80) !== 0,
    rsv: (first >> 4) & 7,
    opcode,
    masked: isMasked,
    key: toHex(key),
    lengthBits,
    length,
    payload,
    octets: octets.slice(0, from + length),
    ...(opcode === 8 && high !== undefined && low !== undefined ? { code: high * 256 + low, reason: payload.subarray(2) } : {}),
  };
}

/** How far a message is inflated: no case needs more of our own messages; those of the subject are inflated further. */
const LONGEST_OURS = 1 << 22;
const LONGEST_THEIRS = 1 << 26;

export type ReadMessage = {
  readonly type: "text" | "binary";
  readonly payload: Uint8Array;
  /** The number of its frames. */
  readonly frames: number;
  /** RSV1 was set on the first frame. */
  readonly compressed: boolean;
  readonly inflated?: Inflated;
};

export const isUtf8 = (octets: Uint8Array): boolean => {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(octets);
    return true;
  } catch {
    return false;
  }
};

/** A kind of oddity; the monitors of the WebSocket suite look for them. */
export type OddityKind = "masked" | "rsv" | "opcode" | "length" | "control" | "fragments" | "utf-8" | "close" | "after close" | "deflate";
export type Oddity = { readonly kind: OddityKind; readonly words: string };

/** What one side of a connection sends after the handshake: frames, their messages, and oddities. */
export class Side {
  readonly frames: ReadFrame[] = [];
  readonly messages: ReadMessage[] = [];
  readonly oddities: Oddity[] = [];
  /** All octets so far. */
  octets = 0;
  readonly #cutter = new FrameCutter();
  readonly #window = new Window();
  readonly #longest: number;
  /** Frames of clients are masked, those of servers are not (rfc6455#5.1). */
  readonly expectsMask: boolean;
  /** Set when permessage-deflate was agreed: whether the window is kept from message to message. */
  deflate: { readonly takeover: boolean } | undefined;
  #close: ReadFrame | undefined;
  #open: { readonly first: ReadFrame; readonly parts: Uint8Array[] } | undefined;

  /** `isOurs`: we are the sender, by default the client. */
  constructor(sender: "client" | "server", isOurs = sender === "client") {
    this.expectsMask = sender === "client";
    this.#longest = isOurs ? LONGEST_OURS : LONGEST_THEIRS;
  }

  /** A message has begun and not ended. */
  get inMessage(): boolean {
    return this.#open !== undefined;
  }
  get pending(): number {
    return this.#cutter.pending;
  }
  /** The first Close frame. */
  get close(): ReadFrame | undefined {
    return this.#close;
  }
  of(opcode: number): ReadFrame[] {
    return this.frames.filter((frame) => frame.opcode === opcode);
  }

  push(octets: Uint8Array): ReadFrame[] {
    this.octets += octets.length;
    const came = this.#cutter.push(octets);
    for (const frame of came) {
      this.#look(frame);
      this.frames.push(frame);
      if (frame.opcode === 8) this.#close ??= frame;
      if (!isControl(frame.opcode)) this.#collect(frame);
    }
    return came;
  }

  #note(kind: OddityKind, words: string): void {
    this.oddities.push({ kind, words });
  }

  #look(frame: ReadFrame): void {
    const { fin, rsv, opcode, length, lengthBits, code, reason } = frame;
    const name = opcodeName(opcode);
    if (this.close !== undefined) this.#note("after close", `a ${name} frame came after a Close frame`);
    if (frame.masked !== this.expectsMask) this.#note("masked", `a ${name} frame is ${frame.masked ? "masked" : "not masked"}`);
    const starts = opcode === 1 || opcode === 2;
    if (rsv !== 0 && !(rsv === 4 && starts && this.deflate !== undefined)) this.#note("rsv", `the RSV bits of a ${name} frame are ${rsv}`);
    if (name.startsWith("opcode")) this.#note("opcode", `a frame has ${name}`);
    if ((lengthBits === 16 && length < 126) || (lengthBits === 64 && length < 65_536))
      this.#note("length", `the length ${length} of a ${name} frame is in ${lengthBits} bits`);
    if (isControl(opcode) && (!fin || length > LONGEST_CONTROL))
      this.#note("control", `a ${name} frame ${fin ? `has ${length} octets` : "is a fragment"}`);
    if (opcode === 0 && this.#open === undefined) this.#note("fragments", "a continuation frame came outside a message");
    if (starts && this.#open !== undefined) this.#note("fragments", `a ${name} frame came inside a message`);
    if (opcode === 8 && length === 1) this.#note("close", "a Close frame has a payload of one octet");
    if (code !== undefined && !maySend(code)) this.#note("close", `a Close frame has the code ${code}`);
    if (reason !== undefined && !isUtf8(reason)) this.#note("utf-8", "the reason of a Close frame is not UTF-8");
  }

  #collect(frame: ReadFrame): void {
    const open = frame.opcode === 0 ? this.#open : { first: frame, parts: [] };
    if (open === undefined) return;
    open.parts.push(frame.payload);
    this.#open = frame.fin ? undefined : open;
    if (frame.fin) this.#finish(open.first, open.parts);
  }

  #finish(first: ReadFrame, parts: readonly Uint8Array[]): void {
    const raw = join(parts);
    const compressed = this.deflate !== undefined && (first.rsv & 4) !== 0;
    const about = { type: first.opcode === 1 ? "text" : "binary", frames: parts.length, compressed } as const;
    if (!compressed) return this.#keep({ ...about, payload: raw });
    const window = this.deflate?.takeover === true ? this.#window.octets : new Uint8Array();
    const read = inflated(raw, window, this.#longest);
    if (read.problem !== undefined) this.#note("deflate", `a message cannot be inflated: ${read.problem}`);
    this.#window.push(read.plain);
    return this.#keep({ ...about, payload: read.plain, inflated: read });
  }

  #keep(message: ReadMessage): void {
    if (message.type === "text" && !isUtf8(message.payload)) this.#note("utf-8", "a text message is not UTF-8");
    this.messages.push(message);
  }
}
