import {
  PROTOCOL_ERROR,
  all,
  comesBack,
  comesBackWith,
  failsWith,
  first,
  framesOf,
  framesOnly,
  holds,
  last,
  more,
  not,
  open,
  permitted,
  ping,
  pong,
  send,
  sendCut,
  text,
} from "../phrases.ts";
import { type Claim, ofServer } from "../claims.ts";
import type { FrameSpec, Sight } from "../../vocabulary.ts";

/** RFC 6455, section 5.2: reserved bits, opcodes and lengths of frames. */

const HELLO = text("Hello");

/** RSV bits on each kind of frame, with the frames before and after it. */
const KINDS: readonly (readonly [kind: string, what: string, frames: (rsv: number) => readonly FrameSpec[]])[] = [
  ["text", "a text frame", (rsv) => [text("Hello", { rsv })]],
  ["binary", "a binary frame", (rsv) => [{ opcode: "binary", hex: "00ff", rsv }]],
  ["empty-text", "an empty text frame", (rsv) => [text("", { rsv })]],
  ["ping", "a Ping", (rsv) => [ping("Hello", { rsv })]],
  ["pong", "a Pong", (rsv) => [pong("Hello", { rsv })]],
  ["first-fragment", "the first fragment of a message", (rsv) => [first(text("Hello", { rsv })), last({ text: "!" })]],
  ["continuation", "a continuation", (rsv) => [first(HELLO), last({ text: "!", rsv })]],
];
const BITS: readonly (readonly [rsv: number, name: string])[] = [
  [4, "rsv1"],
  [2, "rsv2"],
  [1, "rsv3"],
];
const COMBINED = [3, 5, 6, 7] as const;

const rsvCase = ({
  frames,
  rsv,
  ...entry
}: Pick<Claim, "id" | "title"> & { readonly frames: (rsv: number) => readonly FrameSpec[]; readonly rsv: number }): Claim => ({
  ...entry,
  spec: "rfc6455#5.2",
  covers: ["rfc6455#5.2/rsv"],
  level: "MUST",
  ...framesOf({ wrong: frames(rsv), right: frames(0) }),
  allowed: failsWith(PROTOCOL_ERROR),
});

const rsv: readonly Claim[] = [
  ...KINDS.flatMap(([kind, what, frames]) =>
    BITS.map(([bits, name]) =>
      rsvCase({
        id: `websocket/${name}-on-${kind}`,
        title: `The {subject} fails the connection on ${name.toUpperCase()} on ${what} without an extension.`,
        frames,
        rsv: bits,
      }),
    ),
  ),
  ...COMBINED.map((bits) =>
    rsvCase({
      id: `websocket/rsv-bits-${bits}-on-text`,
      title: `The {subject} fails the connection on a text frame with RSV bits ${bits.toString(2).padStart(3, "0")}.`,
      frames: (one) => [text("Hello", { rsv: one })],
      rsv: bits,
    }),
  ),
  {
    id: "websocket/rsv-on-close",
    spec: "rfc6455#5.2",
    covers: ["rfc6455#5.2/rsv"],
    level: "MUST",
    title: "The {subject} fails the connection on a Close frame with RSV bits.",
    ...framesOf({ wrong: [{ opcode: "close", code: 1000, rsv: 7 }], right: [{ opcode: "close", code: 1000 }] }),
    allowed: failsWith(PROTOCOL_ERROR),
  },
  {
    id: "websocket/rsv-after-a-message",
    spec: "rfc6455#5.2",
    covers: ["rfc6455#5.2/rsv"],
    level: "MUST",
    title: "The {subject} fails the connection on RSV3 on the second of two messages.",
    ...framesOf({ wrong: [HELLO, text("Hello", { rsv: 1 })], right: [HELLO, HELLO] }),
    allowed: failsWith(PROTOCOL_ERROR, 1),
  },
];

/** Reserved opcodes: data frames from 3, control frames from 11. */
const RESERVED = [3, 4, 5, 6, 7, 11, 12, 13, 14, 15] as const;
const named = (opcode: number): string => (opcode < 8 ? `non-control opcode ${opcode}` : `control opcode ${opcode}`);

const opcodes: readonly Claim[] = [
  ...RESERVED.map((opcode): Claim => ({
    id: `websocket/reserved-opcode-${opcode}`,
    spec: "rfc6455#5.2",
    covers: ["rfc6455#5.2/reserved-opcode"],
    level: "MUST",
    title: `The {subject} fails the connection on a frame with the reserved ${named(opcode)} and a payload.`,
    ...framesOf({ wrong: [{ opcode, text: "Hello" }], right: [opcode < 8 ? HELLO : ping("Hello")] }),
    allowed: failsWith(PROTOCOL_ERROR),
  })),
  ...([3, 7, 11, 15] as const).map((opcode): Claim => ({
    id: `websocket/reserved-opcode-${opcode}-empty`,
    spec: "rfc6455#5.2",
    covers: ["rfc6455#5.2/reserved-opcode"],
    level: "MUST",
    title: `The {subject} fails the connection on an empty frame with the reserved ${named(opcode)}.`,
    ...framesOf({ wrong: [{ opcode }], right: [opcode < 8 ? text("") : ping()] }),
    allowed: failsWith(PROTOCOL_ERROR),
  })),
  ...([3, 11] as const).map((opcode): Claim => ({
    id: `websocket/reserved-opcode-${opcode}-inside-a-message`,
    spec: "rfc6455#5.2",
    covers: ["rfc6455#5.2/reserved-opcode"],
    level: "MUST",
    title: `The {subject} fails the connection on a frame with the reserved ${named(opcode)} between two fragments.`,
    ...framesOf({
      wrong: [first(HELLO), { opcode, text: "x" }, last({ text: "!" })],
      right: [first(HELLO), ping("x"), last({ text: "!" })],
    }),
    allowed: failsWith(PROTOCOL_ERROR),
  })),
];

const fill = (count: number, others: Partial<FrameSpec> = {}): FrameSpec => ({ opcode: "binary", fill: { text: "*", count }, ...others });
const LENGTHS = [0, 1, 125, 126, 127, 128, 65_535, 65_536] as const;
/** Lengths in a longer form than necessary. */
const LONG_FORMS: readonly (readonly [length: number, bits: 16 | 64])[] = [
  [0, 16],
  [1, 16],
  [125, 16],
  [0, 64],
  [125, 64],
  [126, 64],
  [65_535, 64],
];

/** Frames with every form of length, whose heads arrive octet by octet. */
const IN_OCTETS: readonly (readonly [id: string, what: string, frames: readonly FrameSpec[]])[] = [
  ["short", "a message of 5 octets", [HELLO]],
  ["empty", "an empty message and one after it", [text(""), HELLO]],
  ["16-bits", "a message of 200 octets", [fill(200)]],
  ["64-bits", "a message of 65,536 octets", [fill(65_536)]],
  ["two-64-bits", "two messages of 65,536 and 70,000 octets", [fill(65_536), fill(70_000)]],
  [
    "fragments",
    "a message in fragments of 5, 300 and 65,536 octets",
    [first(HELLO), more({ fill: { text: "*", count: 300 } }), last({ fill: { text: "*", count: 65_536 } })],
  ],
  ["ping", "a message after a Ping", [ping("Hello"), HELLO]],
];

/** Lengths whose lower half alone would fit the octets that follow. */
const HUGE: readonly (readonly [id: string, says: string, what: string])[] = [
  ["upper-half-1", "0000000100000005", "2^32 + 5"],
  ["upper-half-256", "0000010000000005", "2^40 + 5"],
  ["upper-half-of-a-billion", "4000000000000005", "2^62 + 5"],
  ["lower-half-0", "0000000200000000", "2^33"],
];
/** Lengths of 65,536 and a bit in each octet of the upper half, followed by 65,536 octets. */
const UPPER_OCTETS: readonly (readonly [id: string, says: string, what: string])[] = [
  ["upper-octet-1", "0100000000010000", "2^56 + 65,536"],
  ["upper-octet-2", "0001000000010000", "2^48 + 65,536"],
  ["upper-octet-3", "0000010000010000", "2^40 + 65,536"],
  ["upper-octet-4", "0000000100010000", "2^32 + 65,536"],
];
/** Nothing is taken for a message or a Ping: all of it belongs to the frame. */
const WAITS: Sight = all(not({ see: "messages", count: 1 }), not({ see: "pong", text: "inside" }));
/** A frame of this length, of which only a little follows: "Hello", and what a reader of half the length sees as a Ping. */
const announced = (says: string, whole: FrameSpec = HELLO): Pick<Claim, "steps" | "control"> => ({
  steps: [
    open(),
    send({ ...whole, lengthBits: 64, says }, ping("inside")),
    {
      do: "wait",
      ms: 500,
      until: { see: "any", of: [{ see: "Close and end" }, { see: "abnormal closure" }, { see: "pong", text: "inside" }] },
    },
  ],
  control: [open(), send(whole, ping("inside"))],
});

const lengths: readonly Claim[] = [
  ...LENGTHS.flatMap((length): Claim[] =>
    (["text", "binary"] as const).map((opcode): Claim => ({
      id: `websocket/length-${length}-${opcode}`,
      spec: "rfc6455#5.2",
      covers: ["rfc6455#5.2/lengths", "rfc6455#5.6/binary"],
      level: "MUST",
      title: `The {subject} echoes a ${opcode} message of ${length} octets.`,
      ...framesOnly(fill(length, { opcode })),
      allowed: comesBackWith(holds("minimal lengths")),
    })),
  ),
  ...([126, 65_536] as const).map((length): Claim => ({
    id: `websocket/length-${length}-in-pieces`,
    spec: "rfc6455#5.2",
    covers: ["rfc6455#5.2/lengths"],
    level: "MUST",
    title: `The {subject} echoes a message of ${length} octets that arrives in many pieces.`,
    steps: [{ do: "open" }, { do: "send", frames: [fill(length)], cut: length === 126 ? 1 : 997 }],
    control: [{ do: "open" }, { do: "send", frames: [fill(length)] }],
    allowed: comesBack,
  })),
  ...IN_OCTETS.map(([id, what, frames]): Claim => ({
    id: `websocket/head-in-octets-${id}`,
    spec: "rfc6455#5.2",
    covers: ["rfc6455#5.2/lengths"],
    level: "MUST",
    title: `The {subject} reads ${what} although each octet of a head arrives alone.`,
    steps: [open(), sendCut("heads", ...frames)],
    control: [open(), send(...frames)],
    allowed: comesBack,
  })),
  {
    id: "websocket/length-large",
    spec: "rfc6455#5.2",
    covers: ["rfc6455#5.2/lengths"],
    level: "MUST",
    title: "The {subject} echoes a message of 1 MiB.",
    needs: ["large"],
    ...framesOnly(fill(1_048_576)),
    allowed: comesBack,
  },
  ...LONG_FORMS.map(([length, bits]): Claim => ({
    id: `websocket/length-${length}-in-${bits}-bits`,
    spec: "rfc6455#5.2",
    covers: ["rfc6455#5.2/minimal-length"],
    level: "SHOULD",
    title: `The {subject} fails the connection on a length of ${length} in ${bits} bits, which is not the shortest form.`,
    ...framesOf({ wrong: [fill(length, { lengthBits: bits })], right: [fill(length)] }),
    allowed: [
      ...failsWith(PROTOCOL_ERROR),
      // The rule binds the sender; the RFC does not say what a receiver does.
      { see: { see: "all echoed" }, by: "rfc6455#5.2", verdict: "warn" },
    ],
  })),
  {
    id: "websocket/length-in-16-bits-on-ping",
    spec: "rfc6455#5.5",
    covers: ["rfc6455#5.5/control-length", "rfc6455#5.2/minimal-length"],
    level: "SHOULD",
    title: "The {subject} fails the connection on a Ping whose length of 5 is encoded in 16 bits.",
    ...framesOf({ wrong: [ping("Hello", { lengthBits: 16 })], right: [ping("Hello")] }),
    allowed: [...failsWith(PROTOCOL_ERROR), { see: { see: "still open" }, by: "rfc6455#5.2", verdict: "warn" }],
  },
  ...(
    [
      ["alone", "8000000000000005"],
      ["with-all-others", "ffffffffffffffff"],
    ] as const
  ).map(([id, says]): Claim => ({
    id: `websocket/length-top-bit-${id}`,
    spec: "rfc6455#5.2",
    covers: ["rfc6455#5.2/length-top-bit"],
    level: "SHOULD",
    title: `The {subject} fails the connection on the length 0x${says}, whose most significant bit is set.`,
    ...framesOf({ wrong: [text("Hello", { lengthBits: 64, says })], right: [HELLO] }),
    allowed: failsWith([PROTOCOL_ERROR, 1009]),
  })),
  {
    id: "websocket/length-top-bit-after-a-message",
    spec: "rfc6455#5.2",
    covers: ["rfc6455#5.2/length-top-bit"],
    level: "SHOULD",
    title: "The {subject} fails the connection on a length whose most significant bit is set, on the second of two messages.",
    ...framesOf({ wrong: [HELLO, text("Hello", { lengthBits: 64, says: "8000000000000005" })], right: [HELLO, HELLO] }),
    allowed: failsWith([PROTOCOL_ERROR, 1009], 1),
  },
  ...[...HUGE, ...UPPER_OCTETS].map(([id, says, what]): Claim => ({
    id: `websocket/length-${id}`,
    spec: "rfc6455#5.2",
    covers: ["rfc6455#5.2/lengths", "rfc6455#10.4/limits"],
    level: "MUST",
    title: `The {subject} reads all 64 bits of a declared length of ${what}, and does not take the octets that are there for the message.`,
    ...announced(says, id.startsWith("upper-octet") ? fill(65_536) : HELLO),
    allowed: [
      { see: all(WAITS, { see: "Close and end", codes: [1009] }) },
      // Without a limit it waits for the rest.
      permitted(WAITS, "rfc6455#10.4"),
    ],
    fence: "none",
  })),
  ...(
    [
      ["beyond-all-limits", "4000000000000000", "2^62"],
      ["largest", "7fffffffffffffff", "2^63-1"],
    ] as const
  ).map(([id, says, what]): Claim => ({
    id: `websocket/length-${id}`,
    spec: "rfc6455#10.4",
    covers: ["rfc6455#10.4/limits"],
    level: "SHOULD",
    title: `The {subject} fails the connection with 1009 on a frame with a declared length of ${what} octets, which no memory holds.`,
    ...announced(says),
    allowed: [
      { see: all(WAITS, { see: "Close and end", codes: [1009] }) },
      permitted(all(WAITS, { see: "Close and end" }), "rfc6455#7.1.7", "warn"),
      // It has kept nothing so far: there is no limit that it exceeds.
      permitted(WAITS, "rfc6455#10.4", "warn"),
    ],
    fence: "none",
  })),
];

export const claims: readonly Claim[] = [
  {
    id: "websocket/server-frames-legal",
    client: { id: "websocket/client-frames-legal" },
    spec: "rfc6455#5.2",
    covers: ["rfc6455#5.2/minimal-length", "rfc6455#5.2/rsv", "rfc6455#5.2/rsv-zero", "rfc6455#6.1/sent-as-frames"],
    level: "MUST",
    title: "The {subject} sends valid frames: messages with every form of length, and Pongs.",
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

export const cases = claims.map(ofServer);
