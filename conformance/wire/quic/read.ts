import { readVarint } from "../http3/varint.ts";
import { toHex, toLatin1 } from "../octets.ts";
import { FRAME_TYPES, type FrameName } from "./names.ts";

/** A frame as it was read; numbers and hex by their names. */
export type ReadFrame = {
  readonly type: FrameName | `0x${string}`;
  readonly members: Readonly<Record<string, number | string>>;
  /** Of CRYPTO and STREAM. */
  readonly data?: Uint8Array;
  /** ACK: what it acknowledges, from and to. */
  readonly ranges?: readonly (readonly [number, number])[];
};

const NAMES = new Map<number, FrameName>(Object.entries(FRAME_TYPES).map(([name, type]) => [type, name as FrameName]));
const nameOf = (type: number): FrameName | undefined =>
  type >= FRAME_TYPES.STREAM && type < FRAME_TYPES.MAX_DATA ? "STREAM" : NAMES.get(type);

/** Reads front to back; past the end everything is 0 or empty. */
class Cursor {
  readonly #octets: Uint8Array;
  #at = 0;
  constructor(octets: Uint8Array) {
    this.#octets = octets;
  }
  get left(): number {
    return this.#octets.length - this.#at;
  }
  number(): number {
    const found = readVarint(this.#octets, this.#at);
    this.#at += found?.size ?? this.left;
    return found?.value ?? 0;
  }
  take(length: number): Uint8Array {
    const octets = this.#octets.subarray(this.#at, this.#at + length);
    this.#at += octets.length;
    return octets;
  }
  octet(): number {
    return this.take(1)[0] ?? 0;
  }
}

/** The frames of a payload, without PADDING. An unknown one takes all that follows. */
export function readFrames(payload: Uint8Array): ReadFrame[] {
  const cursor = new Cursor(payload);
  const found: ReadFrame[] = [];
  while (cursor.left > 0) {
    const type = cursor.number();
    const name = nameOf(type);
    if (name === "PADDING") continue;
    found.push(
      name === undefined ? { type: `0x${type.toString(16)}`, members: { hex: toHex(cursor.take(cursor.left)) } } : body(name, type, cursor),
    );
  }
  return found;
}

function body(type: FrameName, raw: number, cursor: Cursor): ReadFrame {
  const numbers = (...names: readonly string[]): Record<string, number> => Object.fromEntries(names.map((name) => [name, cursor.number()]));
  switch (type) {
    case "ACK":
    case "ACK_ECN":
      return acknowledgment(type, cursor);
    case "RESET_STREAM":
      return { type, members: numbers("stream", "code", "finalSize") };
    case "STOP_SENDING":
      return { type, members: numbers("stream", "code") };
    case "CRYPTO": {
      const members = numbers("offset", "length");
      return { type, members, data: cursor.take(members["length"] ?? 0) };
    }
    case "NEW_TOKEN":
      return { type, members: { token: toHex(cursor.take(cursor.number())) } };
    case "STREAM": {
      const stream = cursor.number();
      const offset = (raw & 0x04) === 0 ? 0 : cursor.number();
      const data = cursor.take((raw & 0x02) === 0 ? cursor.left : cursor.number());
      return { type, members: { stream, offset, length: data.length, end: raw & 0x01 }, data };
    }
    case "MAX_STREAM_DATA":
    case "STREAM_DATA_BLOCKED":
      return { type, members: numbers("stream", "max") };
    case "MAX_DATA":
    case "MAX_STREAMS_BIDI":
    case "MAX_STREAMS_UNI":
    case "DATA_BLOCKED":
    case "STREAMS_BLOCKED_BIDI":
    case "STREAMS_BLOCKED_UNI":
      return { type, members: numbers("max") };
    case "NEW_CONNECTION_ID": {
      const members = numbers("sequence", "retire");
      const id = toHex(cursor.take(cursor.octet()));
      return { type, members: { ...members, id, token: toHex(cursor.take(16)) } };
    }
    case "RETIRE_CONNECTION_ID":
      return { type, members: numbers("sequence") };
    case "PATH_CHALLENGE":
    case "PATH_RESPONSE":
      return { type, members: { token: toHex(cursor.take(8)) } };
    case "CONNECTION_CLOSE":
    case "CONNECTION_CLOSE_APP": {
      const members = type === "CONNECTION_CLOSE" ? numbers("code", "frame") : numbers("code");
      return { type, members: { ...members, reason: toLatin1(cursor.take(cursor.number())) } };
    }
    default:
      return { type, members: {} };
  }
}

function acknowledgment(type: "ACK" | "ACK_ECN", cursor: Cursor): ReadFrame {
  const largest = cursor.number();
  const delay = cursor.number();
  const count = cursor.number();
  const ranges: [number, number][] = [];
  let low = largest - cursor.number();
  ranges.push([low, largest]);
  // A lying count ends where the payload does.
  for (let n = 0; n < count && cursor.left > 0; n++) {
    const high = low - cursor.number() - 2;
    low = high - cursor.number();
    ranges.push([low, high]);
  }
  if (type === "ACK_ECN") for (let n = 0; n < 3; n++) cursor.number();
  return { type, members: { largest, delay }, ranges };
}
