import { field, type Field } from "../../core/index.ts";
import type { Endpoint } from "../endpoint.ts";
import { Flag, FrameType, HEAD_LENGTH, readHead, writeHead } from "../frame/head.ts";
import type { StreamId } from "../stream/id.ts";

/** Field sections as HEADERS or PUSH_PROMISE, continued in CONTINUATION if they are too large for one frame (rfc9113#4.3). */

/** A field section of ours, and whether it ends the stream. A response has a status, which goes first. */
export type Section = { readonly fields: readonly Field[]; readonly end: boolean; readonly status?: number };

const LOWEST_STATUS = 100;
export const HIGHEST_STATUS = 999;
/** For each status a list of one field, `:status`. */
const STATUS_LINES: readonly (readonly Field[])[] = Array.from({ length: HIGHEST_STATUS - LOWEST_STATUS + 1 }, (_, index) => [
  field(":status", String(LOWEST_STATUS + index)),
]);

export function writeHeaders(e: Endpoint, stream: StreamId, { status, fields, end }: Section): void {
  const { out, encoder } = e;
  e.pings?.sent();
  const at = out.length;
  const flags = end ? Flag.END_HEADERS | Flag.END_STREAM : Flag.END_HEADERS;
  writeHead(out, { length: 0, type: FrameType.HEADERS, flags, stream });
  if (status !== undefined) encoder.encode(STATUS_LINES[status - LOWEST_STATUS]!, out);
  encoder.encode(fields, out);
  completeBlock(e, at);
}

export function writePromise(e: Endpoint, parent: StreamId, promised: StreamId, fields: readonly Field[]): void {
  const { out } = e;
  const at = out.length;
  writeHead(out, { length: 0, type: FrameType.PUSH_PROMISE, flags: Flag.END_HEADERS, stream: parent });
  out.u32(promised);
  e.encoder.encode(fields, out);
  completeBlock(e, at);
}

/** Patches the length of the frame written since `at`, or writes it again as several frames of the largest size that the peer accepts. */
function completeBlock({ out, settings: { peer } }: Endpoint, at: number): void {
  const length = out.length - at - HEAD_LENGTH;
  const max = peer.maxFrameSize;
  if (length <= max) return out.patch24(at, length);
  const head = readHead(out.view(at));
  const payload = out.view(at + HEAD_LENGTH).slice();
  out.rewind(at);
  writeHead(out, { ...head, length: max, flags: head.flags & ~Flag.END_HEADERS });
  out.bytes(payload.subarray(0, max));
  for (let from = max; from < length; from += max) {
    const part = payload.subarray(from, from + max);
    const flags = from + max < length ? 0 : Flag.END_HEADERS;
    writeHead(out, { length: part.length, type: FrameType.CONTINUATION, flags, stream: head.stream });
    out.bytes(part);
  }
  return undefined;
}
