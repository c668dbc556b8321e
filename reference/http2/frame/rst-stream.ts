import type { Writer } from "../../core/index.ts";
import { fault, type Fault } from "../faults.ts";
import { CONNECTION, type StreamId } from "../stream/id.ts";
import { FrameType, readU32, writeHead, type Head } from "./head.ts";

/** Ends a stream immediately (rfc9113#6.4). `code` is the number on the wire, known or not. */
export type RstStream = { readonly is: "RST_STREAM"; readonly stream: StreamId; readonly code: number };

export function read(head: Head, payload: Uint8Array): RstStream | Fault {
  if (head.stream === CONNECTION) return fault("rstStreamOnConnection");
  if (payload.length !== 4) return fault("rstStreamLengthNot4");
  return { is: "RST_STREAM", stream: head.stream, code: readU32(payload, 0) };
}

export function write(w: Writer, { stream, code }: RstStream): void {
  writeHead(w, { length: 4, type: FrameType.RST_STREAM, flags: 0, stream });
  w.u32(code);
}
