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
} from "../phrases.ts";
import type { RequirementRef } from "../../../harness/case.ts";
import { type Claim, ofServer } from "../claims.ts";
import type { FrameSpec } from "../../vocabulary.ts";

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

/** Invalid fragments, each with its valid twin. */
type Invalid = {
  readonly id: string;
  readonly title: string;
  readonly wrong: readonly FrameSpec[];
  readonly right: readonly FrameSpec[];
  readonly covers: RequirementRef;
  /** How many messages are echoed before. */
  readonly echoes?: number;
};
const BAD: readonly Invalid[] = [
  {
    id: "continuation-first",
    title: "The {subject} fails the connection on a final continuation without a message to continue.",
    wrong: [last({ text: "Hello" })],
    right: [HELLO],
    covers: "rfc6455#5.4/stray-continuation",
  },
  {
    id: "continuation-first-not-final",
    title: "The {subject} fails the connection on a non-final continuation without a message to continue.",
    wrong: [more({ text: "Hello" }), last({ text: "!" })],
    right: [hello, last({ text: "!" })],
    covers: "rfc6455#5.4/stray-continuation",
  },
  {
    id: "continuation-first-empty",
    title: "The {subject} fails the connection on an empty continuation without a message to continue.",
    wrong: [last({ text: "" })],
    right: [text("")],
    covers: "rfc6455#5.4/stray-continuation",
  },
  {
    id: "continuation-behind-message",
    title: "The {subject} fails the connection on a continuation after a complete message.",
    wrong: [HELLO, last({ text: "!" })],
    right: [HELLO, text("!")],
    covers: "rfc6455#5.4/stray-continuation",
    echoes: 1,
  },
  {
    id: "continuation-behind-fragments",
    title: "The {subject} fails the connection on a continuation after the last fragment.",
    wrong: [hello, world, last({ text: "!" })],
    right: [hello, world, text("!")],
    covers: "rfc6455#5.4/stray-continuation",
    echoes: 1,
  },
  {
    id: "continuation-behind-ping",
    title: "The {subject} fails the connection on a continuation after a Ping.",
    wrong: [ping("x"), last({ text: "!" })],
    right: [ping("x"), text("!")],
    covers: "rfc6455#5.4/stray-continuation",
  },
  {
    id: "text-inside-text",
    title: "The {subject} fails the connection on a text frame inside a text message.",
    wrong: [hello, text(" world")],
    right: [hello, world],
    covers: "rfc6455#5.4/interleaved",
  },
  {
    id: "binary-inside-text",
    title: "The {subject} fails the connection on a binary frame inside a text message.",
    wrong: [hello, { opcode: "binary", hex: "00" }],
    right: [hello, world],
    covers: "rfc6455#5.4/interleaved",
  },
  {
    id: "text-inside-binary",
    title: "The {subject} fails the connection on a text frame inside a binary message.",
    wrong: [first({ opcode: "binary", hex: "00" }), HELLO],
    right: [first({ opcode: "binary", hex: "00" }), last({ text: "Hello" })],
    covers: "rfc6455#5.4/interleaved",
  },
  {
    id: "text-fragment-inside-text",
    title: "The {subject} fails the connection on the first fragment of a message inside another.",
    wrong: [hello, first(text("Good")), world, last({ text: " bye" })],
    right: [hello, more({ text: "Good" }), more({ text: " world" }), last({ text: " bye" })],
    covers: "rfc6455#5.4/interleaved",
  },
  {
    id: "opcode-repeated-in-fragments",
    title: "The {subject} fails the connection on fragments that all repeat the opcode of their message.",
    wrong: [hello, first(text(",")), text(" world")],
    right: [hello, more({ text: "," }), world],
    covers: "rfc6455#5.4/interleaved",
  },
  {
    id: "ping-fragment",
    title: "The {subject} fails the connection on a fragmented Ping.",
    wrong: [ping("Hello", { fin: false }), last({ text: "!" })],
    right: [ping("Hello"), text("!")],
    covers: "rfc6455#5.4/control-fragmented",
  },
  {
    id: "pong-fragment",
    title: "The {subject} fails the connection on a fragmented Pong.",
    wrong: [pong("Hello", { fin: false }), last({ text: "!" })],
    right: [pong("Hello"), text("!")],
    covers: "rfc6455#5.4/control-fragmented",
  },
  {
    id: "empty-ping-fragment",
    title: "The {subject} fails the connection on an empty fragmented Ping.",
    wrong: [ping("", { fin: false })],
    right: [ping()],
    covers: "rfc6455#5.4/control-fragmented",
  },
  {
    id: "ping-fragment-alone",
    title: "The {subject} fails the connection on a non-final Ping with nothing after it.",
    wrong: [ping("Hello", { fin: false })],
    right: [ping("Hello")],
    covers: "rfc6455#5.4/control-fragmented",
  },
  {
    id: "pong-fragment-alone",
    title: "The {subject} fails the connection on a non-final Pong with nothing after it.",
    wrong: [pong("Hello", { fin: false })],
    right: [pong("Hello")],
    covers: "rfc6455#5.4/control-fragmented",
  },
  {
    id: "empty-pong-fragment",
    title: "The {subject} fails the connection on an empty non-final Pong.",
    wrong: [pong("", { fin: false })],
    right: [pong()],
    covers: "rfc6455#5.4/control-fragmented",
  },
  {
    id: "close-fragment",
    title: "The {subject} fails the connection on a fragmented Close frame.",
    wrong: [{ ...close(1000), fin: false }],
    right: [close(1000)],
    covers: "rfc6455#5.4/control-fragmented",
  },
  {
    id: "ping-fragment-inside-message",
    title: "The {subject} fails the connection on a fragmented Ping inside a message.",
    wrong: [hello, ping("x", { fin: false }), world],
    right: [hello, ping("x"), world],
    covers: "rfc6455#5.4/control-fragmented",
  },
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
  ...BAD.map(({ id, title, wrong, right, covers, echoes = 0 }): Claim => ({
    id: `websocket/${id}`,
    spec: covers === "rfc6455#5.4/control-fragmented" ? "rfc6455#5.5" : "rfc6455#5.4",
    covers: [covers],
    level: "SHOULD",
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
