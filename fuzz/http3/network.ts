import {
  overNetwork,
  searchPeer,
  type Breach,
  type CommandOptions,
  type NetworkOptions,
  type NetworkReport,
  type PeerFuzzer,
} from "../lib/network.ts";
import { sequence, type Piece } from "./grammar.ts";
import { expected, type Announced } from "./oracle.ts";
import { talk, type Seen } from "./talk.ts";

/** How long to wait for an answer; and how long a server that answers may take until it ends the connection, if it has to. */
type Patience = { readonly limitMs: number; readonly lingerMs: number };
const PATIENCE: Patience = { limitMs: 2_000, lingerMs: 500 };
const CONFIRM_FACTOR = 4;
const longer = ({ limitMs, lingerMs }: Patience): Patience => ({ limitMs: limitMs * CONFIRM_FACTOR, lingerMs: lingerMs * CONFIRM_FACTOR });
/** Codes that blame nobody, or our numbers only. A server may send them at any time. */
const NOT_BLAMING = new Set([
  "H3_NO_ERROR",
  "H3_INTERNAL_ERROR",
  "H3_EXCESSIVE_LOAD",
  "H3_REQUEST_REJECTED",
  "H3_REQUEST_CANCELLED",
  "H3_VERSION_FALLBACK",
]);
/** The control stream and SETTINGS of a client that asks for nothing. */
const HELLO: readonly Piece[] = [{ words: "control: SETTINGS", on: "control", hex: "0400" }];

async function judge(url: URL, pieces: readonly Piece[], announced: Announced, patience: Patience): Promise<Breach | undefined> {
  const should = expected(pieces, announced);
  const limits = should.is === "refused" ? patience : { ...patience, lingerMs: 0 };
  const did = await talk(url, pieces, limits);
  if (did.broken !== undefined) return { kind: `broken ${did.broken}`, says: `sent ${did.broken}`, rule: "rfc9114#7.1/truncated" };
  if (did.is === "unreachable" || did.is === "silent") {
    const after = await talk(url, HELLO, limits);
    if (after.is !== "answered") return { kind: "gone", says: "no longer answers a request on a new connection", rule: "rfc9114#10.5" };
  }
  if (did.is === "silent")
    return {
      kind: "silent",
      says: "neither answered a request nor ended the connection",
      rule: "rfc9114#4.1/server-ends-stream",
      inferred: true,
      perPiece: true,
    };
  if (should.is === "refused" && did.is === "answered")
    return { kind: `accepted ${should.fault.name}`, says: `continued after ${should.by.words} (${should.fault.name})`, rule: should.rule };
  if (should.is === "fine" && did.is === "refused" && !NOT_BLAMING.has(did.code ?? ""))
    return {
      kind: `refused ${did.code}`,
      says: `ended the connection with ${did.code} although everything is legal`,
      rule: "rfc9114#8",
      perPiece: true,
    };
  if (should.is === "fine" && did.is === "closed")
    return {
      kind: "closed",
      says: "ended the connection without a code of HTTP/3 although everything is legal",
      rule: "rfc9114#5.3/application-close",
      inferred: true,
      perPiece: true,
    };
  return undefined;
}

function announcedBy({ settings }: Seen): Announced {
  const [capacity, blocked, section, connect] = (
    ["QPACK_MAX_TABLE_CAPACITY", "QPACK_BLOCKED_STREAMS", "MAX_FIELD_SECTION_SIZE", "ENABLE_CONNECT_PROTOCOL"] as const
  ).map((name) => settings?.get(name));
  return {
    qpackMaxTableCapacity: capacity ?? 0,
    qpackBlockedStreams: blocked ?? 0,
    ...(section !== undefined && { maxFieldSectionSize: section }),
    enableConnectProtocol: connect === 1,
  };
}

const meet = async (url: URL, patience: Patience): Promise<Announced | undefined> => {
  const first = await talk(url, HELLO, patience);
  return first.is === "answered" ? announcedBy(first) : undefined;
};

const fuzzer = (patience: Patience): PeerFuzzer<Piece, Announced> => ({
  name: "http3",
  scheme: "http",
  hint: "start the server, and use https://: HTTP/3 has no clear text.",
  absent: (url) => `No HTTP/3 server at ${url}`,
  meet: (url) => meet(url, patience),
  sequence: (rng, url) => sequence(rng, url.host, url.pathname),
  judge: (url, pieces, announced) => judge(url, pieces, announced, patience),
  confirm: (url, pieces, announced) => judge(url, pieces, announced, longer(patience)),
  replay: async (url, pieces) => {
    const announced = await meet(url, patience);
    return announced === undefined ? "absent" : judge(url, pieces, announced, longer(patience));
  },
});

/** Sends generated sequences of frames to a server. */
export const fuzzPeer = (text: string, options: NetworkOptions, patience = PATIENCE): Promise<NetworkReport<Piece>> =>
  searchPeer(fuzzer(patience), text, options);

/** `touchstone fuzz http3 URL`. */
export const fuzzOverNetwork = (text: string, options: CommandOptions): Promise<number> => overNetwork(fuzzer(PATIENCE), text, options);
