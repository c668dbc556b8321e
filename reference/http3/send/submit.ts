import { field, Misuse, Writer, writeVarint, type Field } from "../../core/index.ts";
import { forbidsContent, isInterim, isSuccess } from "../../http/index.ts";
import { expectContent, giveUp, stopReading } from "../endings.ts";
import type { Endpoint } from "../endpoint.ts";
import { ErrorCode } from "../error-code.ts";
import { frame, frameHead } from "../frame/write.ts";
import type { StreamId } from "../stream/id.ts";
import type { Stream } from "../stream/streams.ts";
import { fits, mustFit, queue, sendSection, STATUS_LINE } from "./section.ts";

/**
 * What the owner asks for, one function per action. A mistake that the owner could have known throws `Misuse`, and nothing is sent; one that it
 * could not know (the peer has just reset the stream) is ignored, because the event about it is on its way.
 */

type Response = { readonly status: number; readonly fields: readonly Field[]; readonly end: boolean };
const HIGHEST_STATUS = 999;
/** Content up to this size is copied next to the head of its frame. */
const COPY_OCTETS = 4_096;
const NOTHING = new Uint8Array(0);

/** The stream; undefined if it has ended meanwhile. */
function live(e: Endpoint, id: StreamId): Stream | undefined {
  if (e.isOver) return undefined;
  const stream = e.streams.find(id);
  if (stream === undefined && id >= e.streams.next) throw new Misuse(`stream ${id} does not exist: use an identifier from an event`);
  return stream === undefined || stream.isGivenUp ? undefined : stream;
}
function mustBeSendable(e: Endpoint, fields: readonly Field[]): void {
  const wrong = e.check.trailers(fields);
  if (wrong !== undefined) throw new Misuse(`these fields must not be sent: ${wrong}`);
}
function mustAwaitResponse(e: Endpoint, stream: Stream): void {
  if (e.side === "client") throw new Misuse("a client sends no responses");
  if (stream.hasSentHead) throw new Misuse(`stream ${stream.id} already has its response`);
}
function mustHaveSentHead(stream: Stream): void {
  if (!stream.hasSentHead) throw new Misuse(`stream ${stream.id}: respond before sending content`);
}
const withStatus = ({ status, fields }: Response): readonly Field[] => [field(":status", String(status)), ...fields];

export function interim(e: Endpoint, id: StreamId, response: Response): void {
  const { status, fields } = response;
  if (!isInterim(status) || status === 101) throw new Misuse(`${status} is not an interim status: give 100, or 102 to 199 (rfc9114#4.5)`);
  const stream = live(e, id);
  if (stream === undefined) return;
  mustAwaitResponse(e, stream);
  mustBeSendable(e, fields);
  // Interim responses are optional: a client with so small a limit gets none.
  if (fits(e, fields, STATUS_LINE)) sendSection(e, stream, withStatus(response), false);
  // The client has waited for it.
  if (status === 100) expectContent(e, stream, true);
}

export function respond(e: Endpoint, id: StreamId, response: Response): void {
  const { status, fields, end } = response;
  if (!(status >= 200 && status <= HIGHEST_STATUS) || !Number.isInteger(status))
    throw new Misuse(`${status} is not a final status: give 200 to 999`);
  const stream = live(e, id);
  if (stream === undefined) return;
  mustAwaitResponse(e, stream);
  mustBeSendable(e, fields);
  mustFit(e, fields, STATUS_LINE);
  const { contentLength } = e.check;
  const isTunnel = stream.isConnect && isSuccess(status);
  const noContent = !isTunnel && forbidsContent(stream.isHead ? "HEAD" : "", status);
  if (end && contentLength > 0 && !noContent) throw new Misuse(`content-length is ${contentLength}, but there is no content`);
  stream.hasSentHead = true;
  stream.isConnect = isTunnel;
  stream.noContent = noContent;
  stream.contentOwed = isTunnel ? -1 : contentLength;
  stream.isSent = end;
  sendSection(e, stream, withStatus(response), end);
}

export function data(e: Endpoint, id: StreamId, bytes: Uint8Array, end: boolean): boolean {
  const stream = live(e, id);
  if (stream === undefined) return true;
  mustHaveSentHead(stream);
  if (stream.isSent) return refusedRest(e, stream);
  countContent(stream, bytes.length, end);
  if (bytes.length === 0 && !end) return true;
  stream.isSent = end;
  if (bytes.length === 0) return queue(e, stream, NOTHING, true);
  if (bytes.length <= COPY_OCTETS) return queue(e, stream, frame("DATA", bytes), end);
  queue(e, stream, frameHead("DATA", bytes.length), false);
  return queue(e, stream, bytes, end);
}

export function trailers(e: Endpoint, id: StreamId, fields: readonly Field[]): void {
  const stream = live(e, id);
  if (stream === undefined) return;
  mustHaveSentHead(stream);
  if (stream.isSent) return void refusedRest(e, stream);
  if (stream.isConnect) throw new Misuse("a tunnel has no trailers (rfc9114#4.4)");
  mustBeSendable(e, fields);
  mustFit(e, fields);
  countContent(stream, 0, true);
  stream.isSent = true;
  sendSection(e, stream, fields, true);
}

/** A server may want no more of a request that it answers; otherwise the owner has ended the stream itself. */
function refusedRest(e: Endpoint, stream: Stream): true {
  if (e.side === "client" && stream.isRefused) return true;
  throw new Misuse(`stream ${stream.id} has been ended already`);
}

/** Our messages must not be malformed (rfc9114#4.1.2). */
function countContent(stream: Stream, octets: number, end: boolean): void {
  if (octets > 0 && stream.noContent) throw new Misuse(`stream ${stream.id}: a response to HEAD, a 204 and a 304 have no content`);
  const owed = stream.contentOwed;
  if (owed < 0 || stream.noContent) return;
  if (octets > owed || (end && octets < owed)) throw new Misuse(`stream ${stream.id}: content-length does not agree with the content`);
  stream.contentOwed = owed - octets;
}

export function reset(e: Endpoint, id: StreamId, code: ErrorCode): void {
  const stream = live(e, id);
  if (stream === undefined) return;
  stream.isGivenUp = true;
  // It follows our complete message and must not cut it short (rfc9114#4.1).
  if (code === "H3_NO_ERROR" && stream.isSent) stopReading(e, stream, code);
  else giveUp(e, stream, code);
}

export function prioritize(e: Endpoint, id: StreamId, value: string): void {
  if (e.side === "server") throw new Misuse("a server says the priority of a response in its Priority field (rfc9218#5)");
  if (live(e, id) === undefined) return;
  const writer = new Writer(value.length + 8);
  writeVarint(writer, id);
  e.critical.write(
    "control",
    frame("PRIORITY_UPDATE", writer.bytes(Uint8Array.from(value, (character) => character.charCodeAt(0))).take()),
  );
}

export function datagram(e: Endpoint, id: StreamId, bytes: Uint8Array): boolean {
  if (live(e, id) === undefined || !e.peer.h3Datagram || !e.settings.h3Datagram) return false;
  const writer = new Writer(bytes.length + 8);
  writeVarint(writer, id / 4);
  return e.transport.datagram(writer.bytes(bytes).take());
}
