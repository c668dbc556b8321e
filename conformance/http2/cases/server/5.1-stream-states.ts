import {
  accepted,
  acceptedAndAnswered,
  connectionError,
  finalData,
  firstExchange,
  get,
  halfClosedRemote,
  handshake,
  openStreamWindows,
  permitted,
  post,
  promise,
  request,
  send,
  streamError,
} from "../phrases.ts";
import type { Case, FrameSpec, Outcome, Row } from "../../vocabulary.ts";

const trailers: FrameSpec = { type: "HEADERS", stream: 1, flags: ["END_STREAM", "END_HEADERS"], fields: [["x-sum", "1"]] };
const continuation: FrameSpec = { type: "CONTINUATION", stream: 1, flags: ["END_HEADERS"], fields: [["x-more", "1"]] };
const update: FrameSpec = { type: "WINDOW_UPDATE", stream: 1, increment: 1000 };
const priority: FrameSpec = { type: "PRIORITY", stream: 1, priority: { on: 0, weight: 16 } };
const reset: FrameSpec = { type: "RST_STREAM", stream: 1, code: "CANCEL" };
const unknown: FrameSpec = { type: 0xbe, stream: 1, hex: "00" };
const pushPromise: FrameSpec = { ...promise(2, request()), stream: 1 };

const inState = (row: Row<"covers" | "steps" | "control" | "allowed">): Case => ({
  spec: "rfc9113#5.1",
  role: "server",
  level: "MUST",
  ...row,
});

// Idle.

const onIdle = ({
  frame,
  legal,
  others = [],
  ...row
}: Row & { readonly frame: FrameSpec; readonly legal: readonly FrameSpec[]; readonly others?: readonly Outcome[] }): Case =>
  inState({
    covers: ["rfc9113#5.1/idle-other-frames"],
    steps: [handshake, send(frame)],
    control: [handshake, send(...legal)],
    allowed: connectionError("PROTOCOL_ERROR", ...others),
    ...row,
  });
/** DATA on a stream that is not open also breaks rfc9113#6.1, so STREAM_CLOSED is allowed. */
const asClosed = (stream: number): Outcome[] => [
  permitted({ see: "GOAWAY", code: "STREAM_CLOSED" }, "rfc9113#5.4"),
  permitted({ see: "RST_STREAM", stream, code: "STREAM_CLOSED" }, "rfc9113#6.1", "warn"),
];

// Half-closed (remote): the request is complete, and flow control keeps the response from ending.

const onHalfClosed = ({ frame, ...row }: Row<"covers" | "allowed"> & { readonly frame: FrameSpec }): Case =>
  inState({
    steps: [...halfClosedRemote, send(frame, openStreamWindows)],
    control: [...halfClosedRemote, send(openStreamWindows)],
    needs: ["body"],
    ...row,
  });
const HALF_CLOSED: Case["covers"] = ["rfc9113#5.1/half-closed-remote-other-frames"];
const PERMITTED: Case["covers"] = ["rfc9113#5.1/half-closed-remote-permitted", "rfc9113#5.1/half-closed-remote-sending"];
/** A misplaced CONTINUATION is a connection error (rfc9113#6.10); on a stream in this state STREAM_CLOSED is allowed too. */
const strayContinuation: Case["allowed"] = connectionError(
  "PROTOCOL_ERROR",
  permitted({ see: "GOAWAY", code: ["STREAM_CLOSED", "COMPRESSION_ERROR"] }, "rfc9113#5.4"),
);

// Closed: after both sides sent END_STREAM, or after RST_STREAM.

/**
 * Frames on a closed stream: STREAM_CLOSED on the stream or the connection (rfc9113#5.1, rfc9113#6.1). Another RST_STREAM is permitted
 * (rfc9113#5.4.2). So is discarding the frames after minimal processing (rfc9113#5.1), which hides the error from the client.
 */
const onClosed = (...others: Outcome[]): Case["allowed"] =>
  streamError(
    1,
    "STREAM_CLOSED",
    permitted({ see: "all", of: [{ see: "accepted" }, { see: "holds", monitor: "nothing-after-end-stream" }] }, "rfc9113#5.1", "warn"),
    ...others,
  );
const afterResponse = ({ frames, ...row }: Row<"covers" | "allowed"> & { readonly frames: readonly FrameSpec[] }): Case =>
  inState({ steps: [...firstExchange, send(...frames)], control: [...firstExchange, send(get(3))], ...row });
const afterReset = ({ frames, ...row }: Row<"covers" | "allowed"> & { readonly frames: readonly FrameSpec[] }): Case =>
  inState({
    steps: [...halfClosedRemote, send(reset, ...frames, openStreamWindows)],
    control: [...halfClosedRemote, send(reset, openStreamWindows)],
    needs: ["body"],
    ...row,
  });
const CLOSED: Case["covers"] = ["rfc9113#5.1/closed-other-frames"];
/** HEADERS on a used identifier also breaks the rule that identifiers increase (rfc9113#5.1.1). */
const usedUp = permitted({ see: "GOAWAY", code: "PROTOCOL_ERROR" }, "rfc9113#5.1.1");

/** Stream states (rfc9113#5.1): every frame in every state that a client can cause. */
export const cases: readonly Case[] = [
  onIdle({
    id: "http2/idle-stream-data",
    title: "The server treats DATA on an idle stream as a connection error of type PROTOCOL_ERROR.",
    frame: finalData,
    legal: [post(1), finalData],
    others: asClosed(1),
  }),
  onIdle({
    id: "http2/idle-stream-rst-stream",
    title: "The server treats RST_STREAM on an idle stream as a connection error of type PROTOCOL_ERROR.",
    frame: reset,
    legal: [get(1)],
  }),
  onIdle({
    id: "http2/idle-stream-window-update",
    title: "The server treats WINDOW_UPDATE on an idle stream as a connection error of type PROTOCOL_ERROR.",
    frame: update,
    legal: [post(1), update],
  }),
  onIdle({
    id: "http2/idle-stream-continuation",
    title: "The server treats CONTINUATION on an idle stream as a connection error of type PROTOCOL_ERROR.",
    frame: continuation,
    legal: [{ ...get(1), flags: ["END_STREAM"] }, continuation],
  }),
  onIdle({
    id: "http2/idle-stream-push-promise",
    title: "The server treats PUSH_PROMISE on an idle stream as a connection error of type PROTOCOL_ERROR.",
    frame: pushPromise,
    legal: [get(1)],
  }),
  onIdle({
    id: "http2/idle-stream-data-on-even-stream",
    title: "The server treats DATA on an even idle stream as a connection error of type PROTOCOL_ERROR.",
    frame: { ...finalData, stream: 2 },
    legal: [post(1), finalData],
    others: asClosed(2),
  }),
  onIdle({
    id: "http2/idle-stream-window-update-on-even-stream",
    title: "The server treats WINDOW_UPDATE on an even idle stream as a connection error of type PROTOCOL_ERROR.",
    frame: { ...update, stream: 2 },
    legal: [post(1), update],
  }),
  inState({
    id: "http2/idle-stream-data-beyond-the-last-one",
    title: "The server treats DATA on a stream higher than any opened as a connection error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#5.1/idle-other-frames"],
    steps: [...firstExchange, send({ ...finalData, stream: 3 })],
    control: [...firstExchange, send(post(3), { ...finalData, stream: 3 })],
    allowed: connectionError("PROTOCOL_ERROR", ...asClosed(3)),
  }),
  inState({
    id: "http2/idle-stream-opened-and-ended-at-once",
    title: "The server answers a request of one HEADERS frame with END_STREAM.",
    covers: ["rfc9113#5.1/idle-opened"],
    steps: [handshake, send(get(1))],
    control: [handshake, send(post(1), finalData)],
    allowed: acceptedAndAnswered(1),
  }),

  inState({
    id: "http2/open-stream-window-update-and-priority",
    title: "The server accepts WINDOW_UPDATE, PRIORITY and frames of unknown type between the frames of a request.",
    covers: ["rfc9113#5.1/open-any-frame", "rfc9113#5.1/priority-any-state", "rfc9113#5.1/unknown-frames-any-state"],
    steps: [handshake, send(post(1), update, priority, unknown, { ...finalData, flags: [] }, update, priority, unknown, finalData)],
    control: [handshake, send(post(1), { ...finalData, flags: [] }, finalData)],
    allowed: acceptedAndAnswered(1),
  }),
  inState({
    id: "http2/open-stream-reset-by-the-client",
    title: "The server accepts RST_STREAM before a request is complete.",
    covers: ["rfc9113#5.1/open-any-frame"],
    steps: [handshake, send(post(1), { ...finalData, flags: [] }, reset)],
    control: [handshake, send(post(1), finalData)],
    allowed: accepted,
  }),
  onHalfClosed({
    id: "http2/half-closed-stream-data",
    title: "The server treats DATA on a half-closed (remote) stream as a stream error of type STREAM_CLOSED.",
    covers: [...HALF_CLOSED, "rfc9113#6.1/stream-not-open", "rfc9113#7/stream-closed"],
    frame: finalData,
    allowed: streamError(1, "STREAM_CLOSED"),
  }),
  onHalfClosed({
    id: "http2/half-closed-stream-empty-data",
    title: "The server treats empty DATA on a half-closed (remote) stream as a stream error of type STREAM_CLOSED.",
    covers: [...HALF_CLOSED, "rfc9113#6.1/stream-not-open"],
    frame: { ...finalData, data: 0 },
    allowed: streamError(1, "STREAM_CLOSED"),
  }),
  onHalfClosed({
    id: "http2/half-closed-stream-headers",
    title: "The server treats HEADERS on a half-closed (remote) stream as a stream error of type STREAM_CLOSED.",
    covers: HALF_CLOSED,
    frame: trailers,
    allowed: streamError(1, "STREAM_CLOSED"),
  }),
  onHalfClosed({
    id: "http2/half-closed-stream-headers-without-end",
    title: "The server treats HEADERS without END_STREAM on a half-closed (remote) stream as a stream error of type STREAM_CLOSED.",
    covers: HALF_CLOSED,
    frame: { ...trailers, flags: ["END_HEADERS"] },
    allowed: streamError(1, "STREAM_CLOSED"),
  }),
  onHalfClosed({
    id: "http2/half-closed-stream-continuation",
    title: "The server treats CONTINUATION on a half-closed (remote) stream as a connection error.",
    covers: [...HALF_CLOSED, "rfc9113#6.10/not-preceded"],
    frame: continuation,
    allowed: strayContinuation,
  }),
  onHalfClosed({
    id: "http2/half-closed-stream-push-promise",
    title: "The server treats PUSH_PROMISE on a half-closed (remote) stream as a connection error.",
    covers: ["rfc9113#6.6/wrong-state"],
    frame: pushPromise,
    allowed: connectionError("PROTOCOL_ERROR"),
  }),
  onHalfClosed({
    id: "http2/half-closed-stream-window-update",
    title: "The server accepts WINDOW_UPDATE on a half-closed (remote) stream.",
    covers: [...PERMITTED, "rfc9113#6.9/half-closed-no-error"],
    frame: update,
    allowed: acceptedAndAnswered(1),
  }),
  onHalfClosed({
    id: "http2/half-closed-stream-priority",
    title: "The server accepts PRIORITY on a half-closed (remote) stream.",
    covers: [...PERMITTED, "rfc9113#5.1/priority-any-state"],
    frame: priority,
    allowed: acceptedAndAnswered(1),
  }),
  onHalfClosed({
    id: "http2/half-closed-stream-rst-stream",
    title: "The server accepts RST_STREAM on a half-closed (remote) stream.",
    covers: PERMITTED,
    frame: reset,
    allowed: accepted,
  }),
  onHalfClosed({
    id: "http2/half-closed-stream-unknown-frame",
    title: "The server discards a frame of unknown type on a half-closed (remote) stream.",
    covers: ["rfc9113#5.1/unknown-frames-any-state"],
    frame: unknown,
    allowed: acceptedAndAnswered(1),
  }),

  afterResponse({
    id: "http2/closed-stream-data",
    title: "The server treats DATA on a closed stream as an error of type STREAM_CLOSED.",
    covers: [...CLOSED, "rfc9113#6.1/stream-not-open"],
    frames: [finalData],
    allowed: onClosed(),
  }),
  afterResponse({
    id: "http2/closed-stream-headers",
    title: "The server treats HEADERS on a closed stream as an error of type STREAM_CLOSED.",
    covers: [...CLOSED, "rfc9113#5.1.1/not-reused"],
    frames: [{ ...get(1) }],
    allowed: onClosed(usedUp),
  }),
  afterResponse({
    id: "http2/closed-stream-continuation",
    title: "The server treats CONTINUATION on a closed stream as a connection error.",
    covers: [...CLOSED, "rfc9113#6.10/not-preceded"],
    frames: [continuation],
    allowed: strayContinuation,
  }),
  afterResponse({
    id: "http2/closed-stream-push-promise",
    title: "The server treats PUSH_PROMISE on a closed stream as a connection error.",
    covers: ["rfc9113#6.6/wrong-state"],
    frames: [pushPromise],
    allowed: connectionError("PROTOCOL_ERROR", permitted({ see: "GOAWAY", code: "STREAM_CLOSED" }, "rfc9113#5.1")),
  }),
  afterResponse({
    id: "http2/closed-stream-window-update",
    title: "The server accepts a late WINDOW_UPDATE on a closed stream.",
    covers: ["rfc9113#5.1/closed-late-frames", "rfc9113#6.9/half-closed-no-error"],
    frames: [update],
    allowed: accepted,
  }),
  afterResponse({
    id: "http2/closed-stream-rst-stream",
    title: "The server accepts a late RST_STREAM on a closed stream.",
    covers: ["rfc9113#5.1/closed-late-frames"],
    frames: [reset],
    allowed: accepted,
  }),
  afterResponse({
    id: "http2/closed-stream-priority",
    title: "The server accepts PRIORITY on a closed stream.",
    covers: ["rfc9113#5.1/priority-any-state"],
    frames: [priority],
    allowed: accepted,
  }),
  afterResponse({
    id: "http2/closed-stream-unknown-frame",
    title: "The server discards a frame of unknown type on a closed stream.",
    covers: ["rfc9113#5.1/unknown-frames-any-state"],
    frames: [unknown],
    allowed: accepted,
  }),

  afterReset({
    id: "http2/reset-stream-data",
    title: "The server treats DATA after the client's RST_STREAM as an error of type STREAM_CLOSED.",
    covers: [...CLOSED, "rfc9113#6.1/stream-not-open"],
    frames: [finalData],
    allowed: onClosed(),
  }),
  afterReset({
    id: "http2/reset-stream-headers",
    level: "MAY",
    title: "The server treats HEADERS after the client's RST_STREAM as an error of type STREAM_CLOSED.",
    covers: CLOSED,
    frames: [trailers],
    allowed: onClosed(usedUp),
  }),
  afterReset({
    id: "http2/reset-stream-continuation",
    title: "The server treats CONTINUATION after the client's RST_STREAM as a connection error.",
    covers: [...CLOSED, "rfc9113#6.10/not-preceded"],
    frames: [continuation],
    allowed: strayContinuation,
  }),
  afterReset({
    id: "http2/reset-stream-priority",
    title: "The server accepts PRIORITY after the client's RST_STREAM.",
    covers: ["rfc9113#5.1/priority-any-state"],
    frames: [priority],
    allowed: accepted,
  }),
  afterReset({
    id: "http2/reset-stream-unknown-frame",
    title: "The server discards a frame of unknown type after the client's RST_STREAM.",
    covers: ["rfc9113#5.1/unknown-frames-any-state"],
    frames: [unknown],
    allowed: accepted,
  }),

  inState({
    id: "http2/stream-reset-by-the-server-data-under-way",
    title: "The server discards DATA and trailers in flight on a stream that it has reset, and keeps the connection.",
    covers: ["rfc9113#5.1/closed-minimal-processing", "rfc9113#5.4.2/prepared", "rfc9113#6.4/prepared"],
    needs: ["post"],
    steps: [handshake, send(post(1, ["X-Upper", "1"]), { ...finalData, flags: [] }, { ...finalData, flags: [] }, trailers)],
    control: [handshake, send(post(1), { ...finalData, flags: [] }, { ...finalData, flags: [] }, trailers)],
    allowed: [
      { see: { see: "RST_STREAM", stream: 1, code: ["PROTOCOL_ERROR", "STREAM_CLOSED"] } },
      permitted({ see: "response", stream: 1, status: ["4xx"] }, "rfc9113#8.1.1"),
      permitted({ see: "GOAWAY", code: "PROTOCOL_ERROR" }, "rfc9113#5.4.1"),
      permitted({ see: "RST_STREAM", stream: 1, code: "INTERNAL_ERROR" }, "rfc9113#5.4", "warn"),
      permitted({ see: "closed" }, "rfc9113#5.4.1", "warn"),
    ],
  }),
  inState({
    id: "http2/reserved-stream-window-update-and-priority",
    title: "The server accepts WINDOW_UPDATE and PRIORITY on a stream that it has reserved.",
    covers: ["rfc9113#5.1/reserved-local-permitted", "rfc9113#5.1/reserved-local-sending"],
    needs: ["push"],
    steps: [...firstExchange, send({ ...update, stream: 2 }, { ...priority, stream: 2 })],
    control: [...firstExchange, send(get(3))],
    allowed: accepted,
  }),
  inState({
    id: "http2/reserved-stream-data",
    title: "The server treats DATA on a stream that it has reserved as an error.",
    covers: ["rfc9113#5.1/reserved-local-other-frames"],
    needs: ["push"],
    steps: [...firstExchange, send({ ...finalData, stream: 2 })],
    control: [...firstExchange, send(get(3))],
    allowed: connectionError(
      "PROTOCOL_ERROR",
      permitted({ see: "GOAWAY", code: "STREAM_CLOSED" }, "rfc9113#5.1"),
      permitted({ see: "RST_STREAM", stream: 2, code: "STREAM_CLOSED" }, "rfc9113#6.1"),
    ),
  }),
];
