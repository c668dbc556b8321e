import { NOT_UTF8, all, alive, awaitMessages, comesBackWith, failsWith, holds, offering, open, send, text } from "./phrases.ts";
import type { RequirementRef } from "../harness/case.ts";
import type { Case, FrameSpec, Handshake, Sight } from "./vocabulary.ts";

const LONG = "Touchstone asks whether network software speaks its protocol. ".repeat(4);
const packed = (content: string, deflate: NonNullable<FrameSpec["deflate"]> = {}): FrameSpec => text(content, { deflate });
/** Octets of DEFLATE, as a compressed text message. */
const raw = (hex: string, opcode: "text" | "binary" = "text"): FrameSpec => ({ opcode, hex, rsv: 4 });
const INFLATES = holds("inflatable messages");

const over = (
  wrong: readonly FrameSpec[],
  right: readonly FrameSpec[],
  handshake: Handshake = offering(),
): Pick<Case, "role" | "steps" | "control"> => ({
  role: "server",
  steps: [open(handshake), send(...wrong)],
  control: [open(handshake), send(...right)],
});
const only = (...frames: readonly FrameSpec[]): ReturnType<typeof over> => over(frames, frames);

const fill = (text: string, count: number, opcode: "text" | "binary" = "text"): FrameSpec => ({
  opcode,
  fill: { text, count },
  deflate: {},
});

/** Messages of all sizes. */
const SIZES = [0, 1, 16, 125, 126, 1024, 65_535, 65_536, 200_000] as const;

/** "Hello" in other blocks than a sender usually makes (rfc7692#7.2.3). */
const HELLO: readonly (readonly [id: string, what: string, hex: string, covers: RequirementRef])[] = [
  ["one-fixed-block", "in one block with fixed codes", "f248cdc9c90700", "rfc7692#7.2.2/blocks"],
  ["stored-block", "in a block without compression", "000500faff48656c6c6f00", "rfc7692#7.2.3.3/stored"],
  ["final-block", "in a block that says that it is the last", "f348cdc9c9070000", "rfc7692#7.2.3.4/final"],
  ["two-blocks", "in two blocks with an empty one between them", "f24805000000ffffcac9c90700", "rfc7692#7.2.3.5/two-blocks"],
  ["two-stored-blocks", "in two blocks without compression", "000200fdff4865000300fcff6c6c6f00", "rfc7692#7.2.2/blocks"],
  ["behind-empty-block", "behind an empty block", "000000fffff248cdc9c90700", "rfc7692#7.2.2/blocks"],
];

/** What cannot be inflated. */
const CORRUPT: readonly (readonly [id: string, what: string, frame: FrameSpec, covers: RequirementRef])[] = [
  ["reserved-block", "with a block of the reserved kind", raw("06"), "rfc7692#7.2.2/corrupt"],
  ["plain-text", "that is not compressed at all", raw("48656c6c6f"), "rfc7692#7.2.2/corrupt"],
  [
    "stored-length",
    "with a stored block whose length does not match its complement",
    raw("000500faf048656c6c6f00"),
    "rfc7692#7.2.2/corrupt",
  ],
  ["octets-of-ones", "of ones only", raw("ffffffffffffffff"), "rfc7692#7.2.2/corrupt"],
  // A dynamic block whose code lengths have a 3-bit count of words that is more than there can be.
  ["dynamic-codes", "with a block whose codes are none", raw("fcffffffffffffffff"), "rfc7692#7.2.2/corrupt"],
  // Fixed codes: length 3, distance 1, with nothing before it.
  ["distance-before-the-beginning", "that refers to an octet before the first", raw("02020000"), "rfc7692#7.2.2/distance"],
  // Fixed codes: the letter a, then length 3 and distance 4.
  ["distance-too-far", "that refers four octets back where there is one", raw("4a04620000"), "rfc7692#7.2.2/distance"],
  ["distance-symbol", "with a distance that is not defined", raw("4a043e0000"), "rfc7692#7.2.2/corrupt"],
];

const context: readonly Case[] = [
  {
    id: "websocket/deflate-client-takes-over",
    spec: "rfc7692#7.2.3.2",
    covers: ["rfc7692#7.2.3.2/takeover"],
    level: "MUST",
    title: "A compressed message that refers to the one before it comes back.",
    needs: ["client takes over"],
    ...only(packed(LONG), packed(LONG), packed(`${LONG}${LONG}`)),
    allowed: comesBackWith(INFLATES),
  },
  {
    id: "websocket/deflate-client-takes-over-nothing",
    spec: "rfc7692#7.2.3.2",
    covers: ["rfc7692#7.2.2/inflate"],
    level: "MUST",
    title: "Compressed messages come back that refer to none before them, although they may.",
    needs: ["deflate"],
    ...only(packed(LONG, { fresh: true }), packed(LONG, { fresh: true }), packed(LONG, { fresh: true })),
    allowed: comesBackWith(INFLATES),
  },
  {
    id: "websocket/deflate-client-takes-over-far",
    spec: "rfc7692#7.2.3.2",
    covers: ["rfc7692#7.2.3.2/takeover"],
    level: "MUST",
    title: "A compressed message that refers far back, over messages of 30,000 octets, comes back.",
    needs: ["client takes over"],
    ...only(packed("It was said once, long ago."), fill("0123456789abcdefghijklmnopqrst", 1000), packed("It was said once, long ago.")),
    allowed: comesBackWith(INFLATES),
  },
  {
    id: "websocket/deflate-client-takes-over-across-uncompressed",
    spec: "rfc7692#7.2.3.2",
    covers: ["rfc7692#7.2.3.2/takeover", "rfc7692#6.2/uncompressed"],
    level: "MUST",
    title: "Messages that are not compressed are none of what a compressed one can refer to.",
    needs: ["client takes over"],
    ...only(packed(LONG), text("something else in between"), packed(LONG)),
    allowed: comesBackWith(INFLATES),
  },
  {
    id: "websocket/deflate-server-no-takeover",
    spec: "rfc7692#7.1.1.1",
    covers: ["rfc7692#7.1.1.1/server-no-takeover"],
    level: "MUST",
    title: "A server that agreed to server_no_context_takeover refers in no message to one before it.",
    needs: ["server no takeover"],
    ...over([packed(LONG), packed(LONG), packed(LONG)], [packed(LONG), packed(LONG), packed(LONG)], offering("server_no_context_takeover")),
    allowed: comesBackWith(holds("no context takeover"), INFLATES),
  },
  {
    id: "websocket/deflate-client-no-takeover",
    spec: "rfc7692#7.1.1.2",
    covers: ["rfc7692#7.2.2/inflate"],
    level: "MUST",
    title: "Where client_no_context_takeover was agreed to, messages that refer to none before them come back.",
    needs: ["client no takeover"],
    ...over([packed(LONG), packed(LONG)], [packed(LONG), packed(LONG)], offering("client_no_context_takeover")),
    allowed: comesBackWith(INFLATES),
  },
  {
    id: "websocket/deflate-server-window",
    spec: "rfc7692#7.1.2.1",
    covers: ["rfc7692#7.1.2.1/server-window"],
    level: "MUST",
    title: "A server that agreed to server_max_window_bits=10 refers no further back than 1,024 octets.",
    needs: ["server window"],
    role: "server",
    steps: [open(offering("server_max_window_bits=10")), send(fill(APART(), 3), fill(APART(), 3))],
    control: [open(offering("server_max_window_bits=10")), send(packed(LONG))],
    allowed: comesBackWith(holds("server window respected"), INFLATES),
  },
  {
    id: "websocket/deflate-client-window",
    spec: "rfc7692#7.1.2.2",
    covers: ["rfc7692#7.1.2.2/client-window-value"],
    level: "MUST",
    title: "Messages come back that are compressed within the window that the answer to client_max_window_bits gives.",
    needs: ["client window"],
    ...over([fill(APART(), 3), fill(APART(), 3)], [packed(LONG)], offering("client_max_window_bits")),
    allowed: comesBackWith(INFLATES),
  },
];

/** Nothing in it comes twice in less than 1,600 octets. */
function APART(): string {
  return Array.from({ length: 400 }, (_, at) => (at * 2_654_435_761).toString(36).slice(-4)).join("");
}

const back = (...also: readonly Sight[]): Case["allowed"] => [{ see: all(alive, INFLATES, ...also) }];

export const cases: readonly Case[] = [
  ...SIZES.map((size): Case => ({
    id: `websocket/deflate-size-${size}`,
    spec: size === 0 ? "rfc7692#7.2.3.6" : "rfc7692#7.2.2",
    covers: [size === 0 ? "rfc7692#7.2.3.6/empty" : "rfc7692#7.2.2/inflate"],
    level: "MUST",
    title: `A compressed message of ${size} octets comes back.`,
    needs: ["deflate"],
    ...only(fill("*", size)),
    allowed: comesBackWith(INFLATES),
  })),
  ...([1024, 65_536] as const).map((size): Case => ({
    id: `websocket/deflate-stored-${size}`,
    spec: "rfc7692#7.2.3.3",
    covers: ["rfc7692#7.2.3.3/stored"],
    level: "MUST",
    title: `A message of ${size} octets in blocks without compression comes back.`,
    needs: ["deflate"],
    ...only({ opcode: "binary", fill: { text: "s", count: size }, deflate: { stored: true } }),
    allowed: comesBackWith(INFLATES),
  })),
  {
    id: "websocket/deflate-many-messages",
    spec: "rfc7692#7.2.2",
    covers: ["rfc7692#7.2.2/inflate", "rfc7692#7.2.1/tail"],
    level: "MUST",
    title: "A hundred compressed messages of growing length come back.",
    needs: ["deflate"],
    ...only(...Array.from({ length: 100 }, (_, at) => packed(`message ${at} ${"x".repeat(at * 7)}`))),
    allowed: comesBackWith(INFLATES),
  },
  {
    id: "websocket/deflate-empty-as-zero",
    spec: "rfc7692#7.2.3.6",
    covers: ["rfc7692#7.2.3.6/empty"],
    level: "MUST",
    title: "A compressed message of a single octet of zero is the empty message.",
    needs: ["deflate"],
    ...over([raw("00")], [text("")]),
    allowed: back({ see: "message", nth: 1, type: "text", text: "" }),
  },
  {
    id: "websocket/deflate-empty-as-fixed",
    spec: "rfc7692#7.2.3.6",
    covers: ["rfc7692#7.2.3.6/empty"],
    level: "MUST",
    title: "A compressed message of an empty block with fixed codes is the empty message.",
    needs: ["deflate"],
    ...over([raw("0200")], [text("")]),
    allowed: back({ see: "message", nth: 1, type: "text", text: "" }),
  },
  ...HELLO.map(([id, what, hex, covers]): Case => ({
    id: `websocket/deflate-${id}`,
    spec: covers.replace(/\/.*$/, "") as Case["spec"],
    covers: [covers],
    level: "MUST",
    title: `The message "Hello" ${what} comes back.`,
    needs: ["deflate"],
    ...over([raw(hex)], [text("Hello")]),
    allowed: back({ see: "message", nth: 1, type: "text", text: "Hello" }),
  })),
  {
    id: "websocket/deflate-behind-final-block",
    spec: "rfc7692#7.2.3.4",
    covers: ["rfc7692#7.2.3.4/final"],
    level: "MUST",
    role: "server",
    title: "Behind a message whose block says that it is the last, the next comes back too.",
    needs: ["deflate"],
    steps: [open(offering()), send(raw("f348cdc9c9070000")), awaitMessages(), send(packed(LONG, { fresh: true }))],
    control: [open(offering()), send(packed("Hello"), packed(LONG))],
    allowed: back({ see: "message", nth: 1, text: "Hello" }, { see: "message", nth: 2, text: LONG }),
  },
  ...CORRUPT.map(([id, what, frame, covers]): Case => ({
    id: `websocket/deflate-corrupt-${id}`,
    spec: "rfc7692#7.2.2",
    covers: [covers, "rfc6455#10.7/invalid-data"],
    level: "MUST",
    title: `A compressed message ${what} fails the connection.`,
    needs: ["deflate"],
    ...over([frame], [packed("Hello")]),
    allowed: failsWith([NOT_UTF8, 1002, 1003]),
  })),
  {
    id: "websocket/deflate-corrupt-behind-good",
    spec: "rfc7692#7.2.2",
    covers: ["rfc7692#7.2.2/corrupt"],
    level: "MUST",
    title: "A message that cannot be inflated fails the connection also behind a good one.",
    needs: ["deflate"],
    ...over([packed("Hello"), raw("06")], [packed("Hello"), packed("Hello")]),
    allowed: failsWith([NOT_UTF8, 1002, 1003], 1),
  },
  ...(
    [
      ["latin-1", "Latin-1", "63616665e9"],
      ["surrogate", "a surrogate", "eda080"],
      ["overlong", "a character in too many octets", "c0af"],
      ["cut", "a character without its last octet", "e282"],
    ] as const
  ).map(([id, what, hex]): Case => ({
    id: `websocket/deflate-not-utf8-${id}`,
    spec: "rfc6455#8.1",
    covers: ["rfc7692#7.2.2/utf-8", "rfc6455#8.1/utf-8"],
    level: "MUST",
    title: `A text message that is inflated to ${what} fails the connection.`,
    needs: ["deflate"],
    ...over([{ opcode: "text", hex, deflate: {} }], [{ opcode: "text", hex: "61".repeat(hex.length / 2), deflate: {} }]),
    allowed: failsWith(NOT_UTF8),
  })),
  {
    id: "websocket/deflate-binary-not-utf8",
    spec: "rfc6455#5.6",
    covers: ["rfc6455#5.6/binary"],
    level: "MUST",
    title: "A binary message comes back that is inflated to what is not UTF-8.",
    needs: ["deflate"],
    ...only({ opcode: "binary", hex: "c0afeda080ff", deflate: {} }),
    allowed: comesBackWith(INFLATES),
  },
  {
    id: "websocket/deflate-utf8-cut-by-blocks",
    spec: "rfc6455#5.6",
    covers: ["rfc6455#5.6/text", "rfc7692#7.2.2/utf-8"],
    level: "MUST",
    title: "A compressed text message of 30,000 characters of three and four octets comes back.",
    needs: ["deflate"],
    ...only(fill("€😀", 15_000)),
    allowed: comesBackWith(INFLATES),
  },
  ...context,
];
