import {
  answeredLikeFirst,
  connectionError,
  get,
  handshake,
  firstExchange,
  permitted,
  post,
  request,
  send,
  acceptedAndAnswered,
} from "./phrases.ts";
import type { Case, FieldSpec, FrameSpec, Outcome, Step } from "./vocabulary.ts";

const begun = (stream = 1): FrameSpec => ({ ...get(stream), flags: ["END_STREAM"] });
const part = (stream: number, flags: FrameSpec["flags"] = [], fields: FieldSpec[] = [["x-part", "1"]]): FrameSpec => ({
  type: "CONTINUATION",
  stream,
  flags,
  fields,
});
const last = (stream = 1): FrameSpec => part(stream, ["END_HEADERS"]);
const whole: Step[] = [handshake, send(begun(), part(1), last())];

const refused = (
  name: string,
  what: string,
  covers: Case["covers"],
  steps: Step[],
  control: Step[] = whole,
  others: Outcome[] = [],
): Case => ({
  id: `http2/continuation-${name}`,
  spec: "rfc9113#6.10",
  covers,
  level: "MUST",
  role: "server",
  title: `The server ends the connection for ${what} with PROTOCOL_ERROR.`,
  steps,
  control,
  allowed: connectionError("PROTOCOL_ERROR", ...others),
});
/** A frame between two CONTINUATION of one field block. */
const between = (name: string, frame: FrameSpec): Case =>
  refused(
    `interrupted-by-${name}`,
    `${typeof frame.type === "number" ? "a frame of an unknown type" : frame.type} between two CONTINUATION of a field block`,
    ["rfc9113#6.10/followed-by-continuation", ...(typeof frame.type === "number" ? (["rfc9113#5.5/extension-inside-block"] as const) : [])],
    [handshake, send(begun(), part(1), frame, last())],
  );
const taken = (name: string, what: string, covers: Case["covers"], ...frames: FrameSpec[]): Case => ({
  id: `http2/continuation-${name}`,
  spec: "rfc9113#6.10",
  covers,
  level: "MUST",
  role: "server",
  title: `The server takes ${what}.`,
  steps: [...firstExchange, send(...frames)],
  control: [...firstExchange, send(get(3))],
  allowed: answeredLikeFirst(3),
});

/** CONTINUATION (rfc9113#6.10). */
export const cases: readonly Case[] = [
  taken("once", "a field block that goes on in one CONTINUATION", ["rfc9113#6.10/any-number"], begun(3), last(3)),
  taken(
    "several",
    "a field block that goes on in five CONTINUATION",
    ["rfc9113#6.10/any-number"],
    begun(3),
    part(3),
    part(3),
    part(3),
    part(3),
    last(3),
  ),
  taken(
    "empty",
    "a field block among whose CONTINUATION are empty ones",
    ["rfc9113#6.10/any-number"],
    begun(3),
    { type: "CONTINUATION", stream: 3 },
    part(3),
    { type: "CONTINUATION", stream: 3, flags: ["END_HEADERS"] },
  ),
  {
    ...taken(
      "after-empty-headers",
      "a field block that is all in CONTINUATION, after an empty HEADERS",
      ["rfc9113#6.10/any-number"],
      { type: "HEADERS", stream: 3, flags: ["END_STREAM"] },
      part(3, ["END_HEADERS"], request()),
    ),
    // No sentence forbids it, and none says it outright.
    level: "SHOULD",
  },
  taken(
    "cut-within-a-field",
    "a field block that is cut in the middle of a field",
    ["rfc9113#6.10/any-number", "rfc9113#4.3/concatenated"],
    { ...begun(3), blockTail: "0007 782d" },
    { type: "CONTINUATION", stream: 3, block: "63 6865 636b 01" },
    { type: "CONTINUATION", stream: 3, flags: ["END_HEADERS"], block: "31" },
  ),
  {
    id: "http2/continuation-ends-no-stream",
    spec: "rfc9113#6.10",
    covers: ["rfc9113#6.10/any-number", "rfc9113#4.1/unused-flags"],
    level: "MUST",
    role: "server",
    needs: ["post"],
    title: "The server does not take the flag that means END_STREAM elsewhere for the end of a stream on CONTINUATION.",
    steps: [
      handshake,
      send({ ...post(1), flags: [] }, { ...part(1), flags: 0x05 }, { type: "DATA", stream: 1, flags: ["END_STREAM"], data: "content" }),
    ],
    control: [handshake, send({ ...post(1), flags: [] }, last(), { type: "DATA", stream: 1, flags: ["END_STREAM"], data: "content" })],
    allowed: acceptedAndAnswered(1),
  },
  refused(
    "on-stream-zero",
    "CONTINUATION on stream 0",
    ["rfc9113#6.10/stream-zero", "rfc9113#6.10/followed-by-continuation"],
    [handshake, send(begun(), last(0))],
  ),
  refused(
    "on-stream-zero-alone",
    "CONTINUATION on stream 0 that continues nothing",
    ["rfc9113#6.10/stream-zero", "rfc9113#6.10/not-preceded"],
    [handshake, send(last(0))],
  ),
  refused(
    "on-idle-stream",
    "CONTINUATION on an idle stream",
    ["rfc9113#6.10/not-preceded", "rfc9113#5.1/idle-other-frames"],
    [handshake, send(last(1))],
  ),
  refused(
    "after-whole-headers",
    "CONTINUATION after HEADERS with END_HEADERS",
    ["rfc9113#6.10/not-preceded"],
    [handshake, send({ ...post(1) }, last())],
  ),
  refused(
    "after-ended-stream",
    "CONTINUATION after HEADERS with END_HEADERS and END_STREAM",
    ["rfc9113#6.10/not-preceded"],
    [handshake, send(get(1), last())],
  ),
  refused("after-last", "CONTINUATION behind the last one", ["rfc9113#6.10/not-preceded"], [handshake, send(begun(), last(), last())]),
  refused(
    "after-data",
    "CONTINUATION after DATA",
    ["rfc9113#6.10/not-preceded"],
    [handshake, send(post(1), { type: "DATA", stream: 1, data: "content" }, last())],
  ),
  refused(
    "after-response",
    "CONTINUATION on a stream that is closed",
    ["rfc9113#6.10/not-preceded"],
    [...firstExchange, send(last())],
    whole,
    [permitted({ see: "GOAWAY", code: "STREAM_CLOSED" }, "rfc9113#5.1")],
  ),
  refused(
    "after-reset",
    "CONTINUATION on a stream that the client has reset",
    ["rfc9113#6.10/not-preceded"],
    [handshake, send(get(1), { type: "RST_STREAM", stream: 1, code: "CANCEL" }, last())],
    [handshake, send(get(1), { type: "RST_STREAM", stream: 1, code: "CANCEL" })],
    [permitted({ see: "GOAWAY", code: "STREAM_CLOSED" }, "rfc9113#5.1")],
  ),
  between("data", { type: "DATA", stream: 1, data: "content" }),
  between("headers", get(3)),
  between("priority", { type: "PRIORITY", stream: 3, priority: { on: 0, weight: 16 } }),
  between("rst-stream", { type: "RST_STREAM", stream: 1, code: "CANCEL" }),
  between("settings", { type: "SETTINGS", settings: [] }),
  between("ping", { type: "PING", hex: "0102030405060708" }),
  between("goaway", { type: "GOAWAY", last: 0, code: "NO_ERROR" }),
  between("window-update", { type: "WINDOW_UPDATE", stream: 1, increment: 1 }),
  between("unknown-frame", { type: 0xfa, stream: 1, hex: "00" }),
];
