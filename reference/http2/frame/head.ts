import type { Writer } from "../../core/index.ts";
import type { StreamId } from "../stream/id.ts";

/**
 * The nine bytes in front of every frame (rfc9113#4.1).
 *
 *     +-----------------+--------+---------+---+---------------+
 *     |   length (24)   |type (8)|flags (8)| R |  stream (31)  |
 *     +-----------------+--------+---------+---+---------------+
 */
export type Head = { readonly length: number; readonly type: number; readonly flags: number; readonly stream: StreamId };
export const HEAD_LENGTH = 9;

/** Frame types by their wire names (rfc9113#6, rfc9218#7.1, and the registrations of ALTSVC and ORIGIN). */
export const FrameType = {
  DATA: 0x0,
  HEADERS: 0x1,
  PRIORITY: 0x2,
  RST_STREAM: 0x3,
  SETTINGS: 0x4,
  PUSH_PROMISE: 0x5,
  PING: 0x6,
  GOAWAY: 0x7,
  WINDOW_UPDATE: 0x8,
  CONTINUATION: 0x9,
  ALTSVC: 0xa,
  ORIGIN: 0xc,
  PRIORITY_UPDATE: 0x10,
} as const;
export type FrameType = keyof typeof FrameType;

/** Flags by their wire names. A flag that is not defined for a frame type is ignored (rfc9113#4.1). */
export const Flag = { END_STREAM: 0x1, ACK: 0x1, END_HEADERS: 0x4, PADDED: 0x8, PRIORITY: 0x20 } as const;

/** Reads a head at `at`, where the caller has made sure of nine bytes. The reserved bit is ignored. */
export function readHead(bytes: Uint8Array, at = 0): Head {
  return {
    length: (bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!,
    type: bytes[at + 3]!,
    flags: bytes[at + 4]!,
    stream: readStreamId(bytes, at + 5),
  };
}

/** 31 bits at `at`, the top bit ignored. */
export function readStreamId(bytes: Uint8Array, at: number): StreamId {
  return (((bytes[at]! & 0x7f) << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) as StreamId;
}

export function readU32(bytes: Uint8Array, at: number): number {
  return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
}

export function writeHead(w: Writer, { length, type, flags, stream }: Head): void {
  const at = w.claim(HEAD_LENGTH);
  const bytes = w.octets;
  bytes[at] = length >>> 16;
  bytes[at + 1] = length >>> 8;
  bytes[at + 2] = length;
  bytes[at + 3] = type;
  bytes[at + 4] = flags;
  bytes[at + 5] = stream >>> 24;
  bytes[at + 6] = stream >>> 16;
  bytes[at + 7] = stream >>> 8;
  bytes[at + 8] = stream;
}
