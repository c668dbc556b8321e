import { QUIC_PRIMITIVES } from "../../../reference/io/index.ts";
import { retryTag, V1, V2 } from "../../../reference/quic/index.ts";
import type { FrameSpec } from "../../wire/quic/frame-spec.ts";
import { fromHex } from "../../wire/octets.ts";
import { MESSAGE_TYPES } from "../../wire/quic/forgery.ts";
import { editExtensions, message } from "../../wire/quic/hello.ts";
import { isHello, offersSession } from "../../wire/quic/offer.ts";
import { anyVersion, cut, retry } from "../../wire/quic/packets.ts";
import { PARAMETERS, type FrameName } from "../../wire/quic/names.ts";
import type { ReadFrame } from "../../wire/quic/read.ts";
import type { Flaw, Peer } from "./peer.ts";

/** QUIC servers that are wrong on purpose, by name. */

export const refusing = (about: string, isRefused: (frame: ReadFrame, peer: Peer) => boolean): Flaw => ({
  about,
  meets: (observed, peer) => (observed.is === "frame" && isRefused(observed.frame, peer) ? { close: "INTERNAL_ERROR" } : undefined),
});
const refusingType = (type: FrameName): Flaw => refusing(`treats ${type} as an error`, (frame) => frame.type === type);
const adding = (about: string, adds: NonNullable<Flaw["adds"]>): Flaw => ({ about, adds });
const announcing = (about: string, parameters: NonNullable<Flaw["parameters"]>): Flaw => ({ about, parameters });
const number = (value: unknown): number => Number(value);

const VERSION_AT = 1;
const versionOf = (datagram: Uint8Array): number => new DataView(datagram.buffer, datagram.byteOffset).getUint32(VERSION_AT);
const isLong = (datagram: Uint8Array): boolean => datagram.length > 7 && ((datagram[0] ?? 0) & 0x80) !== 0;
/** A Version Negotiation packet for the sender of a long packet. */
function negotiate(datagram: Uint8Array, answer: (octets: Uint8Array) => void): void {
  const destinationEnd = 6 + (datagram[5] ?? 0);
  const sourceEnd = destinationEnd + 1 + (datagram[destinationEnd] ?? 0);
  answer(
    anyVersion(
      0,
      datagram.subarray(destinationEnd + 1, sourceEnd),
      datagram.subarray(6, destinationEnd),
      Uint8Array.of(0, 0, 0, 1, ...fromHex("6b3343cf")),
    ),
  );
}
const KNOWN: ReadonlySet<number> = new Set([V1.number, V2.number]);
/** What the base does with a datagram that begins no connection. */
export function negotiates(datagram: Uint8Array, answer: (octets: Uint8Array) => void): boolean {
  if (!isLong(datagram)) return false;
  const version = versionOf(datagram);
  if (KNOWN.has(version)) return false;
  if (version !== 0 && datagram.length >= 1_200) negotiate(datagram, answer);
  return true;
}
/** Answers an Initial packet without token with a Retry; its source ID and token may be wrong. */
function retries(datagram: Uint8Array, answer: (octets: Uint8Array) => void, source: (destination: Uint8Array) => Uint8Array): boolean {
  const [initial] = cut(datagram, 8);
  if (initial?.is !== "protected" || initial.level !== "initial" || initial.token.length > 0) return false;
  const { destination, source: client } = initial;
  const token = Uint8Array.of(1, 2, 3, 4);
  const parts = { destination: client, source: source(destination), token };
  answer(retry((untagged) => retryTag(QUIC_PRIMITIVES, V1, destination, untagged), parts));
  return true;
}
const fresh = (destination: Uint8Array): Uint8Array => destination.map((octet) => octet ^ 0x55);
const ticket = (lifetime: string, early: string): FrameSpec => {
  const body = `${lifetime}00000000${"0100"}${"000401020304"}${"0008002a0004"}${early}`;
  return { type: "CRYPTO", hex: `00${"401e"}04${"00001a"}${body}` };
};
/** A flaw that remembers something of a connection. */
export const once = <Value>(): { has(peer: Peer): Value | undefined; set(peer: Peer, value: Value): void } => {
  const known = new WeakMap<Peer, Value>();
  return { has: (peer) => known.get(peer), set: (peer, value) => void known.set(peer, value) };
};
function spin(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until;);
}
const offsets = once<Set<number>>();
const sequences = once<Set<number>>();
const retired = once<number>();
const offers = once<boolean>();
/** rfc8446#4.2.10 */
const EARLY_DATA = 0x2a;

const TYPES: readonly FrameName[] = [
  "DATA_BLOCKED",
  "STREAM_DATA_BLOCKED",
  "STREAMS_BLOCKED_BIDI",
  "STREAMS_BLOCKED_UNI",
  "RETIRE_CONNECTION_ID",
  "ACK_ECN",
];

export const FLAWS: Readonly<Record<string, Flaw>> = {
  lenient: { about: "accepts everything" },
  silent: { about: "says nothing", before: () => false },
  slams: { about: "closes every connection at once", slams: true },
  wastes: {
    about: "spends a millisecond on each datagram, and more on each connection",
    first: (datagram, answer) => {
      spin(1);
      return negotiates(datagram, answer);
    },
    begins: () => spin(12),
    before: () => {
      spin(1);
      return true;
    },
  },
  "closes-without-error": { about: "ends a handshake that fails with NO_ERROR", lacks: ["refusing"] },
  ...Object.fromEntries(TYPES.map((type) => [`refuses-${type.toLowerCase().replaceAll("_", "-")}`, refusingType(type)])),
  "refuses-padding": {
    about: "treats a packet of PADDING as an error",
    meets: (one) =>
      one.is === "packet" && one.level === "application" && one.frames.length === 0 ? { close: "INTERNAL_ERROR" } : undefined,
  },
  "refuses-empty-stream-frames": refusing(
    "treats STREAM without data as an error",
    ({ type, members }) => type === "STREAM" && members["length"] === 0,
  ),
  "refuses-falling-limits": refusing(
    "treats a limit that falls as an error",
    ({ type, members }) => type.startsWith("MAX_") && number(members["max"]) < 10,
  ),
  "refuses-gaps-in-streams": refusing("treats data that comes out of order as an error", ({ type, members }, peer) => {
    if (type !== "STREAM" || number(members["stream"]) % 4 !== 0) return false;
    const known = offsets.has(peer) ?? new Set<number>();
    offsets.set(peer, known.add(number(members["offset"])));
    return number(members["offset"]) > 0 && !known.has(0);
  }),
  "refuses-repeated-data": refusing("treats data that comes again as an error", ({ type, members }, peer) => {
    if (type !== "STREAM" || number(members["stream"]) % 4 !== 0) return false;
    const known = offsets.has(peer) ?? new Set<number>();
    const isKnown = known.has(number(members["offset"]));
    offsets.set(peer, known.add(number(members["offset"])));
    return isKnown;
  }),
  "refuses-repeated-ids": refusing("treats a connection ID that comes again as an error", ({ type, members }, peer) => {
    if (type !== "NEW_CONNECTION_ID") return false;
    const known = sequences.has(peer) ?? new Set<number>();
    const isKnown = known.has(number(members["sequence"]));
    sequences.set(peer, known.add(number(members["sequence"])));
    return isKnown;
  }),
  "refuses-falling-retirement": refusing("treats a Retire Prior To that falls as an error", ({ type, members }, peer) => {
    if (type !== "NEW_CONNECTION_ID") return false;
    const before = retired.has(peer) ?? 0;
    retired.set(peer, Math.max(before, number(members["retire"])));
    return number(members["retire"]) < before;
  }),
  "refuses-number-jumps": {
    about: "treats a jump of packet numbers as an error",
    meets: (observed) =>
      observed.is === "packet" && observed.level === "application" && observed.number > 10_000 ? { close: "INTERNAL_ERROR" } : undefined,
  },
  "refuses-unreadable-packets": {
    about: "treats a packet that cannot be read as an error",
    meets: ({ is }) => (is === "unreadable" ? { close: "INTERNAL_ERROR" } : undefined),
  },
  "reads-packets-twice": {
    about: "reads a packet number twice, and treats HANDSHAKE_DONE as an error",
    begins: ({ end }) => (end.readsTwice = true),
    meets: (observed) =>
      observed.is === "frame" && observed.frame.type === "HANDSHAKE_DONE" ? { close: "PROTOCOL_VIOLATION" } : undefined,
  },
  "never-resets": { about: "ignores STOP_SENDING", lacks: ["resetting"] },
  "never-retires": { about: "ignores Retire Prior To", lacks: ["retiring"] },
  "never-replaces": { about: "replaces no connection ID", lacks: ["replacing"] },
  "forgets-ids": { about: "reads no packet to the connection IDs that it issues", lacks: ["routing"] },
  "never-validates": { about: "validates no path", lacks: ["validating"] },
  "never-answers-challenges": { about: "ignores PATH_CHALLENGE", begins: ({ end }) => (end.answersPaths = false) },
  "keeps-old-keys": { about: "reads packets with the keys before an update", begins: ({ end }) => end.keepOldKeys() },
  "never-updates-keys": { about: "keeps its keys", begins: ({ end }) => (end.answersUpdates = false) },
  "answers-challenges-twice": {
    about: "answers a challenge twice",
    meets: (observed, peer) => {
      if (observed.is === "frame" && observed.frame.type === "PATH_CHALLENGE")
        peer.send({ type: "PATH_RESPONSE", token: String(observed.frame.members["token"]) });
      return undefined;
    },
  },
  "talks-after-the-end": {
    about: "sends on after the client has closed the connection",
    before: (_, peer) => {
      if (peer.end.isOver) peer.send({ type: "PING" });
      return true;
    },
  },
  "reads-first-packets-only": {
    about: "reads only the first packet of a datagram with Handshake packets",
    before: (datagram, { end }) => {
      const [first, second] = cut(datagram, 8);
      if (first?.is === "protected" && second !== undefined && first.level === "initial" && end.spaces.handshake.largest < 0) return false;
      return true;
    },
  },
  "issues-many-ids": { about: "issues ten connection IDs", ids: 10 },
  "repeats-tokens": { about: "gives the same stateless reset token to all connection IDs", token: () => "00".repeat(16) },
  "misplaces-frames": {
    about: "sends MAX_DATA in a Handshake packet",
    meets: ({ is }, { end }) => {
      if (is === "established") end.send({ level: "handshake" }, [{ type: "MAX_DATA", max: 1 }]);
      return undefined;
    },
  },
  "sends-unknown-frames": adding("sends a frame of an unknown type", (peer) => peer.send({ type: 0x21 })),
  "reuses-numbers": adding("uses a packet number twice", ({ end }) => {
    end.send({ level: "application" }, [{ type: "PING" }]);
    end.send({ level: "application", skip: -1 }, [{ type: "PING" }]);
  }),
  "acknowledges-the-future": adding("acknowledges packets that have not come", (peer) => peer.send({ type: "ACK", largest: 5_000 })),
  "small-initials": { about: "does not pad Initial packets", begins: ({ end }) => (end.size = 0) },
  "done-early": {
    about: "sends HANDSHAKE_DONE before it has the client's Finished",
    meets: (observed, peer) => {
      if (observed.is === "packet" && observed.level === "handshake") peer.send({ type: "HANDSHAKE_DONE" });
      return undefined;
    },
  },
  "ignores-credit": { about: "sends whatever it has", floods: true },
  "opens-streams": adding("opens three unidirectional streams", (peer) => {
    for (const stream of [3, 7, 11]) peer.send({ type: "STREAM", stream, data: "!" });
  }),
  amplifies: {
    about: "sends much in answer to a first flight",
    meets: ({ is }, { end }) => {
      if (is === "parameters") for (let n = 0; n < 5; n++) end.send({ level: "initial" }, [{ type: "PING" }]);
      return undefined;
    },
  },
  "wrong-bounds": announcing("announces an ack_delay_exponent of 21", { set: { ack_delay_exponent: 21 } }),
  "wrong-original-id": announcing("announces another original_destination_connection_id", {
    set: { original_destination_connection_id: "0102030405060708" },
  }),
  "wrong-source-id": announcing("announces another initial_source_connection_id", {
    set: { initial_source_connection_id: "0102030405060708" },
  }),
  "retry-id-without-retry": announcing("announces retry_source_connection_id without a Retry", {
    set: { retry_source_connection_id: "0102030405060708" },
  }),
  "refuses-unknown-parameters": {
    about: "treats unknown transport parameters as an error",
    meets: (observed) =>
      observed.is === "parameters" && [...observed.parameters.keys()].some((id) => id > PARAMETERS.retry_source_connection_id)
        ? { close: "TRANSPORT_PARAMETER_ERROR" }
        : undefined,
  },
  "expects-parameters": {
    about: "treats the absence of max_idle_timeout as an error",
    meets: (observed) =>
      observed.is === "parameters" && !observed.parameters.has(PARAMETERS.max_idle_timeout)
        ? { close: "TRANSPORT_PARAMETER_ERROR" }
        : undefined,
  },
  "never-negotiates": { about: "ignores unknown versions", first: (datagram) => isLong(datagram) && versionOf(datagram) !== 1 },
  "negotiates-always": {
    about: "answers everything of another version",
    first: (datagram, answer) => {
      if (!isLong(datagram) || versionOf(datagram) === 1) return false;
      negotiate(datagram, answer);
      return true;
    },
  },
  "retries-without-checks": {
    about: "sends a Retry, takes any token, and confirms no ID",
    first: (datagram, answer) => negotiates(datagram, answer) || retries(datagram, answer, fresh),
  },
  "retries-with-the-same-id": {
    about: "sends a Retry with the client's destination ID",
    first: (datagram, answer) => negotiates(datagram, answer) || retries(datagram, answer, (destination) => destination),
  },
  "retries-in-vain": {
    about: "sends a Retry, and ignores the token once the client has it",
    first: (datagram, answer) => {
      if (negotiates(datagram, answer) || retries(datagram, answer, fresh)) return true;
      const [packet] = cut(datagram, 8);
      return packet?.is === "protected" && packet.token.length > 0;
    },
  },
  "short-early-data": adding("sends a ticket that permits 4,096 octets of early data", (peer) => peer.send(ticket("00001c20", "00001000"))),
  "long-tickets": adding("sends a ticket that is valid for a month", (peer) => peer.send(ticket("00278d00", "ffffffff"))),
  "refuses-strange-versions": {
    about: "treats versions that it does not know as an error",
    meets: (observed) =>
      observed.is === "parameters" &&
      Buffer.from(observed.parameters.get(PARAMETERS.version_information) ?? []).includes(Buffer.from("1a2a3a4a", "hex"))
        ? { close: "INTERNAL_ERROR" }
        : undefined,
  },
  "chooses-another-version": announcing("says that it has chosen version 2", { set: { version_information: "6b3343cf6b3343cf" } }),
  "hides-its-versions": announcing("sends no version_information", { without: ["version_information"] }),
  "lists-versions-in-vain": {
    about: "lists version 2, and does not speak it",
    before: (datagram) => !isLong(datagram) || versionOf(datagram) !== V2.number,
  },
  "resumes-once": { about: "resumes the session of its first such client only", resumes: 1 },
  "refuses-strange-tickets": {
    about: "treats a ticket that it cannot open as an error",
    meets: (observed, peer) => {
      if (observed.is === "frame" && observed.frame.data !== undefined && isHello(observed.frame.data))
        offers.set(peer, offersSession(observed.frame.data));
      const isRefused = observed.is === "established" && !observed.resumed && offers.has(peer) === true;
      return isRefused ? { close: "INTERNAL_ERROR" } : undefined;
    },
  },
  "takes-early-data-always": {
    about: "says that it takes 0-RTT data, whatever the client offers",
    forging: {
      sends: (octets) =>
        octets[0] === MESSAGE_TYPES.EncryptedExtensions
          ? message(
              MESSAGE_TYPES.EncryptedExtensions,
              editExtensions(octets.subarray(6), { without: ["early_data"], add: { type: EARLY_DATA, hex: "" } }),
            )
          : octets,
    },
  },
  "ignores-early-packets": {
    about: "takes 0-RTT data, and reads none of it",
    before: (datagram) => {
      const [packet] = cut(datagram, 8);
      return packet?.is !== "protected" || !packet.early;
    },
  },
  "acknowledges-everything": adding("acknowledges the first packet whether it read it or not", (peer) =>
    peer.send({ type: "ACK", largest: 0, first: 0 }),
  ),
  "forgets-limits": {
    about: "gives clients that resume a session less credit",
    later: { set: { initial_max_stream_data_bidi_remote: 65_536 } },
  },
  "forgets-settings": {
    about: "sends other SETTINGS to clients that resume a session",
    meets: (observed, peer) => {
      if (observed.is === "established")
        peer.send({ type: "STREAM", stream: 3, data: observed.resumed ? "\0\u0004\0" : "\0\u0004\u0002\u0006\u003f" });
      return undefined;
    },
  },
  "refuses-large-datagrams": { about: "ignores datagrams beyond 1,300 octets", before: (datagram) => datagram.length <= 1_300 },
  "refuses-long-ids": {
    about: "ignores first packets to IDs beyond 8 octets",
    before: (datagram) => !isLong(datagram) || (datagram[5] ?? 0) <= 8,
  },
  "refuses-tokens": {
    about: "treats any token as an error",
    before: (datagram, peer) => {
      const [packet] = cut(datagram, 8);
      if (packet?.is !== "protected" || packet.token.length === 0) return true;
      peer.close("INTERNAL_ERROR");
      return false;
    },
  },
  "refuses-unknown-extensions": refusing(
    "treats unknown extensions as an error",
    ({ type, data }) => type === "CRYPTO" && data !== undefined && Buffer.from(data).includes(Buffer.from("7a7a0001", "hex")),
  ),
  "refuses-second-hellos": refusing(
    "treats a second ClientHello as an error",
    ({ type, members }, { end }) => type === "CRYPTO" && number(members["offset"]) > 0 && end.spaces.handshake.largest < 0,
  ),
};
