import { comesBack, open, permitted, send, text } from "../phrases.ts";
import type { Case, Handshake, Outcome } from "../vocabulary.ts";
import { answerOf, givesUp } from "./phrases.ts";

const chosen = (...values: readonly string[]): Handshake => ({ more: values.map((value) => `Sec-WebSocket-Protocol: ${value}`) });
const HELLO = text("Hello");
const ASKED = { needs: ["subprotocol"], ask: { protocols: ["chat", "superchat"] } } as const;
const base = { spec: "rfc6455#4.1", covers: ["rfc6455#4.1/answer-subprotocol"], level: "MUST" } as const;

/** Chat and superchat were offered. */
const WRONG: readonly (readonly [id: string, what: string, answer: Handshake, ...others: Outcome[]])[] = [
  ["not-offered", "a sub-protocol that was not offered", chosen("other")],
  ["longer", "a sub-protocol whose name begins like one that was offered", chosen("chats")],
  ["capitals", "a sub-protocol that was offered in lower case in capitals", chosen("CHAT")],
  ["both", "both sub-protocols in one field", chosen("chat, superchat")],
  [
    "both-in-two-fields",
    "both sub-protocols in two fields",
    chosen("chat", "superchat"),
    permitted({ see: "all echoed" }, "rfc6455#11.3.4", "warn"),
  ],
  ["offered-and-other", "one sub-protocol that was offered and one that was not", chosen("chat, other")],
  ["empty", "an empty sub-protocol", chosen(""), permitted({ see: "all echoed" }, "rfc6455#4.2.2", "warn")],
  ["quoted", "a sub-protocol in quotation marks", chosen('"chat"')],
];

export const cases: readonly Case[] = [
  ...(["chat", "superchat"] as const).map((name): Case => ({
    ...base,
    ...ASKED,
    id: `websocket/client-subprotocol-${name}`,
    role: "client",
    covers: ["rfc6455#4.1/answer-taken"],
    title: `An answer that chooses ${name}, which was offered, opens the connection.`,
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
    title: "An answer that chooses none of the sub-protocols opens the connection, unless the client cannot do without.",
    steps: [open(), send(HELLO)],
    control: [open(chosen("chat")), send(HELLO)],
    allowed: [...comesBack, permitted({ see: "handshake failed late" }, "rfc6455#1.9")],
  },
  ...WRONG.map(([id, what, answer, ...others]): Case => ({
    ...base,
    ...ASKED,
    id: `websocket/client-subprotocol-${id}`,
    title: `An answer that chooses ${what} is given up.`,
    ...answerOf(answer, chosen("chat")),
    allowed: givesUp(...others),
  })),
  {
    ...base,
    id: "websocket/client-subprotocol-unasked",
    title: "An answer that chooses a sub-protocol where none was offered is given up.",
    ...answerOf(chosen("chat")),
    allowed: givesUp(),
  },
];
