import { octets as octetsOfPieces, sequence } from "../../../fuzz/websocket/grammar.ts";
import type { Side } from "../../../reference/websocket/index.ts";
import { among, below, chance, type Draw, octetsOf } from "./draw.ts";

/** Frames for one side, valid or not. Written apart from the reference. */
export type Frame = {
  readonly opcode: number;
  readonly fin?: boolean;
  readonly rsv?: number;
  readonly payload?: Uint8Array;
  /** The size of the length field in bits; the shortest possible by default. */
  readonly form?: 7 | 16 | 64;
  /** The value of the length field, if it differs from the payload's length. */
  readonly announced?: number;
};

const NOTHING = new Uint8Array(0);

/** The octets of a frame; `key` masks it. */
export function frameOctets({ opcode, fin = true, rsv = 0, payload = NOTHING, form, announced }: Frame, key?: Uint8Array): Uint8Array {
  const length = announced ?? payload.length;
  const size = form ?? (length < 126 ? 7 : length < 65_536 ? 16 : 64);
  const bit = key === undefined ? 0 : 0x80;
  const head = Buffer.alloc(size === 7 ? 2 : size === 16 ? 4 : 10);
  head[0] = (fin ? 0x80 : 0) | rsv | opcode;
  head[1] = bit | (size === 7 ? length : size === 16 ? 126 : 127);
  if (size === 16) head.writeUInt16BE(length & 0xffff, 2);
  if (size === 64) head.writeBigUInt64BE(BigInt(length), 2);
  if (key === undefined) return new Uint8Array(Buffer.concat([head, payload]));
  return new Uint8Array(Buffer.concat([head, key, payload.map((octet, i) => octet ^ key[i & 3]!)]));
}
export const keyFor = (draw: Draw, to: Side): Uint8Array | undefined =>
  to === "client" ? undefined : chance(draw, 0.1) ? new Uint8Array(4) : octetsOf(draw, 4);

const LENGTHS = [0, 1, 2, 3, 4, 5, 7, 8, 16, 31, 32, 33, 63, 64, 65, 100, 124, 125, 126, 127, 128, 200, 255, 256, 257, 300] as const;
const LONG = [511, 512, 513, 576, 640, 1_023, 1_024, 1_025, 2_000, 4_096, 65_535, 65_536, 65_537] as const;
/** Limits of branches, mostly small ones. */
export const lengthOf = (draw: Draw): number =>
  chance(draw, 0.04) ? among(draw, LONG) : chance(draw, 0.5) ? among(draw, LENGTHS) : below(draw, 40);

const CHARACTERS = ["a", "Z", " ", "\u007f", "\u0080", "é", "\u07ff", "\u0800", "€", "\uffff", "\u{10000}", "😀", "\u{10ffff}"] as const;
/** Octets that make text invalid: lone and overlong ones, surrogates, beyond U+10FFFF, characters without their end. */
const WRONG = [
  "80",
  "bf",
  "c0",
  "c080",
  "c1bf",
  "c3",
  "e0",
  "e0a0",
  "e09f80",
  "eda080",
  "f0",
  "f09f98",
  "f0808080",
  "f4908080",
  "f5",
  "ff",
];
/** Text of about this many octets, which is sometimes wrong. */
export function textPayload(draw: Draw, length: number): Uint8Array {
  const isAscii = chance(draw, 0.4);
  let text = chance(draw, 0.1) ? "\ufeff" : "";
  for (let size = 0; size < length;) {
    const next = isAscii || chance(draw, 0.5) ? String.fromCharCode(32 + below(draw, 95)) : among(draw, CHARACTERS);
    text += next;
    size += Buffer.byteLength(next);
  }
  const whole = new Uint8Array(Buffer.from(text));
  if (!chance(draw, 0.12)) return whole;
  const at = chance(draw, 0.5) ? whole.length : below(draw, whole.length + 1);
  return new Uint8Array(Buffer.concat([whole.subarray(0, at), Buffer.from(WRONG[below(draw, WRONG.length)]!, "hex"), whole.subarray(at)]));
}

const CODES = [
  0, 1, 999, 1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 1015, 1016, 1100, 1999, 2000, 2999,
  3000, 3001, 3999, 4000, 4999, 5000, 65_535,
] as const;
export const closeCodeOf = (draw: Draw): number => (chance(draw, 0.5) ? 1000 : among(draw, CODES));
function closePayload(draw: Draw): Uint8Array {
  if (chance(draw, 0.15)) return new Uint8Array(below(draw, 2));
  const code = closeCodeOf(draw);
  const reason = textPayload(draw, among(draw, [0, 0, 1, 5, 30, 122, 123])).subarray(0, 123);
  return new Uint8Array([code >> 8, code & 0xff, ...reason]);
}

/** What decides on the next frames. */
export type Plan = {
  readonly to: Side;
  /** Compresses a message, if that was agreed on. */
  readonly deflate?: (octets: Uint8Array, end: boolean) => Uint8Array;
};

/** The frames of one message, in fragments or whole, with control frames between them. */
export function messageFrames(draw: Draw, { deflate }: Plan, length = lengthOf(draw), parts?: number): Frame[] {
  const isText = chance(draw, 0.55);
  const payload = isText ? textPayload(draw, length) : octetsOf(draw, length);
  const count = parts ?? (chance(draw, 0.5) ? 1 : 1 + below(draw, 5));
  const isCompressed = deflate !== undefined && chance(draw, 0.7);
  const cuts = Array.from({ length: count - 1 }, () => below(draw, payload.length + 1)).sort((a, b) => a - b);
  const frames: Frame[] = [];
  for (let part = 0; part < count; part++) {
    const fin = part === count - 1;
    const plain = payload.slice(cuts[part - 1] ?? 0, cuts[part] ?? payload.length);
    const rsv = isCompressed && part === 0 ? 0x40 : 0;
    frames.push({ opcode: part === 0 ? (isText ? 1 : 2) : 0, fin, rsv, payload: isCompressed ? deflate(plain, fin) : plain });
    if (!fin && chance(draw, 0.25)) frames.push(controlFrame(draw));
  }
  return frames;
}
export const controlFrame = (draw: Draw): Frame => ({
  opcode: chance(draw, 0.7) ? 9 : 10,
  payload: octetsOf(draw, among(draw, [0, 1, 4, 5, 31, 32, 33, 124, 125])),
});

/** A frame with one change; it may still be valid. */
function twisted(draw: Draw, frame: Frame): Frame {
  const { payload = NOTHING } = frame;
  switch (below(draw, 12)) {
    case 0:
      return { ...frame, rsv: (frame.rsv ?? 0) ^ among(draw, [0x40, 0x20, 0x10, 0x30, 0x70]) };
    case 1:
      return { ...frame, opcode: below(draw, 16) };
    case 2:
      return { ...frame, opcode: below(draw, 3) };
    case 3:
      return { ...frame, fin: frame.fin === false };
    case 4:
      return { ...frame, form: payload.length < 126 && chance(draw, 0.5) ? 16 : 64 };
    case 5:
      return { opcode: 8 + below(draw, 3), payload: octetsOf(draw, among(draw, [125, 126, 127, 128, 200])) };
    case 6:
      return { ...frame, form: 64, announced: among(draw, [2 ** 31, 2 ** 32, 2 ** 40, 2 ** 53, 2 ** 62, 2 ** 63, 65_535, 65_536]) };
    case 7:
      return { ...frame, form: 16, announced: among(draw, [0, 1, 125, 126, 127, 255, 256, 32_767, 32_768, 65_535]) };
    case 8:
      return { opcode: 8, payload: Uint8Array.of(3) };
    case 9:
      return { ...frame, payload: new Uint8Array([...payload.subarray(0, 300), ...octetsOf(draw, 1 + below(draw, 4))]) };
    case 10: {
      const changed = payload.slice();
      if (changed.length > 0) changed[below(draw, changed.length)]! ^= 1 << below(draw, 8);
      return { ...frame, payload: changed };
    }
    default:
      return { opcode: 0, fin: chance(draw, 0.5), payload: payload.subarray(0, 20) };
  }
}

/** What a peer sends in one life: frames from this grammar or the fuzzer's, damaged in a third of the lives. The pieces are frames, most often. */
export function drawnFrames(draw: Draw, plan: Plan): Uint8Array[] {
  if (plan.deflate === undefined && chance(draw, 0.15)) return sequence(draw, plan.to).map((piece) => octetsOfPieces([piece]));
  let frames: Frame[] = [];
  for (let left = below(draw, 7); left > 0; left--) frames.push(...(chance(draw, 0.3) ? [controlFrame(draw)] : messageFrames(draw, plan)));
  if (chance(draw, 0.3)) frames.push({ opcode: 8, payload: closePayload(draw) });
  if (chance(draw, 0.15)) frames.push(...messageFrames(draw, plan), controlFrame(draw));
  if (frames.length > 0 && chance(draw, 0.3)) {
    const at = below(draw, frames.length);
    frames[at] = twisted(draw, frames[at]!);
  }
  if (frames.length > 1 && chance(draw, 0.05)) frames = frames.toSpliced(below(draw, frames.length), 1);
  const pieces = frames.map((frame) =>
    frameOctets(frame, chance(draw, 0.015) ? keyFor(draw, plan.to === "server" ? "client" : "server") : keyFor(draw, plan.to)),
  );
  if (pieces.length > 0 && chance(draw, 0.1)) {
    const at = below(draw, pieces.length);
    pieces[at] = damaged(draw, pieces[at]!);
  }
  return pieces;
}
/** One octet changed, cut, or some doubled. */
function damaged(draw: Draw, octets: Uint8Array): Uint8Array {
  const at = below(draw, octets.length);
  switch (below(draw, 4)) {
    case 0: {
      const out = octets.slice();
      if (at < out.length) out[at] = out[at]! ^ (1 << below(draw, 8));
      return out;
    }
    case 1:
      return octets.slice(0, at);
    case 2:
      return new Uint8Array([...octets.subarray(0, at), ...octets.subarray(Math.max(0, at - 3))]);
    default:
      return octets.slice(at);
  }
}

/** The octets in pieces that are cut elsewhere: single ones, a few, whole frames, or all at once. */
export function cutAnew(draw: Draw, pieces: readonly Uint8Array[]): Uint8Array[] {
  const kind = draw();
  if (kind < 0.3) return [...pieces];
  const all = new Uint8Array(Buffer.concat(pieces));
  if (kind < 0.5) return [all];
  const out: Uint8Array[] = [];
  for (let at = 0; at < all.length;) {
    const size = kind < 0.65 && all.length < 400 ? 1 : kind < 0.8 ? 1 + below(draw, 20) : 1 + below(draw, Math.max(2, all.length >> 1));
    out.push(all.slice(at, at + size));
    at += size;
  }
  return out;
}
