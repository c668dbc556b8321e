import type { Field } from "../core/index.ts";
import { Flag, FrameType, HEAD_LENGTH, writeHead } from "./frame/head.ts";
import type { Session } from "./session.ts";
import { CONNECTION, type StreamId } from "./stream-id.ts";
import { Closed } from "./stream-state.ts";
import { Phase, type Stream } from "./streams.ts";

/**
 * HEADERS or PUSH_PROMISE with what follows of it in CONTINUATION (rfc9113#4.3), encoded straight into the output. `promised` is
 * `CONNECTION` but for PUSH_PROMISE; `status` goes before the fields where there is one.
 */
export function writeBlock(
  s: Session,
  type: number,
  flags: number,
  stream: StreamId,
  promised: StreamId,
  status: readonly Field[] | undefined,
  fields: readonly Field[],
): void {
  const { out, encoder } = s;
  const at = out.length;
  writeHead(out, 0, type, flags | Flag.END_HEADERS, stream);
  if (promised !== CONNECTION) out.u32(promised);
  if (status !== undefined) encoder.encode(status, out);
  encoder.encode(fields, out);
  const length = out.length - at - HEAD_LENGTH;
  if (length <= s.peer.maxFrameSize) out.patch24(at, length);
  else splitBlock(s, at, type, flags, stream);
}

/** The payload written since `at` is too large for one frame: it is written anew, in frames of the peer's greatest size. */
function splitBlock({ out, peer: { maxFrameSize: max } }: Session, at: number, type: number, flags: number, stream: StreamId): void {
  const payload = out.view(at + HEAD_LENGTH).slice();
  out.rewind(at);
  writeHead(out, max, type, flags, stream);
  out.bytes(payload.subarray(0, max));
  for (let from = max; from < payload.length; from += max) {
    const part = payload.subarray(from, from + max);
    writeHead(out, part.length, FrameType.CONTINUATION, from + max < payload.length ? 0 : Flag.END_HEADERS, stream);
    out.bytes(part);
  }
}

/** A response of our own making, which ends the stream; of the request, no more is wanted (rfc9113#8.1). */
export function respondAtOnce(s: Session, stream: Stream, fields: readonly Field[]): void {
  writeBlock(s, FrameType.HEADERS, Flag.END_STREAM, stream.id, CONNECTION, undefined, fields);
  if (stream.incoming === Phase.over) s.closeStream(stream, Closed.ended);
  else s.resetStream(stream, "NO_ERROR");
}
