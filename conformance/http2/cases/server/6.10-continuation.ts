import {
  acceptedAndAnswered,
  answeredLikeFirst,
  connectionError,
  firstExchange,
  get,
  handshake,
  permitted,
  post,
  request,
  send,
} from "../phrases.ts";
import type { Case, FieldSpec, FrameSpec, Outcome, Row, Step } from "../../vocabulary.ts";

const headersWithoutEnd = (stream = 1): FrameSpec => ({ ...get(stream), flags: ["END_STREAM"] });
const continuation = (stream: number, flags: FrameSpec["flags"] = [], fields: FieldSpec[] = [["x-part", "1"]]): FrameSpec => ({
  type: "CONTINUATION",
  stream,
  flags,
  fields,
});
const lastContinuation = (stream = 1): FrameSpec => continuation(stream, ["END_HEADERS"]);
const legalBlock: Step[] = [handshake, send(headersWithoutEnd(), continuation(1), lastContinuation())];

const rejects = ({ others = [], ...row }: Row<"covers" | "steps"> & { readonly others?: Outcome[] }): Case => ({
  spec: "rfc9113#6.10",
  level: "MUST",
  role: "server",
  control: legalBlock,
  allowed: connectionError("PROTOCOL_ERROR", ...others),
  ...row,
});
/** A frame between two CONTINUATION frames of one field block. */
const interrupts = ({ frame, ...row }: Row & { readonly frame: FrameSpec }): Case =>
  rejects({
    covers: ["rfc9113#6.10/followed-by-continuation"],
    steps: [handshake, send(headersWithoutEnd(), continuation(1), frame, lastContinuation())],
    ...row,
  });
const accepts = ({ frames, ...row }: Row<"covers"> & { readonly frames: readonly FrameSpec[] }): Case => ({
  spec: "rfc9113#6.10",
  level: "MUST",
  role: "server",
  steps: [...firstExchange, send(...frames)],
  control: [...firstExchange, send(get(3))],
  allowed: answeredLikeFirst(3),
  ...row,
});

/** CONTINUATION (rfc9113#6.10). */
export const cases: readonly Case[] = [
  accepts({
    id: "http2/continuation-once",
    title: "The server accepts a field block in HEADERS and one CONTINUATION.",
    covers: ["rfc9113#6.10/any-number"],
    frames: [headersWithoutEnd(3), lastContinuation(3)],
  }),
  accepts({
    id: "http2/continuation-several",
    title: "The server accepts a field block in HEADERS and five CONTINUATION frames.",
    covers: ["rfc9113#6.10/any-number"],
    frames: [headersWithoutEnd(3), continuation(3), continuation(3), continuation(3), continuation(3), lastContinuation(3)],
  }),
  accepts({
    id: "http2/continuation-empty",
    title: "The server accepts empty CONTINUATION frames within a field block.",
    covers: ["rfc9113#6.10/any-number"],
    frames: [
      headersWithoutEnd(3),
      { type: "CONTINUATION", stream: 3 },
      continuation(3),
      { type: "CONTINUATION", stream: 3, flags: ["END_HEADERS"] },
    ],
  }),
  accepts({
    id: "http2/continuation-after-empty-headers",
    title: "The server accepts an empty HEADERS whose field block is all in CONTINUATION.",
    covers: ["rfc9113#6.10/any-number"],
    frames: [{ type: "HEADERS", stream: 3, flags: ["END_STREAM"] }, continuation(3, ["END_HEADERS"], request())],
    // The specification neither forbids nor mentions this.
    level: "SHOULD",
  }),
  accepts({
    id: "http2/continuation-cut-within-a-field",
    title: "The server accepts a field block that is split inside a field.",
    covers: ["rfc9113#6.10/any-number", "rfc9113#4.3/concatenated"],
    frames: [
      { ...headersWithoutEnd(3), blockTail: "0007 782d" },
      { type: "CONTINUATION", stream: 3, block: "63 6865 636b 01" },
      { type: "CONTINUATION", stream: 3, flags: ["END_HEADERS"], block: "31" },
    ],
  }),
  {
    id: "http2/continuation-ends-no-stream",
    spec: "rfc9113#6.10",
    covers: ["rfc9113#6.10/any-number", "rfc9113#4.1/unused-flags"],
    level: "MUST",
    role: "server",
    needs: ["post"],
    title: "The server ignores the END_STREAM bit on CONTINUATION.",
    steps: [
      handshake,
      send(
        { ...post(1), flags: [] },
        { ...continuation(1), flags: 0x05 },
        { type: "DATA", stream: 1, flags: ["END_STREAM"], data: "content" },
      ),
    ],
    control: [
      handshake,
      send({ ...post(1), flags: [] }, lastContinuation(), { type: "DATA", stream: 1, flags: ["END_STREAM"], data: "content" }),
    ],
    allowed: acceptedAndAnswered(1),
  },
  rejects({
    id: "http2/continuation-on-stream-zero",
    title: "The server treats CONTINUATION on stream 0 as a connection error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#6.10/stream-zero", "rfc9113#6.10/followed-by-continuation"],
    steps: [handshake, send(headersWithoutEnd(), lastContinuation(0))],
  }),
  rejects({
    id: "http2/continuation-on-stream-zero-alone",
    title: "The server treats CONTINUATION on stream 0 without a field block as a connection error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#6.10/stream-zero", "rfc9113#6.10/not-preceded"],
    steps: [handshake, send(lastContinuation(0))],
  }),
  rejects({
    id: "http2/continuation-on-idle-stream",
    title: "The server treats CONTINUATION on an idle stream as a connection error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#6.10/not-preceded", "rfc9113#5.1/idle-other-frames"],
    steps: [handshake, send(lastContinuation(1))],
  }),
  rejects({
    id: "http2/continuation-after-whole-headers",
    title: "The server treats CONTINUATION after HEADERS with END_HEADERS as a connection error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#6.10/not-preceded"],
    steps: [handshake, send({ ...post(1) }, lastContinuation())],
  }),
  rejects({
    id: "http2/continuation-after-ended-stream",
    title: "The server treats CONTINUATION after HEADERS with END_HEADERS and END_STREAM as a connection error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#6.10/not-preceded"],
    steps: [handshake, send(get(1), lastContinuation())],
  }),
  rejects({
    id: "http2/continuation-after-last",
    title: "The server treats CONTINUATION after the one with END_HEADERS as a connection error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#6.10/not-preceded"],
    steps: [handshake, send(headersWithoutEnd(), lastContinuation(), lastContinuation())],
  }),
  rejects({
    id: "http2/continuation-after-data",
    title: "The server treats CONTINUATION after DATA as a connection error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#6.10/not-preceded"],
    steps: [handshake, send(post(1), { type: "DATA", stream: 1, data: "content" }, lastContinuation())],
  }),
  rejects({
    id: "http2/continuation-after-response",
    title: "The server treats CONTINUATION on a closed stream as a connection error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#6.10/not-preceded"],
    steps: [...firstExchange, send(lastContinuation())],
    control: legalBlock,
    others: [permitted({ see: "GOAWAY", code: "STREAM_CLOSED" }, "rfc9113#5.1")],
  }),
  rejects({
    id: "http2/continuation-after-reset",
    title: "The server treats CONTINUATION after the client's RST_STREAM as a connection error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#6.10/not-preceded"],
    steps: [handshake, send(get(1), { type: "RST_STREAM", stream: 1, code: "CANCEL" }, lastContinuation())],
    control: [handshake, send(get(1), { type: "RST_STREAM", stream: 1, code: "CANCEL" })],
    others: [permitted({ see: "GOAWAY", code: "STREAM_CLOSED" }, "rfc9113#5.1")],
  }),
  interrupts({
    id: "http2/continuation-interrupted-by-data",
    title: "The server treats DATA between two CONTINUATION frames as a connection error of type PROTOCOL_ERROR.",
    frame: { type: "DATA", stream: 1, data: "content" },
  }),
  interrupts({
    id: "http2/continuation-interrupted-by-headers",
    title: "The server treats HEADERS between two CONTINUATION frames as a connection error of type PROTOCOL_ERROR.",
    frame: get(3),
  }),
  interrupts({
    id: "http2/continuation-interrupted-by-priority",
    title: "The server treats PRIORITY between two CONTINUATION frames as a connection error of type PROTOCOL_ERROR.",
    frame: { type: "PRIORITY", stream: 3, priority: { on: 0, weight: 16 } },
  }),
  interrupts({
    id: "http2/continuation-interrupted-by-rst-stream",
    title: "The server treats RST_STREAM between two CONTINUATION frames as a connection error of type PROTOCOL_ERROR.",
    frame: { type: "RST_STREAM", stream: 1, code: "CANCEL" },
  }),
  interrupts({
    id: "http2/continuation-interrupted-by-settings",
    title: "The server treats SETTINGS between two CONTINUATION frames as a connection error of type PROTOCOL_ERROR.",
    frame: { type: "SETTINGS", settings: [] },
  }),
  interrupts({
    id: "http2/continuation-interrupted-by-ping",
    title: "The server treats PING between two CONTINUATION frames as a connection error of type PROTOCOL_ERROR.",
    frame: { type: "PING", hex: "0102030405060708" },
  }),
  interrupts({
    id: "http2/continuation-interrupted-by-goaway",
    title: "The server treats GOAWAY between two CONTINUATION frames as a connection error of type PROTOCOL_ERROR.",
    frame: { type: "GOAWAY", last: 0, code: "NO_ERROR" },
  }),
  interrupts({
    id: "http2/continuation-interrupted-by-window-update",
    title: "The server treats WINDOW_UPDATE between two CONTINUATION frames as a connection error of type PROTOCOL_ERROR.",
    frame: { type: "WINDOW_UPDATE", stream: 1, increment: 1 },
  }),
  interrupts({
    id: "http2/continuation-interrupted-by-unknown-frame",
    title: "The server treats a frame of unknown type between two CONTINUATION frames as a connection error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#6.10/followed-by-continuation", "rfc9113#5.5/extension-inside-block"],
    frame: { type: 0xfa, stream: 1, hex: "00" },
  }),
];
