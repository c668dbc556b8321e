import { Reader, readVarint } from "../../core/index.ts";
import { charge, fail, finish } from "../endings.ts";
import type { Endpoint } from "../endpoint.ts";
import { ErrorCode } from "../error-code.ts";
import { fault } from "../faults.ts";
import { FrameReader } from "../frame/reader.ts";
import { StreamType, type CriticalKind } from "../send/critical.ts";
import { streamId } from "../stream/id.ts";
import type { PeerStream } from "../stream/peer-stream.ts";
import { readControl } from "./control.ts";
import { onDecoded, readRequestStream } from "./messages.ts";

const UNKNOWN: PeerStream = { is: "unknown", start: new Uint8Array(0) };
const KINDS: ReadonlyMap<number, CriticalKind> = new Map([
  [StreamType.control, "control"],
  [StreamType.encoder, "encoder"],
  [StreamType.decoder, "decoder"],
]);

/** Octets of a unidirectional stream (rfc9114#6.2). */
export function readUnidirectional(e: Endpoint, id: number, octets: Uint8Array, end: boolean): void {
  const stream = e.incoming.get(id) ?? UNKNOWN;
  if (stream.is === "unknown") onStart(e, id, stream.start, octets);
  else onOctets(e, id, stream, octets);
  if (end && !e.isOver) closedUnidirectional(e, id);
}

/** A stream begins with its type. It may end before that (rfc9114#6.2). */
function onStart(e: Endpoint, id: number, before: Uint8Array, octets: Uint8Array): void {
  const start = before.length === 0 ? octets : Uint8Array.from([...before, ...octets]);
  const reader = new Reader(start);
  const type = readVarint(reader);
  if (reader.short) {
    e.incoming.set(id, { is: "unknown", start });
    return undefined;
  }
  e.transport.consumed(id, start.length - reader.left);
  const rest = start.subarray(start.length - reader.left);
  const kind = KINDS.get(type);
  // No push was allowed, so whatever its identifier is, it is too great.
  if (type === StreamType.push) return fail(e, fault(e.side === "server" ? "pushStreamByClient" : "pushStreamUnallowed"));
  if (kind === undefined) {
    e.incoming.set(id, { is: "ignored" });
    e.transport.stop(id, ErrorCode.H3_STREAM_CREATION_ERROR);
    e.transport.consumed(id, rest.length);
    return void charge(e, "unknownStreams");
  }
  if (e.kinds.has(kind)) return fail(e, fault(`${kind}StreamTwice`));
  e.kinds.add(kind);
  const stream: PeerStream = kind === "control" ? { is: "control", reader: new FrameReader(e.limits.controlOctets) } : { is: kind };
  e.incoming.set(id, stream);
  return onOctets(e, id, stream, rest);
}

function onOctets(e: Endpoint, id: number, stream: Exclude<PeerStream, { readonly is: "unknown" }>, octets: Uint8Array): void {
  switch (stream.is) {
    case "control":
      return readControl(e, id, stream.reader, octets);
    case "encoder":
      e.transport.consumed(id, octets.length);
      return onInstructions(e, octets);
    case "decoder": {
      e.transport.consumed(id, octets.length);
      return e.encoder.receive(octets) === undefined ? undefined : fail(e, fault("decoderStreamWrong"));
    }
    case "ignored":
      return e.transport.consumed(id, octets.length);
  }
}

/** Insertions of the peer's encoder free sections that wait for them. */
function onInstructions(e: Endpoint, octets: Uint8Array): void {
  const { unblocked, fault: wrong } = e.decoder.receive(octets);
  for (const { streamId: id, decoded } of unblocked) {
    const stream = e.streams.find(streamId(id));
    if (stream === undefined || e.isOver) continue;
    stream.isBlocked = false;
    onDecoded(e, stream, decoded);
    if (!e.isOver) readRequestStream(e, stream);
    if (stream.isCarried && !stream.isBlocked) finish(e, stream);
  }
  if (wrong !== undefined) fail(e, fault("encoderStreamWrong"));
  else if (e.decoder.unused > e.limits.unusedInstructions) fail(e, fault("floodOfInstructions"));
}

/** The peer has ended or reset a stream: critical ones live as long as the connection (rfc9114#6.2.1, rfc9204#4.2). */
export function closedUnidirectional(e: Endpoint, id: number): void {
  const stream = e.incoming.get(id);
  e.incoming.delete(id);
  if (stream?.is === "control" || stream?.is === "encoder" || stream?.is === "decoder") fail(e, fault(`${stream.is}StreamClosed`));
}
