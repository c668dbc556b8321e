import {
  overNetwork,
  searchPeer,
  type CommandOptions,
  type NetworkOptions,
  type NetworkReport,
  type PeerFuzzer,
  type Breach,
} from "../lib/network.ts";
import { octets, sequence, type Piece } from "./grammar.ts";
import { expected } from "./oracle.ts";
import { ruleOf } from "./rules.ts";
import { talk } from "./talk.ts";

const LIMIT_MS = 2_000;
/** How long a peer may take to notice that a text is not UTF-8, after it has answered the ping that follows. */
const LINGER_MS = 250;
/** Close codes that blame the sender for breaking a rule. A peer may send others at any time. */
const BLAMING: ReadonlySet<number> = new Set([1002, 1007]);

/** Sends a sequence and returns what the peer should not have done, if anything. */
export async function judge(url: URL, pieces: readonly Piece[], limitMs = LIMIT_MS): Promise<Breach | undefined> {
  const should = expected(pieces);
  // A peer may answer a ping before its application has read the text.
  const isText = should.is === "refused" && should.fault.name === "textInvalid";
  const did = await talk(url, octets(pieces), limitMs, isText ? LINGER_MS : 0);
  if (did.broken !== undefined) return { kind: `broken ${did.broken.says}`, says: `sent ${did.broken.says}`, rule: did.broken.rule };
  if (did.is === "unreachable" || did.is === "declined" || did.is === "silent") {
    const after = await talk(url, new Uint8Array(), limitMs);
    if (after.is !== "answered") return { kind: "gone", says: "no longer answers a ping on a new connection", rule: "rfc6455#7.2.1" };
  }
  if (did.is === "silent") {
    if (should.is === "closed") return { kind: "close unanswered", says: "did not answer a Close frame", rule: "rfc6455#5.5.1/answer" };
    if (should.is !== "unsure")
      return { kind: "silent", says: "sent neither a pong nor an error", rule: "rfc6455#5.5.2/pong", perPiece: true };
  }
  if (should.is === "refused" && did.is === "answered") {
    return {
      kind: `accepted ${should.fault.name}`,
      says: `continued after ${pieces[should.at]?.words ?? "?"} (${should.fault.name})`,
      ...ruleOf(should.fault),
    };
  }
  if (should.is === "closed" && did.is === "answered")
    return {
      kind: "continued after close",
      says: "answered a ping after a Close frame",
      rule: "rfc6455#5.5.1/after-close",
      inferred: true,
    };
  if (should.is === "fine" && did.code !== undefined && BLAMING.has(did.code))
    return {
      kind: `refused ${did.code}`,
      says: `closed with ${did.code} although all frames are legal`,
      rule: "rfc6455#10.7/drop",
      perPiece: true,
    };
  return undefined;
}

const fuzzer = (limitMs = LIMIT_MS): PeerFuzzer<Piece, true> => ({
  name: "websocket",
  scheme: "ws",
  absent: (url) => `No WebSocket endpoint that answers a ping at ${url}`,
  meet: async (url) => ((await talk(url, new Uint8Array(), limitMs)).is === "answered" ? true : undefined),
  sequence: (rng) => sequence(rng, "server"),
  // The opcode.
  shape: ({ hex }) => hex.slice(1, 2),
  judge: (url, pieces) => judge(url, pieces, limitMs),
  replay: (url, pieces) => judge(url, pieces, limitMs),
});

/** Sends generated sequences of frames to an endpoint. `limitMs`: how long to wait for an answer. */
export const fuzzPeer = (text: string, options: NetworkOptions & { readonly limitMs?: number }): Promise<NetworkReport<Piece>> =>
  searchPeer(fuzzer(options.limitMs), text, options);

/** `touchstone fuzz websocket URL`. */
export const fuzzOverNetwork = (text: string, options: CommandOptions): Promise<number> => overNetwork(fuzzer(), text, options);
