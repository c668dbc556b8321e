import type { RequirementRef } from "../../../harness/case.ts";
import { all, echoed, holds, open, permitted, send, text } from "../phrases.ts";
import type { Case, FrameSpec, Handshake } from "../../vocabulary.ts";
import { agreeing, responseOf, failsHandshake } from "./phrases.ts";

/** RFC 7692, sections 5 and 7.1, for clients: the response to an offer of permessage-deflate. */

const packed = (content: string): FrameSpec => text(content, { deflate: {} });
/** A text that repeats nothing within 1,600 octets: only a larger window helps to compress its repetition. */
const BLOCK = Array.from({ length: 400 }, (_, at) => (at * 2_654_435_761).toString(36).slice(-4)).join("");
const MESSAGES: readonly FrameSpec[] = [packed("Hello"), packed(BLOCK), packed(BLOCK), text("as it is"), packed("Hello")];
/** Short enough for the smallest window, to which our own compression cannot restrict itself. */
const SHORT: readonly FrameSpec[] = [packed("Hello"), packed("Hello, hello"), text("as it is"), packed("Hello")];

/** Valid parameters: the client accepts them, unless it does not support them (rfc7692#7). */
const SMALLEST_WINDOW = "server_max_window_bits=8";
const GOOD: readonly (readonly [id: string, parameters: string, needs: readonly string[]])[] = [
  ["plain", "", ["deflate"]],
  ["server-no-takeover", "server_no_context_takeover", ["asks nothing"]],
  ["client-no-takeover", "client_no_context_takeover", ["asks nothing"]],
  ["both-no-takeover", "client_no_context_takeover; server_no_context_takeover", ["asks nothing"]],
  ...([8, 9, 10, 12, 15] as const).map((bits) => [`server-window-${bits}`, `server_max_window_bits=${bits}`, ["asks nothing"]] as const),
  ["server-window-quoted", 'server_max_window_bits="10"', ["asks nothing"]],
  ...([8, 9, 10, 12, 15] as const).map((bits) => [`client-window-${bits}`, `client_max_window_bits=${bits}`, ["client window"]] as const),
  ["client-window-quoted", 'client_max_window_bits="10"', ["client window"]],
  [
    "everything",
    "server_no_context_takeover; client_no_context_takeover; server_max_window_bits=10; client_max_window_bits=10",
    ["client window", "asks nothing"],
  ],
];

type Wrong = readonly [id: string, what: string, parameters: string, covers: RequirementRef, needs?: string];
const UNKNOWN = "rfc7692#7/fail-unknown";
const VALUE = "rfc7692#7/fail-value";
const REPEATED = "rfc7692#7/fail-repeated";
const BAD: readonly Wrong[] = [
  ["unknown", "an undefined parameter", "touchstone", UNKNOWN],
  ["unknown-with-value", "an undefined parameter with a value", "touchstone=1", UNKNOWN],
  ["unknown-behind-known", "an undefined parameter after a defined one", "server_no_context_takeover; touchstone", UNKNOWN],
  ["longer-name", "a parameter whose name merely begins like a defined one", "server_no_context_takeovers", UNKNOWN],
  ["server-no-takeover-value", "a value for server_no_context_takeover", "server_no_context_takeover=1", VALUE],
  ["client-no-takeover-value", "a value for client_no_context_takeover", "client_no_context_takeover=true", VALUE],
  ["server-window-without-value", "server_max_window_bits without a value", "server_max_window_bits", VALUE],
  ...(["0", "7", "16", "32", "010", "08", "-9", "8.0", "0x0a", "abc"] as const).map((value): Wrong => [
    `server-window-${value.replace(/\W/g, value.startsWith("-") ? "minus-" : "-point-")}`,
    `server_max_window_bits=${value}`,
    `server_max_window_bits=${value}`,
    VALUE,
  ]),
  ["client-window-without-value", "client_max_window_bits without a value", "client_max_window_bits", VALUE, "client window"],
  ...(["0", "7", "16", "09", "abc"] as const).map((value): Wrong => [
    `client-window-${value}`,
    `client_max_window_bits=${value}`,
    `client_max_window_bits=${value}`,
    VALUE,
    "client window",
  ]),
  [
    "client-window-unasked",
    "client_max_window_bits=10, which it did not offer",
    "client_max_window_bits=10",
    "rfc7692#7.1.2.2/client-window-unasked",
    "no client window",
  ],
  ...(["server_no_context_takeover", "client_no_context_takeover"] as const).map((name): Wrong => [
    `${name.replaceAll("_", "-")}-twice`,
    `${name} twice`,
    `${name}; ${name}`,
    REPEATED,
  ]),
  ["server-window-twice", "server_max_window_bits twice", "server_max_window_bits=10; server_max_window_bits=10", REPEATED],
  [
    "client-window-twice",
    "client_max_window_bits twice",
    "client_max_window_bits=10; client_max_window_bits=12",
    REPEATED,
    "client window",
  ],
];

/** What it offers; the feature "deflate" is missing if it never goes on after such a response. */
const GRANTED = [
  ["", " as it is", "offers deflate"],
  ["-without-takeover", ", in which it asks the server to take over no context", "offers no takeover"],
  ["-with-window", ", in which it asks for a server's window", "offers a server window"],
] as const;
const KEPT = all(echoed, holds("inflatable messages"), holds("client window respected"), holds("valid frames"));
const twice: Handshake = { more: ["Sec-WebSocket-Extensions: permessage-deflate, permessage-deflate"] };
const plain = agreeing();

export const cases: readonly Case[] = [
  ...GRANTED.map(([id, what, feature]): Case => ({
    id: `websocket/client-deflate-granted${id}`,
    spec: "rfc6455#4.1",
    covers: ["rfc6455#4.1/answer-taken", "rfc7692#7/answer-taken"],
    level: "MUST",
    role: "client",
    title: `The client opens the connection for a response that grants its offer of permessage-deflate${what}.`,
    needs: [feature],
    steps: [open(plain), send(...SHORT)],
    control: [open(), send(text("Hello"), text("as it is"))],
    allowed: [{ see: KEPT }],
  })),
  ...GOOD.map(([id, parameters, needs]): Case => ({
    id: `websocket/client-deflate-answer-${id}`,
    spec: "rfc7692#7.1",
    covers: ["rfc7692#7/answer-taken"],
    level: "MUST",
    role: "client",
    title: `The client accepts permessage-deflate with ${parameters === "" ? "no parameters" : parameters}, or fails the connection if it does not support that.`,
    needs,
    steps: [open(agreeing(parameters)), send(...(parameters === SMALLEST_WINDOW ? SHORT : MESSAGES))],
    control: [open(), send(text("Hello"), text(BLOCK))],
    allowed: [
      {
        see: parameters.includes("client_no_context_takeover") ? all(KEPT, holds("no context takeover")) : KEPT,
      },
      ...(parameters === ""
        ? []
        : [permitted({ see: "handshake failed late" }, "rfc7692#7"), permitted({ see: "Close and end", echoes: 0 }, "rfc7692#7", "warn")]),
    ],
  })),
  ...BAD.map(([id, what, parameters, covers, needs = "deflate"]): Case => ({
    id: `websocket/client-deflate-bad-${id}`,
    spec: covers.includes("7.1.2.2") ? "rfc7692#7.1.2.2" : "rfc7692#7",
    covers: [covers],
    level: "MUST",
    title: `The client fails the connection on a response of permessage-deflate with ${what}.`,
    needs: [needs],
    ...responseOf({ wrong: agreeing(parameters), right: plain }),
    allowed: failsHandshake(),
  })),
  {
    id: "websocket/client-deflate-bad-server-window-larger",
    spec: "rfc7692#7.1.2.1",
    covers: ["rfc7692#7.1.2.1/answer-no-larger"],
    level: "MUST",
    title: "The client fails the connection if the response has a larger server_max_window_bits than it offered.",
    needs: ["asks a server window"],
    ...responseOf({ wrong: { more: ["{deflateOfLargerWindow}"] }, right: { more: ["{deflate}"] } }),
    allowed: failsHandshake(),
  },
  {
    id: "websocket/client-deflate-bad-server-window-missing",
    spec: "rfc7692#7.1.2.1",
    covers: ["rfc7692#7.1.2.1/answer-no-larger"],
    level: "MUST",
    title: "The client fails the connection if the response lacks the server_max_window_bits that it offered.",
    needs: ["asks a server window"],
    ...responseOf({ wrong: { more: ["{deflateWithoutWindow}"] }, right: { more: ["{deflate}"] } }),
    allowed: failsHandshake(),
  },
  {
    id: "websocket/client-deflate-bad-server-takes-over",
    spec: "rfc7692#7.1.1.1",
    covers: ["rfc7692#7.1.1.1/answer-without"],
    level: "MUST",
    title: "The client fails the connection if the response lacks the server_no_context_takeover that it offered.",
    needs: ["asks no takeover"],
    ...responseOf({ wrong: { more: ["{deflateWithTakeover}"] }, right: { more: ["{deflate}"] } }),
    allowed: failsHandshake(),
  },
  {
    id: "websocket/client-deflate-bad-twice",
    spec: "rfc7692#5",
    covers: ["rfc7692#5/conflict"],
    level: "MUST",
    title: "The client fails the connection if the response accepts permessage-deflate twice.",
    needs: ["deflate"],
    ...responseOf({ wrong: twice, right: plain }),
    allowed: failsHandshake(),
  },
];
