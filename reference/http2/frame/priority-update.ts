import type { Writer } from "../../core/index.ts";
import { fault, type Fault } from "../faults.ts";
import { CONNECTION, type StreamId } from "../stream/id.ts";
import { FrameType, readStreamId, writeHead, type Head } from "./head.ts";
import { readText, writeText } from "./text.ts";

/** The priority that a client wants for a response, before or during it (rfc9218#7.1). `value` has the syntax of a Priority field. */
export type PriorityUpdate = { readonly is: "PRIORITY_UPDATE"; readonly prioritized: StreamId; readonly value: string };
const FIXED_LENGTH = 4;

export function read(head: Head, payload: Uint8Array): PriorityUpdate | Fault {
  if (head.stream !== CONNECTION) return fault("priorityUpdateOnStream");
  if (payload.length < FIXED_LENGTH) return fault("priorityUpdateTooShort");
  const prioritized = readStreamId(payload, 0);
  if (prioritized === CONNECTION) return fault("priorityUpdateOfConnection");
  return { is: "PRIORITY_UPDATE", prioritized, value: readText(payload, FIXED_LENGTH) };
}

export function write(w: Writer, { prioritized, value }: PriorityUpdate): void {
  writeHead(w, { length: FIXED_LENGTH + value.length, type: FrameType.PRIORITY_UPDATE, flags: 0, stream: CONNECTION });
  w.u32(prioritized);
  writeText(w, value);
}
