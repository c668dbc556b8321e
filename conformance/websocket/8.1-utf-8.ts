import {
  NOT_UTF8,
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
} from "./phrases.ts";
import { INVALID, type Sequence, VALID } from "./utf-8-tables.ts";
import type { Case, FrameSpec, Outcome, Sight } from "./vocabulary.ts";

const plain = (hex: string): string => hex.replaceAll(/\s/g, "").toLowerCase();
const octetsOf = (hex: string): readonly string[] => plain(hex).match(/../g) ?? [];
/** As many octets, all of them letters: what a control sends where the case sends what is not UTF-8. */
const letters = (hex: string): string => "61".repeat(octetsOf(hex).length);
const textHex = (hex: string): FrameSpec => ({ opcode: "text", hex: plain(hex) });

/** A message in frames: `first`, any number of continuations, and the last. */
function inFragments(parts: readonly string[]): readonly FrameSpec[] {
  const [head = "", ...rest] = parts;
  if (rest.length === 0) return [textHex(head)];
  return [first(textHex(head)), ...rest.slice(0, -1).map((hex) => more({ hex })), last({ hex: rest.at(-1) ?? "" })];
}

const base = { spec: "rfc6455#8.1", level: "MUST" } as const;
const covers = ["rfc6455#8.1/utf-8", "rfc6455#5.6/text"] as const;

const validWhole = VALID.map(([id, what, hex]): Case => ({
  id: `websocket/utf8-${id}`,
  spec: "rfc6455#5.6",
  covers: ["rfc6455#5.6/text"],
  level: "MUST",
  title: `A text message with ${what} comes back.`,
  ...framesOnly(textHex(hex)),
  allowed: comesBack,
}));

/** Those in which a cut inside a character is possible, one octet a fragment. */
const validCut = VALID.filter(([id]) =>
  ["greek", "mixed", "last-of-two", "first-of-three", "last-of-four", "before-surrogates", "byte-order-mark", "joined"].includes(id),
).map(([id, what, hex]): Case => ({
  id: `websocket/utf8-${id}-octet-by-octet`,
  spec: "rfc6455#5.6",
  covers: ["rfc6455#5.6/text", "rfc6455#5.4/fragments"],
  level: "MUST",
  title: `A text message with ${what} comes back when each octet is a fragment of its own.`,
  ...framesOnly(...inFragments(octetsOf(hex))),
  allowed: comesBack,
}));

/** A character of four octets cut at each of its boundaries. */
const EMOJI = "f09f9880";
/** Characters of one to four octets, eleven octets in all. */
const MIXED = "61c3bfe28299f09f988062";
const validAt = [1, 2, 3].map((at): Case => ({
  id: `websocket/utf8-cut-behind-octet-${at}`,
  spec: "rfc6455#5.6",
  covers: ["rfc6455#5.6/text"],
  level: "MUST",
  title: `A text message comes back whose fragments part a character of four octets behind octet ${at}.`,
  ...framesOnly(...inFragments([`61${EMOJI.slice(0, at * 2)}`, `${EMOJI.slice(at * 2)}62`])),
  allowed: comesBack,
}));

const invalidWhole = INVALID.map(([id, what, hex]): Case => ({
  id: `websocket/utf8-not-${id}`,
  ...base,
  covers,
  title: `A text message with ${what} fails the connection.`,
  ...framesOf([textHex(hex)], [textHex(letters(hex))]),
  allowed: failsWith(NOT_UTF8),
}));

/** Each of these is found only by who looks beyond the edge of a fragment. */
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
const invalidCut = ACROSS.map(([id, what, hex]): Case => ({
  id: `websocket/utf8-not-${id}-octet-by-octet`,
  ...base,
  covers,
  title: `A text message with ${what} fails the connection when each octet is a fragment of its own.`,
  ...framesOf(inFragments(["61", ...octetsOf(hex)]), inFragments(["61", ...octetsOf(letters(hex))])),
  allowed: failsWith(NOT_UTF8),
}));

/** At best a message is refused as soon as no octet that follows can mend it; it must be when it is whole. */
const EARLY: Sight = { see: "pong", text: "early" };
const early: readonly [Outcome, ...Outcome[]] = [
  { see: all({ see: "Close and end", codes: [NOT_UTF8], echoes: 0 }, not(EARLY)) },
  permitted({ see: "Close and end", codes: [NOT_UTF8], echoes: 0 }, "rfc6455#8.1"),
  permitted({ see: "Close and end", echoes: 0 }, "rfc6455#7.1.7", "warn"),
  permitted({ see: "abnormal closure", echoes: 0 }, "rfc6455#7.1.7", "warn"),
];
const toldOrAnswered = awaitSight({ see: "any", of: [EARLY, { see: "Close frame" }, { see: "abnormal closure" }] });

const FAST: readonly Sequence[] = INVALID.filter(([id]) =>
  ["lone-80", "octet-ff", "octet-c0", "octet-f5", "overlong-slash-three", "surrogate-d800", "beyond-110000", "cut-then-letter"].includes(
    id,
  ),
);
const failFast = FAST.map(([id, what, hex]): Case => {
  const steps = (octets: string): Case["steps"] => [
    open(),
    send(first(textHex(`ceba${plain(octets)}`)), ping("early")),
    toldOrAnswered,
    send(last({ text: "the rest" })),
  ];
  return {
    id: `websocket/utf8-not-${id}-in-first-fragment`,
    ...base,
    covers: ["rfc6455#8.1/utf-8"],
    role: "server",
    title: `A first fragment with ${what} fails the connection, at best before the last has come.`,
    steps: steps(hex),
    control: steps(letters(hex)),
    allowed: early,
  };
});

/** The first octets that cannot be mended, though the character is not whole. */
const UNMENDABLE: readonly Sequence[] = [
  ["f4-90", "f4 90, which can begin U+110000 only", "f490"],
  ["ed-a0", "ed a0, which can begin a surrogate only", "eda0"],
  ["e0-80", "e0 80, which can begin too long a form only", "e080"],
  ["f0-80", "f0 80, which can begin too long a form only", "f080"],
];
const unmendable = UNMENDABLE.map(([id, what, hex]): Case => {
  const steps = (octets: string, rest: string): Case["steps"] => [
    open(),
    send(first(textHex(octets)), ping("early")),
    toldOrAnswered,
    send(last({ hex: rest })),
  ];
  return {
    id: `websocket/utf8-not-${id}-unfinished`,
    ...base,
    covers: ["rfc6455#8.1/utf-8"],
    role: "server",
    title: `A first fragment that ends in ${what}, fails the connection, at best before the character is whole.`,
    steps: steps(hex, "8080"),
    control: steps("c3bf", "6161"),
    allowed: early,
  };
});

/** A frame of 20 octets of which ten have come; its key masks nothing, so that the rest can follow as it is. */
const half = (hex: string): FrameSpec => ({ opcode: "text", hex, says: "0000000000000014", lengthBits: 7, mask: "00000000" });
const insideFrame = FAST.slice(0, 4).map(([id, what, hex]): Case => {
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
    role: "server",
    title: `A text frame with ${what} fails the connection, at best before all of it has come.`,
    steps: steps(hex),
    control: steps(letters(hex)),
    allowed: failsWith(NOT_UTF8),
  };
});

export const cases: readonly Case[] = [
  ...validWhole,
  ...validCut,
  ...validAt,
  {
    id: "websocket/utf8-cut-with-ping-between",
    spec: "rfc6455#5.6",
    covers: ["rfc6455#5.6/text", "rfc6455#5.4/control-inside"],
    level: "MUST",
    title: "A text message comes back whose fragments part a character, with a PING that is not UTF-8 between them.",
    ...framesOnly(first(textHex("61f09f")), { opcode: "ping", hex: "ff" }, last({ hex: "988062" })),
    allowed: comesBack,
  },
  {
    id: "websocket/utf8-every-character-boundary",
    spec: "rfc6455#5.6",
    covers: ["rfc6455#5.6/text"],
    level: "MUST",
    title: "Text messages come back that are cut at each place between two octets, one after another.",
    ...framesOnly(...Array.from({ length: 10 }, (_, at) => inFragments([MIXED.slice(0, (at + 1) * 2), MIXED.slice((at + 1) * 2)])).flat()),
    allowed: comesBack,
  },
  {
    id: "websocket/utf8-long",
    spec: "rfc6455#5.6",
    covers: ["rfc6455#5.6/text"],
    level: "MUST",
    title: "A text message of 60,000 octets in characters of three comes back.",
    ...framesOnly({ opcode: "text", fill: { text: "€", count: 20_000 } }),
    allowed: comesBack,
  },
  {
    id: "websocket/utf8-not-in-binary",
    spec: "rfc6455#5.6",
    covers: ["rfc6455#5.6/binary"],
    level: "MUST",
    title: "A binary message whose octets are not UTF-8 comes back.",
    ...framesOnly({ opcode: "binary", hex: "fffec080eda080f4908080" }),
    allowed: comesBack,
  },
  {
    id: "websocket/utf8-not-in-fragmented-binary",
    spec: "rfc6455#5.6",
    covers: ["rfc6455#5.6/binary"],
    level: "MUST",
    title: "A binary message in fragments whose octets are not UTF-8 comes back.",
    ...framesOnly(first({ opcode: "binary", hex: "ff" }), more({ hex: "c0" }), last({ hex: "eda0" })),
    allowed: comesBack,
  },
  {
    id: "websocket/utf8-not-in-ping",
    spec: "rfc6455#5.5.2",
    covers: ["rfc6455#5.5.3/same-payload"],
    level: "MUST",
    title: "A PING whose octets are not UTF-8 is answered with them.",
    ...framesOnly({ opcode: "ping", hex: "fffec080eda080" }),
    allowed: [{ see: all({ see: "still open" }, { see: "pong", hex: "fffec080eda080" }) }],
  },
  ...invalidWhole,
  ...invalidCut,
  ...failFast,
  ...unmendable,
  ...insideFrame,
  {
    id: "websocket/utf8-not-behind-a-good-message",
    ...base,
    covers: ["rfc6455#8.1/utf-8"],
    title: "A second text message that is not UTF-8 fails the connection.",
    ...framesOf([text("Hello"), textHex("c3")], [text("Hello"), textHex("c3bf")]),
    allowed: failsWith(NOT_UTF8, 1),
  },
  {
    id: "websocket/utf8-not-across-messages",
    ...base,
    covers: ["rfc6455#8.1/utf-8"],
    title: "A character that begins in one message and ends in the next fails the connection.",
    ...framesOf([textHex("61c3"), textHex("bf61")], [textHex("61c3bf"), textHex("6161")]),
    allowed: failsWith(NOT_UTF8),
  },
  {
    id: "websocket/utf8-not-in-close-reason",
    ...base,
    covers: ["rfc6455#8.1/reason"],
    title: "A Close frame whose reason is not UTF-8 fails the connection.",
    ...framesOf([{ opcode: "close", hex: "03e8c328" }], [close(1000, "ok")]),
    allowed: failsWith([NOT_UTF8, 1002]),
  },
  ...INVALID.filter(([id]) => ["lone-80", "cut-three", "overlong-slash-two", "surrogate-d800", "octet-ff"].includes(id)).map(
    ([id, what, hex]): Case => ({
      id: `websocket/close-reason-not-utf8-${id}`,
      ...base,
      covers: ["rfc6455#8.1/reason", "rfc6455#5.5.1/code"],
      title: `A Close frame whose reason has ${what} fails the connection.`,
      ...framesOf([{ opcode: "close", hex: `03e8${plain(hex)}` }], [{ opcode: "close", hex: `03e8${letters(hex)}` }]),
      allowed: failsWith([NOT_UTF8, 1002]),
    }),
  ),
];
