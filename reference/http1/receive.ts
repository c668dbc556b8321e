import { ChunkedBody } from "./body-chunked.ts";
import { CloseBody } from "./body-close.ts";
import { LengthBody } from "./body-length.ts";
import type { Exchange } from "./exchange.ts";
import { fault, type Fault } from "./faults.ts";
import { Progress } from "./field-lines.ts";
import { Framing, type Extent } from "./framing.ts";
import { Reading, type Session } from "./session.ts";
import { Input, Standing, State, Turn } from "./state.ts";
import { takeRequest } from "./take-request.ts";
import { takeResponse } from "./take-response.ts";

/** What comes from the peer, read as far as it goes: start line, fields, content, and again. */

export function receive(s: Session): void {
  for (;;) {
    if (s.isOver) return;
    const { reading } = s;
    if (reading === Reading.line ? readLine(s) : reading === Reading.fields ? readFields(s) : readOn(s)) continue;
    return;
  }
}

/** Each of these returns whether to go on; else more octets are needed, or an answer. */
function readLine(s: Session): boolean {
  const { inbox, start, lenient, limits } = s;
  const isServer = s.side === "server";
  if (isServer && s.open >= limits.pipelined) return false;
  if (!s.isHeadBegun) {
    if (s.standing !== Standing.persistent && isServer) return deafen(s);
    if (inbox.length === 0) return ranOut(s);
    s.isHeadBegun = true;
    s.stamp();
  }
  let progress = start.skipEmptyLines(inbox, lenient, limits);
  if (progress === Progress.done) {
    if (!isServer && !isAwaiting(s)) return failed(s, fault("responseUnasked"));
    // Any octet of a response is an answer to the request: it is not sent again by itself.
    if (!isServer) s.first!.isHeard = true;
    progress = isServer ? start.readRequest(inbox, lenient, limits) : start.readStatus(inbox, lenient, limits);
  }
  if (progress === Progress.wrong) return failed(s, fault(start.wrong));
  if (progress === Progress.wait) {
    // Empty lines between messages are no beginning of one.
    if (inbox.length === 0) s.isHeadBegun = false;
    return ranOut(s);
  }
  s.lines.begin(limits.fieldOctets, limits.fields, "fieldsTooLarge");
  s.reading = Reading.fields;
  return true;
}
/** Client: whether a response is due. */
const isAwaiting = (s: Session): boolean => s.first !== undefined && s.first.state !== State.answered;

function readFields(s: Session): boolean {
  const progress = s.lines.read(s.inbox, s.lenient);
  if (progress === Progress.wait) return ranOut(s);
  if (progress === Progress.wrong) return failed(s, fault(s.lines.wrong));
  s.isHeadBegun = false;
  s.stamp();
  if (s.side === "server") takeRequest(s);
  else takeResponse(s);
  return true;
}

function readOn(s: Session): boolean {
  if (s.reading === Reading.content) return readContent(s);
  if (s.reading === Reading.deaf) {
    s.dropped += s.inbox.length;
    s.inbox.clear();
  }
  return false;
}

function readContent(s: Session): boolean {
  const body = s.body!;
  const progress = body.read(s.inbox, s);
  if (progress === Progress.wrong) return failed(s, fault((body as ChunkedBody).wrong));
  const exchange = s.reader!;
  if (progress === Progress.done) {
    endContent(s, exchange);
    return true;
  }
  if (exchange.state === State.answered) s.advance();
  return ranOut(s);
}

/** The message of the peer is whole. */
function endContent(s: Session, exchange: Exchange): void {
  s.body = undefined;
  s.reader = undefined;
  s.stamp();
  s.end(exchange, s.side === "server" ? Input["request end"] : Input["response end"]);
  s.reading = nextReading(s, exchange);
  s.advance();
}

/** How to read on after a message without content, or after its content. */
export function nextReading(s: Session, exchange: Exchange): Reading {
  if (s.side === "client") return Reading.line;
  if (exchange.closes) return Reading.deaf;
  // What follows is the tunnel's, or the other protocol's, or another request, as the answer will say (rfc9110#7.8, #9.3.6).
  const mayChange = exchange.method === "CONNECT" || exchange.upgrade.length > 0;
  const isOpen = exchange.state === State.asking || exchange.state === State.asked || exchange.state === State.switching;
  return mayChange && isOpen ? Reading.held : Reading.line;
}

/** Reads the content of `exchange` from here on. */
export function beginContent(s: Session, exchange: Exchange, { framing, length }: Extent): void {
  s.reader = exchange;
  s.reading = Reading.content;
  s.discarded = 0;
  if (framing === Framing.length) s.body = new LengthBody(length);
  else if (framing === Framing.chunked) s.body = new ChunkedBody(s.lines, s.limits, s.lenient);
  else s.body = new CloseBody();
}

/** Client and server alike end with the first message that cannot be read: what follows it is not known (rfc9112#2.2, #6.3). */
function failed(s: Session, found: Fault): false {
  if (s.side === "client") s.failResponse(found);
  else if (s.reading === Reading.content) s.failRequest(found);
  else s.refuse(found, s.start.method === "HEAD");
  return false;
}

/** A server that will take no further request (rfc9112#9.6). */
function deafen(s: Session): true {
  s.reading = Reading.deaf;
  s.advance();
  return true;
}

/** No octets are left: that is the end of it where the peer has ended. */
function ranOut(s: Session): false {
  if (s.hasPeerEnded) ended(s);
  return false;
}

function ended(s: Session): void {
  if (s.isOver) return undefined;
  if (s.side === "server") {
    if (s.reading === Reading.content) s.failRequest(fault("endedEarly"));
    else if (s.reading === Reading.fields || s.inbox.length > 0) s.refuse(fault("endedEarly"), s.start.method === "HEAD");
    else {
      s.turn(Turn["peer ended"]);
      deafen(s);
    }
    return undefined;
  }
  if (s.reading === Reading.content && s.body instanceof CloseBody) {
    s.content(new Uint8Array(0), true);
    s.reader!.closes = true;
    return endContent(s, s.reader!);
  }
  if (s.first !== undefined && s.first.state === State.answered) {
    s.first.closes = true;
    return s.advance();
  }
  const isCut = s.first !== undefined && s.first.isHeard;
  return s.close(isCut || s.inbox.length > 0 ? fault("endedEarly") : undefined);
}
