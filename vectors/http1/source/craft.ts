import type { Vector } from "../../load.ts";
import type { VectorSource } from "../../write.ts";

/**
 * The functions that build the vectors of HTTP/1.1. A message is built from its parts, so that its octets and the expected result come from
 * the same line, without a parser in between. Append to lists only: the position of a vector is its id.
 */

export type Pair = readonly [name: string, value: string];
/** One message as a parser reads it. Octets are characters U+0000 to U+00FF; field names are in lower case. */
export type Message = (
  | { readonly method: string; readonly target: string; readonly authority?: string; readonly path?: string; readonly expects?: true }
  | { readonly status: number; readonly reason: string; readonly interim?: true }
) & {
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
export type Crafted = { readonly octets: string; readonly message: Message };

const octetsOf = (line: Line): string => `${typeof line === "string" ? line : line[0]}\r\n`;
function fieldOf(line: Line): Pair[] {
  if (typeof line !== "string") return line.length === 1 ? [] : [[line[1], line[2]]];
  const colon = line.indexOf(":");
  return [[line.slice(0, colon).toLowerCase(), line.slice(colon + 2)]];
}
function crafted(start: string, lines: readonly Line[], { body = "", ...rest }: Rest, found: object): Crafted {
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

/** A request. `rest` overrides the parts of its line and its framing. */
export function request(line: string, lines: readonly Line[], rest: Rest = {}): Crafted {
  const [method = "", target = "", version = ""] = line.split(" ");
  const made = crafted(line, lines, rest, { method, target, version });
  return method === "CONNECT" ? { octets: made.octets, message: withoutPersists(made.message) } : made;
}
const withoutPersists = (message: Message): Message => ({ ...message, persists: undefined }) as unknown as Message;
/** A GET with Host first. */
export const get = (lines: readonly Line[] = [], rest: Rest = {}): Crafted => request("GET / HTTP/1.1", ["Host: a", ...lines], rest);
export const post = (lines: readonly Line[], rest: Rest = {}): Crafted => request("POST / HTTP/1.1", ["Host: a", ...lines], rest);
/** A response, by default without content. */
export function response(line: string, lines: readonly Line[], rest: Rest = {}): Crafted {
  const [version = "", status = "", ...reason] = line.split(" ");
  const made = crafted(line, lines, rest, { status: Number(status), reason: reason.join(" "), version });
  if (!status.startsWith("1")) return made;
  return { octets: made.octets, message: { ...withoutPersists(made.message), interim: true } as Message };
}
export const ok = (lines: readonly Line[], rest: Rest = {}): Crafted => response("HTTP/1.1 200 OK", lines, rest);

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

const listed = (given: Crafted | readonly Crafted[]): readonly Crafted[] =>
  Array.isArray(given) ? (given as readonly Crafted[]) : [given as Crafted];
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
