import { after, type Instant } from "../../core/index.ts";
import { sameOctets } from "../connection-id.ts";
import { fault, type Fault } from "../faults.ts";
import { RESET_TOKEN_LENGTH } from "../frame/index.ts";
import { readHeader, type Header } from "../packet/header.ts";
import { initialKeys, reservedBits, type Keys } from "../packet/keys.ts";
import { fullNumber, type NumberLength } from "../packet/number.ts";
import { retryTag } from "../packet/retry.ts";
import { SUITES } from "../packet/suites.ts";
import { sameAddress, type Address } from "../path/path.ts";
import { otherSide } from "../stream-id.ts";
import { answerLate, fail, vanish } from "./closing.ts";
import { lost } from "./delivered.ts";
import { handleFrames, spaceNameOf, type Packet } from "./frames.ts";
import { framesIn } from "./observation.ts";
import type { State } from "./state.ts";

type Long = Extract<Header, { readonly is: "long" }>;
type Short = Extract<Header, { readonly is: "short" }>;
type Opened = { readonly number: number; readonly payload: Uint8Array; readonly first: number };

/** Handles a datagram, which may hold several packets (rfc9000#12.2). */
export function receiveDatagram(state: State, bytes: Uint8Array, from: Address, now: Instant): void {
  if (state.closed !== undefined && state.closing === undefined) return;
  const isKnown = sameAddress(from, state.path.remote);
  // A server stays where it is (rfc9000#9).
  if (!isKnown && state.side === "client") return;
  if (isKnown) state.path.received(bytes.length);
  let first: Uint8Array | undefined;
  let isOurs = false;
  for (let at = 0; at < bytes.length;) {
    const header = readHeader(bytes, at, state.issued.length);
    if (header.is === "fault") break;
    // All packets of a datagram are for the same connection (rfc9000#12.2).
    if (first !== undefined && !sameOctets(first, header.destination)) break;
    first = header.destination;
    const wrong = receivePacket(state, header, { bytes, from, now });
    isOurs ||= wrong === undefined;
    if (wrong?.scope === "connection") fail(state, wrong, now);
    if (state.closing !== undefined) {
      if (wrong === undefined) answerLate(state);
      if (state.closing.frame === undefined) return;
    }
    at = header.end;
  }
  if (!isOurs && isStatelessReset(state, bytes)) vanish(state, "reset");
}

type Arrival = { readonly bytes: Uint8Array; readonly from: Address; readonly now: Instant };

function receivePacket(state: State, header: Header, arrival: Arrival): Fault | undefined {
  switch (header.is) {
    case "versionNegotiation":
      return onVersionNegotiation(state, header);
    case "unknownVersion":
      return fault("versionUnknown");
    case "retry":
      return onRetry(state, header);
    default:
      return onProtected(state, header, arrival);
  }
}

/** Only before anything else, and only if it offers something else (rfc9000#6.2). */
function onVersionNegotiation(
  state: State,
  { destination, source, versions }: Extract<Header, { readonly is: "versionNegotiation" }>,
): Fault | undefined {
  const isLate = state.hasReceived || state.retryId !== undefined;
  const isUnfit = state.side === "server" || isLate || versions.includes(state.begin.version.number);
  if (isUnfit || !state.issued.has(destination) || !sameOctets(source, state.peerIds.current)) return fault("versionNegotiationUnfit");
  vanish(state, "version");
  return undefined;
}

/** Once, and before anything else (rfc9000#17.2.5.2). */
function onRetry(state: State, header: Extract<Header, { readonly is: "retry" }>): Fault | undefined {
  const { primitives, originalId, version } = state.begin;
  const initial = state.spaces.initial;
  if (state.side === "server" || state.hasReceived || state.retryId !== undefined || initial === undefined || header.version !== version)
    return fault("retryUnfit");
  if (!state.issued.has(header.destination) || sameOctets(header.source, state.peerIds.current)) return fault("retryUnfit");
  if (header.token.length === 0) return fault("retryTokenEmpty");
  if (!primitives.isEqual(retryTag(primitives, version, originalId, header.untagged), header.tag)) return fault("retryTagWrong");
  state.retryId = header.source.slice();
  state.token = header.token.slice();
  state.peerIds.replaceFirst(state.retryId);
  initial.read = initialKeys(primitives, version, state.retryId, otherSide(state.side));
  initial.write = initialKeys(primitives, version, state.retryId, state.side);
  for (const name of ["initial", "application"] as const) lost(state, name, state.recovery.withdraw(name));
  return undefined;
}

function onProtected(state: State, header: Long | Short, arrival: Arrival): Fault | undefined {
  const { bytes, from, now } = arrival;
  const isClient = state.side === "client";
  const type = header.is === "short" ? "1-RTT" : header.type;
  if (header.is === "long") {
    if (header.version !== state.begin.version) return fault("versionUnknown");
    if (isClient && header.token.length > 0) return fault("initialTokenByServer");
    if (state.peerFirstId !== undefined && !sameOctets(header.source, state.peerFirstId)) return fault("connectionIdChanged");
    // A server answers Initial packets in full datagrams only (rfc9000#14.1).
    if (!isClient && type === "initial" && bytes.length < 1200) return fault("initialDatagramTooSmall");
  }
  const space = state.spaces[spaceNameOf(type)];
  if (space === undefined) return fault("keysAbsent");
  const packet = bytes.subarray(header.start, header.end);
  const opened = open(state, { type, packet, numberAt: header.numberAt - header.start }, now);
  if (opened === undefined) {
    if (state.parked.length < state.limits.parkedPackets) state.parked.push({ bytes: packet.slice(), from });
    return fault("keysAbsent");
  }
  if ("is" in opened) {
    if (opened.name === "packetUndecryptable" && ++state.failures > integrityLimit(state)) return fault("aeadLimitReached");
    return opened;
  }
  if (reservedBits(opened.first) !== 0) return fault(header.is === "long" ? "reservedBitsNotZero" : "reservedBitsOfShortNotZero");
  if (space.acks.isDuplicate(opened.number)) return fault("packetDuplicate");
  if (state.closed !== undefined) return undefined;

  if (header.is === "long" && state.peerFirstId === undefined) {
    state.peerFirstId = header.source.slice();
    if (isClient) state.peerIds.replaceFirst(state.peerFirstId);
  }
  state.hasReceived = true;
  if (!isClient && type === "handshake") {
    // The client has our answer, so its address is its own (rfc9000#8.1), and Initial keys are over (rfc9001#4.9.1).
    state.path.validate();
    state.discard("initial");
  }
  state.restartIdle(now);
  state.hasAskedSince = false;
  const { number, payload } = opened;
  const context: Packet = { type, number, destination: header.destination, from, size: bytes.length };
  state.begin.observer?.({ is: "received", type, number, octets: packet.length, frames: framesIn(payload, type) }, now);
  const isNewest = number > (space.acks.largest ?? -1);
  const got = handleFrames(state, context, payload, now);
  if ("is" in got) return got;
  space.acks.received(number, got.elicits, now);
  if (type === "1-RTT" && isNewest && !got.isProbe && !sameAddress(from, state.path.remote)) migrate(state, from, bytes.length, now);
  unpark(state, now);
  return undefined;
}

type Sealed = { readonly type: Packet["type"]; readonly packet: Uint8Array; readonly numberAt: number };

/** Removes the protection; undefined if the keys are not there yet. */
function open(state: State, { type, packet, numberAt }: Sealed, now: Instant): Opened | Fault | undefined {
  const space = state.spaces[spaceNameOf(type)]!;
  const decode = (truncated: number, length: NumberLength): number => fullNumber(truncated, length, space.acks.largest);
  if (type === "1-RTT") {
    // Not before the handshake is complete, even if the keys are there (rfc9001#5.7).
    if (state.phases === undefined || !state.isComplete) return undefined;
    return state.phases.open(packet, numberAt, { decode, now, keepUntil: after(now, 3 * state.probeMs) });
  }
  if (type === "0-RTT" && (state.side === "client" || state.isComplete)) return fault("keysAbsent");
  return space.read === undefined ? undefined : openWith(space.read, packet, numberAt, decode);
}

function openWith(
  keys: Keys,
  packet: Uint8Array,
  numberAt: number,
  decode: (truncated: number, length: NumberLength) => number,
): Opened | Fault {
  const head = keys.unmask(packet, numberAt);
  if (head === undefined) return fault("packetTooShortToSample");
  const number = decode(head.number, head.length);
  const payload = keys.open(packet, head.header, number);
  return payload === undefined ? fault("packetUndecryptable") : { number, payload, first: head.header[0]! };
}

const integrityLimit = (state: State): number => SUITES[state.appRead?.suite ?? "TLS_AES_128_GCM_SHA256"].integrityLimit;

/** Packets that came before their keys get another chance. */
function unpark(state: State, now: Instant): void {
  const isReady = state.isComplete || state.spaces.handshake?.read !== undefined || state.application.read !== undefined;
  if (state.parked.length === 0 || !isReady) return;
  const parked = state.parked;
  state.parked = [];
  for (const { bytes, from } of parked) {
    const header = readHeader(bytes, 0, state.issued.length);
    if (header.is !== "long" && header.is !== "short") continue;
    const wrong = onProtected(state, header, { bytes, from, now });
    if (wrong?.scope === "connection") fail(state, wrong, now);
    if (state.isOver) return;
  }
}

/** The peer has another address: it has to prove it (rfc9000#9.3). */
function migrate(state: State, from: Address, size: number, now: Instant): void {
  if (state.side === "client" || !state.isConfirmed) return;
  const former = state.path;
  if (former.isValidated) state.formerPath = former;
  state.path = state.pathTo(from, false);
  state.path.received(size);
  state.path.challenge(now, 3 * Math.max(state.probeMs, 999));
  // Packets to another host have another ID, so that nobody links the two (rfc9000#9.5).
  if (from.host !== former.remote.host && state.peerIds.renew())
    for (const sequence of state.peerIds.takeRetirements()) state.control.push({ is: "RETIRE_CONNECTION_ID", sequence });
}

/** A datagram that nothing else explains, and that ends with a token of the peer (rfc9000#10.3.1). */
function isStatelessReset(state: State, bytes: Uint8Array): boolean {
  if (bytes.length < 5 + RESET_TOKEN_LENGTH || (bytes[0]! & 0x80) !== 0) return false;
  const end = bytes.subarray(bytes.length - RESET_TOKEN_LENGTH);
  return state.peerIds.resetTokens.some((token) => state.begin.primitives.isEqual(token, end));
}
