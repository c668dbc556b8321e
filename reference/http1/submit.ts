import { Misuse, type Field } from "../core/index.ts";
import { forbidsContent, isInterim, isSuccess, isToken, trimSpace } from "../http/index.ts";
import type { Declined, ExchangeId } from "./contract.ts";
import { Exchange } from "./exchange.ts";
import { Framing } from "./framing.ts";
import { writeChunked, writeConnection, writeLineEnd, writeStatusLine, writeZeroLength, type HeadWriter } from "./head-writer.ts";
import { Reading, readingAfter } from "./intake.ts";
import type { Pipeline } from "./pipeline.ts";
import { receive } from "./receive.ts";
import { sendContent, sendTrailers } from "./send-content.ts";
import { isTargetText } from "./start-line.ts";
import { Input, State, Turn } from "./state.ts";
import { writeText } from "./text.ts";

/**
 * The owner's actions, a function each. A mistake that the owner could avoid throws `Misuse`, and nothing is written. An action that comes
 * too late (the peer has just gone) is ignored: the event that explains why is on its way.
 */

function mustAllow(exchange: Exchange, input: Input, why: string): void {
  if (!exchange.allows(input)) throw new Misuse(`exchange ${exchange.id}: ${why}`);
}

// Server.

/** What a response begins with. */
type Head = { readonly status: number; readonly fields: readonly Field[] };

export function interim(p: Pipeline, id: ExchangeId, { status, fields }: Head): void {
  mustBeServer(p);
  if (!isInterim(status) || status === 101) throw new Misuse(`${status} is not an interim status: give 100, or 102 to 199`);
  const exchange = p.exchanges.find(id);
  if (exchange === undefined) return;
  mustAllow(exchange, Input.interim, "interim responses come before the final one, which has begun");
  if (exchange.version === "HTTP/1.0") return;
  const head = p.newHead();
  const w = p.outputOf(exchange).writer;
  const begun = w.length;
  try {
    writeStatusLine(w, status);
    head.writeWithoutLength(w, fields);
  } catch (error) {
    w.rewind(begun);
    throw error;
  }
  writeConnection(w, "", head.options);
  writeLineEnd(w);
  if (status !== 100 || !exchange.awaits100) return;
  exchange.awaits100 = false;
  p.clock.restartPending();
}

export function respond(p: Pipeline, id: ExchangeId, { status, fields }: Head, end: boolean): void {
  mustBeServer(p);
  if (!(status >= 200 && status <= 999) || !Number.isInteger(status)) throw new Misuse(`${status} is not a final status: give 200 to 999`);
  const exchange = p.exchanges.find(id);
  if (exchange === undefined) return;
  mustAllow(exchange, Input["response head"], "it already has a response");
  const isConnect = exchange.method === "CONNECT";
  if (isConnect && isSuccess(status)) throw new Misuse("2xx to CONNECT switches protocols: use switchTo (rfc9110#9.3.6)");
  const noContent = forbidsContent(exchange.method, status);
  const head = p.newHead();
  const w = p.outputOf(exchange).writer;
  const begun = w.length;
  writeStatusLine(w, status);
  try {
    if (status === 204) head.writeWithoutLength(w, fields);
    else head.write(w, fields);
    if (end && head.contentLength > 0 && !noContent)
      throw new Misuse(`content-length is ${head.contentLength}, but the response has no content`);
  } catch (error) {
    w.rewind(begun);
    throw error;
  }
  exchange.framing = noContent || end ? Framing.none : responseFraming(exchange, head);
  exchange.owed = exchange.framing === Framing.length ? head.contentLength : -1;
  // What follows a refused CONNECT may be meant for the tunnel; what follows an unmet expectation may be its content.
  if (head.closes || exchange.framing === Framing.close || exchange.awaits100 || isConnect) exchange.closes = true;
  else if (exchange === p.exchanges.last && (isEnding(p) || p.isTooLongToDiscard(exchange))) exchange.closes = true;
  writeConnection(w, exchange.closes ? "close" : exchange.version === "HTTP/1.0" ? "keep-alive" : "", head.options);
  if (exchange.framing === Framing.chunked) writeChunked(w);
  else if (end && !noContent && head.contentLength < 0) writeZeroLength(w);
  writeLineEnd(w);

  exchange.move(Input["response head"]);
  if (exchange.closes) last(p, exchange);
  if (end) return endResponse(p, exchange);
  return resume(p, exchange);
}

/** Whether, as far as we know, no request follows those that are open. */
function isEnding({ intake, isPersistent, isRefusing }: Pipeline): boolean {
  return (!isPersistent && !isRefusing && !intake.isHeadBegun) || (intake.hasEnded && intake.inbox.length === 0);
}

function responseFraming({ version }: Exchange, { contentLength }: HeadWriter): Framing {
  if (contentLength >= 0) return Framing.length;
  return version === "HTTP/1.1" ? Framing.chunked : Framing.close;
}

/** No request after this exchange is processed (rfc9112#9.6). */
function last(p: Pipeline, exchange: Exchange): void {
  p.turn(Turn.last);
  if (p.intake.body?.exchange !== exchange) p.intake.stop();
}

function endResponse(p: Pipeline, exchange: Exchange): void {
  exchange.move(Input["response end"]);
  if (exchange === p.exchanges.first) p.advance();
  resume(p, exchange);
}

/** Reads on if reading waited for this response. */
function resume(p: Pipeline, exchange: Exchange): void {
  const { intake } = p;
  const { inbox } = intake;
  if (intake.reading === Reading.held && exchange.state !== State.switching && exchange.state !== State.switched) {
    intake.readOn(readingAfter(p.side, exchange));
  }
  if (intake.reading !== Reading.line || (inbox.length === 0 && !intake.hasEnded && p.isPersistent)) return;
  receive(p);
  inbox.settle();
}

export function switchTo(p: Pipeline, id: ExchangeId, { status, fields }: Head): void {
  mustBeServer(p);
  const exchange = p.exchanges.find(id);
  if (exchange === undefined) return;
  const isTunnel = exchange.method === "CONNECT";
  if (isTunnel ? !isSuccess(status) : status !== 101) throw new Misuse(`${status} does not switch: give 101, or 2xx to CONNECT`);
  if (!isTunnel && exchange.upgrade.length === 0) throw new Misuse("the client has offered no protocol to switch to (rfc9110#7.8)");
  mustAllow(exchange, Input.switch, "it already has a response");
  const head = p.newHead();
  const w = p.outputOf(exchange).writer;
  const begun = w.length;
  try {
    writeStatusLine(w, status);
    head.writeWithoutLength(w, fields);
    if (!isTunnel) mustBeOffered(exchange, head.upgrade);
  } catch (error) {
    w.rewind(begun);
    throw error;
  }
  if (!isTunnel && head.upgrade === "") writeText(w, `Upgrade: ${exchange.upgrade[0]}\r\n`);
  writeConnection(w, "", isTunnel ? head.options : `, upgrade${head.options.replace(", upgrade", "")}`);
  writeLineEnd(w);
  exchange.switched = { status, fields };
  exchange.move(Input.switch);
  p.advance();
}
function mustBeOffered({ upgrade }: Exchange, chosen: string): void {
  if (chosen === "") return;
  const offered = upgrade.map((protocol) => protocol.toLowerCase());
  const isOffered = chosen.split(",").every((protocol) => offered.includes(trimSpace(protocol).toLowerCase()));
  if (!isOffered) throw new Misuse(`upgrade: ${chosen} was not offered (rfc9110#7.8)`);
}
function mustBeServer(p: Pipeline): void {
  if (p.side === "client") throw new Misuse("a client sends no responses");
}

// Client.

type Line = { readonly method: string; readonly target: string };

export function request(p: Pipeline, { method, target }: Line, fields: readonly Field[], end: boolean): ExchangeId {
  if (p.side === "server") throw new Misuse("a server sends no requests");
  if (!accepts(p)) throw new Misuse("the connection accepts no further request: check `accepting`, and open another");
  if (!isToken(method)) throw new Misuse(`${JSON.stringify(method)} is not a method`);
  if (target === "" || !isTargetText(target, false)) {
    throw new Misuse(`${JSON.stringify(target)} is not a request target: escape its other characters`);
  }
  if (method === "CONNECT" && !end) throw new Misuse("CONNECT has no content: what follows belongs to the tunnel (rfc9110#9.3.6)");
  const exchange = new Exchange(p.exchanges.nextId, method);
  const head = p.newHead();
  const w = p.output.writer;
  const begun = w.length;
  try {
    writeText(w, `${method} ${target} HTTP/1.1\r\n`);
    head.write(w, fields);
    if (head.hosts !== 1) throw new Misuse("a request has one Host field (rfc9112#3.2)");
    if (end && head.contentLength > 0) throw new Misuse(`content-length is ${head.contentLength}, but the request has no content`);
    if (!end && head.contentLength < 0 && p.peerVersion === "HTTP/1.0") throw new Misuse("HTTP/1.0 has no chunks: give content-length");
  } catch (error) {
    w.rewind(begun);
    throw error;
  }
  exchange.framing = end ? Framing.none : head.contentLength >= 0 ? Framing.length : Framing.chunked;
  exchange.owed = exchange.framing === Framing.length ? head.contentLength : -1;
  if (head.upgrade !== "" && head.options.includes(", upgrade")) exchange.upgrade = head.upgrade.split(",").map(trimSpace);
  exchange.closes = head.closes;
  if (head.closes) p.turn(Turn.last);
  writeConnection(w, head.closes ? "close" : "", head.options);
  if (exchange.framing === Framing.chunked) writeChunked(w);
  else if (end && head.contentLength < 0 && ANTICIPATES_CONTENT.has(method)) writeZeroLength(w);
  writeLineEnd(w);
  p.exchanges.push(exchange);
  if (end) exchange.move(Input["request end"]);
  return exchange.id;
}
/** Methods that anticipate content: without any, the request says so (rfc9110#8.6). */
const ANTICIPATES_CONTENT: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

/** Client: whether another request may be sent. Content must end first, and so must an attempt to switch protocols. */
export function accepts({ side, isPersistent, intake, exchanges }: Pipeline): boolean {
  if (side === "server" || !isPersistent || intake.hasEnded) return false;
  const { last: exchange } = exchanges;
  if (exchange === undefined) return true;
  const { state } = exchange;
  if (state === State.asking || state === State.crossing || state === State.answered) return false;
  return exchange.method !== "CONNECT" && exchange.upgrade.length === 0;
}

// Both.

export function data(p: Pipeline, id: ExchangeId, bytes: Uint8Array, end: boolean): boolean {
  const exchange = p.exchanges.find(id);
  if (exchange === undefined) return true;
  mustHaveContent(p, exchange);
  countContent(exchange, bytes.length, end);
  const hasRoom = sendContent(p, exchange, bytes, end);
  if (end) endMessage(p, exchange);
  return hasRoom;
}

export function trailers(p: Pipeline, id: ExchangeId, fields: readonly Field[]): void {
  const exchange = p.exchanges.find(id);
  if (exchange === undefined) return;
  mustHaveContent(p, exchange);
  countContent(exchange, 0, true);
  sendTrailers(p, exchange, fields);
  endMessage(p, exchange);
}

function mustHaveContent(p: Pipeline, exchange: Exchange): void {
  const input = p.side === "server" ? Input["response content"] : Input["request content"];
  mustAllow(exchange, input, "its content has not begun, or has ended");
}
/** Our own messages must be well-formed (rfc9112#6.3). */
function countContent(exchange: Exchange, octets: number, end: boolean): void {
  if (octets > 0 && exchange.framing === Framing.none) {
    throw new Misuse(`exchange ${exchange.id}: a response to HEAD, a 204 and a 304 have no content`);
  }
  const { owed } = exchange;
  if (owed < 0) return;
  if (octets > owed || (end && octets < owed)) throw new Misuse(`exchange ${exchange.id}: the content does not match its content-length`);
  exchange.owed = owed - octets;
}
function endMessage(p: Pipeline, exchange: Exchange): void {
  if (p.side === "server") return endResponse(p, exchange);
  exchange.move(Input["request end"]);
  return p.advance();
}

/** The owner has read content; if that makes room, the wait for more begins anew. */
export function consumed(p: Pipeline, octets: number): void {
  if (octets > 0 && !p.isOver && p.intake.consume(octets)) p.clock.restartPending();
}

export function decline(p: Pipeline, id: ExchangeId, rest: Declined): void {
  mustBeServer(p);
  const exchange = p.exchanges.find(id);
  if (exchange !== undefined) exchange.declined = rest;
}

export function abandon(p: Pipeline, id: ExchangeId): void {
  const exchange = p.exchanges.find(id);
  if (exchange === undefined) return;
  exchange.isDead = true;
  p.turn(Turn.last);
  if (p.side === "client") return p.close();
  p.intake.stop();
  return p.advance();
}

export function shutdown(p: Pipeline): void {
  if (p.isOver) return;
  p.turn(Turn.last);
  const { intake } = p;
  if (p.side === "server" && intake.reading === Reading.line && !intake.isHeadBegun) intake.stop();
  p.advance();
}
