import type { Vector } from "../../load.ts";
import type { VectorSource } from "../../write.ts";

/**
 * The words in which the vectors of HTTP/1.1 are written. A message is put together from its parts, so that its octets and what a reader has
 * to find in them come from the same line, and no parser stands between the two. Lists are only ever added to at their end: ids are places.
 */

export type Pair = readonly [name: string, value: string];
/** What a reader makes of one message. Octets are characters U+0000 to U+00FF; names of fields are in lower case. */
export type Message = (
  | { readonly method: string; readonly target: string; readonly authority?: string; readonly path?: string; readonly expects?: true }
  | { readonly status: number; readonly reason: string; readonly interim?: true }
) & {
  readonly version: string;
  readonly fields: readonly Pair[];
  readonly content: string;
  readonly trailers?: readonly Pair[];
  readonly framing: "none" | "length" | "chunked" | "close" | "tunnel";
  /** Whether the connection may be used for another exchange after this one (rfc9112#9.3); what 1xx and CONNECT leave to what follows. */
  readonly persists?: boolean;
};
export type MessageVector = Vector & {
  readonly octets: string;
  /** Of responses: the methods of the requests that wait for them; one GET where it is absent. */
  readonly to?: readonly string[];
  /** The connection ends behind the octets. */
  readonly ended?: true;
  readonly messages: readonly Message[];
  /** Behind the last message: octets that are not to be taken for another. */
  readonly rest?: string;
  readonly fault?: string;
  readonly status?: number;
  readonly lenient?: string;
};
export type Draft = Omit<MessageVector, "id">;
export type Source = VectorSource<MessageVector>;

/** A field line: `Name: value`, or its octets with the field that they are, or octets that are no field at all. */
export type Line = string | readonly [octets: string, name: string, value: string] | readonly [octets: string];
type Rest = Partial<Omit<Message, "fields">> & {
  readonly authority?: string;
  readonly path?: string;
  readonly expects?: true;
  readonly interim?: true;
  readonly method?: string;
  readonly target?: string;
  readonly status?: number;
  readonly reason?: string;
  readonly body?: string;
};
export type Said = { readonly octets: string; readonly message: Message };

const octetsOf = (line: Line): string => `${typeof line === "string" ? line : line[0]}\r\n`;
function fieldOf(line: Line): Pair[] {
  if (typeof line !== "string") return line.length === 1 ? [] : [[line[1], line[2]]];
  const colon = line.indexOf(":");
  return [[line.slice(0, colon).toLowerCase(), line.slice(colon + 2)]];
}
function said(start: string, lines: readonly Line[], { body = "", ...rest }: Rest, found: object): Said {
  const fields = lines.flatMap(fieldOf);
  const framing = rest.framing ?? (fields.some(([name]) => name === "content-length") ? "length" : "none");
  const message = {
    ...found,
    fields,
    content: framing === "length" || framing === "close" ? body : "",
    framing,
    persists: true,
    ...rest,
  } as unknown as Message;
  return { octets: `${start}\r\n${lines.map(octetsOf).join("")}\r\n${body}`, message };
}

/** A request whose line is as the grammar has it, unless `rest` says what it is. */
export function request(line: string, lines: readonly Line[], rest: Rest = {}): Said {
  const [method = "", target = "", version = ""] = line.split(" ");
  const made = said(line, lines, rest, { method, target, version });
  // What follows CONNECT is the tunnel's, or nobody's.
  return method === "CONNECT" ? { octets: made.octets, message: without(made.message) } : made;
}
const without = (message: Message): Message => ({ ...message, persists: undefined }) as unknown as Message;
/** The same with Host in front. */
export const get = (lines: readonly Line[] = [], rest: Rest = {}): Said => request("GET / HTTP/1.1", ["Host: a", ...lines], rest);
export const post = (lines: readonly Line[], rest: Rest = {}): Said => request("POST / HTTP/1.1", ["Host: a", ...lines], rest);
/** A response, of no content where `rest` does not say otherwise. */
export function response(line: string, lines: readonly Line[], rest: Rest = {}): Said {
  const [version = "", status = "", ...reason] = line.split(" ");
  const made = said(line, lines, rest, { status: Number(status), reason: reason.join(" "), version });
  if (!status.startsWith("1")) return made;
  return { octets: made.octets, message: { ...without(made.message), interim: true } as Message };
}
export const ok = (lines: readonly Line[], rest: Rest = {}): Said => response("HTTP/1.1 200 OK", lines, rest);

/** Octets of a head that is no message. */
export const head = (...lines: readonly string[]): string => [...lines, "", ""].join("\r\n");

type More = { readonly to?: readonly string[]; readonly ended?: true; readonly rest?: string; readonly status?: number; readonly lenient?: string };
const listed = (given: Said | readonly Said[]): readonly Said[] => (Array.isArray(given) ? (given as readonly Said[]) : [given as Said]);
const joined = (all: readonly Said[], { rest = "" }: More): string => all.map(({ octets }) => octets).join("") + rest;

/** Has to be accepted, with what is given. */
export function valid(note: string, spec: string, given: Said | readonly Said[], flags: readonly string[], more: More = {}): Draft {
  const all = listed(given);
  return { note, spec, octets: joined(all, more), ...more, messages: all.map(({ message }) => message), result: "valid", flags };
}
/** May be refused. Where it is taken, it is this. `fault` is why we refuse it, if we do, and `lenient` our own option that takes it. */
export function tolerated(
  note: string,
  spec: string,
  given: Said | readonly Said[],
  fault: string | undefined,
  flags: readonly string[],
  { status = 400, ...more }: More = {},
): Draft {
  const draft = valid(note, spec, given, flags, more);
  const isRequest = listed(given).every(({ message }) => !("status" in message));
  return { ...draft, result: "acceptable", ...(fault === undefined ? {} : { fault, ...(isRequest ? { status } : {}) }) };
}

type Before = { readonly before?: readonly Said[] };
/** Has to be refused: by a server with the status, behind the messages before it. */
export function refused(
  note: string,
  spec: string,
  octets: string,
  fault: string,
  flags: readonly string[],
  { before = [], status = 400, ...more }: More & Before = {},
): Draft {
  return { ...valid(note, spec, before, flags, { ...more, rest: octets }), rest: undefined, result: "invalid", fault, status } as unknown as Draft;
}
/** Has to be refused by a client. */
export function refusedByClient(
  note: string,
  spec: string,
  octets: string,
  fault: string,
  flags: readonly string[],
  { before = [], ...more }: More & Before = {},
): Draft {
  return { ...valid(note, spec, before, flags, { ...more, rest: octets }), rest: undefined, result: "invalid", fault } as unknown as Draft;
}

/** An octet in words, for notes. */
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
