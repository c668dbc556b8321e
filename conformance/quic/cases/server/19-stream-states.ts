import { accepted, acceptedWith, after, app, piece, refused } from "../phrases.ts";
import type { Case, FrameSpec, Row } from "../../vocabulary.ts";

/** A stream of ours that only we send on, one that only the server sends on, and those that only it may open. */
const OURS = 2;
const THEIRS = 3;
const NOT_OPENED = 1;
const FAR = 4_003;

const state = (row: Row<"covers" | "spec"> & { readonly frame: FrameSpec; readonly instead: FrameSpec }): Case => {
  const { frame, instead, ...rest } = row;
  return refused({ frames: [frame], instead: [instead], code: "STREAM_STATE_ERROR", before: [app(piece(0))], ...rest });
};

/** Frames about streams that cannot have them (rfc9000#3, rfc9000#19). */
export const cases: readonly Case[] = [
  state({
    id: "quic/data-on-a-stream-of-the-server",
    spec: "rfc9000#19.8",
    covers: ["rfc9000#19.8/not-ours"],
    title: "The server treats STREAM on its unidirectional stream as a connection error of type STREAM_STATE_ERROR.",
    frame: { type: "STREAM", stream: THEIRS, data: "a" },
    instead: { type: "STREAM", stream: 4, data: "!" },
  }),
  state({
    id: "quic/data-on-a-stream-that-the-server-has-not-opened",
    spec: "rfc9000#19.8",
    covers: ["rfc9000#19.8/not-ours"],
    title: "The server treats STREAM on a bidirectional stream that it has not opened as a connection error of type STREAM_STATE_ERROR.",
    frame: { type: "STREAM", stream: NOT_OPENED, data: "a" },
    instead: { type: "STREAM", stream: 4, data: "!" },
  }),
  state({
    id: "quic/reset-of-a-stream-of-the-server",
    spec: "rfc9000#19.4",
    covers: ["rfc9000#19.4/send-only"],
    title: "The server treats RESET_STREAM for its unidirectional stream as a connection error of type STREAM_STATE_ERROR.",
    frame: { type: "RESET_STREAM", stream: THEIRS },
    instead: { type: "RESET_STREAM", stream: 4 },
  }),
  state({
    id: "quic/stop-of-a-stream-that-only-the-client-sends-on",
    spec: "rfc9000#19.5",
    covers: ["rfc9000#19.5/receive-only"],
    title: "The server treats STOP_SENDING for a unidirectional stream of the client as a connection error of type STREAM_STATE_ERROR.",
    frame: { type: "STOP_SENDING", stream: OURS },
    instead: { type: "STOP_SENDING", stream: 0 },
  }),
  state({
    id: "quic/stop-of-a-stream-that-the-server-has-not-opened",
    spec: "rfc9000#19.5",
    covers: ["rfc9000#19.5/not-created"],
    title:
      "The server treats STOP_SENDING for a bidirectional stream that it has not opened as a connection error of type STREAM_STATE_ERROR.",
    frame: { type: "STOP_SENDING", stream: NOT_OPENED },
    instead: { type: "STOP_SENDING", stream: 0 },
  }),
  state({
    id: "quic/stop-of-a-far-stream-of-the-server",
    spec: "rfc9000#19.5",
    covers: ["rfc9000#19.5/not-created"],
    title:
      "The server treats STOP_SENDING for a unidirectional stream that it has not opened as a connection error of type STREAM_STATE_ERROR.",
    frame: { type: "STOP_SENDING", stream: FAR },
    instead: { type: "STOP_SENDING", stream: 0 },
  }),
  state({
    id: "quic/credit-for-a-stream-that-only-the-client-sends-on",
    spec: "rfc9000#19.10",
    covers: ["rfc9000#19.10/receive-only"],
    title: "The server treats MAX_STREAM_DATA for a unidirectional stream of the client as a connection error of type STREAM_STATE_ERROR.",
    frame: { type: "MAX_STREAM_DATA", stream: OURS, max: 2 ** 30 },
    instead: { type: "MAX_STREAM_DATA", stream: 0, max: 2 ** 30 },
  }),
  state({
    id: "quic/credit-for-a-stream-that-the-server-has-not-opened",
    spec: "rfc9000#19.10",
    covers: ["rfc9000#19.10/not-created"],
    title:
      "The server treats MAX_STREAM_DATA for a bidirectional stream that it has not opened as a connection error of type STREAM_STATE_ERROR.",
    frame: { type: "MAX_STREAM_DATA", stream: NOT_OPENED, max: 2 ** 30 },
    instead: { type: "MAX_STREAM_DATA", stream: 0, max: 2 ** 30 },
  }),
  state({
    id: "quic/credit-for-a-far-stream-of-the-server",
    spec: "rfc9000#19.10",
    covers: ["rfc9000#19.10/not-created"],
    title:
      "The server treats MAX_STREAM_DATA for a unidirectional stream that it has not opened as a connection error of type STREAM_STATE_ERROR.",
    frame: { type: "MAX_STREAM_DATA", stream: FAR, max: 2 ** 30 },
    instead: { type: "MAX_STREAM_DATA", stream: 0, max: 2 ** 30 },
  }),
  state({
    id: "quic/blocked-on-a-stream-of-the-server",
    spec: "rfc9000#19.13",
    covers: ["rfc9000#19.13/send-only"],
    title: "The server treats STREAM_DATA_BLOCKED for its unidirectional stream as a connection error of type STREAM_STATE_ERROR.",
    frame: { type: "STREAM_DATA_BLOCKED", stream: THEIRS, max: 0 },
    instead: { type: "STREAM_DATA_BLOCKED", stream: 0, max: 0 },
  }),
  after({
    id: "quic/stop-sending-is-answered",
    spec: "rfc9000#3.5",
    covers: ["rfc9000#3.5/reset"],
    title: "The server resets its part of a request stream for which the client sends STOP_SENDING.",
    steps: [
      app(piece(0)),
      app({ type: "STOP_SENDING", stream: 0, code: 0x10c }),
      { do: "await", see: { see: "frame", type: "RESET_STREAM", where: { stream: 0 } } },
    ],
    control: [app(piece(0))],
    allowed: acceptedWith({ see: "frame", type: "RESET_STREAM", where: { stream: 0 } }),
  }),
  ...(["DATA_BLOCKED", "STREAM_DATA_BLOCKED", "STREAMS_BLOCKED_BIDI", "STREAMS_BLOCKED_UNI"] as const).map((type) =>
    after({
      id: `quic/${type.toLowerCase().replaceAll("_", "-")}-is-accepted`,
      spec: type === "DATA_BLOCKED" ? "rfc9000#19.12" : type === "STREAM_DATA_BLOCKED" ? "rfc9000#19.13" : "rfc9000#19.14",
      covers: [
        type === "DATA_BLOCKED"
          ? "rfc9000#19.12/informs"
          : type === "STREAM_DATA_BLOCKED"
            ? "rfc9000#19.13/informs"
            : "rfc9000#19.14/informs",
      ],
      title: `The server accepts ${type.replace(/_(?:BIDI|UNI)$/, "")} although nothing is blocked${type.endsWith("_UNI") ? ", about unidirectional streams" : ""}.`,
      steps: [app(piece(0)), app({ type, stream: 0, max: 10 })],
      control: [app(piece(0))],
      allowed: accepted,
    }),
  ),
];
