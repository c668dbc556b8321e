import { all, closed, exit, FENCE, message, never, octets, only, open, resize, say, shown, until, type Told } from "../phrases.ts";
import type { Sight } from "../../vocabulary.ts";
import { agent, client, hubCases, offer } from "./phrases.ts";

const CONTROL = [agent(), client("a"), say("a", resize(100, 40))];

const ofClients = (
  [
    ["not-json", "{"],
    ["empty", ""],
    ["array", "[]"],
    ["null", "null"],
    ["without-type", { offset: 1 }],
    ["unknown-type", { type: "greeting" }],
    ["type-of-prototype", { type: "toString" }],
    ["type-of-agents", { type: "exit", code: 0, signal: null, again: false }],
    ["type-of-hubs", { type: "error", code: "stalled", message: "" }],
    ["ack-without-offset", { type: "ack" }],
    ["ack-negative", { type: "ack", offset: -1 }],
    ["ack-fraction", { type: "ack", offset: 0.5 }],
    ["ack-as-text", { type: "ack", offset: "0" }],
    ["ack-too-large", '{"type":"ack","offset":9007199254740992}'],
    ["ping-without-id", { type: "ping" }],
    ["ping-negative", { type: "ping", id: -1 }],
    ["pong-too-large", '{"type":"pong","id":9007199254740992}'],
    ["pong-as-text", { type: "pong", id: "0" }],
    ["resize-no-columns", { type: "resize", rows: 24 }],
    ["resize-zero-columns", resize(0, 24)],
    ["resize-zero-rows", resize(80, 0)],
    ["resize-1001-columns", resize(1001, 24)],
    ["resize-1001-rows", resize(80, 1001)],
  ] as const
).map(([id, wrong]): Told => ({
  id: `client-message-${id}`,
  covers: "channel#2.2/malformed",
  title: `Closes the connection of a client after a malformed message (${id.replaceAll("-", " ")}).`,
  steps: [agent(), client("a"), say("a", wrong)],
  control: CONTROL,
  see: closed("a", 1008, "malformed"),
}));

const offers = (
  [
    ["not-json", "offer"],
    ["type-of-clients", resize(80, 24)],
    ["offer-without-input", { type: "offer", from: 0, end: 0, cols: 80, rows: 24 }],
    ["offer-from-after-end", offer({ from: 1 })],
    ["offer-zero-columns", offer({ cols: 0 })],
    ["offer-negative-end", offer({ end: -1, from: -1 })],
  ] as const
).map(([id, wrong]): Told => ({
  id: `agent-message-${id}`,
  covers: "channel#2.2/malformed",
  title: `Closes the connection of an agent after a malformed message (${id.replaceAll("-", " ")}).`,
  steps: [agent("agent", { silent: true }), say("agent", wrong)],
  control: [agent("agent", { silent: true }), say("agent", offer())],
  see: closed("agent", 1008, "malformed"),
}));

const exits = (
  [
    ["exit-without-again", { type: "exit", code: 0, signal: null }],
    ["exit-signal-zero", { type: "exit", code: 0, signal: 0, again: true }],
    ["exit-signal-129", { type: "exit", code: 0, signal: 129, again: true }],
    ["exit-code-too-large", { type: "exit", code: 2 ** 31, signal: null, again: true }],
    ["exit-code-too-small", { type: "exit", code: -(2 ** 31), signal: null, again: true }],
    ["exit-signal-fraction", { type: "exit", code: 0, signal: 1.5, again: true }],
    ["exit-signal-as-text", { type: "exit", code: 0, signal: "9", again: true }],
    ["exit-code-fraction", { type: "exit", code: 0.5, signal: null, again: true }],
    ["exit-again-as-text", { type: "exit", code: 0, signal: null, again: "true" }],
  ] as const
).map(([id, wrong]): Told => ({
  id: `agent-message-${id}`,
  covers: "channel#2.2/malformed",
  title: `Closes the connection of an agent after a malformed exit (${id.replaceAll("-", " ")}).`,
  steps: [agent(), say("agent", wrong)],
  control: [agent(), say("agent", { type: "exit", code: 0, signal: 128, again: true })],
  see: closed("agent", 1008, "malformed"),
}));

const PADDING = "x".repeat(4_096 - '{"type":"pong","id":1,"more":""}'.length);
const padded = (more: string): string => `{"type":"pong","id":1,"more":"${PADDING}${more}"}`;

export const cases = hubCases([
  ...ofClients,
  ...offers,
  ...exits,
  ...(
    [
      ["largest-code", 2 ** 31 - 1, null],
      ["smallest-code", 1 - 2 ** 31, null],
      ["first-signal", 0, 1],
      ["last-signal", 0, 128],
    ] as const
  ).map(([id, code, signal]): Told => ({
    id: `exit-with-the-${id}`,
    covers: "channel#4.7/exit",
    title: `Passes an exit on with the ${id.replaceAll("-", " ")}.`,
    steps: [agent(), client("a"), say("agent", { type: "exit", code, signal, again: true }), FENCE],
    see: all(open("agent"), only("a", { type: "exit", code, signal, again: true })),
  })),
  {
    id: "messages-have-their-members",
    covers: "channel#2.2/form",
    title: "Gives each of its messages all members, in their ranges.",
    steps: [
      agent(),
      client("a"),
      say("a", resize(100, 40)),
      octets("a", "x"),
      octets("agent", "y"),
      FENCE,
      say("a", { type: "own" }),
      say("agent", exit(true)),
      FENCE,
      say("a", { type: "start" }),
      FENCE,
      client("b"),
      say("b", "{"),
      until(closed("b", 1008)),
    ],
    control: [agent(), client("a"), say("a", resize(100, 40)), say("agent", exit(true)), FENCE, client("b"), FENCE],
    see: all(...["agent", "a", "b"].map((on): Sight => ({ see: "well-formed", on }))),
  },
  {
    id: "unknown-members-of-client",
    covers: "channel#2.2/unknown-members",
    title: "Ignores unknown members of a client's message.",
    steps: [agent(), client("a"), say("a", { ...resize(90, 30), pixels: { x: 1 } })],
    see: message("agent", resize(90, 30)),
  },
  {
    id: "unknown-members-of-agent",
    covers: "channel#2.2/unknown-members",
    title: "Ignores unknown members of an offer.",
    steps: [agent("agent", { offer: offer({ shell: "sh" }) }), client("a")],
    see: message("a", { type: "state", agent: "here" }),
  },
  {
    id: "boundaries-of-messages",
    covers: "channel#2.1/streams",
    title: "Passes on octets whatever the boundaries of messages are.",
    steps: [
      agent(),
      client("a"),
      octets("agent", "a"),
      octets("agent", ""),
      octets("agent", "bc"),
      octets("a", "x"),
      octets("a", ""),
      octets("a", "yz"),
    ],
    see: all(shown("a", "abc"), shown("agent", "xyz")),
  },
  {
    id: "octets-of-any-value",
    covers: "channel#2.1/streams",
    title: "Passes on octets of any value, in both directions.",
    steps: [agent(), client("a"), octets("agent", "\x00\x80\xff\xc3\x1b"), octets("a", "\xff\x00\xc3\x80")],
    see: all(shown("a", "\x00\x80\xff\xc3\x1b"), shown("agent", "\xff\x00\xc3\x80")),
  },
  {
    id: "text-too-long-of-client",
    covers: "channel#2.3/text-length",
    title: "Closes with 1009 after a text message of 4,097 characters of a client.",
    steps: [agent(), client("a"), say("a", padded("y"))],
    control: [agent(), client("a"), say("a", padded(""))],
    see: closed("a", 1009, "message-too-big"),
  },
  {
    id: "text-too-long-of-agent",
    covers: "channel#2.3/text-length",
    title: "Closes with 1009 after a text message of 4,097 characters of an agent.",
    steps: [agent(), say("agent", padded("y"))],
    control: [agent(), say("agent", padded(""))],
    see: closed("agent", 1009, "message-too-big"),
  },
  {
    id: "octets-too-long-of-client",
    covers: "channel#2.3/octets-length",
    title: "Closes with 1009 after a binary message of 65,537 octets of a client.",
    steps: [agent(), client("a"), octets("a", "x", 65_537, true)],
    control: [agent(), client("a"), octets("a", "x", 65_536, true)],
    see: closed("a", 1009),
  },
  {
    id: "octets-too-long-of-agent",
    covers: "channel#2.3/octets-length",
    title: "Closes with 1009 after a binary message of 65,537 octets of an agent.",
    steps: [agent(), octets("agent", "x", 65_537, true)],
    control: [agent(), octets("agent", "x", 65_536, true)],
    see: closed("agent", 1009),
  },
  {
    id: "nothing-after-malformed-of-client",
    covers: "channel#2.2/malformed",
    title: "Takes nothing from a client after its malformed message.",
    steps: [
      agent(),
      client("a"),
      say("a", "{"),
      octets("a", "x"),
      say("a", resize(90, 30)),
      say("a", "{"),
      until(closed("a", 1008)),
      FENCE,
    ],
    control: [agent(), client("a"), octets("a", "x"), say("a", resize(90, 30)), FENCE],
    see: all(only("a", { type: "error" }), shown("agent", ""), never("agent", { type: "resize" })),
  },
  {
    id: "nothing-after-malformed-of-agent",
    covers: "channel#2.2/malformed",
    title: "Takes nothing from an agent after its malformed message.",
    steps: [
      agent(),
      client("a"),
      say("agent", "{"),
      octets("agent", "x"),
      say("agent", exit(true)),
      say("agent", "{"),
      until(closed("agent", 1008)),
      FENCE,
    ],
    control: [agent(), client("a"), octets("agent", "x"), say("agent", exit(true)), FENCE],
    see: all(only("agent", { type: "error" }), shown("a", ""), never("a", { type: "exit" })),
  },
  {
    id: "malformed-of-one-client",
    covers: "channel#2.2/malformed",
    title: "Keeps the other connections after a malformed message of one client.",
    steps: [agent(), client("a"), client("b"), say("a", "{"), octets("b", "x")],
    see: all(open("b"), open("agent"), shown("agent", "x")),
  },
]);
