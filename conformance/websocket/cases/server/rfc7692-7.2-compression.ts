import { NOT_UTF8, all, alive, awaitMessages, comesBackWith, failsWith, holds, offering, open, send, text } from "../phrases.ts";
import { type RequirementRef, sectionOf } from "../../../harness/case.ts";
import { type Claim, ofServer } from "../claims.ts";
import type { Case, FrameSpec, Handshake, Sight } from "../../vocabulary.ts";

/** RFC 7692, section 7.2: compressed data, and the context that messages share. */

const LONG = "Touchstone asks whether network software speaks its protocol. ".repeat(4);
const packed = (content: string, deflate: NonNullable<FrameSpec["deflate"]> = {}): FrameSpec => text(content, { deflate });
/** DEFLATE octets as a compressed message. */
const raw = (hex: string, opcode: "text" | "binary" = "text"): FrameSpec => ({ opcode, hex, rsv: 4 });
const INFLATES = holds("inflatable messages");

/** Frames on a connection with permessage-deflate. */
const over = ({
  wrong,
  right,
  handshake = offering(),
}: {
  readonly wrong: readonly FrameSpec[];
  readonly right: readonly FrameSpec[];
  readonly handshake?: Handshake;
}): Pick<Case, "steps" | "control"> => ({
  steps: [open(handshake), send(...wrong)],
  control: [open(handshake), send(...right)],
});
const only = (...frames: readonly FrameSpec[]): ReturnType<typeof over> => over({ wrong: frames, right: frames });

const fill = (text: string, count: number, opcode: "text" | "binary" = "text"): FrameSpec => ({
  opcode,
  fill: { text, count },
  deflate: {},
});

/** Messages of all sizes. */
const SIZES = [0, 1, 16, 125, 126, 1024, 65_535, 65_536, 200_000] as const;

/** "Hello" in unusual blocks (rfc7692#7.2.3). */
const HELLO: readonly (readonly [id: string, what: string, hex: string, covers: RequirementRef])[] = [
  ["one-fixed-block", "in one block with fixed codes", "f248cdc9c90700", "rfc7692#7.2.2/blocks"],
  ["stored-block", "in a stored block", "000500faff48656c6c6f00", "rfc7692#7.2.3.3/stored"],
  ["final-block", "in a block marked as final", "f348cdc9c9070000", "rfc7692#7.2.3.4/final"],
  ["two-blocks", "in two blocks with an empty one between them", "f24805000000ffffcac9c90700", "rfc7692#7.2.3.5/two-blocks"],
  ["two-stored-blocks", "in two stored blocks", "000200fdff4865000300fcff6c6c6f00", "rfc7692#7.2.2/blocks"],
  ["behind-empty-block", "after an empty block", "000000fffff248cdc9c90700", "rfc7692#7.2.2/blocks"],
];

/** Invalid compressed data. */
const CORRUPT: readonly (readonly [id: string, what: string, frame: FrameSpec, covers: RequirementRef])[] = [
  ["reserved-block", "with a block of the reserved type", raw("06"), "rfc7692#7.2.2/corrupt"],
  ["plain-text", "that is plain text", raw("48656c6c6f"), "rfc7692#7.2.2/corrupt"],
  [
    "stored-length",
    "with a stored block whose length does not match its complement",
    raw("000500faf048656c6c6f00"),
    "rfc7692#7.2.2/corrupt",
  ],
  ["octets-of-ones", "of ones only", raw("ffffffffffffffff"), "rfc7692#7.2.2/corrupt"],
  // A dynamic block with more code lengths than exist.
  ["dynamic-codes", "with a block with invalid codes", raw("fcffffffffffffffff"), "rfc7692#7.2.2/corrupt"],
  // Fixed codes: length 3, distance 1, at the start.
  ["distance-before-the-beginning", "that refers to before its first octet", raw("02020000"), "rfc7692#7.2.2/distance"],
  // Fixed codes: the letter a, then length 3 and distance 4.
  ["distance-too-far", "that refers four octets back after one octet", raw("4a04620000"), "rfc7692#7.2.2/distance"],
  ["distance-symbol", "with an undefined distance code", raw("4a043e0000"), "rfc7692#7.2.2/corrupt"],
];

const context: readonly Claim[] = [
  {
    id: "websocket/deflate-client-takes-over",
    client: { id: "websocket/client-deflate-server-takes-over" },
    spec: "rfc7692#7.2.3.2",
    covers: ["rfc7692#7.2.3.2/takeover"],
    level: "MUST",
    title: "The {subject} inflates a message that refers to the previous one.",
    needs: ["client takes over"],
    ...only(packed(LONG), packed(LONG), packed(`${LONG}${LONG}`)),
    allowed: comesBackWith(INFLATES),
  },
  {
    id: "websocket/deflate-client-takes-over-nothing",
    client: { id: "websocket/client-deflate-server-takes-over-nothing" },
    spec: "rfc7692#7.2.3.2",
    covers: ["rfc7692#7.2.2/inflate"],
    level: "MUST",
    title: "The {subject} inflates messages that refer to no previous one, though they could.",
    needs: ["deflate"],
    ...only(packed(LONG, { fresh: true }), packed(LONG, { fresh: true }), packed(LONG, { fresh: true })),
    allowed: comesBackWith(INFLATES),
  },
  {
    id: "websocket/deflate-client-takes-over-far",
    client: { id: "websocket/client-deflate-server-takes-over-far" },
    spec: "rfc7692#7.2.3.2",
    covers: ["rfc7692#7.2.3.2/takeover"],
    level: "MUST",
    title: "The {subject} inflates a message that refers back across 30,000 octets.",
    needs: ["client takes over"],
    ...only(packed("It was said once, long ago."), fill("0123456789abcdefghijklmnopqrst", 1000), packed("It was said once, long ago.")),
    allowed: comesBackWith(INFLATES),
  },
  {
    id: "websocket/deflate-client-takes-over-across-uncompressed",
    client: { id: "websocket/client-deflate-server-takes-over-across-uncompressed" },
    spec: "rfc7692#7.2.3.2",
    covers: ["rfc7692#7.2.3.2/takeover", "rfc7692#6.2/uncompressed"],
    level: "MUST",
    title: "The {subject} keeps uncompressed messages out of the compression context.",
    needs: ["client takes over"],
    ...only(packed(LONG), text("something else in between"), packed(LONG)),
    allowed: comesBackWith(INFLATES),
  },
  {
    id: "websocket/deflate-server-no-takeover",
    client: { id: "websocket/client-deflate-client-no-takeover" },
    spec: "rfc7692#7.1.1.1",
    covers: ["rfc7692#7.1.1.1/server-no-takeover"],
    level: "MUST",
    title: "The {subject} compresses each message on its own after agreeing to {subject}_no_context_takeover.",
    needs: ["server no takeover"],
    ...over({
      wrong: [packed(LONG), packed(LONG), packed(LONG)],
      right: [packed(LONG), packed(LONG), packed(LONG)],
      handshake: offering("server_no_context_takeover"),
    }),
    allowed: comesBackWith(holds("no context takeover"), INFLATES),
  },
  {
    id: "websocket/deflate-client-no-takeover",
    client: { id: "websocket/client-deflate-server-no-takeover" },
    spec: "rfc7692#7.1.1.2",
    covers: ["rfc7692#7.2.2/inflate"],
    level: "MUST",
    title: "The {subject} inflates messages that refer to no previous one after agreeing to {peer}_no_context_takeover.",
    needs: ["client no takeover"],
    ...over({
      wrong: [packed(LONG), packed(LONG)],
      right: [packed(LONG), packed(LONG)],
      handshake: offering("client_no_context_takeover"),
    }),
    allowed: comesBackWith(INFLATES),
  },
  {
    id: "websocket/deflate-server-window",
    client: { id: "websocket/client-deflate-client-window" },
    spec: "rfc7692#7.1.2.1",
    covers: ["rfc7692#7.1.2.1/server-window"],
    level: "MUST",
    title: "The {subject} refers back at most 1,024 octets after agreeing to {subject}_max_window_bits=10.",
    needs: ["server window"],
    steps: [open(offering("server_max_window_bits=10")), send(fill(unrepetitive(), 3), fill(unrepetitive(), 3))],
    control: [open(offering("server_max_window_bits=10")), send(packed(LONG))],
    allowed: comesBackWith(holds("server window respected"), INFLATES),
  },
  {
    id: "websocket/deflate-client-window",
    client: "none",
    spec: "rfc7692#7.1.2.2",
    covers: ["rfc7692#7.1.2.2/client-window-value"],
    level: "MUST",
    title: "The server inflates messages compressed within the window of its answer to client_max_window_bits.",
    needs: ["client window"],
    ...over({
      wrong: [fill(unrepetitive(), 3), fill(unrepetitive(), 3)],
      right: [packed(LONG)],
      handshake: offering("client_max_window_bits"),
    }),
    allowed: comesBackWith(INFLATES),
  },
];

/** A text that repeats nothing within 1,600 octets. */
function unrepetitive(): string {
  return Array.from({ length: 400 }, (_, at) => (at * 2_654_435_761).toString(36).slice(-4)).join("");
}

const back = (...also: readonly Sight[]): Case["allowed"] => [{ see: all(alive, INFLATES, ...also) }];

export const claims: readonly Claim[] = [
  ...SIZES.map((size): Claim => ({
    id: `websocket/deflate-size-${size}`,
    spec: size === 0 ? "rfc7692#7.2.3.6" : "rfc7692#7.2.2",
    covers: [size === 0 ? "rfc7692#7.2.3.6/empty" : "rfc7692#7.2.2/inflate"],
    level: "MUST",
    title: `The {subject} echoes a compressed message of ${size} octets.`,
    needs: ["deflate"],
    ...only(fill("*", size)),
    allowed: comesBackWith(INFLATES),
  })),
  ...([1024, 65_536] as const).map((size): Claim => ({
    id: `websocket/deflate-stored-${size}`,
    spec: "rfc7692#7.2.3.3",
    covers: ["rfc7692#7.2.3.3/stored"],
    level: "MUST",
    title: `The {subject} inflates a message of ${size} octets in stored blocks.`,
    needs: ["deflate"],
    ...only({ opcode: "binary", fill: { text: "s", count: size }, deflate: { stored: true } }),
    allowed: comesBackWith(INFLATES),
  })),
  {
    id: "websocket/deflate-many-messages",
    spec: "rfc7692#7.2.2",
    covers: ["rfc7692#7.2.2/inflate", "rfc7692#7.2.1/tail"],
    level: "MUST",
    title: "The {subject} echoes a hundred compressed messages of growing length.",
    needs: ["deflate"],
    ...only(...Array.from({ length: 100 }, (_, at) => packed(`message ${at} ${"x".repeat(at * 7)}`))),
    allowed: comesBackWith(INFLATES),
  },
  {
    id: "websocket/deflate-empty-as-zero",
    spec: "rfc7692#7.2.3.6",
    covers: ["rfc7692#7.2.3.6/empty"],
    level: "MUST",
    title: "The {subject} inflates a single zero octet to an empty message.",
    needs: ["deflate"],
    ...over({ wrong: [raw("00")], right: [text("")] }),
    allowed: back({ see: "message", nth: 1, type: "text", text: "" }),
  },
  {
    id: "websocket/deflate-empty-as-fixed",
    spec: "rfc7692#7.2.3.6",
    covers: ["rfc7692#7.2.3.6/empty"],
    level: "MUST",
    title: "The {subject} inflates an empty block with fixed codes to an empty message.",
    needs: ["deflate"],
    ...over({ wrong: [raw("0200")], right: [text("")] }),
    allowed: back({ see: "message", nth: 1, type: "text", text: "" }),
  },
  ...HELLO.map(([id, what, hex, covers]): Claim => ({
    id: `websocket/deflate-${id}`,
    spec: sectionOf(covers),
    covers: [covers],
    level: "MUST",
    title: `The {subject} inflates the message "Hello" ${what}.`,
    needs: ["deflate"],
    ...over({ wrong: [raw(hex)], right: [text("Hello")] }),
    allowed: back({ see: "message", nth: 1, type: "text", text: "Hello" }),
  })),
  {
    id: "websocket/deflate-behind-final-block",
    spec: "rfc7692#7.2.3.4",
    covers: ["rfc7692#7.2.3.4/final"],
    level: "MUST",
    title: "The {subject} inflates the message after one with a final block.",
    needs: ["deflate"],
    steps: [open(offering()), send(raw("f348cdc9c9070000")), awaitMessages(), send(packed(LONG, { fresh: true }))],
    control: [open(offering()), send(packed("Hello"), packed(LONG))],
    allowed: back({ see: "message", nth: 1, text: "Hello" }, { see: "message", nth: 2, text: LONG }),
  },
  ...CORRUPT.map(([id, what, frame, covers]): Claim => ({
    id: `websocket/deflate-corrupt-${id}`,
    spec: "rfc7692#7.2.2",
    covers: [covers, "rfc6455#10.7/invalid-data"],
    level: "SHOULD",
    title: `The {subject} fails the connection on a compressed message ${what}.`,
    needs: ["deflate"],
    ...over({ wrong: [frame], right: [packed("Hello")] }),
    allowed: failsWith([NOT_UTF8, 1002, 1003]),
  })),
  {
    id: "websocket/deflate-corrupt-behind-good",
    spec: "rfc7692#7.2.2",
    covers: ["rfc7692#7.2.2/corrupt"],
    level: "SHOULD",
    title: "The {subject} fails the connection on invalid compressed data after a valid message.",
    needs: ["deflate"],
    ...over({ wrong: [packed("Hello"), raw("06")], right: [packed("Hello"), packed("Hello")] }),
    allowed: failsWith([NOT_UTF8, 1002, 1003], 1),
  },
  ...(
    [
      ["latin-1", "Latin-1", "63616665e9"],
      ["surrogate", "a surrogate", "eda080"],
      ["overlong", "an overlong character", "c0af"],
      ["cut", "a character without its last octet", "e282"],
    ] as const
  ).map(([id, what, hex]): Claim => ({
    id: `websocket/deflate-not-utf8-${id}`,
    spec: "rfc6455#8.1",
    covers: ["rfc7692#7.2.2/utf-8", "rfc6455#8.1/utf-8"],
    level: "MUST",
    title: `The {subject} fails the connection on a text message that inflates to ${what}.`,
    needs: ["deflate"],
    ...over({ wrong: [{ opcode: "text", hex, deflate: {} }], right: [{ opcode: "text", hex: "61".repeat(hex.length / 2), deflate: {} }] }),
    allowed: failsWith(NOT_UTF8),
  })),
  {
    id: "websocket/deflate-binary-not-utf8",
    spec: "rfc6455#5.6",
    covers: ["rfc6455#5.6/binary"],
    level: "MUST",
    title: "The {subject} echoes a binary message that does not inflate to UTF-8.",
    needs: ["deflate"],
    ...only({ opcode: "binary", hex: "c0afeda080ff", deflate: {} }),
    allowed: comesBackWith(INFLATES),
  },
  {
    id: "websocket/deflate-utf8-cut-by-blocks",
    spec: "rfc6455#5.6",
    covers: ["rfc6455#5.6/text", "rfc7692#7.2.2/utf-8"],
    level: "MUST",
    title: "The {subject} echoes a compressed text message of 30,000 characters of three and four octets.",
    needs: ["deflate"],
    ...only(fill("€😀", 15_000)),
    allowed: comesBackWith(INFLATES),
  },
  ...context,
];

export const cases = claims.map(ofServer);
