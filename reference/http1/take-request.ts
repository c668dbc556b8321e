import { Exchange } from "./exchange.ts";
import { fault, type FaultName } from "./faults.ts";
import type { FieldLines } from "./field-lines.ts";
import { Kind } from "./field-names.ts";
import { connectionOptions, protocolsOf } from "./connection-fields.ts";
import { destinationOf } from "./destination.ts";
import { extentOf, Framing } from "./framing.ts";
import { readingAfter } from "./intake.ts";
import type { Pipeline } from "./pipeline.ts";
import { Input, Turn } from "./state.ts";

const NONE: readonly string[] = [];

/** Judges a request whose head is complete, and opens its exchange. */
export function takeRequest(p: Pipeline, lines: FieldLines): void {
  const { intake, limits } = p;
  const { start } = intake;
  const { method, target, version } = start;
  const isModern = version === "HTTP/1.1";
  const destination = destinationOf(intake, lines, p.scheme, isModern && !p.lenient.missingHost);
  if (typeof destination === "string") return refuse(p, destination);
  const extent = extentOf(lines, version, true, p.lenient);
  if (typeof extent === "string") return refuse(p, extent);
  if (extent.length > limits.contentOctets) return refuse(p, "contentTooLarge");
  const end = extent.framing === Framing.none;
  if (!end && method === "CONNECT") return refuse(p, "connectWithContent");

  // HTTP/1.0 has neither expectations nor upgrades (rfc9110#7.8, #10.1.1).
  let expects = false;
  if (lines.expect >= 0 && isModern) {
    const expected = lines.list("expect", Kind.expect, lines.expect).toLowerCase();
    if (expected !== "100-continue") return refuse(p, "expectationUnknown");
    expects = !end;
  }
  let closes = !isModern || extent.closes;
  let upgrade = NONE;
  if (lines.connection >= 0) {
    const options = connectionOptions(lines);
    if (options === undefined) return refuse(p, "connectionInvalid");
    if (options.includes("close")) closes = true;
    else if (!isModern) closes = !options.includes("keep-alive");
    if (lines.upgrade >= 0 && isModern && options.includes("upgrade")) upgrade = protocolsOf(lines);
  }

  const id = p.exchanges.nextId;
  const exchange = new Exchange(id, method);
  exchange.version = version;
  exchange.awaits100 = expects;
  exchange.upgrade = upgrade;
  exchange.closes = closes || id >= limits.requests;
  if (exchange.closes) p.turn(Turn.last);
  p.exchanges.push(exchange);
  const { scheme, authority, path } = destination;
  p.emit({
    is: "request",
    exchange: id,
    method,
    target,
    version,
    scheme,
    authority,
    path,
    fields: lines.take(),
    end,
    expects,
    upgrade,
  });
  if (!end) return intake.beginContent(exchange, extent);
  exchange.move(Input["request end"]);
  return intake.readOn(readingAfter("server", exchange));
}

const refuse = (p: Pipeline, name: FaultName): void => p.refuse(fault(name));
