import { forbidsContent, isInterim, isSuccess } from "../http/index.ts";
import { fault, type FaultName } from "./faults.ts";
import { extentOf, Framing, NO_CONTENT, type Extent } from "./framing.ts";
import { beginContent } from "./receive.ts";
import { Reading, type Session } from "./session.ts";
import { Input, type State, step, Turn } from "./state.ts";
import type { Exchange } from "./exchange.ts";
import { connectionOptions, protocolsOf } from "./take-request.ts";

/** A response whose head is whole: an interim one, one that switches, or the final one of the first exchange under way (rfc9112#9.2). */

export function takeResponse(s: Session): void {
  const exchange = s.first!;
  const { status } = s.start;
  s.reading = Reading.line;
  if (status === 101) return takeSwitch(s, exchange);
  if (isInterim(status)) return takeInterim(s, exchange);
  if (exchange.method === "CONNECT" && isSuccess(status)) return switchTo(s, exchange);
  return takeFinal(s, exchange);
}

function takeInterim(s: Session, exchange: Exchange): void {
  if (++exchange.interims > s.limits.interims) return s.failResponse(fault("tooManyInterims"));
  return s.emit({ is: "interim", exchange: exchange.id, status: s.start.status, fields: s.lines.take() });
}

/** 101 is lawful for one of the protocols that were offered, and for no other (rfc9110#7.8); HTTP/1.0 does not have it (rfc9110#15.2). */
function takeSwitch(s: Session, exchange: Exchange): void {
  const { lines } = s;
  const chosen = lines.upgrade < 0 ? [] : protocolsOf(lines);
  const offered = exchange.upgrade.map((protocol) => protocol.toLowerCase());
  const isOffered = chosen.length > 0 && chosen.every((protocol) => offered.includes(protocol.toLowerCase()));
  const isNamed = lines.connection >= 0 && connectionOptions(lines)?.includes("upgrade") === true;
  if (!isOffered || !isNamed || s.start.version === "HTTP/1.0") return s.failResponse(fault("switchUnasked"));
  return switchTo(s, exchange);
}

function switchTo(s: Session, exchange: Exchange): void {
  exchange.switched = { status: s.start.status, fields: s.lines.take() };
  s.end(exchange, Input.switch);
  s.reading = Reading.held;
  s.advance();
}

function takeFinal(s: Session, exchange: Exchange): void {
  const { start, lines } = s;
  const { status, reason, version } = start;
  const extent: Extent | FaultName = forbidsContent(exchange.method, status) ? NO_CONTENT : extentOf(lines, version, false, s.lenient);
  if (typeof extent === "string") return s.failResponse(fault(extent));
  if (extent.length > s.limits.contentOctets) return s.failResponse(fault("contentTooLarge"));
  // What cannot be read as a list of options is taken for the worst of them.
  const options = lines.connection < 0 ? [] : (connectionOptions(lines) ?? ["close"]);
  const persists = options.includes("close") ? false : version === "HTTP/1.1" || options.includes("keep-alive");
  if (!persists || extent.closes) {
    exchange.closes = true;
    s.turn(Turn.last);
  }
  exchange.version = version;
  s.peerVersion = version;
  exchange.state = step(exchange.state, Input["response head"]) as State;
  const end = extent.framing === Framing.none;
  s.emit({ is: "response", exchange: exchange.id, status, reason, version, fields: lines.take(), end });
  if (!end) return beginContent(s, exchange, extent);
  s.end(exchange, Input["response end"]);
  return s.advance();
}
