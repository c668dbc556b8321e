import type { Writer } from "../../core/index.ts";
import { fault, type Fault } from "../faults.ts";
import { CONNECTION, type StreamId } from "../stream/id.ts";
import { Flag, FrameType, writeHead, type Head } from "./head.ts";
import { padOverhead, unpad, writePadding } from "./padding.ts";
import { PRIORITY_LENGTH, readWeights, writeWeights, type Weights } from "./priority.ts";

/** Opens a stream, or carries its trailers (rfc9113#6.2). `block` is a view: the field block, or its first fragment. */
export type Headers = {
  readonly is: "HEADERS";
  readonly stream: StreamId;
  readonly endStream: boolean;
  readonly endHeaders: boolean;
  readonly block: Uint8Array;
  /** The deprecated signal, present with the PRIORITY flag (rfc9113#5.3.2). */
  readonly priority?: Weights;
  readonly pad?: number;
};

export function read(head: Head, payload: Uint8Array): Headers | Fault {
  if (head.stream === CONNECTION) return fault("headersOnConnection");
  const { stream, flags } = head;
  const endStream = (flags & Flag.END_STREAM) !== 0;
  const endHeaders = (flags & Flag.END_HEADERS) !== 0;
  if ((flags & (Flag.PADDED | Flag.PRIORITY)) === 0) return { is: "HEADERS", stream, endStream, endHeaders, block: payload };

  const weighted = (flags & Flag.PRIORITY) !== 0;
  const span = unpad(head, payload, weighted ? PRIORITY_LENGTH : 0, "headersTooShort");
  if (span.is === "fault") return span;
  return {
    is: "HEADERS",
    stream,
    endStream,
    endHeaders,
    block: payload.subarray(span.from, span.to),
    ...(weighted && { priority: readWeights(payload, span.from - PRIORITY_LENGTH) }),
    ...((flags & Flag.PADDED) !== 0 && { pad: payload.length - span.to }),
  };
}

export function write(w: Writer, { stream, endStream, endHeaders, block, priority, pad }: Headers): void {
  const flags =
    (endStream ? Flag.END_STREAM : 0) |
    (endHeaders ? Flag.END_HEADERS : 0) |
    (priority === undefined ? 0 : Flag.PRIORITY) |
    (pad === undefined ? 0 : Flag.PADDED);
  const length = block.length + padOverhead(pad) + (priority === undefined ? 0 : PRIORITY_LENGTH);
  writeHead(w, { length, type: FrameType.HEADERS, flags, stream });
  if (pad !== undefined) w.u8(pad);
  if (priority !== undefined) writeWeights(w, priority);
  w.bytes(block);
  writePadding(w, pad);
}
