import { accepted, acceptedWith, app, casesOf, discarded, holds, packet, PING, type Side } from "../phrases.ts";
import type { Case, FrameSpec } from "../../vocabulary.ts";

/** Packets and their acknowledgments (rfc9000#12, rfc9000#13, rfc9000#17). */
export function packets(side: Side): Case[] {
  const { who, id, role } = side;
  const { after, refused } = casesOf(side);
  /** An acknowledgment that is right: which numbers a client has used so early is not known. */
  const sent: FrameSpec = side.role === "server" ? { type: "ACK", largest: 0 } : PING;
  return [
    ...([1, 1_000, 2 ** 20] as const).map((beyond) =>
      refused({
        id: id(`ack-of-packets-${beyond}-beyond-the-last`),
        spec: "rfc9000#13.1",
        covers: ["rfc9000#13.1/not-sent"],
        level: "SHOULD",
        title: `The ${who} treats an acknowledgment of a packet that is ${beyond} beyond its last as a connection error of type PROTOCOL_VIOLATION.`,
        frames: [{ type: "ACK", largest: { beyond } }],
        instead: [{ type: "ACK", largest: { beyond: 0 } }],
        // The server may have sent a packet or two that have not come yet.
        before: [{ do: "fence" }, { do: "wait", ms: 100 }],
        code: "PROTOCOL_VIOLATION",
      }),
    ),
    {
      id: id("handshake-ack-of-packets-not-sent"),
      spec: "rfc9000#13.1",
      covers: ["rfc9000#13.1/not-sent"],
      level: "SHOULD",
      role,
      title: `The ${who} treats an acknowledgment of a Handshake packet that it has not sent as a connection error of type PROTOCOL_VIOLATION.`,
      steps: [side.beginWith({ hold: "handshake" }), packet({ level: "handshake" }, { type: "ACK", largest: { beyond: 1_000 } })],
      control: [side.beginWith({ hold: "handshake" }), packet({ level: "handshake" }, sent)],
      allowed: side.error("PROTOCOL_VIOLATION"),
    },
    {
      id: id("initial-ack-of-packets-not-sent"),
      spec: "rfc9000#13.1",
      covers: ["rfc9000#13.1/not-sent"],
      level: "SHOULD",
      role,
      title: `The ${who} treats an acknowledgment of an Initial packet that it has not sent as an error, or discards the packet.`,
      steps: [side.beginWith({ hold: "initial" }), packet({ level: "initial" }, { type: "ACK", largest: { beyond: 1_000 } }, PING)],
      control: [side.beginWith({ hold: "initial" }), packet({ level: "initial" }, sent, PING)],
      allowed: side.initialError("PROTOCOL_VIOLATION"),
    },
    after({
      id: id("ack-with-ecn-counts"),
      spec: "rfc9000#19.3.2",
      covers: ["rfc9000#19.3.2/either"],
      title: `The ${who} accepts an ACK with ECN counts although it marks nothing.`,
      steps: [app({ type: "ACK_ECN", largest: 0, counts: [1, 0, 0] })],
      control: [app({ type: "ACK", largest: 0 })],
      allowed: accepted,
    }),
    after({
      id: id("packet-number-jump"),
      spec: "rfc9000#12.3",
      covers: ["rfc9000#12.3/gaps"],
      title: `The ${who} accepts a packet number that is 100,000 beyond the last.`,
      steps: [packet({ level: "application", skip: 100_000 }, PING)],
      control: [app(PING)],
      allowed: accepted,
    }),
    after({
      id: id("packet-number-twice"),
      spec: "rfc9000#12.3",
      covers: ["rfc9000#12.3/duplicates-discarded"],
      title: `The ${who} discards a second packet with the same packet number.`,
      // What the second says would end the connection.
      steps: [app(PING), packet({ level: "application", skip: -1 }, side.offence)],
      control: [app(PING), app(PING)],
      allowed: accepted,
    }),
    after({
      id: id("corrupted-packet"),
      spec: "rfc9001#5.5",
      covers: ["rfc9000#12.2/undecryptable", "rfc9001#5.5/goes-on"],
      title: `The ${who} discards a packet that is not authentic, and goes on.`,
      steps: [packet({ level: "application", corrupt: true }, PING)],
      control: [app(PING)],
      allowed: discarded,
    }),
    after({
      id: id("fixed-bit-zero"),
      spec: "rfc9000#17.3.1",
      covers: ["rfc9000#17.3.1/fixed-bit"],
      title: `The ${who} discards a packet of 1-RTT whose fixed bit is 0.`,
      needs: ["fixed-bit"],
      steps: [packet({ level: "application", unfixed: true }, PING)],
      control: [app(PING)],
      allowed: discarded,
    }),
    {
      id: id("fixed-bit-zero-in-a-handshake-packet"),
      spec: "rfc9000#17.2",
      covers: ["rfc9000#17.2/fixed-bit"],
      level: "MUST",
      role,
      title: `The ${who} discards a Handshake packet whose fixed bit is 0.`,
      needs: ["fixed-bit"],
      steps: [side.beginWith({ hold: "handshake" }), packet({ level: "handshake", unfixed: true }, PING)],
      control: [side.beginWith({ hold: "handshake" }), packet({ level: "handshake" }, PING)],
      allowed: discarded,
    },
    ...([1, 2, 3] as const).map((reserved) =>
      after({
        id: id(`reserved-bits-${reserved.toString(2).padStart(2, "0")}`),
        spec: "rfc9000#17.3.1",
        covers: ["rfc9000#17.3.1/reserved-bits"],
        title: `The ${who} treats the reserved bits ${reserved.toString(2).padStart(2, "0")} in a packet of 1-RTT as a connection error of type PROTOCOL_VIOLATION.`,
        steps: [packet({ level: "application", reserved }, PING)],
        control: [app(PING)],
        allowed: side.error("PROTOCOL_VIOLATION"),
      }),
    ),
    ...(["initial", "handshake"] as const).map((level): Case => ({
      id: id(`reserved-bits-in-${level === "initial" ? "an-initial" : "a-handshake"}-packet`),
      spec: "rfc9000#17.2",
      covers: ["rfc9000#17.2/reserved-bits"],
      level: "MUST",
      role,
      title: `The ${who} treats reserved bits other than 0 in ${level === "initial" ? "an Initial" : "a Handshake"} packet as a connection error of type PROTOCOL_VIOLATION.`,
      steps: [side.beginWith({ hold: level }), packet({ level, reserved: 1 }, PING)],
      control: [side.beginWith({ hold: level }), packet({ level }, PING)],
      allowed: level === "initial" ? side.initialError("PROTOCOL_VIOLATION") : side.error("PROTOCOL_VIOLATION"),
    })),
    after({
      id: id("path-challenge-is-answered"),
      spec: "rfc9000#8.2.2",
      covers: ["rfc9000#8.2.2/echo"],
      title: `The ${who} answers PATH_CHALLENGE with its data.`,
      steps: [
        app({ type: "PATH_CHALLENGE", token: "0011223344556677" }),
        { do: "await", see: { see: "frame", type: "PATH_RESPONSE", where: { token: "0011223344556677" } } },
      ],
      control: [app(PING)],
      allowed: acceptedWith({ see: "frame", type: "PATH_RESPONSE", where: { token: "0011223344556677" } }),
    }),
    {
      id: id("one-response-for-each-challenge"),
      spec: "rfc9000#8.2.2",
      covers: ["rfc9000#8.2.2/one"],
      level: "MUST NOT",
      role,
      title: `The ${who} sends one PATH_RESPONSE for each PATH_CHALLENGE.`,
      steps: [side.begin, app({ type: "PATH_CHALLENGE", token: "0011223344556677" }), { do: "fence" }],
      control: [side.begin, app({ type: "PATH_CHALLENGE", token: "0011223344556677" }), { do: "fence" }],
      allowed: holds("one-response-per-challenge"),
    },
  ];
}
