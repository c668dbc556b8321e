import { field, instant, type Field, type Instant } from "../core/index.ts";
import { Connection, type Options } from "./connection.ts";
import type { Event, ExchangeId } from "./contract.ts";

/** Shared by the tests of this folder: messages as text, with one character for each octet, and events as lines. */

export const T0: Instant = instant(0);
export const octets = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));
export const text = (bytes: Uint8Array): string => String.fromCharCode(...bytes);
export const join = (pieces: readonly Uint8Array[]): string => pieces.map((piece) => Buffer.from(piece).toString("latin1")).join("");
export const id = (number: number): ExchangeId => number as ExchangeId;
export const fieldList = (pairs: readonly (readonly [string, string])[]): Field[] => pairs.map(([name, value]) => field(name, value));
const sayFields = (fields: readonly Field[]): string => fields.map(({ name, value }) => ` ${name}=${value}`).join("");

/** Joins lines with CRLF, and adds the empty line after the head. */
export const head = (...lines: readonly string[]): string => [...lines, "", ""].join("\r\n");
/** A request with Host and further fields. */
export const get = (...fields: readonly string[]): string => head("GET / HTTP/1.1", "Host: a", ...fields);
export const post = (...fields: readonly string[]): string => head("POST / HTTP/1.1", "Host: a", ...fields);
export const chunked = (body: string): string => post("Transfer-Encoding: chunked") + body;
export const ok = (...fields: readonly string[]): string => head("HTTP/1.1 200 OK", ...fields);

/** An event as one line. */
export function sayEvent(event: Event): string {
  switch (event.is) {
    case "request":
      return `request ${event.exchange} ${event.method} ${event.target}${event.end ? " end" : ""}`;
    case "interim":
      return `interim ${event.exchange} ${event.status}${sayFields(event.fields)}`;
    case "response":
      return `response ${event.exchange} ${event.status}${event.end ? " end" : ""}`;
    case "data":
      return `data ${event.exchange} ${text(event.bytes)}${event.end ? " end" : ""}`;
    case "trailers":
      return `trailers ${event.exchange}${sayFields(event.fields)}`;
    case "failed":
      return `failed ${event.exchange}${event.fault === undefined ? "" : ` ${event.fault.name}`}`;
    case "switched":
      return `switched ${event.exchange} ${event.status} ${text(event.rest)}`;
    case "half-closed":
      return event.is;
    case "closed":
      return event.fault === undefined ? "closed" : `closed ${event.fault.name}`;
    default:
      return `${event.is} ${event.exchange}`;
  }
}

/** Joins neighbouring pieces of content: where they are cut does not matter. */
export function merged(events: readonly Event[]): Event[] {
  const list: Event[] = [];
  for (const event of events) {
    const before = list.at(-1);
    if (event.is === "data" && before?.is === "data" && before.exchange === event.exchange) {
      list[list.length - 1] = { ...event, bytes: octets(text(before.bytes) + text(event.bytes)) };
    } else list.push(event);
  }
  return list;
}

/** A connection, with a peer that sends text. */
export class Rig {
  readonly c: Connection;
  now: Instant = T0;
  /** Octets for each `receive`; all at once by default. */
  readonly cut: number;

  constructor(options: Options, cut = Number.POSITIVE_INFINITY) {
    this.c = new Connection(options, T0);
    this.cut = cut;
  }
  /** The events that the text causes. */
  events(message: string): Event[] {
    const bytes = octets(message);
    const events: Event[] = [];
    for (let at = 0; at < bytes.length; at += this.cut) {
      events.push(...this.c.receive(bytes.slice(at, at + Math.min(this.cut, bytes.length)), this.now));
    }
    return merged(events);
  }
  /** The same as lines. */
  receives(message: string): string[] {
    return this.events(message).map(sayEvent);
  }
  /** The events that actions have caused. */
  told(): string[] {
    return merged(this.c.events()).map(sayEvent);
  }
  ended(): string[] {
    return merged(this.c.ended(this.now)).map(sayEvent);
  }
  tick(ms: number): string[] {
    this.now = instant(ms);
    return this.c.tick(this.now).map(sayEvent);
  }
  /** All that the connection sends. */
  out(): string {
    return join(this.c.take());
  }
  /** Responds with a length and content. */
  answer(exchange: number, content = "", status = 200): void {
    this.c.respond(id(exchange), status, fieldList([["Content-Length", String(content.length)]]), content === "");
    if (content !== "") this.c.data(id(exchange), octets(content), true);
  }
  /** Client: a request without content. */
  ask(method = "GET", ...fields: readonly (readonly [string, string])[]): ExchangeId {
    return this.c.request({ method, target: method === "CONNECT" ? "a:1" : "/" }, fieldList([["Host", "a"], ...fields]), true);
  }
}

export const server = (options: Omit<Options, "side"> = {}, cut?: number): Rig => new Rig({ side: "server", ...options }, cut);
export const client = (options: Omit<Options, "side"> = {}, cut?: number): Rig => new Rig({ side: "client", ...options }, cut);

/** The octets that `Rig.answer` causes. */
export const answered = (content = "", status = "200 OK", ...more: readonly string[]): string =>
  head(`HTTP/1.1 ${status}`, `Content-Length: ${content.length}`, ...more) + content;

const WORDS: Readonly<Record<number, string>> = {
  400: "Bad Request",
  408: "Request Timeout",
  413: "Content Too Large",
  414: "URI Too Long",
  417: "Expectation Failed",
  431: "Request Header Fields Too Large",
  501: "Not Implemented",
  505: "HTTP Version Not Supported",
};
/** The status line of a refusal; one test covers the rest of it. */
export const refusal = (status: number): string => `HTTP/1.1 ${status} ${WORDS[status]}`;
export const firstLine = (message: string): string => message.slice(0, message.indexOf("\r\n"));

/** Plays text to a fresh connection, whole and octet by octet: both must agree. Returns its events, and the first line of what it sends. */
export function play(
  message: string,
  options: Omit<Options, "side"> = {},
  prepare?: (rig: Rig) => void,
  side: Options["side"] = "server",
): string[] {
  const played = (cut?: number): { readonly events: readonly string[]; readonly out: string } => {
    const rig = new Rig({ side, ...options }, cut);
    prepare?.(rig);
    rig.out();
    const events = rig.receives(message);
    return { events, out: rig.out() };
  };
  const [whole, chopped] = [played(), played(1)];
  if (JSON.stringify(whole) !== JSON.stringify(chopped)) return ["octet by octet it differs:", ...whole.events, "and", ...chopped.events];
  return [...whole.events, ...(whole.out === "" ? [] : [firstLine(whole.out)])];
}
/** The same on the client's side, after one GET. */
export const playResponse = (message: string, options: Omit<Options, "side"> = {}, method = "GET"): string[] =>
  play(message, options, (rig) => void rig.ask(method), "client");
