import { Misuse } from "../../core/index.ts";
import type { ConnectionInfo, Request, Response } from "../../http/index.ts";
import type { Transport } from "../../http3/index.ts";
import type { Filter, Link } from "../../io/index.ts";
import type { Exchange, Handler } from "../handler.ts";
import type { FaultInfo } from "./fault.ts";
import * as http1 from "./http1/index.ts";
import * as http2 from "./http2/index.ts";
import * as http3 from "./http3/index.ts";
import { faultJson, faultLines, nameIn, parseSpec, type Asked } from "./spec.ts";
import type { Wanted } from "./wanted.ts";
import * as websocket from "./websocket/index.ts";

/** The faults of servers, by protocol and name. A name is permanent. */
export const FAULTS = {
  http1: http1.SERVER_FAULTS,
  http2: http2.SERVER_FAULTS,
  http3: http3.SERVER_FAULTS,
  websocket: websocket.SERVER_FAULTS,
} as const satisfies Readonly<Record<string, readonly FaultInfo[]>>;
export type Faulty = keyof typeof FAULTS;
/** The faults of clients. */
export const CLIENT_FAULTS = {
  http1: http1.CLIENT_FAULTS,
  http2: http2.CLIENT_FAULTS,
  http3: http3.CLIENT_FAULTS,
  websocket: websocket.CLIENT_FAULTS,
} as const satisfies Readonly<Record<Faulty, readonly FaultInfo[]>>;
const SIDES = { server: FAULTS, client: CLIENT_FAULTS } as const;
type Side = keyof typeof SIDES;

/** How each protocol is called. */
const TITLES: Readonly<Record<Faulty, string>> = { http1: "HTTP/1.1", http2: "HTTP/2", http3: "HTTP/3", websocket: "WebSocket" };

/** The request field that asks for a fault. Several lines ask for several faults. */
const FAULT_FIELD = "touchstone-fault";
const MOST_OF_A_REQUEST = 8;

/** Parses `name:arg=value,…` for each of the protocols; throws `Misuse` with one line that lists what is valid. */
export function checkFaults(specs: readonly string[], protocols: readonly Faulty[], side: Side = "server"): void {
  for (const spec of specs) for (const protocol of protocols) parsed<FaultInfo>(spec, side, protocol, SIDES[side][protocol]);
}
function parsed<Of extends FaultInfo>(spec: string, side: Side, protocol: Faulty, known: readonly Of[]): Asked<Of> {
  const name = nameIn(spec);
  const has = (one: readonly FaultInfo[]): boolean => one.some((fault) => fault.name === name);
  const others = has(known) ? [] : Object.keys(FAULTS).filter((other): other is Faulty => has(SIDES[side][other as Faulty]));
  if (others.length === 0) return parseSpec(spec, known, TITLES[protocol]);
  const names = known.map((fault) => fault.name).join(", ");
  const elsewhere = others.map((other) => TITLES[other]).join(" and ");
  throw new Misuse(`${TITLES[protocol]} cannot do "${name}", which ${elsewhere} can: speak that alone, or choose from ${names}.`);
}

/** What performs the faults of a connection; messages register with it. */
interface FaultyLine<Of extends FaultInfo> {
  /** The number of the message that answers a request. */
  serving(request: Request, exchange: Exchange): number;
  /** Adds faults for one message; false if there are too many. */
  add(message: number, asked: readonly Asked<Of>[]): boolean;
}
type Table<Of extends FaultInfo, Under, Made> = {
  readonly protocol: Faulty;
  readonly known: readonly Of[];
  line(under: Under, asked: readonly Asked<Of>[]): Made;
};
/** A handler, and what stands between its connections and what is under them, which together perform faults. */
type Misbehaving<Under, Made> = { readonly handler: Handler; readonly filter: (connection: ConnectionInfo, under: Under) => Made };

function misbehaving<Of extends FaultInfo, Under, Made extends FaultyLine<Of>>(
  handler: Handler,
  { faults = [], faultByRequest = false }: Wanted,
  table: Table<Of, Under, Made>,
): Misbehaving<Under, Made> {
  const parse = (spec: string): Asked<Of> => parsed(spec, "server", table.protocol, table.known);
  const asked = faults.map(parse);
  const lines = new WeakMap<ConnectionInfo, FaultyLine<Of>>();
  return {
    filter: (connection, under) => {
      const line = table.line(under, asked);
      lines.set(connection, line);
      return line;
    },
    handler: (request, exchange) => {
      const line = lines.get(exchange.connection);
      if (line === undefined) return handler(request, exchange);
      const message = line.serving(request, exchange);
      const wanted = faultByRequest ? request.fields.all(FAULT_FIELD) : [];
      if (wanted.length === 0) return handler(request, exchange);
      try {
        if (!line.add(message, ofRequest(wanted.map(parse))))
          throw new Misuse("The connection has too many concurrent faults: use another.");
      } catch (error) {
        if (error instanceof Misuse) return refusal(error.message);
        throw error;
      }
      return handler(request, exchange);
    },
  };
}
function ofRequest<Of extends FaultInfo>(asked: readonly Asked<Of>[]): readonly Asked<Of>[] {
  if (asked.length > MOST_OF_A_REQUEST) throw new Misuse(`A request may ask for ${MOST_OF_A_REQUEST} faults at most.`);
  for (const { fault } of asked)
    if (!fault.byRequest) throw new Misuse(`${fault.name} affects a whole connection: a request cannot ask for it.`);
  return asked;
}
const refusal = (why: string): Response => ({ status: 400, fields: [["content-type", "text/plain"]], body: `${why}\n` });

/** For a server of HTTP/1.1; undefined if no fault is wanted. */
export function http1Faults(handler: Handler, wanted: Wanted): Misbehaving<Link, Filter> | undefined {
  if (!isWanted(wanted)) return undefined;
  return misbehaving(handler, wanted, {
    protocol: "http1",
    known: http1.SERVER_FAULTS,
    line: (link, asked) => new http1.Http1FaultyLine(link, http1.SERVER_KIT, asked),
  });
}
/** For a server of HTTP/2; undefined if no fault is wanted. */
export function http2Faults(handler: Handler, wanted: Wanted): Misbehaving<Link, Filter> | undefined {
  if (!isWanted(wanted)) return undefined;
  return misbehaving(handler, wanted, {
    protocol: "http2",
    known: http2.SERVER_FAULTS,
    line: (link, asked) => new http2.Http2FaultyLine(link, http2.SERVER_KIT, asked),
  });
}
/** What is under a connection of HTTP/3: its transport, and what sends what waits there. */
export type Http3Under = { readonly transport: Transport; wake(): void };
/** For a server of HTTP/3; undefined if no fault is wanted. */
export function http3Faults(handler: Handler, wanted: Wanted): Misbehaving<Http3Under, http3.Http3FaultyLine> | undefined {
  if (!isWanted(wanted)) return undefined;
  return misbehaving(handler, wanted, {
    protocol: "http3",
    known: http3.SERVER_FAULTS,
    line: ({ transport, wake }, asked) => new http3.Http3FaultyLine(transport, wake, http3.SERVER_KIT, asked),
  });
}
const isWanted = ({ faults = [], faultByRequest = false }: Wanted): boolean => faults.length > 0 || faultByRequest;

/** The filter of a client's connection, if faults are wanted. */
export function clientFaults(protocol: "http1" | "http2", specs: readonly string[]): ((link: Link) => Filter) | undefined {
  if (specs.length === 0) return undefined;
  if (protocol === "http1") {
    const asked = specs.map((spec) => parsed(spec, "client", protocol, http1.CLIENT_FAULTS));
    return (link) => new http1.Http1FaultyLine(link, http1.CLIENT_KIT, asked);
  }
  const asked = specs.map((spec) => parsed(spec, "client", protocol, http2.CLIENT_FAULTS));
  return (link) => new http2.Http2FaultyLine(link, http2.CLIENT_KIT, asked);
}

/** What is under a client's connection of HTTP/3, if faults are wanted. */
export function http3ClientFaults(specs: readonly string[]): ((under: Http3Under) => http3.Http3FaultyLine) | undefined {
  if (specs.length === 0) return undefined;
  const asked = specs.map((spec) => parsed(spec, "client", "http3", http3.CLIENT_FAULTS));
  return ({ transport, wake }) => new http3.Http3FaultyLine(transport, wake, http3.CLIENT_KIT, asked);
}

/** The filter of the connections of a WebSocket endpoint; undefined if no fault is wanted. */
export function webSocketFaults(side: "server" | "client", specs: readonly string[] = []): ((link: Link) => Filter) | undefined {
  if (specs.length === 0) return undefined;
  const [kit, known] =
    side === "server" ? [websocket.SERVER_KIT, websocket.SERVER_FAULTS] : [websocket.CLIENT_KIT, websocket.CLIENT_FAULTS];
  const asked = specs.map((spec) => parsed(spec, side, "websocket", known));
  return (link) => new websocket.WebSocketFaultyLine(link, kit, asked);
}

/** The tables of these protocols as text, each with its heading if there are several. */
export const listFaults = (protocols: readonly Faulty[]): string[] =>
  protocols.flatMap((protocol) => [...(protocols.length > 1 ? [`${TITLES[protocol]}:`] : []), ...faultLines(FAULTS[protocol])]);
/** The tables of these protocols for programs. */
export const faultsForPrograms = (protocols: readonly Faulty[]): object[] =>
  protocols.flatMap((protocol) => faultJson(FAULTS[protocol]).map((fault) => ({ ...fault, protocol })));

export type { FaultInfo as Fault } from "./fault.ts";
export type { Http3FaultyLine } from "./http3/index.ts";
