import type { Writer } from "../../core/index.ts";
import { fault, type Fault } from "../faults.ts";
import { CONNECTION, type StreamId } from "../stream/id.ts";
import { FrameType, readStreamId, readU32, writeHead, type Head } from "./head.ts";

/** Announces a shutdown, and names the last stream that is processed (rfc9113#6.8). `debug` is a view. */
export type Goaway = { readonly is: "GOAWAY"; readonly last: StreamId; readonly code: number; readonly debug: Uint8Array };
const FIXED_LENGTH = 8;

export function read(head: Head, payload: Uint8Array): Goaway | Fault {
  if (head.stream !== CONNECTION) return fault("goawayOnStream");
  if (payload.length < FIXED_LENGTH) return fault("goawayTooShort");
  return { is: "GOAWAY", last: readStreamId(payload, 0), code: readU32(payload, 4), debug: payload.subarray(FIXED_LENGTH) };
}

export function write(w: Writer, { last, code, debug }: Goaway): void {
  writeHead(w, { length: FIXED_LENGTH + debug.length, type: FrameType.GOAWAY, flags: 0, stream: CONNECTION });
  w.u32(last).u32(code).bytes(debug);
}
