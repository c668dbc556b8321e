import { connectionError, handshake, post, send, streamError, acceptedAndAnswered } from "./phrases.ts";
import type { Case, FrameSpec } from "./vocabulary.ts";

const data = (more: Partial<FrameSpec>): FrameSpec => ({ type: "DATA", stream: 1, flags: ["END_STREAM"], ...more });
const PADDED_END = 0x09;

const refused = (
  name: string,
  what: string,
  covers: Case["covers"],
  wrong: FrameSpec,
  right: FrameSpec,
  allowed: Case["allowed"] = connectionError("PROTOCOL_ERROR"),
): Case => ({
  id: `http2/data-${name}`,
  spec: covers[0].startsWith("rfc9113#4.2/") ? "rfc9113#4.2" : "rfc9113#6.1",
  covers,
  level: "MUST",
  role: "server",
  needs: ["post"],
  title: `The server refuses ${what}.`,
  steps: [handshake, send(post(1), wrong)],
  control: [handshake, send(post(1), right)],
  allowed,
});
const taken = (name: string, what: string, covers: Case["covers"], ...frames: FrameSpec[]): Case => ({
  id: `http2/data-${name}`,
  spec: "rfc9113#6.1",
  covers,
  level: "MUST",
  role: "server",
  needs: ["post"],
  title: `The server takes ${what}.`,
  steps: [handshake, send(post(1), ...frames)],
  control: [handshake, send(post(1), data({ data: "content" }))],
  allowed: acceptedAndAnswered(1),
});

/** DATA (rfc9113#6.1): its stream and its padding. What it costs in flow control has a file of its own. */
export const cases: readonly Case[] = [
  {
    id: "http2/data-on-stream-zero",
    spec: "rfc9113#6.1",
    covers: ["rfc9113#6.1/stream-zero"],
    level: "MUST",
    role: "server",
    title: "The server ends the connection for DATA on stream 0 with PROTOCOL_ERROR.",
    steps: [handshake, send(post(1), data({ stream: 0, data: "content" }))],
    control: [handshake, send(post(1), data({ data: "content" }))],
    allowed: connectionError("PROTOCOL_ERROR"),
  },
  refused(
    "padding-as-long-as-payload",
    "DATA whose Pad Length is the length of its payload with PROTOCOL_ERROR",
    ["rfc9113#6.1/padding-too-long"],
    data({ padLength: 5, data: "four" }),
    data({ padLength: 4, data: "four" }),
  ),
  refused(
    "padding-longer-than-payload",
    "DATA whose Pad Length is greater than the length of its payload with PROTOCOL_ERROR",
    ["rfc9113#6.1/padding-too-long"],
    data({ padLength: 255, data: "four" }),
    data({ pad: 255, data: "four" }),
  ),
  refused(
    "padding-in-payload-of-one-octet",
    "DATA of a single octet whose Pad Length is 1 with PROTOCOL_ERROR",
    ["rfc9113#6.1/padding-too-long"],
    data({ padLength: 1 }),
    data({ padLength: 0 }),
  ),
  refused(
    "padded-and-empty",
    "DATA that announces padding and has no room for Pad Length with FRAME_SIZE_ERROR",
    ["rfc9113#4.2/too-small"],
    data({ flags: PADDED_END, hex: "" }),
    data({ flags: PADDED_END, hex: "00" }),
    streamError(1, "FRAME_SIZE_ERROR"),
  ),
  taken("with-padding", "DATA with padding", ["rfc9113#6.1/padded"], data({ pad: 10, data: "content" })),
  taken("with-longest-padding", "DATA with 255 octets of padding", ["rfc9113#6.1/padded"], data({ pad: 255, data: "content" })),
  taken(
    "padded-with-nothing",
    "DATA with a Pad Length of 0 and no padding",
    ["rfc9113#6.1/padded"],
    data({ padLength: 0, data: "content" }),
  ),
  taken(
    "of-padding-alone",
    "DATA that is nothing but padding, as the end of a stream",
    ["rfc9113#6.1/padded", "rfc9113#6.1/end-stream"],
    data({ flags: [], data: "content" }),
    data({ pad: 20 }),
  ),
  {
    id: "http2/data-padding-with-octets-set",
    spec: "rfc9113#6.1",
    covers: ["rfc9113#6.1/padding-checked"],
    level: "MAY",
    role: "server",
    needs: ["post"],
    title: "The server takes DATA whose padding is not zero, or refuses it with PROTOCOL_ERROR.",
    steps: [handshake, send(post(1), data({ flags: PADDED_END, hex: "03 636f6e74656e74 010203" }))],
    control: [handshake, send(post(1), data({ flags: PADDED_END, hex: "03 636f6e74656e74 000000" }))],
    allowed: [...acceptedAndAnswered(1), { see: { see: "GOAWAY", code: "PROTOCOL_ERROR" }, by: "rfc9113#6.1" }],
  },
];
