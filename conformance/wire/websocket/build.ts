import { deflateRawSync, constants } from "node:zlib";
import { type Content, contentOf } from "./content.ts";
import { OPCODES, type OpcodeName } from "./numbers.ts";
import { fromHex, join } from "../octets.ts";

/** Builds any WebSocket frame, legal or not (rfc6455#5.2). */

/** One frame as data. By default it is like that of a correct client: final, without RSV bits, masked, with the shortest length. */
export type FrameSpec = {
  readonly opcode: OpcodeName | number;
  /** True by default. */
  readonly fin?: boolean;
  /** The three bits as a number: 4 is RSV1. By default 0, and 4 with `deflate`. */
  readonly rsv?: number;
  /** The payload, as one of: UTF-8 text, octets, a text `count` times over, the fields of a Close frame. */
  readonly text?: string;
  readonly hex?: string;
  readonly fill?: { readonly text: string; readonly count: number };
  /** The same octets `count` times over. */
  readonly octets?: { readonly hex: string; readonly count: number };
  /** This many octets of a kind of content. */
  readonly made?: { readonly content: Content; readonly count: number };
  readonly code?: number;
  /** UTF-8 text after `code`. */
  readonly reason?: string;
  /** Four octets; `none`: not masked. By default each frame has a key of its own. */
  readonly mask?: string | "none";
  /** Bits of the length field; by default the fewest that suffice. */
  readonly lengthBits?: 7 | 16 | 64;
  /** A wrong value of the length field, as 16 hexadecimal digits. */
  readonly says?: string;
  /** Compresses the payload (rfc7692#7.2.1); sets RSV1 unless `rsv` is given. */
  readonly deflate?: Deflate;
  /** Only these octets of the payload, compressed or not, are in this frame: a part of a fragmented message. */
  readonly part?: { readonly from: number; readonly to?: number };
};

/** How a payload is compressed. */
export type Deflate = {
  /** Without references to earlier messages. */
  readonly fresh?: true;
  /** 9 to 15; by default the negotiated value. */
  readonly windowBits?: number;
  /** Stored blocks only. */
  readonly stored?: true;
  /** Marks the last block as final (BFINAL), which requires an octet of zero after it (rfc7692#7.2.3.4). */
  readonly final?: true;
  /** Keeps the last four octets, which a sender must remove. */
  readonly tail?: true;
};

/** What a frame depends on of its connection. */
export type Building = {
  /** Replaces the braces of a text. */
  readonly text: (value: string) => string;
  /** A key that no frame of the connection has used. */
  readonly key: () => Uint8Array;
  /** The earlier data that compression may refer to; `remember` appends to it. */
  readonly window: () => Uint8Array;
  /** The agreed window of our compression, in bits. */
  readonly windowBits: () => number;
  readonly remember: (plain: Uint8Array) => void;
};

const WINDOW = 32_768;

/** The last 32 KiB of compressed data, which later data may refer to (rfc1951#3). */
export class Window {
  #octets: Uint8Array = new Uint8Array();

  get octets(): Uint8Array {
    return this.#octets;
  }
  push(plain: Uint8Array): void {
    const all = join([this.#octets, plain]);
    this.#octets = all.length > WINDOW ? all.slice(all.length - WINDOW) : all;
  }
  forget(): void {
    this.#octets = new Uint8Array();
  }
}

/** For frames outside any connection. */
export const plainly = (): Building => {
  const window = new Window();
  let frames = 0;
  return {
    text: (value) => value,
    key: () => keyOf((frames += 1)),
    window: () => window.octets,
    windowBits: () => 15,
    remember: (plain) => window.push(plain),
  };
};

/** The key of the n-th frame: the same in every run, and without zero octets, which mask nothing. */
export const keyOf = (nth: number): Uint8Array => {
  const mixed = Math.imul(nth, 0x9e3779b1) >>> 0;
  return Uint8Array.from([24, 16, 8, 0], (shift) => ((mixed >>> shift) & 0xff) | 1);
};

/** The octets of a frame. */
export function buildFrame(spec: FrameSpec, building: Building): Uint8Array {
  const payload = payloadOf(spec, building);
  const opcode = typeof spec.opcode === "number" ? spec.opcode : OPCODES[spec.opcode];
  const rsv = spec.rsv ?? (spec.deflate === undefined ? 0 : 4);
  const first = (spec.fin === false ? 0 : 0x80) | (rsv << 4) | opcode;
  const key = spec.mask === "none" ? undefined : spec.mask === undefined ? building.key() : fromHex(spec.mask);
  const length = lengthOctets(spec, payload.length);
  length[0] = (length[0] ?? 0) | (key === undefined ? 0 : 0x80);
  return join([Uint8Array.of(first), length, key ?? new Uint8Array(), key === undefined ? payload : masked(payload, key)]);
}

/** Masks or unmasks a payload with a key (rfc6455#5.3). */
export function masked(payload: Uint8Array, key: Uint8Array): Uint8Array {
  const out = new Uint8Array(payload);
  const octets = Uint8Array.from({ length: 4 }, (_, at) => key[at] ?? 0);
  const [word = 0] = new Uint32Array(octets.buffer);
  const words = new Uint32Array(out.buffer, 0, out.length >> 2);
  for (let at = 0; at < words.length; at++) words[at] = (words[at] ?? 0) ^ word;
  for (let at = words.length * 4; at < out.length; at++) out[at] = (out[at] ?? 0) ^ (octets[at & 3] ?? 0);
  return out;
}

function lengthOctets({ lengthBits, says }: FrameSpec, length: number): Uint8Array {
  const said = says === undefined ? BigInt(length) : BigInt(`0x${says}`);
  const bits = lengthBits ?? (said < 126n ? 7 : said < 65_536n ? 16 : 64);
  if (bits === 7) return Uint8Array.of(Number(said & 0x7fn));
  const octets = new Uint8Array(bits / 8 + 1);
  octets[0] = bits === 16 ? 126 : 127;
  for (let at = octets.length - 1, left = said; at > 0; at--, left >>= 8n) octets[at] = Number(left & 0xffn);
  return octets;
}

function payloadOf(spec: FrameSpec, building: Building): Uint8Array {
  const plain = plainOf(spec, building);
  const { from, to } = spec.part ?? { from: 0 };
  if (spec.deflate === undefined) return plain.subarray(from, to);
  const octets = compressed(plain, { windowBits: building.windowBits(), ...spec.deflate }, building.window());
  // A message in parts is remembered once, with its last part.
  if (spec.fin !== false) building.remember(plain);
  return octets.subarray(from, to);
}

function plainOf({ text, hex, fill, octets, made, code, reason }: FrameSpec, building: Building): Uint8Array {
  const encoder = new TextEncoder();
  if (code !== undefined) return join([Uint8Array.of(code >> 8, code & 0xff), encoder.encode(building.text(reason ?? ""))]);
  if (text !== undefined) return encoder.encode(building.text(text));
  if (fill !== undefined) return new Uint8Array(Buffer.from(fill.text.repeat(fill.count), "utf8"));
  if (octets !== undefined) return repeated(fromHex(octets.hex), octets.count);
  if (made !== undefined) return contentOf(made.content, made.count);
  return hex === undefined ? new Uint8Array() : fromHex(hex);
}

function repeated(octets: Uint8Array, count: number): Uint8Array {
  const out = new Uint8Array(octets.length * count);
  for (let nth = 0; nth < count; nth++) out.set(octets, nth * octets.length);
  return out;
}

/** Compresses as a sender does: flushed to an octet boundary, without the empty block at the end (rfc7692#7.2.1). */
export function compressed(plain: Uint8Array, how: Deflate, window: Uint8Array): Uint8Array {
  const dictionary = how.fresh === true ? new Uint8Array() : window;
  const octets = deflateRawSync(plain, {
    windowBits: how.windowBits ?? 15,
    level: how.stored === true ? 0 : 9,
    finishFlush: how.final === true ? constants.Z_FINISH : constants.Z_SYNC_FLUSH,
    ...(dictionary.length === 0 ? {} : { dictionary }),
  });
  if (how.final === true) return join([octets, Uint8Array.of(0)]);
  return new Uint8Array(how.tail === true ? octets : octets.subarray(0, octets.length - 4));
}
