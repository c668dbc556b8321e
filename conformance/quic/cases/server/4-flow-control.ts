import { accepted, after, app, connect, connectionError, piece, pieceOctets, refused } from "../phrases.ts";
import type { Case, FrameSpec, Row } from "../../vocabulary.ts";

/** Data that is within no limit, and its twin that is. */
const beyond = (row: Row<"covers"> & { readonly frame: FrameSpec; readonly instead: FrameSpec }): Case => {
  const { frame, instead, ...rest } = row;
  return refused({ spec: "rfc9000#4.1", frames: [frame], instead: [instead], code: "FLOW_CONTROL_ERROR", ...rest });
};
/** Frames that state other final sizes of stream 0 than the one before. */
const contradicts = (
  row: Row & { readonly first: readonly FrameSpec[]; readonly second: FrameSpec; readonly instead?: FrameSpec },
): Case => {
  const { first, second, instead = { type: "PING" }, ...rest } = row;
  return after({
    spec: "rfc9000#4.5",
    covers: ["rfc9000#4.5/final-size"],
    level: "SHOULD",
    steps: [app(...first), app(second)],
    control: [app(...first), app(instead)],
    allowed: connectionError("FINAL_SIZE_ERROR"),
    ...rest,
  });
};
const OPEN = piece(0);
const SIZE = pieceOctets();
/** A stream that ends after a whole frame: HTTP/3 would refuse one that ends within. */
const END: FrameSpec = { type: "STREAM", stream: 0, data: "!\n0123456789", end: true };
const END_SIZE = 12;

/** Frames about a stream whose identifier is beyond the limit of streams. */
const ABOUT: Readonly<Record<string, FrameSpec>> = {
  stream: { type: "STREAM", data: "!" },
  "reset-stream": { type: "RESET_STREAM" },
  "stop-sending": { type: "STOP_SENDING" },
  "max-stream-data": { type: "MAX_STREAM_DATA", max: 2 ** 30 },
  "stream-data-blocked": { type: "STREAM_DATA_BLOCKED" },
};
const beyondStreams = (limit: "bidirectional streams" | "unidirectional streams"): Case[] =>
  Object.entries(ABOUT)
    .filter(([words]) => limit === "bidirectional streams" || (words !== "stop-sending" && words !== "max-stream-data"))
    .map(([words, frame]) =>
      refused({
        id: `quic/${words}-beyond-the-limit-of-${limit.replace(" ", "-")}`,
        spec: "rfc9000#4.6",
        covers: ["rfc9000#4.6/stream-limit"],
        title: `The server treats ${String(frame.type)} on the first ${limit.slice(0, -1)} that it does not permit as a connection error of type STREAM_LIMIT_ERROR.`,
        needs: [limit.replace(" ", "-")],
        frames: [{ ...frame, stream: { limit, plus: 0 } }],
        instead: [{ ...frame, stream: { limit, plus: -1 } }],
        code: "STREAM_LIMIT_ERROR",
      }),
    );

/** Flow control (rfc9000#4). */
export const cases: readonly Case[] = [
  beyond({
    id: "quic/stream-data-beyond-the-limit",
    covers: ["rfc9000#4.1/limits"],
    title: "The server treats data beyond the limit of a stream as a connection error of type FLOW_CONTROL_ERROR.",
    needs: ["stream-window"],
    frame: { type: "STREAM", stream: 0, offset: { limit: "stream data", plus: 0 }, data: "a" },
    instead: { type: "STREAM", stream: 0, offset: { limit: "stream data", plus: -1 }, data: "a" },
  }),
  beyond({
    id: "quic/stream-data-far-beyond-the-limit",
    covers: ["rfc9000#4.1/limits"],
    title: "The server treats data a gigabyte beyond the limit of a stream as a connection error of type FLOW_CONTROL_ERROR.",
    needs: ["stream-window"],
    frame: { type: "STREAM", stream: 0, offset: { limit: "stream data", plus: 2 ** 30 }, data: "a" },
    instead: { type: "STREAM", stream: 0, offset: { limit: "stream data", plus: -1 }, data: "a" },
  }),
  beyond({
    id: "quic/stream-end-beyond-the-limit",
    covers: ["rfc9000#4.1/limits"],
    title: "The server treats the end of a stream beyond its limit as a connection error of type FLOW_CONTROL_ERROR.",
    needs: ["stream-window"],
    frame: { type: "STREAM", stream: 0, offset: { limit: "stream data", plus: 1 }, end: true },
    instead: { type: "STREAM", stream: 0, offset: { limit: "stream data", plus: 0 } },
  }),
  beyond({
    id: "quic/reset-beyond-the-limit",
    covers: ["rfc9000#4.1/limits", "rfc9000#4.5/counts"],
    title: "The server treats a reset with a final size beyond the limit of a stream as a connection error of type FLOW_CONTROL_ERROR.",
    needs: ["stream-window"],
    frame: { type: "RESET_STREAM", stream: 0, code: 0x10c, finalSize: { limit: "stream data", plus: 1 } },
    instead: { type: "RESET_STREAM", stream: 0, code: 0x10c },
  }),
  after({
    id: "quic/connection-data-beyond-the-limit",
    spec: "rfc9000#4.1",
    covers: ["rfc9000#4.1/limits", "rfc9000#19.9/exceeded"],
    title: "The server treats more data on all streams together than it permits as a connection error of type FLOW_CONTROL_ERROR.",
    needs: ["connection-window", "stream-window", "bidirectional-streams"],
    steps: [{ do: "fill connection", beyond: 1 }],
    control: [{ do: "fill connection", beyond: 0 }],
    allowed: connectionError("FLOW_CONTROL_ERROR"),
  }),
  after({
    id: "quic/empty-stream-frame-at-the-limit",
    spec: "rfc9000#19.8",
    covers: ["rfc9000#19.8/empty"],
    title: "The server accepts a STREAM frame without data at the limit of the stream.",
    needs: ["stream-window"],
    steps: [app({ type: "STREAM", stream: 0, offset: { limit: "stream data", plus: 0 } })],
    control: [app(OPEN)],
    allowed: accepted,
  }),
  ...(["MAX_DATA", "MAX_STREAM_DATA"] as const).map((type) =>
    after({
      id: `quic/${type.toLowerCase().replaceAll("_", "-")}-that-lowers-the-limit`,
      spec: "rfc9000#4.1",
      covers: ["rfc9000#4.1/no-decrease"],
      title: `The server ignores ${type} below the limit that holds.`,
      steps: [app(OPEN), app({ type, stream: 0, max: 1 })],
      control: [app(OPEN), app({ type, stream: 0, max: 2 ** 31 })],
      allowed: accepted,
    }),
  ),
  ...(["MAX_STREAMS_BIDI", "MAX_STREAMS_UNI"] as const).map((type) =>
    after({
      id: `quic/${type === "MAX_STREAMS_BIDI" ? "bidirectional" : "unidirectional"}-max-streams-that-lowers-the-limit`,
      spec: "rfc9000#4.6",
      covers: ["rfc9000#4.6/no-decrease"],
      title: `The server ignores MAX_STREAMS (${type === "MAX_STREAMS_BIDI" ? "bidirectional" : "unidirectional"}) below the limit that holds.`,
      steps: [app({ type, max: 1 })],
      control: [app({ type, max: 1_000 })],
      allowed: accepted,
    }),
  ),
  ...beyondStreams("bidirectional streams"),
  ...beyondStreams("unidirectional streams"),
  contradicts({
    id: "quic/data-after-the-end",
    title: "The server treats data beyond the end of a stream as a connection error of type FINAL_SIZE_ERROR.",
    first: [END],
    second: { type: "STREAM", stream: 0, offset: END_SIZE, data: "a" },
  }),
  contradicts({
    id: "quic/second-end-further-on",
    title: "The server treats a second, later end of a stream as a connection error of type FINAL_SIZE_ERROR.",
    first: [END],
    second: { type: "STREAM", stream: 0, offset: END_SIZE + 1, end: true },
  }),
  contradicts({
    id: "quic/second-end-before-the-first",
    title: "The server treats a second, earlier end of a stream as a connection error of type FINAL_SIZE_ERROR.",
    first: [END],
    second: { type: "STREAM", stream: 0, offset: 3, end: true },
    instead: END,
  }),
  contradicts({
    id: "quic/end-before-data",
    title: "The server treats an end of a stream before data that has come as a connection error of type FINAL_SIZE_ERROR.",
    first: [OPEN],
    second: { type: "STREAM", stream: 0, offset: 3, end: true },
    instead: { type: "STREAM", stream: 0, offset: SIZE, data: "a" },
  }),
  contradicts({
    id: "quic/reset-before-data",
    title: "The server treats a reset with a final size below data that has come as a connection error of type FINAL_SIZE_ERROR.",
    first: [OPEN],
    second: { type: "RESET_STREAM", stream: 0, code: 0x10c, finalSize: 3 },
    instead: { type: "RESET_STREAM", stream: 0, code: 0x10c, finalSize: SIZE },
  }),
  contradicts({
    id: "quic/reset-with-another-size-than-the-end",
    title: "The server treats a reset with another final size than the end of the stream as a connection error of type FINAL_SIZE_ERROR.",
    first: [{ type: "STREAM", stream: 0, offset: SIZE + 5, end: true }, OPEN],
    second: { type: "RESET_STREAM", stream: 0, code: 0x10c, finalSize: SIZE + 9 },
    instead: { type: "RESET_STREAM", stream: 0, code: 0x10c, finalSize: SIZE + 5 },
  }),
  contradicts({
    id: "quic/data-after-a-reset",
    title: "The server treats data beyond the final size of a reset as a connection error of type FINAL_SIZE_ERROR.",
    first: [OPEN, { type: "RESET_STREAM", stream: 0, code: 0x10c, finalSize: SIZE }],
    second: { type: "STREAM", stream: 0, offset: SIZE, data: "a" },
  }),
  contradicts({
    id: "quic/second-reset-with-another-size",
    title: "The server treats a second reset with another final size as a connection error of type FINAL_SIZE_ERROR.",
    first: [OPEN, { type: "RESET_STREAM", stream: 0, code: 0x10c, finalSize: SIZE }],
    second: { type: "RESET_STREAM", stream: 0, code: 0x10c, finalSize: SIZE + 1 },
    instead: { type: "RESET_STREAM", stream: 0, code: 0x10c, finalSize: SIZE },
  }),
  {
    id: "quic/data-out-of-order",
    spec: "rfc9000#2.2",
    covers: ["rfc9000#2.2/ordered"],
    level: "MUST",
    role: "server",
    title: "The server delivers data in order that came out of order: it answers a request whose parts come last first.",
    steps: [
      connect,
      { do: "request", stream: 0, order: "reversed" },
      { do: "await", see: { see: "frame", type: "STREAM", where: { stream: 0 } } },
    ],
    control: [connect, { do: "request", stream: 0 }, { do: "await", see: { see: "frame", type: "STREAM", where: { stream: 0 } } }],
    allowed: [{ see: { see: "all", of: [{ see: "accepted" }, { see: "frame", type: "STREAM", where: { stream: 0 } }] } }],
  },
  {
    id: "quic/data-twice",
    spec: "rfc9000#2.2",
    covers: ["rfc9000#2.2/repeated"],
    level: "MUST",
    role: "server",
    title: "The server accepts the same data at the same offset again: it answers a request each part of which comes twice.",
    steps: [
      connect,
      { do: "request", stream: 0, order: "twice" },
      { do: "await", see: { see: "frame", type: "STREAM", where: { stream: 0 } } },
    ],
    control: [connect, { do: "request", stream: 0 }, { do: "await", see: { see: "frame", type: "STREAM", where: { stream: 0 } } }],
    allowed: [{ see: { see: "all", of: [{ see: "accepted" }, { see: "frame", type: "STREAM", where: { stream: 0 } }] } }],
  },
];
