import { all, comesBackWith, echoed, holds, offering, open, openForAnswer, permitted, send, text } from "../phrases.ts";
import { type RequirementRef, sectionOf } from "../../../harness/case.ts";
import type { Case, FieldSight, FrameSpec, Handshake, Outcome, Sight } from "../../vocabulary.ts";

/** RFC 7692, sections 5 and 7.1: offers of permessage-deflate, and how a server answers them. */

const EXTENSIONS = "sec-websocket-extensions";
const NO_DEFLATE: Sight = { see: "handshake", fields: [{ name: EXTENSIONS, absent: true }] };
const answer = (pattern: string): Sight => ({ see: "handshake", fields: [{ name: EXTENSIONS, pattern } satisfies FieldSight] });
const AS_OFFERED = holds("valid permessage-deflate response");

/** A text that repeats nothing within 1,600 octets: only a larger window helps to compress its repetition. */
const BLOCK = Array.from({ length: 400 }, (_, at) => (at * 2_654_435_761).toString(36).slice(-4)).join("");
const MESSAGES: readonly FrameSpec[] = [text("Hello"), text(BLOCK), text(BLOCK)];

const taken = (handshake: Handshake): Pick<Case, "role" | "steps" | "control"> => ({
  role: "server",
  steps: [open(handshake), send(...MESSAGES)],
  control: [open(), send(...MESSAGES)],
});

/** Accepted in accordance with the offer, or declined. */
const agreedOr = (...also: readonly Sight[]): readonly [Outcome, ...Outcome[]] => [
  {
    see: all(echoed, answer("^permessage-deflate"), AS_OFFERED, holds("inflatable messages"), holds("server window respected"), ...also),
  },
  permitted(all(echoed, NO_DEFLATE), "rfc7692#5"),
];

type Good = readonly [id: string, what: string, parameters: string, covers: RequirementRef, ...also: Sight[]];
const without = (name: string): Sight => ({ see: "not", of: answer(name) });
const bits = (name: string, most: number): Sight =>
  answer(`${name}="?(?:${Array.from({ length: most - 7 }, (_, at) => at + 8).join("|")})"?(?:;|$|\\s)`);

/** The window of a server that does not mention one. */
const LARGEST_WINDOW = "server_max_window_bits=15";
const GOOD: readonly Good[] = [
  ["plain", "without parameters", "", "rfc7692#7.1.2.2/client-window-offered", without("client_max_window_bits")],
  [
    "server-no-takeover",
    "with server_no_context_takeover",
    "server_no_context_takeover",
    "rfc7692#7.1.1.1/server-accepts",
    answer("server_no_context_takeover"),
    holds("no context takeover"),
  ],
  ["client-no-takeover", "with client_no_context_takeover", "client_no_context_takeover", "rfc7692#7.1.1.2/client-no-takeover-value"],
  [
    "both-no-takeover",
    "with both no_context_takeover parameters",
    "server_no_context_takeover; client_no_context_takeover",
    "rfc7692#7.1.1.1/server-no-takeover",
    answer("server_no_context_takeover"),
    holds("no context takeover"),
  ],
  ...([8, 9, 10, 12, 14, 15] as const).map((most): Good => [
    `server-window-${most}`,
    `with server_max_window_bits=${most}`,
    `server_max_window_bits=${most}`,
    "rfc7692#7.1.2.1/server-window-no-larger",
    bits("server_max_window_bits", most),
  ]),
  [
    "server-window-quoted",
    "with a quoted server_max_window_bits",
    'server_max_window_bits="10"',
    "rfc7692#7.1.2.1/server-window-value",
    bits("server_max_window_bits", 10),
  ],
  ["client-window", "with client_max_window_bits", "client_max_window_bits", "rfc7692#7.1.2.2/client-window-value"],
  ...([8, 9, 10, 15] as const).map((most): Good => [
    `client-window-${most}`,
    `with client_max_window_bits=${most}`,
    `client_max_window_bits=${most}`,
    "rfc7692#7.1.2.2/client-window-value",
  ]),
  [
    "all",
    "with every parameter",
    "server_no_context_takeover; client_no_context_takeover; server_max_window_bits=10; client_max_window_bits=10",
    "rfc7692#7.1/once",
    answer("server_no_context_takeover"),
    bits("server_max_window_bits", 10),
  ],
  [
    "in-other-order",
    "with its parameters in another order",
    "client_max_window_bits; server_no_context_takeover",
    "rfc7692#7.1/once",
    answer("server_no_context_takeover"),
  ],
];

/** Invalid offers, each with what is wrong with it. */
const BAD: readonly (readonly [id: string, what: string, parameters: string, covers: RequirementRef])[] = [
  ["unknown-parameter", "an undefined parameter", "touchstone", "rfc7692#7/decline-unknown"],
  ["unknown-parameter-with-value", "an undefined parameter with a value", "touchstone=1", "rfc7692#7/decline-unknown"],
  [
    "unknown-beside-known",
    "an undefined parameter next to a defined one",
    "client_max_window_bits; touchstone",
    "rfc7692#7/decline-unknown",
  ],
  [
    "parameter-like-a-known-one",
    "a parameter whose name merely begins like a defined one",
    "server_no_context_takeovers",
    "rfc7692#7/decline-unknown",
  ],
  [
    "server-no-takeover-with-value",
    "server_no_context_takeover with a value",
    "server_no_context_takeover=1",
    "rfc7692#7.1.1.1/server-no-takeover-value",
  ],
  [
    "client-no-takeover-with-value",
    "client_no_context_takeover with a value",
    "client_no_context_takeover=true",
    "rfc7692#7.1.1.2/client-no-takeover-value",
  ],
  [
    "server-window-without-value",
    "server_max_window_bits without a value",
    "server_max_window_bits",
    "rfc7692#7.1.2.1/server-window-value",
  ],
  ["server-window-7", "server_max_window_bits=7", "server_max_window_bits=7", "rfc7692#7.1.2.1/server-window-value"],
  ["server-window-0", "server_max_window_bits=0", "server_max_window_bits=0", "rfc7692#7.1.2.1/server-window-value"],
  ["server-window-16", "server_max_window_bits=16", "server_max_window_bits=16", "rfc7692#7.1.2.1/server-window-value"],
  ["server-window-leading-zero", "server_max_window_bits=010", "server_max_window_bits=010", "rfc7692#7.1.2.1/server-window-value"],
  ["server-window-word", "server_max_window_bits=ten", "server_max_window_bits=ten", "rfc7692#7.1.2.1/server-window-value"],
  ["server-window-negative", "server_max_window_bits=-10", "server_max_window_bits=-10", "rfc7692#7.1.2.1/server-window-value"],
  ["server-window-decimal", "server_max_window_bits=10.0", "server_max_window_bits=10.0", "rfc7692#7.1.2.1/server-window-value"],
  ["client-window-7", "client_max_window_bits=7", "client_max_window_bits=7", "rfc7692#7.1.2.2/client-window-value"],
  ["client-window-16", "client_max_window_bits=16", "client_max_window_bits=16", "rfc7692#7.1.2.2/client-window-value"],
  ["client-window-leading-zero", "client_max_window_bits=09", "client_max_window_bits=09", "rfc7692#7.1.2.2/client-window-value"],
  ["client-window-word", "client_max_window_bits=ten", "client_max_window_bits=ten", "rfc7692#7.1.2.2/client-window-value"],
  [
    "server-no-takeover-twice",
    "server_no_context_takeover twice",
    "server_no_context_takeover; server_no_context_takeover",
    "rfc7692#7/decline-repeated",
  ],
  [
    "client-no-takeover-twice",
    "client_no_context_takeover twice",
    "client_no_context_takeover; client_no_context_takeover",
    "rfc7692#7/decline-repeated",
  ],
  [
    "server-window-twice",
    "server_max_window_bits twice",
    "server_max_window_bits=10; server_max_window_bits=12",
    "rfc7692#7/decline-repeated",
  ],
  [
    "client-window-twice",
    "client_max_window_bits twice",
    "client_max_window_bits; client_max_window_bits=10",
    "rfc7692#7/decline-repeated",
  ],
];

const fallbacks: readonly (readonly [id: string, what: string, handshake: Handshake])[] = [
  [
    "bad-then-good",
    "an invalid offer and a valid one after it",
    { more: ["Sec-WebSocket-Extensions: permessage-deflate; server_max_window_bits=7, permessage-deflate"] },
  ],
  [
    "unknown-then-good",
    "an offer with an undefined parameter and a valid one after it",
    { more: ["Sec-WebSocket-Extensions: permessage-deflate; touchstone, permessage-deflate"] },
  ],
  [
    "bad-then-good-in-lines",
    "an invalid offer and a valid one in another field",
    { more: ["Sec-WebSocket-Extensions: permessage-deflate; server_max_window_bits=16", "Sec-WebSocket-Extensions: permessage-deflate"] },
  ],
  [
    "unknown-extension-then-good",
    "an unknown extension and a valid offer",
    { more: ["Sec-WebSocket-Extensions: x-touchstone; a=1, permessage-deflate"] },
  ],
  [
    "two-good",
    "two good offers",
    { more: ["Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover, permessage-deflate"] },
  ],
];

export const cases: readonly Case[] = [
  ...GOOD.map(([id, what, parameters, covers, ...also]): Case => ({
    id: `websocket/deflate-offer-${id}`,
    spec: sectionOf(covers),
    covers: [covers, "rfc7692#7/name"],
    level: "MUST",
    title: `The server answers an offer of permessage-deflate ${what} accordingly, or declines it.`,
    needs: ["deflate"],
    ...taken(offering(parameters)),
    allowed: [
      ...agreedOr(...also),
      // Rejecting the whole handshake declines the offer too, although the client could do without it.
      permitted({ see: "handshake rejected", status: ["4xx"] }, "rfc6455#4.2.2", "warn"),
      ...(parameters === LARGEST_WINDOW ? [permitted(all(echoed, AS_OFFERED, holds("inflatable messages")), "rfc7692#7.1.2.1")] : []),
    ],
  })),
  ...BAD.map(([id, what, parameters, covers]): Case => ({
    id: `websocket/deflate-decline-${id}`,
    spec: covers.startsWith("rfc7692#7/") ? "rfc7692#7" : sectionOf(covers),
    covers: [covers, ...(covers === "rfc7692#7/decline-value" ? [] : (["rfc7692#7/decline-value"] as const))],
    level: "MUST",
    title: `The server declines an offer of permessage-deflate with ${what}.`,
    needs: ["deflate"],
    role: "server",
    steps: [openForAnswer(offering(parameters)), send(text("Hello"))],
    control: [open(offering()), send(text("Hello"))],
    allowed: [
      { see: all(echoed, NO_DEFLATE) },
      // Rejecting the whole handshake declines the offer too, although the client could do without it.
      permitted({ see: "handshake rejected", status: ["4xx"] }, "rfc6455#9.1", "warn"),
    ],
  })),
  ...fallbacks.map(([id, what, handshake]): Case => ({
    id: `websocket/deflate-offers-${id}`,
    spec: "rfc7692#5",
    covers: ["rfc7692#5/fallback", "rfc6455#9.1/several-lines"],
    level: "MUST",
    title: `The server accepts the valid one of ${what}, or none.`,
    needs: ["deflate"],
    role: "server",
    steps: [openForAnswer(handshake), send(text("Hello"))],
    control: [open(offering()), send(text("Hello"))],
    allowed: [
      { see: all(echoed, answer("^permessage-deflate"), AS_OFFERED, { see: "not", of: answer(",|touchstone") }) },
      permitted(all(echoed, NO_DEFLATE), "rfc7692#5"),
      permitted({ see: "handshake rejected", status: ["4xx"] }, "rfc6455#9.1", "warn"),
    ],
  })),
  {
    id: "websocket/deflate-supports-no-takeover",
    spec: "rfc7692#7.1.1.1",
    covers: ["rfc7692#7.1.1.1/server-supports"],
    level: "SHOULD",
    title: "The server that supports permessage-deflate accepts an offer with server_no_context_takeover.",
    needs: ["deflate"],
    ...taken(offering("server_no_context_takeover")),
    allowed: comesBackWith(answer("server_no_context_takeover")),
  },
  {
    id: "websocket/deflate-not-offered",
    spec: "rfc7692#7",
    covers: ["rfc7692#7/name"],
    level: "MUST",
    role: "server",
    title: "The server compresses no message if the client does not offer permessage-deflate.",
    needs: ["deflate"],
    steps: [open(), send(text("a".repeat(200)))],
    control: [open(offering()), send(text("a".repeat(200)))],
    allowed: comesBackWith(NO_DEFLATE, holds("no compressed messages")),
  },
];
