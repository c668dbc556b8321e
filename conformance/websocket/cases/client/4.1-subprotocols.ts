import { comesBack, open, permitted, send, text } from "../phrases.ts";
import type { Case, Handshake, Outcome } from "../../vocabulary.ts";
import { responseOf, failsHandshake } from "./phrases.ts";

/** RFC 6455, section 4.1: the subprotocol that a response selects. */

const chosen = (...values: readonly string[]): Handshake => ({ more: values.map((value) => `Sec-WebSocket-Protocol: ${value}`) });
const HELLO = text("Hello");
const ASKED = { needs: ["subprotocol"], ask: { protocols: ["chat", "superchat"] } } as const;
const base = { spec: "rfc6455#4.1", covers: ["rfc6455#4.1/answer-subprotocol"], level: "MUST" } as const;

/** Invalid selections; the client offered chat and superchat. */
const WRONG: readonly (readonly [id: string, what: string, answer: Handshake, ...others: Outcome[]])[] = [
  ["not-offered", "a subprotocol that it did not offer", chosen("other")],
  ["longer", "a subprotocol whose name merely begins like an offered one", chosen("chats")],
  // The text does not say how names are compared.
  ["capitals", "an offered subprotocol in another case", chosen("CHAT"), permitted({ see: "all echoed" }, "rfc6455#4.1", "warn")],
  ["both", "both subprotocols in one field", chosen("chat, superchat")],
  [
    "both-in-two-fields",
    "both subprotocols in two fields",
    chosen("chat", "superchat"),
    permitted({ see: "all echoed" }, "rfc6455#11.3.4", "warn"),
  ],
  ["offered-and-other", "an offered and another subprotocol", chosen("chat, other")],
  ["empty", "an empty subprotocol", chosen(""), permitted({ see: "all echoed" }, "rfc6455#4.2.2", "warn")],
  ["quoted", "a quoted subprotocol", chosen('"chat"')],
];

export const cases: readonly Case[] = [
  ...(["chat", "superchat"] as const).map((name): Case => ({
    ...base,
    ...ASKED,
    id: `websocket/client-subprotocol-${name}`,
    role: "client",
    covers: ["rfc6455#4.1/answer-taken"],
    title: `The client opens the connection for a response that selects ${name}, which it offered.`,
    steps: [open(chosen(name)), send(HELLO)],
    control: [open(chosen(name)), send(HELLO)],
    allowed: comesBack,
  })),
  {
    ...base,
    ...ASKED,
    id: "websocket/client-subprotocol-none",
    role: "client",
    covers: ["rfc6455#4.1/answer-taken"],
    title: "The client opens the connection if the response selects no subprotocol, unless it requires one.",
    steps: [open(), send(HELLO)],
    control: [open(chosen("chat")), send(HELLO)],
    allowed: [...comesBack, permitted({ see: "handshake failed late" }, "rfc6455#1.9")],
  },
  ...WRONG.map(([id, what, answer, ...others]): Case => ({
    ...base,
    ...ASKED,
    id: `websocket/client-subprotocol-${id}`,
    title: `The client fails the connection on a response that selects ${what}.`,
    ...responseOf({ wrong: answer, right: chosen("chat") }),
    allowed: failsHandshake(...others),
  })),
  {
    ...base,
    id: "websocket/client-subprotocol-unasked",
    title: "The client fails the connection if the response selects a subprotocol but it offered none.",
    ...responseOf({ wrong: chosen("chat") }),
    allowed: failsHandshake(),
  },
];
