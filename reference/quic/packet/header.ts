import { Reader, readVarint, type Writer, writeVarint } from "../../core/index.ts";
import { fault, type Fault } from "../faults.ts";
import { MAX_ID_LENGTH } from "../frame/index.ts";
import { NEGOTIATION, versionOf, type LongType, type Version } from "../version.ts";

/** A packet of a datagram before its protection is removed. Octets are views of the datagram; indices are positions in it. */
export type Header =
  | {
      readonly is: "long";
      readonly type: "initial" | "0-RTT" | "handshake";
      readonly version: Version;
      readonly destination: Uint8Array;
      readonly source: Uint8Array;
      /** Of an Initial packet; empty in others. */
      readonly token: Uint8Array;
      readonly start: number;
      readonly numberAt: number;
      readonly end: number;
    }
  | { readonly is: "short"; readonly destination: Uint8Array; readonly start: number; readonly numberAt: number; readonly end: number }
  | {
      readonly is: "retry";
      readonly version: Version;
      readonly destination: Uint8Array;
      readonly source: Uint8Array;
      readonly token: Uint8Array;
      /** The packet without its tag. */
      readonly untagged: Uint8Array;
      readonly tag: Uint8Array;
      readonly end: number;
    }
  | {
      readonly is: "versionNegotiation";
      readonly destination: Uint8Array;
      readonly source: Uint8Array;
      readonly versions: readonly number[];
      readonly end: number;
    }
  | {
      readonly is: "unknownVersion";
      readonly version: number;
      readonly destination: Uint8Array;
      readonly source: Uint8Array;
      readonly end: number;
    };

export const LONG = 0x80;
export const FIXED = 0x40;
const RETRY_TAG_LENGTH = 16;
const NO_TOKEN = new Uint8Array(0);

/** Reads the header of the packet at `start`. `idLength` is the length of the IDs that we have issued, which short headers do not say. */
export function readHeader(datagram: Uint8Array, start: number, idLength: number): Header | Fault {
  const first = datagram[start];
  if (first === undefined) return fault("packetTruncated");
  return (first & LONG) === 0 ? readShort(datagram, start, idLength) : readLong(datagram, start, first);
}

function readShort(datagram: Uint8Array, start: number, idLength: number): Header | Fault {
  if ((datagram[start]! & FIXED) === 0) return fault("fixedBitZero");
  const numberAt = start + 1 + idLength;
  if (numberAt >= datagram.length) return fault("packetTruncated");
  return { is: "short", destination: datagram.subarray(start + 1, numberAt), start, numberAt, end: datagram.length };
}

function readLong(datagram: Uint8Array, start: number, first: number): Header | Fault {
  const end = datagram.length;
  const reader = new Reader(datagram.subarray(start + 1));
  const number = reader.u32();
  const destination = reader.view(reader.u8());
  const source = reader.view(reader.u8());
  if (reader.short) return fault("packetTruncated");
  if (number === NEGOTIATION) {
    if (reader.left === 0 || reader.left % 4 !== 0) return fault("versionListInvalid");
    const versions: number[] = [];
    while (reader.left > 0) versions.push(reader.u32());
    return { is: "versionNegotiation", destination, source, versions, end };
  }
  const version = versionOf(number);
  if (version === undefined) return { is: "unknownVersion", version: number, destination, source, end };
  if ((first & FIXED) === 0) return fault("fixedBitZero");
  if (destination.length > MAX_ID_LENGTH || source.length > MAX_ID_LENGTH) return fault("connectionIdTooLong");
  const type = version.types[(first >>> 4) & 3]!;
  if (type === "retry") {
    if (reader.left < RETRY_TAG_LENGTH) return fault("packetTruncated");
    const token = reader.view(reader.left - RETRY_TAG_LENGTH);
    const untagged = datagram.subarray(start, end - RETRY_TAG_LENGTH);
    return { is: "retry", version, destination, source, token, untagged, tag: reader.rest(), end };
  }
  const token = type === "initial" ? reader.view(readVarint(reader)) : NO_TOKEN;
  const length = readVarint(reader);
  if (reader.short || length > reader.left) return fault("packetTruncated");
  const numberAt = end - reader.left;
  return { is: "long", type, version, destination, source, token, start, numberAt, end: numberAt + length };
}

/** What a long header says besides its packet number. */
export type LongHead = {
  readonly type: LongType;
  readonly version: Version;
  readonly destination: Uint8Array;
  readonly source: Uint8Array;
  readonly token?: Uint8Array;
};

/** The first octet, version and IDs of a long header; `low` are the four lowest bits of the first octet. */
export function writeLongHead(writer: Writer, { type, version, destination, source }: LongHead, low: number): void {
  writer.u8(LONG | FIXED | (version.types.indexOf(type) << 4) | low).u32(version.number);
  writer.u8(destination.length).bytes(destination).u8(source.length).bytes(source);
}

/** Offers versions to a client whose version is unknown (rfc9000#17.2.1). The IDs are the client's, exchanged. `random` fills unused bits. */
export function writeVersionNegotiation(
  writer: Writer,
  client: { readonly destination: Uint8Array; readonly source: Uint8Array },
  versions: readonly number[],
  random: number,
): void {
  writer.u8(LONG | FIXED | (random & 0x3f)).u32(NEGOTIATION);
  writer.u8(client.source.length).bytes(client.source).u8(client.destination.length).bytes(client.destination);
  for (const version of versions) writer.u32(version);
}

/** The length field of long headers takes two octets, which hold any length of a datagram. */
const LENGTH_OCTETS = 2;
/** The octets of a header in front of the packet number. */
export function longHeadLength(head: LongHead): number {
  const { destination, source, token } = head;
  const tokenOctets = head.type === "initial" ? (token ?? NO_TOKEN).length : undefined;
  const prefix = tokenOctets === undefined ? 0 : tokenOctets < 0x40 ? 1 : tokenOctets < 0x4000 ? 2 : 4;
  return 7 + destination.length + source.length + prefix + (tokenOctets ?? 0) + LENGTH_OCTETS;
}

/** The header of a protected long packet, up to its packet number; `length` counts the number, the payload and the tag. */
export function writeLongHeader(writer: Writer, head: LongHead, length: number, numberLength: number): void {
  writeLongHead(writer, head, numberLength - 1);
  if (head.type === "initial") {
    const token = head.token ?? NO_TOKEN;
    writeVarint(writer, token.length);
    writer.bytes(token);
  }
  writeVarint(writer, length, LENGTH_OCTETS);
}
