import { field, type Field } from "../../core/index.ts";
import { isCacheable, isInterim, isSafe, isSuccess, joinCrumbs } from "../../http/index.ts";
import type { Decoded, HpackFault } from "../../hpack/index.ts";
import { charge, endTheirs, fail, receiveAbsent, refuse, resetStream } from "../endings.ts";
import type { Endpoint } from "../endpoint.ts";
import { fault, type Fault, type FaultName } from "../faults.ts";
import * as continuation from "../frame/continuation.ts";
import type { Head } from "../frame/head.ts";
import * as headers from "../frame/headers.ts";
import * as pushPromise from "../frame/push-promise.ts";
import { HeaderBlock } from "./header-block.ts";
import { writeHeaders } from "../send/block.ts";
import { startedByClient, type StreamId } from "../stream/id.ts";
import { Input, refusal, State } from "../stream/state.ts";
import { Stream } from "../stream/streams.ts";

/** Frames that carry field blocks, and the messages that blocks begin and end (rfc9113#4.3, #8). */

/** A decoded field block, complete or cut at the limit. */
export type FieldSection = Exclude<Decoded, HpackFault>;
/** What matters of a HEADERS frame once its block is complete. */
type Opening = Pick<headers.Headers, "stream" | "endStream" | "priority">;

export function onHeaders(e: Endpoint, head: Head, payload: Uint8Array): void {
  const frame = headers.read(head, payload);
  if (frame.is === "fault") return fail(e, frame);
  if (frame.endHeaders) return headersComplete(e, frame, frame.block);
  e.block = new HeaderBlock(frame, e.now);
}

export function onPushPromise(e: Endpoint, head: Head, payload: Uint8Array): void {
  const frame = pushPromise.read(head, payload);
  if (frame.is === "fault") return fail(e, frame);
  if (e.side === "server") return fail(e, fault("pushPromiseByClient"));
  if (frame.endHeaders) return promiseComplete(e, frame, frame.block);
  e.block = new HeaderBlock(frame, e.now);
}

export function onContinuation(e: Endpoint, head: Head, payload: Uint8Array): void {
  const frame = continuation.read(head, payload);
  if (frame.is === "fault") return fail(e, frame);
  const { block } = e;
  if (block === undefined) return fail(e, fault("continuationUnexpected"));
  const flood = block.add(frame.block, e.limits);
  if (flood !== undefined) return fail(e, flood);
  if (!frame.endHeaders) return undefined;
  e.block = undefined;
  const { first } = block;
  return first.is === "HEADERS" ? headersComplete(e, first, block.join()) : promiseComplete(e, first, block.join());
}

/**
 * A complete block of HEADERS. It is decoded before anything is judged, because the decoder's state belongs to the connection
 * (rfc9113#4.3); only if the connection ends does that not matter.
 */
function headersComplete(e: Endpoint, frame: Opening, block: Uint8Array): void {
  const { stream: id } = frame;
  const stream = e.streams.find(id);
  if (stream === undefined) return headersOnNoStream(e, frame, block);
  const isPromised = stream.state === State.reservedRemote;
  const wrong = refusal(e.streams.advance(id, Input["recv HEADERS"], stream));
  const section = decode(e, block);
  if (section === undefined) return undefined;
  if (wrong !== undefined) return fail(e, fault(wrong, id));
  if (dependsOnItself(e, frame)) return fail(e, fault("priorityOnItself", id));
  // A promised stream counts as open from here on.
  if (isPromised && e.streams.openByPeer > e.settings.maxStreams) return fail(e, fault("tooManyStreams", id));
  if (stream.hasReceivedHead) return onTrailers(e, stream, section, frame.endStream);
  return onResponse(e, stream, section, frame.endStream);
}

function headersOnNoStream(e: Endpoint, frame: Opening, block: Uint8Array): void {
  const { stream: id } = frame;
  const isNew = e.streams.isIdle(id);
  if (isNew && (e.side === "client" || !startedByClient(id))) {
    return fail(e, fault(e.side === "server" ? "streamIdWrongParity" : "frameOnIdleStream"));
  }
  const section = decode(e, block);
  if (section === undefined) return undefined;
  if (!isNew) return receiveAbsent(e, id, Input["recv HEADERS"]);
  if (!e.shutdown.admits(id)) {
    e.streams.advance(id, Input["send GOAWAY"], undefined);
    return undefined;
  }
  const hasRoom = e.streams.openByPeer < e.settings.maxStreams;
  const stream = begin(e, frame);
  if (dependsOnItself(e, frame)) return refuse(e, stream, fault("priorityOnItself", id));
  if (!hasRoom) return refuse(e, stream, fault("tooManyStreams", id));
  return onRequest(e, stream, section);
}

/** A stream of the client's begins. */
export function begin(e: Endpoint, { stream: id, endStream }: Opening): Stream {
  const stream = new Stream(id, e.settings.peer.initialWindowSize);
  e.streams.advance(id, Input["recv HEADERS"], stream);
  if (endStream) e.streams.advance(id, Input["recv END_STREAM"], stream);
  stream.hasReceivedHead = true;
  return stream;
}

/** The fields of a block; undefined if it cannot be decoded, which ends the connection. */
function decode(e: Endpoint, block: Uint8Array): FieldSection | undefined {
  const decoded = e.decoder.decode(block);
  if (decoded.is !== "fault") return decoded;
  fail(e, fault("blockUndecodable"));
  return undefined;
}

const dependsOnItself = (e: Endpoint, { stream, priority }: Opening): boolean =>
  priority !== undefined && priority.dependsOn === stream && e.settings.heedsWeights;

/** Server: a request begins (rfc9113#8.3.1). */
export function onRequest(e: Endpoint, stream: Stream, { is, fields }: FieldSection): void {
  if (is === "tooLarge") return answerTooLarge(e, stream);
  const { check } = e;
  const { id } = stream;
  const end = stream.state === State.halfClosedRemote;
  const wrong =
    check.request(fields, e.settings.announced.enableConnectProtocol) ??
    (end && check.contentLength > 0 ? "contentLengthWrong" : undefined);
  if (wrong !== undefined) return answerMalformed(e, stream, fault(wrong, id));

  stream.isConnect = check.method === "CONNECT";
  stream.isHead = check.method === "HEAD";
  if (!stream.isConnect) stream.contentLeft = check.contentLength;
  e.priorities.begin(stream, check.priority);
  e.abuse.earnByRequest();
  e.emit({ is: "request", stream: id, fields: check.crumbs > 1 ? joinCrumbs(fields) : fields, end });
}

const BAD_REQUEST: readonly Field[] = [field(":status", "400")];

/** Sends 400 before RST_STREAM, so that the client's developer can find the mistake (rfc9113#8.1.1, #8.2.1). */
function answerMalformed(e: Endpoint, stream: Stream, found: Fault): void {
  e.streams.advance(stream.id, Input["send HEADERS"], stream);
  writeHeaders(e, stream.id, { fields: BAD_REQUEST, end: false });
  refuse(e, stream, found);
}

const TOO_LARGE: readonly Field[] = [field(":status", "431"), field("content-length", "0")];

/**
 * Answers the request without reading it; the connection and its compression state go on (rfc9113#10.5.1, rfc6585#5). It counts as an error
 * of the peer's: a few octets that refer to large fields cost us as much as a long block.
 */
function answerTooLarge(e: Endpoint, stream: Stream): void {
  if (charge(e, "errors")) return;
  e.streams.advance(stream.id, Input["send HEADERS"], stream);
  writeHeaders(e, stream.id, { fields: TOO_LARGE, end: true });
  e.streams.advance(stream.id, Input["send END_STREAM"], stream);
  // The rest of the request is not needed (rfc9113#8.1).
  if (!stream.isOver) resetStream(e, stream, "NO_ERROR");
}

/** Client: an interim response, or the final one begins (rfc9113#8.1, #8.3.2). */
function onResponse(e: Endpoint, stream: Stream, section: FieldSection, end: boolean): void {
  const { id } = stream;
  const { check } = e;
  const wrong = section.is === "tooLarge" ? "fieldSectionTooLarge" : check.response(section.fields);
  if (wrong !== undefined) return fail(e, fault(wrong, id));
  const { status } = check;
  const fields = section.fields.slice(1);
  if (isInterim(status)) {
    if (status === 101) return fail(e, fault("statusSwitching", id));
    if (end) return fail(e, fault("interimWithEndStream", id));
    if (charge(e, "interims")) return undefined;
    return e.emit({ is: "interim", stream: id, status, fields });
  }
  stream.hasReceivedHead = true;
  const isTunnel = stream.isConnect && isSuccess(status);
  stream.isConnect = isTunnel;
  stream.noContent = stream.isHead || status === 204 || status === 304;
  if (!isTunnel && !stream.noContent) stream.contentLeft = check.contentLength;
  if (end && stream.contentLeft > 0) return fail(e, fault("contentLengthWrong", id));
  e.emit({ is: "response", stream: id, status, fields, end });
  if (end) endTheirs(e, stream);
}

/** The second block of a message, or the one after the final response: trailers, and the end (rfc9113#8.1). */
function onTrailers(e: Endpoint, stream: Stream, section: FieldSection, end: boolean): void {
  const wrong = end ? judgeTrailers(e, stream, section) : stream.isConnect ? "headersInTunnel" : "headersWithoutEndStream";
  if (wrong !== undefined) return fail(e, fault(wrong, stream.id));
  e.emit({ is: "trailers", stream: stream.id, fields: section.fields });
  endTheirs(e, stream);
}

function judgeTrailers(e: Endpoint, stream: Stream, section: FieldSection): FaultName | undefined {
  if (stream.isConnect) return "headersInTunnel";
  if (section.is === "tooLarge") return "fieldSectionTooLarge";
  return e.check.trailers(section.fields) ?? (stream.contentLeft > 0 ? "contentLengthWrong" : undefined);
}

/** Client: a complete block of PUSH_PROMISE (rfc9113#6.6, #8.4). */
function promiseComplete(e: Endpoint, { stream: on, promised }: pushPromise.PushPromise, block: Uint8Array): void {
  // Until our ENABLE_PUSH=0 has arrived, the server cannot know.
  if (!e.settings.local.enablePush) return fail(e, fault("pushPromiseDisabled"));
  const parent = e.streams.find(on);
  const misplaced = refusal(e.streams.advance(on, Input["recv PUSH_PROMISE"], parent));
  if (misplaced !== undefined) return fail(e, fault(misplaced));
  const section = decode(e, block);
  if (section === undefined) return undefined;
  const stream = reserve(e, promised);
  if (stream === undefined) return undefined;
  const judged = judgePromise(e, parent, section);
  // The owner's `speaksFor` may have ended the connection.
  if (e.shutdown.isOver) return undefined;
  if (typeof judged === "string") return refuse(e, stream, fault(judged, promised));
  stream.isHead = judged.isHead;
  return e.emit({ is: "pushed", stream: on, promised, fields: judged.hasCrumbs ? joinCrumbs(section.fields) : section.fields });
}

/** The promised stream; undefined if it cannot be promised, or our GOAWAY has excluded it. */
function reserve(e: Endpoint, promised: StreamId): Stream | undefined {
  const isIdle = e.streams.isIdle(promised);
  if (isIdle && !e.streams.isOurs(promised) && !e.shutdown.admits(promised)) {
    e.streams.advance(promised, Input["send GOAWAY"], undefined);
    return undefined;
  }
  const stream = isIdle ? new Stream(promised, e.settings.peer.initialWindowSize) : e.streams.find(promised);
  const wrong =
    isIdle && e.streams.isOurs(promised) ? "pushPromiseIdNotIdle" : refusal(e.streams.advance(promised, Input["recv promise"], stream));
  if (wrong !== undefined || stream === undefined) {
    fail(e, fault(wrong ?? "pushPromiseIdNotIdle"));
    return undefined;
  }
  // The request is the promise: nothing of ours follows on this stream.
  stream.hasSentHead = true;
  return stream;
}

type GoodPromise = { readonly isHead: boolean; readonly hasCrumbs: boolean };

/** Why a promise is refused, or what matters of its request. */
function judgePromise(e: Endpoint, parent: Stream | undefined, section: FieldSection): FaultName | GoodPromise {
  if (!e.settings.announced.enablePush || parent === undefined) return "pushPromiseUnwanted";
  if (e.streams.reserved > e.limits.promises) return "tooManyPromises";
  if (section.is === "tooLarge") return "fieldSectionTooLarge";
  const { check } = e;
  const wrong = check.request(section.fields, false);
  if (wrong !== undefined) return wrong;
  // Read before the owner's `speaksFor` runs: it may use this connection, and with it `check`.
  const { method, contentLength, crumbs } = check;
  if (!e.authority.includes(check.origin)) return "promiseNotAuthoritative";
  if (!isSafe(method) || !isCacheable(method)) return "promiseNotSafe";
  return contentLength > 0 ? "promiseWithContent" : { isHead: method === "HEAD", hasCrumbs: crumbs > 1 };
}
