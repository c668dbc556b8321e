import { acceptedAndAnswered, connectionError, finalData, get, handshake, post, request, send, streamError } from "../phrases.ts";
import type { Case, FrameSpec, Outcome, Row } from "../../vocabulary.ts";

/** Frames one octet larger than the server allows. A connection error where the frame could alter the state of the connection. */
const oversize = ({
  frames,
  legal,
  others = [],
  ...row
}: Row & { readonly frames: FrameSpec[]; readonly legal: FrameSpec[]; readonly others?: readonly Outcome[] }): Case => ({
  spec: "rfc9113#4.2",
  covers: ["rfc9113#4.2/oversize", "rfc9113#4.2/connection-state-altering"],
  level: "MUST",
  role: "server",
  needs: ["frame-limit"],
  steps: [handshake, send(...frames)],
  control: [handshake, send(...legal)],
  allowed: connectionError("FRAME_SIZE_ERROR", ...others),
  ...row,
});

/** GOAWAY is always on stream 0, so a wrong size is always a connection error. */
const tooSmall = ({ wrong, legal, ...row }: Row & { readonly wrong: FrameSpec[]; readonly legal: FrameSpec[] }): Case => ({
  spec: "rfc9113#4.2",
  covers: ["rfc9113#4.2/too-small", "rfc9113#4.2/connection-state-altering"],
  level: "MUST",
  role: "server",
  steps: [handshake, send(...wrong)],
  control: [handshake, send(...legal)],
  allowed: connectionError("FRAME_SIZE_ERROR"),
  ...row,
});

/** Frame sizes (rfc9113#4.2): the largest that every server accepts, frames above MAX_FRAME_SIZE, and frames too small for their type. */
export const cases: readonly Case[] = [
  {
    id: "http2/largest-data",
    spec: "rfc9113#4.2",
    covers: ["rfc9113#4.2/minimum-capability"],
    level: "MUST",
    role: "server",
    title: "The server accepts a DATA frame of 16,384 octets.",
    steps: [handshake, send(post(1), { type: "DATA", stream: 1, flags: ["END_STREAM"], data: 16_384 })],
    control: [handshake, send(post(1), finalData)],
    allowed: acceptedAndAnswered(1),
  },
  {
    id: "http2/largest-unknown-frame",
    spec: "rfc9113#4.2",
    covers: ["rfc9113#4.2/minimum-capability", "rfc9113#5.5/frames-discarded"],
    level: "MUST",
    role: "server",
    title: "The server discards a frame of unknown type with 16,384 octets.",
    steps: [handshake, send({ type: 0xbe, data: 16_384 }, get(1))],
    control: [handshake, send({ type: 0xbe, data: 16 }, get(1))],
    allowed: acceptedAndAnswered(1),
  },
  {
    id: "http2/largest-headers",
    spec: "rfc9113#4.2",
    covers: ["rfc9113#4.2/minimum-capability"],
    level: "MUST",
    role: "server",
    title: "The server accepts a HEADERS frame of about 16,000 octets, or responds that the fields are too large.",
    steps: [handshake, send(get(1, ...[..."abcd"].map((letter): [string, string] => [`x-${letter}`, letter.repeat(3900)])))],
    control: [handshake, send(get(1, ["x-a", "a"]))],
    allowed: [
      { see: { see: "all", of: [{ see: "accepted" }, { see: "response", stream: 1 }] } },
      {
        see: { see: "RST_STREAM", stream: 1, code: ["PROTOCOL_ERROR", "REFUSED_STREAM", "ENHANCE_YOUR_CALM", "INTERNAL_ERROR", "CANCEL"] },
        by: "rfc9113#10.5.1",
        verdict: "warn",
      },
      { see: { see: "GOAWAY", code: ["ENHANCE_YOUR_CALM"] }, by: "rfc9113#10.5", verdict: "warn" },
    ],
  },
  oversize({
    id: "http2/oversize-data",
    title: "The server treats DATA larger than its MAX_FRAME_SIZE as a stream error of type FRAME_SIZE_ERROR.",
    covers: ["rfc9113#4.2/oversize"],
    frames: [post(1), { type: "DATA", stream: 1, fill: "beyond limit" }],
    legal: [post(1), finalData],
    allowed: streamError(1, "FRAME_SIZE_ERROR"),
  }),
  oversize({
    id: "http2/oversize-headers",
    title: "The server treats HEADERS larger than its MAX_FRAME_SIZE as a connection error of type FRAME_SIZE_ERROR.",
    frames: [{ ...get(1), fill: "beyond limit" }],
    legal: [get(1)],
  }),
  oversize({
    id: "http2/oversize-headers-in-pieces",
    title:
      "The server treats HEADERS larger than its MAX_FRAME_SIZE, in pieces of five octets, as a connection error of type FRAME_SIZE_ERROR.",
    frames: [{ ...get(1), fill: "beyond limit" }],
    legal: [get(1)],
    steps: [handshake, { do: "send", frames: [{ ...get(1), fill: "beyond limit" }], cut: 5 }],
    control: [handshake, { do: "send", frames: [get(1)], cut: 5 }],
  }),
  oversize({
    id: "http2/oversize-continuation",
    title: "The server treats CONTINUATION larger than its MAX_FRAME_SIZE as a connection error of type FRAME_SIZE_ERROR.",
    frames: [
      { type: "HEADERS", stream: 1, flags: ["END_STREAM"], fields: request() },
      { type: "CONTINUATION", stream: 1, flags: ["END_HEADERS"], fields: [["x-more", "1"]], fill: "beyond limit" },
    ],
    legal: [
      { type: "HEADERS", stream: 1, flags: ["END_STREAM"], fields: request() },
      { type: "CONTINUATION", stream: 1, flags: ["END_HEADERS"], fields: [["x-more", "1"]] },
    ],
  }),
  oversize({
    id: "http2/oversize-settings",
    title: "The server treats SETTINGS larger than its MAX_FRAME_SIZE as a connection error of type FRAME_SIZE_ERROR.",
    frames: [{ type: "SETTINGS", fill: "beyond limit" }],
    legal: [{ type: "SETTINGS" }],
  }),
  oversize({
    id: "http2/oversize-goaway",
    title: "The server treats GOAWAY larger than its MAX_FRAME_SIZE as a connection error of type FRAME_SIZE_ERROR.",
    frames: [{ type: "GOAWAY", last: 0, code: "NO_ERROR", fill: "beyond limit" }],
    legal: [get(1)],
  }),
  oversize({
    id: "http2/oversize-push-promise",
    title: "The server treats PUSH_PROMISE larger than its MAX_FRAME_SIZE as a connection error of type FRAME_SIZE_ERROR.",
    frames: [post(1), { type: "PUSH_PROMISE", stream: 1, flags: ["END_HEADERS"], promised: 2, fill: "beyond limit" }],
    legal: [post(1), finalData],
    others: [
      {
        see: { see: "GOAWAY", code: "PROTOCOL_ERROR" },
        by: "rfc9113#8.4",
      },
    ],
  }),
  oversize({
    id: "http2/oversize-unknown-frame",
    title:
      "The server treats a frame of unknown type on stream 0 larger than its MAX_FRAME_SIZE as a connection error of type FRAME_SIZE_ERROR.",
    frames: [{ type: 0xbe, fill: "beyond limit" }],
    legal: [{ type: 0xbe, hex: "00" }],
  }),
  oversize({
    id: "http2/oversize-unknown-frame-on-stream",
    title:
      "The server treats a frame of unknown type on a stream larger than its MAX_FRAME_SIZE as a stream error of type FRAME_SIZE_ERROR.",
    covers: ["rfc9113#4.2/oversize"],
    frames: [post(1), { type: 0xbe, stream: 1, fill: "beyond limit" }],
    legal: [post(1), { type: 0xbe, stream: 1, hex: "00" }],
    allowed: streamError(1, "FRAME_SIZE_ERROR"),
  }),
  {
    id: "http2/ping-of-the-largest-frame",
    spec: "rfc9113#4.2",
    covers: ["rfc9113#4.2/beyond-type-limit", "rfc9113#4.2/connection-state-altering"],
    level: "MUST",
    role: "server",
    title: "The server treats PING of 16,384 octets as a connection error of type FRAME_SIZE_ERROR.",
    steps: [handshake, send({ type: "PING", data: 16_384 })],
    control: [handshake, send({ type: "PING", data: 8 })],
    allowed: connectionError("FRAME_SIZE_ERROR"),
  },
  {
    id: "http2/window-update-of-the-largest-frame",
    spec: "rfc9113#4.2",
    covers: ["rfc9113#4.2/beyond-type-limit"],
    level: "MUST",
    role: "server",
    title: "The server treats WINDOW_UPDATE of 16,384 octets as a connection error of type FRAME_SIZE_ERROR.",
    steps: [handshake, send(post(1), { type: "WINDOW_UPDATE", stream: 1, hex: `00000001${"00".repeat(16_380)}` })],
    control: [handshake, send(post(1), { type: "WINDOW_UPDATE", stream: 1, hex: "00000001" })],
    allowed: connectionError("FRAME_SIZE_ERROR"),
  },
  tooSmall({
    id: "http2/goaway-without-whole-error-code",
    title: "The server treats GOAWAY of seven octets as a connection error of type FRAME_SIZE_ERROR.",
    wrong: [{ type: "GOAWAY", hex: "00000000000000" }],
    legal: [{ type: "PING", hex: "0000000000000000" }],
  }),
  tooSmall({
    id: "http2/goaway-of-four-octets",
    title: "The server treats GOAWAY without an error code as a connection error of type FRAME_SIZE_ERROR.",
    wrong: [{ type: "GOAWAY", hex: "00000000" }],
    legal: [{ type: "PING", hex: "0000000000000000" }],
  }),
  tooSmall({
    id: "http2/goaway-empty",
    title: "The server treats an empty GOAWAY as a connection error of type FRAME_SIZE_ERROR.",
    wrong: [{ type: "GOAWAY" }],
    legal: [{ type: "PING", hex: "0000000000000000" }],
  }),
];
