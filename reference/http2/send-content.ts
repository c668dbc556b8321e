import { NEVER, type Field } from "../core/index.ts";
import { Flag, FrameType, writeHead } from "./frame/head.ts";
import { Outbound } from "./outbound.ts";
import { writeBlock } from "./send-block.ts";
import { NO_PIECES, type Session } from "./session.ts";
import { CONNECTION } from "./stream-id.ts";
import type { Stream } from "./streams.ts";

/** Content on its way out: at once where nothing stands in its way, else queued on its stream and framed in the scheduler's order. */

/** Content up to this size is copied beside its frame head; larger content leaves as a view. */
const COPY_OCTETS = 4_096;
/** While so much waits already, content joins the queue of its stream instead. */
const DIRECT_OCTETS = 65_536;
/** Frames of content are no larger than this even where the peer allows it, so that streams alternate. */
const FRAME_OCTETS = 65_536;
/** WINDOW_UPDATE frames that a frame of content is worth: one each for stream and connection, and as many to spare. */
const UPDATES_EARNED = 4;
/** A frame of so much content is worth them even where the window has cut it short. */
const WORTHY_OCTETS = 1_024;

/** Content of ours, and its end; false when the owner should wait for `writable`. */
export function sendContent(s: Session, stream: Stream, bytes: Uint8Array, end: boolean): boolean {
  if (bytes.length === 0 && !end) return true;
  if (mayGoAtOnce(s, stream, bytes.length)) {
    s.abuse.earn("windowUpdates", UPDATES_EARNED);
    writeData(s, stream, bytes, end);
    return true;
  }
  const queue = (stream.outbound ??= new Outbound(stream));
  queue.push(bytes);
  if (end) queue.end = true;
  s.schedule(stream);
  if (queue.octets <= s.limits.highWater) return true;
  queue.waiting = true;
  return false;
}

/** Small content with window, no queue before it, and nobody in line: priorities are not at stake. An end alone needs no window. */
function mayGoAtOnce(s: Session, { outbound, sendWindow }: Stream, size: number): boolean {
  if (outbound !== undefined && outbound.pending) return false;
  if (size === 0) return true;
  return size <= COPY_OCTETS && size <= sendWindow && size <= s.sendWindow && s.scheduler.isEmpty && s.out.length < DIRECT_OCTETS;
}

/** Trailers of ours: after the content, and with the end of the stream (rfc9113#8.1). */
export function sendTrailers(s: Session, stream: Stream, fields: readonly Field[]): void {
  const queue = stream.outbound;
  if (queue !== undefined && queue.pending) {
    queue.trailers = fields;
    return;
  }
  writeBlock(s, FrameType.HEADERS, Flag.END_STREAM, stream.id, CONNECTION, undefined, fields);
  s.endOurs(stream);
}

/** Octets for the transport: everything written, and content by priority up to the limit of one call. */
export function takePieces(s: Session): readonly Uint8Array[] {
  if (!s.closed && !s.scheduler.isEmpty) frameContent(s);
  if (s.pieces.length === 0) return s.out.length === 0 ? NO_PIECES : [s.out.handOver()];
  const { pieces } = s;
  s.pieces = NO_PIECES;
  if (s.out.length > 0) pieces.push(s.out.handOver());
  return pieces;
}

function frameContent(s: Session): void {
  let budget = s.limits.takeOctets;
  const max = Math.min(s.peer.maxFrameSize, FRAME_OCTETS);
  while (budget > 0) {
    const queue = s.scheduler.next();
    if (queue === undefined) return;
    if (s.sendWindow <= 0) return s.connectionBlocked();
    s.connectionBlockedSince = NEVER;
    budget -= frameOne(s, queue, Math.min(max, budget));
  }
}

/** One frame of the stream whose turn it is; returns its octets of content. */
function frameOne(s: Session, queue: Outbound, max: number): number {
  const { stream } = queue;
  const window = Math.min(stream.sendWindow, s.sendWindow);
  const bytes = queue.shift(Math.min(max, window));
  const isLast = queue.octets === 0;
  // A small frame that the window cut short earns nothing: credit in drops would pay for itself.
  if (isLast || window > bytes.length || bytes.length >= WORTHY_OCTETS) s.abuse.earn("windowUpdates", UPDATES_EARNED);
  s.scheduler.served(queue);
  if (isLast) s.scheduler.remove(queue);
  if (queue.waiting && queue.octets * 2 <= s.limits.highWater) {
    queue.waiting = false;
    s.emit({ is: "writable", stream: stream.id });
  }
  const end = isLast && queue.end;
  const { trailers, resetAfter } = queue;
  if (isLast) {
    queue.end = false;
    queue.trailers = undefined;
  }
  writeData(s, stream, bytes, end);
  if (!isLast) s.schedule(stream);
  else if (trailers !== undefined) sendTrailers(s, stream, trailers);
  if (isLast && resetAfter) s.resetStream(stream, "NO_ERROR");
  return bytes.length;
}

/** One DATA frame. The windows have room for it (rfc9113#6.9.1). */
function writeData(s: Session, stream: Stream, bytes: Uint8Array, end: boolean): void {
  const size = bytes.length;
  const { out } = s;
  stream.sendWindow -= size;
  s.sendWindow -= size;
  if (size > COPY_OCTETS && !end) {
    if (s.pieces.length === 0) s.pieces = [];
    if (out.length > 0) s.pieces.push(out.cut());
    s.pieces.push(s.dataHead(size, stream.id), bytes);
    return;
  }
  writeHead(out, size, FrameType.DATA, end ? Flag.END_STREAM : 0, stream.id);
  if (size > COPY_OCTETS) {
    if (s.pieces.length === 0) s.pieces = [];
    s.pieces.push(out.cut(), bytes);
  } else if (size > 0) out.bytes(bytes);
  if (end) s.endOurs(stream);
}
