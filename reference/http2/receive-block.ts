import { field, type Field } from "../core/index.ts";
import { isCacheable, isInterim, isSafe, isSuccess, joinCrumbs } from "../http/index.ts";
import { fault, type Fault, type FaultName } from "./faults.ts";
import * as continuation from "./frame/continuation.ts";
import { FrameType, type Head } from "./frame/head.ts";
import * as headers from "./frame/headers.ts";
import * as pushPromise from "./frame/push-promise.ts";
import { HeaderBlock } from "./header-block.ts";
import { respondAtOnce, writeBlock } from "./send-block.ts";
import type { Session } from "./session.ts";
import { CONNECTION, startedByClient, type StreamId } from "./stream-id.ts";
import { Closed, Input, late, refusal, State, step } from "./stream-state.ts";
import { Phase, Stream } from "./streams.ts";

/** Frames that carry field blocks, and the messages that blocks begin and end (rfc9113#4.3, #8). */

/** PRIORITY and PRIORITY_UPDATE frames that a request is worth: browsers send a few for each. */
const PRIORITIES_EARNED = 4;

export function onHeaders(s: Session, head: Head, payload: Uint8Array): void {
  const frame = headers.read(head, payload);
  if (frame.is === "fault") return s.fail(frame);
  const { stream, endStream, block, priority } = frame;
  const onItself = priority !== undefined && priority.dependsOn === stream && s.heedsWeights;
  if (frame.endHeaders) return headersComplete(s, stream, endStream, onItself, block);
  return s.awaitRest(new HeaderBlock(stream, block, endStream, CONNECTION, onItself));
}

export function onPushPromise(s: Session, head: Head, payload: Uint8Array): void {
  const frame = pushPromise.read(head, payload);
  if (frame.is === "fault") return s.fail(frame);
  if (s.side === "server") return s.fail(fault("pushPromiseByClient"));
  if (frame.endHeaders) return promiseComplete(s, frame.stream, frame.promised, frame.block);
  return s.awaitRest(new HeaderBlock(frame.stream, frame.block, false, frame.promised));
}

export function onContinuation(s: Session, head: Head, payload: Uint8Array): void {
  const frame = continuation.read(head, payload);
  if (frame.is === "fault") return s.fail(frame);
  const { block } = s;
  if (block === undefined) return s.fail(fault("continuationUnexpected"));
  const flood = block.add(frame.block, s.limits);
  if (flood !== undefined) return s.fail(flood);
  if (!frame.endHeaders) return undefined;
  s.block = undefined;
  if (block.promised !== CONNECTION) return promiseComplete(s, block.stream, block.promised, block.join());
  return headersComplete(s, block.stream, block.endStream, block.dependsOnItself, block.join());
}

/**
 * A whole block of HEADERS. It is decoded before anything is judged, since the decoder's state is the connection's (rfc9113#4.3); only
 * where the connection ends over it does that not matter.
 */
function headersComplete(s: Session, id: StreamId, end: boolean, onItself: boolean, block: Uint8Array): void {
  const stream = s.streams.find(id);
  if (stream === undefined) return headersOnNoStream(s, id, end, onItself, block);
  const next = step(stream.state, Input["recv HEADERS"]);
  const fields = s.decode(block);
  if (fields === undefined) return undefined;
  if (next < 0) return s.fail(fault(refusal(next), id));
  if (onItself) return s.fail(fault("priorityOnItself", id));
  if (stream.state === State.reservedRemote) {
    if (s.streams.openByPeer >= s.maxStreams) return s.fail(fault("tooManyStreams", id));
    s.streams.begin(stream, State.halfClosedLocal);
  }
  if (stream.incoming === Phase.head) return onResponse(s, stream, fields, end);
  return onTrailers(s, stream, fields, end);
}

function headersOnNoStream(s: Session, id: StreamId, end: boolean, onItself: boolean, block: Uint8Array): void {
  const isNew = s.streams.isIdle(id);
  if (isNew && (s.side === "client" || !startedByClient(id))) {
    return s.fail(fault(s.side === "server" ? "streamIdWrongParity" : "frameOnIdleStream"));
  }
  const fields = s.decode(block);
  if (fields === undefined) return undefined;
  if (!isNew) return s.late(id, "HEADERS");
  // After the final GOAWAY nobody looks at new streams (rfc9113#6.8).
  if (id > s.admitted) {
    s.streams.pass(id);
    return s.streams.remember(id, Closed.resetByUs);
  }
  if (onItself) return s.refuse(fault("priorityOnItself", id));
  if (s.streams.openByPeer >= s.maxStreams) return s.refuse(fault("tooManyStreams", id));
  return onRequest(s, id, fields, end);
}

/** Server: a request begins (rfc9113#8.3.1). */
export function onRequest(s: Session, id: StreamId, fields: readonly Field[], end: boolean): void {
  if (s.isTooLarge) return answerTooLarge(s, id, end);
  const { check } = s;
  const wrong =
    check.request(fields, s.announced.enableConnectProtocol) ?? (end && check.contentLength > 0 ? "contentLengthWrong" : undefined);
  if (wrong !== undefined) return answerMalformed(s, fault(wrong, id));

  const stream = new Stream(id, end ? State.halfClosedRemote : State.open, s.peer.initialWindowSize);
  stream.incoming = end ? Phase.over : Phase.content;
  stream.isConnect = check.method === "CONNECT";
  stream.isHead = check.method === "HEAD";
  if (!stream.isConnect) stream.contentLeft = check.contentLength;
  s.streams.add(stream);
  s.setOut(stream, check.priority);
  s.abuse.earn("priorities", PRIORITIES_EARNED);
  s.emit({ is: "request", stream: id, fields: check.crumbs > 1 ? joinCrumbs(fields) : fields, end });
}

const BAD_REQUEST: readonly Field[] = [field(":status", "400")];

/** Says 400 before the stream is reset, so that whoever looks for the mistake finds it (rfc9113#8.1.1, #8.2.1). */
function answerMalformed(s: Session, found: Fault): void {
  writeBlock(s, FrameType.HEADERS, 0, found.stream, CONNECTION, undefined, BAD_REQUEST);
  s.refuse(found);
}

const TOO_LARGE: readonly Field[] = [field(":status", "431"), field("content-length", "0")];

/** The request is answered without being read; the connection and its compression state go on (rfc9113#10.5.1, rfc6585#5). */
function answerTooLarge(s: Session, id: StreamId, end: boolean): void {
  const stream = new Stream(id, end ? State.halfClosedRemote : State.open, 0);
  stream.incoming = end ? Phase.over : Phase.content;
  s.streams.add(stream);
  respondAtOnce(s, stream, TOO_LARGE);
}

/** Client: an interim response, or the final one begins (rfc9113#8.1, #8.3.2). */
function onResponse(s: Session, stream: Stream, fields: readonly Field[], end: boolean): void {
  const { id } = stream;
  const { check } = s;
  const wrong = s.isTooLarge ? "fieldSectionTooLarge" : check.response(fields);
  if (wrong !== undefined) return s.fail(fault(wrong, id));
  const { status } = check;
  const rest = fields.slice(1);
  if (isInterim(status)) {
    if (status === 101) return s.fail(fault("statusSwitching", id));
    if (end) return s.fail(fault("interimWithEndStream", id));
    if (s.charge("interims")) return undefined;
    return s.emit({ is: "interim", stream: id, status, fields: rest });
  }
  stream.incoming = Phase.content;
  const isTunnel = stream.isConnect && isSuccess(status);
  stream.isConnect = isTunnel;
  stream.noContent = stream.isHead || status === 204 || status === 304;
  if (!isTunnel && !stream.noContent) stream.contentLeft = check.contentLength;
  if (end && stream.contentLeft > 0) return s.fail(fault("contentLengthWrong", id));
  s.emit({ is: "response", stream: id, status, fields: rest, end });
  if (end && !s.closed) s.endTheirs(stream);
}

/** The second block of a message, or the one after the final response: trailers, and the end (rfc9113#8.1). */
function onTrailers(s: Session, stream: Stream, fields: readonly Field[], end: boolean): void {
  const wrong = judgeTrailers(s, stream, fields, end);
  if (wrong !== undefined) return s.fail(fault(wrong, stream.id));
  s.emit({ is: "trailers", stream: stream.id, fields });
  s.endTheirs(stream);
}

function judgeTrailers(s: Session, stream: Stream, fields: readonly Field[], end: boolean): FaultName | undefined {
  if (stream.isConnect) return "headersInTunnel";
  if (!end) return "headersWithoutEndStream";
  if (s.isTooLarge) return "fieldSectionTooLarge";
  return s.check.trailers(fields) ?? (stream.contentLeft > 0 ? "contentLengthWrong" : undefined);
}

/** Client: a whole block of PUSH_PROMISE (rfc9113#6.6, #8.4). */
function promiseComplete(s: Session, on: StreamId, promised: StreamId, block: Uint8Array): void {
  // Until our ENABLE_PUSH=0 has arrived, the server may not know better.
  if (!s.local.enablePush) return s.fail(fault("pushPromiseDisabled"));
  if (s.streams.isOurs(promised) || !s.streams.isIdle(promised)) return s.fail(fault("pushPromiseIdNotIdle"));
  const parent = s.streams.find(on);
  const wrong = parent === undefined ? promiseOnNoStream(s, on) : step(parent.state, Input["recv PUSH_PROMISE"]);
  if (typeof wrong === "string") return s.fail(fault(wrong));
  if (wrong !== undefined && wrong < 0) return s.fail(fault(refusal(wrong)));
  const fields = s.decode(block);
  if (fields === undefined) return undefined;
  if (promised > s.admitted) {
    s.streams.pass(promised);
    return s.streams.remember(promised, Closed.resetByUs);
  }
  const judged = judgePromise(s, parent, fields);
  // The owner's `speaksFor` may have ended the connection.
  if (s.closed) return undefined;
  if (typeof judged === "string") return s.refuse(fault(judged, promised));

  const stream = new Stream(promised, State.reservedRemote, s.peer.initialWindowSize);
  stream.isHead = judged.isHead;
  stream.outgoing = Phase.over;
  s.streams.add(stream);
  return s.emit({ is: "pushed", stream: on, promised, fields: judged.hasCrumbs ? joinCrumbs(fields) : fields });
}

/** A promise on a stream that we have reset is taken in, and refused; on any other that is not there it ends the connection. */
function promiseOnNoStream(s: Session, on: StreamId): FaultName | undefined {
  return s.streams.isIdle(on) ? "pushPromiseOnWrongStream" : late(s.streams.howClosed(on), "PUSH_PROMISE");
}

type GoodPromise = { readonly isHead: boolean; readonly hasCrumbs: boolean };

/** Why a promise is refused, or what matters about its request. */
function judgePromise(s: Session, parent: Stream | undefined, fields: readonly Field[]): FaultName | GoodPromise {
  if (!s.announced.enablePush || parent === undefined) return "pushPromiseUnwanted";
  if (s.streams.reserved >= s.limits.promises) return "tooManyPromises";
  if (s.isTooLarge) return "fieldSectionTooLarge";
  const { check } = s;
  const wrong = check.request(fields, false);
  if (wrong !== undefined) return wrong;
  // Read before the owner's `speaksFor` runs: it may use this connection, and with it `check`.
  const { method, contentLength, crumbs } = check;
  if (!isAuthoritative(s, check.origin)) return "promiseNotAuthoritative";
  if (!isSafe(method) || !isCacheable(method)) return "promiseNotSafe";
  return contentLength > 0 ? "promiseWithContent" : { isHead: method === "HEAD", hasCrumbs: crumbs > 1 };
}

/** Whether the server speaks for this origin (rfc9113#10.1). */
const isAuthoritative = ({ speaksFor, origins }: Session, origin: string): boolean =>
  speaksFor === undefined ? origins?.has(origin) === true : speaksFor(origin);
