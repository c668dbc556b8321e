import { ChunkedBody } from "./body-chunked.ts";
import { CloseBody } from "./body-close.ts";
import type { Body } from "./content.ts";
import type { Exchange } from "./exchange.ts";
import { fault, type Fault } from "./faults.ts";
import { Progress } from "./field-lines.ts";
import { Reading, readingAfter } from "./intake.ts";
import type { Pipeline } from "./pipeline.ts";
import { Input, State, Turn } from "./state.ts";
import { takeRequest } from "./take-request.ts";
import { takeResponse } from "./take-response.ts";

/** Reads what has arrived, as far as it goes: start line, fields, content, and the next message. */
export function receive(p: Pipeline): void {
  for (;;) {
    if (p.isOver) return;
    const { reading } = p.intake;
    if (reading === Reading.line ? readLine(p) : reading === Reading.fields ? readFields(p) : readOn(p)) continue;
    return;
  }
}

/** This and the next three return whether to go on; if not, more octets are needed, or a response of ours. */
function readLine(p: Pipeline): boolean {
  const { intake, limits } = p;
  const { inbox, start } = intake;
  const isServer = p.side === "server";
  if (isServer && p.exchanges.size >= limits.pipelined) return false;
  if (!intake.isHeadBegun) {
    if (!p.isPersistent && isServer) return deafen(p);
    if (inbox.length === 0) return ranOut(p);
    intake.beginHead();
    p.clock.restart();
  }
  let progress = start.skipEmptyLines(inbox);
  if (progress === Progress.done) {
    if (isServer) progress = start.readRequest(inbox);
    else {
      const exchange = awaited(p);
      if (exchange === undefined) return failed(p, fault("responseUnasked"));
      // Any octet of a response means that the server has seen the request: it is not retried.
      exchange.isHeard = true;
      progress = start.readStatus(inbox);
    }
  }
  if (progress === Progress.wrong) return failed(p, fault(start.wrong));
  if (progress === Progress.wait) {
    if (inbox.length === 0) intake.forgetHead();
    return ranOut(p);
  }
  intake.beginFields();
  return true;
}
/** Client: the exchange whose response is due. */
function awaited(p: Pipeline): Exchange | undefined {
  const { first } = p.exchanges;
  return first === undefined || first.state === State.answered ? undefined : first;
}

function readFields(p: Pipeline): boolean {
  const { intake } = p;
  const { lines } = intake;
  if (lines === undefined) return false;
  const progress = lines.read(intake.inbox);
  if (progress === Progress.wait) return ranOut(p);
  if (progress === Progress.wrong) return failed(p, fault(lines.wrong));
  intake.endHead();
  p.clock.restart();
  if (p.side === "server") takeRequest(p, lines);
  else {
    const exchange = awaited(p);
    if (exchange === undefined) return failed(p, fault("responseUnasked"));
    takeResponse(p, exchange, lines);
  }
  return true;
}

function readOn(p: Pipeline): boolean {
  const { intake } = p;
  if (intake.body !== undefined) return readContent(p, intake.body);
  if (intake.reading === Reading.deaf) intake.drop();
  return false;
}

function readContent(p: Pipeline, body: Body): boolean {
  const progress = body.read(p.intake.inbox, p);
  if (progress === Progress.done) {
    endContent(p, body.exchange);
    return true;
  }
  if (progress === Progress.wrong && body instanceof ChunkedBody) return failed(p, fault(body.wrong));
  if (body.exchange.state === State.answered) p.advance();
  return ranOut(p);
}

/** The peer's message is complete. */
function endContent(p: Pipeline, exchange: Exchange): void {
  p.intake.endContent();
  p.clock.restart();
  exchange.move(p.side === "server" ? Input["request end"] : Input["response end"]);
  p.intake.readOn(readingAfter(p.side, exchange));
  p.advance();
}

/** Both sides stop at the first message that they cannot read: where it ends is unknown (rfc9112#2.2, #6.3). */
function failed(p: Pipeline, found: Fault): false {
  const { body } = p.intake;
  if (p.side === "client") p.failResponse(found);
  else if (body !== undefined) p.failRequest(body.exchange, found);
  else p.refuse(found);
  return false;
}

/** A server accepts no further request (rfc9112#9.6). */
function deafen(p: Pipeline): true {
  p.intake.readOn(Reading.deaf);
  p.advance();
  return true;
}

/** No octets are left: the last ones if the peer has ended. */
function ranOut(p: Pipeline): false {
  if (p.intake.hasEnded) ended(p);
  return false;
}

function ended(p: Pipeline): void {
  if (p.isOver) return undefined;
  const { intake } = p;
  const { body, inbox } = intake;
  if (p.side === "server") {
    if (body !== undefined) p.failRequest(body.exchange, fault("endedEarly"));
    else if (intake.reading === Reading.fields || inbox.length > 0) p.refuse(fault("endedEarly"));
    else {
      p.turn(Turn["peer ended"]);
      deafen(p);
    }
    return undefined;
  }
  if (body instanceof CloseBody) {
    p.content(body.exchange, new Uint8Array(0), true);
    body.exchange.closes = true;
    return endContent(p, body.exchange);
  }
  const { first } = p.exchanges;
  if (first?.state === State.answered) {
    first.closes = true;
    return p.advance();
  }
  return p.close(first?.isHeard === true || inbox.length > 0 ? fault("endedEarly") : undefined);
}
