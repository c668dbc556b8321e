import { NEVER } from "../core/index.ts";
import type { FloodKind } from "./abuse.ts";
import type { Ended } from "./contract.ts";
import type { Endpoint } from "./endpoint.ts";
import { ErrorCode } from "./error-code.ts";
import { fault, type Fault, type FaultName } from "./faults.ts";
import { integerFrame } from "./frame/write.ts";
import { MAX_REQUEST_ID, streamId } from "./stream/id.ts";
import { Arrival } from "./stream/arrival.ts";
import type { Stream } from "./stream/streams.ts";

/** How streams and the connection end, cleanly or by a fault. */

/** The only place that turns a fault into codes (rfc9114#8). */
export function fail(e: Endpoint, found: Fault): void {
  if (e.isOver) return;
  const stream = found.stream === undefined ? undefined : e.streams.find(found.stream);
  if (found.scope === "connection" || found.stream === undefined) {
    e.transport.close(ErrorCode[found.code], found.name);
    return end(e, { is: "closed", fault: { ...found, scope: "connection" } });
  }
  if (stream === undefined) return;
  giveUp(e, stream, found.code);
  if (!stream.isGivenUp) {
    stream.isGivenUp = true;
    e.emit({ is: "reset", stream: stream.id, code: found.code, by: "us", fault: found });
  }
  charge(e, "errors");
}
export const failStream = (e: Endpoint, stream: Stream, name: FaultName): void => fail(e, fault(name, stream.id));

/** Ends what is still open in both directions (rfc9114#4.1.1). */
export function giveUp(e: Endpoint, stream: Stream, code: ErrorCode): void {
  if (!stream.isSent) {
    stream.isSent = true;
    e.transport.reset(stream.id, ErrorCode[code]);
  }
  stream.unsentSince = NEVER;
  stopReading(e, stream, code);
}
/** Wants no more of the peer's message. */
export function stopReading(e: Endpoint, stream: Stream, code: ErrorCode): void {
  if (stream.state === "ended") return;
  if (!stream.hasEnd) e.transport.stop(stream.id, ErrorCode[code]);
  forgetReading(e, stream);
}
/** Nothing more of the peer's message is read: not even what has arrived, nor what waits for insertions (rfc9204#2.2.2.2). */
export function forgetReading(e: Endpoint, stream: Stream): void {
  stream.state = "ended";
  stream.headBy = NEVER;
  stream.arrival = undefined;
  stream.isBlocked = false;
  e.transport.consumed(stream.id, stream.reader.takeConsumed() + stream.reader.held);
  stream.reader.clear();
  e.decoder.cancel(stream.id);
  // The transport says nothing more of it.
  if (stream.isCarried) e.streams.forget(stream.id);
}
/** Everything of a stream was sent, acknowledged, received and read. */
export function finish(e: Endpoint, stream: Stream): void {
  if (e.streams.find(stream.id) === undefined) return;
  e.streams.forget(stream.id);
  if (!stream.isGivenUp) e.emit({ is: "done", stream: stream.id });
}

/** Server: the content that a request has announced has to come from now on, or from the action that asks for it. */
export function expectContent(e: Endpoint, stream: Stream, isAction = false): void {
  if (e.side !== "server" || stream.contentLeft < 0 || stream.state !== "content") return;
  stream.arrival ??= new Arrival(e.now, isAction);
}

/** Counts against the budget of a kind. If that is exceeded, the connection ends and the result is true. */
export function charge(e: Endpoint, kind: FloodKind): boolean {
  const flood = e.abuse.spend(kind, e.now);
  if (flood !== undefined) fail(e, flood);
  return flood !== undefined;
}

/** The connection is over: requests that wait for a stream were never sent. */
export function end(e: Endpoint, event: Ended): void {
  if (e.isOver) return;
  e.isOver = true;
  for (const { ticket } of e.waiting.splice(0)) e.emit({ is: "unopened", ticket });
  e.emit(event);
}

/** Begins a graceful shutdown (rfc9114#5.2). A client has no pushes to refuse: it never allows one. */
export function shutdown(e: Endpoint): void {
  if (e.isOver || e.leaving !== "not") return;
  for (const { ticket } of e.waiting.splice(0)) e.emit({ is: "unopened", ticket });
  if (e.side === "client") {
    e.leaving = "final";
    e.critical.write("control", integerFrame("GOAWAY", 0));
    return;
  }
  e.leaving = "warned";
  e.warnedAt = e.now;
  e.critical.write("control", integerFrame("GOAWAY", MAX_REQUEST_ID));
}
/** Server: the second step. Requests that come from now on are refused. */
export function finalGoaway(e: Endpoint): void {
  e.leaving = "final";
  e.admitted = streamId(e.streams.next);
  e.critical.write("control", integerFrame("GOAWAY", e.admitted));
}

/** Runs after each input: sends pending QPACK instructions, and closes a connection whose last stream has ended after GOAWAY. */
export function settle(e: Endpoint): void {
  if (e.isOver) return;
  e.critical.write("encoder", e.encoder.take());
  e.critical.write("decoder", e.decoder.take());
  if (e.critical.isFull) return fail(e, fault("repliesNotRead"));
  const isLeft = e.leaving === "final" || (e.side === "client" && e.peerLast !== undefined);
  if (!isLeft || e.streams.size > 0) return;
  e.transport.close(ErrorCode.H3_NO_ERROR, "");
  end(e, { is: "closed" });
}
