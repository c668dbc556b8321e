import {
  answerWith,
  clientConnectionError,
  clientStreamError,
  content,
  duringResponse,
  emptyResponse,
  exchangeSucceeds,
  permitted,
  plainExchange,
  promise,
  respond,
} from "../phrases.ts";
import type { Case, FrameSpec, Outcome, Row } from "../../vocabulary.ts";

/** A stream that a client with one request never opens. */
const IDLE = 0x7fff_ffff;

const onIdle = ({ frame, ...row }: Row & { readonly frame: FrameSpec }): Case => ({
  spec: "rfc9113#5.1",
  covers: ["rfc9113#5.1/idle-other-frames"],
  level: "MUST",
  role: "client",
  fence: "exit",
  steps: duringResponse(frame),
  // RST_STREAM would end the stream that the control must complete.
  control: frame.type === "RST_STREAM" ? plainExchange : duringResponse({ ...frame, stream: "request" }),
  allowed: clientConnectionError("PROTOCOL_ERROR"),
  ...row,
});

/** The client had its response and left before it read the frame. */
const leavesAtOnce = (): Outcome => permitted({ see: "exit", ok: true }, "rfc9113#9.1");
/** A client may reset a promised stream, and may then ignore later frames on it (rfc9113#5.1). */
const declines = (): Outcome => permitted({ see: "RST_STREAM", stream: 2, code: ["CANCEL", "REFUSED_STREAM"] }, "rfc9113#8.4.2");
const onReserved = ({ frame, ...row }: Row & { readonly frame: FrameSpec }): Case => ({
  spec: "rfc9113#5.1",
  covers: ["rfc9113#5.1/reserved-remote-other-frames"],
  level: "MUST",
  role: "client",
  needs: ["push"],
  fence: "ping",
  steps: answerWith(respond(), promise(2), frame),
  control: duringResponse(promise(2), emptyResponse(2)),
  allowed: clientConnectionError("PROTOCOL_ERROR", declines()),
  ...row,
});

/** Stream states (rfc9113#5.1) and identifiers (rfc9113#5.1.1), for frames from a server. */
export const cases: readonly Case[] = [
  onIdle({
    id: "http2/client-data-on-idle-stream",
    title: "A client treats DATA on an idle stream as a connection error of type PROTOCOL_ERROR.",
    frame: { type: "DATA", stream: IDLE, data: "x" },
  }),
  onIdle({
    id: "http2/client-rst-stream-on-idle-stream",
    title: "A client treats RST_STREAM on an idle stream as a connection error of type PROTOCOL_ERROR.",
    frame: { type: "RST_STREAM", stream: IDLE, code: "NO_ERROR" },
  }),
  onIdle({
    id: "http2/client-window-update-on-idle-stream",
    title: "A client treats WINDOW_UPDATE on an idle stream as a connection error of type PROTOCOL_ERROR.",
    frame: { type: "WINDOW_UPDATE", stream: IDLE, increment: 1 },
  }),
  {
    id: "http2/client-headers-on-unopened-stream",
    spec: "rfc9113#5.1.1",
    covers: ["rfc9113#5.1.1/unexpected-identifier"],
    level: "MUST",
    role: "client",
    title: "A client treats a response on an odd idle stream as a connection error of type PROTOCOL_ERROR.",
    fence: "exit",
    steps: duringResponse(emptyResponse(IDLE)),
    control: plainExchange,
    allowed: clientConnectionError("PROTOCOL_ERROR"),
  },
  {
    id: "http2/client-headers-on-even-idle-stream",
    spec: "rfc9113#5.1",
    covers: ["rfc9113#5.1/idle-server-initiated-headers", "rfc9113#5.1.1/unexpected-identifier"],
    level: "MUST",
    role: "client",
    title: "A client treats a response on an even stream that was never promised as a connection error of type PROTOCOL_ERROR.",
    fence: "exit",
    steps: duringResponse(emptyResponse(2)),
    control: plainExchange,
    allowed: clientConnectionError("PROTOCOL_ERROR"),
  },
  {
    id: "http2/client-data-on-even-idle-stream",
    spec: "rfc9113#5.1",
    covers: ["rfc9113#5.1/idle-other-frames"],
    level: "MUST",
    role: "client",
    title: "A client treats DATA on an even stream that was never promised as a connection error of type PROTOCOL_ERROR.",
    fence: "exit",
    steps: duringResponse({ type: "DATA", stream: 2, data: "x" }),
    control: plainExchange,
    allowed: clientConnectionError("PROTOCOL_ERROR"),
  },
  {
    id: "http2/client-window-update-on-half-closed-stream",
    spec: "rfc9113#5.1",
    covers: ["rfc9113#6.9/half-closed-no-error"],
    level: "MUST NOT",
    role: "client",
    title: "A client accepts WINDOW_UPDATE on a half-closed (local) stream.",
    fence: "exit",
    steps: duringResponse({ type: "WINDOW_UPDATE", stream: "request", increment: 1000 }),
    control: plainExchange,
    allowed: exchangeSucceeds,
  },
  {
    id: "http2/client-priority-in-any-state",
    spec: "rfc9113#5.1",
    covers: ["rfc9113#5.1/priority-any-state", "rfc9113#6.3/any-state"],
    level: "MUST",
    role: "client",
    title: "A client accepts PRIORITY on idle streams, before a response and during it.",
    fence: "exit",
    steps: answerWith(
      { type: "PRIORITY", stream: 2, priority: { on: 0, weight: 16 } },
      { type: "PRIORITY", stream: "request", priority: { on: 2, weight: 256, exclusive: true } },
      respond(),
      { type: "PRIORITY", stream: IDLE, priority: { on: 0, weight: 1 } },
      content(),
    ),
    control: plainExchange,
    allowed: exchangeSucceeds,
  },
  {
    id: "http2/client-data-after-end-of-stream",
    spec: "rfc9113#6.1",
    covers: ["rfc9113#6.1/stream-not-open"],
    level: "MUST",
    role: "client",
    title: "A client treats DATA after END_STREAM as an error of type STREAM_CLOSED, or has already left.",
    fence: "ping",
    steps: answerWith(respond(), content(), { type: "DATA", stream: "request", data: "more" }),
    control: answerWith(respond(), { type: "DATA", stream: "request", data: "more" }, content()),
    allowed: clientStreamError(
      "STREAM_CLOSED",
      "request",
      leavesAtOnce(),
      permitted({ see: "GOAWAY", code: "PROTOCOL_ERROR" }, "rfc9113#5.1"),
    ),
  },
  {
    id: "http2/client-headers-after-end-of-stream",
    spec: "rfc9113#5.1",
    covers: ["rfc9113#5.1/closed-other-frames"],
    level: "MAY",
    role: "client",
    title: "A client treats a second response on a closed stream as an error of type STREAM_CLOSED, ignores it, or has already left.",
    fence: "exit",
    steps: answerWith(respond(), content(), emptyResponse("request")),
    control: plainExchange,
    allowed: clientStreamError(
      "STREAM_CLOSED",
      "request",
      leavesAtOnce(),
      permitted({ see: "GOAWAY", code: "PROTOCOL_ERROR" }, "rfc9113#5.1"),
    ),
  },
  {
    id: "http2/client-reset-is-final",
    spec: "rfc9113#5.4.2",
    covers: ["rfc9113#5.4.2/no-reset-for-reset"],
    level: "MUST NOT",
    role: "client",
    needs: ["exit-status"],
    title: "A client does not answer RST_STREAM with RST_STREAM, and reports the failure.",
    fence: "exit",
    steps: answerWith(respond(), { type: "RST_STREAM", stream: "request", code: "INTERNAL_ERROR" }),
    control: plainExchange,
    allowed: [
      {
        see: {
          see: "all",
          of: [
            { see: "holds", monitor: "rst-stream-not-answered" },
            { see: "exit", ok: false },
          ],
        },
      },
    ],
  },
  onReserved({
    id: "http2/client-data-on-reserved-stream",
    title: "A client treats DATA on a reserved (remote) stream as a connection error of type PROTOCOL_ERROR.",
    frame: { type: "DATA", stream: 2, data: "x" },
  }),
  onReserved({
    id: "http2/client-window-update-on-reserved-stream",
    title: "A client treats WINDOW_UPDATE on a reserved (remote) stream as a connection error of type PROTOCOL_ERROR.",
    frame: { type: "WINDOW_UPDATE", stream: 2, increment: 1 },
  }),
  {
    id: "http2/client-stream-identifiers",
    spec: "rfc9113#5.1.1",
    covers: ["rfc9113#5.1.1/client-odd", "rfc9113#5.1.1/rising"],
    level: "MUST",
    role: "client",
    title: "A client opens streams with odd, increasing identifiers.",
    fence: "exit",
    steps: plainExchange,
    control: plainExchange,
    allowed: [
      {
        see: {
          see: "all",
          of: [
            { see: "holds", monitor: "stream-identifiers-increase" },
            { see: "exit", ok: true },
          ],
        },
      },
    ],
  },
  {
    id: "http2/client-no-streams-allowed",
    spec: "rfc9113#5.1.2",
    covers: ["rfc9113#5.1.2/not-exceeded", "rfc9113#6.5.2/max-concurrent-zero"],
    level: "MUST",
    role: "client",
    title: "A client opens no stream after it acknowledges MAX_CONCURRENT_STREAMS of 0, and sends its request when the limit rises.",
    fence: "exit",
    steps: [
      { do: "handshake", settings: [["MAX_CONCURRENT_STREAMS", 0]] },
      { do: "wait", ms: 100 },
      { do: "send", frames: [{ type: "SETTINGS", settings: [["MAX_CONCURRENT_STREAMS", 100]] }] },
      { do: "await", see: { see: "request" } },
      { do: "send", frames: [respond(), content()] },
    ],
    control: [
      { do: "handshake", settings: [["MAX_CONCURRENT_STREAMS", 1]] },
      { do: "await", see: { see: "request" } },
      { do: "send", frames: [respond(), content()] },
    ],
    allowed: [
      {
        see: {
          see: "all",
          of: [
            { see: "holds", monitor: "concurrent-streams" },
            { see: "exit", ok: true },
          ],
        },
      },
      {
        see: {
          see: "all",
          of: [
            { see: "holds", monitor: "concurrent-streams" },
            { see: "exit", ok: false },
          ],
        },
        by: "rfc9113#5.1.2",
        verdict: "warn",
      },
    ],
  },
];
