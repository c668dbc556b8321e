import { field, Misuse, type Field } from "../core/index.ts";
import { forbidsContent, isInterim, isSuccess, parsePriority } from "../http/index.ts";
import type { ErrorCode } from "./error-code.ts";
import { Flag, FrameType } from "./frame/head.ts";
import * as ping from "./frame/ping.ts";
import * as priorityUpdate from "./frame/priority-update.ts";
import { fits, mustFit, STATUS_LINE } from "./section-size.ts";
import { writeBlock } from "./send-block.ts";
import { sendContent, sendTrailers } from "./send-content.ts";
import { Farewell, type Session } from "./session.ts";
import { checkSettings, type Settings } from "./settings.ts";
import { CONNECTION, nextStreamId, type StreamId } from "./stream-id.ts";
import { Input, State, step } from "./stream-state.ts";
import { Phase, Stream } from "./streams.ts";

/**
 * What the owner asks for, a function an action. What the owner could have known throws `Misuse`, and nothing is written then; what it
 * could not know (the peer has just reset the stream) is let pass in silence, since the event that says so is on its way.
 */

/** The stream, or undefined when it has ended meanwhile. */
function live(s: Session, id: StreamId): Stream | undefined {
  if (s.closed) return undefined;
  const stream = s.streams.find(id);
  if (stream === undefined && s.streams.isIdle(id)) throw new Misuse(`stream ${id} has never been: use an identifier from an event`);
  return stream;
}

const LOWEST_STATUS = 100;
const HIGHEST_STATUS = 999;
/** For each status a list of one field, `:status`. */
const STATUS_LINES: readonly (readonly Field[])[] = Array.from({ length: HIGHEST_STATUS - LOWEST_STATUS + 1 }, (_, index) => [
  field(":status", String(LOWEST_STATUS + index)),
]);
const statusLine = (status: number): readonly Field[] => STATUS_LINES[status - LOWEST_STATUS]!;

function mustBeSendable(s: Session, fields: readonly Field[]): void {
  const wrong = s.check.trailers(fields);
  if (wrong !== undefined) throw new Misuse(`these fields must not be sent: ${wrong}`);
}

export function interim(s: Session, id: StreamId, status: number, fields: readonly Field[]): void {
  if (!isInterim(status) || status === 101) throw new Misuse(`${status} is no interim status: give 100, or 102 to 199 (rfc9113#8.6)`);
  const stream = live(s, id);
  if (stream === undefined) return;
  mustRespond(s, stream);
  mustBeSendable(s, fields);
  // Nobody has to send it: a client that takes so little does without.
  if (!fits(s, fields, STATUS_LINE)) return;
  leaveReserve(s, stream);
  writeBlock(s, FrameType.HEADERS, 0, id, CONNECTION, statusLine(status), fields);
}

export function respond(s: Session, id: StreamId, status: number, fields: readonly Field[], end: boolean): void {
  if (!(status >= 200 && status <= 999) || !Number.isInteger(status)) throw new Misuse(`${status} is no final status: give 200 to 999`);
  const stream = live(s, id);
  if (stream === undefined) return;
  mustRespond(s, stream);
  mustBeSendable(s, fields);
  mustFit(s, fields, STATUS_LINE);
  const { contentLength } = s.check;
  const isTunnel = stream.isConnect && isSuccess(status);
  const noContent = !isTunnel && forbidsContent(stream.isHead ? "HEAD" : "", status);
  if (end && contentLength > 0 && !noContent) throw new Misuse(`content-length says ${contentLength}, and there is no content`);
  leaveReserve(s, stream);
  stream.outgoing = Phase.content;
  stream.isConnect = isTunnel;
  stream.noContent = noContent;
  stream.contentOwed = isTunnel ? -1 : contentLength;
  writeBlock(s, FrameType.HEADERS, end ? Flag.END_STREAM : 0, id, CONNECTION, statusLine(status), fields);
  if (end) s.endOurs(stream);
}

function mustRespond(s: Session, stream: Stream): void {
  if (s.side === "client") throw new Misuse("a client sends no responses");
  if (stream.outgoing !== Phase.head) throw new Misuse(`stream ${stream.id} has its response already`);
}
function leaveReserve(s: Session, stream: Stream): void {
  if (stream.state === State.reservedLocal) s.streams.begin(stream, State.halfClosedRemote);
}

export function data(s: Session, id: StreamId, bytes: Uint8Array, end: boolean): boolean {
  const stream = live(s, id);
  if (stream === undefined) return true;
  mustHaveContent(stream);
  countContent(stream, bytes.length, end);
  return sendContent(s, stream, bytes, end);
}

export function trailers(s: Session, id: StreamId, fields: readonly Field[]): void {
  const stream = live(s, id);
  if (stream === undefined) return;
  mustHaveContent(stream);
  if (stream.isConnect) throw new Misuse("a tunnel has no trailers (rfc9113#8.5)");
  mustBeSendable(s, fields);
  mustFit(s, fields);
  countContent(stream, 0, true);
  sendTrailers(s, stream, fields);
}

function mustHaveContent(stream: Stream): void {
  if (stream.outgoing === Phase.head) throw new Misuse(`stream ${stream.id}: respond before sending content`);
  const queue = stream.outbound;
  const hasEnd = queue !== undefined && (queue.end || queue.trailers !== undefined);
  if (stream.outgoing === Phase.over || hasEnd) throw new Misuse(`stream ${stream.id} has been ended already`);
}

/** A message of ours must not be malformed (rfc9113#8.1.1). */
function countContent(stream: Stream, octets: number, end: boolean): void {
  if (octets > 0 && stream.noContent) throw new Misuse(`stream ${stream.id}: a response to HEAD, a 204 and a 304 have no content`);
  const owed = stream.contentOwed;
  if (owed < 0 || stream.noContent) return;
  if (octets > owed || (end && octets < owed)) throw new Misuse(`stream ${stream.id}: content-length does not agree with the content`);
  stream.contentOwed = owed - octets;
}

/** Credit goes to the connection even where the stream has ended: the octets have been in its window. */
export function consumed(s: Session, id: StreamId, octets: number): void {
  if (octets <= 0 || s.closed) return;
  const stream = s.streams.find(id);
  if (stream !== undefined) s.giveStream(stream, octets);
  s.giveConnection(octets);
}

export function reset(s: Session, id: StreamId, code: ErrorCode): void {
  const stream = live(s, id);
  if (stream === undefined) return;
  const queue = stream.outbound;
  // Without error it follows the response, and must not cut it short (rfc9113#8.1).
  if (code === "NO_ERROR" && queue !== undefined && queue.pending && (queue.end || queue.trailers !== undefined)) queue.resetAfter = true;
  else s.resetStream(stream, code);
}

/** Server: undefined where the client forbids it, takes no such fields, or has gone (rfc9113#8.4). */
export function push(s: Session, parent: StreamId, fields: readonly Field[]): StreamId | undefined {
  if (s.side === "client") throw new Misuse("a client cannot push (rfc9113#8.4)");
  const stream = live(s, parent);
  if (stream === undefined) return undefined;
  if (step(stream.state, Input["send PUSH_PROMISE"]) < 0) throw new Misuse(`stream ${parent} carries no promises: push on a request's`);
  const { check } = s;
  const wrong = check.request(fields, false);
  if (wrong !== undefined) throw new Misuse(`this request must not be promised: ${wrong}`);
  const promised = nextStreamId("server", s.streams.lastByUs);
  const isAllowed = s.peer.enablePush && !s.peerSaidGoodbye && s.farewell === Farewell.none;
  const hasRoom = s.streams.openByUs + s.streams.reserved < s.peer.maxConcurrentStreams;
  if (promised === undefined || !isAllowed || !hasRoom || !fits(s, fields)) return undefined;
  const reserved = new Stream(promised, State.reservedLocal, s.peer.initialWindowSize);
  reserved.isHead = check.method === "HEAD";
  reserved.incoming = Phase.over;
  s.streams.add(reserved);
  s.setOut(reserved, check.priority);
  writeBlock(s, FrameType.PUSH_PROMISE, 0, parent, promised, undefined, fields);
  return promised;
}

export function sendPing(s: Session, octets: Uint8Array): void {
  if (octets.length !== ping.PING_LENGTH) throw new Misuse(`a PING carries 8 octets, not ${octets.length}`);
  ping.write(s.out, { is: "PING", ack: false, data: octets });
}

export function prioritize(s: Session, id: StreamId, value: string): void {
  const stream = live(s, id);
  if (stream === undefined) return;
  s.prioritize(stream, parsePriority(value));
  if (s.side === "client") priorityUpdate.write(s.out, { is: "PRIORITY_UPDATE", prioritized: id, value });
}

export function changeSettings(s: Session, changed: Partial<Settings>): void {
  const next: Settings = { ...s.announced, ...changed };
  checkSettings(next, s.side);
  if (s.announced.enableConnectProtocol && !next.enableConnectProtocol)
    throw new Misuse("enableConnectProtocol cannot be withdrawn (rfc8441#3)");
  if (s.announced.maxHeaderListSize !== next.maxHeaderListSize) throw new Misuse("maxHeaderListSize is given when the connection begins");
  if (s.announced.noRfc7540Priorities !== next.noRfc7540Priorities) throw new Misuse("noRfc7540Priorities cannot change (rfc9218#2.1)");
  s.announce(next);
}
