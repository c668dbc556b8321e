import type { RequirementRef } from "../../../harness/case.ts";
import { app, discarded, PING, permitted, shown } from "../phrases.ts";
import { accept, acceptWith, after, CLIENT, fence } from "../phrases-client.ts";
import { keyUpdates } from "../shared/key-updates.ts";
import { packets } from "../shared/packets.ts";
import type { Case, Step } from "../../vocabulary.ts";

type Showing = Pick<Case, "title"> & {
  readonly monitor: string;
  readonly covers: RequirementRef;
  readonly level?: Case["level"];
  readonly steps?: readonly Step[];
};
const shows = (words: string, { covers, level = "MUST", steps = [accept, fence], ...showing }: Showing): Case =>
  shown(CLIENT, { id: CLIENT.id(words), covers: [covers], level, steps, ...showing });
const wait = (ms: number): Step => ({ do: "wait", ms });
const not = { level: "MUST NOT" } as const;

/** Packets and their acknowledgments, the end of connections, and what a client sends (rfc9000#10, #12, #13, #14). */
export const cases: readonly Case[] = [
  ...packets(CLIENT),
  ...keyUpdates(CLIENT),
  after({
    id: "quic/client-silence-after-a-close",
    spec: "rfc9000#10.2.2",
    covers: ["rfc9000#10.2.2/draining"],
    level: "MUST NOT",
    title: "The client sends nothing after the server has closed the connection.",
    steps: [fence, app({ type: "CONNECTION_CLOSE", code: "NO_ERROR" }), wait(100), { do: "mark" }],
    control: [fence, app(PING)],
    allowed: [{ see: { see: "silence" } }, permitted({ see: "stateless reset" }, "rfc9000#10.3")],
    fence: "nothing comes",
  }),
  after({
    id: "quic/client-packet-from-another-port",
    spec: "rfc9000#9",
    covers: ["rfc9000#9/unknown-address"],
    title: "The client discards a packet of its connection that comes from another port of the server.",
    steps: [fence, { do: "send from elsewhere", level: "application", frames: [PING] }],
    control: [fence, app(PING)],
    allowed: discarded,
  }),
  after({
    id: "quic/client-stateless-reset",
    spec: "rfc9000#10.3.1",
    covers: ["rfc9000#10.3.1/draining"],
    title: "The client sends nothing after a stateless reset.",
    steps: [fence, wait(100), { do: "stateless reset", token: "right" }, wait(50), { do: "mark" }],
    control: [fence, wait(100)],
    allowed: [{ see: { see: "silence" } }],
    fence: "nothing comes",
  }),
  after({
    id: "quic/client-stateless-reset-with-another-token",
    spec: "rfc9000#10.3.1",
    covers: ["rfc9000#10.3.1/other-tokens"],
    title: "The client discards a datagram like a stateless reset whose token differs in one bit.",
    steps: [fence, { do: "stateless reset", token: "wrong" }],
    control: [fence],
    allowed: [{ see: { see: "accepted" } }],
  }),
  shows("pads-initials", {
    monitor: "client-datagrams-padded",
    covers: "rfc9000#14.1/client-expands",
    title: "The client sends every Initial packet in a datagram of at least 1,200 octets.",
  }),
  shows("first-id-is-long-enough", {
    monitor: "first-id-long-enough",
    covers: "rfc9000#7.2/first-id",
    title: "The client chooses a connection ID of at least 8 octets for its first Initial packet.",
  }),
  shows("frames-in-place", {
    monitor: "frames-in-place",
    covers: "rfc9000#12.4/sent-in-place",
    title: "The client sends every frame in a packet that may carry it.",
  }),
  shows("frames-known", {
    monitor: "frames-known",
    covers: "rfc9000#12.4/extensions-negotiated",
    title: "The client sends no frame of a type that was not negotiated.",
  }),
  shows("packet-numbers", {
    monitor: "numbers-not-reused",
    covers: "rfc9000#12.3/not-reused",
    title: "The client uses no packet number twice.",
    ...not,
  }),
  shows("acknowledges-what-came", {
    monitor: "acknowledges-what-came",
    covers: "rfc9000#13.1/only-processed",
    title: "The client acknowledges no packet that the server has not sent.",
    ...not,
  }),
  shows("keeps-to-stream-credit", {
    monitor: "streams-within-credit",
    covers: "rfc9000#4.1/sender-keeps",
    title: "The client sends no more on a stream than the server permits.",
    ...not,
    steps: [
      acceptWith({
        until: "handshake",
        parameters: { set: { initial_max_stream_data_bidi_remote: 2, initial_max_stream_data_uni: 2 } },
      }),
      fence,
    ],
  }),
  shows("keeps-to-connection-credit", {
    monitor: "streams-within-credit",
    covers: "rfc9000#4.1/sender-keeps",
    title: "The client sends no more on all streams together than the server permits.",
    ...not,
    steps: [acceptWith({ until: "handshake", parameters: { set: { initial_max_data: 5 } } }), fence],
  }),
  shows("keeps-to-the-limit-of-unidirectional-streams", {
    monitor: "streams-within-limits",
    covers: "rfc9000#4.6/sender-keeps",
    title: "The client opens no more unidirectional streams than the server permits.",
    ...not,
    steps: [acceptWith({ until: "handshake", parameters: { set: { initial_max_streams_uni: 3 } } }), fence],
  }),
  shows("keeps-to-the-limit-of-bidirectional-streams", {
    monitor: "streams-within-limits",
    covers: "rfc9000#4.6/sender-keeps",
    title: "The client opens no bidirectional stream before the server permits one.",
    ...not,
    steps: [acceptWith({ until: "handshake", parameters: { set: { initial_max_streams_bidi: 0 } } }), fence],
  }),
];
