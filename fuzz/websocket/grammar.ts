import type { Side } from "../../reference/websocket/index.ts";
import type { Rng } from "../lib/mutate.ts";

/** One frame of a sequence, possibly malformed, with its description. */
export type Piece = { readonly words: string; readonly hex: string };

type Frame = {
  readonly opcode: number;
  readonly fin: boolean;
  readonly rsv: number;
  readonly isMasked: boolean;
  readonly payload: Buffer;
  /** The size of the length field in bits; the shortest possible by default. */
  readonly form?: 16 | 64;
  /** The value of the length field, if it differs from the payload's length. */
  readonly announced?: number;
};
/** The state of the sequence so far that the next frame depends on. */
type Situation = { readonly to: Side; message: "none" | "text" | "binary"; rest: Buffer; isClosed: boolean };

const NAMES: Readonly<Record<number, string>> = { 0: "continuation", 1: "text", 2: "binary", 8: "Close", 9: "ping", 10: "pong" };
const TEXTS = ["", "a", "hello", "κόσμε", "😀", "\u{10ffff}", "x".repeat(125), "y".repeat(126), "é".repeat(200)] as const;
const CODES = [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999] as const;
const NEVER_IN_A_CLOSE = [0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65_535] as const;
/** Invalid or incomplete UTF-8: a lone continuation octet, an overlong form, a surrogate, a truncated character, one beyond U+10FFFF. */
const NOT_TEXT = ["80", "c080", "eda080", "f09f98", "f4908080", "61ff62"] as const;

const pick = (rng: Rng, below: number): number => Math.floor(rng() * below);
const oneOf = <Item>(rng: Rng, items: readonly [Item, ...Item[]]): Item => items[pick(rng, items.length)] ?? items[0];

function closePayload(rng: Rng, codes: readonly [number, ...number[]]): Buffer {
  const code = Buffer.alloc(2);
  code.writeUInt16BE(oneOf(rng, codes));
  return Buffer.concat([code, Buffer.from(oneOf(rng, ["", "bye", "tschüß", "z".repeat(123)]))]);
}

/** A frame that is legal at this point. */
function legal(rng: Rng, s: Situation): Frame {
  const frame = (opcode: number, payload: Buffer, fin = true): Frame => ({
    opcode,
    fin,
    rsv: 0,
    isMasked: s.to === "server",
    payload,
  });
  switch (pick(rng, 12)) {
    case 0:
    case 1:
      return frame(9, Buffer.alloc(oneOf(rng, [0, 1, 4, 125]), pick(rng, 256)));
    case 2:
      return frame(10, Buffer.alloc(oneOf(rng, [0, 3, 125]), pick(rng, 256)));
    case 3:
      if (rng() < 0.4) {
        s.isClosed = true;
        return frame(8, rng() < 0.2 ? Buffer.alloc(0) : closePayload(rng, CODES));
      }
  }
  const isFirst = s.message === "none";
  if (isFirst) {
    s.message = rng() < 0.6 ? "text" : "binary";
    s.rest = s.message === "text" ? Buffer.from(oneOf(rng, TEXTS)) : Buffer.alloc(oneOf(rng, [0, 1, 31, 125, 126, 600]), pick(rng, 256));
  }
  const opcode = isFirst ? (s.message === "text" ? 1 : 2) : 0;
  const cut = rng() < 0.5 ? pick(rng, s.rest.length + 1) : s.rest.length;
  const fin = cut === s.rest.length && rng() < 0.8;
  const payload = s.rest.subarray(0, cut);
  s.rest = s.rest.subarray(cut);
  if (fin) s.message = "none";
  return frame(opcode, payload, fin);
}

/** The frame with one change. It may still be legal: the oracle decides. */
function twist(rng: Rng, frame: Frame): Frame {
  switch (pick(rng, 10)) {
    case 0:
      return { ...frame, rsv: oneOf(rng, [0x40, 0x20, 0x10, 0x70]) };
    case 1:
      return { ...frame, opcode: oneOf(rng, [3, 7, 11, 15]) };
    case 2:
      return { ...frame, opcode: oneOf(rng, [0, 1, 2]) };
    case 3:
      return { ...frame, fin: !frame.fin };
    case 4:
      return { ...frame, isMasked: !frame.isMasked };
    case 5:
      return { ...frame, form: frame.payload.length < 126 && rng() < 0.5 ? 16 : 64 };
    case 6:
      return { ...frame, opcode: oneOf(rng, [8, 9, 10]), fin: true, payload: Buffer.alloc(oneOf(rng, [126, 200]), 0x61) };
    case 7:
      return { ...frame, opcode: 8, fin: true, payload: rng() < 0.3 ? Buffer.of(3) : closePayload(rng, NEVER_IN_A_CLOSE) };
    case 8:
      return { ...frame, payload: Buffer.concat([frame.payload, Buffer.from(oneOf(rng, NOT_TEXT), "hex")]) };
    default:
      return { ...frame, form: 64, announced: oneOf(rng, [2 ** 63, 2 ** 62, 2 ** 40, 2 ** 25]) };
  }
}

/** The octets of a frame, written independently of the tested code. */
function octetsOf({ opcode, fin, rsv, isMasked, payload, form, announced = payload.length }: Frame, key: Buffer): Buffer {
  const first = (fin ? 0x80 : 0) | rsv | opcode;
  const size = form ?? (announced < 126 ? 7 : announced < 65_536 ? 16 : 64);
  const bit = isMasked ? 0x80 : 0;
  let head: Buffer;
  if (size === 7) head = Buffer.of(first, bit | announced);
  else if (size === 16) {
    head = Buffer.of(first, bit | 126, 0, 0);
    head.writeUInt16BE(announced, 2);
  } else {
    head = Buffer.of(first, bit | 127, 0, 0, 0, 0, 0, 0, 0, 0);
    head.writeBigUInt64BE(BigInt(announced), 2);
  }
  if (!isMasked) return Buffer.concat([head, payload]);
  return Buffer.concat([head, key, payload.map((octet, i) => octet ^ key[i & 3]!)]);
}

function piece(frame: Frame, key: Buffer, note: string): Piece {
  const { opcode, fin, rsv, isMasked, payload, form, announced } = frame;
  const about = [
    NAMES[opcode] ?? `opcode ${opcode}`,
    fin ? "" : "without FIN",
    rsv === 0 ? "" : `reserved bits 0x${rsv.toString(16)}`,
    isMasked ? "masked" : "not masked",
    form === undefined ? "" : `length in ${form} bits`,
    announced === undefined ? "" : `length field ${announced}`,
    `${payload.length} octets`,
  ].filter((word) => word !== "");
  return { words: `${about.join(", ")}${note}`, hex: octetsOf(frame, key).toString("hex") };
}

/** Frames to one side after the opening handshake. In half of the sequences one frame is twisted; the others are legal. */
export function sequence(rng: Rng, to: Side): Piece[] {
  const s: Situation = { to, message: "none", rest: Buffer.alloc(0), isClosed: false };
  const frames: Frame[] = [];
  for (let left = 1 + pick(rng, 10); left > 0 && !s.isClosed; left--) frames.push(legal(rng, s));
  const wrong = rng() < 0.5 ? pick(rng, frames.length) : -1;
  return frames.map((frame, i) => {
    const key = Buffer.from(Array.from({ length: 4 }, () => pick(rng, 256)));
    return i === wrong ? piece(twist(rng, frame), key, " (twisted)") : piece(frame, key, "");
  });
}

export const octets = (pieces: readonly Piece[]): Uint8Array => new Uint8Array(Buffer.from(pieces.map(({ hex }) => hex).join(""), "hex"));
