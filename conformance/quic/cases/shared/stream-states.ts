import { accepted, app, casesOf, type Side } from "../phrases.ts";
import type { Case, FrameSpec, Row } from "../../vocabulary.ts";

/** Limits at which our end may be blocked: those of streams are what the subject permits. */
const BLOCKED_AT = {
  DATA_BLOCKED: 10,
  STREAM_DATA_BLOCKED: 10,
  STREAMS_BLOCKED_BIDI: { limit: "bidirectional streams", plus: 0 },
  STREAMS_BLOCKED_UNI: { limit: "unidirectional streams", plus: 0 },
} as const;

/** Frames about streams that cannot have them (rfc9000#3, rfc9000#19). */
export function streamStates(side: Side): Case[] {
  const { who, peer, id } = side;
  const { after, refused } = casesOf(side);

  const state = (row: Row<"covers" | "spec"> & { readonly frame: FrameSpec; readonly instead: FrameSpec }): Case => {
    const { frame, instead, ...rest } = row;
    return refused({ frames: [frame], instead: [instead], code: "STREAM_STATE_ERROR", before: side.opened, ...rest });
  };
  return [
    state({
      id: id("data-on-a-stream-of-the-server"),
      spec: "rfc9000#19.8",
      covers: ["rfc9000#19.8/not-ours"],
      title: `The ${who} treats STREAM on its unidirectional stream as a connection error of type STREAM_STATE_ERROR.`,
      frame: { type: "STREAM", stream: side.theirs, data: "a" },
      instead: { type: "STREAM", stream: side.further[0], data: "!" },
    }),
    state({
      id: id("data-on-a-stream-that-the-server-has-not-opened"),
      spec: "rfc9000#19.8",
      covers: ["rfc9000#19.8/not-ours"],
      title: `The ${who} treats STREAM on a bidirectional stream that it has not opened as a connection error of type STREAM_STATE_ERROR.`,
      frame: { type: "STREAM", stream: side.notOpened, data: "a" },
      instead: { type: "STREAM", stream: side.further[0], data: "!" },
    }),
    state({
      id: id("reset-of-a-stream-of-the-server"),
      spec: "rfc9000#19.4",
      covers: ["rfc9000#19.4/send-only"],
      title: `The ${who} treats RESET_STREAM for its unidirectional stream as a connection error of type STREAM_STATE_ERROR.`,
      frame: { type: "RESET_STREAM", stream: side.theirs },
      instead: { type: "RESET_STREAM", stream: side.further[0] },
    }),
    state({
      id: id("stop-of-a-stream-that-only-the-client-sends-on"),
      spec: "rfc9000#19.5",
      covers: ["rfc9000#19.5/receive-only"],
      title: `The ${who} treats STOP_SENDING for a unidirectional stream of the ${peer} as a connection error of type STREAM_STATE_ERROR.`,
      frame: { type: "STOP_SENDING", stream: side.ours },
      instead: { type: "STOP_SENDING", stream: 0 },
    }),
    state({
      id: id("stop-of-a-stream-that-the-server-has-not-opened"),
      spec: "rfc9000#19.5",
      covers: ["rfc9000#19.5/not-created"],
      title: `The ${who} treats STOP_SENDING for a bidirectional stream that it has not opened as a connection error of type STREAM_STATE_ERROR.`,
      frame: { type: "STOP_SENDING", stream: side.notOpened },
      instead: { type: "STOP_SENDING", stream: 0 },
    }),
    state({
      id: id("stop-of-a-far-stream-of-the-server"),
      spec: "rfc9000#19.5",
      covers: ["rfc9000#19.5/not-created"],
      title: `The ${who} treats STOP_SENDING for a unidirectional stream that it has not opened as a connection error of type STREAM_STATE_ERROR.`,
      frame: { type: "STOP_SENDING", stream: side.far },
      instead: { type: "STOP_SENDING", stream: 0 },
    }),
    state({
      id: id("credit-for-a-stream-that-only-the-client-sends-on"),
      spec: "rfc9000#19.10",
      covers: ["rfc9000#19.10/receive-only"],
      title: `The ${who} treats MAX_STREAM_DATA for a unidirectional stream of the ${peer} as a connection error of type STREAM_STATE_ERROR.`,
      frame: { type: "MAX_STREAM_DATA", stream: side.ours, max: 2 ** 30 },
      instead: { type: "MAX_STREAM_DATA", stream: 0, max: 2 ** 30 },
    }),
    state({
      id: id("credit-for-a-stream-that-the-server-has-not-opened"),
      spec: "rfc9000#19.10",
      covers: ["rfc9000#19.10/not-created"],
      title: `The ${who} treats MAX_STREAM_DATA for a bidirectional stream that it has not opened as a connection error of type STREAM_STATE_ERROR.`,
      frame: { type: "MAX_STREAM_DATA", stream: side.notOpened, max: 2 ** 30 },
      instead: { type: "MAX_STREAM_DATA", stream: 0, max: 2 ** 30 },
    }),
    state({
      id: id("credit-for-a-far-stream-of-the-server"),
      spec: "rfc9000#19.10",
      covers: ["rfc9000#19.10/not-created"],
      title: `The ${who} treats MAX_STREAM_DATA for a unidirectional stream that it has not opened as a connection error of type STREAM_STATE_ERROR.`,
      frame: { type: "MAX_STREAM_DATA", stream: side.far, max: 2 ** 30 },
      instead: { type: "MAX_STREAM_DATA", stream: 0, max: 2 ** 30 },
    }),
    state({
      id: id("blocked-on-a-stream-of-the-server"),
      spec: "rfc9000#19.13",
      covers: ["rfc9000#19.13/send-only"],
      title: `The ${who} treats STREAM_DATA_BLOCKED for its unidirectional stream as a connection error of type STREAM_STATE_ERROR.`,
      frame: { type: "STREAM_DATA_BLOCKED", stream: side.theirs, max: 0 },
      instead: { type: "STREAM_DATA_BLOCKED", stream: 0, max: 0 },
    }),
    ...(["DATA_BLOCKED", "STREAM_DATA_BLOCKED", "STREAMS_BLOCKED_BIDI", "STREAMS_BLOCKED_UNI"] as const).map((type) =>
      after({
        id: id(`${type.toLowerCase().replaceAll("_", "-")}-is-accepted`),
        spec: type === "DATA_BLOCKED" ? "rfc9000#19.12" : type === "STREAM_DATA_BLOCKED" ? "rfc9000#19.13" : "rfc9000#19.14",
        covers: [
          type === "DATA_BLOCKED"
            ? "rfc9000#19.12/informs"
            : type === "STREAM_DATA_BLOCKED"
              ? "rfc9000#19.13/informs"
              : "rfc9000#19.14/informs",
        ],
        title: `The ${who} accepts ${type.replace(/_(?:BIDI|UNI)$/, "")} although nothing is blocked${type.endsWith("_UNI") ? ", about unidirectional streams" : ""}.`,
        steps: [...side.opened, app({ type, stream: 0, max: BLOCKED_AT[type] })],
        control: side.opened,
        allowed: accepted,
      }),
    ),
  ];
}
