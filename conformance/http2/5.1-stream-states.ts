import {
  accepted,
  connectionError,
  get,
  halfClosedRemote,
  handshake,
  firstExchange,
  permitted,
  post,
  promise,
  openStreamWindows,
  request,
  send,
  streamError,
  acceptedAndAnswered,
} from "./phrases.ts";
import type { Case, FrameSpec, Outcome, Step } from "./vocabulary.ts";

const content: FrameSpec = { type: "DATA", stream: 1, flags: ["END_STREAM"], data: "content" };
const trailers: FrameSpec = { type: "HEADERS", stream: 1, flags: ["END_STREAM", "END_HEADERS"], fields: [["x-sum", "1"]] };
const continuation: FrameSpec = { type: "CONTINUATION", stream: 1, flags: ["END_HEADERS"], fields: [["x-more", "1"]] };
const update: FrameSpec = { type: "WINDOW_UPDATE", stream: 1, increment: 1000 };
const priority: FrameSpec = { type: "PRIORITY", stream: 1, priority: { on: 0, weight: 16 } };
const reset: FrameSpec = { type: "RST_STREAM", stream: 1, code: "CANCEL" };
const unknown: FrameSpec = { type: 0xbe, stream: 1, hex: "00" };
const pushPromise: FrameSpec = { ...promise(2, request()), stream: 1 };

type Claim = { readonly id: Case["id"]; readonly title: string; readonly covers: Case["covers"]; readonly level?: Case["level"] };
const state = (claim: Claim, steps: Step[], control: Step[], allowed: Case["allowed"], needs: string[] = []): Case => ({
  spec: "rfc9113#5.1",
  role: "server",
  level: "MUST",
  ...claim,
  ...(needs.length > 0 ? { needs } : {}),
  steps,
  control,
  allowed,
});

// idle

const idle = (words: string, name: string, frame: FrameSpec, control: FrameSpec[], ...others: Outcome[]): Case =>
  state(
    {
      id: `http2/idle-stream-${words}`,
      title: `The server ends the connection for ${name} on an idle stream with PROTOCOL_ERROR.`,
      covers: ["rfc9113#5.1/idle-other-frames"],
    },
    [handshake, send(frame)],
    [handshake, send(...control)],
    connectionError("PROTOCOL_ERROR", ...others),
  );
/** DATA anywhere but on an open stream is also a case of rfc9113#6.1, whose code may be used; the connection ends all the same. */
const asClosed = (stream: number): Outcome[] => [
  permitted({ see: "GOAWAY", code: "STREAM_CLOSED" }, "rfc9113#5.4"),
  permitted({ see: "RST_STREAM", stream, code: "STREAM_CLOSED" }, "rfc9113#6.1", "warn"),
];

// half-closed (remote): the client has ended its part, the response cannot end

const afterEnd = (words: string, name: string, frame: FrameSpec, allowed: Case["allowed"], covers: Case["covers"]): Case =>
  state(
    { id: `http2/half-closed-stream-${words}`, title: `The server ${name} on a stream that the client has ended.`, covers },
    [...halfClosedRemote, send(frame, openStreamWindows)],
    [...halfClosedRemote, send(openStreamWindows)],
    allowed,
    ["body"],
  );
const HALF_CLOSED: Case["covers"] = ["rfc9113#5.1/half-closed-remote-other-frames"];
const PERMITTED: Case["covers"] = ["rfc9113#5.1/half-closed-remote-permitted", "rfc9113#5.1/half-closed-remote-sending"];
/** CONTINUATION out of its place is a connection error by rfc9113#6.10, of a stream in this state also one of STREAM_CLOSED. */
const strayContinuation: Case["allowed"] = connectionError(
  "PROTOCOL_ERROR",
  permitted({ see: "GOAWAY", code: ["STREAM_CLOSED", "COMPRESSION_ERROR"] }, "rfc9113#5.4"),
);

// closed: after both ends, or after RST_STREAM

/**
 * Frames on a closed stream: STREAM_CLOSED for the stream or the connection (rfc9113#5.1, rfc9113#6.1); a further RST_STREAM is permitted
 * (rfc9113#5.4.2), and so is discarding them after minimal processing (rfc9113#5.1), which tells the client nothing.
 */
const onClosed = (...others: Outcome[]): Case["allowed"] =>
  streamError(
    1,
    "STREAM_CLOSED",
    permitted({ see: "all", of: [{ see: "accepted" }, { see: "holds", monitor: "nothing-after-end-stream" }] }, "rfc9113#5.1", "warn"),
    ...others,
  );
const closed = (words: string, name: string, frames: FrameSpec[], allowed: Case["allowed"], covers: Case["covers"]): Case =>
  state(
    { id: `http2/closed-stream-${words}`, title: `The server ${name} on a stream whose response has ended.`, covers },
    [...firstExchange, send(...frames)],
    [...firstExchange, send(get(3))],
    allowed,
  );
const afterReset = (words: string, name: string, frames: FrameSpec[], allowed: Case["allowed"], covers: Case["covers"]): Case =>
  state(
    { id: `http2/reset-stream-${words}`, title: `The server ${name} on a stream that the client has reset.`, covers },
    [...halfClosedRemote, send(reset, ...frames, openStreamWindows)],
    [...halfClosedRemote, send(reset, openStreamWindows)],
    allowed,
    ["body"],
  );
const CLOSED: Case["covers"] = ["rfc9113#5.1/closed-other-frames"];
/** HEADERS with an identifier that is used up is also one that is not rising (rfc9113#5.1.1). */
const usedUp = permitted({ see: "GOAWAY", code: "PROTOCOL_ERROR" }, "rfc9113#5.1.1");

/** Stream states (rfc9113#5.1): each frame in each state that a client can bring about. */
export const cases: readonly Case[] = [
  idle("data", "DATA", content, [post(1), content], ...asClosed(1)),
  idle("rst-stream", "RST_STREAM", reset, [get(1)]),
  idle("window-update", "WINDOW_UPDATE", update, [post(1), update]),
  idle("continuation", "CONTINUATION", continuation, [{ ...get(1), flags: ["END_STREAM"] }, continuation]),
  idle("push-promise", "PUSH_PROMISE", pushPromise, [get(1)]),
  idle("data-on-even-stream", "DATA with a number of the server's", { ...content, stream: 2 }, [post(1), content], ...asClosed(2)),
  idle("window-update-on-even-stream", "WINDOW_UPDATE with a number of the server's", { ...update, stream: 2 }, [post(1), update]),
  state(
    {
      id: "http2/idle-stream-data-beyond-the-last-one",
      title: "The server ends the connection for DATA on a stream beyond the last one opened with PROTOCOL_ERROR.",
      covers: ["rfc9113#5.1/idle-other-frames"],
    },
    [...firstExchange, send({ ...content, stream: 3 })],
    [...firstExchange, send(post(3), { ...content, stream: 3 })],
    connectionError("PROTOCOL_ERROR", ...asClosed(3)),
  ),
  state(
    {
      id: "http2/idle-stream-opened-and-ended-at-once",
      title: "The server answers a request whose HEADERS both opens and ends its part of the stream.",
      covers: ["rfc9113#5.1/idle-opened"],
    },
    [handshake, send(get(1))],
    [handshake, send(post(1), content)],
    acceptedAndAnswered(1),
  ),

  state(
    {
      id: "http2/open-stream-window-update-and-priority",
      title: "The server takes WINDOW_UPDATE, PRIORITY and unknown frames between the frames of a request.",
      covers: ["rfc9113#5.1/open-any-frame", "rfc9113#5.1/priority-any-state", "rfc9113#5.1/unknown-frames-any-state"],
    },
    [handshake, send(post(1), update, priority, unknown, { ...content, flags: [] }, update, priority, unknown, content)],
    [handshake, send(post(1), { ...content, flags: [] }, content)],
    acceptedAndAnswered(1),
  ),
  state(
    {
      id: "http2/open-stream-reset-by-the-client",
      title: "The server takes RST_STREAM amid a request.",
      covers: ["rfc9113#5.1/open-any-frame"],
    },
    [handshake, send(post(1), { ...content, flags: [] }, reset)],
    [handshake, send(post(1), content)],
    accepted,
  ),
  afterEnd("data", "takes DATA for a stream error of type STREAM_CLOSED", content, streamError(1, "STREAM_CLOSED"), [
    ...HALF_CLOSED,
    "rfc9113#6.1/stream-not-open",
    "rfc9113#7/stream-closed",
  ]),
  afterEnd(
    "empty-data",
    "takes empty DATA for a stream error of type STREAM_CLOSED",
    { ...content, data: 0 },
    streamError(1, "STREAM_CLOSED"),
    [...HALF_CLOSED, "rfc9113#6.1/stream-not-open"],
  ),
  afterEnd("headers", "takes HEADERS for a stream error of type STREAM_CLOSED", trailers, streamError(1, "STREAM_CLOSED"), HALF_CLOSED),
  afterEnd(
    "headers-without-end",
    "takes HEADERS without END_STREAM for a stream error of type STREAM_CLOSED",
    { ...trailers, flags: ["END_HEADERS"] },
    streamError(1, "STREAM_CLOSED"),
    HALF_CLOSED,
  ),
  afterEnd("continuation", "ends the connection for CONTINUATION", continuation, strayContinuation, [
    ...HALF_CLOSED,
    "rfc9113#6.10/not-preceded",
  ]),
  afterEnd("push-promise", "ends the connection for PUSH_PROMISE", pushPromise, connectionError("PROTOCOL_ERROR"), [
    "rfc9113#6.6/wrong-state",
  ]),
  afterEnd("window-update", "takes WINDOW_UPDATE", update, acceptedAndAnswered(1), [...PERMITTED, "rfc9113#6.9/half-closed-no-error"]),
  afterEnd("priority", "takes PRIORITY", priority, acceptedAndAnswered(1), [...PERMITTED, "rfc9113#5.1/priority-any-state"]),
  afterEnd("rst-stream", "takes RST_STREAM", reset, accepted, PERMITTED),
  afterEnd("unknown-frame", "discards a frame of an unknown type", unknown, acceptedAndAnswered(1), [
    "rfc9113#5.1/unknown-frames-any-state",
  ]),

  closed("data", "takes DATA for an error of type STREAM_CLOSED", [content], onClosed(), [...CLOSED, "rfc9113#6.1/stream-not-open"]),
  closed("headers", "takes HEADERS for an error of type STREAM_CLOSED", [{ ...get(1) }], onClosed(usedUp), [
    ...CLOSED,
    "rfc9113#5.1.1/not-reused",
  ]),
  closed("continuation", "ends the connection for CONTINUATION", [continuation], strayContinuation, [
    ...CLOSED,
    "rfc9113#6.10/not-preceded",
  ]),
  closed(
    "push-promise",
    "ends the connection for PUSH_PROMISE",
    [pushPromise],
    connectionError("PROTOCOL_ERROR", permitted({ see: "GOAWAY", code: "STREAM_CLOSED" }, "rfc9113#5.1")),
    ["rfc9113#6.6/wrong-state"],
  ),
  closed("window-update", "takes WINDOW_UPDATE that was late", [update], accepted, [
    "rfc9113#5.1/closed-late-frames",
    "rfc9113#6.9/half-closed-no-error",
  ]),
  closed("rst-stream", "takes RST_STREAM that was late", [reset], accepted, ["rfc9113#5.1/closed-late-frames"]),
  closed("priority", "takes PRIORITY", [priority], accepted, ["rfc9113#5.1/priority-any-state"]),
  closed("unknown-frame", "discards a frame of an unknown type", [unknown], accepted, ["rfc9113#5.1/unknown-frames-any-state"]),

  afterReset("data", "takes DATA for an error of type STREAM_CLOSED", [content], onClosed(), [...CLOSED, "rfc9113#6.1/stream-not-open"]),
  afterReset("headers", "takes HEADERS for an error of type STREAM_CLOSED", [trailers], onClosed(usedUp), CLOSED),
  afterReset("continuation", "ends the connection for CONTINUATION", [continuation], strayContinuation, [
    ...CLOSED,
    "rfc9113#6.10/not-preceded",
  ]),
  afterReset("priority", "takes PRIORITY", [priority], accepted, ["rfc9113#5.1/priority-any-state"]),
  afterReset("unknown-frame", "discards a frame of an unknown type", [unknown], accepted, ["rfc9113#5.1/unknown-frames-any-state"]),

  state(
    {
      id: "http2/stream-reset-by-the-server-data-under-way",
      title: "The server discards DATA and trailers that were under way when it reset their stream, and the connection goes on.",
      covers: ["rfc9113#5.1/closed-minimal-processing", "rfc9113#5.4.2/prepared", "rfc9113#6.4/prepared"],
    },
    [handshake, send(post(1, ["X-Upper", "1"]), { ...content, flags: [] }, { ...content, flags: [] }, trailers)],
    [handshake, send(post(1), { ...content, flags: [] }, { ...content, flags: [] }, trailers)],
    // Further RST_STREAM may follow late frames (rfc9113#5.4.2); ending the connection for the malformed request is permitted as ever.
    [
      { see: { see: "RST_STREAM", stream: 1, code: ["PROTOCOL_ERROR", "STREAM_CLOSED"] } },
      permitted({ see: "response", stream: 1, status: ["4xx"] }, "rfc9113#8.1.1"),
      permitted({ see: "GOAWAY", code: "PROTOCOL_ERROR" }, "rfc9113#5.4.1"),
      permitted({ see: "RST_STREAM", stream: 1, code: "INTERNAL_ERROR" }, "rfc9113#5.4", "warn"),
      permitted({ see: "closed" }, "rfc9113#5.4.1", "warn"),
    ],
    ["post"],
  ),
  state(
    {
      id: "http2/reserved-stream-window-update-and-priority",
      title: "The server takes WINDOW_UPDATE and PRIORITY on a stream that it has promised.",
      covers: ["rfc9113#5.1/reserved-local-permitted", "rfc9113#5.1/reserved-local-sending"],
    },
    [...firstExchange, send({ ...update, stream: 2 }, { ...priority, stream: 2 })],
    [...firstExchange, send(get(3))],
    accepted,
    ["push"],
  ),
  state(
    {
      id: "http2/reserved-stream-data",
      title: "The server takes DATA on a stream that it has promised for an error.",
      covers: ["rfc9113#5.1/reserved-local-other-frames"],
    },
    [...firstExchange, send({ ...content, stream: 2 })],
    [...firstExchange, send(get(3))],
    // Once the pushed response has begun, its stream is half-closed (remote), and then closed.
    connectionError(
      "PROTOCOL_ERROR",
      permitted({ see: "GOAWAY", code: "STREAM_CLOSED" }, "rfc9113#5.1"),
      permitted({ see: "RST_STREAM", stream: 2, code: "STREAM_CLOSED" }, "rfc9113#6.1"),
    ),
    ["push"],
  ),
];
