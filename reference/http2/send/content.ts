import type { Field } from "../../core/index.ts";
import { endOurs, resetStream } from "../endings.ts";
import type { Endpoint } from "../endpoint.ts";
import { Flag, FrameType, writeHead } from "../frame/head.ts";
import { StallWatch } from "../flow/stall-watch.ts";
import { Outbound } from "./outbound.ts";
import { writeHeaders } from "./block.ts";
import type { Stream } from "../stream/streams.ts";

/** Outgoing content: written at once if nothing is in its way, else queued on its stream and framed in the scheduler's order. */

/** Content up to this size is copied next to its frame head; larger content leaves as a view. */
const COPY_OCTETS = 4_096;
/** Once this much is written and not yet taken, content joins the queue of its stream instead. */
const DIRECT_OCTETS = 65_536;
/** Content frames are no larger than this even if the peer allows it, so that streams alternate. */
const FRAME_OCTETS = 65_536;
/** A frame with this much content earns them even if the window has cut it short. */
const WORTHY_OCTETS = 1_024;

/** Sends content, and its end; false if the owner should wait for `writable`. */
export function sendContent(e: Endpoint, stream: Stream, bytes: Uint8Array, end: boolean): boolean {
  if (bytes.length === 0 && !end) return true;
  if (mayGoAtOnce(e, stream, bytes.length)) {
    e.abuse.earnByContent();
    writeData(e, stream, bytes, end);
    return true;
  }
  const queue = (stream.outbound ??= new Outbound<Stream>(stream, e.limits.stallOctets));
  queue.push(bytes);
  if (end) queue.end = true;
  schedule(e, stream);
  if (queue.octets <= e.limits.highWater) return true;
  queue.waiting = true;
  return false;
}

/** Small content with window, nothing queued before it and no stream in line: priorities do not matter. An end alone needs no window. */
function mayGoAtOnce(e: Endpoint, { outbound, sendWindow }: Stream, size: number): boolean {
  if (outbound !== undefined && outbound.pending) return false;
  if (size === 0) return true;
  return size <= COPY_OCTETS && size <= sendWindow && size <= e.credit.toSend && e.scheduler.isEmpty && e.out.length < DIRECT_OCTETS;
}

/** Trailers follow the content and end the stream (rfc9113#8.1). */
export function sendTrailers(e: Endpoint, stream: Stream, fields: readonly Field[]): void {
  const queue = stream.outbound;
  if (queue !== undefined && queue.pending) {
    queue.trailers = fields;
    return;
  }
  writeHeaders(e, stream.id, { fields, end: true });
  endOurs(e, stream);
}

/** Puts a stream in line to send, or takes it out, depending on its queue and its window. */
export function schedule(e: Endpoint, { outbound: queue, sendWindow }: Stream): void {
  if (queue === undefined || !queue.pending) return;
  if (sendWindow > 0) {
    e.scheduler.add(queue);
    return;
  }
  e.scheduler.remove(queue);
  queue.blocked(e.now);
  stallsOf(e).watch(queue.blockedSince);
}

const stallsOf = (e: Endpoint): StallWatch => (e.stalls ??= new StallWatch(e.limits));

/** Bytes for the transport: everything written, and content by priority up to the limit of one call. */
export function takePieces(e: Endpoint): readonly Uint8Array[] {
  if (e.scheduler.isEmpty) e.stalls?.connectionFree();
  else if (!e.shutdown.isOver) frameContent(e);
  return e.output.take();
}

function frameContent(e: Endpoint): void {
  let budget = e.limits.takeOctets;
  const max = Math.min(e.settings.peer.maxFrameSize, FRAME_OCTETS);
  while (budget > 0) {
    const queue = e.scheduler.next();
    if (queue === undefined) return e.stalls?.connectionFree();
    if (e.credit.toSend <= 0) return stallsOf(e).connectionBlocked(e.now);
    const framed = frameOne(e, queue, Math.min(max, budget));
    e.stalls?.connectionSent(framed);
    budget -= framed;
  }
}

/** Writes one frame of the stream that is next; returns its bytes of content. */
function frameOne(e: Endpoint, queue: Outbound<Stream>, max: number): number {
  const { stream } = queue;
  const window = Math.min(stream.sendWindow, e.credit.toSend);
  const bytes = queue.shift(Math.min(max, window));
  const isLast = queue.octets === 0;
  // A small frame that the window has cut short earns nothing, or a peer could pay for tiny credits with tiny credits.
  if (isLast || window > bytes.length || bytes.length >= WORTHY_OCTETS) e.abuse.earnByContent();
  e.scheduler.served(queue);
  if (isLast) e.scheduler.remove(queue);
  if (queue.waiting && queue.octets * 2 <= e.limits.highWater) {
    queue.waiting = false;
    e.emit({ is: "writable", stream: stream.id });
  }
  const { end, trailers, resetAfter } = queue;
  if (isLast) {
    queue.end = false;
    queue.trailers = undefined;
  }
  writeData(e, stream, bytes, isLast && end);
  if (!isLast) schedule(e, stream);
  else if (trailers !== undefined) sendTrailers(e, stream, trailers);
  if (isLast && resetAfter) resetStream(e, stream, "NO_ERROR");
  return bytes.length;
}

/** One DATA frame. Both windows have room for it (rfc9113#6.9.1). */
function writeData(e: Endpoint, stream: Stream, bytes: Uint8Array, end: boolean): void {
  const { length } = bytes;
  e.pings?.sent();
  e.credit.spend(stream, length);
  if (length > COPY_OCTETS && !end) {
    e.output.addView(e.dataHead(length, stream.id));
    e.output.addView(bytes);
    return;
  }
  writeHead(e.out, { length, type: FrameType.DATA, flags: end ? Flag.END_STREAM : 0, stream: stream.id });
  if (length > 0) e.output.add(bytes);
  if (end) endOurs(e, stream);
}
