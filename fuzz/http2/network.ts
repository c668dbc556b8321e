import {
  overNetwork,
  searchPeer,
  type CommandOptions,
  type NetworkOptions,
  type NetworkReport,
  type PeerFuzzer,
  type Breach,
} from "../lib/network.ts";
import { sequence, type Piece } from "./grammar.ts";
import { expected, type Announced } from "./oracle.ts";
import { talk, type Seen } from "./talk.ts";

const LIMIT_MS = 2_000;
/** Error codes that blame the client for breaking a rule. A server may send others at any time. */
const BLAMING: Readonly<Record<number, string>> = {
  1: "PROTOCOL_ERROR",
  3: "FLOW_CONTROL_ERROR",
  5: "STREAM_CLOSED",
  6: "FRAME_SIZE_ERROR",
  9: "COMPRESSION_ERROR",
};

/** An endpoint may end a connection at any time, so that a refusal of legal frames is suspect and no broken rule. */
const ENDED = "rfc9113#5.4.1/end-any-time";

const octetsOf = (pieces: readonly Piece[]): Buffer => Buffer.from(pieces.map((piece) => piece.hex).join(""), "hex");

/** The type of a frame; all types that no specification defines are one. */
function typeOf({ hex }: Piece): string {
  const type = Number.parseInt(hex.slice(6, 8), 16);
  return type <= 16 ? String(type) : "unknown";
}

/** Sends a sequence and returns what the peer should not have done, if anything. */
export async function judge(url: URL, pieces: readonly Piece[], announced: Announced = {}): Promise<Breach | undefined> {
  const should = expected(pieces, announced);
  const did = await talk(url, octetsOf(pieces), LIMIT_MS);
  if (did.broken !== undefined) return { kind: `broken ${did.broken}`, says: `sent ${did.broken}`, rule: "rfc9113#4.1/length-limit" };
  if (did.is === "unreachable" || did.is === "silent" || did.is === "closed") {
    const after = await talk(url, new Uint8Array(), LIMIT_MS);
    if (after.is !== "answered") return { kind: "gone", says: "no longer answers a PING on a new connection", rule: "rfc9113#10.5" };
  }
  if (did.is === "silent")
    return { kind: "silent", says: "sent neither a PING acknowledgement nor an error", rule: "rfc9113#6.7/answered", perPiece: true };
  if (should.is === "refused" && did.is === "answered") {
    return {
      kind: `accepted ${should.fault.name}`,
      says: `continued after ${pieces[should.at]?.words ?? "?"} (${should.fault.name})`,
      rule: should.rule,
    };
  }
  const blamed = did.code === undefined ? undefined : BLAMING[did.code];
  if (should.is === "fine" && blamed !== undefined)
    return {
      kind: `refused ${blamed}`,
      says: `ended the connection with ${blamed} although all frames are legal`,
      rule: ENDED,
      perPiece: true,
    };
  return undefined;
}

function announcedBy({ settings }: Seen): Announced {
  const [table, window, frame] = [settings?.get(1), settings?.get(4), settings?.get(5)];
  return {
    ...(table === undefined ? {} : { headerTableSize: table }),
    ...(window === undefined ? {} : { initialWindowSize: window }),
    ...(frame === undefined ? {} : { maxFrameSize: frame }),
  };
}

const FUZZER: PeerFuzzer<Piece, Announced> = {
  name: "http2",
  scheme: "http",
  absent: (url) => `No HTTP/2 server at ${url}`,
  meet: async (url) => {
    const first = await talk(url, new Uint8Array(), LIMIT_MS);
    return first.is === "answered" ? announcedBy(first) : undefined;
  },
  sequence: (rng, url) => sequence(rng, url.host),
  shape: typeOf,
  judge,
  replay: async (url, pieces) => judge(url, pieces, announcedBy(await talk(url, new Uint8Array(), LIMIT_MS))),
};

/** Sends generated sequences of frames to a server. */
export const fuzzPeer = (text: string, options: NetworkOptions): Promise<NetworkReport<Piece>> => searchPeer(FUZZER, text, options);

/** `touchstone fuzz http2 URL`. */
export const fuzzOverNetwork = (text: string, options: CommandOptions): Promise<number> => overNetwork(FUZZER, text, options);
