import { app, connect, connectWith, FLOOD_BUDGET, permitted, piece, PING } from "../phrases.ts";
import type { Case, FrameSpec, Outcome, PacketSpec, Row, Step } from "../../vocabulary.ts";

/** The server goes on, or ends the connection with any error: the budget decides. */
const endured: Case["allowed"] = [
  { see: { see: "accepted" } },
  permitted({ see: "close", code: "any error" }, "rfc9000#21.9"),
  permitted({ see: "application close" }, "rfc9000#21.9"),
];
/** The server stops this with an error. */
const stopped = (...strict: readonly [Outcome, ...Outcome[]]): Case["allowed"] => [
  ...strict,
  permitted({ see: "close", code: "any error" }, "rfc9000#11"),
];

const attack = ({ steps, control = [connect, app(PING)], ...row }: Omit<Row, "steps"> & { readonly steps: readonly Step[] }): Case => ({
  spec: "rfc9000#21.9",
  covers: ["rfc9000#21.9/track"],
  level: "SHOULD",
  role: "server",
  group: "abuse",
  budget: FLOOD_BUDGET,
  allowed: endured,
  steps,
  control,
  ...row,
});
/** The same packet of 1-RTT so many times. */
const flood = ({
  times = 1_500,
  frames,
  before = [],
  packet,
  ...row
}: Row & {
  readonly times?: number;
  readonly frames: readonly FrameSpec[];
  readonly before?: readonly Step[];
  readonly packet?: Partial<PacketSpec>;
}): Case =>
  attack({ steps: [connect, { do: "fence" }, ...before, { do: "repeat", times, level: "application", ...packet, frames }], ...row });

const ZEROS = (octets: number): string => "00".repeat(octets);
const UNKNOWN_VERSION = `c01a2a3a4a08${"11".repeat(8)}08${"22".repeat(8)}${ZEROS(1_200)}`;
/** Values beyond what was sent, so that nothing is in order. */
const GAP = 1_000;

/** Floods of packets and frames (rfc9000#21). */
export const cases: readonly Case[] = [
  flood({
    id: "quic/abuse-path-challenge-flood",
    title: "The server endures 1,500 PATH_CHALLENGE frames within the budget (CVE-2023-49295).",
    frames: [{ type: "PATH_CHALLENGE" }],
  }),
  flood({
    id: "quic/abuse-path-challenge-flood-without-acknowledgments",
    title: "The server endures 1,500 PATH_CHALLENGE frames of a client that acknowledges nothing (CVE-2023-49295).",
    before: [{ do: "stop", what: "acknowledgments" }],
    frames: [{ type: "PATH_CHALLENGE" }],
  }),
  flood({
    id: "quic/abuse-retired-ids-without-acknowledgments",
    spec: "rfc9000#5.1.2",
    covers: ["rfc9000#5.1.2/limit-retired"],
    title: "The server stops a client that replaces its connection ID 1,500 times and acknowledges nothing (CVE-2024-22189).",
    before: [{ do: "stop", what: "acknowledgments" }],
    frames: [{ type: "NEW_CONNECTION_ID", sequence: 1, retire: 1, id: "0000000000000001", counting: ["sequence", "retire"] }],
    allowed: stopped({ see: { see: "close", code: "CONNECTION_ID_LIMIT_ERROR" } }),
  }),
  flood({
    id: "quic/abuse-retirement-flood",
    title: "The server endures a client that retires 1,500 connection IDs in turn.",
    frames: [{ type: "RETIRE_CONNECTION_ID", sequence: 1, counting: ["sequence"] }],
  }),
  flood({
    id: "quic/abuse-optimistic-acknowledgments",
    spec: "rfc9000#21.4",
    covers: ["rfc9000#21.4/optimistic", "rfc9000#13.1/not-sent"],
    title: "The server stops a client that acknowledges 1,000 packets ahead of what was sent.",
    times: 1_000,
    frames: [{ type: "ACK", largest: 100, first: 0, counting: ["largest"] }],
    allowed: stopped({ see: { see: "close", code: "PROTOCOL_VIOLATION" } }),
  }),
  attack({
    id: "quic/abuse-crypto-gaps-in-initials",
    spec: "rfc9000#7.5",
    covers: ["rfc9000#7.5/crypto-buffer"],
    title: "The server stops a client that sends 1,500 pieces of CRYPTO out of order in Initial packets, before its address is validated.",
    steps: [
      connectWith({ hold: "initial" }),
      {
        do: "repeat",
        times: 1_500,
        level: "initial",
        frames: [
          { type: "CRYPTO", offset: GAP, data: 1_000, counting: ["offset"] },
          { type: "CRYPTO", offset: 2 ** 20, data: 10, counting: ["offset"] },
        ],
      },
    ],
    allowed: stopped({ see: { see: "close", code: "CRYPTO_BUFFER_EXCEEDED" } }, permitted({ see: "discarded" }, "rfc9000#11.1")),
  }),
  attack({
    id: "quic/abuse-crypto-gaps-in-handshake-packets",
    spec: "rfc9000#7.5",
    covers: ["rfc9000#7.5/crypto-buffer"],
    title: "The server stops a client that sends CRYPTO a megabyte ahead in Handshake packets.",
    steps: [
      connectWith({ hold: "handshake" }),
      { do: "repeat", times: 1_500, level: "handshake", frames: [{ type: "CRYPTO", offset: 2 ** 20, data: 1_000, counting: ["offset"] }] },
    ],
    allowed: stopped({ see: { see: "close", code: "CRYPTO_BUFFER_EXCEEDED" } }),
  }),
  attack({
    id: "quic/abuse-half-open-connections",
    title: "The server endures 100 clients that send a first flight and nothing more.",
    steps: [connect, { do: "half-open", times: 100 }],
  }),
  flood({
    id: "quic/abuse-empty-stream-frames",
    title: "The server endures 1,500 STREAM frames without data.",
    before: [app(piece(0))],
    frames: [{ type: "STREAM", stream: 0 }],
  }),
  flood({
    id: "quic/abuse-padding",
    title: "The server endures 1,500 packets of PADDING.",
    frames: [{ type: "PADDING" }, { type: "PADDING" }],
  }),
  flood({ id: "quic/abuse-pings", title: "The server endures 1,500 PING frames.", frames: [PING] }),
  flood({
    id: "quic/abuse-long-frame-types",
    title: "The server endures 1,500 frames whose type takes eight octets, or refuses them.",
    frames: [{ type: "PING", width: 8 }],
  }),
  flood({
    id: "quic/abuse-max-data",
    title: "The server endures 1,500 MAX_DATA frames that raise the limit by an octet each.",
    frames: [{ type: "MAX_DATA", max: 2 ** 30, counting: ["max"] }],
  }),
  flood({
    id: "quic/abuse-blocked",
    title: "The server endures 1,500 frames that say that the client is blocked.",
    frames: [
      { type: "DATA_BLOCKED", max: 1 },
      { type: "STREAMS_BLOCKED_BIDI", max: 1 },
    ],
  }),
  flood({
    id: "quic/abuse-stream-ids",
    title: "The server endures a client that opens and resets 1,500 streams, or stops it.",
    frames: [{ type: "RESET_STREAM", stream: 0, code: 0x10c, counting: ["stream"] }],
  }),
  flood({
    id: "quic/abuse-pieces-with-gaps",
    title: "The server endures 1,500 pieces of a stream of an octet each with gaps between them.",
    before: [app(piece(0))],
    frames: [{ type: "STREAM", stream: 0, offset: 100, data: "a", counting: ["offset"] }],
  }),
  flood({
    id: "quic/abuse-corrupted-packets",
    title: "The server endures 1,500 packets that are not authentic.",
    packet: { corrupt: true },
    frames: [PING],
  }),
  flood({
    id: "quic/abuse-tls-in-1-rtt",
    spec: "rfc9000#7.5",
    covers: ["rfc9000#7.5/crypto-buffer", "rfc9000#21.9/track"],
    title: "The server endures 1,500 pieces of CRYPTO out of order after the handshake.",
    times: 1_500,
    frames: [{ type: "CRYPTO", offset: GAP, data: 1_000, counting: ["offset"] }],
  }),
  attack({
    id: "quic/abuse-empty-datagrams",
    title: "The server endures 3,000 datagrams without an octet.",
    steps: [connect, { do: "datagram", octets: "", note: "an empty datagram", times: 3_000 }],
  }),
  attack({
    id: "quic/abuse-stateless-reset-guesses",
    title: "The server goes on although 3,000 datagrams try to guess its stateless reset.",
    steps: [connect, { do: "datagram", octets: `40{id}${"5a".repeat(40)}`, note: "a guess", times: 3_000 }],
    allowed: [{ see: { see: "accepted" } }],
  }),
  attack({
    id: "quic/abuse-unknown-versions",
    title: "The server endures 1,500 packets of an unknown version.",
    steps: [connect, { do: "datagram", octets: UNKNOWN_VERSION, note: "a packet of an unknown version", times: 1_500 }],
  }),
  attack({
    id: "quic/abuse-truncated-parameters",
    title: "The server endures 100 clients whose transport parameters end within a value.",
    steps: [connect, { do: "half-open", times: 100, with: { parameters: { hex: "0504" } } }],
  }),
];
