import type { Vector } from "../../load.ts";

/** The functions that build the vectors of connections: frames octet by octet, beside the expected results, without a codec in between. */

export type Pairs = readonly (readonly [string, string])[];
/** What a program does with its connection. */
export type Action =
  | { readonly do: "request"; readonly fields: Pairs; readonly end: boolean }
  | { readonly do: "interim" | "respond"; readonly stream: number; readonly status: number; readonly fields: Pairs; readonly end?: boolean }
  | { readonly do: "data"; readonly stream: number; readonly octets: number; readonly end: boolean }
  | { readonly do: "trailers"; readonly stream: number; readonly fields: Pairs }
  | { readonly do: "push"; readonly stream: number; readonly fields: Pairs }
  | { readonly do: "reset"; readonly stream: number; readonly code: string }
  | { readonly do: "ping"; readonly octets: string }
  | { readonly do: "abort"; readonly code: string };
/** What the program learns. A stream that is reset names the side that reset it; only an end by a fault has a code. */
export type Event =
  | { readonly request: number; readonly fields: Pairs; readonly end: boolean }
  | { readonly interim: number; readonly status: number; readonly fields: Pairs }
  | { readonly response: number; readonly status: number; readonly fields: Pairs; readonly end: boolean }
  | { readonly data: number; readonly octets: number; readonly end: boolean }
  | { readonly trailers: number; readonly fields: Pairs }
  | { readonly pushed: number; readonly on: number; readonly fields: Pairs }
  | { readonly opened: number; readonly request: number }
  | { readonly unopened: number }
  | { readonly reset: number; readonly code: string; readonly by: "peer" | "us" }
  | { readonly done: number }
  | { readonly pong: string }
  | { readonly goaway: number; readonly code: string; readonly debug: string }
  | { readonly closed: string | null };
/** A frame that must be sent: WINDOW_UPDATE, whose time and size are free, is left out, and pieces of content are joined. */
export type Sent =
  | { readonly HEADERS: number; readonly fields: Pairs; readonly end: boolean }
  | { readonly DATA: number; readonly octets: number; readonly end: boolean }
  | { readonly RST_STREAM: number; readonly code: string }
  | { readonly PUSH_PROMISE: number; readonly on: number; readonly fields: Pairs }
  | { readonly PING: string; readonly ack: boolean }
  | { readonly GOAWAY: number; readonly code: string }
  | { readonly SETTINGS: "ack" };
export type Step = ({ readonly receive: string } | Action) & { readonly events?: readonly Event[]; readonly sends?: readonly Sent[] };

/** Schema: http2-connection-v1. */
export type ConnectionVector = Vector & {
  readonly side: "client" | "server";
  /** What the side under test announced, and its peer has acknowledged. */
  readonly settings?: Readonly<Record<string, number>>;
  readonly steps: readonly Step[];
};

const hex = (text: string): string => Buffer.from(text, "latin1").toString("hex");
const number = (value: number, octets: number): string => (value >>> 0).toString(16).padStart(octets * 2, "0");
/** A frame with this head (rfc9113#4.1). */
export const frame = (type: number, flags: number, stream: number, payload = ""): string =>
  number(payload.length / 2, 3) + number(type, 1) + number(flags, 1) + number(stream, 4) + payload;
/** A block of literals that are not indexed (rfc7541#6.2.2); names and values have fewer than 127 octets. */
const block = (fields: Pairs): string =>
  fields.map(([name, value]) => `00${number(name.length, 1)}${hex(name)}${number(value.length, 1)}${hex(value)}`).join("");

const END = 1;
const HEADERS_END = 4;
export const headers = (stream: number, fields: Pairs, end = true): string => frame(1, HEADERS_END | (end ? END : 0), stream, block(fields));
export const data = (stream: number, octets: number, end = true): string => frame(0, end ? END : 0, stream, "61".repeat(octets));
export const rst = (stream: number, code: number): string => frame(3, 0, stream, number(code, 4));
export const settings = (...values: readonly (readonly [id: number, value: number])[]): string =>
  frame(4, 0, 0, values.map(([id, value]) => number(id, 2) + number(value, 4)).join(""));
export const promise = (stream: number, promised: number, fields: Pairs): string => frame(5, HEADERS_END, stream, number(promised, 4) + block(fields));
export const ping = (octets: string, ack = false): string => frame(6, ack ? 1 : 0, 0, octets);
export const goaway = (last: number, code: number, debug = ""): string => frame(7, 0, 0, number(last, 4) + number(code, 4) + debug);
export const credit = (stream: number, octets: number): string => frame(8, 0, stream, number(octets, 4));
/** PRIORITY_UPDATE (rfc9218#7.1). */
export const priorityUpdate = (stream: number, value: string): string => frame(16, 0, 0, number(stream, 4) + hex(value));

export const GET: Pairs = [
  [":method", "GET"],
  [":scheme", "https"],
  [":authority", "a.example"],
  [":path", "/"],
];
export const request = (method: string, ...more: Pairs): Pairs => [[":method", method], ...GET.slice(1), ...more];
export const status = (code: number, ...more: Pairs): Pairs => [[":status", String(code)], ...more];
