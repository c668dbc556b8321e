import { get, handshake, openStreamWindows, request, send, withoutStreamWindows } from "../phrases.ts";
import type { Case, FrameSpec, Step } from "../../vocabulary.ts";

const LAST = 4001;
/** The responses have content and no window, so every request before the last one stays open. */
const fillStreams = (beyond: number): readonly Step[] => [withoutStreamWindows, { do: "fill streams", last: LAST, beyond }];
const answeredLast = { see: "all", of: [{ see: "accepted" }, { see: "response", stream: LAST, complete: true }] } as const;

/** Opens the window of one stream and waits for its whole response. The others stay blocked, whatever they would send. */
const answer = (stream: number): readonly Step[] => [
  send({ type: "WINDOW_UPDATE", stream, increment: 0x7fff_ffff }),
  { do: "await", see: { see: "response", stream, complete: true } },
];
const ping: Step = { do: "fence", by: "ping" };
/** As many requests as allowed, one of them answered. */
const withinLimit: readonly Step[] = [...fillStreams(0), ping, ...answer(LAST)];
/** A stream that the client resets, and content on it that was on its way: a stream error, if it is one (rfc9113#5.1). */
const lateContent: readonly Step[] = [
  withoutStreamWindows,
  send(get(1)),
  ping,
  send({ type: "RST_STREAM", stream: 1, code: "CANCEL" }),
  send({ type: "DATA", stream: 1, data: "late" }),
  ping,
];

/** A GET after 120 requests for its head. */
const END = 241;
const HEADS: FrameSpec[] = Array.from({ length: (END - 1) / 2 }, (_, n) => ({ ...get(2 * n + 1), fields: request("HEAD") }));

/** More than any limit of the feature `stream-limit`. */
const MANY = Array.from({ length: 1001 }, (_, n) => 2 * n + 1);

/** Concurrent streams (rfc9113#5.1.2). */
export const cases: readonly Case[] = [
  {
    id: "http2/stream-limit-exceeded",
    spec: "rfc9113#5.1.2",
    covers: ["rfc9113#5.1.2/exceeded", "rfc9113#5.1.2/counts"],
    level: "MUST",
    role: "server",
    needs: ["stream-limit", "body"],
    title: "The server resets a stream that exceeds its MAX_CONCURRENT_STREAMS with REFUSED_STREAM or PROTOCOL_ERROR.",
    fence: "ping",
    steps: [...fillStreams(1), ping, ...answer(LAST - 2)],
    control: withinLimit,
    allowed: [
      { see: { see: "RST_STREAM", stream: LAST, code: ["REFUSED_STREAM", "PROTOCOL_ERROR"] } },
      { see: { see: "GOAWAY", code: ["PROTOCOL_ERROR", "REFUSED_STREAM"] }, by: "rfc9113#5.4.1" },
      { see: { see: "GOAWAY", code: "ENHANCE_YOUR_CALM" }, by: "rfc9113#10.5", verdict: "warn" },
      { see: { see: "closed" }, by: "rfc9113#5.4.1", verdict: "warn" },
    ],
  },
  {
    id: "http2/stream-limit-exceeded-after-late-content",
    spec: "rfc9113#5.1.2",
    covers: ["rfc9113#5.1.2/exceeded", "rfc9113#5.1.2/counts"],
    level: "MUST",
    role: "server",
    needs: ["stream-limit", "body"],
    title: "The server resets a stream that exceeds its MAX_CONCURRENT_STREAMS after content on a stream that the client has reset.",
    fence: "ping",
    steps: [...lateContent, { do: "fill streams", last: LAST, beyond: 1 }, ping, ...answer(LAST - 2)],
    control: withinLimit,
    allowed: [
      { see: { see: "RST_STREAM", stream: LAST, code: ["REFUSED_STREAM", "PROTOCOL_ERROR"] } },
      // For the excess, or for the late content.
      { see: { see: "GOAWAY", code: "any error" }, by: "rfc9113#5.4.1" },
      { see: { see: "closed" }, by: "rfc9113#5.4.1", verdict: "warn" },
    ],
  },
  {
    id: "http2/stream-limit-reached",
    spec: "rfc9113#5.1.2",
    covers: ["rfc9113#5.1.2/counts"],
    level: "MUST",
    role: "server",
    needs: ["stream-limit", "body"],
    title: "The server answers as many concurrent requests as its MAX_CONCURRENT_STREAMS allows.",
    fence: "ping",
    steps: withinLimit,
    control: [withoutStreamWindows, send(get(LAST), openStreamWindows)],
    allowed: [{ see: answeredLast }],
  },
  {
    id: "http2/stream-limit-slot-free-after-reset",
    spec: "rfc9113#5.1.2",
    covers: ["rfc9113#5.1.2/counts"],
    level: "MUST",
    role: "server",
    needs: ["stream-limit", "body"],
    title: "The server at its MAX_CONCURRENT_STREAMS accepts another request after the client resets one.",
    steps: [...fillStreams(0), ping, send({ type: "RST_STREAM", stream: LAST, code: "CANCEL" }, get(LAST + 2)), ping, ...answer(LAST + 2)],
    control: withinLimit,
    fence: "ping",
    allowed: [{ see: { see: "all", of: [{ see: "accepted" }, { see: "response", stream: LAST + 2, complete: true }] } }],
  },
  {
    id: "http2/stream-limit-slot-free-after-response",
    spec: "rfc9113#5.1.2",
    covers: ["rfc9113#5.1.2/counts"],
    level: "MUST",
    role: "server",
    needs: ["stream-limit", "body"],
    title: "The server at its MAX_CONCURRENT_STREAMS accepts another request after it answers one.",
    steps: [...withinLimit, send(get(LAST + 2)), ping, ...answer(LAST + 2)],
    control: withinLimit,
    fence: "ping",
    allowed: [{ see: { see: "all", of: [{ see: "accepted" }, { see: "response", stream: LAST + 2, complete: true }] } }],
  },
  {
    id: "http2/stream-limit-not-yet-known",
    spec: "rfc9113#5.1.2",
    covers: ["rfc9113#5.1.2/exceeded"],
    level: "MUST",
    role: "server",
    needs: ["stream-limit", "body", "lasting"],
    title: "The server resets streams beyond its limit that a client opens before it knows the limit, and keeps the connection.",
    fence: "ping",
    // In one write with the preface, so that the server's SETTINGS cannot have arrived.
    steps: [{ do: "preface", settings: [["INITIAL_WINDOW_SIZE", 0]] }, send(...MANY.map((stream) => get(stream)))],
    control: [{ do: "preface", settings: [["INITIAL_WINDOW_SIZE", 0]] }, send(get(1), get(3))],
    allowed: [
      { see: { see: "RST_STREAM", stream: 2001, code: ["REFUSED_STREAM", "PROTOCOL_ERROR"] } },
      { see: { see: "GOAWAY", code: "any error" }, by: "rfc9113#5.4.1", verdict: "warn" },
      { see: { see: "closed" }, by: "rfc9113#5.4.1", verdict: "warn" },
    ],
  },
  {
    id: "http2/stream-limit-not-announced",
    spec: "rfc9113#6.5.2",
    covers: ["rfc9113#6.5.2/no-limit"],
    level: "SHOULD",
    role: "server",
    needs: ["no-stream-limit"],
    title: "The server that announces no MAX_CONCURRENT_STREAMS answers 120 requests that arrive together.",
    steps: [handshake, send(...HEADS, get(END)), { do: "await", see: { see: "response", stream: END, complete: true } }],
    control: [handshake, send(get(1))],
    allowed: [
      { see: { see: "all", of: [{ see: "accepted" }, { see: "response", stream: END - 2, complete: true }] } },
      { see: { see: "RST_STREAM", stream: END, code: "REFUSED_STREAM" }, by: "rfc9113#8.7" },
      { see: { see: "GOAWAY", code: "ENHANCE_YOUR_CALM" }, by: "rfc9113#10.5" },
    ],
  },
];
