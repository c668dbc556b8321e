import type { Writer } from "../../core/index.ts";
import { fault, type Fault } from "../faults.ts";
import { CONNECTION, type StreamId } from "../stream/id.ts";
import { Flag, FrameType, writeHead, type Head } from "./head.ts";
import { padOverhead, unpad, writePadding } from "./padding.ts";

/** Content (rfc9113#6.1). `data` is a view of what was read. `pad` is the number of padding bytes, if the frame is padded. */
export type Data = {
  readonly is: "DATA";
  readonly stream: StreamId;
  readonly endStream: boolean;
  readonly data: Uint8Array;
  readonly pad?: number;
};

export function read(head: Head, payload: Uint8Array): Data | Fault {
  if (head.stream === CONNECTION) return fault("dataOnConnection");
  const endStream = (head.flags & Flag.END_STREAM) !== 0;
  if ((head.flags & Flag.PADDED) === 0) return { is: "DATA", stream: head.stream, endStream, data: payload };
  const span = unpad(head, payload, 0, "dataTooShort");
  if (span.is === "fault") return span;
  return { is: "DATA", stream: head.stream, endStream, data: payload.subarray(span.from, span.to), pad: payload.length - span.to };
}

export function write(w: Writer, { stream, endStream, data, pad }: Data): void {
  const flags = (endStream ? Flag.END_STREAM : 0) | (pad === undefined ? 0 : Flag.PADDED);
  writeHead(w, { length: data.length + padOverhead(pad), type: FrameType.DATA, flags, stream });
  if (pad !== undefined) w.u8(pad);
  w.bytes(data);
  writePadding(w, pad);
}
