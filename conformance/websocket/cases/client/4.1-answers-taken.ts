import { comesBack, comesBackWith, holds, open, permitted, send, text } from "../phrases.ts";
import type { Case, Handshake, Outcome, Step } from "../../vocabulary.ts";

/** RFC 6455, section 4.1: responses for which a client opens the connection. */

const HELLO = text("Hello");
const instead = (fields: Readonly<Record<string, string>>): Handshake => ({ instead: fields });

/** Valid responses that are written in unusual ways. */
const GOOD: readonly (readonly [id: string, what: string, answer: Handshake, ...others: Outcome[]])[] = [
  ["upgrade-capitals", "with Upgrade in upper case", instead({ Upgrade: "WEBSOCKET" })],
  ["upgrade-mixed", "with Upgrade: WebSocket", instead({ Upgrade: "WebSocket" })],
  ["connection-lower-case", "with Connection in lower case", instead({ Connection: "upgrade" })],
  ["connection-capitals", "with Connection in upper case", instead({ Connection: "UPGRADE" })],
  ["connection-list", "with other tokens in Connection", instead({ Connection: "keep-alive, Upgrade" })],
  ["connection-list-first", "with other tokens after Upgrade in Connection", instead({ Connection: "Upgrade, keep-alive" })],
  ["connection-two-fields", "with two Connection fields", { instead: { Connection: "keep-alive" }, more: ["Connection: Upgrade"] }],
  [
    "names-lower-case",
    "with field names in lower case",
    {
      instead: { Upgrade: "none", Connection: "none", "Sec-WebSocket-Accept": "none" },
      more: ["upgrade: websocket", "connection: Upgrade", "sec-websocket-accept: {accept}"],
    },
  ],
  [
    "names-capitals",
    "with field names in upper case",
    {
      instead: { Upgrade: "none", Connection: "none", "Sec-WebSocket-Accept": "none" },
      more: ["SEC-WEBSOCKET-ACCEPT: {accept}", "CONNECTION: Upgrade", "UPGRADE: websocket"],
    },
  ],
  ["accept-spaced", "with whitespace around the accept value", instead({ "Sec-WebSocket-Accept": "  {accept}\t " })],
  [
    "accept-close",
    "without spaces after colons",
    {
      instead: { Upgrade: "none", Connection: "none", "Sec-WebSocket-Accept": "none" },
      more: ["Upgrade:websocket", "Connection:Upgrade", "Sec-WebSocket-Accept:{accept}"],
    },
  ],
  ["reason-empty", "without a reason phrase", { start: "HTTP/1.1 101 " }],
  ["reason-another", "with another reason phrase", { start: "HTTP/1.1 101 200 OK" }],
  ["unknown-fields", "with unknown fields", { more: ["X-Touchstone: yes", "X-Empty:", 'X-Quoted: "a, b"'] }],
  [
    "usual-fields",
    "with Date, Server and Set-Cookie",
    { more: ["Date: Sat, 21 Nov 2026 12:00:00 GMT", "Server: touchstone", "Set-Cookie: a=b", "Set-Cookie: c=d"] },
  ],
  ["forty-fields", "with forty fields", { more: Array.from({ length: 40 }, (_, at) => `X-Touchstone-${at}: ${at}`) }],
  ["long-field", "with a field of 4,000 octets", { more: [`X-Touchstone: ${"a".repeat(4000)}`] }],
];

/** Frames that arrive together with the response, as soon as a server may send them. */
const EARLY: readonly (readonly [id: string, what: string, steps: readonly Step[]])[] = [
  ["with-a-message", "a message", [open({ content: "\x81\x05Hello" })]],
  ["with-two-messages", "two messages", [open({ content: "\x81\x05Hello\x82\x02\x00\x01" })]],
  [
    "with-half-a-frame",
    "a message that begins",
    // A client that read both together would not show that it keeps the first octet.
    [open({ content: "\x81" }), { do: "wait", ms: 50 }, { do: "bytes", hex: "0548656c6c6f", note: "the rest of the frame" }],
  ],
  ["with-a-long-message", "a message of 3,000 octets", [open({ content: `\x81\x7e\x0b\xb8${"a".repeat(3000)}` })]],
  [
    "with-a-fragment",
    "a message whose first fragment is",
    [open({ content: "\x01\x03Hel" }), send({ opcode: "continuation", text: "lo" })],
  ],
];

/** Unrequested interim responses (rfc9110#15.2). */
const INTERIM: readonly (readonly [id: string, what: string, head: string])[] = [
  ["100", "100", "HTTP/1.1 100 Continue\r\n\r\n"],
  ["102", "102", "HTTP/1.1 102 Processing\r\nX-Touchstone: 1\r\n\r\n"],
  ["103", "103", "HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload; as=style\r\n\r\n"],
];

/** Lists with empty elements, which a recipient ignores if they are few (rfc9110#5.6.1.2). */
const GAPS: readonly (readonly [id: string, what: string, answer: Handshake])[] = [
  ["connection", "Connection", instead({ Connection: "keep-alive, , Upgrade" })],
  ["connection-at-the-ends", "Connection, at its ends", instead({ Connection: ", Upgrade," })],
];

/** No sender may write such a list (rfc9110#5.6.1.1). */
const unwritten = permitted({ see: "handshake failed late" }, "rfc9110#5.6.1.1", "warn");

const base = { spec: "rfc6455#4.1", covers: ["rfc6455#4.1/answer-taken"], level: "MUST", role: "client" } as const;

export const cases: readonly Case[] = [
  {
    ...base,
    id: "websocket/client-answer-plain",
    title: "The client opens the connection for a plain response and sends valid frames.",
    steps: [open(), send(HELLO)],
    control: [open(), send(HELLO)],
    allowed: comesBackWith(holds("valid frames"), holds("no compressed messages")),
  },
  ...GOOD.map(([id, what, answer, ...others]): Case => ({
    ...base,
    id: `websocket/client-answer-${id}`,
    title: `The client opens the connection for a response ${what}.`,
    steps: [open(answer), send(HELLO)],
    control: [open(), send(HELLO)],
    allowed: [...comesBack, ...others],
  })),
  ...GAPS.map(([id, what, answer]): Case => ({
    ...base,
    id: `websocket/client-answer-with-gaps-${id}`,
    spec: "rfc9110#5.6.1.2",
    covers: ["rfc9110#5.6.1.2/empty-elements"],
    title: `The client ignores the empty elements of a list in ${what} of the response.`,
    steps: [open(answer), send(HELLO)],
    control: [open(), send(HELLO)],
    allowed: [...comesBack, unwritten],
  })),
  {
    ...base,
    id: "websocket/client-answer-with-gaps-extensions",
    spec: "rfc9110#5.6.1.2",
    covers: ["rfc9110#5.6.1.2/empty-elements"],
    title: "The client ignores the empty elements of the list of extensions in the response.",
    needs: ["deflate"],
    steps: [open({ more: ["{deflate}, ,"] }), send(HELLO)],
    control: [open({ more: ["{deflate}"] }), send(HELLO)],
    allowed: [...comesBack, unwritten],
  },
  ...([1, 7] as const).map((cut): Case => ({
    ...base,
    id: `websocket/client-answer-in-pieces-of-${cut}`,
    title: `The client opens the connection for a response that arrives in pieces of ${cut} ${cut === 1 ? "octet" : "octets"}.`,
    steps: [{ do: "open", cut }, send(HELLO)],
    control: [open(), send(HELLO)],
    // A client may limit how slowly a head arrives.
    allowed: [...comesBack, permitted({ see: "handshake failed late" }, "rfc6455#10.4", "warn")],
  })),
  ...EARLY.map(([id, what, steps]): Case => ({
    ...base,
    id: `websocket/client-answer-${id}`,
    covers: ["rfc6455#4.1/answer-taken", "rfc6455#6.2/message"],
    title: `The client echoes ${what} in the same write as the handshake response.`,
    steps,
    control: [open(), send(HELLO)],
    allowed: comesBack,
  })),
  ...INTERIM.map(([id, what, head]): Case => ({
    ...base,
    id: `websocket/client-answer-behind-${id}`,
    spec: "rfc9110#15.2",
    covers: ["rfc9110#15.2/client-parses"],
    title: `The client opens the connection for a response after an interim ${what}.`,
    steps: [{ do: "text", text: head }, open(), send(HELLO)],
    control: [open(), send(HELLO)],
    allowed: comesBack,
  })),
  {
    ...base,
    id: "websocket/client-answer-with-content-length",
    level: "SHOULD",
    title: "The client ignores Content-Length: 0 in the handshake response, where it does not belong.",
    steps: [open({ more: ["Content-Length: 0"] }), send(HELLO)],
    control: [open(), send(HELLO)],
    // A server must not send it, so failing the connection is as good.
    allowed: [...comesBack, permitted({ see: "handshake failed late" }, "rfc9110#8.6")],
  },
];
