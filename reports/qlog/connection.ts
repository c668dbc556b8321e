/** What a page and a summary show of one connection, from the events of its log. */
import { counted } from "../words.ts";
import { type Fields, fields, numberOf, type QlogEvent, type QlogTrace, textOf } from "./read.ts";

/** One line of the list: a packet, its loss, or something else that happened. */
export type Moment = {
  /** Milliseconds since the first moment. */
  readonly at: number;
  readonly way: "sent" | "received" | "lost" | "note";
  /** The packet with its type and number, or what happened. */
  readonly what: string;
  readonly octets?: number;
  /** The frames of the packet, in words. */
  readonly frames: readonly string[];
};
/** A value at a time in milliseconds. */
export type Point = readonly [at: number, value: number];
export type Connection = {
  readonly file: string;
  readonly side: string;
  readonly id: string;
  readonly lastsMs: number;
  readonly packets: { readonly sent: number; readonly received: number; readonly lost: number };
  readonly octets: { readonly sent: number; readonly received: number };
  /** How the log says that the connection ended; undefined if it does not. */
  readonly ended: string | undefined;
  /** Transport parameters by name: of the side that wrote the log, and of the other. */
  readonly parameters: readonly { readonly name: string; readonly local: string; readonly remote: string }[];
  readonly moments: readonly Moment[];
  /** Octets that may be in flight, octets that are, and the latest round-trip time in milliseconds. */
  readonly window: readonly Point[];
  readonly inFlight: readonly Point[];
  readonly rtt: readonly Point[];
};

export function connectionOf({ file, side, id, events }: QlogTrace): Connection {
  const moments = events.flatMap(momentOf);
  const of = (way: Moment["way"]): Moment[] => moments.filter((moment) => moment.way === way);
  const octets = (way: Moment["way"]): number => of(way).reduce((sum, moment) => sum + (moment.octets ?? 0), 0);
  const closed = events.find(({ name }) => name === "connection_closed");
  return {
    file,
    side,
    id,
    lastsMs: events.reduce((last, { at }) => Math.max(last, at), 0),
    packets: { sent: of("sent").length, received: of("received").length, lost: of("lost").length },
    octets: { sent: octets("sent"), received: octets("received") },
    ended: closed === undefined ? undefined : endOf(closed.data),
    parameters: parametersOf(events),
    moments,
    window: pointsOf(events, "congestion_window", "cwnd"),
    inFlight: pointsOf(events, "bytes_in_flight"),
    rtt: pointsOf(events, "latest_rtt"),
  };
}

/** The connection in one sentence. */
export function connectionWords({ side, id, lastsMs, packets, octets, ended }: Connection): string {
  const lost = packets.lost === 0 ? "none declared lost" : `${packets.lost} declared lost`;
  const traffic = `${counted(packets.sent, "packet")} sent (${octets.sent.toLocaleString("en-US")} octets, ${lost}), ${packets.received} received (${octets.received.toLocaleString("en-US")} octets)`;
  const name = id === "" ? `Seen by the ${side}` : `Connection ${id}, seen by the ${side}`;
  return `${name}: ${traffic} in ${milliseconds(lastsMs)}; ${ended ?? "the log does not say how it ended"}.`;
}

export const milliseconds = (ms: number): string => (ms < 10_000 ? `${Number(ms.toPrecision(3))} ms` : `${(ms / 1000).toFixed(1)} s`);

/** Drawn as a curve, shown as a table, or said again by the packets of a datagram. */
const ELSEWHERE: ReadonlySet<string> = new Set(["metrics_updated", "parameters_set", "datagrams_sent", "datagrams_received"]);

function momentOf({ at, name, data }: QlogEvent): Moment[] {
  if (name === "packet_sent" || name === "packet_received" || name === "packet_lost") {
    const header = fields(data["header"]);
    const length = numberOf(fields(data["raw"])["length"]) ?? numberOf(header["packet_size"]);
    const number = numberOf(header["packet_number"]);
    const what = `${textOf(header["packet_type"]) || textOf(data["packet_type"]) || "packet"}${number === undefined ? "" : ` ${number}`}`;
    const frames = Array.isArray(data["frames"]) ? data["frames"].map((frame) => frameWords(fields(frame))) : [];
    const way = name === "packet_sent" ? "sent" : name === "packet_received" ? "received" : "lost";
    return [{ at, way, what, frames, ...(length === undefined ? {} : { octets: length }) }];
  }
  if (ELSEWHERE.has(name)) return [];
  const what = name === "connection_closed" ? endOf(data) : [name.replaceAll("_", " "), ...plain(data)].join(" · ");
  // A frame of HTTP/3.
  const frames = "frame" in data ? [frameWords(fields(data["frame"]))] : [];
  return [{ at, way: "note", what, frames }];
}

/** Where the drafts have the code of a close, in the order of preference: a number says more than "unknown". */
const CODES = ["connection_code", "application_code", "error_code", "connection_error", "application_error"];

function endOf(data: Fields): string {
  const code = CODES.map((name) => data[name]).find((value) => value !== undefined);
  const by = data["owner"] ?? data["initiator"];
  const why = textOf(data["reason"]) || textOf(data["trigger"]);
  const words = [by === undefined ? "closed" : `closed by the ${by === "remote" ? "other side" : "side that wrote the log"}`];
  if (code !== undefined) words.push(`with ${typeof code === "number" ? `code 0x${code.toString(16)}` : String(code)}`);
  return `${words.join(" ")}${why === "" ? "" : ` (${why})`}`;
}

/** `STREAM 0 · offset 1200 · length 1180`: the type of a frame, then its plain values. */
function frameWords(frame: Fields): string {
  const { frame_type, stream_id, acked_ranges, ...rest } = frame;
  const type = `${(textOf(frame_type) || "frame").toUpperCase()}${stream_id === undefined ? "" : ` ${String(stream_id)}`}`;
  const acked = Array.isArray(acked_ranges) ? [ranges(acked_ranges)] : [];
  return [type, ...acked, ...plain(rest), ...pairs(rest)].join(" · ");
}

const ranges = (acked: readonly unknown[]): string =>
  acked.map((range) => (Array.isArray(range) ? [...new Set(range)].join("–") : String(range))).join(", ");

/** Values that one word says; what is nested, empty or false is left out. */
const plain = (data: Fields): string[] =>
  Object.entries(data).flatMap(([name, value]) => {
    if (value === true) return [name.replaceAll("_", " ")];
    if (typeof value === "number" || (typeof value === "string" && value !== "")) return [`${name.replaceAll("_", " ")} ${value}`];
    return [];
  });

/** Fields of a section and settings, which are lists of names with values. */
const pairs = (data: Fields): string[] =>
  Object.values(data)
    .flatMap((value) => (Array.isArray(value) ? value.map(fields) : []))
    .flatMap(({ name, value }) => (typeof name === "string" ? [`${name}: ${String(value)}`] : []));

function parametersOf(events: readonly QlogEvent[]): Connection["parameters"] {
  const known = new Map<string, { local: string; remote: string }>();
  for (const { name: event, data } of events) {
    if (event !== "parameters_set") continue;
    const whose = (data["owner"] ?? data["initiator"]) === "remote" ? "remote" : "local";
    for (const [name, value] of Object.entries(data)) {
      if (name === "owner" || name === "initiator") continue;
      const row = known.get(name) ?? { local: "", remote: "" };
      row[whose] = typeof value === "object" ? JSON.stringify(value) : String(value);
      known.set(name, row);
    }
  }
  return [...known].map(([name, values]) => ({ name, ...values }));
}

/** The values of a field, which older drafts gave another name. A log may repeat in an update only what has changed. */
const pointsOf = (events: readonly QlogEvent[], field: string, older = field): Point[] =>
  events.flatMap(({ at, name, data }) => {
    const value = name === "metrics_updated" ? numberOf(data[field] ?? data[older]) : undefined;
    return value === undefined ? [] : [[at, value] as const];
  });
