import type { Vector } from "../../load.ts";

type Side = "client" | "server";
type Invalid = { readonly scope?: "connection" | "stream"; readonly code?: string; readonly fault?: string };

/** Schema: http3-frame-v1. */
export type FrameVector = Vector & {
  readonly to: Side;
  readonly on: "control" | "request";
  readonly wire: string;
  readonly end?: true;
  readonly frame?: Readonly<Record<string, unknown>>;
} & Invalid;

/** Fields as pairs. */
export type Fields = readonly (readonly [string, string])[];
/** What a message means: of a request stream in order. */
export type Message = {
  readonly stream: number;
  readonly interim?: readonly Fields[];
  readonly fields: Fields;
  readonly content: string;
  readonly trailers?: Fields;
  readonly ended: boolean;
};
export type Step = { readonly stream: number; readonly wire: string; readonly end?: true } | { readonly stream: number; readonly reset: string };
/** Schema: http3-connection-v1. */
export type ConnectionVector = Vector & {
  readonly to: Side;
  /** Methods of the requests that a client has sent before, on streams 0, 4 and so on. */
  readonly requests?: readonly string[];
  readonly steps: readonly Step[];
  readonly messages?: readonly Message[];
} & Invalid;

/** An integer of QUIC in hexadecimal, in its shortest form or in this many octets (rfc9000#16). */
export function integer(value: number, octets = value < 0x40 ? 1 : value < 0x4000 ? 2 : value < 0x4000_0000 ? 4 : 8): string {
  const prefix = { 1: 0n, 2: 1n, 4: 2n, 8: 3n }[octets]!;
  return ((prefix << BigInt(octets * 8 - 2)) | BigInt(value)).toString(16).padStart(octets * 2, "0");
}
export const hex = (text: string): string => Buffer.from(text, "latin1").toString("hex");
/** A frame with this type and payload (rfc9114#7.1). */
export const frame = (type: number, payload = ""): string => integer(type) + integer(payload.length / 2) + payload;

/** A number below the bits of `head`, with a prefix of so many bits (rfc9204#4.1.1); it takes two octets at most. */
function prefixed(head: number, bits: number, value: number): string {
  const full = 2 ** bits - 1;
  const octets = value < full ? [head | value] : [head | full, value - full];
  return Buffer.from(octets).toString("hex");
}
/** A section of literals, without any table (rfc9204#4.5.6). */
export const section = (fields: Fields): string =>
  `0000${fields.map(([name, value]) => prefixed(0x20, 3, name.length) + hex(name) + prefixed(0, 7, value.length) + hex(value)).join("")}`;
export const headers = (fields: Fields): string => frame(1, section(fields));
export const data = (text: string): string => frame(0, hex(text));

export const GET: Fields = [
  [":method", "GET"],
  [":scheme", "https"],
  [":authority", "a.example"],
  [":path", "/"],
];
export const POST: Fields = [[":method", "POST"], ...GET.slice(1)];
export const OK: Fields = [[":status", "200"]];
