import { accepted, connectionError, finalData, get, handshake, openStreamWindows, post, send, withoutStreamWindows } from "../phrases.ts";
import type { Case, FrameSpec, Row } from "../../vocabulary.ts";

const reset = (stream: number, more: Partial<FrameSpec> = { code: "CANCEL" }): FrameSpec => ({ type: "RST_STREAM", stream, ...more });

/** A request that waits for 100 (Continue) before its content. */
const expecting = post(1, ["expect", "100-continue"], ["content-length", "7"]);

const rejects = ({
  wrong,
  code,
  ...row
}: Row<"covers"> & { readonly wrong: FrameSpec; readonly code: "PROTOCOL_ERROR" | "FRAME_SIZE_ERROR" }): Case => ({
  spec: "rfc9113#6.4",
  level: "MUST",
  role: "server",
  steps: [handshake, send(get(1), wrong)],
  control: [handshake, send(get(1), reset(1))],
  allowed: connectionError(code),
  ...row,
});

/** RST_STREAM (rfc9113#6.4). */
export const cases: readonly Case[] = [
  rejects({
    id: "http2/rst-stream-on-stream-zero",
    title: "The server treats RST_STREAM on stream 0 as a connection error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#6.4/stream-zero"],
    wrong: reset(0),
    code: "PROTOCOL_ERROR",
  }),
  rejects({
    id: "http2/rst-stream-of-three-octets",
    title: "The server treats RST_STREAM of 3 octets as a connection error of type FRAME_SIZE_ERROR.",
    covers: ["rfc9113#6.4/length"],
    wrong: reset(1, { hex: "000000" }),
    code: "FRAME_SIZE_ERROR",
  }),
  rejects({
    id: "http2/rst-stream-of-five-octets",
    title: "The server treats RST_STREAM of 5 octets as a connection error of type FRAME_SIZE_ERROR.",
    covers: ["rfc9113#6.4/length"],
    wrong: reset(1, { hex: "0000000800" }),
    code: "FRAME_SIZE_ERROR",
  }),
  rejects({
    id: "http2/rst-stream-of-no-octets",
    title: "The server treats an empty RST_STREAM as a connection error of type FRAME_SIZE_ERROR.",
    covers: ["rfc9113#6.4/length"],
    wrong: reset(1, { hex: "" }),
    code: "FRAME_SIZE_ERROR",
  }),
  rejects({
    id: "http2/rst-stream-on-idle-stream",
    title: "The server treats RST_STREAM on an idle stream as a connection error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#6.4/idle", "rfc9113#5.1/idle-other-frames"],
    wrong: reset(3),
    code: "PROTOCOL_ERROR",
  }),
  rejects({
    id: "http2/rst-stream-on-even-idle-stream",
    title: "The server treats RST_STREAM on an even idle stream as a connection error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#6.4/idle", "rfc9113#5.1/idle-other-frames"],
    wrong: reset(2),
    code: "PROTOCOL_ERROR",
  }),
  {
    id: "http2/rst-stream-stops-the-response",
    spec: "rfc9113#6.4",
    covers: ["rfc9113#6.4/closes", "rfc9113#5.1/closed-sending"],
    level: "MUST",
    role: "server",
    needs: ["body"],
    title: "The server sends no DATA on a stream after the client resets it.",
    steps: [withoutStreamWindows, send(get(1), reset(1), openStreamWindows)],
    control: [withoutStreamWindows, send(get(1), openStreamWindows)],
    allowed: [{ see: { see: "accepted without", not: [{ see: "frame", type: "DATA", stream: 1 }] } }],
  },
  {
    id: "http2/rst-stream-instead-of-expected-content",
    spec: "rfc9113#6.4",
    covers: ["rfc9113#6.4/closes"],
    level: "MUST",
    role: "server",
    title: "The server goes on with the connection when a request that expects 100 (Continue) is reset in the same write.",
    steps: [handshake, send(expecting, reset(1))],
    control: [handshake, send(expecting, finalData)],
    allowed: accepted,
  },
  {
    id: "http2/rst-stream-not-answered-with-rst-stream",
    spec: "rfc9113#5.4.2",
    covers: ["rfc9113#5.4.2/no-reset-for-reset"],
    level: "MUST NOT",
    role: "server",
    needs: ["body"],
    title: "The server does not answer RST_STREAM with RST_STREAM.",
    steps: [withoutStreamWindows, send(get(1), reset(1), openStreamWindows)],
    control: [withoutStreamWindows, send(get(1), openStreamWindows)],
    allowed: [
      {
        see: {
          see: "all",
          of: [
            { see: "accepted without", not: [{ see: "frame", type: "RST_STREAM", stream: 1 }] },
            { see: "holds", monitor: "rst-stream-not-answered" },
          ],
        },
      },
    ],
  },
  {
    id: "http2/rst-stream-twice",
    spec: "rfc9113#5.4.2",
    covers: ["rfc9113#5.4.2/more-resets"],
    level: "SHOULD",
    role: "server",
    title: "The server accepts a second RST_STREAM on a stream.",
    steps: [handshake, send(get(1), reset(1), reset(1))],
    control: [handshake, send(get(1), reset(1))],
    // A server may reject frames on a closed stream, but the client may also reset a stream more than once (rfc9113#5.4.2).
    allowed: [...accepted, { see: { see: "GOAWAY", code: "STREAM_CLOSED" }, by: "rfc9113#5.1", verdict: "warn" }],
  },
];
