import type { Writer } from "../../core/index.ts";
import { fault, type Fault } from "../faults.ts";
import { CONNECTION, type StreamId } from "../stream/id.ts";
import { Flag, FrameType, writeHead, type Head } from "./head.ts";

/** The next fragment of a field block (rfc9113#6.10). `block` is a view. */
export type Continuation = {
  readonly is: "CONTINUATION";
  readonly stream: StreamId;
  readonly endHeaders: boolean;
  readonly block: Uint8Array;
};

export function read(head: Head, payload: Uint8Array): Continuation | Fault {
  if (head.stream === CONNECTION) return fault("continuationOnConnection");
  return { is: "CONTINUATION", stream: head.stream, endHeaders: (head.flags & Flag.END_HEADERS) !== 0, block: payload };
}

export function write(w: Writer, { stream, endHeaders, block }: Continuation): void {
  writeHead(w, { length: block.length, type: FrameType.CONTINUATION, flags: endHeaders ? Flag.END_HEADERS : 0, stream });
  w.bytes(block);
}
