import {
  PROTOCOL_ERROR,
  all,
  alive,
  awaitMessages,
  awaitSight,
  close,
  comesBack,
  comesBackWith,
  failsWith,
  first,
  framesOf,
  framesOnly,
  last,
  more,
  open,
  ping,
  pong,
  send,
  sendCut,
  text,
} from "./phrases.ts";
import type { RequirementRef } from "../harness/case.ts";
import { type Claim, ofServer } from "./claims.ts";
import type { FrameSpec } from "./vocabulary.ts";

/** RFC 6455, section 5.4: messages in fragments, and control frames between them. */

const HELLO = text("Hello");
const hello = first(HELLO);
const world = last({ text: " world" });

/** Valid fragments. */
const GOOD: readonly (readonly [id: string, what: string, frames: readonly FrameSpec[], covers?: RequirementRef])[] = [
  ["two", "in two fragments", [hello, world]],
  ["three", "in three fragments", [hello, more({ text: "," }), world]],
  [
    "twenty",
    "in twenty fragments",
    [hello, ...Array.from({ length: 18 }, (_, at) => more({ text: String(at) })), world],
    "rfc6455#5.4/order",
  ],
  ["first-empty", "whose first fragment is empty", [first(text("")), world]],
  ["middle-empty", "with an empty fragment in the middle", [hello, more({ text: "" }), world]],
  ["last-empty", "whose last fragment is empty", [hello, last({ text: "" })]],
  ["all-empty", "whose fragments are all empty", [first(text("")), more({ text: "" }), last({ text: "" })]],
  [
    "binary",
    "of binary type in fragments",
    [first({ opcode: "binary", hex: "00ff" }), more({ hex: "fe" }), last({ hex: "01" })],
    "rfc6455#5.4/type",
  ],
  [
    "long-fragments",
    "in fragments of 70,000 and 300 octets",
    [first({ opcode: "text", fill: { text: "a", count: 70_000 } }), last({ fill: { text: "b", count: 300 } })],
  ],
  ["two-messages", "in fragments, and another one after it", [hello, world, first(text("Good")), last({ text: " bye" })]],
  [
    "text-then-binary",
    "of text in fragments, and a binary one after it",
    [hello, world, first({ opcode: "binary", hex: "ff" }), last({ hex: "fe" })],
    "rfc6455#5.4/type",
  ],
  ["ping-between", "in fragments with a Ping between them", [hello, ping("x"), world], "rfc6455#5.4/control-inside"],
  ["pong-between", "in fragments with a Pong between them", [hello, pong("x"), world], "rfc6455#5.4/control-inside"],
  [
    "pings-between-all",
    "in fragments with Pings between all of them",
    [hello, ping("1"), more({ text: "," }), ping("2"), more({ text: "" }), ping(), world],
    "rfc6455#5.4/control-inside",
  ],
];

/** Invalid fragments: what is wrong, the frames, those of the control, and the number of messages echoed before. */
const BAD: readonly (readonly [
  id: string,
  title: string,
  wrong: readonly FrameSpec[],
  right: readonly FrameSpec[],
  covers: RequirementRef,
  echoes?: number,
])[] = [
  [
    "continuation-first",
    "The {subject} fails the connection on a final continuation without a message to continue.",
    [last({ text: "Hello" })],
    [HELLO],
    "rfc6455#5.4/stray-continuation",
  ],
  [
    "continuation-first-not-final",
    "The {subject} fails the connection on a non-final continuation without a message to continue.",
    [more({ text: "Hello" }), last({ text: "!" })],
    [hello, last({ text: "!" })],
    "rfc6455#5.4/stray-continuation",
  ],
  [
    "continuation-first-empty",
    "The {subject} fails the connection on an empty continuation without a message to continue.",
    [last({ text: "" })],
    [text("")],
    "rfc6455#5.4/stray-continuation",
  ],
  [
    "continuation-behind-message",
    "The {subject} fails the connection on a continuation after a complete message.",
    [HELLO, last({ text: "!" })],
    [HELLO, text("!")],
    "rfc6455#5.4/stray-continuation",
    1,
  ],
  [
    "continuation-behind-fragments",
    "The {subject} fails the connection on a continuation after the last fragment.",
    [hello, world, last({ text: "!" })],
    [hello, world, text("!")],
    "rfc6455#5.4/stray-continuation",
    1,
  ],
  [
    "continuation-behind-ping",
    "The {subject} fails the connection on a continuation after a Ping.",
    [ping("x"), last({ text: "!" })],
    [ping("x"), text("!")],
    "rfc6455#5.4/stray-continuation",
  ],
  [
    "text-inside-text",
    "The {subject} fails the connection on a text frame inside a text message.",
    [hello, text(" world")],
    [hello, world],
    "rfc6455#5.4/interleaved",
  ],
  [
    "binary-inside-text",
    "The {subject} fails the connection on a binary frame inside a text message.",
    [hello, { opcode: "binary", hex: "00" }],
    [hello, world],
    "rfc6455#5.4/interleaved",
  ],
  [
    "text-inside-binary",
    "The {subject} fails the connection on a text frame inside a binary message.",
    [first({ opcode: "binary", hex: "00" }), HELLO],
    [first({ opcode: "binary", hex: "00" }), last({ text: "Hello" })],
    "rfc6455#5.4/interleaved",
  ],
  [
    "text-fragment-inside-text",
    "The {subject} fails the connection on the first fragment of a message inside another.",
    [hello, first(text("Good")), world, last({ text: " bye" })],
    [hello, more({ text: "Good" }), more({ text: " world" }), last({ text: " bye" })],
    "rfc6455#5.4/interleaved",
  ],
  [
    "opcode-repeated-in-fragments",
    "The {subject} fails the connection on fragments that all repeat the opcode of their message.",
    [hello, first(text(",")), text(" world")],
    [hello, more({ text: "," }), world],
    "rfc6455#5.4/interleaved",
  ],
  [
    "ping-fragment",
    "The {subject} fails the connection on a fragmented Ping.",
    [ping("Hello", { fin: false }), last({ text: "!" })],
    [ping("Hello"), text("!")],
    "rfc6455#5.4/control-fragmented",
  ],
  [
    "pong-fragment",
    "The {subject} fails the connection on a fragmented Pong.",
    [pong("Hello", { fin: false }), last({ text: "!" })],
    [pong("Hello"), text("!")],
    "rfc6455#5.4/control-fragmented",
  ],
  [
    "empty-ping-fragment",
    "The {subject} fails the connection on an empty fragmented Ping.",
    [ping("", { fin: false })],
    [ping()],
    "rfc6455#5.4/control-fragmented",
  ],
  [
    "close-fragment",
    "The {subject} fails the connection on a fragmented Close frame.",
    [{ ...close(1000), fin: false }],
    [close(1000)],
    "rfc6455#5.4/control-fragmented",
  ],
  [
    "ping-fragment-inside-message",
    "The {subject} fails the connection on a fragmented Ping inside a message.",
    [hello, ping("x", { fin: false }), world],
    [hello, ping("x"), world],
    "rfc6455#5.4/control-fragmented",
  ],
];

export const claims: readonly Claim[] = [
  ...GOOD.map(([id, what, frames, covers]): Claim => ({
    id: `websocket/fragments-${id}`,
    spec: "rfc6455#5.4",
    covers: ["rfc6455#5.4/fragments", ...(covers === undefined ? [] : [covers])],
    level: "MUST",
    title: `The {subject} echoes a message ${what}.`,
    ...framesOnly(...frames),
    allowed: comesBack,
  })),
  ...([1, 3] as const).map((cut): Claim => ({
    id: `websocket/fragments-in-pieces-of-${cut}`,
    spec: "rfc6455#5.4",
    covers: ["rfc6455#5.4/fragments", "rfc6455#5.4/control-inside"],
    level: "MUST",
    title: `The {subject} reassembles a message with a Ping between its fragments that arrives in pieces of ${cut} ${cut === 1 ? "octet" : "octets"}.`,
    steps: [open(), sendCut(cut, hello, ping("x"), more({ text: "," }), world)],
    control: [open(), send(hello, ping("x"), more({ text: "," }), world)],
    allowed: comesBackWith({ see: "pong", text: "x" }),
  })),
  {
    id: "websocket/fragments-each-in-a-write",
    spec: "rfc6455#5.4",
    covers: ["rfc6455#5.4/fragments"],
    level: "MUST",
    title: "The {subject} reassembles a message whose fragments arrive one by one.",
    steps: [open(), sendCut("frames", hello, more({ text: "," }), ping("x"), world)],
    control: [open(), send(hello, more({ text: "," }), ping("x"), world)],
    allowed: comesBackWith({ see: "pong", text: "x" }),
  },
  {
    id: "websocket/ping-inside-message-answered-at-once",
    spec: "rfc6455#5.4",
    covers: ["rfc6455#5.4/control-inside", "rfc6455#5.5.2/soon"],
    level: "MUST",
    title: "The {subject} answers a Ping inside a message before the message is complete.",
    steps: [open(), send(hello, ping("inside")), awaitSight({ see: "pong", text: "inside" }), send(world)],
    control: [open(), send(hello, world, ping("outside"))],
    allowed: comesBackWith({ see: "pong", text: "inside" }),
  },
  {
    id: "websocket/close-inside-message",
    spec: "rfc6455#5.5.1",
    covers: ["rfc6455#5.5.1/answer", "rfc6455#5.4/control-inside"],
    level: "MUST",
    title: "The {subject} answers a Close frame inside a message and does not echo the message.",
    steps: [open(), send(hello, close(1000))],
    control: [open(), send(HELLO), awaitMessages(), send(close(1000))],
    allowed: [
      { see: { see: "closing handshake", codes: [1000], echoes: 0 } },
      { see: { see: "closing handshake", echoes: 0 }, by: "rfc6455#5.5.1", verdict: "warn" },
    ],
  },
  ...BAD.map(([id, title, wrong, right, covers, echoes = 0]): Claim => ({
    id: `websocket/${id}`,
    spec: covers === "rfc6455#5.4/control-fragmented" ? "rfc6455#5.5" : "rfc6455#5.4",
    covers: [covers],
    level: "MUST",
    title,
    ...framesOf({ wrong, right }),
    allowed: failsWith(PROTOCOL_ERROR, echoes),
  })),
  {
    id: "websocket/fragment-left-open",
    spec: "rfc6455#6.2",
    covers: ["rfc6455#6.2/message"],
    level: "MUST",
    title: "The {subject} does not echo a message before its last fragment.",
    steps: [open(), send(hello), send(ping("x"))],
    control: [open(), send(HELLO), send(ping("x"))],
    allowed: [{ see: all(alive, { see: "not", of: { see: "messages", count: 1 } }) }],
  },
];

export const cases = claims.map(ofServer);
