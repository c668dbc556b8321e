import { varintLength, Writer, writeVarint } from "../../core/index.ts";
import { FRAMES, type FrameName } from "./type.ts";

/** The type and the length of a frame, whose payload follows elsewhere (rfc9114#7.1). */
export function frameHead(name: FrameName, length: number): Uint8Array {
  const writer = new Writer(16);
  writeVarint(writer, FRAMES[name].type);
  writeVarint(writer, length);
  return writer.take();
}

/** A whole frame. */
export function frame(name: FrameName, payload: Uint8Array): Uint8Array {
  const { type } = FRAMES[name];
  const writer = new Writer(varintLength(type) + varintLength(payload.length) + payload.length);
  writeVarint(writer, type);
  writeVarint(writer, payload.length);
  return writer.bytes(payload).take();
}

/** A frame whose payload is one integer: GOAWAY, CANCEL_PUSH, MAX_PUSH_ID. */
export function integerFrame(name: FrameName, value: number): Uint8Array {
  const writer = new Writer(8);
  writeVarint(writer, value);
  return frame(name, writer.take());
}
