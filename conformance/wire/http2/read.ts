import { Reader } from "../../../reference/core/index.ts";
import type { ErrorName, FrameName, SettingName } from "./frame-spec.ts";
import { errorName, FLAGS, frameName, HEAD_LENGTH, settingName } from "./numbers.ts";
import { join, toHex, toLatin1 } from "../octets.ts";

/** A field as it came; an octet above ASCII is the Latin-1 character with the same number. */
export type ReadField = readonly [name: string, value: string];

/** A frame as it came, decoded as far as possible. A member is absent if the frame does not have it, or is too short for it. */
export type ReadFrame = {
  readonly type: FrameName | `0x${string}`;
  readonly flags: number;
  readonly stream: number;
  readonly reservedBit: boolean;
  readonly length: number;
  readonly octets: Uint8Array;
  readonly payload: Uint8Array;
  readonly ack?: boolean;
  readonly endStream?: boolean;
  readonly endHeaders?: boolean;
  /** Octets of padding; they are all zero unless `dirtyPad`. */
  readonly pad?: number;
  readonly dirtyPad?: boolean;
  readonly priority?: { readonly on: number; readonly weight: number; readonly exclusive: boolean };
  readonly promised?: number;
  /** DATA: content without padding. */
  readonly data?: Uint8Array;
  /** HEADERS, PUSH_PROMISE, CONTINUATION: this frame's part of the field block. */
  readonly fragment?: Uint8Array;
  readonly settings?: readonly (readonly [SettingName | `0x${string}`, number])[];
  readonly increment?: number;
  readonly code?: ErrorName | `0x${string}`;
  readonly last?: number;
  readonly text?: string;
  /** What breaks the layout of the frame, in words. */
  readonly problem?: string;
};

/** Splits received octets into frames of any content. Copies the octets that it keeps. */
export class FrameCutter {
  #parts: Uint8Array[] = [];
  #held = 0;

  /** Octets of an incomplete frame. */
  get pending(): number {
    return this.#held;
  }

  push(bytes: Uint8Array): Uint8Array[] {
    if (bytes.length > 0) this.#parts.push(bytes);
    this.#held += bytes.length;
    const whole: Uint8Array[] = [];
    if (this.#held < this.#wanted()) return whole;
    const all = join(this.#parts);
    let at = 0;
    while (all.length - at >= HEAD_LENGTH) {
      const end = at + HEAD_LENGTH + u24(all, at);
      if (end > all.length) break;
      whole.push(all.slice(at, end));
      at = end;
    }
    this.#parts = at === all.length ? [] : [all.slice(at)];
    this.#held = all.length - at;
    return whole;
  }

  /** How many octets are needed before the next look: large frames are joined once, not once a read. */
  #wanted(): number {
    const [first] = this.#parts;
    return first === undefined || first.length < HEAD_LENGTH ? HEAD_LENGTH : HEAD_LENGTH + u24(first, 0);
  }
}

const u24 = (bytes: Uint8Array, at: number): number => ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);

/** Decodes one complete frame. It judges nothing: wrong sizes and padding are reported in `problem`. */
export function readFrame(octets: Uint8Array): ReadFrame {
  const head = new Reader(octets);
  const length = head.u24();
  const number = head.u8();
  const flags = head.u8();
  const word = head.u32();
  const type = frameName(number) ?? (`0x${number.toString(16)}` as const);
  const payload = head.rest();
  const base = { type, flags, stream: word & 0x7fff_ffff, reservedBit: word > 0x7fff_ffff, length, octets, payload };
  const body = new Reader(payload);
  const members = read(type, flags, body);
  const problem = body.short ? "the payload is too short" : members.problem;
  return { ...base, ...members, ...(problem === undefined ? {} : { problem }) };
}

type Members = Partial<Omit<ReadFrame, "type" | "flags" | "stream">>;

function read(type: ReadFrame["type"], flags: number, body: Reader): Members {
  const has = (flag: number): boolean => (flags & flag) !== 0;
  switch (type) {
    case "DATA": {
      const { inside, ...pad } = unpad(has(FLAGS.PADDED), body);
      return { endStream: has(FLAGS.END_STREAM), data: inside.rest(), ...pad };
    }
    case "HEADERS": {
      const { inside, ...pad } = unpad(has(FLAGS.PADDED), body);
      const priority = has(FLAGS.PRIORITY) ? { priority: readPriority(inside) } : {};
      return { endStream: has(FLAGS.END_STREAM), endHeaders: has(FLAGS.END_HEADERS), ...pad, ...priority, fragment: inside.rest() };
    }
    case "PRIORITY":
      return { priority: readPriority(body), ...leftover(body) };
    case "RST_STREAM":
      return { code: errorName(body.u32()), ...leftover(body) };
    case "SETTINGS": {
      const settings: (readonly [SettingName | `0x${string}`, number])[] = [];
      while (body.left >= 6) settings.push([settingName((body.u8() << 8) | body.u8()), body.u32()]);
      return { ack: has(FLAGS.ACK), settings, ...leftover(body) };
    }
    case "PUSH_PROMISE": {
      const { inside, ...pad } = unpad(has(FLAGS.PADDED), body);
      return { endHeaders: has(FLAGS.END_HEADERS), ...pad, promised: inside.u32() & 0x7fff_ffff, fragment: inside.rest() };
    }
    case "PING":
      return { ack: has(FLAGS.ACK), ...(body.left === 8 ? {} : { problem: `a PING carries 8 octets, not ${body.left}` }) };
    case "GOAWAY":
      return { last: body.u32() & 0x7fff_ffff, code: errorName(body.u32()), text: toLatin1(body.rest()) };
    case "WINDOW_UPDATE":
      return { increment: body.u32() & 0x7fff_ffff, ...leftover(body) };
    case "CONTINUATION":
      return { endHeaders: has(FLAGS.END_HEADERS), fragment: body.rest() };
    case "PRIORITY_UPDATE":
      return { promised: body.u32() & 0x7fff_ffff, text: toLatin1(body.rest()) };
    default:
      return {};
  }
}

const readPriority = (from: Reader): NonNullable<ReadFrame["priority"]> => {
  const word = from.u32();
  return { on: word & 0x7fff_ffff, exclusive: word > 0x7fff_ffff, weight: from.u8() + 1 };
};

const leftover = (body: Reader): Members => (body.left > 0 ? { problem: `${body.left} octets too many` } : {});

function unpad(padded: boolean, body: Reader): Members & { inside: Reader } {
  if (!padded) return { inside: body };
  const pad = body.u8();
  const rest = body.rest();
  if (pad > rest.length) return { inside: new Reader(rest), pad, problem: `${pad} octets of padding in ${rest.length}` };
  const dirty = rest.subarray(rest.length - pad).some((octet) => octet !== 0);
  return { inside: new Reader(rest.subarray(0, rest.length - pad)), pad, ...(dirty ? { dirtyPad: true } : {}) };
}

/** The octets of a payload as hex, for comparisons in a case. */
export const payloadHex = (frame: ReadFrame): string => toHex(frame.payload);
