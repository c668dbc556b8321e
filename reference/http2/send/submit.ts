import { Misuse, type Field } from "../../core/index.ts";
import { forbidsContent, isInterim, isSuccess, parsePriority } from "../../http/index.ts";
import { endOurs, resetStream } from "../endings.ts";
import type { Endpoint } from "../endpoint.ts";
import type { ErrorCode } from "../error-code.ts";
import * as ping from "../frame/ping.ts";
import * as priorityUpdate from "../frame/priority-update.ts";
import { fits, mustFit, STATUS_LINE } from "./section-size.ts";
import { HIGHEST_STATUS, writeHeaders, writePromise, type Section } from "./block.ts";
import { sendContent, sendTrailers } from "./content.ts";
import { checkChange, checkSettings } from "../settings/values.ts";
import type { Settings } from "../settings/table.ts";
import { nextStreamId, type StreamId } from "../stream/id.ts";
import { Input, MISUSE, type Verdict } from "../stream/state.ts";
import { Stream } from "../stream/streams.ts";

/**
 * What the owner asks for, one function per action. A mistake that the owner could have known throws `Misuse`, and nothing is written; one
 * that it could not know (the peer has just reset the stream) is ignored, because the event about it is on its way.
 */

type Response = Section & { readonly status: number };

/** The stream; undefined if it has ended meanwhile. */
function live(e: Endpoint, id: StreamId): Stream | undefined {
  if (e.shutdown.isOver) return undefined;
  const stream = e.streams.find(id);
  if (stream === undefined && e.streams.isIdle(id)) throw new Misuse(`stream ${id} does not exist: use an identifier from an event`);
  return stream;
}

function mustBeSendable(e: Endpoint, fields: readonly Field[]): void {
  const wrong = e.check.trailers(fields);
  if (wrong !== undefined) throw new Misuse(`these fields must not be sent: ${wrong}`);
}

export function interim(e: Endpoint, id: StreamId, response: Response): void {
  const { status, fields } = response;
  if (!isInterim(status) || status === 101) throw new Misuse(`${status} is not an interim status: give 100, or 102 to 199 (rfc9113#8.6)`);
  const stream = live(e, id);
  if (stream === undefined) return;
  mustAwaitResponse(e, stream);
  mustBeSendable(e, fields);
  // Interim responses are optional: a client with so small a limit gets none.
  if (!fits(e, fields, STATUS_LINE)) return;
  e.streams.advance(id, Input["send HEADERS"], stream);
  writeHeaders(e, id, response);
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
  e.streams.advance(id, Input["send HEADERS"], stream);
  stream.hasSentHead = true;
  stream.isConnect = isTunnel;
  stream.noContent = noContent;
  stream.contentOwed = isTunnel ? -1 : contentLength;
  writeHeaders(e, id, response);
  if (end) endOurs(e, stream);
}

function mustAwaitResponse(e: Endpoint, stream: Stream): void {
  if (e.side === "client") throw new Misuse("a client sends no responses");
  if (stream.hasSentHead) throw new Misuse(`stream ${stream.id} already has its response`);
}

export function data(e: Endpoint, id: StreamId, bytes: Uint8Array, end: boolean): boolean {
  const stream = live(e, id);
  if (stream === undefined) return true;
  const verdict = e.streams.advance(id, Input["send DATA"], stream);
  mustHaveSentHead(stream);
  mustNotHaveEnded(stream, verdict);
  countContent(stream, bytes.length, end);
  return sendContent(e, stream, bytes, end);
}

export function trailers(e: Endpoint, id: StreamId, fields: readonly Field[]): void {
  const stream = live(e, id);
  if (stream === undefined) return;
  mustHaveSentHead(stream);
  mustNotHaveEnded(stream, e.streams.advance(id, Input["send HEADERS"], stream));
  if (stream.isConnect) throw new Misuse("a tunnel has no trailers (rfc9113#8.5)");
  mustBeSendable(e, fields);
  mustFit(e, fields);
  countContent(stream, 0, true);
  sendTrailers(e, stream, fields);
}

function mustHaveSentHead(stream: Stream): void {
  if (!stream.hasSentHead) throw new Misuse(`stream ${stream.id}: respond before sending content`);
}
/** Content or trailers may follow, according to the stream's state and to its queue. */
function mustNotHaveEnded(stream: Stream, verdict: Verdict): void {
  const queue = stream.outbound;
  const hasEnd = queue !== undefined && (queue.end || queue.trailers !== undefined);
  if (verdict === MISUSE || hasEnd) throw new Misuse(`stream ${stream.id} has been ended already`);
}

/** Our messages must not be malformed (rfc9113#8.1.1). */
function countContent(stream: Stream, octets: number, end: boolean): void {
  if (octets > 0 && stream.noContent) throw new Misuse(`stream ${stream.id}: a response to HEAD, a 204 and a 304 have no content`);
  const owed = stream.contentOwed;
  if (owed < 0 || stream.noContent) return;
  if (octets > owed || (end && octets < owed)) throw new Misuse(`stream ${stream.id}: content-length does not agree with the content`);
  stream.contentOwed = owed - octets;
}

/** The connection gets its credit even if the stream has ended: its window has carried the content. */
export function consumed(e: Endpoint, id: StreamId, octets: number): void {
  if (octets <= 0 || e.shutdown.isOver) return;
  const stream = e.streams.find(id);
  if (stream !== undefined) e.credit.giveStream(stream, octets, e.now);
  e.credit.give(octets, e.now);
}

export function reset(e: Endpoint, id: StreamId, code: ErrorCode): void {
  const stream = live(e, id);
  if (stream === undefined) return;
  const queue = stream.outbound;
  // NO_ERROR follows the response and must not cut it short (rfc9113#8.1).
  if (code === "NO_ERROR" && queue !== undefined && queue.pending && (queue.end || queue.trailers !== undefined)) queue.resetAfter = true;
  else resetStream(e, stream, code);
}

/** Server: undefined if the client forbids the push, does not accept so many fields, or is leaving (rfc9113#8.4). */
export function push(e: Endpoint, parent: StreamId, fields: readonly Field[]): StreamId | undefined {
  if (e.side === "client") throw new Misuse("a client cannot push (rfc9113#8.4)");
  const stream = live(e, parent);
  if (stream === undefined) return undefined;
  if (e.streams.advance(parent, Input["send PUSH_PROMISE"], stream) === MISUSE) {
    throw new Misuse(`stream ${parent} cannot carry a promise: push on the stream of a request`);
  }
  const { check, streams } = e;
  const wrong = check.request(fields, false);
  if (wrong !== undefined) throw new Misuse(`this request must not be promised: ${wrong}`);
  const { peer } = e.settings;
  const promised = nextStreamId("server", streams.lastByUs);
  const hasRoom = streams.openByUs + streams.reserved < peer.maxConcurrentStreams;
  if (promised === undefined || !peer.enablePush || !e.shutdown.admitsOurs || !hasRoom || !fits(e, fields)) return undefined;
  const reserved = new Stream(promised, peer.initialWindowSize);
  streams.advance(promised, Input["send promise"], reserved);
  reserved.isHead = check.method === "HEAD";
  e.priorities.begin(reserved, check.priority);
  writePromise(e, parent, promised, fields);
  return promised;
}

export function sendPing(e: Endpoint, octets: Uint8Array): void {
  if (octets.length !== ping.PING_LENGTH) throw new Misuse(`a PING carries 8 octets, not ${octets.length}`);
  ping.write(e.out, { is: "PING", ack: false, data: octets });
}

export function prioritize(e: Endpoint, id: StreamId, value: string): void {
  const stream = live(e, id);
  if (stream === undefined) return;
  e.priorities.change(stream, parsePriority(value));
  if (e.side === "client") priorityUpdate.write(e.out, { is: "PRIORITY_UPDATE", prioritized: id, value });
}

export function changeSettings(e: Endpoint, changed: Partial<Settings>): void {
  const next: Settings = { ...e.settings.announced, ...changed };
  checkSettings(next, e.side);
  checkChange(e.settings.announced, next);
  e.settings.announce(next, e.now);
}
