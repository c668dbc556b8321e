import {
  PROTOCOL_ERROR,
  close,
  comesBack,
  comesBackWith,
  failsWith,
  first,
  framesOf,
  framesOnly,
  holds,
  last,
  more,
  ping,
  pong,
  text,
} from "./phrases.ts";
import type { Case, FrameSpec } from "./vocabulary.ts";

const HELLO = text("Hello");
const bare = (frame: FrameSpec): FrameSpec => ({ ...frame, mask: "none" });

/** What is sent without a mask, where all else is right. */
const UNMASKED: readonly (readonly [id: string, what: string, wrong: readonly FrameSpec[], right: readonly FrameSpec[], echoes: number])[] =
  [
    ["text", "a text frame", [bare(HELLO)], [HELLO], 0],
    ["binary", "a binary frame", [bare({ opcode: "binary", hex: "00ff" })], [{ opcode: "binary", hex: "00ff" }], 0],
    ["empty-text", "an empty text frame", [bare(text(""))], [text("")], 0],
    ["ping", "a PING", [bare(ping("Hello"))], [ping("Hello")], 0],
    ["empty-ping", "a PING without payload", [bare(ping())], [ping()], 0],
    ["pong", "a PONG", [bare(pong("Hello"))], [pong("Hello")], 0],
    [
      "first-fragment",
      "the first fragment of a message",
      [bare(first(HELLO)), last({ text: "!" })],
      [first(HELLO), last({ text: "!" })],
      0,
    ],
    ["continuation", "a continuation", [first(HELLO), bare(last({ text: "!" }))], [first(HELLO), last({ text: "!" })], 0],
    ["second-message", "a second message", [HELLO, bare(HELLO)], [HELLO, HELLO], 1],
    [
      "long-text",
      "a text frame of 1,000 octets",
      [bare({ opcode: "text", fill: { text: "a", count: 1000 } })],
      [{ opcode: "text", fill: { text: "a", count: 1000 } }],
      0,
    ],
  ];

/** Keys under which a payload must come out the same. */
const KEYS: readonly (readonly [id: string, what: string, key: string])[] = [
  ["zeros", "that masks nothing", "00000000"],
  ["ones", "of ones", "ffffffff"],
  ["mixed", "of four octets that differ", "37fa213d"],
  ["first-octet-only", "whose first octet alone masks", "a5000000"],
  ["last-octet-only", "whose last octet alone masks", "0000005a"],
];

export const cases: readonly Case[] = [
  ...UNMASKED.map(([id, what, wrong, right, echoes]): Case => ({
    id: `websocket/unmasked-${id}`,
    spec: "rfc6455#5.1",
    covers: ["rfc6455#5.1/unmasked", "rfc6455#5.1/unmasked-code"],
    level: "MUST",
    title: `On ${what} without a mask the server closes the connection.`,
    ...framesOf(wrong, right),
    allowed: failsWith(PROTOCOL_ERROR, echoes),
  })),
  {
    id: "websocket/unmasked-close",
    spec: "rfc6455#5.1",
    covers: ["rfc6455#5.1/unmasked"],
    level: "MUST",
    title: "On a Close frame without a mask the server closes the connection, whatever it says.",
    ...framesOf([bare(close(1000))], [close(1000)]),
    allowed: [
      { see: { see: "Close and end", codes: [1002], echoes: 0 } },
      { see: { see: "Close and end", echoes: 0 }, by: "rfc6455#5.1" },
      { see: { see: "abnormal closure", echoes: 0 }, by: "rfc6455#7.1.7", verdict: "warn" },
    ],
  },
  ...KEYS.map(([id, what, mask]): Case => ({
    id: `websocket/mask-key-${id}`,
    spec: "rfc6455#5.3",
    covers: ["rfc6455#5.3/key"],
    level: "MUST",
    title: `The server unmasks a message of 13 octets by a key ${what}.`,
    ...framesOnly(text("Hello, world!", { mask })),
    allowed: comesBack,
  })),
  {
    id: "websocket/mask-key-for-each-fragment",
    spec: "rfc6455#5.3",
    covers: ["rfc6455#5.3/key"],
    level: "MUST",
    title: "The server begins anew with the key of each frame, wherever in the key the one before it ended.",
    ...framesOnly(
      first(text("a", { mask: "01020304" })),
      more({ text: "bc", mask: "f0e0d0c0" }),
      last({ text: "defgh", mask: "11223344" }),
    ),
    allowed: comesBack,
  },
  {
    id: "websocket/mask-key-at-every-length",
    spec: "rfc6455#5.3",
    covers: ["rfc6455#5.3/key"],
    level: "MUST",
    title: "The server unmasks messages of 1 to 17 octets.",
    ...framesOnly(...Array.from({ length: 17 }, (_, at) => text("abcdefghijklmnopq".slice(0, at + 1)))),
    allowed: comesBack,
  },
  {
    id: "websocket/server-masks-nothing",
    spec: "rfc6455#5.1",
    covers: ["rfc6455#5.1/server-masks-not"],
    level: "MUST NOT",
    title: "No frame of the server is masked: messages, PONGs, short and long.",
    ...framesOnly(
      text(""),
      text("Hello"),
      ping("Hello"),
      { opcode: "binary", fill: { text: "b", count: 200 } },
      { opcode: "text", fill: { text: "c", count: 70_000 } },
    ),
    allowed: comesBackWith(holds("no masked frames")),
  },
  {
    id: "websocket/server-masks-no-close",
    spec: "rfc6455#5.1",
    covers: ["rfc6455#5.1/server-masks-not"],
    level: "MUST NOT",
    title: "The Close frame of the server is not masked.",
    ...framesOnly(close(1000)),
    allowed: [{ see: { see: "all", of: [{ see: "closing handshake" }, holds("no masked frames")] } }],
  },
];
