import { Misuse, type Field } from "../core/index.ts";
import { forbidsContent, isInterim, isSuccess, isToken, trimSpace } from "../http/index.ts";
import type { ExchangeId } from "./contract.ts";
import { Exchange } from "./exchange.ts";
import { Framing } from "./framing.ts";
import { nextReading, receive } from "./receive.ts";
import { sendContent, sendTrailers } from "./send-content.ts";
import { asked, writeChunked, writeConnection, writeFields, writeLineEnd, writeStatusLine, writeZeroLength } from "./send-head.ts";
import { Reading, type Session } from "./session.ts";
import { isTargetText } from "./start-line.ts";
import { Input, MISUSE, Standing, State, step, Turn } from "./state.ts";
import { writeText } from "./text.ts";

/**
 * What the owner asks for, a function an action. What the owner could have known throws `Misuse`, and nothing is written then; what it
 * could not know (the peer has just gone) is let pass in silence, since the event that says so is on its way.
 */

/** The exchange, or undefined when it has ended meanwhile. */
function live(s: Session, id: ExchangeId): Exchange | undefined {
  if (id > s.lastId || !(id > 0)) throw new Misuse(`exchange ${id} has never been: use an identifier from an event`);
  for (let exchange = s.first; exchange !== undefined; exchange = exchange.next) {
    if (exchange.id === id) return exchange.isDead ? undefined : exchange;
  }
  return undefined;
}
function moved(exchange: Exchange, input: (typeof Input)[keyof typeof Input], why: string): State {
  const next = step(exchange.state, input);
  if (next === MISUSE) throw new Misuse(`exchange ${exchange.id}: ${why}`);
  return next;
}

// Server.

export function interim(s: Session, id: ExchangeId, status: number, fields: readonly Field[]): void {
  mustBeServer(s);
  if (!isInterim(status) || status === 101) throw new Misuse(`${status} is no interim status: give 100, or 102 to 199`);
  const exchange = live(s, id);
  if (exchange === undefined) return;
  moved(exchange, Input.interim, "its response has begun, interim responses come before it");
  if (exchange.version === "HTTP/1.0") return;
  const w = s.outputOf(exchange).writer;
  const begun = w.length;
  try {
    writeStatusLine(w, status);
    writeFields(w, fields, true);
  } catch (error) {
    w.rewind(begun);
    throw error;
  }
  writeConnection(w, "", asked.options);
  writeLineEnd(w);
  if (status !== 100 || !exchange.awaits100) return;
  exchange.awaits100 = false;
  s.stamp();
  s.isSinceUnsure = true;
}

export function respond(s: Session, id: ExchangeId, status: number, fields: readonly Field[], end: boolean): void {
  mustBeServer(s);
  if (!(status >= 200 && status <= 999) || !Number.isInteger(status)) throw new Misuse(`${status} is no final status: give 200 to 999`);
  const exchange = live(s, id);
  if (exchange === undefined) return;
  const next = moved(exchange, Input["response head"], "it has its response already");
  const isConnect = exchange.method === "CONNECT";
  if (isConnect && isSuccess(status)) throw new Misuse("2xx to CONNECT is a change of protocol: use switchTo (rfc9110#9.3.6)");
  const noContent = forbidsContent(exchange.method, status);
  const w = s.outputOf(exchange).writer;
  const begun = w.length;
  writeStatusLine(w, status);
  try {
    writeFields(w, fields, status === 204);
    if (end && asked.contentLength > 0 && !noContent)
      throw new Misuse(`content-length says ${asked.contentLength}, and there is no content`);
  } catch (error) {
    w.rewind(begun);
    throw error;
  }
  exchange.framing = framingOf(exchange, noContent, end);
  exchange.owed = exchange.framing === Framing.length ? asked.contentLength : -1;
  // What follows a CONNECT that is refused may be meant for the tunnel; what follows an expectation that is not met may be its content.
  if (asked.close || exchange.framing === Framing.close || exchange.awaits100 || isConnect) exchange.closes = true;
  else if (exchange === s.last && isEnding(s)) exchange.closes = true;
  writeConnection(w, exchange.closes ? "close" : exchange.version === "HTTP/1.0" ? "keep-alive" : "", asked.options);
  if (exchange.framing === Framing.chunked) writeChunked(w);
  else if (end && !noContent && asked.contentLength < 0) writeZeroLength(w);
  writeLineEnd(w);

  exchange.state = next;
  if (exchange.closes) last(s, exchange);
  if (end) return endResponse(s, exchange);
  return resume(s, exchange);
}

/** Nothing is to follow what is under way, as far as is known. */
const isEnding = (s: Session): boolean =>
  (s.standing !== Standing.persistent && s.refusal === undefined && !s.isHeadBegun) || (s.hasPeerEnded && s.inbox.length === 0);

function framingOf(exchange: Exchange, noContent: boolean, end: boolean): Framing {
  if (noContent || end) return Framing.none;
  if (asked.contentLength >= 0) return Framing.length;
  return exchange.version === "HTTP/1.1" ? Framing.chunked : Framing.close;
}

/** After this exchange no request is processed (rfc9112#9.6). */
function last(s: Session, exchange: Exchange): void {
  s.turn(Turn.last);
  if (s.reader === exchange && s.reading === Reading.content) return;
  s.reading = Reading.deaf;
  s.isHeadBegun = false;
  s.inbox.clear();
}

function endResponse(s: Session, exchange: Exchange): void {
  exchange.state = step(exchange.state, Input["response end"]) as State;
  if (exchange === s.first) s.advance();
  resume(s, exchange);
}

/** Reads on where an answer was waited for. */
function resume(s: Session, exchange: Exchange): void {
  if (s.reading === Reading.held && exchange.state !== State.switching && exchange.state !== State.switched) {
    s.reading = nextReading(s, exchange);
  }
  if (s.reading !== Reading.line || (s.inbox.length === 0 && !s.hasPeerEnded && s.standing === Standing.persistent)) return;
  receive(s);
  s.inbox.settle();
}

export function switchTo(s: Session, id: ExchangeId, status: number, fields: readonly Field[]): void {
  mustBeServer(s);
  const exchange = live(s, id);
  if (exchange === undefined) return;
  const isTunnel = exchange.method === "CONNECT";
  if (isTunnel ? !isSuccess(status) : status !== 101) throw new Misuse(`${status} changes no protocol: give 101, or 2xx to CONNECT`);
  if (!isTunnel && exchange.upgrade.length === 0) throw new Misuse("the client has offered no protocol to change to (rfc9110#7.8)");
  const next = moved(exchange, Input.switch, "it has its response already");
  const w = s.outputOf(exchange).writer;
  const begun = w.length;
  try {
    writeStatusLine(w, status);
    writeFields(w, fields, true);
    if (!isTunnel) mustBeOffered(exchange);
  } catch (error) {
    w.rewind(begun);
    throw error;
  }
  if (!isTunnel && asked.upgrade === "") writeText(w, `Upgrade: ${exchange.upgrade[0]}\r\n`);
  writeConnection(w, "", isTunnel ? asked.options : `, upgrade${asked.options.replace(", upgrade", "")}`);
  writeLineEnd(w);
  exchange.switched = { status, fields };
  exchange.state = next;
  s.advance();
}
function mustBeOffered({ upgrade }: Exchange): void {
  if (asked.upgrade === "") return;
  const offered = upgrade.map((protocol) => protocol.toLowerCase());
  const isOffered = asked.upgrade.split(",").every((protocol) => offered.includes(trimSpace(protocol).toLowerCase()));
  if (!isOffered) throw new Misuse(`upgrade: ${asked.upgrade} was not offered (rfc9110#7.8)`);
}
function mustBeServer(s: Session): void {
  if (s.side === "client") throw new Misuse("a client sends no responses");
}

// Client.

type Line = { readonly method: string; readonly target: string };

export function request(s: Session, { method, target }: Line, fields: readonly Field[], end: boolean): ExchangeId {
  if (s.side === "server") throw new Misuse("a server sends no requests");
  if (!accepts(s)) throw new Misuse("the connection takes no further request: look at `accepting`, and open another");
  if (!isToken(method)) throw new Misuse(`${JSON.stringify(method)} is no method`);
  if (target === "" || !isTargetText(target, false)) {
    throw new Misuse(`${JSON.stringify(target)} is no request target: escape what is none`);
  }
  if (method === "CONNECT" && !end) throw new Misuse("CONNECT has no content: what follows is the tunnel's (rfc9110#9.3.6)");
  const exchange = new Exchange((s.lastId + 1) as ExchangeId, method);
  const w = s.output.writer;
  const begun = w.length;
  try {
    writeText(w, `${method} ${target} HTTP/1.1\r\n`);
    writeFields(w, fields, false);
    if (asked.hosts !== 1) throw new Misuse("a request has one Host field (rfc9112#3.2)");
    if (end && asked.contentLength > 0) throw new Misuse(`content-length says ${asked.contentLength}, and there is no content`);
    if (!end && asked.contentLength < 0 && s.peerVersion === "HTTP/1.0") throw new Misuse("HTTP/1.0 knows no chunks: give content-length");
  } catch (error) {
    w.rewind(begun);
    throw error;
  }
  exchange.framing = end ? Framing.none : asked.contentLength >= 0 ? Framing.length : Framing.chunked;
  exchange.owed = exchange.framing === Framing.length ? asked.contentLength : -1;
  if (asked.upgrade !== "" && asked.options.includes(", upgrade")) exchange.upgrade = asked.upgrade.split(",").map(trimSpace);
  exchange.closes = asked.close;
  if (asked.close) s.turn(Turn.last);
  writeConnection(w, asked.close ? "close" : "", asked.options);
  if (exchange.framing === Framing.chunked) writeChunked(w);
  else if (end && asked.contentLength < 0 && MEANS_CONTENT.has(method)) writeZeroLength(w);
  writeLineEnd(w);
  s.add(exchange);
  if (end) exchange.state = State.asked;
  return exchange.id;
}
/** Methods that anticipate content, so that its absence is to be said (rfc9110#8.6). */
const MEANS_CONTENT: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

/** Client: whether another request may be sent. Content under way, and a change of protocol under way, must end first. */
export function accepts(s: Session): boolean {
  if (s.side === "server" || s.standing !== Standing.persistent || s.hasPeerEnded) return false;
  const { last } = s;
  if (last === undefined) return true;
  if (last.state === State.asking || last.state === State.crossing || last.state === State.answered) return false;
  return last.method !== "CONNECT" && last.upgrade.length === 0;
}

// Both.

export function data(s: Session, id: ExchangeId, bytes: Uint8Array, end: boolean): boolean {
  const exchange = live(s, id);
  if (exchange === undefined) return true;
  const next = mustHaveContent(s, exchange);
  countContent(exchange, bytes.length, end);
  const hasRoom = sendContent(s, exchange, bytes, end);
  exchange.state = next;
  if (end) endOurs(s, exchange);
  return hasRoom;
}

export function trailers(s: Session, id: ExchangeId, fields: readonly Field[]): void {
  const exchange = live(s, id);
  if (exchange === undefined) return;
  mustHaveContent(s, exchange);
  countContent(exchange, 0, true);
  sendTrailers(s, exchange, fields);
  endOurs(s, exchange);
}

function mustHaveContent(s: Session, exchange: Exchange): State {
  const input = s.side === "server" ? Input["response content"] : Input["request content"];
  return moved(exchange, input, "its content has not begun, or has ended already");
}
/** A message of ours must not be malformed (rfc9112#6.3). */
function countContent(exchange: Exchange, octets: number, end: boolean): void {
  if (octets > 0 && exchange.framing === Framing.none) {
    throw new Misuse(`exchange ${exchange.id}: a response to HEAD, a 204 and a 304 have no content`);
  }
  const { owed } = exchange;
  if (owed < 0) return;
  if (octets > owed || (end && octets < owed)) throw new Misuse(`exchange ${exchange.id}: content-length does not agree with the content`);
  exchange.owed = owed - octets;
}
function endOurs(s: Session, exchange: Exchange): void {
  if (s.side === "server") return endResponse(s, exchange);
  s.end(exchange, Input["request end"]);
  return s.advance();
}

/** The owner has read so much: where that was waited for, the time for what comes next begins anew. */
export function consumed(s: Session, octets: number): void {
  if (octets <= 0 || s.isOver) return;
  const wasFull = s.unread >= s.limits.unreadOctets;
  s.unread = Math.max(0, s.unread - octets);
  if (!wasFull || s.unread >= s.limits.unreadOctets) return;
  s.stamp();
  s.isSinceUnsure = true;
}

export function abandon(s: Session, id: ExchangeId): void {
  const exchange = live(s, id);
  if (exchange === undefined) return;
  exchange.isDead = true;
  s.turn(Turn.last);
  if (s.side === "client") return s.close();
  s.stopReading();
  return s.advance();
}

export function shutdown(s: Session): void {
  if (s.isOver) return;
  s.turn(Turn.last);
  if (s.side === "client") return s.advance();
  if (s.reading === Reading.line && !s.isHeadBegun) {
    s.reading = Reading.deaf;
    s.inbox.clear();
  }
  return s.advance();
}
