import { createWriteStream, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { QuicObservation, QuicObserving } from "../../quic/index.ts";

/**
 * Logs of connections in the form of qlog (draft-ietf-quic-qlog-main-schema, JSON text sequences), with events of
 * draft-ietf-quic-qlog-quic-events: packet_sent, packet_received, parameters_set, connection_closed, connection_state_updated of `transport`
 * and `connectivity`, metrics_updated and packet_lost of `recovery`, key_updated of `security`. Content is not logged.
 */

/** Octets of one log; what comes later is left out. */
const MOST_OCTETS = 16_777_216;
/** How long a log stays open after the end of its connection, in milliseconds. */
const LAST_MS = 1_000;
const RECORD = "\u001e";
type Frame = Extract<QuicObservation, { readonly is: "sent" | "received" }>["frames"][number];
type Named = { readonly name: string; readonly data: object };
const hex = (octets: Uint8Array): string => Buffer.from(octets).toString("hex");

/** Observes every connection, each into a file of its own in `folder`, or the folder that QLOGDIR names; undefined without either. */
export function qlogInto(folder = process.env["QLOGDIR"]): QuicObserving | undefined {
  if (folder === undefined || folder === "") return undefined;
  mkdirSync(folder, { recursive: true });
  return ({ side, originalId }, began) => {
    const log = createWriteStream(join(folder, `${hex(originalId)}_${side}.sqlog`));
    // A log that cannot be written must not end the connection.
    log.on("error", (error) => console.error(`touchstone: qlog: ${error.message}`));
    let octets = 0;
    const write = (record: object): void => {
      const line = `${RECORD}${JSON.stringify(record)}\n`;
      octets += line.length;
      if (octets <= MOST_OCTETS && !log.writableEnded) log.write(line);
    };
    write({
      qlog_format: "JSON-SEQ",
      qlog_version: "0.3",
      trace: {
        vantage_point: { type: side },
        common_fields: { ODCID: hex(originalId), time_format: "relative", reference_time: Date.now(), protocol_type: ["QUIC"] },
      },
    });
    return (observation, now) => {
      const named = nameOf(observation);
      if (named !== undefined) write({ time: now - began, ...named });
      // The packet that says so to the other side is sent after it.
      if (observation.is === "event" && observation.event.is === "closed") setTimeout(() => log.end(), LAST_MS).unref();
    };
  };
}

const PACKETS = { initial: "initial", handshake: "handshake", "0-RTT": "0RTT", "1-RTT": "1RTT", application: "1RTT" } as const;

function nameOf(seen: QuicObservation): Named | undefined {
  switch (seen.is) {
    case "sent":
    case "received":
      return {
        name: `transport:packet_${seen.is}`,
        data: {
          header: { packet_type: PACKETS[seen.type], packet_number: seen.number },
          raw: { length: seen.octets },
          frames: withoutRuns(seen.frames),
        },
      };
    case "lost":
      return { name: "recovery:packet_lost", data: { header: { packet_type: PACKETS[seen.type], packet_number: seen.number } } };
    case "parameters": {
      const shown = Object.entries(seen.parameters).map(([name, value]) => [name, value instanceof Uint8Array ? hex(value) : value]);
      return { name: "transport:parameters_set", data: { owner: seen.by === "us" ? "local" : "remote", ...Object.fromEntries(shown) } };
    }
    case "metrics": {
      const { window, inFlight, smoothedMs, latestMs } = seen;
      const data = { congestion_window: window, bytes_in_flight: inFlight, smoothed_rtt: smoothedMs, latest_rtt: latestMs };
      return { name: "recovery:metrics_updated", data };
    }
    case "keys updated":
      return { name: "security:key_updated", data: { key_type: "1rtt_secret", key_phase: seen.phase } };
    case "event":
      return eventOf(seen.event);
  }
}

function eventOf(event: Extract<QuicObservation, { readonly is: "event" }>["event"]): Named | undefined {
  const state = (name: string): Named => ({ name: "connectivity:connection_state_updated", data: { new: name } });
  if (event.is === "established") return state("handshake_complete");
  if (event.is === "confirmed") return state("handshake_confirmed");
  if (event.is !== "closed") return undefined;
  const { by, layer, code, reason } = event;
  const owner = by === "peer" ? "remote" : "local";
  const which = layer === "application" ? { application_code: code } : { connection_code: code };
  return { name: "connectivity:connection_closed", data: { owner, ...which, reason: reason === "" ? by : reason } };
}

/** PADDING is a frame an octet: a run of it is logged as one, or a probe for larger datagrams would be a record of a megabyte. */
function withoutRuns(frames: readonly Frame[]): object[] {
  const logged: object[] = [];
  let padding = 0;
  const flush = (): void => {
    if (padding > 0) logged.push({ frame_type: "padding", length: padding, payload_length: padding });
    padding = 0;
  };
  for (const frame of frames) {
    if (frame.is === "PADDING") padding += 1;
    else {
      flush();
      logged.push(frameOf(frame));
    }
  }
  flush();
  return logged;
}

/** A frame without its content. */
function frameOf(frame: Frame): object {
  const frame_type = frame.is.toLowerCase();
  switch (frame.is) {
    case "ACK":
      return { frame_type, ack_delay: frame.delay, acked_ranges: frame.ranges.map(({ smallest, largest }) => [smallest, largest]) };
    case "STREAM":
      return { frame_type, stream_id: frame.stream, offset: frame.offset, length: frame.data.length, fin: frame.fin };
    case "CRYPTO":
      return { frame_type, offset: frame.offset, length: frame.data.length };
    case "RESET_STREAM":
      return { frame_type, stream_id: frame.stream, error_code: frame.code, final_size: frame.finalSize };
    case "STOP_SENDING":
      return { frame_type, stream_id: frame.stream, error_code: frame.code };
    case "MAX_DATA":
      return { frame_type, maximum: frame.max };
    case "MAX_STREAM_DATA":
      return { frame_type, stream_id: frame.stream, maximum: frame.max };
    case "MAX_STREAMS":
      return { frame_type, stream_type: frame.direction, maximum: frame.max };
    case "DATA_BLOCKED":
      return { frame_type, limit: frame.limit };
    case "STREAM_DATA_BLOCKED":
      return { frame_type, stream_id: frame.stream, limit: frame.limit };
    case "STREAMS_BLOCKED":
      return { frame_type, stream_type: frame.direction, limit: frame.limit };
    case "NEW_CONNECTION_ID":
      return { frame_type, sequence_number: frame.sequence, retire_prior_to: frame.retirePriorTo, connection_id: hex(frame.id) };
    case "RETIRE_CONNECTION_ID":
      return { frame_type, sequence_number: frame.sequence };
    case "CONNECTION_CLOSE":
      return { frame_type, error_space: frame.by, error_code: frame.code, reason: Buffer.from(frame.reason).toString() };
    case "NEW_TOKEN":
      return { frame_type, token: { type: "resumption", raw: { length: frame.token.length } } };
    case "DATAGRAM":
      return { frame_type, length: frame.data.length };
    default:
      return { frame_type };
  }
}
