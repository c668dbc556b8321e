import { latin1, type Field } from "../core/index.ts";
import { LOWER } from "./octets.ts";
import { textOctets } from "./text.ts";

/** What a field name asks of its reader. From `host` on it matters to the connection itself. */
export const Kind = {
  plain: 0,
  /** Its values are those of many messages, and nobody's secret: the last one is remembered. */
  common: 1,
  host: 2,
  contentLength: 3,
  transferEncoding: 4,
  connection: 5,
  expect: 6,
  upgrade: 7,
} as const;
export type Kind = (typeof Kind)[keyof typeof Kind];

const COMMON =
  "accept accept-charset accept-encoding accept-language accept-ranges age allow cache-control content-encoding content-language " +
  "content-type date dnt keep-alive pragma priority range sec-ch-ua sec-ch-ua-mobile sec-ch-ua-platform sec-fetch-dest sec-fetch-mode " +
  "sec-fetch-site sec-fetch-user server te trailer upgrade-insecure-requests user-agent vary via";
const KINDS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ...COMMON.split(" ").map((name) => [name, Kind.common] as const),
  ["host", Kind.host],
  ["content-length", Kind.contentLength],
  ["transfer-encoding", Kind.transferEncoding],
  ["connection", Kind.connection],
  ["expect", Kind.expect],
  ["upgrade", Kind.upgrade],
]);
export const kindOf = (lowerName: string): Kind => KINDS.get(lowerName) ?? Kind.plain;

const NOTHING = new Uint8Array(0);

/** A name that has been seen; of a common one also the field last seen under it, since the same request comes again and again. */
export class Name {
  readonly text: string;
  readonly kind: Kind;
  /** The octets of the name. */
  readonly octets: Uint8Array;
  last: Field | undefined;
  /** The octets of the last value. */
  lastOctets: Uint8Array = NOTHING;

  constructor(text: string) {
    this.text = text;
    this.octets = textOctets(text);
    this.kind = kindOf(text);
  }
}

/** Names remembered, a power of two; and the longest among them. A place is shared by names of like hashes: the later one has it. */
const PLACES = 1_024;
const LONGEST = 64;
const PLACE_OF: (Name | undefined)[] = Array.from({ length: PLACES });
const KNOWN: ReadonlyMap<string, Name> = new Map([...KINDS.keys()].map((name) => [name, new Name(name)]));

/** The name that stands in `octets`, which are those of a token; `hash` is any number that equal names have in common. */
export function nameOf(octets: Uint8Array, from: number, to: number, hash: number): Name {
  const place = (hash ^ (hash >>> 12)) & (PLACES - 1);
  const found = PLACE_OF[place];
  if (found !== undefined && isText(found.octets, octets, from, to)) return found;
  const text = latin1(octets, from, to).toLowerCase();
  const name = KNOWN.get(text) ?? new Name(text);
  if (text.length <= LONGEST) PLACE_OF[place] = name;
  return name;
}

function isText(text: Uint8Array, octets: Uint8Array, from: number, to: number): boolean {
  const { length } = text;
  if (length !== to - from) return false;
  for (let i = 0; i < length; i++) if (text[i] !== LOWER[octets[from + i]!]) return false;
  return true;
}
