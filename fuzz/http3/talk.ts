import { Waiting } from "../../conformance/harness/connection/waiting.ts";
import { Http3End, type Observed } from "../../conformance/wire/http3/end.ts";
import { dialQuic, type LineClosed } from "../../conformance/wire/quic/line.ts";
import { securedFor } from "../lib/network.ts";
import { deliveriesOf } from "./deliveries.ts";
import type { Piece } from "./grammar.ts";

/** What a peer did in response to a sequence. */
export type Seen = {
  /** `answered`: it answered the last request. `refused`: it closed the connection with an error code of HTTP/3. `closed`: it ended otherwise. `silent`: none of these in time. */
  readonly is: "answered" | "refused" | "closed" | "silent" | "unreachable";
  /** The name of the code of HTTP/3. */
  readonly code?: string;
  /** Its SETTINGS by name. */
  readonly settings?: ReadonlyMap<string, number>;
  /** Whether it announced them. */
  readonly hasSettings?: boolean;
  /** How its own octets broke the protocol. */
  readonly broken?: string;
};

type Limits = { readonly limitMs: number; readonly lingerMs: number };
const DEFAULT_PORT = 443;
/** The code of a close that is no error. */
const NO_ERROR = "H3_NO_ERROR";

/**
 * Sends a sequence and a request on a new connection, and waits for the first decisive answer. After an answer it lingers: a server may read
 * streams in another order, and end the connection later.
 */
export async function talk(url: URL, pieces: readonly Piece[], { limitMs, lingerMs }: Limits): Promise<Seen> {
  const waiting = new Waiting();
  const state: { wire?: Http3End; closed?: LineClosed; answered?: true; broken?: string; fence?: number } = {};
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const { cert, key } = securedFor(url);
  const line = await dialQuic({
    place: { host, port: Number(url.port || DEFAULT_PORT) },
    trusts: false,
    ...(cert !== undefined && key !== undefined && { identity: { cert, key } }),
    on: (event) => {
      if (event.is === "closed") state.closed = event;
      state.wire?.receive(event);
      waiting.poke();
    },
  });
  const observe = (seen: Observed): void => {
    if (seen.is === "frame" && seen.problem !== undefined) state.broken ??= `a field section that cannot be decoded (${seen.problem})`;
    if (seen.is === "end" && seen.cut) state.broken ??= "a stream that ends within a frame";
    if ((seen.is === "frame" || seen.is === "reset" || seen.is === "stop") && seen.stream === state.fence) state.answered = true;
  };
  const wire = (state.wire = new Http3End(line, { we: "client", on: observe }));
  try {
    await waiting.until(() => wire.established || state.closed !== undefined, limitMs);
    if (!wire.established) return { is: "unreachable" };
    await sendAll(wire, pieces);
    const fence = wire.open("bidirectional");
    // A server may have ended the connection already.
    if (fence !== undefined) {
      state.fence = fence;
      wire.send(
        fence,
        [
          {
            type: "HEADERS",
            fields: [
              [":method", "GET"],
              [":scheme", "https"],
              [":authority", url.host],
              [":path", url.pathname],
            ],
          },
        ],
        true,
      );
    }
    await waiting.until(() => state.closed !== undefined || state.answered === true, limitMs);
    if (state.answered === true) await waiting.until(() => state.closed !== undefined, lingerMs);
    return {
      ...outcome(state),
      settings: wire.theirSettings,
      hasSettings: wire.hasTheirSettings,
      ...(state.broken !== undefined && { broken: state.broken }),
    };
  } finally {
    await wire.drop();
  }
}

function outcome({ wire, closed, answered }: { readonly wire?: Http3End; readonly closed?: LineClosed; readonly answered?: true }): Seen {
  const code = wire?.closed?.code;
  if (closed?.by === "peer" && code !== undefined && code !== NO_ERROR) return { is: "refused", code };
  if (answered === true) return { is: "answered" };
  return closed === undefined ? { is: "silent" } : { is: "closed" };
}

async function sendAll(wire: Http3End, pieces: readonly Piece[]): Promise<void> {
  const streams = new Map<string, number>();
  for (const { piece, stream: name, direction, octets } of deliveriesOf(pieces)) {
    const stream = streams.get(name) ?? wire.open(direction);
    if (stream === undefined) continue;
    streams.set(name, stream);
    // Octets that wait to be sent would be dropped.
    if (piece.reset !== undefined) await wire.flushed();
    if (piece.reset === undefined) wire.octets(stream, octets, piece.words, piece.end === true);
    else wire.reset(stream, piece.reset);
  }
}
