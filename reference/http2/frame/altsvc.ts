import type { Writer } from "../../core/index.ts";
import type { StreamId } from "../stream/id.ts";
import { CONNECTION } from "../stream/id.ts";
import { FrameType, writeHead, type Head } from "./head.ts";
import { readText, writeText } from "./text.ts";
import type { Unknown } from "./unknown.ts";

/** Offers an alternative service for an origin (rfc7838#4): on stream 0 it names the origin, on another stream it means that of the request. */
export type Altsvc = { readonly is: "ALTSVC"; readonly stream: StreamId; readonly origin: string; readonly value: string };
const ORIGIN_LENGTH = 2;

/** A malformed frame is ignored like an unknown one (rfc7838#4). */
export function read(head: Head, payload: Uint8Array): Altsvc | Unknown {
  const ignored: Unknown = { is: "unknown", type: head.type, stream: head.stream };
  if (payload.length < ORIGIN_LENGTH) return ignored;
  const end = ORIGIN_LENGTH + ((payload[0]! << 8) | payload[1]!);
  if (end > payload.length || end > ORIGIN_LENGTH !== (head.stream === CONNECTION)) return ignored;
  return {
    is: "ALTSVC",
    stream: head.stream,
    origin: readText(payload, ORIGIN_LENGTH, end),
    value: readText(payload, end),
  };
}

export function write(w: Writer, { stream, origin, value }: Altsvc): void {
  writeHead(w, { length: ORIGIN_LENGTH + origin.length + value.length, type: FrameType.ALTSVC, flags: 0, stream });
  w.u16(origin.length);
  writeText(w, origin);
  writeText(w, value);
}
