import type { Writer } from "../../core/index.ts";
import { fault, type Fault } from "../faults.ts";
import { CONNECTION, type StreamId } from "../stream/id.ts";
import { Flag, FrameType, readStreamId, writeHead, type Head } from "./head.ts";
import { padOverhead, unpad, writePadding } from "./padding.ts";

/** Promises, on the stream of a request, the response to another request (rfc9113#6.6). `block` is a view: the field block, or its first fragment. */
export type PushPromise = {
  readonly is: "PUSH_PROMISE";
  readonly stream: StreamId;
  readonly promised: StreamId;
  readonly endHeaders: boolean;
  readonly block: Uint8Array;
  readonly pad?: number;
};
const PROMISED_LENGTH = 4;

export function read(head: Head, payload: Uint8Array): PushPromise | Fault {
  if (head.stream === CONNECTION) return fault("pushPromiseOnConnection");
  const span = unpad(head, payload, PROMISED_LENGTH, "pushPromiseTooShort");
  if (span.is === "fault") return span;
  return {
    is: "PUSH_PROMISE",
    stream: head.stream,
    promised: readStreamId(payload, span.from - PROMISED_LENGTH),
    endHeaders: (head.flags & Flag.END_HEADERS) !== 0,
    block: payload.subarray(span.from, span.to),
    ...((head.flags & Flag.PADDED) !== 0 && { pad: payload.length - span.to }),
  };
}

export function write(w: Writer, { stream, promised, endHeaders, block, pad }: PushPromise): void {
  const flags = (endHeaders ? Flag.END_HEADERS : 0) | (pad === undefined ? 0 : Flag.PADDED);
  writeHead(w, { length: PROMISED_LENGTH + block.length + padOverhead(pad), type: FrameType.PUSH_PROMISE, flags, stream });
  if (pad !== undefined) w.u8(pad);
  w.u32(promised).bytes(block);
  writePadding(w, pad);
}
