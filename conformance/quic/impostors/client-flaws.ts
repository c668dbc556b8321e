import { toHex } from "../../wire/octets.ts";
import { cut } from "../../wire/quic/packets.ts";
import { FLAWS, once, refusing } from "./flaws.ts";
import type { Flaw } from "./peer.ts";

/** What a server can do wrong, too. */
const SHARED = [
  "refuses-data-blocked",
  "refuses-stream-data-blocked",
  "refuses-streams-blocked-bidi",
  "refuses-streams-blocked-uni",
  "refuses-retire-connection-id",
  "refuses-ack-ecn",
  "refuses-padding",
  "refuses-empty-stream-frames",
  "refuses-falling-limits",
  "refuses-repeated-ids",
  "refuses-falling-retirement",
  "refuses-number-jumps",
  "refuses-unreadable-packets",
  "refuses-unknown-parameters",
  "refuses-strange-versions",
  "chooses-another-version",
  "expects-parameters",
  "never-retires",
  "never-replaces",
  "never-answers-challenges",
  "never-updates-keys",
  "keeps-old-keys",
  "answers-challenges-twice",
  "talks-after-the-end",
  "issues-many-ids",
  "repeats-tokens",
  "misplaces-frames",
  "sends-unknown-frames",
  "reuses-numbers",
  "acknowledges-the-future",
  "small-initials",
  "wrong-bounds",
  "wrong-source-id",
];
const RETRY_RANDOM = Buffer.from("cf21ad74e59a6111", "hex");
const dones = once<true>();
const tokens = once<Set<string>>();

/** QUIC clients that are wrong on purpose, by name. */
export const CLIENT_FLAWS: Readonly<Record<string, Flaw>> = {
  lenient: { about: "accepts everything" },
  silent: { about: "sends its first packets, and says nothing more", before: () => false },
  slams: { about: "closes every connection at once", slams: true },
  "leaves-at-once": { about: "ends with status 0 when the handshake is complete", leaves: 0 },
  "fails-at-once": { about: "ends with status 1 when the handshake is complete", leaves: 1 },
  ...Object.fromEntries(Object.entries(FLAWS).filter(([name]) => SHARED.includes(name))),
  "reads-packets-twice": {
    about: "reads a packet number twice, and treats an empty NEW_TOKEN as an error",
    begins: ({ end }) => (end.readsTwice = true),
    meets: (observed) =>
      observed.is === "frame" && observed.frame.type === "NEW_TOKEN" && observed.frame.members["token"] === ""
        ? { close: "FRAME_ENCODING_ERROR" }
        : undefined,
  },
  "refuses-done-again": refusing("treats a second HANDSHAKE_DONE as an error", ({ type }, peer) => {
    if (type !== "HANDSHAKE_DONE") return false;
    const isAgain = dones.has(peer) === true;
    dones.set(peer, true);
    return isAgain;
  }),
  "refuses-tokens-again": refusing("treats a token that comes again as an error", ({ type, members }, peer) => {
    if (type !== "NEW_TOKEN") return false;
    const known = tokens.has(peer) ?? new Set<string>();
    const isKnown = known.has(String(members["token"]));
    tokens.set(peer, known.add(String(members["token"])));
    return isKnown;
  }),
  "obeys-version-negotiation": {
    about: "gives up whenever a Version Negotiation packet comes",
    meets: ({ is }) => (is === "versions" ? { close: "INTERNAL_ERROR" } : undefined),
  },
  "ignores-retries": { about: "ignores Retry packets", before: (datagram) => cut(datagram, 8)[0]?.is !== "retry" },
  "obeys-every-retry": { about: "obeys every Retry packet", begins: ({ end }) => (end.obeysRetries = "all") },
  "forgets-the-token": {
    about: "sends the token of a Retry once",
    meets: (observed, { end }) => {
      if (observed.is === "packet" && observed.level === "initial") end.token = new Uint8Array(0);
      return undefined;
    },
  },
  "counts-anew-after-a-retry": {
    about: "begins again with packet number 0 after a Retry",
    meets: ({ is }, { end }) => {
      if (is === "retry") end.spaces.initial.next = 0;
      return undefined;
    },
  },
  "short-first-id": { about: "chooses a first connection ID of 4 octets", connects: { idOctets: 4 } },
  "ignores-limits": { about: "sends its requests whatever the server permits", ignoresLimits: true },
  "ignores-resets": { about: "goes on after a stateless reset", begins: ({ end }) => (end.readsResets = false) },
  "forgets-ids": {
    about: "reads no packet to the connection IDs that it issues",
    before: (datagram, { end }) => {
      const own = toHex(end.ours.get("initial_source_connection_id") ?? new Uint8Array(0));
      return ((datagram[0] ?? 0) & 0x80) !== 0 || toHex(datagram.subarray(1, 9)) === own;
    },
  },
  "refuses-hello-retries": refusing(
    "treats a HelloRetryRequest as an error",
    ({ type, data }) => type === "CRYPTO" && data !== undefined && Buffer.from(data).includes(RETRY_RANDOM),
  ),
};
