import { acceptedWith, after, app, connect, connectWith, permitted, PING, SERVER, shown } from "../phrases.ts";
import { packets } from "../shared/packets.ts";
import type { Case, Step } from "../../vocabulary.ts";

const usual: readonly Step[] = [connect, { do: "request", stream: 0 }, { do: "fence" }];

/** Packets and their acknowledgments (rfc9000#12, rfc9000#13, rfc9000#17). */
export const cases: readonly Case[] = [
  ...packets(SERVER),
  after({
    id: "quic/silence-after-a-close",
    spec: "rfc9000#10.2.2",
    covers: ["rfc9000#10.2.2/draining"],
    level: "MUST NOT",
    title: "The server sends nothing after the client has closed the connection.",
    steps: [
      { do: "fence" },
      app({ type: "CONNECTION_CLOSE", code: "NO_ERROR" }),
      { do: "wait", ms: 100 },
      { do: "mark" },
      app(PING),
      app(PING),
    ],
    control: [{ do: "fence" }, app(PING)],
    // A server that has forgotten the connection may say so.
    allowed: [{ see: { see: "silence" } }, permitted({ see: "stateless reset" }, "rfc9000#10.3")],
    fence: "connection",
  }),
  after({
    id: "quic/new-port-is-validated",
    spec: "rfc9000#9.3",
    covers: ["rfc9000#9.3/validated"],
    title: "The server validates the path when the client goes on from another port.",
    needs: ["migration", "few-ids"],
    steps: [
      { do: "fence" },
      { do: "issue ids", beyond: 0 },
      { do: "fence" },
      { do: "rebind" },
      app(PING),
      { do: "await", see: { see: "frame", type: "PATH_CHALLENGE" } },
    ],
    control: [{ do: "fence" }, { do: "issue ids", beyond: 0 }, app(PING)],
    allowed: acceptedWith({ see: "frame", type: "PATH_CHALLENGE" }),
  }),
  shown(SERVER, {
    id: "quic/server-frames-in-place",
    covers: ["rfc9000#12.4/sent-in-place"],
    monitor: "frames-in-place",
    title: "The server sends every frame in a packet that may carry it.",
    steps: usual,
  }),
  shown(SERVER, {
    id: "quic/server-frames-known",
    covers: ["rfc9000#12.4/extensions-negotiated"],
    monitor: "frames-known",
    title: "The server sends no frame of a type that was not negotiated.",
    steps: usual,
  }),
  shown(SERVER, {
    id: "quic/server-packet-numbers",
    covers: ["rfc9000#12.3/not-reused"],
    monitor: "numbers-not-reused",
    title: "The server uses no packet number twice.",
    level: "MUST NOT",
    steps: usual,
  }),
  shown(SERVER, {
    id: "quic/server-acknowledges-what-came",
    covers: ["rfc9000#13.1/only-processed"],
    monitor: "acknowledges-what-came",
    title: "The server acknowledges no packet that the client has not sent.",
    level: "MUST NOT",
    steps: usual,
  }),
  shown(SERVER, {
    id: "quic/server-pads-initials",
    covers: ["rfc9000#14.1/server-expands"],
    monitor: "initials-padded",
    title: "The server sends Initial packets that ask for an acknowledgment in datagrams of at least 1,200 octets.",
    steps: usual,
  }),
  shown(SERVER, {
    id: "quic/server-handshake-done",
    covers: ["rfc9000#19.20/not-before"],
    monitor: "handshake-done-late",
    title: "The server sends HANDSHAKE_DONE only after the client's Finished.",
    level: "MUST NOT",
    steps: [connectWith({ hold: "handshake" }), { do: "wait", ms: 200 }, { do: "fence" }],
  }),
  shown(SERVER, {
    id: "quic/server-keeps-to-stream-credit",
    covers: ["rfc9000#4.1/sender-keeps"],
    monitor: "streams-within-credit",
    title: "The server sends no more on a stream than the client permits.",
    level: "MUST NOT",
    steps: [
      connectWith({ parameters: { set: { initial_max_stream_data_bidi_local: 50 } } }),
      { do: "request", stream: 0 },
      { do: "await", see: { see: "frame", type: "STREAM", where: { stream: 0 } } },
      { do: "fence" },
    ],
  }),
  shown(SERVER, {
    id: "quic/server-keeps-to-connection-credit",
    covers: ["rfc9000#4.1/sender-keeps"],
    monitor: "streams-within-credit",
    title: "The server sends no more on all streams together than the client permits.",
    level: "MUST NOT",
    steps: [
      connectWith({ parameters: { set: { initial_max_data: 200 } } }),
      { do: "request", stream: 0 },
      { do: "request", stream: 4 },
      { do: "wait", ms: 100 },
      { do: "fence" },
    ],
  }),
  shown(SERVER, {
    id: "quic/server-keeps-to-stream-limit",
    covers: ["rfc9000#4.6/sender-keeps"],
    monitor: "streams-within-limits",
    title: "The server opens no more unidirectional streams than the client permits.",
    level: "MUST NOT",
    // Of HTTP/3, a server may refuse a client that permits fewer (rfc9114#6.2).
    steps: [connectWith({ parameters: { set: { initial_max_streams_uni: 3 } } }), { do: "fence" }],
  }),
  shown(SERVER, {
    id: "quic/server-amplification-limit",
    covers: ["rfc9000#8.1/three-times"],
    monitor: "within-three-times",
    title: "The server sends at most three times as many octets as it got to an address that is not validated.",
    level: "MUST NOT",
    steps: [{ do: "stop", what: "acknowledgments" }, connectWith({ hold: "initial" }), { do: "wait", ms: 3_500 }],
  }),
];
