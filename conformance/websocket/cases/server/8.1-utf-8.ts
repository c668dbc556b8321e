import {
  NOT_UTF8,
  alive,
  all,
  awaitSight,
  close,
  comesBack,
  failsWith,
  first,
  framesOf,
  framesOnly,
  last,
  more,
  not,
  open,
  permitted,
  ping,
  send,
  text,
} from "../phrases.ts";
import { INVALID, type Sequence, VALID } from "../utf-8-tables.ts";
import { type Claim, ofServer } from "../claims.ts";
import type { Allowed, Case, FrameSpec, Outcome, Sight } from "../../vocabulary.ts";

/** RFC 6455, sections 5.6 and 8.1: text is UTF-8, wherever frames and fragments cut it. */

const plain = (hex: string): string => hex.replaceAll(/\s/g, "").toLowerCase();
const octetsOf = (hex: string): readonly string[] => plain(hex).match(/../g) ?? [];
/** The same number of octets, all letters, for the control of a case that is not UTF-8. */
const letters = (hex: string): string => "61".repeat(octetsOf(hex).length);
const textHex = (hex: string): FrameSpec => ({ opcode: "text", hex: plain(hex) });

/** A message in fragments. */
function inFragments(parts: readonly string[]): readonly FrameSpec[] {
  const [head = "", ...rest] = parts;
  if (rest.length === 0) return [textHex(head)];
  return [first(textHex(head)), ...rest.slice(0, -1).map((hex) => more({ hex })), last({ hex: rest.at(-1) ?? "" })];
}

const base = { spec: "rfc6455#8.1", level: "MUST" } as const;
const covers = ["rfc6455#8.1/utf-8", "rfc6455#5.6/text"] as const;

/** RFC 6455 does not forbid a byte order mark as a signature, and whoever finds one may take it away. */
const MARK = "efbbbf";
const isMarked = (hex: string): boolean => plain(hex).startsWith(MARK);
const comesBackAs = (hex: string): Allowed =>
  isMarked(hex)
    ? [...comesBack, permitted(all(alive, { see: "message", type: "text", hex: plain(hex).slice(MARK.length) }), "rfc3629#6", "warn")]
    : comesBack;
/** In the control no message begins with a mark. */
const valid = (hex: string, wrong: readonly FrameSpec[]): Pick<Claim, "steps" | "control"> =>
  framesOf({ wrong, right: isMarked(hex) ? [text("a")] : wrong });

const validWhole = VALID.map(([id, what, hex]): Claim => ({
  id: `websocket/utf8-${id}`,
  spec: "rfc6455#5.6",
  covers: ["rfc6455#5.6/text"],
  level: "MUST",
  title: `The {subject} echoes a text message with ${what}.`,
  ...valid(hex, [textHex(hex)]),
  allowed: comesBackAs(hex),
}));

/** Multi-octet characters, one octet per fragment. */
const validCut = VALID.filter(([id]) =>
  ["greek", "mixed", "last-of-two", "first-of-three", "last-of-four", "before-surrogates", "byte-order-mark", "joined"].includes(id),
).map(([id, what, hex]): Claim => ({
  id: `websocket/utf8-${id}-octet-by-octet`,
  spec: "rfc6455#5.6",
  covers: ["rfc6455#5.6/text", "rfc6455#5.4/fragments"],
  level: "MUST",
  title: `The {subject} echoes a text message with ${what} in fragments of one octet.`,
  ...valid(hex, inFragments(octetsOf(hex))),
  allowed: comesBackAs(hex),
}));

/** A four-octet character. */
const EMOJI = "f09f9880";
/** Characters of one to four octets, eleven octets in all. */
const MIXED = "61c3bfe28299f09f988062";
const validAt = [1, 2, 3].map((at): Claim => ({
  id: `websocket/utf8-cut-behind-octet-${at}`,
  spec: "rfc6455#5.6",
  covers: ["rfc6455#5.6/text"],
  level: "MUST",
  title: `The {subject} echoes a text message whose fragments split a four-octet character after octet ${at}.`,
  ...framesOnly(...inFragments([`61${EMOJI.slice(0, at * 2)}`, `${EMOJI.slice(at * 2)}62`])),
  allowed: comesBack,
}));

const invalidWhole = INVALID.map(([id, what, hex]): Claim => ({
  id: `websocket/utf8-not-${id}`,
  ...base,
  covers,
  title: `The {subject} fails the connection on a text message with ${what}.`,
  ...framesOf({ wrong: [textHex(hex)], right: [textHex(letters(hex))] }),
  allowed: failsWith(NOT_UTF8),
}));

/** Only a reader that looks across the edges of fragments finds these. */
const ACROSS: readonly Sequence[] = INVALID.filter(([id]) =>
  [
    "cut-two",
    "cut-three",
    "cut-four",
    "cut-then-letter",
    "overlong-slash-three",
    "overlong-last-four",
    "surrogate-d800",
    "surrogate-dfff",
    "surrogate-pair-first",
    "beyond-110000",
    "octet-f7",
    "latin-1",
  ].includes(id),
);
const invalidCut = ACROSS.map(([id, what, hex]): Claim => ({
  id: `websocket/utf8-not-${id}-octet-by-octet`,
  ...base,
  covers,
  title: `The {subject} fails the connection on a text message with ${what} in fragments of one octet.`,
  ...framesOf({ wrong: inFragments(["61", ...octetsOf(hex)]), right: inFragments(["61", ...octetsOf(letters(hex))]) }),
  allowed: failsWith(NOT_UTF8),
}));

/** Ideally the subject fails as soon as no further octet can complete the character; at the latest, at the end of the message. */
const EARLY: Sight = { see: "pong", text: "early" };
const early: readonly [Outcome, ...Outcome[]] = [
  { see: all({ see: "Close and end", codes: [NOT_UTF8], echoes: 0 }, not(EARLY)) },
  permitted({ see: "Close and end", codes: [NOT_UTF8], echoes: 0 }, "rfc6455#8.1"),
  permitted({ see: "Close and end", echoes: 0 }, "rfc6455#7.1.7", "warn"),
  permitted({ see: "abnormal closure", echoes: 0 }, "rfc6455#7.1.7", "warn"),
];
const failedOrAnswered = awaitSight({ see: "any", of: [EARLY, { see: "Close frame" }, { see: "abnormal closure" }] });

const FAST: readonly Sequence[] = INVALID.filter(([id]) =>
  ["lone-80", "octet-ff", "octet-c0", "octet-f5", "overlong-slash-three", "surrogate-d800", "beyond-110000", "cut-then-letter"].includes(
    id,
  ),
);
const failFast = FAST.map(([id, what, hex]): Claim => {
  const steps = (octets: string): Case["steps"] => [
    open(),
    send(first(textHex(`ceba${plain(octets)}`)), ping("early")),
    failedOrAnswered,
    send(last({ text: "the rest" })),
  ];
  return {
    id: `websocket/utf8-not-${id}-in-first-fragment`,
    ...base,
    covers: ["rfc6455#8.1/utf-8"],
    title: `The {subject} fails the connection on a first fragment with ${what}, ideally before the last one arrives.`,
    steps: steps(hex),
    control: steps(letters(hex)),
    allowed: early,
  };
});

/** Incomplete characters that no further octet can make valid. */
const HOPELESS: readonly Sequence[] = [
  ["f4-90", "f4 90, which can only begin U+110000", "f490"],
  ["ed-a0", "ed a0, which can only begin a surrogate", "eda0"],
  ["e0-80", "e0 80, which can only begin an overlong form", "e080"],
  ["f0-80", "f0 80, which can only begin an overlong form", "f080"],
];
const hopeless = HOPELESS.map(([id, what, hex]): Claim => {
  const steps = (octets: string, rest: string): Case["steps"] => [
    open(),
    send(first(textHex(octets)), ping("early")),
    failedOrAnswered,
    send(last({ hex: rest })),
  ];
  return {
    id: `websocket/utf8-not-${id}-unfinished`,
    ...base,
    covers: ["rfc6455#8.1/utf-8"],
    title: `The {subject} fails the connection on a first fragment that ends in ${what}, ideally before the character is complete.`,
    steps: steps(hex, "8080"),
    control: steps("c3bf", "6161"),
    allowed: early,
  };
});

/** The first ten octets of a 20-octet frame; its zero key lets the rest follow unmasked. */
const half = (hex: string): FrameSpec => ({ opcode: "text", hex, says: "0000000000000014", lengthBits: 7, mask: "00000000" });
const insideFrame = FAST.slice(0, 4).map(([id, what, hex]): Claim => {
  const begun = (octets: string): string => plain(octets).padEnd(20, "61");
  const steps = (octets: string): Case["steps"] => [
    open(),
    send(half(begun(octets))),
    { do: "wait", ms: 80, until: { see: "Close frame" } },
    { do: "bytes", hex: "61".repeat(10), note: "the rest of the frame" },
  ];
  return {
    id: `websocket/utf8-not-${id}-in-half-a-frame`,
    ...base,
    covers: ["rfc6455#8.1/utf-8"],
    title: `The {subject} fails the connection on a text frame with ${what}, ideally before all of it arrives.`,
    steps: steps(hex),
    control: steps(letters(hex)),
    allowed: failsWith(NOT_UTF8),
  };
});

/** A character with ASCII inside it: each fragment of letters alone is good, and so is the text without them. */
const SPLIT: readonly (readonly [id: string, what: string, parts: readonly string[]])[] = [
  ["two", "a letter inside a character of two octets", ["61c3", "61", "bf61"]],
  ["three", "a letter inside a character of three octets", ["e282", "61", "ac"]],
  ["four", "two letters inside a character of four octets", ["f09f", "6162", "9880"]],
  ["four-at-the-end", "letters before the last octet of a character", ["f09f98", "6162", "80"]],
  ["long", "300 letters inside a character of three octets", ["e282", "61".repeat(300), "ac"]],
];
const asciiInside = SPLIT.flatMap(([id, what, parts]): Claim[] => {
  const right = parts.map(letters);
  const title = `The {subject} fails the connection on a text message with ${what}`;
  /** One frame with this payload, of which the reader sees the parts one by one: its zero key masks nothing. */
  const pieces = (some: readonly string[]): Case["steps"] => [
    open(),
    send({ opcode: "text", hex: some[0] ?? "", says: octets(some), mask: "00000000" }),
    ...some.slice(1).flatMap((hex): Case["steps"] => [
      { do: "wait", ms: 20 },
      { do: "bytes", hex, note: "the next octets of the frame" },
    ]),
  ];
  const octets = (some: readonly string[]): string => (some.join("").length / 2).toString(16).padStart(16, "0");
  return [
    {
      id: `websocket/utf8-not-ascii-inside-${id}`,
      ...base,
      covers,
      title: `${title}, in a fragment of its own.`,
      ...framesOf({ wrong: inFragments(parts), right: inFragments(right) }),
      allowed: failsWith(NOT_UTF8),
    },
    {
      id: `websocket/utf8-not-ascii-inside-${id}-in-pieces`,
      ...base,
      covers,
      title: `${title}, in one frame that arrives in pieces.`,
      steps: pieces(parts),
      control: pieces(right),
      allowed: failsWith(NOT_UTF8),
    },
  ];
});

export const claims: readonly Claim[] = [
  ...asciiInside,
  ...validWhole,
  ...validCut,
  ...validAt,
  {
    id: "websocket/utf8-cut-with-ping-between",
    spec: "rfc6455#5.6",
    covers: ["rfc6455#5.6/text", "rfc6455#5.4/control-inside"],
    level: "MUST",
    title: "The {subject} echoes a text message whose fragments split a character, with a Ping that is not UTF-8 between them.",
    ...framesOnly(first(textHex("61f09f")), { opcode: "ping", hex: "ff" }, last({ hex: "988062" })),
    allowed: comesBack,
  },
  {
    id: "websocket/utf8-every-character-boundary",
    spec: "rfc6455#5.6",
    covers: ["rfc6455#5.6/text"],
    level: "MUST",
    title: "The {subject} echoes text messages split between any two octets.",
    ...framesOnly(...Array.from({ length: 10 }, (_, at) => inFragments([MIXED.slice(0, (at + 1) * 2), MIXED.slice((at + 1) * 2)])).flat()),
    allowed: comesBack,
  },
  {
    id: "websocket/utf8-long",
    spec: "rfc6455#5.6",
    covers: ["rfc6455#5.6/text"],
    level: "MUST",
    title: "The {subject} echoes a text message of 60,000 octets in three-octet characters.",
    ...framesOnly({ opcode: "text", fill: { text: "€", count: 20_000 } }),
    allowed: comesBack,
  },
  {
    id: "websocket/utf8-not-in-binary",
    spec: "rfc6455#5.6",
    covers: ["rfc6455#5.6/binary"],
    level: "MUST",
    title: "The {subject} echoes a binary message that is not UTF-8.",
    ...framesOnly({ opcode: "binary", hex: "fffec080eda080f4908080" }),
    allowed: comesBack,
  },
  {
    id: "websocket/utf8-not-in-fragmented-binary",
    spec: "rfc6455#5.6",
    covers: ["rfc6455#5.6/binary"],
    level: "MUST",
    title: "The {subject} echoes a fragmented binary message that is not UTF-8.",
    ...framesOnly(first({ opcode: "binary", hex: "ff" }), more({ hex: "c0" }), last({ hex: "eda0" })),
    allowed: comesBack,
  },
  {
    id: "websocket/utf8-not-in-ping",
    spec: "rfc6455#5.5.2",
    covers: ["rfc6455#5.5.3/same-payload"],
    level: "MUST",
    title: "The {subject} answers a Ping that is not UTF-8 with the same octets.",
    ...framesOnly({ opcode: "ping", hex: "fffec080eda080" }),
    allowed: [{ see: all({ see: "still open" }, { see: "pong", hex: "fffec080eda080" }) }],
  },
  ...invalidWhole,
  ...invalidCut,
  ...failFast,
  ...hopeless,
  ...insideFrame,
  {
    id: "websocket/utf8-not-behind-a-good-message",
    ...base,
    covers: ["rfc6455#8.1/utf-8"],
    title: "The {subject} fails the connection on a second text message that is not UTF-8.",
    ...framesOf({ wrong: [text("Hello"), textHex("c3")], right: [text("Hello"), textHex("c3bf")] }),
    allowed: failsWith(NOT_UTF8, 1),
  },
  {
    id: "websocket/utf8-not-across-messages",
    ...base,
    covers: ["rfc6455#8.1/utf-8"],
    title: "The {subject} fails the connection on a character that begins in one message and ends in the next.",
    ...framesOf({ wrong: [textHex("61c3"), textHex("bf61")], right: [textHex("61c3bf"), textHex("6161")] }),
    allowed: failsWith(NOT_UTF8),
  },
  {
    id: "websocket/utf8-not-in-close-reason",
    ...base,
    covers: ["rfc6455#8.1/reason"],
    title: "The {subject} fails the connection on a Close frame whose reason is not UTF-8.",
    ...framesOf({ wrong: [{ opcode: "close", hex: "03e8c328" }], right: [close(1000, "ok")] }),
    allowed: failsWith([NOT_UTF8, 1002]),
  },
  ...INVALID.filter(([id]) => ["lone-80", "cut-three", "overlong-slash-two", "surrogate-d800", "octet-ff"].includes(id)).map(
    ([id, what, hex]): Claim => ({
      id: `websocket/close-reason-not-utf8-${id}`,
      ...base,
      covers: ["rfc6455#8.1/reason", "rfc6455#5.5.1/code"],
      title: `The {subject} fails the connection on a Close frame whose reason contains ${what}.`,
      ...framesOf({ wrong: [{ opcode: "close", hex: `03e8${plain(hex)}` }], right: [{ opcode: "close", hex: `03e8${letters(hex)}` }] }),
      allowed: failsWith([NOT_UTF8, 1002]),
    }),
  ),
];

export const cases = claims.map(ofServer);
