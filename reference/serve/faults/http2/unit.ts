import type { Field } from "../../../core/index.ts";
import type { Cut } from "../fault.ts";
import { Flag, FrameType, streamId, type StreamId } from "../../../http2/index.ts";

/** An outgoing field section; it becomes HEADERS or PUSH_PROMISE, with CONTINUATION if it is long. */
export type FieldsUnit = {
  readonly is: "fields";
  readonly stream: StreamId;
  readonly endStream: boolean;
  readonly fields: readonly Field[];
  /** Of a PUSH_PROMISE. */
  readonly promised?: StreamId;
};
export type FrameUnit = {
  readonly is: "frame";
  readonly stream: StreamId;
  readonly type: number;
  readonly flags: number;
  readonly payload: Uint8Array;
};
/** Uninterpreted octets. */
export type OctetsUnit = { readonly is: "octets"; readonly stream: StreamId; readonly bytes: Uint8Array };
/** The end of the transport. Nothing passes after it. */
export type CutUnit = { readonly is: "cut"; readonly stream: StreamId; readonly how: Cut };

/** A part of the output. `stream` is 0 for the connection. */
export type Unit = FieldsUnit | FrameUnit | OctetsUnit | CutUnit;

const NOTHING = new Uint8Array(0);

export const frame = (type: FrameType, stream: number, payload: Uint8Array = NOTHING, flags = 0): FrameUnit => ({
  is: "frame",
  stream: streamId(stream),
  type: FrameType[type],
  flags,
  payload,
});
export const octets = (stream: StreamId, bytes: Uint8Array): OctetsUnit => ({ is: "octets", stream, bytes });
export const cut = (stream: StreamId, how: Cut): CutUnit => ({ is: "cut", stream, how });

/** 32-bit numbers, as in most small frames. */
export function u32(...numbers: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(numbers.length * 4));
  numbers.forEach((number, at) => view.setUint32(at * 4, number));
  return new Uint8Array(view.buffer);
}

/** Whether a unit begins a final response, not an interim one or trailers. */
export const isResponse = (unit: Unit): unit is FieldsUnit =>
  unit.is === "fields" &&
  unit.promised === undefined &&
  unit.fields[0]?.name === ":status" &&
  !(unit.fields[0].value.length === 3 && unit.fields[0].value.startsWith("1"));

/** Whether a unit begins a request, not trailers. */
export const isRequest = (unit: Unit): unit is FieldsUnit => unit.is === "fields" && unit.fields[0]?.name === ":method";

export const isData = (unit: Unit): unit is FrameUnit => unit.is === "frame" && unit.type === FrameType.DATA;

/** Whether a unit is the last on its stream. */
export const isLast = (unit: Unit): boolean =>
  unit.is === "fields"
    ? unit.endStream
    : unit.is === "frame" && (unit.type === FrameType.RST_STREAM || (unit.type === FrameType.DATA && (unit.flags & Flag.END_STREAM) !== 0));
