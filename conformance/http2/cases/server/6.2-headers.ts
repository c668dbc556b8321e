import { answeredLikeFirst, connectionError, firstExchange, get, handshake, permitted, request, send } from "../phrases.ts";
import type { Case, FrameSpec, Row } from "../../vocabulary.ts";

const headersWithoutEnd: FrameSpec = { ...get(1), flags: ["END_STREAM"] };
const rest: FrameSpec = { type: "CONTINUATION", stream: 1, flags: ["END_HEADERS"], fields: [["x-more", "1"]] };
const PADDED_WHOLE = 0x0d;
const PRIORITY_WHOLE = 0x25;
/** A field block with only `:method: GET`, from the static table. */
const METHOD = "82";

const rejects = ({
  wrong,
  legal,
  code = "PROTOCOL_ERROR",
  ...row
}: Row<"covers"> & {
  readonly wrong: FrameSpec;
  readonly legal: FrameSpec;
  readonly code?: "PROTOCOL_ERROR" | "FRAME_SIZE_ERROR";
}): Case => ({
  spec: "rfc9113#6.2",
  level: "MUST",
  role: "server",
  steps: [handshake, send(wrong)],
  control: [handshake, send(legal)],
  allowed: connectionError(code),
  ...row,
});
const accepts = ({ frame, ...row }: Row<"covers"> & { readonly frame: FrameSpec }): Case => ({
  spec: "rfc9113#6.2",
  level: "MUST",
  role: "server",
  steps: [...firstExchange, send(frame)],
  control: [...firstExchange, send(get(3))],
  allowed: answeredLikeFirst(3),
  ...row,
});
/** A frame between HEADERS without END_HEADERS and its CONTINUATION. */
const interrupts = ({ frame, ...row }: Row & { readonly frame: FrameSpec }): Case => ({
  spec: "rfc9113#6.2",
  covers: ["rfc9113#6.2/continuation-follows", "rfc9113#4.3/contiguous"],
  level: "MUST",
  role: "server",
  steps: [handshake, send(headersWithoutEnd, frame, rest)],
  control: [handshake, send(headersWithoutEnd, rest)],
  allowed: connectionError("PROTOCOL_ERROR"),
  ...row,
});

/** HEADERS (rfc9113#6.2): its stream, padding, priority fields and CONTINUATION. */
export const cases: readonly Case[] = [
  rejects({
    id: "http2/headers-on-stream-zero",
    title: "The server treats HEADERS on stream 0 as a connection error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#6.2/stream-zero", "rfc9113#5.1.1/zero-opens-nothing"],
    wrong: get(0),
    legal: get(1),
  }),
  rejects({
    id: "http2/headers-padding-as-long-as-payload",
    title: "The server treats HEADERS whose Pad Length equals its payload length as a connection error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#6.2/padding-too-long"],
    wrong: { type: "HEADERS", stream: 1, flags: PADDED_WHOLE, hex: `02 ${METHOD}` },
    legal: { ...get(1), padLength: 0 },
  }),
  rejects({
    id: "http2/headers-padding-longer-than-payload",
    title: "The server treats HEADERS whose Pad Length exceeds its payload length as a connection error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#6.2/padding-too-long"],
    wrong: { type: "HEADERS", stream: 1, flags: PADDED_WHOLE, hex: `ff ${METHOD}` },
    legal: { ...get(1), pad: 255 },
  }),
  rejects({
    id: "http2/headers-padding-into-priority-fields",
    title: "The server treats HEADERS whose padding overlaps its priority fields as a connection error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#6.2/padding-too-long"],
    wrong: { type: "HEADERS", stream: 1, flags: PADDED_WHOLE | 0x20, hex: `07 00000000 0f ${METHOD}` },
    legal: { ...get(1), pad: 7, priority: { on: 0, weight: 16 } },
    // The padding is shorter than the payload; the block cannot be decoded, and its priority fields are incomplete.
    allowed: connectionError(
      "PROTOCOL_ERROR",
      permitted({ see: "GOAWAY", code: ["COMPRESSION_ERROR", "FRAME_SIZE_ERROR"] }, "rfc9113#5.4"),
    ),
  }),
  rejects({
    id: "http2/headers-padded-and-empty",
    title: "The server treats empty HEADERS with the PADDED flag as a connection error of type FRAME_SIZE_ERROR.",
    spec: "rfc9113#4.2",
    covers: ["rfc9113#4.2/too-small", "rfc9113#4.2/connection-state-altering"],
    wrong: { type: "HEADERS", stream: 1, flags: PADDED_WHOLE, hex: "" },
    legal: { ...get(1), padLength: 0 },
    code: "FRAME_SIZE_ERROR",
  }),
  rejects({
    id: "http2/headers-priority-without-room",
    title: "The server treats HEADERS of three octets with the PRIORITY flag as a connection error of type FRAME_SIZE_ERROR.",
    spec: "rfc9113#4.2",
    covers: ["rfc9113#4.2/too-small", "rfc9113#4.2/connection-state-altering"],
    wrong: { type: "HEADERS", stream: 1, flags: PRIORITY_WHOLE, hex: "000000" },
    legal: { ...get(1), priority: { on: 0, weight: 16 } },
    code: "FRAME_SIZE_ERROR",
  }),
  accepts({
    id: "http2/headers-with-padding",
    title: "The server answers a request in padded HEADERS.",
    covers: ["rfc9113#6.2/padded"],
    frame: { ...get(3), pad: 10 },
  }),
  accepts({
    id: "http2/headers-with-longest-padding",
    title: "The server answers a request in HEADERS with 255 octets of padding.",
    covers: ["rfc9113#6.2/padded"],
    frame: { ...get(3), pad: 255 },
  }),
  accepts({
    id: "http2/headers-padded-with-nothing",
    title: "The server answers a request in HEADERS with a Pad Length of 0.",
    covers: ["rfc9113#6.2/padded"],
    frame: { ...get(3), padLength: 0 },
  }),
  accepts({
    id: "http2/headers-with-priority",
    title: "The server answers a request in HEADERS with priority fields.",
    covers: ["rfc9113#6.2/priority-fields"],
    frame: {
      ...get(3),
      priority: { on: 1, weight: 256, exclusive: true },
    },
  }),
  accepts({
    id: "http2/headers-with-padding-and-priority",
    title: "The server answers a request in HEADERS with padding and priority fields.",
    covers: ["rfc9113#6.2/padded", "rfc9113#6.2/priority-fields"],
    frame: {
      ...get(3),
      pad: 10,
      priority: { on: 0, weight: 1 },
    },
  }),
  {
    id: "http2/headers-with-priority-on-itself",
    spec: "rfc9113#5.3.2",
    covers: ["rfc9113#6.2/priority-fields"],
    level: "MAY",
    role: "server",
    title: "The server answers a request whose deprecated priority fields depend on its own stream, or resets it as RFC 7540 requires.",
    steps: [...firstExchange, send({ ...get(3), priority: { on: 3, weight: 16 } })],
    control: [...firstExchange, send({ ...get(3), priority: { on: 1, weight: 16 } })],
    controlBreaks: "rfc9113#6.2/priority-fields",
    // RFC 7540 made this a stream error; RFC 9113 dropped the rule.
    allowed: [
      ...answeredLikeFirst(3),
      { see: { see: "RST_STREAM", stream: 3, code: "PROTOCOL_ERROR" }, by: "rfc7540#5.3.1" },
      { see: { see: "GOAWAY", code: "PROTOCOL_ERROR" }, by: "rfc7540#5.3.1" },
    ],
  },
  {
    id: "http2/headers-padding-with-octets-set",
    spec: "rfc9113#6.2",
    covers: ["rfc9113#6.2/padding-checked"],
    level: "MAY",
    role: "server",
    title: "The server accepts HEADERS with non-zero padding, or treats it as a connection error of type PROTOCOL_ERROR.",
    steps: [...firstExchange, send({ type: "HEADERS", stream: 3, flags: 0x0d, padLength: 3, fields: request(), blockTail: "010203" })],
    control: [...firstExchange, send({ type: "HEADERS", stream: 3, flags: 0x0d, padLength: 3, fields: request(), blockTail: "000000" })],
    allowed: [...answeredLikeFirst(3), { see: { see: "GOAWAY", code: "PROTOCOL_ERROR" }, by: "rfc9113#6.2" }],
  },
  interrupts({
    id: "http2/headers-interrupted-by-data",
    title: "The server treats DATA between HEADERS and its CONTINUATION as a connection error of type PROTOCOL_ERROR.",
    frame: { type: "DATA", stream: 1, data: "content" },
  }),
  interrupts({
    id: "http2/headers-interrupted-by-headers",
    title:
      "The server treats a second HEADERS on the stream between HEADERS and its CONTINUATION as a connection error of type PROTOCOL_ERROR.",
    frame: { ...headersWithoutEnd, fields: [["x-other", "1"]] },
  }),
  interrupts({
    id: "http2/headers-interrupted-by-headers-of-another-stream",
    title: "The server treats HEADERS on another stream between HEADERS and its CONTINUATION as a connection error of type PROTOCOL_ERROR.",
    frame: get(3),
  }),
  interrupts({
    id: "http2/headers-interrupted-by-priority",
    title: "The server treats PRIORITY between HEADERS and its CONTINUATION as a connection error of type PROTOCOL_ERROR.",
    frame: { type: "PRIORITY", stream: 1, priority: { on: 0, weight: 16 } },
  }),
  interrupts({
    id: "http2/headers-interrupted-by-rst-stream",
    title: "The server treats RST_STREAM between HEADERS and its CONTINUATION as a connection error of type PROTOCOL_ERROR.",
    frame: { type: "RST_STREAM", stream: 1, code: "CANCEL" },
  }),
  interrupts({
    id: "http2/headers-interrupted-by-settings",
    title: "The server treats SETTINGS between HEADERS and its CONTINUATION as a connection error of type PROTOCOL_ERROR.",
    frame: { type: "SETTINGS", settings: [] },
  }),
  interrupts({
    id: "http2/headers-interrupted-by-push-promise",
    title: "The server treats PUSH_PROMISE between HEADERS and its CONTINUATION as a connection error of type PROTOCOL_ERROR.",
    frame: { type: "PUSH_PROMISE", stream: 1, flags: ["END_HEADERS"], promised: 2, fields: request() },
  }),
  interrupts({
    id: "http2/headers-interrupted-by-ping",
    title: "The server treats PING between HEADERS and its CONTINUATION as a connection error of type PROTOCOL_ERROR.",
    frame: { type: "PING", hex: "0102030405060708" },
  }),
  interrupts({
    id: "http2/headers-interrupted-by-goaway",
    title: "The server treats GOAWAY between HEADERS and its CONTINUATION as a connection error of type PROTOCOL_ERROR.",
    frame: { type: "GOAWAY", last: 0, code: "NO_ERROR" },
  }),
  interrupts({
    id: "http2/headers-interrupted-by-window-update",
    title: "The server treats WINDOW_UPDATE between HEADERS and its CONTINUATION as a connection error of type PROTOCOL_ERROR.",
    frame: { type: "WINDOW_UPDATE", increment: 1 },
  }),
  interrupts({
    id: "http2/headers-interrupted-by-continuation-of-another-stream",
    title:
      "The server treats CONTINUATION on another stream between HEADERS and its CONTINUATION as a connection error of type PROTOCOL_ERROR.",
    frame: { ...rest, stream: 3 },
  }),
];
