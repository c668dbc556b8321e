import type { Writer } from "../../core/index.ts";
import { CONNECTION } from "../stream/id.ts";
import { FrameType, writeHead, type Head } from "./head.ts";
import { readText, writeText } from "./text.ts";
import type { Unknown } from "./unknown.ts";

/** The origins for which a server is authoritative on this connection (rfc8336#2). */
export type Origin = { readonly is: "ORIGIN"; readonly origins: readonly string[] };
const ENTRY_LENGTH = 2;

/** A frame on a stream, with a flag, or cut short is ignored like an unknown one (rfc8336#2.1, #2.2). */
export function read(head: Head, payload: Uint8Array): Origin | Unknown {
  const ignored: Unknown = { is: "unknown", type: head.type, stream: head.stream };
  if (head.stream !== CONNECTION || (head.flags & 0x0f) !== 0) return ignored;
  const origins: string[] = [];
  for (let at = 0; at < payload.length;) {
    if (at + ENTRY_LENGTH > payload.length) return ignored;
    const from = at + ENTRY_LENGTH;
    at = from + ((payload[at]! << 8) | payload[at + 1]!);
    if (at > payload.length) return ignored;
    origins.push(readText(payload, from, at));
  }
  return { is: "ORIGIN", origins };
}

export function write(w: Writer, { origins }: Origin): void {
  const length = origins.reduce((sum, origin) => sum + ENTRY_LENGTH + origin.length, 0);
  writeHead(w, { length, type: FrameType.ORIGIN, flags: 0, stream: CONNECTION });
  for (const origin of origins) {
    w.u16(origin.length);
    writeText(w, origin);
  }
}
