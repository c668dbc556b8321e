import { forbidsContent, isInterim, isSuccess } from "../http/index.ts";
import { connectionOptions, protocolsOf } from "./connection-fields.ts";
import type { Exchange } from "./exchange.ts";
import { fault, type FaultName } from "./faults.ts";
import type { FieldLines } from "./field-lines.ts";
import { extentOf, Framing, NO_CONTENT, type Extent } from "./framing.ts";
import { Reading } from "./intake.ts";
import type { Pipeline } from "./pipeline.ts";
import { Input, Turn } from "./state.ts";

/** Takes a response whose head is complete: an interim one, one that switches protocols, or the final one of `exchange` (rfc9112#9.2). */
export function takeResponse(p: Pipeline, exchange: Exchange, lines: FieldLines): void {
  const { status } = p.intake.start;
  p.intake.readOn(Reading.line);
  if (status === 101) return takeSwitch(p, exchange, lines);
  if (isInterim(status)) return takeInterim(p, exchange, lines);
  if (exchange.method === "CONNECT" && isSuccess(status)) return switchTo(p, exchange, lines);
  return takeFinal(p, exchange, lines);
}

function takeInterim(p: Pipeline, exchange: Exchange, lines: FieldLines): void {
  if (++exchange.interims > p.limits.interims) return p.failResponse(fault("tooManyInterims"));
  const { start } = p.intake;
  return p.emit({ is: "interim", exchange: exchange.id, status: start.status, fields: lines.take() });
}

/** 101 may name only protocols that were offered (rfc9110#7.8); HTTP/1.0 does not have it (rfc9110#15.2). */
function takeSwitch(p: Pipeline, exchange: Exchange, lines: FieldLines): void {
  const { start } = p.intake;
  const chosen = lines.upgrade < 0 ? [] : protocolsOf(lines);
  const offered = exchange.upgrade.map((protocol) => protocol.toLowerCase());
  const isOffered = chosen.length > 0 && chosen.every((protocol) => offered.includes(protocol.toLowerCase()));
  const isNamed = lines.connection >= 0 && connectionOptions(lines)?.includes("upgrade") === true;
  if (!isOffered || !isNamed || start.version === "HTTP/1.0") return p.failResponse(fault("switchUnasked"));
  return switchTo(p, exchange, lines);
}

function switchTo(p: Pipeline, exchange: Exchange, lines: FieldLines): void {
  const { start } = p.intake;
  exchange.switched = { status: start.status, fields: lines.take() };
  exchange.move(Input.switch);
  p.intake.readOn(Reading.held);
  p.advance();
}

function takeFinal(p: Pipeline, exchange: Exchange, lines: FieldLines): void {
  const { start } = p.intake;
  const { status, reason, version } = start;
  const extent: Extent | FaultName = forbidsContent(exchange.method, status) ? NO_CONTENT : extentOf(lines, version, false, p.lenient);
  if (typeof extent === "string") return p.failResponse(fault(extent));
  if (extent.length > p.limits.contentOctets) return p.failResponse(fault("contentTooLarge"));
  // An invalid list of options counts as `close`, the safest of them.
  const options = lines.connection < 0 ? [] : (connectionOptions(lines) ?? ["close"]);
  const persists = options.includes("close") ? false : version === "HTTP/1.1" || options.includes("keep-alive");
  if (!persists || extent.closes) {
    exchange.closes = true;
    p.turn(Turn.last);
  }
  exchange.version = version;
  p.learnVersion(version);
  exchange.move(Input["response head"]);
  const end = extent.framing === Framing.none;
  p.emit({ is: "response", exchange: exchange.id, status, reason, version, fields: lines.take(), end });
  if (!end) return p.intake.beginContent(exchange, extent);
  exchange.move(Input["response end"]);
  return p.advance();
}
