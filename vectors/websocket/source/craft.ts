import type { Vector } from "../../load.ts";
import type { VectorSource } from "../../write.ts";

/**
 * The functions that build the vectors of WebSocket. Frames are built octet by octet, beside the expected result, without a parser in
 * between. Append to lists only: the position of a vector is its id.
 */

/**
 * The note of a vector. Its words are the permanent name of the vector; a note that changes afterwards keeps the old name with `named`.
 */
export type Note = string | Titled;
type Titled = { readonly name: string; readonly note: string };
export const named = (name: string, note: string): Titled => ({ name, note });
export const titled = (note: Note): Titled =>
  typeof note === "string"
    ? {
        name: note
          .toLowerCase()
          .replaceAll(/[^a-z0-9]+/g, "-")
          .replaceAll(/^-+|-+$/g, ""),
        note,
      }
    : note;

/** The members of every vector of WebSocket; `name` is permanent and unique in its file. */
type NamedVector = Vector & { readonly name: string };

/** A message or control frame as a receiver reads it; octets in hexadecimal. The code of a Close without one is null. */
export type Received =
  | { readonly text: string }
  | { readonly binary: string }
  | { readonly ping: string }
  | { readonly pong: string }
  | { readonly close: number | null; readonly reason: string };
export type FramesVector = NamedVector & {
  readonly to: "server" | "client";
  readonly wire: string;
  /** permessage-deflate is in use: the sender's window, and whether it takes over its context. */
  readonly deflate?: { readonly bits: number; readonly takeover: boolean };
  readonly messages: readonly Received[];
  readonly fault?: string;
  readonly code?: number;
  readonly at?: number;
};
export type RequestVector = NamedVector & {
  readonly octets: string;
  readonly server: {
    readonly protocols?: readonly string[];
    readonly origins?: readonly string[];
    readonly deflate?: true;
    readonly secure?: true;
  };
  readonly messages: readonly { readonly accept: string; readonly protocol?: string; readonly extensions?: string }[];
  readonly fault?: string;
  readonly status?: number;
};
export type ResponseVector = NamedVector & {
  readonly octets: string;
  readonly client: { readonly key: string; readonly protocols?: readonly string[]; readonly deflate?: true };
  readonly messages: readonly { readonly protocol?: string; readonly extensions?: string }[];
  readonly fault?: string;
};
export type AnyVector = FramesVector | RequestVector | ResponseVector;
export type Draft<V extends Vector = FramesVector> = Omit<V, "id">;
export type Source<V extends Vector = AnyVector> = VectorSource<V> & {
  readonly kind: "websocket-frames" | "websocket-request" | "websocket-response";
};

/** Octets in hexadecimal: of a text, or without the spaces. */
export const utf8 = (text: string): string => Buffer.from(text).toString("hex");
export const hex = (digits: string): string => digits.replaceAll(" ", "");
export const times = (octet: string, count: number): string => octet.repeat(count);
const number = (value: number, octets: number): string => value.toString(16).padStart(octets * 2, "0");

export const OP = { more: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;
export type Head = {
  readonly fin?: boolean;
  /** 0x40, 0x20 and 0x10. */
  readonly rsv?: number;
  /** Eight digits; false for an unmasked frame. */
  readonly key?: string | false;
  /** The length field, if not in the shortest form: the seven bits, then the octets after them. */
  readonly length?: readonly [seven: number, rest: string];
};
const KEY = "37fa213d";

/** One frame, masked by default. */
export function frame(op: number, payload: string, { fin = true, rsv = 0, key = KEY, length }: Head = {}): string {
  const size = payload.length / 2;
  const [seven, rest] = length ?? (size < 126 ? [size, ""] : size < 65_536 ? [126, number(size, 2)] : [127, number(size, 8)]);
  const head = number((fin ? 0x80 : 0) | rsv | op, 1) + number(seven | (key === false ? 0 : 0x80), 1) + rest;
  return key === false ? head + payload : head + key + masked(payload, key);
}
function masked(payload: string, key: string): string {
  const pad = Buffer.from(key, "hex");
  return Buffer.from(Buffer.from(payload, "hex").map((octet, i) => octet ^ pad[i % 4]!)).toString("hex");
}
export const closing = (code: number, reason = ""): string => number(code, 2) + reason;

type More = Partial<Pick<FramesVector, "to" | "deflate" | "at">>;
type Wire = string | readonly string[];
const joined = (wire: Wire): string => (typeof wire === "string" ? wire : wire.join(""));
const ordered = (to: "server" | "client", wire: Wire, { deflate }: More): Pick<FramesVector, "to" | "wire" | "deflate"> => ({
  to,
  wire: joined(wire),
  ...(deflate === undefined ? {} : { deflate }),
});

/** Must be accepted as these messages. */
export const valid = ({
  note,
  spec,
  wire,
  messages,
  flags,
  ...more
}: {
  readonly note: Note;
  readonly spec: string;
  readonly wire: Wire;
  readonly messages: readonly Received[];
  readonly flags: readonly string[];
} & More): Draft => ({
  ...titled(note),
  spec,
  ...ordered(more.to ?? "server", wire, more),
  messages,
  result: "valid",
  flags,
});
/** Must be refused with this code, after the messages in `before`. `at`: the number of octets that show the fault. */
export const refused = ({
  note,
  spec,
  wire,
  failure: [fault, code],
  flags,
  ...more
}: {
  readonly note: Note;
  readonly spec: string;
  readonly wire: Wire;
  readonly failure: readonly [string, number];
  readonly flags: readonly string[];
} & More & { readonly before?: readonly Received[] }): Draft => ({
  ...titled(note),
  spec,
  ...ordered(more.to ?? "server", wire, more),
  messages: more.before ?? [],
  result: "invalid",
  fault,
  code,
  ...(more.at === undefined ? {} : { at: more.at }),
  flags,
});
