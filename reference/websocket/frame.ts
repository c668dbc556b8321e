import type { Writer } from "../core/index.ts";
import type { Side } from "./contract.ts";
import { fault, type Fault, type FaultName } from "./faults.ts";
import { mask } from "./mask.ts";

/** The defined opcodes; any other fails the connection (rfc6455#5.2). */
export const Opcode = { continuation: 0x0, text: 0x1, binary: 0x2, close: 0x8, ping: 0x9, pong: 0xa } as const;
export type OpcodeName = keyof typeof Opcode;
/** The four bits on the wire; from 8 on they mean control frames (rfc6455#5.5). */
export type Opcode = (typeof Opcode)[OpcodeName];

/** The longest head: two octets, eight of length, four of key. */
export const HEAD_OCTETS = 14;
/** The longest payload of a control frame (rfc6455#5.5). */
export const CONTROL_OCTETS = 125;

const FIN = 0x80;
const RSV1 = 0x40;
const RSV = 0x70;
const MASKED = 0x80;

/** A bit for each defined opcode. */
const DEFINED: number = Object.values(Opcode).reduce<number>((bits, opcode) => bits | (1 << opcode), 0);

/** The results of `HeadReader.read` other than a size. */
export const SHORT = 0;
export const REFUSED = -1;

/** Reads the heads of the frames that one side receives. The members describe the head read last, so that nothing is allocated. */
export class HeadReader {
  /** A server's peer masks, a client's does not. */
  readonly expectsMask: boolean;
  /** The reserved bits without RSV1 if permessage-deflate uses that (rfc7692#6). */
  readonly #refusedBits: number;

  opcode: Opcode = Opcode.continuation;
  fin = false;
  rsv1 = false;
  length = 0;
  /** Its lowest octet is the first on the wire; 0 if the frame is not masked. */
  key = 0;
  fault: FaultName = "reservedBitSet";

  constructor(side: Side, allowsRsv1: boolean) {
    this.expectsMask = side === "server";
    this.#refusedBits = allowsRsv1 ? RSV & ~RSV1 : RSV;
  }

  /** The size of the head between `at` and `end`; `SHORT` if it is incomplete; `REFUSED`, with `fault`, as early as possible. */
  read(octets: Uint8Array, at: number, end: number): number {
    const there = end - at;
    if (there < 1) return SHORT;
    const first = octets[at]!;
    const opcode = first & 0x0f;
    if ((first & this.#refusedBits) !== 0) return this.#refuse("reservedBitSet");
    if (((DEFINED >> opcode) & 1) === 0) return this.#refuse("opcodeReserved");
    const isControl = opcode >= Opcode.close;
    if (isControl && first < FIN) return this.#refuse("controlFragmented");
    if (there < 2) return SHORT;
    const second = octets[at + 1]!;
    const isMasked = second >= MASKED;
    if (isMasked !== this.expectsMask) return this.#refuse(isMasked ? "maskForbidden" : "maskMissing");
    let length = second & 0x7f;
    let size = 2;
    if (length > CONTROL_OCTETS) {
      if (isControl) return this.#refuse("controlTooLong");
      if (length === 126) {
        size = 4;
        if (there < size) return SHORT;
        length = (octets[at + 2]! << 8) | octets[at + 3]!;
        if (length < 126) return this.#refuse("lengthNotMinimal");
      } else {
        size = 10;
        if (there < 3) return SHORT;
        if (octets[at + 2]! >= 0x80) return this.#refuse("lengthTopBitSet");
        if (there < size) return SHORT;
        length = u32(octets, at + 2) * 2 ** 32 + u32(octets, at + 6);
        if (length < 65_536) return this.#refuse("lengthNotMinimal");
      }
    }
    if (isMasked) {
      if (there < size + 4) return SHORT;
      const from = at + size;
      this.key = octets[from]! | (octets[from + 1]! << 8) | (octets[from + 2]! << 16) | (octets[from + 3]! << 24);
      size += 4;
    }
    this.opcode = opcode as Opcode;
    this.fin = first >= FIN;
    this.rsv1 = (first & RSV1) !== 0;
    this.length = length;
    return size;
  }
  #refuse(name: FaultName): -1 {
    this.fault = name;
    return REFUSED;
  }
}

const u32 = (octets: Uint8Array, at: number): number =>
  ((octets[at]! << 24) | (octets[at + 1]! << 16) | (octets[at + 2]! << 8) | octets[at + 3]!) >>> 0;

/** Writes a head with the shortest form of the length. `first` is its first octet; `key` is undefined for an unmasked frame. */
export function writeHead(w: Writer, first: number, length: number, key: number | undefined): void {
  const bit = key === undefined ? 0 : MASKED;
  if (length <= CONTROL_OCTETS) w.u16((first << 8) | bit | length);
  else if (length < 65_536) w.u16((first << 8) | bit | 126).u16(length);
  else
    w.u16((first << 8) | bit | 127)
      .u32(Math.floor(length / 2 ** 32))
      .u32(length >>> 0);
  if (key !== undefined)
    w.u8(key)
      .u8(key >>> 8)
      .u8(key >>> 16)
      .u8(key >>> 24);
}
/** The first octet of a head. */
export const firstOctet = (opcode: Opcode, fin: boolean, rsv1 = false): number => opcode | (fin ? FIN : 0) | (rsv1 ? RSV1 : 0);

/** A frame by itself. */
export type Frame = {
  readonly is: OpcodeName;
  readonly fin: boolean;
  readonly rsv1: boolean;
  /** As on the wire; absent if the frame is not masked. */
  readonly key?: number;
  /** Unmasked. */
  readonly payload: Uint8Array;
};
const NAMES: Readonly<Record<number, OpcodeName>> = Object.fromEntries(
  Object.entries(Opcode).map(([name, opcode]) => [opcode, name as OpcodeName]),
);

/** Reads the frame at the start of the octets, for tools and vectors; `short` if it is incomplete. */
export function readFrame(octets: Uint8Array, side: Side, allowsRsv1 = false): Frame | Fault | "short" {
  const head = new HeadReader(side, allowsRsv1);
  const size = head.read(octets, 0, octets.length);
  if (size === REFUSED) return fault(head.fault);
  if (size === SHORT || octets.length < size + head.length) return "short";
  const { opcode, fin, rsv1, key } = head;
  const payload = new Uint8Array(octets.subarray(size, size + head.length));
  const frame = { is: NAMES[opcode]!, fin, rsv1, payload };
  if (side === "client") return frame;
  mask(payload, 0, payload.length, key);
  return { ...frame, key: key >>> 0 };
}

/** Writes a frame with any payload, for tools and vectors. */
export function writeFrame(w: Writer, { is, fin, rsv1, key, payload }: Frame): void {
  writeHead(w, firstOctet(Opcode[is], fin, rsv1), payload.length, key);
  const at = w.claim(payload.length);
  w.octets.set(payload, at);
  if (key !== undefined) mask(w.octets, at, at + payload.length, key);
}
