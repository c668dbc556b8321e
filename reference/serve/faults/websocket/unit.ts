import type { Cut } from "../fault.ts";

export const Opcode = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** A frame (rfc6455#5.2); `payload` is unmasked. */
export type FrameUnit = {
  readonly is: "frame";
  readonly stream: number;
  /** FIN and the three reserved bits. */
  readonly bits: number;
  readonly opcode: number;
  readonly isMasked: boolean;
  readonly payload: Uint8Array;
};
/** Uninterpreted octets. */
export type OctetsUnit = { readonly is: "octets"; readonly stream: number; readonly bytes: Uint8Array };
/** The end of the transport. Nothing passes after it. */
export type CutUnit = { readonly is: "cut"; readonly stream: number; readonly how: Cut };

/** A part of the output. `stream` is the number of the message on the connection, Close included, and 0 for pings and pongs. */
export type Unit = FrameUnit | OctetsUnit | CutUnit;

export const FIN = 0x80;
/** A frame of the same side as another one, and of the same message. */
export const like = (unit: FrameUnit, changed: Partial<Pick<FrameUnit, "bits" | "opcode" | "payload" | "isMasked">>): FrameUnit => ({
  ...unit,
  bits: FIN,
  ...changed,
});
export const octets = (stream: number, bytes: Uint8Array): OctetsUnit => ({ is: "octets", stream, bytes });
export const cut = (stream: number, how: Cut): CutUnit => ({ is: "cut", stream, how });

/** Whether a unit begins a message. */
export const isMessage = (unit: Unit): unit is FrameUnit =>
  unit.is === "frame" && (unit.opcode === Opcode.text || unit.opcode === Opcode.binary);
/** Whether a unit is the last of its message. */
export const isEnd = (unit: Unit): boolean => unit.is === "frame" && unit.opcode < Opcode.close && (unit.bits & FIN) !== 0;
export const isClose = (unit: Unit): unit is FrameUnit => unit.is === "frame" && unit.opcode === Opcode.close;

const KEY = [0x37, 0xfa, 0x21, 0x3d] as const;
/** The octets of a frame. `says` is the length that it announces, its own by default; `wide` uses eight octets for any length. */
export function frameOctets({ bits, opcode, isMasked, payload }: FrameUnit, says = payload.length, wide = says > 0xffff): Buffer {
  const mask = isMasked ? 0x80 : 0;
  const head = wide ? [0, 0, 0, 0, 0, 0, 0, 0] : says > 125 ? [says >> 8, says & 0xff] : [];
  const out = Buffer.from([bits | opcode, mask | (wide ? 127 : says > 125 ? 126 : says), ...head, ...(isMasked ? KEY : [])]);
  if (wide) out.writeBigUInt64BE(BigInt(says), 2);
  return Buffer.concat([out, isMasked ? payload.map((octet, at) => octet ^ KEY[at % 4]!) : payload]);
}
const NOTHING = new Uint8Array(0);
/** The octets of a unit. */
export const octetsOf = (unit: Unit): Uint8Array => (unit.is === "frame" ? frameOctets(unit) : unit.is === "octets" ? unit.bytes : NOTHING);
