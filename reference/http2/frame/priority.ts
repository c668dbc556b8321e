import type { Writer } from "../../core/index.ts";
import { fault, type Fault } from "../faults.ts";
import { CONNECTION, type StreamId } from "../stream/id.ts";
import { FrameType, readStreamId, writeHead, type Head } from "./head.ts";

/** The priority signal of rfc7540#5.3, deprecated by rfc9113#5.3.2: its form is checked, its meaning ignored. */
export type Weights = {
  readonly dependsOn: StreamId;
  /** 1 to 256; the wire carries one less. */
  readonly weight: number;
  readonly exclusive: boolean;
};
export type Priority = { readonly is: "PRIORITY"; readonly stream: StreamId; readonly priority: Weights };
export const PRIORITY_LENGTH = 5;

export function read(head: Head, payload: Uint8Array): Priority | Fault {
  if (head.stream === CONNECTION) return fault("priorityOnConnection");
  if (payload.length !== PRIORITY_LENGTH) return fault("priorityLengthNot5", head.stream);
  return { is: "PRIORITY", stream: head.stream, priority: readWeights(payload, 0) };
}

export function readWeights(bytes: Uint8Array, at: number): Weights {
  return { dependsOn: readStreamId(bytes, at), weight: bytes[at + 4]! + 1, exclusive: (bytes[at]! & 0x80) !== 0 };
}

export function write(w: Writer, { stream, priority }: Priority): void {
  writeHead(w, { length: PRIORITY_LENGTH, type: FrameType.PRIORITY, flags: 0, stream });
  writeWeights(w, priority);
}

export function writeWeights(w: Writer, { dependsOn, weight, exclusive }: Weights): void {
  w.u32((exclusive ? 0x8000_0000 : 0) + dependsOn).u8(weight - 1);
}
