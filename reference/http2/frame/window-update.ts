import type { Writer } from "../../core/index.ts";
import { fault, type Fault } from "../faults.ts";
import type { StreamId } from "../stream/id.ts";
import { FrameType, readStreamId, writeHead, type Head } from "./head.ts";

/** Raises the sender's flow-control window (rfc9113#6.9). */
export type WindowUpdate = { readonly is: "WINDOW_UPDATE"; readonly stream: StreamId; readonly increment: number };

export function read(head: Head, payload: Uint8Array): WindowUpdate | Fault {
  if (payload.length !== 4) return fault("windowUpdateLengthNot4");
  const increment = readStreamId(payload, 0);
  if (increment === 0) return fault("windowIncrementZero", head.stream);
  return { is: "WINDOW_UPDATE", stream: head.stream, increment };
}

export function write(w: Writer, { stream, increment }: WindowUpdate): void {
  writeHead(w, { length: 4, type: FrameType.WINDOW_UPDATE, flags: 0, stream });
  w.u32(increment);
}
