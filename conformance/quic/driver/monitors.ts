import { readVarint } from "../../wire/http3/varint.ts";
import { toHex } from "../../wire/octets.ts";
import type { RawEnd } from "../../wire/quic/end.ts";
import type { ParameterName } from "../../wire/quic/names.ts";
import { ticketsIn } from "../../wire/quic/tickets.ts";
import { earlyLimitsKept, earlySettingsKept, refusedNotAcknowledged, ticketAgesFresh } from "./resumed.ts";
import type { Shown, Watched } from "./shown.ts";

/** Properties of everything that a subject sends. */

type Is<Name extends Shown["is"]> = Extract<Shown, { readonly is: Name }>;
type Monitor = (watched: Watched) => string | undefined;

const packetsIn = (seen: readonly Shown[]): Is<"packet">[] => seen.filter((one): one is Is<"packet"> => one.is === "packet");
function firstOf<Item>(items: readonly Item[], find: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Frames that other packets than those of 1-RTT may carry (rfc9000#12.4). */
const EARLY = new Set(["PING", "ACK", "ACK_ECN", "CRYPTO", "CONNECTION_CLOSE"]);
/** Integers with their least and greatest values (rfc9000#18.2). */
const BOUNDS: readonly (readonly [ParameterName, number, number])[] = [
  ["max_udp_payload_size", 1_200, Number.POSITIVE_INFINITY],
  ["initial_max_streams_bidi", 0, 2 ** 60],
  ["initial_max_streams_uni", 0, 2 ** 60],
  ["ack_delay_exponent", 0, 20],
  ["max_ack_delay", 0, 2 ** 14 - 1],
  ["active_connection_id_limit", 2, Number.POSITIVE_INFINITY],
];
const MINIMUM = 1_200;
const VERSION_1 = "00000001";
/** rfc8446#4.6.1 */
const SEVEN_DAYS_S = 604_800;
/** rfc9000#7.2 */
const SHORTEST_FIRST_ID = 8;
/** Whether the subject opens this stream (rfc9000#2.1). */
const isTheirs = (stream: number, end: RawEnd): boolean => (stream % 2 === 0) === (end.we === "server");
const initialsIn = (seen: readonly Shown[]): Is<"initial">[] => seen.filter((one): one is Is<"initial"> => one.is === "initial");

const MONITORS: Readonly<Record<string, Monitor>> = {
  "parameters-in-bounds": ({ end }) =>
    firstOf(BOUNDS, ([name, least, most]) => {
      const octets = end.theirs.get(name);
      const value = octets === undefined ? undefined : readVarint(octets);
      if (octets === undefined) return undefined;
      if (value === undefined || value.size !== octets.length) return `its ${name} is not an integer: ${toHex(octets)}`;
      return value.value < least || value.value > most ? `its ${name} is ${value.value}` : undefined;
    }),
  "original-id-confirmed": ({ end }) => {
    const found = end.theirs.get("original_destination_connection_id");
    if (found === undefined) return "it sent no original_destination_connection_id";
    return toHex(found) === toHex(end.firstDestination) ? undefined : `its original_destination_connection_id is ${toHex(found)}`;
  },
  "source-id-confirmed": ({ end }) => {
    const found = end.theirs.get("initial_source_connection_id");
    if (found === undefined) return "it sent no initial_source_connection_id";
    return toHex(found) === toHex(end.ids.get(0) ?? new Uint8Array(0)) ? undefined : `its initial_source_connection_id is ${toHex(found)}`;
  },
  "no-retry-id": ({ end, seen }) =>
    end.theirs.has("retry_source_connection_id") && !seen.some(({ is }) => is === "retry")
      ? "it sent retry_source_connection_id without a Retry"
      : undefined,
  "retry-id-confirmed": ({ end, seen }) => {
    const sent = seen.find((one): one is Is<"retry"> => one.is === "retry")?.source;
    const found = end.theirs.get("retry_source_connection_id");
    if (sent === undefined) return "it sent no Retry";
    if (found === undefined) return "it sent no retry_source_connection_id after its Retry";
    return toHex(found) === sent ? undefined : `its retry_source_connection_id is ${toHex(found)}, and the source ID of its Retry ${sent}`;
  },
  "retry-id-fresh": ({ end, seen }) =>
    firstOf(seen, (one) =>
      one.is === "retry" && one.source === toHex(end.firstDestination)
        ? `it took our destination ID ${one.source} for its Retry`
        : undefined,
    ),
  "tickets-early-limit": ({ seen }) =>
    firstOf(ticketsIn(seen), ({ early }) =>
      early === undefined || early === 0xffff_ffff ? undefined : `it sent a ticket that permits ${early} octets of early data`,
    ),
  "tickets-lifetime": ({ seen }) =>
    firstOf(ticketsIn(seen), ({ lifetime }) => (lifetime <= SEVEN_DAYS_S ? undefined : `it sent a ticket that is valid for ${lifetime} s`)),
  "version-information-sent": ({ end }) =>
    end.theirs.has("version_information") ? undefined : "it speaks version 2, and sends no version_information",
  "version-information-right": ({ end }) => {
    const hex = toHex(end.theirs.get("version_information") ?? new Uint8Array(0));
    const [chosen, ...available] = hex.match(/.{8}/g) ?? [];
    if (hex.length % 8 > 0 || chosen === undefined) return `its version_information is ${hex}`;
    if (chosen !== VERSION_1) return `it says that it has chosen version ${chosen}`;
    return end.we === "server" && !available.includes(VERSION_1)
      ? `its available versions ${available.join(" ")} lack the chosen one`
      : undefined;
  },
  "ticket-ages-fresh": ticketAgesFresh,
  "early-limits-kept": earlyLimitsKept,
  "early-settings-kept": earlySettingsKept,
  "refused-early-data-not-acknowledged": refusedNotAcknowledged,
  "frames-in-place": ({ seen }) =>
    firstOf(packetsIn(seen), ({ level, frames }) => {
      const wrong = level === "application" ? undefined : frames.find(({ type }) => !EARLY.has(type));
      return wrong === undefined ? undefined : `it sent ${wrong.type} in a packet of level ${level}`;
    }),
  "frames-known": ({ seen }) =>
    firstOf(packetsIn(seen), ({ frames }) => {
      const unknown = frames.find(({ type }) => type.startsWith("0x"));
      return unknown === undefined ? undefined : `it sent a frame of type ${unknown.type}, which nobody has negotiated`;
    }),
  "numbers-not-reused": ({ seen }) =>
    firstOf(seen, (one) => (one.is === "repeated" ? `it used packet number ${one.number} twice at level ${one.level}` : undefined)),
  "acknowledges-what-came": ({ seen, end }) =>
    firstOf(packetsIn(seen), ({ level, frames }) => {
      const beyond = frames.find(({ type, members }) => type.startsWith("ACK") && Number(members["largest"]) >= end.spaces[level].next);
      return beyond === undefined
        ? undefined
        : `it acknowledged packet ${beyond.members["largest"]} at level ${level}, which we have not sent`;
    }),
  "initials-padded": ({ seen }) => {
    let size = 0;
    return firstOf(seen, (one) => {
      if (one.is === "datagram") size = one.octets;
      if (one.is !== "packet" || one.level !== "initial") return undefined;
      const isEliciting = one.frames.some(({ type }) => !type.startsWith("ACK") && !type.startsWith("CONNECTION_CLOSE"));
      return isEliciting && size < MINIMUM
        ? `it sent an Initial packet that asks for an acknowledgment in a datagram of ${size} octets`
        : undefined;
    });
  },
  "client-datagrams-padded": ({ seen }) =>
    firstOf(initialsIn(seen), ({ octets }) =>
      octets < MINIMUM ? `it sent an Initial packet in a datagram of ${octets} octets` : undefined,
    ),
  "first-id-long-enough": ({ seen }) => {
    const [first] = initialsIn(seen);
    if (first === undefined || first.destination.length >= 2 * SHORTEST_FIRST_ID) return undefined;
    return `the destination ID of its first Initial packet has ${first.destination.length / 2} octets`;
  },
  "source-id-kept": ({ seen }) => {
    const [first, ...others] = initialsIn(seen);
    return firstOf(others, ({ source }) =>
      source === first?.source ? undefined : `it changed its source ID from ${first?.source} to ${source}`,
    );
  },
  "no-token-unasked": ({ seen }) =>
    firstOf(initialsIn(seen), ({ token }) => (token === "" ? undefined : `it sent the token ${token}, which we never gave`)),
  "retry-token-repeated": ({ seen, end }) => {
    const sent = end.retry;
    if (sent === undefined) return "we sent no Retry";
    const after = initialsIn(seen).slice(initialsIn(seen).findIndex(({ token }) => token === sent.token));
    return firstOf(after, ({ token }) =>
      token === sent.token ? undefined : `it sent an Initial packet with the token "${token}" after that of the Retry`,
    );
  },
  "retry-id-used": ({ seen, end }) => {
    const sent = end.retry;
    if (sent === undefined) return "we sent no Retry";
    const first = initialsIn(seen).find(({ token }) => token === sent.token);
    if (first === undefined) return "no Initial packet had the token of the Retry";
    return first.destination === sent.source ? undefined : `it answered the Retry with a packet to the ID ${first.destination}`;
  },
  "numbers-go-on-after-retry": ({ seen }) =>
    firstOf(packetsIn(seen), ({ level, number }) =>
      level === "initial" && number === 0 ? "it used packet number 0 again after the Retry" : undefined,
    ),
  "within-three-times": ({ end: { amplified } }) =>
    amplified === undefined
      ? undefined
      : `it sent ${amplified.received} octets to an address that is not validated, and had got ${amplified.sent}`,
  "ids-fresh": ({ seen }) => {
    const tokens = new Set<string>();
    const ids = new Map<string, number>();
    return firstOf(seen, (one) => {
      if (one.is !== "frame" || one.frame.type !== "NEW_CONNECTION_ID") return undefined;
      const { sequence, retire, id, token } = one.frame.members;
      const known = ids.get(String(id));
      if (known === Number(sequence)) return undefined;
      if (known !== undefined) return `it issued the connection ID ${id} with two sequence numbers`;
      if (tokens.has(String(token))) return "it gave one stateless reset token to two connection IDs";
      if (Number(retire) > Number(sequence)) return `its Retire Prior To ${retire} is beyond the sequence number ${sequence}`;
      ids.set(String(id), Number(sequence));
      tokens.add(String(token));
      return undefined;
    });
  },
  "ids-within-limit": ({ seen, end }) => {
    const sequences = new Set([0]);
    return firstOf(seen, (one) => {
      if (one.is !== "frame" || one.frame.type !== "NEW_CONNECTION_ID") return undefined;
      sequences.add(Number(one.frame.members["sequence"]));
      const most = end.ours.ids;
      return sequences.size > most ? `it issued ${sequences.size} connection IDs to a peer that keeps ${most}` : undefined;
    });
  },
  "streams-within-credit": ({ seen, end }) => {
    const ends = new Map<number, number>();
    return firstOf(seen, (one) => {
      if (one.is !== "frame" || one.frame.type !== "STREAM") return undefined;
      const { stream, offset, length } = one.frame.members;
      const id = Number(stream);
      const to = Number(offset) + Number(length);
      ends.set(id, Math.max(ends.get(id) ?? 0, to));
      const perStream = end.ours.creditOn(id, isTheirs(id, end) ? "its peer" : "itself");
      const all = end.ours.integer("initial_max_data");
      if (to > perStream) return `it sent ${to} octets on stream ${id}, which had credit for ${perStream}`;
      const sum = [...ends.values()].reduce((total, octets) => total + octets, 0);
      return sum > all ? `it sent ${sum} octets on all streams together, which had credit for ${all}` : undefined;
    });
  },
  "streams-within-limits": ({ seen, end }) =>
    firstOf(seen, (one) => {
      if (one.is !== "frame" || one.frame.type !== "STREAM") return undefined;
      const id = Number(one.frame.members["stream"]);
      if (!isTheirs(id, end)) return undefined;
      const most = end.ours.integer(id % 4 < 2 ? "initial_max_streams_bidi" : "initial_max_streams_uni");
      return Math.floor(id / 4) >= most ? `it opened stream ${id}, although it may open ${most} such streams` : undefined;
    }),
  "handshake-done-late": ({ seen }) => {
    const done = seen.findIndex((one) => one.is === "frame" && one.frame.type === "HANDSHAKE_DONE");
    const finished = seen.findIndex(({ is }) => is === "finished");
    return done >= 0 && (finished < 0 || done < finished) ? "it sent HANDSHAKE_DONE before it had our Finished" : undefined;
  },
  "one-response-per-challenge": ({ seen }) => {
    const counts = new Map<string, number>();
    return firstOf(seen, (one) => {
      if (one.is !== "frame" || one.frame.type !== "PATH_RESPONSE") return undefined;
      const token = String(one.frame.members["token"]);
      counts.set(token, (counts.get(token) ?? 0) + 1);
      return (counts.get(token) ?? 0) > 1 ? `it answered the challenge ${token} twice` : undefined;
    });
  },
};

export const monitorNames: readonly string[] = Object.keys(MONITORS);

/** What broke the property of this name. */
export function monitor(name: string, watched: Watched): string | undefined {
  const find = MONITORS[name];
  if (find === undefined) throw new RangeError(`there is no monitor "${name}"`);
  return find(watched);
}
