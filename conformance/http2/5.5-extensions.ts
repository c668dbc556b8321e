import { accepted, connectionError, get, handshake, firstExchange, request, send, acceptedAndAnswered } from "./phrases.ts";
import type { Case, FrameSpec, Step } from "./vocabulary.ts";

const unknown = (stream: number): FrameSpec => ({ type: 0xbe, stream, hex: "0102" });
const part: FrameSpec = { type: "HEADERS", stream: 1, flags: ["END_STREAM"], fields: request() };
const rest: FrameSpec = { type: "CONTINUATION", stream: 1, flags: ["END_HEADERS"], fields: [["x-more", "1"]] };

const ignored = (id: Case["id"], title: string, steps: Step[], allowed: Case["allowed"] = acceptedAndAnswered(1)): Case => ({
  id,
  spec: "rfc9113#5.5",
  covers: ["rfc9113#5.5/unknown-ignored", "rfc9113#5.5/frames-discarded", "rfc9113#5.1/unknown-frames-any-state"],
  level: "MUST",
  role: "server",
  title,
  steps,
  control: [handshake, send(get(1))],
  allowed,
});
const insideBlock = (id: Case["id"], title: string, frame: FrameSpec, right: Step[], before: FrameSpec[] = [part]): Case => ({
  id,
  spec: "rfc9113#5.5",
  covers: ["rfc9113#5.5/extension-inside-block"],
  level: "MUST",
  role: "server",
  title,
  steps: [handshake, send(...before, frame, rest)],
  control: right,
  allowed: connectionError("PROTOCOL_ERROR"),
});
const whole: Step[] = [handshake, send(part, rest, unknown(0))];

/** Extensions (rfc9113#5.5): unknown frames are discarded in any place but one. */
export const cases: readonly Case[] = [
  ignored(
    "http2/unknown-frame-on-idle-stream",
    "The server discards a frame of an unknown type on an idle stream, which that does not open.",
    [handshake, send(unknown(7), get(1))],
  ),
  ignored("http2/unknown-frame-on-even-stream", "The server discards a frame of an unknown type on a stream with a number of its own.", [
    handshake,
    send(unknown(2), get(1)),
  ]),
  ignored("http2/unknown-frame-before-settings-acknowledged", "The server discards a frame of an unknown type right behind the preface.", [
    { do: "preface" },
    send(unknown(0), { type: "SETTINGS", flags: ["ACK"] }, get(1)),
  ]),
  ignored(
    "http2/unknown-frames-of-every-other-type",
    "The server discards frames of all the types that nobody has defined.",
    [...firstExchange, send(...Array.from({ length: 0xe0 }, (_, n): FrameSpec => ({ type: 0x20 + n, hex: "00" })))],
    accepted,
  ),
  ignored("http2/altsvc-from-client", "The server discards ALTSVC, which only servers send.", [
    handshake,
    send({ type: "ALTSVC", hex: "0000 68323d223a3434333022" }, get(1)),
  ]),
  ignored("http2/origin-from-client", "The server discards ORIGIN, which only servers send.", [
    handshake,
    send({ type: "ORIGIN", hex: "0000" }, get(1)),
  ]),
  insideBlock(
    "http2/field-block-interrupted-by-unknown-frame",
    "The server ends the connection for a frame of an unknown type on the same stream between HEADERS and CONTINUATION with PROTOCOL_ERROR.",
    unknown(1),
    whole,
  ),
  insideBlock(
    "http2/field-block-interrupted-by-unknown-frame-on-connection",
    "The server ends the connection for a frame of an unknown type on stream 0 between HEADERS and CONTINUATION with PROTOCOL_ERROR.",
    unknown(0),
    whole,
  ),
  insideBlock(
    "http2/field-block-interrupted-by-unknown-frame-after-continuation",
    "The server ends the connection for a frame of an unknown type between two CONTINUATION with PROTOCOL_ERROR.",
    unknown(1),
    whole,
    [part, { ...rest, flags: [] }],
  ),
  insideBlock(
    "http2/field-block-interrupted-by-priority-update",
    "The server ends the connection for PRIORITY_UPDATE between HEADERS and CONTINUATION with PROTOCOL_ERROR.",
    { type: "PRIORITY_UPDATE", promised: 1, text: "u=1" },
    [handshake, send(part, rest, { type: "PRIORITY_UPDATE", promised: 3, text: "u=1" })],
  ),
];
