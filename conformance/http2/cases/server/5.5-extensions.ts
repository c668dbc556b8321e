import { accepted, acceptedAndAnswered, connectionError, firstExchange, get, handshake, request, send } from "../phrases.ts";
import type { Case, FrameSpec, Row, Step } from "../../vocabulary.ts";

const unknown = (stream: number): FrameSpec => ({ type: 0xbe, stream, hex: "0102" });
const part: FrameSpec = { type: "HEADERS", stream: 1, flags: ["END_STREAM"], fields: request() };
const rest: FrameSpec = { type: "CONTINUATION", stream: 1, flags: ["END_HEADERS"], fields: [["x-more", "1"]] };

const discards = (row: Row<"steps">): Case => ({
  spec: "rfc9113#5.5",
  covers: ["rfc9113#5.5/unknown-ignored", "rfc9113#5.5/frames-discarded", "rfc9113#5.1/unknown-frames-any-state"],
  level: "MUST",
  role: "server",
  control: [handshake, send(get(1))],
  allowed: acceptedAndAnswered(1),
  ...row,
});
const insideBlock = ({
  frame,
  legal,
  before = [part],
  ...row
}: Row & { readonly frame: FrameSpec; readonly legal: Step[]; readonly before?: FrameSpec[] }): Case => ({
  spec: "rfc9113#5.5",
  covers: ["rfc9113#5.5/extension-inside-block"],
  level: "MUST",
  role: "server",
  steps: [handshake, send(...before, frame, rest)],
  control: legal,
  allowed: connectionError("PROTOCOL_ERROR"),
  ...row,
});
const legalBlock: Step[] = [handshake, send(part, rest, unknown(0))];

/** Extensions (rfc9113#5.5): unknown frames are discarded everywhere except inside a field block. */
export const cases: readonly Case[] = [
  discards({
    id: "http2/unknown-frame-on-idle-stream",
    title: "The server discards a frame of unknown type on an idle stream, which stays idle.",
    steps: [handshake, send(unknown(7), get(1))],
  }),
  discards({
    id: "http2/unknown-frame-on-even-stream",
    title: "The server discards a frame of unknown type on an even stream.",
    steps: [handshake, send(unknown(2), get(1))],
  }),
  discards({
    id: "http2/unknown-frame-before-settings-acknowledged",
    title: "The server discards a frame of unknown type right after the client's preface.",
    steps: [
      { do: "preface" },
      send(unknown(0)),
      { do: "await", see: { see: "frame", type: "SETTINGS", where: { ack: false } } },
      send({ type: "SETTINGS", flags: ["ACK"] }, get(1)),
    ],
  }),
  discards({
    id: "http2/unknown-frames-of-every-other-type",
    title: "The server discards frames of every undefined type.",
    steps: [...firstExchange, send(...Array.from({ length: 0xe0 }, (_, n): FrameSpec => ({ type: 0x20 + n, hex: "00" })))],
    allowed: accepted,
  }),
  discards({
    id: "http2/altsvc-from-client",
    title: "The server discards ALTSVC from a client.",
    steps: [handshake, send({ type: "ALTSVC", hex: "0000 68323d223a3434333022" }, get(1))],
  }),
  discards({
    id: "http2/origin-from-client",
    title: "The server discards ORIGIN from a client.",
    steps: [handshake, send({ type: "ORIGIN", hex: "0000" }, get(1))],
  }),
  insideBlock({
    id: "http2/field-block-interrupted-by-unknown-frame",
    title:
      "The server treats a frame of unknown type on the same stream between HEADERS and CONTINUATION as a connection error of type PROTOCOL_ERROR.",
    frame: unknown(1),
    legal: legalBlock,
  }),
  insideBlock({
    id: "http2/field-block-interrupted-by-unknown-frame-on-connection",
    title:
      "The server treats a frame of unknown type on stream 0 between HEADERS and CONTINUATION as a connection error of type PROTOCOL_ERROR.",
    frame: unknown(0),
    legal: legalBlock,
  }),
  insideBlock({
    id: "http2/field-block-interrupted-by-unknown-frame-after-continuation",
    title: "The server treats a frame of unknown type between two CONTINUATION frames as a connection error of type PROTOCOL_ERROR.",
    frame: unknown(1),
    legal: legalBlock,
    before: [part, { ...rest, flags: [] }],
  }),
  insideBlock({
    id: "http2/field-block-interrupted-by-priority-update",
    title: "The server treats PRIORITY_UPDATE between HEADERS and CONTINUATION as a connection error of type PROTOCOL_ERROR.",
    frame: { type: "PRIORITY_UPDATE", promised: 1, text: "u=1" },
    legal: [handshake, send(part, rest, { type: "PRIORITY_UPDATE", promised: 3, text: "u=1" })],
  }),
];
