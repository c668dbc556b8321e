import type { Vector } from "../../load.ts";
import type { VectorSource } from "../../write.ts";

/**
 * The functions that build the vectors of HTTP/1.1. A message is built from its parts, so that its octets and the expected result come from
 * the same line, without a parser in between. Append to lists only: the position of a vector is its id.
 */

export type Pair = readonly [name: string, value: string];
/** One message as a parser reads it. Octets are characters U+0000 to U+00FF; field names are in lower case. */
export type Message = Request | Response;
type Request = Parts & {
  readonly method: string;
  readonly target: string;
  readonly authority?: string;
  readonly path?: string;
  readonly expects?: true;
};
type Response = Parts & { readonly status: number; readonly reason: string; readonly interim?: true };
type Parts = {
  readonly version: string;
  readonly fields: readonly Pair[];
  readonly content: string;
  readonly trailers?: readonly Pair[];
  readonly framing: "none" | "length" | "chunked" | "close" | "tunnel";
  /** Whether the connection may be used for another exchange (rfc9112#9.3); absent for 1xx and CONNECT, where a later message decides. */
  readonly persists?: boolean;
};
export type MessageVector = Vector & {
  readonly octets: string;
  /** For responses: the methods of the open requests; one GET by default. */
  readonly to?: readonly string[];
  /** The connection ends after the octets. */
  readonly ended?: true;
  readonly messages: readonly Message[];
  /** Octets after the last message that are not another message. */
  readonly rest?: string;
  readonly fault?: string;
  readonly status?: number;
  readonly lenient?: string;
};
export type Draft = Omit<MessageVector, "id">;
export type Source = VectorSource<MessageVector>;

/** A field line: `Name: value`, or octets with the field that they mean, or octets that are not a field. */
export type Line = string | readonly [octets: string, name: string, value: string] | readonly [octets: string];
/** Members that override those of a message as it is built, and its content on the wire. */
type Rest<M extends Message> = Partial<Omit<M, "fields">> & { readonly body?: string };
export type Crafted = { readonly octets: string; readonly message: Message };

const octetsOf = (line: Line): string => `${typeof line === "string" ? line : line[0]}\r\n`;
function fieldOf(line: Line): Pair[] {
  if (typeof line !== "string") return line.length === 1 ? [] : [[line[1], line[2]]];
  const colon = line.indexOf(":");
  return [[line.slice(0, colon).toLowerCase(), line.slice(colon + 2)]];
}
/** The octets of a message, and what a parser finds after its start line. */
function crafted(start: string, lines: readonly Line[], { body = "", framing: stated }: Pick<Rest<Message>, "body" | "framing">) {
  const fields = lines.flatMap(fieldOf);
  const framing = stated ?? (fields.some(([name]) => name === "content-length") ? "length" : "none");
  const content = framing === "length" || framing === "close" ? body : "";
  return { octets: `${start}\r\n${lines.map(octetsOf).join("")}\r\n${body}`, parts: { fields, content, framing, persists: true } };
}

/** A request. `rest` overrides the parts of its line and its framing. */
export function request(line: string, lines: readonly Line[], rest: Rest<Request> = {}): Crafted {
  const [method = "", target = "", version = ""] = line.split(" ");
  const { body: _body, ...overrides } = rest;
  const { octets, parts } = crafted(line, lines, rest);
  const message = { method, target, version, ...parts, ...overrides };
  if (method !== "CONNECT") return { octets, message };
  const { persists: _persists, ...tunnel } = message;
  return { octets, message: tunnel };
}
/** A GET with Host first. */
export const get = (lines: readonly Line[] = [], rest: Rest<Request> = {}): Crafted =>
  request("GET / HTTP/1.1", ["Host: a", ...lines], rest);
export const post = (lines: readonly Line[], rest: Rest<Request> = {}): Crafted =>
  request("POST / HTTP/1.1", ["Host: a", ...lines], rest);
/** A response, by default without content. */
export function response(line: string, lines: readonly Line[], rest: Rest<Response> = {}): Crafted {
  const [version = "", status = "", ...reason] = line.split(" ");
  const { body: _body, ...overrides } = rest;
  const { octets, parts } = crafted(line, lines, rest);
  const message = { status: Number(status), reason: reason.join(" "), version, ...parts, ...overrides };
  if (!status.startsWith("1")) return { octets, message };
  const { persists: _persists, ...interim } = message;
  return { octets, message: { ...interim, interim: true } };
}
export const ok = (lines: readonly Line[], rest: Rest<Response> = {}): Crafted => response("HTTP/1.1 200 OK", lines, rest);

/** The octets of an invalid head. */
export const head = (...lines: readonly string[]): string => [...lines, "", ""].join("\r\n");

/** What the author of a vector states, whatever the result. */
type Stated = {
  readonly note: string;
  readonly spec: string;
  readonly flags: readonly string[];
  readonly to?: readonly string[];
  readonly ended?: true;
  readonly rest?: string;
  readonly status?: number;
  readonly lenient?: string;
};
type Given = { readonly given: Crafted | readonly Crafted[] };
/** Octets to refuse, after the messages before them. */
type Refused = Stated & { readonly octets: string; readonly fault: string; readonly before?: readonly Crafted[] };

const listed = (given: Crafted | readonly Crafted[]): readonly Crafted[] => ("octets" in given ? [given] : given);
const octetsOfAll = (all: readonly Crafted[]): string => all.map(({ octets }) => octets).join("");
const messagesOf = (all: readonly Crafted[]): Message[] => all.map(({ message }) => message);

/** Must be accepted as these messages. */
export function valid({ note, spec, given, flags, ...more }: Stated & Given): Draft {
  const all = listed(given);
  return { note, spec, octets: octetsOfAll(all) + (more.rest ?? ""), ...more, messages: messagesOf(all), result: "valid", flags };
}
/** May be refused; if accepted, as these messages. `fault`: why we refuse it, if we do. `lenient`: our option that accepts it. */
export function tolerated({ fault, status = 400, ...stated }: Stated & Given & { readonly fault?: string }): Draft {
  const isRequest = listed(stated.given).every(({ message }) => !("status" in message));
  return { ...valid(stated), result: "acceptable", ...(fault === undefined ? {} : { fault, ...(isRequest ? { status } : {}) }) };
}

/** A server must refuse it with the status. */
export const refused = ({ status = 400, ...row }: Refused): Draft => ({ ...refusedByClient(row), status });
/** A client must refuse it. */
export function refusedByClient({ note, spec, octets, before = [], flags, fault, ...more }: Refused): Draft {
  return { note, spec, octets: octetsOfAll(before) + octets, ...more, messages: messagesOf(before), result: "invalid", flags, fault };
}

/** The name of an octet, for notes. */
export function named(octet: number): string {
  const words: Readonly<Record<number, string>> = {
    0: "NUL",
    7: "BEL",
    8: "BS",
    9: "HTAB",
    0x0b: "VT",
    0x0c: "FF",
    0x0d: "CR",
    0x1b: "ESC",
    0x20: "SP",
    0x7f: "DEL",
  };
  return words[octet] ?? (octet > 0x20 && octet < 0x7f ? String.fromCharCode(octet) : `octet 0x${octet.toString(16).padStart(2, "0")}`);
}
export const TOKEN_SIGNS: readonly string[] = [..."!#$%&'*+-.^_`|~"];
export const DELIMITERS: readonly string[] = [...'"(),/:;<=>?@[\\]{}'];
