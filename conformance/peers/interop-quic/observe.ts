import { createCipheriv, createDecipheriv, createHmac } from "node:crypto";

/** What an observer between two ends can read: heads of packets, and Initial packets, whose keys are public (rfc9001#5.2). Written apart from `reference/`. */

type Version = { readonly salt: string; readonly label: string; readonly types: readonly LongType[] };
type LongType = "initial" | "0-RTT" | "handshake" | "retry";

/** The versions by number, with the types of their long headers in the order of the two bits (rfc9000#17.2, rfc9369#3). */
const VERSIONS: Readonly<Record<number, Version>> = {
  1: { salt: "38762cf7f55934b34d179ae6a4c80cadccbb7f0a", label: "quic", types: ["initial", "0-RTT", "handshake", "retry"] },
  0x6b3343cf: { salt: "0dede3def700a6db819381be6e269dcbf9bd2ed9", label: "quicv2", types: ["retry", "initial", "0-RTT", "handshake"] },
};

export type Packet = {
  readonly type: LongType | "short" | "negotiation" | "unknown";
  readonly version: number;
  readonly destination: string;
  readonly source: string;
  readonly hasToken: boolean;
  /** The whole packet, and where its number begins. */
  readonly bytes: Uint8Array;
  readonly numberAt: number;
};

function varint(bytes: Uint8Array, at: number): { readonly value: number; readonly end: number } {
  const length = 1 << ((bytes[at] ?? 0) >> 6);
  let value = (bytes[at] ?? 0) & 0x3f;
  for (let nth = 1; nth < length; nth++) value = value * 256 + (bytes[at + nth] ?? 0);
  return { value, end: at + length };
}
/** A number in so many octets; those that are not there count as 0. */
function integer(bytes: Uint8Array, at: number, length: number): number {
  let value = 0;
  for (let nth = 0; nth < length; nth++) value = value * 256 + (bytes[at + nth] ?? 0);
  return value;
}
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

/** The packets of a datagram. What cannot be read ends it. */
export function packetsIn(datagram: Uint8Array): readonly Packet[] {
  const packets: Packet[] = [];
  for (let at = 0; at < datagram.length;) {
    const packet = packetAt(datagram.subarray(at));
    packets.push(packet);
    at += packet.bytes.length;
  }
  return packets;
}

function packetAt(rest: Uint8Array): Packet {
  const first = rest[0]!;
  const plain = { version: 0, destination: "", source: "", hasToken: false, bytes: rest, numberAt: 0 };
  if ((first & 0x80) === 0) return { ...plain, type: "short" };
  const version = integer(rest, 1, 4);
  const toLength = rest[5] ?? 0;
  const fromAt = 6 + toLength;
  const afterIds = fromAt + 1 + (rest[fromAt] ?? 0);
  const ids = { version, destination: hex(rest.subarray(6, fromAt)), source: hex(rest.subarray(fromAt + 1, afterIds)) };
  if (version === 0) return { ...plain, ...ids, type: "negotiation" };
  const type = VERSIONS[version]?.types[(first >> 4) & 3];
  if (type === undefined || type === "retry") return { ...plain, ...ids, type: type ?? "unknown" };
  const token = type === "initial" ? varint(rest, afterIds) : { value: 0, end: afterIds };
  const length = varint(rest, token.end + token.value);
  const end = length.end + length.value;
  return { ...plain, ...ids, type, hasToken: token.value > 0, bytes: rest.subarray(0, end), numberAt: length.end };
}

/** HKDF-Expand-Label for no more than one block of SHA-256 (rfc8446#7.1). */
function expand(secret: Uint8Array, label: string, length: number): Buffer {
  const name = Buffer.from(`tls13 ${label}`);
  const info = Buffer.from([length >> 8, length & 255, name.length, ...name, 0, 1]);
  return createHmac("sha256", secret).update(info).digest().subarray(0, length);
}

/** The payload of an Initial packet of the server, whose keys come from the client's first destination; undefined if they are others. */
export function openInitial({ bytes, numberAt, version }: Packet, destination: string): Uint8Array | undefined {
  // The number, a sample and the tag (rfc9001#5.4.2).
  if (bytes.length < numberAt + 20) return undefined;
  const { salt, label } = VERSIONS[version]!;
  const initial = createHmac("sha256", Buffer.from(salt, "hex")).update(Buffer.from(destination, "hex")).digest();
  const secret = expand(initial, "server in", 32);
  const [key, iv, mask] = [expand(secret, `${label} key`, 16), expand(secret, `${label} iv`, 12), expand(secret, `${label} hp`, 16)];
  const block = createCipheriv("aes-128-ecb", mask, null).update(bytes.subarray(numberAt + 4, numberAt + 20));
  const head = Buffer.from(bytes.subarray(0, numberAt + 4));
  head[0]! ^= block[0]! & 0x0f;
  const length = (head[0]! & 3) + 1;
  let number = 0;
  for (let at = 0; at < length; at++) {
    head[numberAt + at]! ^= block[1 + at]!;
    number = number * 256 + head[numberAt + at]!;
  }
  for (let at = 0; at < 4; at++) iv[8 + at]! ^= (number >>> (8 * (3 - at))) & 255;
  const opening = createDecipheriv("aes-128-gcm", key, iv);
  opening.setAAD(head.subarray(0, numberAt + length)).setAuthTag(bytes.subarray(-16));
  const plain = opening.update(bytes.subarray(numberAt + length, -16));
  try {
    opening.final();
    return plain;
  } catch {
    // Damaged on the way, or after a Retry that was not seen.
    return undefined;
  }
}

/** The octets of CRYPTO frames in the payload of an Initial packet, by their offset (rfc9000#19.6). */
export function cryptoIn(payload: Uint8Array): readonly (readonly [number, Uint8Array])[] {
  const found: (readonly [number, Uint8Array])[] = [];
  let at = 0;
  const next = (): number => {
    const { value, end } = varint(payload, at);
    at = end;
    return value;
  };
  while (at < payload.length) {
    const type = next();
    if (type === 6) {
      const offset = next();
      const length = next();
      found.push([offset, payload.subarray(at, (at += length))]);
    } else if (type === 2 || type === 3) {
      next();
      next();
      const ranges = next();
      for (let left = 1 + 2 * ranges + (type === 3 ? 3 : 0); left > 0; left--) next();
    } else if (type > 1) break;
  }
  return found;
}

export type ServerHello = { readonly suite: number; readonly isResumed: boolean };
const RETRY_RANDOM = "cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c";
const PRE_SHARED_KEY = 41;

/** The ServerHello at the beginning of a handshake (rfc8446#4.1.3); undefined while it is not whole. */
export function serverHelloIn(octets: Uint8Array): ServerHello | undefined {
  const buffer = Buffer.from(octets);
  for (let at = 0; at + 4 <= buffer.length;) {
    const end = at + 4 + integer(buffer, at + 1, 3);
    if (end > buffer.length || buffer[at] !== 2) return undefined;
    const isRetry = buffer.toString("hex", at + 6, at + 38) === RETRY_RANDOM;
    const suiteAt = at + 39 + buffer[at + 38]!;
    let isResumed = false;
    for (let one = suiteAt + 5; one + 4 <= end; one += 4 + integer(buffer, one + 2, 2))
      isResumed ||= integer(buffer, one, 2) === PRE_SHARED_KEY;
    if (!isRetry) return { suite: integer(buffer, suiteAt, 2), isResumed };
    at = end;
  }
  return undefined;
}
