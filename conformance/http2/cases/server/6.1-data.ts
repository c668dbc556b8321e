import { acceptedAndAnswered, connectionError, handshake, post, send, streamError } from "../phrases.ts";
import type { Case, FrameSpec, Row } from "../../vocabulary.ts";

const data = (more: Partial<FrameSpec>): FrameSpec => ({ type: "DATA", stream: 1, flags: ["END_STREAM"], ...more });
const PADDED_END = 0x09;

const rejects = ({ wrong, legal, ...row }: Row<"covers"> & { readonly wrong: FrameSpec; readonly legal: FrameSpec }): Case => ({
  spec: "rfc9113#6.1",
  level: "MUST",
  role: "server",
  needs: ["post"],
  steps: [handshake, send(post(1), wrong)],
  control: [handshake, send(post(1), legal)],
  allowed: connectionError("PROTOCOL_ERROR"),
  ...row,
});
const accepts = ({ frames, ...row }: Row<"covers"> & { readonly frames: readonly FrameSpec[] }): Case => ({
  spec: "rfc9113#6.1",
  level: "MUST",
  role: "server",
  needs: ["post"],
  steps: [handshake, send(post(1), ...frames)],
  control: [handshake, send(post(1), data({ data: "content" }))],
  allowed: acceptedAndAnswered(1),
  ...row,
});

/** DATA (rfc9113#6.1): its stream and its padding. Flow control is in 6.9.1-flow-control.ts. */
export const cases: readonly Case[] = [
  {
    id: "http2/data-on-stream-zero",
    spec: "rfc9113#6.1",
    covers: ["rfc9113#6.1/stream-zero"],
    level: "MUST",
    role: "server",
    title: "The server treats DATA on stream 0 as a connection error of type PROTOCOL_ERROR.",
    steps: [handshake, send(post(1), data({ stream: 0, data: "content" }))],
    control: [handshake, send(post(1), data({ data: "content" }))],
    allowed: connectionError("PROTOCOL_ERROR"),
  },
  rejects({
    id: "http2/data-padding-as-long-as-payload",
    title: "The server treats DATA whose Pad Length equals its payload length as a connection error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#6.1/padding-too-long"],
    wrong: data({ padLength: 5, data: "four" }),
    legal: data({ padLength: 4, data: "four" }),
  }),
  rejects({
    id: "http2/data-padding-longer-than-payload",
    title: "The server treats DATA whose Pad Length exceeds its payload length as a connection error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#6.1/padding-too-long"],
    wrong: data({ padLength: 255, data: "four" }),
    legal: data({ pad: 255, data: "four" }),
  }),
  rejects({
    id: "http2/data-padding-in-payload-of-one-octet",
    title: "The server treats DATA of one octet with a Pad Length of 1 as a connection error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#6.1/padding-too-long"],
    wrong: data({ padLength: 1 }),
    legal: data({ padLength: 0 }),
  }),
  rejects({
    id: "http2/data-padded-and-empty",
    title: "The server treats empty DATA with the PADDED flag as a stream error of type FRAME_SIZE_ERROR.",
    spec: "rfc9113#4.2",
    covers: ["rfc9113#4.2/too-small"],
    wrong: data({ flags: PADDED_END, hex: "" }),
    legal: data({ flags: PADDED_END, hex: "00" }),
    allowed: streamError(1, "FRAME_SIZE_ERROR"),
  }),
  accepts({
    id: "http2/data-with-padding",
    title: "The server accepts padded DATA.",
    covers: ["rfc9113#6.1/padded"],
    frames: [data({ pad: 10, data: "content" })],
  }),
  accepts({
    id: "http2/data-with-longest-padding",
    title: "The server accepts DATA with 255 octets of padding.",
    covers: ["rfc9113#6.1/padded"],
    frames: [data({ pad: 255, data: "content" })],
  }),
  accepts({
    id: "http2/data-padded-with-nothing",
    title: "The server accepts DATA with a Pad Length of 0.",
    covers: ["rfc9113#6.1/padded"],
    frames: [data({ padLength: 0, data: "content" })],
  }),
  accepts({
    id: "http2/data-of-padding-alone",
    title: "The server accepts a final DATA frame that holds only padding.",
    covers: ["rfc9113#6.1/padded", "rfc9113#6.1/end-stream"],
    frames: [data({ flags: [], data: "content" }), data({ pad: 20 })],
  }),
  {
    id: "http2/data-padding-with-octets-set",
    spec: "rfc9113#6.1",
    covers: ["rfc9113#6.1/padding-checked"],
    level: "MAY",
    role: "server",
    needs: ["post"],
    title: "The server accepts DATA with non-zero padding, or treats it as a connection error of type PROTOCOL_ERROR.",
    steps: [handshake, send(post(1), data({ flags: PADDED_END, hex: "03 636f6e74656e74 010203" }))],
    control: [handshake, send(post(1), data({ flags: PADDED_END, hex: "03 636f6e74656e74 000000" }))],
    allowed: [...acceptedAndAnswered(1), { see: { see: "GOAWAY", code: "PROTOCOL_ERROR" }, by: "rfc9113#6.1" }],
  },
];
