import { octetsText } from "./text.ts";

/** Frames as a peer writes and reads them (rfc9113#4.1), apart from the code that the lives observe. */

export const TYPE = {
  DATA: 0,
  HEADERS: 1,
  PRIORITY: 2,
  RST_STREAM: 3,
  SETTINGS: 4,
  PUSH_PROMISE: 5,
  PING: 6,
  GOAWAY: 7,
  WINDOW_UPDATE: 8,
  CONTINUATION: 9,
  ALTSVC: 10,
  ORIGIN: 12,
  PRIORITY_UPDATE: 16,
} as const;
export type TypeName = keyof typeof TYPE;
const NAMES: ReadonlyMap<number, string> = new Map(Object.entries(TYPE).map(([name, type]) => [type, name]));
export const FLAG = { END_STREAM: 1, ACK: 1, END_HEADERS: 4, PADDED: 8, PRIORITY: 0x20 } as const;

export type Piece = { readonly type: number; readonly flags: number; readonly stream: number; readonly payload: Uint8Array };
const HEAD = 9;

export const piece = (name: TypeName, stream: number, payload: Iterable<number>, flags = 0): Piece => ({
  type: TYPE[name],
  flags,
  stream,
  payload: payload instanceof Uint8Array ? payload : Uint8Array.from(payload),
});
export const u32 = (value: number): number[] => [value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff];
export const readU32 = (octets: Uint8Array, at: number): number =>
  (octets[at]! * 2 ** 24 + (octets[at + 1]! << 16) + (octets[at + 2]! << 8) + octets[at + 3]!) >>> 0;

export function octetsOf({ type, flags, stream, payload }: Piece): Uint8Array {
  const { length } = payload;
  const whole = new Uint8Array(HEAD + length);
  whole.set([length >>> 16, (length >>> 8) & 0xff, length & 0xff, type, flags, ...u32(stream)]);
  whole.set(payload, HEAD);
  return whole;
}

export function pieceText({ type, flags, stream, payload }: Piece): string {
  return `${NAMES.get(type) ?? `type ${type}`} ${stream}${flags === 0 ? "" : ` flags ${flags.toString(16)}`} ${octetsText(payload)}`;
}

/** The frames in what an endpoint sends, in any number of parts; a preface counts as a frame of type -1. */
export class Pieces {
  #held: Uint8Array = new Uint8Array(0);
  /** How many octets of a client's preface are still to come. */
  #preface: number;

  constructor(preface: number) {
    this.#preface = preface;
  }

  read(octets: Uint8Array): Piece[] {
    const all = joined([this.#held, octets]);
    const found: Piece[] = [];
    let at = 0;
    if (this.#preface > 0 && all.length >= this.#preface) {
      found.push({ type: -1, flags: 0, stream: 0, payload: all.subarray(0, this.#preface) });
      at = this.#preface;
      this.#preface = 0;
    }
    while (this.#preface === 0 && at + HEAD <= all.length) {
      const end = at + HEAD + ((all[at]! << 16) | (all[at + 1]! << 8) | all[at + 2]!);
      if (end > all.length) break;
      found.push({ type: all[at + 3]!, flags: all[at + 4]!, stream: readU32(all, at + 5), payload: all.subarray(at + HEAD, end) });
      at = end;
    }
    this.#held = all.slice(at);
    return found;
  }
  /** What is no complete frame. */
  get rest(): Uint8Array {
    return this.#held;
  }
}

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const kept = parts.filter((part) => part.length > 0);
  return kept.length === 1 ? kept[0]! : new Uint8Array(Buffer.concat(kept));
}
