import { comesBack, comesBackWith, holds, open, permitted, send, text } from "../phrases.ts";
import type { Case, Handshake, Outcome, Step } from "../vocabulary.ts";

const HELLO = text("Hello");
const instead = (fields: Readonly<Record<string, string>>): Handshake => ({ instead: fields });

/** Answers that differ from the plain one in nothing that matters. */
const GOOD: readonly (readonly [id: string, what: string, answer: Handshake, ...others: Outcome[]])[] = [
  ["upgrade-capitals", "whose Upgrade field is in capitals", instead({ Upgrade: "WEBSOCKET" })],
  ["upgrade-mixed", "whose Upgrade field says WebSocket", instead({ Upgrade: "WebSocket" })],
  ["connection-lower-case", "whose Connection field is in lower case", instead({ Connection: "upgrade" })],
  ["connection-capitals", "whose Connection field is in capitals", instead({ Connection: "UPGRADE" })],
  ["connection-list", "whose Connection field has other tokens too", instead({ Connection: "keep-alive, Upgrade" })],
  ["connection-list-first", "whose Connection field has other tokens behind it", instead({ Connection: "Upgrade, keep-alive" })],
  ["connection-two-fields", "with two Connection fields", { instead: { Connection: "keep-alive" }, more: ["Connection: Upgrade"] }],
  [
    "names-lower-case",
    "whose field names are in lower case",
    {
      instead: { Upgrade: "none", Connection: "none", "Sec-WebSocket-Accept": "none" },
      more: ["upgrade: websocket", "connection: Upgrade", "sec-websocket-accept: {accept}"],
    },
  ],
  [
    "names-capitals",
    "whose field names are in capitals",
    {
      instead: { Upgrade: "none", Connection: "none", "Sec-WebSocket-Accept": "none" },
      more: ["SEC-WEBSOCKET-ACCEPT: {accept}", "CONNECTION: Upgrade", "UPGRADE: websocket"],
    },
  ],
  ["accept-spaced", "whose accept value has white space around it", instead({ "Sec-WebSocket-Accept": "  {accept}\t " })],
  [
    "accept-close",
    "whose fields have no space behind their colons",
    {
      instead: { Upgrade: "none", Connection: "none", "Sec-WebSocket-Accept": "none" },
      more: ["Upgrade:websocket", "Connection:Upgrade", "Sec-WebSocket-Accept:{accept}"],
    },
  ],
  ["reason-empty", "without a reason behind its status", { start: "HTTP/1.1 101 " }],
  ["reason-another", "with another reason behind its status", { start: "HTTP/1.1 101 200 OK" }],
  ["unknown-fields", "with fields that nobody knows", { more: ["X-Touchstone: yes", "X-Empty:", 'X-Quoted: "a, b"'] }],
  [
    "usual-fields",
    "with Date, Server and Set-Cookie",
    { more: ["Date: Sat, 21 Nov 2026 12:00:00 GMT", "Server: touchstone", "Set-Cookie: a=b", "Set-Cookie: c=d"] },
  ],
  ["forty-fields", "with forty fields", { more: Array.from({ length: 40 }, (_, at) => `X-Touchstone-${at}: ${at}`) }],
  ["long-field", "with a field of 4,000 octets", { more: [`X-Touchstone: ${"a".repeat(4000)}`] }],
];

/** Frames that come with the answer or right behind it, as soon as a server may send them. */
const EARLY: readonly (readonly [id: string, what: string, steps: readonly Step[]])[] = [
  ["with-a-message", "A message in the same write as the answer", [open({ content: "\x81\x05Hello" })]],
  ["with-two-messages", "Two messages in the same write as the answer", [open({ content: "\x81\x05Hello\x82\x02\x00\x01" })]],
  [
    "with-half-a-frame",
    "A message whose first octets are in the same write as the answer",
    [open({ content: "\x81" }), { do: "bytes", hex: "0548656c6c6f", note: "the rest of the frame" }],
  ],
  [
    "with-a-long-message",
    "A message of 3,000 octets in the same write as the answer",
    [open({ content: `\x81\x7e\x0b\xb8${"a".repeat(3000)}` })],
  ],
  [
    "with-a-fragment",
    "The first fragment of a message in the same write as the answer",
    [open({ content: "\x01\x03Hel" }), send({ opcode: "continuation", text: "lo" })],
  ],
];

/** Interim responses that no client has asked for (rfc9110#15.2). */
const INTERIM: readonly (readonly [id: string, what: string, head: string])[] = [
  ["100", "100", "HTTP/1.1 100 Continue\r\n\r\n"],
  ["102", "102", "HTTP/1.1 102 Processing\r\nX-Touchstone: 1\r\n\r\n"],
  ["103", "103", "HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload; as=style\r\n\r\n"],
];

const base = { spec: "rfc6455#4.1", covers: ["rfc6455#4.1/answer-taken"], level: "MUST", role: "client" } as const;

export const cases: readonly Case[] = [
  {
    ...base,
    id: "websocket/client-answer-plain",
    title: "A plain answer opens the connection, and what is sent is legal.",
    steps: [open(), send(HELLO)],
    control: [open(), send(HELLO)],
    allowed: comesBackWith(holds("valid frames"), holds("no compressed messages")),
  },
  ...GOOD.map(([id, what, answer, ...others]): Case => ({
    ...base,
    id: `websocket/client-answer-${id}`,
    title: `An answer ${what} opens the connection.`,
    steps: [open(answer), send(HELLO)],
    control: [open(), send(HELLO)],
    allowed: [...comesBack, ...others],
  })),
  ...([1, 7] as const).map((cut): Case => ({
    ...base,
    id: `websocket/client-answer-in-pieces-of-${cut}`,
    title: `An answer that comes in pieces of ${cut} ${cut === 1 ? "octet" : "octets"} opens the connection.`,
    steps: [{ do: "open", cut }, send(HELLO)],
    control: [open(), send(HELLO)],
    // Whoever limits how a head may come in pieces is careful, not deaf.
    allowed: [...comesBack, permitted({ see: "handshake failed late" }, "rfc6455#10.4", "warn")],
  })),
  ...EARLY.map(([id, what, steps]): Case => ({
    ...base,
    id: `websocket/client-answer-${id}`,
    covers: ["rfc6455#4.1/answer-taken", "rfc6455#6.2/message"],
    title: `${what} comes back.`,
    steps,
    control: [open(), send(HELLO)],
    allowed: comesBack,
  })),
  ...INTERIM.map(([id, what, head]): Case => ({
    ...base,
    id: `websocket/client-answer-behind-${id}`,
    spec: "rfc9110#15.2",
    covers: ["rfc9110#15.2/client-parses"],
    title: `An answer that comes behind a response of ${what} opens the connection.`,
    steps: [{ do: "text", text: head }, open(), send(HELLO)],
    control: [open(), send(HELLO)],
    allowed: comesBack,
  })),
  {
    ...base,
    id: "websocket/client-answer-with-content-length",
    level: "SHOULD",
    title: "A Content-Length of 0 in the answer, which does not belong there, changes nothing.",
    steps: [open({ more: ["Content-Length: 0"] }), send(HELLO)],
    control: [open(), send(HELLO)],
    // No server may send it: to give the answer up is as good.
    allowed: [...comesBack, permitted({ see: "handshake failed late" }, "rfc9110#8.6")],
  },
];
