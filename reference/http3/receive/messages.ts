import { field, NEVER, type Field } from "../../core/index.ts";
import { isInterim, isSuccess, joinCrumbs, type Malformed } from "../../http/index.ts";
import type { Decoded, QpackFault } from "../../qpack/index.ts";
import { charge, expectContent, fail, failStream, stopReading } from "../endings.ts";
import type { Endpoint } from "../endpoint.ts";
import { fault } from "../faults.ts";
import type { Unit } from "../frame/reader.ts";
import { misplaced, type FrameName } from "../frame/type.ts";
import { sendSection } from "../send/section.ts";
import { isState, MESSAGE_TABLE, type Input } from "../stream/state.ts";
import type { Stream } from "../stream/streams.ts";

/** Request streams: their frames, and the messages that field sections begin and end (rfc9114#4.1). */

/** A section that was read, whole or cut at the limit. */
type Section = Exclude<Decoded, QpackFault>;

/** Reads what has arrived, as far as the stream does not wait for QPACK. */
export function readRequestStream(e: Endpoint, stream: Stream): void {
  while (!e.isOver && !stream.isBlocked && stream.state !== "ended") {
    const unit = stream.reader.next();
    e.transport.consumed(stream.id, stream.reader.takeConsumed());
    if (unit === undefined) return stream.hasEnd ? onEnd(e, stream) : undefined;
    onUnit(e, stream, unit);
  }
}

function onUnit(e: Endpoint, stream: Stream, unit: Unit): void {
  switch (unit.is) {
    case "head":
      return onHead(e, stream, unit.name, unit.length);
    case "content":
      return onContent(e, stream, unit.octets);
    case "frame":
      return onSection(e, stream, unit.payload);
    case "tooLarge":
      return failStream(e, stream, "fieldSectionTooLarge");
  }
}

/** A frame is judged before its payload arrives. */
function onHead(e: Endpoint, stream: Stream, name: FrameName | undefined, length: number): void {
  if (name === undefined) return void charge(e, "unknownFrames");
  const wrong = misplaced(name, "request", e.side);
  if (wrong !== undefined) return fail(e, fault(wrong));
  if (name !== "DATA") return undefined;
  if (!advance(e, stream, "DATA")) return undefined;
  if (length === 0) return void charge(e, "emptyFrames");
  if (stream.noContent) return failStream(e, stream, "contentForbidden");
  if (stream.contentLeft < 0) return undefined;
  if (length > stream.contentLeft) return failStream(e, stream, "contentLengthWrong");
  stream.contentLeft -= length;
  return undefined;
}

/** Moves the message on; false if the input must not come now. */
function advance(e: Endpoint, stream: Stream, input: Input): boolean {
  const cell = MESSAGE_TABLE[stream.state][input];
  if (!isState(cell)) {
    const name = cell === "requestIncomplete" && e.side === "client" ? "responseIncomplete" : cell;
    fail(e, fault(name, stream.id));
    return false;
  }
  stream.state = cell;
  return true;
}

function onContent(e: Endpoint, stream: Stream, octets: Uint8Array): void {
  // The end is known if it has arrived and nothing is left to read.
  expectContent(e, stream);
  stream.arrival?.came(octets.length, e.now);
  const isLast = stream.hasEnd && !stream.reader.isMidFrame && !(stream.contentLeft > 0);
  if (isLast) stream.state = "ended";
  e.emit({ is: "data", stream: stream.id, bytes: octets, end: isLast });
}

/** The peer has ended its part of the stream. */
function onEnd(e: Endpoint, stream: Stream): void {
  if (stream.reader.isMidFrame) return fail(e, fault("frameTruncated"));
  const isTrailed = stream.state === "trailed";
  if (!advance(e, stream, "end")) return undefined;
  if (stream.contentLeft > 0) return failStream(e, stream, "contentLengthWrong");
  // Trailers have told it.
  if (!isTrailed) e.emit({ is: "data", stream: stream.id, bytes: NOTHING, end: true });
  return undefined;
}
const NOTHING = new Uint8Array(0);

function onSection(e: Endpoint, stream: Stream, payload: Uint8Array): void {
  if (stream.state === "trailed" || stream.state === "tunnel") return void advance(e, stream, "HEADERS");
  const decoded = e.decoder.decode(stream.id, payload);
  if (decoded.is === "blocked") {
    stream.isBlocked = true;
    return undefined;
  }
  return onDecoded(e, stream, decoded);
}

/** A section that was decoded, at once or after insertions. */
export function onDecoded(e: Endpoint, stream: Stream, decoded: Decoded): void {
  if (decoded.is === "fault") {
    return decoded.scope === "connection" ? fail(e, fault("sectionUndecodable")) : failStream(e, stream, "sectionTooCostly");
  }
  if (stream.state === "content") return onTrailers(e, stream, decoded);
  return e.side === "server" ? onRequest(e, stream, decoded) : onResponse(e, stream, decoded);
}

/** The stream ends with what has just been read. */
const endsHere = ({ hasEnd, reader }: Stream): boolean => hasEnd && !reader.isMidFrame;

function onRequest(e: Endpoint, stream: Stream, { is, fields }: Section): void {
  stream.headBy = NEVER;
  if (is === "tooLarge") return answerTooLarge(e, stream);
  const { check } = e;
  const wrong: Malformed | undefined = check.request(fields, e.settings.enableConnectProtocol);
  if (wrong !== undefined) return failStream(e, stream, wrong);
  const end = endsHere(stream);
  if (end && check.method !== "CONNECT" && check.contentLength > 0) return failStream(e, stream, "contentLengthWrong");
  stream.isConnect = check.method === "CONNECT";
  stream.isHead = check.method === "HEAD";
  if (!stream.isConnect) stream.contentLeft = check.contentLength;
  stream.state = end ? "ended" : stream.isConnect ? "tunnel" : "content";
  if (!fields.some(({ name }) => name === "expect")) expectContent(e, stream);
  return e.emit({ is: "request", stream: stream.id, fields: check.crumbs > 1 ? joinCrumbs(fields) : fields, end });
}

const TOO_LARGE: readonly Field[] = [field(":status", "431"), field("content-length", "0")];
/** Answers the request without reading it (rfc9114#4.2.2, rfc6585#5). It counts as an error of the peer's. */
function answerTooLarge(e: Endpoint, stream: Stream): void {
  if (charge(e, "errors")) return;
  stream.isGivenUp = true;
  stream.isSent = true;
  sendSection(e, stream, TOO_LARGE, true);
  stopReading(e, stream, "H3_NO_ERROR");
}

function onResponse(e: Endpoint, stream: Stream, section: Section): void {
  const { check } = e;
  const { id } = stream;
  const wrong = section.is === "tooLarge" ? "fieldSectionTooLarge" : check.response(section.fields);
  if (wrong !== undefined) return failStream(e, stream, wrong);
  const { status } = check;
  const fields = section.fields.slice(1);
  const end = endsHere(stream);
  if (isInterim(status)) {
    if (status === 101) return failStream(e, stream, "statusSwitching");
    if (charge(e, "interims")) return undefined;
    return e.emit({ is: "interim", stream: id, status, fields });
  }
  const isTunnel = stream.isConnect && isSuccess(status);
  stream.noContent = stream.isHead || status === 204 || status === 304;
  if (!isTunnel && !stream.noContent) stream.contentLeft = check.contentLength;
  if (end && stream.contentLeft > 0) return failStream(e, stream, "contentLengthWrong");
  stream.state = end ? "ended" : isTunnel ? "tunnel" : "content";
  return e.emit({ is: "response", stream: id, status, fields, end });
}

function onTrailers(e: Endpoint, stream: Stream, section: Section): void {
  const wrong =
    section.is === "tooLarge"
      ? "fieldSectionTooLarge"
      : (e.check.trailers(section.fields) ?? (stream.contentLeft > 0 ? ("contentLengthWrong" as const) : undefined));
  if (wrong !== undefined) return failStream(e, stream, wrong);
  advance(e, stream, "HEADERS");
  return e.emit({ is: "trailers", stream: stream.id, fields: section.fields });
}
