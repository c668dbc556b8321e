import type { Field } from "../../core/index.ts";
import { Flag, FrameType, type StreamId } from "../../http2/index.ts";

/** A field section on its way out; it becomes HEADERS or PUSH_PROMISE, with CONTINUATION where it is long. */
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
/** Octets as they are, whatever they mean. */
export type OctetsUnit = { readonly is: "octets"; readonly stream: StreamId; readonly bytes: Uint8Array };
/** The end of the transport, with a FIN or with a RST. Nothing passes after it. */
export type CutUnit = { readonly is: "cut"; readonly stream: StreamId; readonly how: "end" | "reset" };

/** What the server sends, one piece of meaning at a time. `stream` is what it belongs to: 0 for the connection. */
export type Unit = FieldsUnit | FrameUnit | OctetsUnit | CutUnit;

const NOTHING = new Uint8Array(0);

export const frame = (type: FrameType, stream: number, payload: Uint8Array = NOTHING, flags = 0): FrameUnit => ({
  is: "frame",
  stream: stream as StreamId,
  type: FrameType[type],
  flags,
  payload,
});
export const octets = (stream: StreamId, bytes: Uint8Array): OctetsUnit => ({ is: "octets", stream, bytes });
export const cut = (stream: StreamId, how: "end" | "reset"): CutUnit => ({ is: "cut", stream, how });

/** Numbers of 32 bits, as most small frames carry them. */
export function u32(...numbers: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(numbers.length * 4));
  numbers.forEach((number, at) => view.setUint32(at * 4, number));
  return new Uint8Array(view.buffer);
}

/** The beginning of a final response: interim ones and trailers are none. */
export const isResponse = (unit: Unit): unit is FieldsUnit =>
  unit.is === "fields" &&
  unit.promised === undefined &&
  unit.fields[0]?.name === ":status" &&
  !(unit.fields[0].value.length === 3 && unit.fields[0].value.startsWith("1"));

export const isData = (unit: Unit): unit is FrameUnit => unit.is === "frame" && unit.type === FrameType.DATA;

/** Whether nothing follows on the stream. */
export const isLast = (unit: Unit): boolean =>
  unit.is === "fields"
    ? unit.endStream
    : unit.is === "frame" && (unit.type === FrameType.RST_STREAM || (unit.type === FrameType.DATA && (unit.flags & Flag.END_STREAM) !== 0));
