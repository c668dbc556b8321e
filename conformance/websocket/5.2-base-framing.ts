import {
  PROTOCOL_ERROR,
  comesBack,
  comesBackWith,
  failsWith,
  first,
  framesOf,
  framesOnly,
  holds,
  last,
  ping,
  pong,
  text,
} from "./phrases.ts";
import type { Case, FrameSpec } from "./vocabulary.ts";

const HELLO = text("Hello");

/** RSV bits on each kind of frame, with what stands before and behind it. */
const KINDS: readonly (readonly [kind: string, what: string, frames: (rsv: number) => readonly FrameSpec[]])[] = [
  ["text", "a text frame", (rsv) => [text("Hello", { rsv })]],
  ["binary", "a binary frame", (rsv) => [{ opcode: "binary", hex: "00ff", rsv }]],
  ["empty-text", "an empty text frame", (rsv) => [text("", { rsv })]],
  ["ping", "a PING", (rsv) => [ping("Hello", { rsv })]],
  ["pong", "a PONG", (rsv) => [pong("Hello", { rsv })]],
  ["first-fragment", "the first fragment of a message", (rsv) => [first(text("Hello", { rsv })), last({ text: "!" })]],
  ["continuation", "a continuation", (rsv) => [first(HELLO), last({ text: "!", rsv })]],
];
const BITS: readonly (readonly [rsv: number, name: string])[] = [
  [4, "rsv1"],
  [2, "rsv2"],
  [1, "rsv3"],
];
const COMBINED = [3, 5, 6, 7] as const;

const rsvCase = (id: string, title: string, frames: (rsv: number) => readonly FrameSpec[], rsv: number): Case => ({
  id: `websocket/${id}`,
  spec: "rfc6455#5.2",
  covers: ["rfc6455#5.2/rsv"],
  level: "MUST",
  title,
  ...framesOf(frames(rsv), frames(0)),
  allowed: failsWith(PROTOCOL_ERROR),
});

const rsv: readonly Case[] = [
  ...KINDS.flatMap(([kind, what, frames]) =>
    BITS.map(([bits, name]) =>
      rsvCase(`${name}-on-${kind}`, `${name.toUpperCase()} on ${what} fails the connection where no extension is in use.`, frames, bits),
    ),
  ),
  ...COMBINED.map((bits) =>
    rsvCase(
      `rsv-bits-${bits}-on-text`,
      `RSV bits ${bits.toString(2).padStart(3, "0")} on a text frame fail the connection.`,
      (one) => [text("Hello", { rsv: one })],
      bits,
    ),
  ),
  {
    id: "websocket/rsv-on-close",
    spec: "rfc6455#5.2",
    covers: ["rfc6455#5.2/rsv"],
    level: "MUST",
    title: "RSV bits on a Close frame fail the connection.",
    ...framesOf([{ opcode: "close", code: 1000, rsv: 7 }], [{ opcode: "close", code: 1000 }]),
    allowed: failsWith(PROTOCOL_ERROR),
  },
  {
    id: "websocket/rsv-after-a-message",
    spec: "rfc6455#5.2",
    covers: ["rfc6455#5.2/rsv"],
    level: "MUST",
    title: "RSV3 on the second of two messages fails the connection.",
    ...framesOf([HELLO, text("Hello", { rsv: 1 })], [HELLO, HELLO]),
    allowed: failsWith(PROTOCOL_ERROR, 1),
  },
];

/** Opcodes that mean nothing: data frames from 3, control frames from 11. */
const RESERVED = [3, 4, 5, 6, 7, 11, 12, 13, 14, 15] as const;
const named = (opcode: number): string => (opcode < 8 ? `non-control opcode ${opcode}` : `control opcode ${opcode}`);

const opcodes: readonly Case[] = [
  ...RESERVED.map((opcode): Case => ({
    id: `websocket/reserved-opcode-${opcode}`,
    spec: "rfc6455#5.2",
    covers: ["rfc6455#5.2/reserved-opcode"],
    level: "MUST",
    title: `A frame with the reserved ${named(opcode)} and a payload fails the connection.`,
    ...framesOf([{ opcode, text: "Hello" }], [opcode < 8 ? HELLO : ping("Hello")]),
    allowed: failsWith(PROTOCOL_ERROR),
  })),
  ...([3, 7, 11, 15] as const).map((opcode): Case => ({
    id: `websocket/reserved-opcode-${opcode}-empty`,
    spec: "rfc6455#5.2",
    covers: ["rfc6455#5.2/reserved-opcode"],
    level: "MUST",
    title: `A frame with the reserved ${named(opcode)} and nothing else fails the connection.`,
    ...framesOf([{ opcode }], [opcode < 8 ? text("") : ping()]),
    allowed: failsWith(PROTOCOL_ERROR),
  })),
  ...([3, 11] as const).map((opcode): Case => ({
    id: `websocket/reserved-opcode-${opcode}-inside-a-message`,
    spec: "rfc6455#5.2",
    covers: ["rfc6455#5.2/reserved-opcode"],
    level: "MUST",
    title: `A frame with the reserved ${named(opcode)} between two fragments fails the connection.`,
    ...framesOf([first(HELLO), { opcode, text: "x" }, last({ text: "!" })], [first(HELLO), ping("x"), last({ text: "!" })]),
    allowed: failsWith(PROTOCOL_ERROR),
  })),
];

const fill = (count: number, more: Partial<FrameSpec> = {}): FrameSpec => ({ opcode: "binary", fill: { text: "*", count }, ...more });
const LENGTHS = [0, 1, 125, 126, 127, 128, 65_535, 65_536] as const;
/** Lengths that a longer form holds although a shorter one would do. */
const LONG_FORMS: readonly (readonly [length: number, bits: 16 | 64])[] = [
  [0, 16],
  [1, 16],
  [125, 16],
  [0, 64],
  [125, 64],
  [126, 64],
  [65_535, 64],
];

const lengths: readonly Case[] = [
  ...LENGTHS.flatMap((length): Case[] =>
    (["text", "binary"] as const).map((opcode): Case => ({
      id: `websocket/length-${length}-${opcode}`,
      spec: "rfc6455#5.2",
      covers: ["rfc6455#5.2/lengths", "rfc6455#5.6/binary"],
      level: "MUST",
      title: `A ${opcode} message of ${length} octets comes back as it was.`,
      ...framesOnly(fill(length, { opcode })),
      allowed: comesBackWith(holds("minimal lengths")),
    })),
  ),
  ...([126, 65_536] as const).map((length): Case => ({
    id: `websocket/length-${length}-in-pieces`,
    spec: "rfc6455#5.2",
    covers: ["rfc6455#5.2/lengths"],
    level: "MUST",
    role: "server",
    title: `A message of ${length} octets whose frame comes in many pieces comes back.`,
    steps: [{ do: "open" }, { do: "send", frames: [fill(length)], cut: length === 126 ? 1 : 997 }],
    control: [{ do: "open" }, { do: "send", frames: [fill(length)] }],
    allowed: comesBack,
  })),
  {
    id: "websocket/length-large",
    spec: "rfc6455#5.2",
    covers: ["rfc6455#5.2/lengths"],
    level: "MUST",
    title: "A message of 1 MiB comes back.",
    needs: ["large"],
    ...framesOnly(fill(1_048_576)),
    allowed: comesBack,
  },
  ...LONG_FORMS.map(([length, bits]): Case => ({
    id: `websocket/length-${length}-in-${bits}-bits`,
    spec: "rfc6455#5.2",
    covers: ["rfc6455#5.2/minimal-length"],
    level: "MUST",
    title: `A length of ${length} in ${bits} bits, which is not the shortest form, fails the connection.`,
    ...framesOf([fill(length, { lengthBits: bits })], [fill(length)]),
    allowed: [
      ...failsWith(PROTOCOL_ERROR),
      // The rule binds the sender; what a receiver does about it is not said.
      { see: { see: "all echoed" }, by: "rfc6455#5.2", verdict: "warn" },
    ],
  })),
  {
    id: "websocket/length-in-16-bits-on-ping",
    spec: "rfc6455#5.5",
    covers: ["rfc6455#5.5/control-length", "rfc6455#5.2/minimal-length"],
    level: "MUST",
    title: "A PING whose length of 5 is in 16 bits fails the connection.",
    ...framesOf([ping("Hello", { lengthBits: 16 })], [ping("Hello")]),
    allowed: [...failsWith(PROTOCOL_ERROR), { see: { see: "still open" }, by: "rfc6455#5.2", verdict: "warn" }],
  },
  ...(
    [
      ["alone", "8000000000000005"],
      ["with-all-others", "ffffffffffffffff"],
    ] as const
  ).map(([id, says]): Case => ({
    id: `websocket/length-top-bit-${id}`,
    spec: "rfc6455#5.2",
    covers: ["rfc6455#5.2/length-top-bit"],
    level: "MUST",
    title: `A length of ${says} in hexadecimal, whose most significant bit is set, fails the connection.`,
    ...framesOf([text("Hello", { lengthBits: 64, says })], [HELLO]),
    allowed: failsWith([PROTOCOL_ERROR, 1009]),
  })),
  {
    id: "websocket/length-beyond-all-limits",
    spec: "rfc6455#10.4",
    covers: ["rfc6455#10.4/limits"],
    level: "MUST",
    title: "A frame that announces 2^62 octets fails the connection: no server has that much.",
    ...framesOf([text("Hello", { lengthBits: 64, says: "4000000000000000" })], [HELLO]),
    allowed: failsWith([1009, PROTOCOL_ERROR]),
  },
];

export const cases: readonly Case[] = [
  {
    id: "websocket/server-frames-legal",
    spec: "rfc6455#5.2",
    covers: ["rfc6455#5.2/minimal-length", "rfc6455#5.2/rsv"],
    level: "MUST",
    title: "The frames of the server are legal: messages of all forms of length, and PONGs.",
    ...framesOnly(
      text(""),
      HELLO,
      ping("Hello"),
      fill(125),
      fill(126),
      ping(),
      fill(65_535),
      fill(65_536),
      first(HELLO),
      ping("x"),
      last({ text: "!" }),
    ),
    allowed: comesBackWith(holds("valid frames")),
  },
  ...rsv,
  ...opcodes,
  ...lengths,
];
