import { after, NEVER, Reader, readVarint } from "../../core/index.ts";
import { charge, end, fail, finish, forgetReading, giveUp } from "../endings.ts";
import type { Endpoint } from "../endpoint.ts";
import { errorCode, ErrorCode } from "../error-code.ts";
import { fault } from "../faults.ts";
import { frame } from "../frame/write.ts";
import { settingsPayload } from "../settings.ts";
import { isOpenedBy, isRequestId, isUnidirectional, streamId } from "../stream/id.ts";
import { Stream } from "../stream/streams.ts";
import { moveUp } from "../send/requests.ts";
import type { TransportEvent } from "../transport.ts";
import { readRequestStream } from "./messages.ts";
import { closedUnidirectional, readUnidirectional } from "./unidirectional.ts";

/** One handler for each event of the transport. */
export function receiveEvent(e: Endpoint, event: TransportEvent): void {
  switch (event.is) {
    case "parameters":
      // SETTINGS leave as soon as they can (rfc9114#7.2.4.2).
      return e.side === "server" && !e.awaitsClient ? begin(e) : undefined;
    case "earlyData":
      if (!event.accepted) e.promised = undefined;
      return undefined;
    case "established":
      return begin(e);
    case "streams":
      e.critical.open();
      return moveUp(e);
    case "opened":
      return onOpened(e, event.stream);
    case "data":
      return onData(e, event);
    case "reset":
      return onReset(e, event.stream, errorCode(event.code));
    case "stopped":
      return onStopped(e, event.stream, errorCode(event.code));
    case "writable":
      return onWritable(e, event.stream);
    case "done":
      return onDone(e, event.stream);
    case "datagram":
      return onDatagram(e, event.octets);
    case "closed": {
      const isClean = event.layer === "application" ? event.code === ErrorCode.H3_NO_ERROR : event.by === "peer" && event.code === 0;
      const { by, layer, code, reason } = event;
      return end(e, { is: "closed", ...(!isClean && { error: { by, layer, code, reason } }) });
    }
    default:
      return undefined;
  }
}

/** Opens our streams: once for each connection. */
export function begin(e: Endpoint): void {
  if (e.hasBegun) return;
  e.hasBegun = true;
  e.critical.open();
  e.critical.write("control", frame("SETTINGS", settingsPayload(e.settings, e.grease)));
  if (e.grease !== undefined) e.critical.grease(e.grease);
  moveUp(e);
}

function onOpened(e: Endpoint, id: number): void {
  if (isUnidirectional(id)) return undefined;
  if (e.side === "client") return fail(e, fault("bidirectionalByServer"));
  const stream = new Stream(streamId(id), e.limits.blockOctets);
  stream.headBy = after(e.now, e.limits.headMs);
  e.streams.add(stream);
  if (id >= e.admitted) fail(e, fault("requestAfterGoaway", stream.id));
  return undefined;
}

function onData(e: Endpoint, { stream: id, octets, end }: Extract<TransportEvent, { readonly is: "data" }>): void {
  if (isUnidirectional(id)) return readUnidirectional(e, id, octets, end);
  const stream = e.streams.find(streamId(id));
  if (stream === undefined || stream.state === "ended") return e.transport.consumed(id, octets.length);
  stream.reader.push(octets);
  if (end) stream.hasEnd = true;
  return readRequestStream(e, stream);
}

/** The peer has given up its message (rfc9114#4.1.1). */
function onReset(e: Endpoint, id: number, code: ErrorCode): void {
  if (isUnidirectional(id)) return closedUnidirectional(e, id);
  const stream = e.streams.find(streamId(id));
  if (stream === undefined || stream.state === "ended") return undefined;
  stream.hasEnd = true;
  forgetReading(e, stream);
  return abandoned(e, stream, code);
}
/** The peer does not want our message; the transport has reset our part. */
function onStopped(e: Endpoint, id: number, code: ErrorCode): void {
  if (e.critical.kindOf(id) !== undefined) return fail(e, fault(`${e.critical.kindOf(id)!}StreamClosed`));
  const stream = e.streams.find(streamId(id));
  if (stream === undefined) return undefined;
  stream.isSent = true;
  stream.unsentSince = NEVER;
  // The response comes without the rest of the request (rfc9114#4.1).
  if (e.side === "client" && code === "H3_NO_ERROR") {
    stream.isRefused = true;
    return undefined;
  }
  return abandoned(e, stream, code);
}
function abandoned(e: Endpoint, stream: Stream, code: ErrorCode): void {
  if (!stream.isGivenUp) {
    stream.isGivenUp = true;
    e.emit({ is: "reset", stream: stream.id, code, by: "peer" });
  }
  giveUp(e, stream, "H3_REQUEST_CANCELLED");
  if (e.side === "server") charge(e, "resets");
}

function onWritable(e: Endpoint, id: number): void {
  const stream = e.streams.find(streamId(id));
  if (stream === undefined || stream.isSent) return;
  e.emit({ is: "writable", stream: stream.id });
}

function onDone(e: Endpoint, id: number): void {
  const stream = e.streams.find(streamId(id));
  if (stream === undefined) return;
  stream.isCarried = true;
  if (!stream.isBlocked) finish(e, stream);
}

/** A datagram names its request by a quarter of the stream's identifier (rfc9297#2.1). */
function onDatagram(e: Endpoint, octets: Uint8Array): void {
  if (!e.settings.h3Datagram) return fail(e, fault("datagramUnnegotiated"));
  const reader = new Reader(octets);
  const id = readVarint(reader) * 4;
  if (reader.short || id > 2 ** 62 - 4 || !isRequestId(id) || !isOpenedBy("client", id)) return fail(e, fault("datagramInvalid"));
  const stream = e.streams.find(streamId(id));
  // It may arrive before the request, or after it (rfc9297#2.1).
  if (stream === undefined || stream.state === "head" || stream.isGivenUp) return undefined;
  return e.emit({ is: "datagram", stream: stream.id, bytes: reader.rest() });
}
