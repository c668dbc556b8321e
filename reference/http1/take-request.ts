import { isAuthority, parseTokens, readTarget, trimSpace } from "../http/index.ts";
import type { ExchangeId } from "./contract.ts";
import { Exchange } from "./exchange.ts";
import { fault, type FaultName } from "./faults.ts";
import { Kind } from "./field-names.ts";
import type { FieldLines } from "./field-lines.ts";
import { extentOf, Framing } from "./framing.ts";
import { beginContent, nextReading } from "./receive.ts";
import type { Session } from "./session.ts";
import { Input, Turn } from "./state.ts";

/** A request whose head is whole: what it asks is judged as a whole, and its exchange begins. */

/** The last value of Host found to be one: a connection names the same again and again. */
let goodHost = "";
/** Protocols offered, where there are none. */
const NONE: readonly string[] = [];

/** Where the request goes (rfc9112#3.3); of the request judged last. */
let scheme = "";
let authority = "";
let path = "";

export function takeRequest(s: Session): void {
  const { start, lines, limits } = s;
  const { method, target, version } = start;
  const isModern = version === "HTTP/1.1";
  const wrong = locate(s, method, target, isModern);
  if (wrong !== undefined) return refuse(s, wrong);
  const extent = extentOf(lines, version, true, s.lenient);
  if (typeof extent === "string") return refuse(s, extent);
  if (extent.length > limits.contentOctets) return refuse(s, "contentTooLarge");
  const end = extent.framing === Framing.none;
  if (!end && method === "CONNECT") return refuse(s, "connectWithContent");

  // Expectations and upgrades are unknown to HTTP/1.0 (rfc9110#7.8, #10.1.1).
  let expects = false;
  if (lines.expect >= 0 && isModern) {
    const expected = lines.list("expect", Kind.expect, lines.expect).toLowerCase();
    if (expected !== "100-continue") return refuse(s, "expectationUnknown");
    expects = !end;
  }
  let closes = !isModern || extent.closes;
  let upgrade = NONE;
  if (lines.connection >= 0) {
    const options = connectionOptions(lines);
    if (options === undefined) return refuse(s, "connectionInvalid");
    if (options.includes("close")) closes = true;
    else if (!isModern) closes = !options.includes("keep-alive");
    if (lines.upgrade >= 0 && isModern && options.includes("upgrade")) upgrade = protocolsOf(lines);
  }

  const exchange = new Exchange((s.lastId + 1) as ExchangeId, method);
  const { id } = exchange;
  exchange.version = version;
  exchange.awaits100 = expects;
  exchange.upgrade = upgrade;
  exchange.closes = closes || id >= limits.requests;
  if (exchange.closes) s.turn(Turn.last);
  s.add(exchange);
  s.emit({
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
  if (!end) return beginContent(s, exchange, extent);
  s.end(exchange, Input["request end"]);
  s.reading = nextReading(s, exchange);
  return undefined;
}

function refuse(s: Session, name: FaultName): void {
  s.refuse(fault(name), s.start.method === "HEAD");
}

/** Target and Host (rfc9112#3.2, #3.3). Host is judged also where the target overrides it. */
function locate(s: Session, method: string, target: string, isModern: boolean): FaultName | undefined {
  const { lines } = s;
  let host = "";
  if (lines.host >= 0) {
    host = lines.value(lines.host);
    if (lines.isRepeated(Kind.host)) return "hostRepeated";
    if (host !== goodHost) {
      if (!isAuthority(host)) return "hostInvalid";
      goodHost = host;
    }
  } else if (isModern && !s.lenient.missingHost) return "hostMissing";
  ({ scheme } = s);
  authority = host;
  path = target;
  if (target.charCodeAt(0) === 0x2f && method !== "CONNECT") return undefined;
  const found = readTarget(method, target);
  if (found === undefined) return "targetInvalid";
  if (found.form === "absolute") ({ scheme, authority, path } = found);
  else if (found.form === "authority") {
    ({ authority } = found);
    path = "";
  }
  return undefined;
}

const KEEP_ALIVE: readonly string[] = ["keep-alive"];
const CLOSE: readonly string[] = ["close"];
/** Connection options in lower case; undefined where it is no list of tokens (rfc9110#7.6.1). */
export function connectionOptions(lines: FieldLines): readonly string[] | undefined {
  const value = lines.list("connection", Kind.connection, lines.connection);
  if (value === "keep-alive" || value === "Keep-Alive") return KEEP_ALIVE;
  return value === "close" ? CLOSE : parseTokens(value);
}

/** The protocols of Upgrade in order (rfc9110#7.8). */
export const protocolsOf = (lines: FieldLines): readonly string[] =>
  lines
    .list("upgrade", Kind.upgrade, lines.upgrade)
    .split(",")
    .map(trimSpace)
    .filter((protocol) => protocol !== "");
