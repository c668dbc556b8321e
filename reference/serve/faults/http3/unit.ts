import type { Field } from "../../../core/index.ts";
import type { Cut } from "../fault.ts";

/**
 * A part of the output of HTTP/3. `stream` is the ordinal of a request, from 1, and 0 for everything else: streams of requests have the
 * identifiers 0, 4, 8, … (rfc9114#6.1).
 */
export type FieldsUnit = { readonly is: "fields"; readonly stream: number; readonly fields: readonly Field[]; readonly end: boolean };
/** A frame on the stream of a request. */
export type FrameUnit = {
  readonly is: "frame";
  readonly stream: number;
  readonly type: number;
  readonly payload: Uint8Array;
  readonly end: boolean;
};
/** Uninterpreted octets on the stream `on`. */
export type OctetsUnit = {
  readonly is: "octets";
  readonly stream: number;
  readonly on: number;
  readonly bytes: Uint8Array;
  readonly end: boolean;
};
/** The sender gives up the stream of a request. */
export type ResetUnit = { readonly is: "reset"; readonly stream: number; readonly code: number };
/** The end of the connection. Nothing passes after it. */
export type CutUnit = { readonly is: "cut"; readonly stream: number; readonly how: Cut };
export type Unit = FieldsUnit | FrameUnit | OctetsUnit | ResetUnit | CutUnit;

export const CONNECTION = 0;
export const ordinalOf = (id: number): number => (id % 4 === 0 ? id / 4 + 1 : CONNECTION);
export const idOf = (unit: Exclude<Unit, CutUnit>): number => (unit.is === "octets" ? unit.on : (unit.stream - 1) * 4);

/** The types of frames that faults send (rfc9114#7.2, rfc9114#7.2.8). */
export const FRAME = { DATA: 0x0, HEADERS: 0x1, SETTINGS: 0x4, PUSH_PROMISE: 0x5, GOAWAY: 0x7, UNKNOWN: 0x21 } as const;

export const frame = (type: keyof typeof FRAME, stream: number, payload: Uint8Array = new Uint8Array(0), end = false): FrameUnit => ({
  is: "frame",
  stream,
  type: FRAME[type],
  payload,
  end,
});
export const octets = (on: number, bytes: Uint8Array, end = false): OctetsUnit => ({ is: "octets", stream: ordinalOf(on), on, bytes, end });
export const cut = (how: Cut): CutUnit => ({ is: "cut", stream: CONNECTION, how });

/** Whether a unit begins a final response, not an interim one or trailers. */
export const isResponse = (unit: Unit): unit is FieldsUnit =>
  unit.is === "fields" && unit.fields[0]?.name === ":status" && !/^1..$/.test(unit.fields[0].value);
/** Whether a unit begins a request, not trailers. */
export const isRequest = (unit: Unit): unit is FieldsUnit => unit.is === "fields" && unit.fields[0]?.name === ":method";
/** Whether a unit is the last on its stream. */
export const isLast = (unit: Unit): boolean => unit.is === "reset" || (unit.is !== "cut" && unit.stream !== CONNECTION && unit.end);
