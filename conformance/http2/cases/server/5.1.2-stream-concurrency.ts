import { get, openStreamWindows, send, withoutStreamWindows } from "../phrases.ts";
import type { Case, Step } from "../../vocabulary.ts";

const LAST = 4001;
/** The responses have content and no window, so every request before the last one stays open. */
const fillStreams = (beyond: number): readonly Step[] => [withoutStreamWindows, { do: "fill streams", last: LAST, beyond }];
const answeredLast = { see: "all", of: [{ see: "accepted" }, { see: "response", stream: LAST, complete: true }] } as const;

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
    steps: [...fillStreams(1), { do: "fence", by: "ping" }, send(openStreamWindows)],
    control: [...fillStreams(0), { do: "fence", by: "ping" }, send(openStreamWindows)],
    allowed: [
      { see: { see: "RST_STREAM", stream: LAST, code: ["REFUSED_STREAM", "PROTOCOL_ERROR"] } },
      { see: { see: "GOAWAY", code: ["PROTOCOL_ERROR", "REFUSED_STREAM"] }, by: "rfc9113#5.4.1" },
      { see: { see: "GOAWAY", code: "ENHANCE_YOUR_CALM" }, by: "rfc9113#10.5", verdict: "warn" },
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
    steps: [
      ...fillStreams(0),
      { do: "fence", by: "ping" },
      send(openStreamWindows),
      { do: "await", see: { see: "response", stream: LAST, complete: true } },
    ],
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
    steps: [
      ...fillStreams(0),
      { do: "fence", by: "ping" },
      send({ type: "RST_STREAM", stream: LAST, code: "CANCEL" }, get(LAST + 2)),
      { do: "fence", by: "ping" },
      send(openStreamWindows),
      { do: "await", see: { see: "response", stream: LAST + 2, complete: true } },
    ],
    control: [...fillStreams(0), { do: "fence", by: "ping" }, send(openStreamWindows)],
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
    steps: [
      ...fillStreams(0),
      { do: "fence", by: "ping" },
      send({ type: "WINDOW_UPDATE", stream: LAST, increment: 65_535 }),
      { do: "await", see: { see: "response", stream: LAST, complete: true } },
      send(get(LAST + 2)),
      { do: "fence", by: "ping" },
      send(openStreamWindows),
      { do: "await", see: { see: "response", stream: LAST + 2, complete: true } },
    ],
    control: [...fillStreams(0), { do: "fence", by: "ping" }, send(openStreamWindows)],
    allowed: [{ see: { see: "all", of: [{ see: "accepted" }, { see: "response", stream: LAST + 2, complete: true }] } }],
  },
];
