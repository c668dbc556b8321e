import { answeredLikeFirst, connectionError, get, handshake, firstExchange, request, send } from "./phrases.ts";
import type { Case, FrameSpec } from "./vocabulary.ts";

const begun: FrameSpec = { ...get(1), flags: ["END_STREAM"] };
const rest: FrameSpec = { type: "CONTINUATION", stream: 1, flags: ["END_HEADERS"], fields: [["x-more", "1"]] };
const PADDED_WHOLE = 0x0d;
const PRIORITY_WHOLE = 0x25;
/** A field block that is only `:method: GET` from the static table. */
const METHOD = "82";

const refused = (
  name: string,
  what: string,
  covers: Case["covers"],
  wrong: FrameSpec,
  right: FrameSpec,
  code: "PROTOCOL_ERROR" | "FRAME_SIZE_ERROR" = "PROTOCOL_ERROR",
): Case => ({
  id: `http2/headers-${name}`,
  spec: code === "FRAME_SIZE_ERROR" ? "rfc9113#4.2" : "rfc9113#6.2",
  covers,
  level: "MUST",
  role: "server",
  title: `The server ends the connection for ${what} with ${code}.`,
  steps: [handshake, send(wrong)],
  control: [handshake, send(right)],
  allowed: connectionError(code),
});
const taken = (name: string, what: string, covers: Case["covers"], frame: FrameSpec): Case => ({
  id: `http2/headers-${name}`,
  spec: "rfc9113#6.2",
  covers,
  level: "MUST",
  role: "server",
  title: `The server answers a request ${what} like one without.`,
  steps: [...firstExchange, send(frame)],
  control: [...firstExchange, send(get(3))],
  allowed: answeredLikeFirst(3),
});
/** A frame that comes between HEADERS without END_HEADERS and its CONTINUATION. */
const between = (name: string, what: string, frame: FrameSpec): Case => ({
  id: `http2/headers-interrupted-by-${name}`,
  spec: "rfc9113#6.2",
  covers: ["rfc9113#6.2/continuation-follows", "rfc9113#4.3/contiguous"],
  level: "MUST",
  role: "server",
  title: `The server ends the connection when ${what} comes between HEADERS and its CONTINUATION with PROTOCOL_ERROR.`,
  steps: [handshake, send(begun, frame, rest)],
  control: [handshake, send(begun, rest)],
  allowed: connectionError("PROTOCOL_ERROR"),
});

/** HEADERS (rfc9113#6.2): its stream, its padding, its priority fields, and the CONTINUATION that it may require. */
export const cases: readonly Case[] = [
  refused("on-stream-zero", "HEADERS on stream 0", ["rfc9113#6.2/stream-zero", "rfc9113#5.1.1/zero-opens-nothing"], get(0), get(1)),
  refused(
    "padding-as-long-as-payload",
    "HEADERS whose Pad Length is the length of its payload",
    ["rfc9113#6.2/padding-too-long"],
    { type: "HEADERS", stream: 1, flags: PADDED_WHOLE, hex: `02 ${METHOD}` },
    { ...get(1), padLength: 0 },
  ),
  refused(
    "padding-longer-than-payload",
    "HEADERS whose Pad Length is greater than the length of its payload",
    ["rfc9113#6.2/padding-too-long"],
    { type: "HEADERS", stream: 1, flags: PADDED_WHOLE, hex: `ff ${METHOD}` },
    { ...get(1), pad: 255 },
  ),
  refused(
    "padding-into-priority-fields",
    "HEADERS whose padding leaves no room for the priority fields",
    ["rfc9113#6.2/padding-too-long"],
    { type: "HEADERS", stream: 1, flags: PADDED_WHOLE | 0x20, hex: `07 00000000 0f ${METHOD}` },
    { ...get(1), pad: 7, priority: { on: 0, weight: 16 } },
  ),
  refused(
    "padded-and-empty",
    "HEADERS that announces padding and has no room for Pad Length",
    ["rfc9113#4.2/too-small", "rfc9113#4.2/connection-state-altering"],
    { type: "HEADERS", stream: 1, flags: PADDED_WHOLE, hex: "" },
    { ...get(1), padLength: 0 },
    "FRAME_SIZE_ERROR",
  ),
  refused(
    "priority-without-room",
    "HEADERS of three octets that announces priority fields",
    ["rfc9113#4.2/too-small", "rfc9113#4.2/connection-state-altering"],
    { type: "HEADERS", stream: 1, flags: PRIORITY_WHOLE, hex: "000000" },
    { ...get(1), priority: { on: 0, weight: 16 } },
    "FRAME_SIZE_ERROR",
  ),
  taken("with-padding", "with padding", ["rfc9113#6.2/padded"], { ...get(3), pad: 10 }),
  taken("with-longest-padding", "with 255 octets of padding", ["rfc9113#6.2/padded"], { ...get(3), pad: 255 }),
  taken("padded-with-nothing", "with a Pad Length of 0", ["rfc9113#6.2/padded"], { ...get(3), padLength: 0 }),
  taken("with-priority", "with priority fields", ["rfc9113#6.2/priority-fields"], {
    ...get(3),
    priority: { on: 1, weight: 256, exclusive: true },
  }),
  taken("with-padding-and-priority", "with padding and priority fields", ["rfc9113#6.2/padded", "rfc9113#6.2/priority-fields"], {
    ...get(3),
    pad: 10,
    priority: { on: 0, weight: 1 },
  }),
  {
    id: "http2/headers-with-priority-on-itself",
    spec: "rfc9113#5.3.2",
    covers: ["rfc9113#6.2/priority-fields"],
    level: "MAY",
    role: "server",
    title: "The server answers a request whose deprecated priority fields name its own stream, or refuses it as the older document does.",
    steps: [...firstExchange, send({ ...get(3), priority: { on: 3, weight: 16 } })],
    control: [...firstExchange, send({ ...get(3), priority: { on: 1, weight: 16 } })],
    controlBreaks: "rfc9113#6.2/priority-fields",
    // The older document made it a stream error; this one leaves the rule out, and lets it be.
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
    title: "The server takes HEADERS whose padding is not zero, or refuses it with PROTOCOL_ERROR.",
    steps: [...firstExchange, send({ type: "HEADERS", stream: 3, flags: 0x0d, padLength: 3, fields: request(), blockTail: "010203" })],
    control: [...firstExchange, send({ type: "HEADERS", stream: 3, flags: 0x0d, padLength: 3, fields: request(), blockTail: "000000" })],
    allowed: [...answeredLikeFirst(3), { see: { see: "GOAWAY", code: "PROTOCOL_ERROR" }, by: "rfc9113#6.2" }],
  },
  between("data", "DATA", { type: "DATA", stream: 1, data: "content" }),
  between("headers", "another HEADERS of the same stream", { ...begun, fields: [["x-other", "1"]] }),
  between("headers-of-another-stream", "HEADERS of another stream", get(3)),
  between("priority", "PRIORITY", { type: "PRIORITY", stream: 1, priority: { on: 0, weight: 16 } }),
  between("rst-stream", "RST_STREAM", { type: "RST_STREAM", stream: 1, code: "CANCEL" }),
  between("settings", "SETTINGS", { type: "SETTINGS", settings: [] }),
  between("push-promise", "PUSH_PROMISE", { type: "PUSH_PROMISE", stream: 1, flags: ["END_HEADERS"], promised: 2, fields: request() }),
  between("ping", "PING", { type: "PING", hex: "0102030405060708" }),
  between("goaway", "GOAWAY", { type: "GOAWAY", last: 0, code: "NO_ERROR" }),
  between("window-update", "WINDOW_UPDATE", { type: "WINDOW_UPDATE", increment: 1 }),
  between("continuation-of-another-stream", "CONTINUATION of another stream", { ...rest, stream: 3 }),
];
