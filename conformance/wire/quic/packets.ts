import { type PacketKeys, V1, V2, type Version } from "../../../reference/quic/index.ts";
import { readVarint, varint } from "../http3/varint.ts";
import { join } from "../octets.ts";

/** Packets of version 1 (rfc9000#17, rfc9001#5): built by hand, and cut leniently. Protection is that of `reference/quic`, which vectors prove. */

export const LEVELS = ["initial", "handshake", "application"] as const;
export type Level = (typeof LEVELS)[number];
/** The bits of a type of long packets (rfc9000#17.2, rfc9369#3.2). */
const typeOf = ({ types }: Version, type: Version["types"][number]): number => types.indexOf(type);
const TAG = 16;
const NUMBER = 4;

export type Head = {
  readonly level: Level;
  readonly destination: Uint8Array;
  readonly source: Uint8Array;
  readonly token: Uint8Array;
  readonly reserved: number;
  readonly phase: number;
  readonly unfixed: boolean;
  /** A 0-RTT packet, whose number is of the level "application". */
  readonly early: boolean;
  readonly version: Version;
};

/** A protected packet; an Initial one is padded so that it has `size` octets. */
export function seal(
  keys: PacketKeys,
  head: Head,
  { number, payload, size = 0 }: { number: number; payload: Uint8Array; size?: number },
): Uint8Array {
  const { level, destination, source, token } = head;
  const isLong = level !== "application" || head.early;
  const type = typeOf(head.version, level === "application" ? "0-RTT" : level);
  const fixed = head.unfixed ? 0 : 0x40;
  const first = isLong
    ? 0x80 | fixed | (type << 4) | (head.reserved << 2) | (NUMBER - 1)
    : fixed | (head.reserved << 3) | (head.phase << 2) | (NUMBER - 1);
  const front = isLong
    ? join([
        Uint8Array.of(first),
        long(destination, source, head.version.number),
        ...(level === "initial" ? [varint(token.length), token] : []),
      ])
    : join([Uint8Array.of(first), destination]);
  const lengthOctets = isLong ? 2 : 0;
  // A sample for the protection of the header needs four octets of number and payload (rfc9001#5.4.2), which the number has.
  const padded = Math.max(payload.length, size - front.length - lengthOctets - NUMBER - TAG);
  const body = new Uint8Array(padded + TAG);
  body.set(payload);
  const length = isLong ? [varint(NUMBER + body.length, 2)] : [];
  const packet = join([front, ...length, numberOctets(number), body]);
  keys.protect(packet, front.length + lengthOctets, NUMBER, number);
  return packet;
}

const numberOctets = (number: number): Uint8Array => {
  const octets = new Uint8Array(NUMBER);
  new DataView(octets.buffer).setUint32(0, number % 2 ** 32);
  return octets;
};
const long = (destination: Uint8Array, source: Uint8Array, version: number = V1.number): Uint8Array => {
  const octets = new Uint8Array(4);
  new DataView(octets.buffer).setUint32(0, version);
  return join([octets, Uint8Array.of(destination.length), destination, Uint8Array.of(source.length), source]);
};
/** A long packet of any version with these octets after its connection IDs (rfc8999#5.1). */
export const anyVersion = (version: number, destination: Uint8Array, source: Uint8Array, rest: Uint8Array): Uint8Array =>
  join([Uint8Array.of(0xc0), long(destination, source, version), rest]);

/** A Retry packet, with its tag (rfc9000#17.2.5, rfc9001#5.8). */
export function retry(
  tag: (untagged: Uint8Array) => Uint8Array,
  { destination, source, token }: { readonly destination: Uint8Array; readonly source: Uint8Array; readonly token: Uint8Array },
): Uint8Array {
  const untagged = join([Uint8Array.of(0xc0 | (typeOf(V1, "retry") << 4)), long(destination, source), token]);
  return join([untagged, tag(untagged)]);
}

/** A packet of a datagram. */
export type Cut =
  | {
      readonly is: "protected";
      readonly level: Level;
      /** That of a long header. */
      readonly version: Version;
      /** A 0-RTT packet. */
      readonly early: boolean;
      readonly source: Uint8Array;
      readonly destination: Uint8Array;
      readonly octets: Uint8Array;
      readonly numberAt: number;
      readonly token: Uint8Array;
    }
  | {
      readonly is: "version negotiation";
      readonly source: Uint8Array;
      readonly destination: Uint8Array;
      readonly versions: readonly number[];
    }
  | { readonly is: "retry"; readonly source: Uint8Array; readonly destination: Uint8Array; readonly token: Uint8Array }
  | { readonly is: "other"; readonly octets: Uint8Array };

/** The packets of a datagram; `idLength` is that of our connection IDs. */
export function cut(datagram: Uint8Array, idLength: number): Cut[] {
  const found: Cut[] = [];
  for (let at = 0; at < datagram.length;) {
    const rest = datagram.subarray(at);
    const one = ((rest[0] ?? 0) & 0x80) === 0 ? cutShort(rest, idLength) : cutLong(rest);
    found.push(one.packet);
    at += Math.max(1, one.size);
  }
  return found;
}
type Found = { readonly packet: Cut; readonly size: number };

function cutShort(rest: Uint8Array, idLength: number): Found {
  if (rest.length <= 1 + idLength) return { packet: { is: "other", octets: rest }, size: rest.length };
  const destination = rest.subarray(1, 1 + idLength);
  const none = new Uint8Array(0);
  return {
    packet: {
      is: "protected",
      level: "application",
      version: V1,
      early: false,
      source: none,
      destination,
      octets: rest,
      numberAt: 1 + idLength,
      token: none,
    },
    size: rest.length,
  };
}

function cutLong(rest: Uint8Array): Found {
  const other: Found = { packet: { is: "other", octets: rest }, size: rest.length };
  if (rest.length < 7) return other;
  const version = new DataView(rest.buffer, rest.byteOffset).getUint32(1);
  const destinationEnd = 6 + (rest[5] ?? 0);
  const destination = rest.subarray(6, destinationEnd);
  const sourceEnd = destinationEnd + 1 + (rest[destinationEnd] ?? 0);
  const source = rest.subarray(destinationEnd + 1, sourceEnd);
  if (sourceEnd > rest.length) return other;
  if (version === 0) {
    const view = new DataView(rest.buffer, rest.byteOffset, rest.length);
    const versions = Array.from({ length: Math.floor((rest.length - sourceEnd) / 4) }, (_, n) => view.getUint32(sourceEnd + 4 * n));
    return { packet: { is: "version negotiation", source, destination, versions }, size: rest.length };
  }
  const read = version === V2.number ? V2 : V1;
  const type = read.types[((rest[0] ?? 0) >> 4) & 3];
  if (type === "retry") {
    const token = rest.subarray(sourceEnd, Math.max(sourceEnd, rest.length - TAG));
    return { packet: { is: "retry", source, destination, token }, size: rest.length };
  }
  let at = sourceEnd;
  let token = new Uint8Array(0) as Uint8Array;
  if (type === "initial") {
    const length = readVarint(rest, at);
    if (length === undefined) return other;
    token = rest.subarray(at + length.size, at + length.size + length.value);
    at += length.size + length.value;
  }
  const length = readVarint(rest, at);
  if (length === undefined) return other;
  const end = Math.min(rest.length, at + length.size + length.value);
  const packet: Cut = {
    is: "protected",
    level: type === "initial" ? "initial" : type === "0-RTT" ? "application" : "handshake",
    version: read,
    early: type === "0-RTT",
    source,
    destination,
    octets: rest.subarray(0, end),
    numberAt: at + length.size,
    token,
  };
  return { packet, size: end };
}

/** The number nearest to the one after the largest that has come (rfc9000#A.3). */
export function expand(truncated: number, octets: number, largest: number): number {
  const window = 2 ** (8 * octets);
  const expected = largest + 1;
  const base = expected - (expected % window) + truncated;
  if (base <= expected - window / 2) return base + window;
  return base > expected + window / 2 && base >= window ? base - window : base;
}
