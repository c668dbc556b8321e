import type { FloodKind } from "./abuse.ts";
import type { Endpoint } from "./endpoint.ts";
import { ErrorCode } from "./error-code.ts";
import { fault, type Fault } from "./faults.ts";
import * as rstStream from "./frame/rst-stream.ts";
import type { StreamId } from "./stream/id.ts";
import { IGNORED, Input, refusal } from "./stream/state.ts";
import type { Stream } from "./stream/streams.ts";

/** How streams and the connection end, cleanly or by a fault. */

/** END_STREAM of ours is written. */
export function endOurs(e: Endpoint, stream: Stream): void {
  e.streams.advance(stream.id, Input["send END_STREAM"], stream);
  if (stream.isOver) finish(e, stream);
}
/** END_STREAM of the peer has arrived. */
export function endTheirs(e: Endpoint, stream: Stream): void {
  e.streams.advance(stream.id, Input["recv END_STREAM"], stream);
  if (stream.isOver) finish(e, stream);
}
/** A stream has ended cleanly. */
export function finish(e: Endpoint, stream: Stream): void {
  release(e, stream);
  e.emit({ is: "done", stream: stream.id });
}

/** Sends RST_STREAM and drops what is queued. */
export function resetStream(e: Endpoint, stream: Stream, code: ErrorCode): void {
  e.streams.advance(stream.id, Input["send RST_STREAM"], stream);
  writeReset(e, stream.id, code);
  release(e, stream);
}
function writeReset(e: Endpoint, stream: StreamId, code: ErrorCode): void {
  rstStream.write(e.out, { is: "RST_STREAM", stream, code: ErrorCode[code] });
}

/** A stream has closed: nothing that is queued on it will be sent. */
export function release(e: Endpoint, { outbound }: Stream): void {
  if (outbound !== undefined) {
    e.scheduler.remove(outbound);
    outbound.clear();
  }
  e.madeRoom();
}

/**
 * The only place that turns a fault into frames (rfc9113#5.4). A stream error on an idle stream cannot be answered by RST_STREAM, so it
 * ends the connection.
 */
export function fail(e: Endpoint, found: Fault): void {
  if (e.shutdown.isOver) return;
  const { stream: id, code } = found;
  if (found.scope === "connection" || e.streams.isIdle(id)) {
    goodbye(e, code, found.says ?? found.name);
    end(e, { ...found, scope: "connection" });
    return;
  }
  const stream = e.streams.find(id);
  if (e.streams.advance(id, Input["send RST_STREAM"], stream) === IGNORED) return;
  writeReset(e, id, code);
  if (stream !== undefined) {
    release(e, stream);
    e.emit({ is: "reset", stream: id, code, by: "us", fault: found });
  }
  charge(e, "errors");
}

/** Refuses a stream that the peer has just begun, before the owner learns of it. */
export function refuse(e: Endpoint, stream: Stream, found: Fault): void {
  const { id } = stream;
  e.streams.advance(id, Input["send RST_STREAM"], stream);
  writeReset(e, id, found.code);
  e.emit({ is: "reset", stream: id, code: found.code, by: "us", fault: found });
  // Before our settings arrive, the peer cannot know how many streams are allowed.
  if (found.name !== "tooManyStreams" || Number.isFinite(e.settings.local.maxConcurrentStreams)) charge(e, "errors");
}

/** A frame on a stream that is idle or closed: an error or discarded, as the table of states says. */
export function receiveAbsent(e: Endpoint, id: StreamId, input: Input): void {
  const wrong = refusal(e.streams.advance(id, input, undefined));
  if (wrong !== undefined) return fail(e, fault(wrong, id));
  if (input !== Input["recv DATA"]) charge(e, "unknownFrames");
}

/** Counts a frame against the budget of its kind. If that is exceeded, the connection ends and the result is true. */
export function charge(e: Endpoint, kind: FloodKind): boolean {
  const flood = e.abuse.spend(kind, e.now);
  if (flood !== undefined) fail(e, flood);
  return flood !== undefined;
}

/** The final GOAWAY, with the last stream of the peer that was processed (rfc9113#6.8). */
export function goodbye(e: Endpoint, code: ErrorCode, why = ""): void {
  e.shutdown.finish(code, e.streams.lastByPeer, why);
}
/** The connection is over. */
export function end(e: Endpoint, found?: Fault): void {
  e.shutdown.end();
  e.block = undefined;
  e.emit(found === undefined ? { is: "closed" } : { is: "closed", fault: found });
}
/** Ends the connection if a graceful shutdown has nothing left to wait for. Runs after each input, so that `closed` is the last event. */
export function settle(e: Endpoint): void {
  const { shutdown } = e;
  if (shutdown.admitsOurs || shutdown.isOver || e.streams.size > 0) return;
  if (shutdown.isFinal) end(e);
  else if (e.side === "client" && !shutdown.hasBegun) {
    goodbye(e, "NO_ERROR");
    end(e);
  }
}
