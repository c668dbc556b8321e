import {
  PROTOCOL_ERROR,
  all,
  awaitMessages,
  awaitSight,
  close,
  failsWith,
  first,
  framesOf,
  framesOnly,
  holds,
  last,
  open,
  permitted,
  ping,
  send,
  sendCut,
  text,
} from "./phrases.ts";
import type { Case, FrameSpec, Outcome } from "./vocabulary.ts";

const HELLO = text("Hello");

/** Answered with the code that came; another code, or none, is the server's to choose. */
const answered = (code: number | "none"): readonly [Outcome, ...Outcome[]] => [
  { see: { see: "closing handshake", codes: [code], echoes: 0 } },
  permitted({ see: "closing handshake", echoes: 0 }, "rfc6455#5.5.1"),
];

const MUST = { spec: "rfc6455#5.5.1", level: "MUST" } as const;
const REASON_123 = "r".repeat(123);

/** Payloads of a Close frame that are as they should be. */
const GOOD: readonly (readonly [id: string, what: string, frame: FrameSpec, code: number | "none"])[] = [
  ["without-payload", "without payload", close(), "none"],
  ["with-code", "with the code 1000", close(1000), 1000],
  ["with-reason", "with a code and a reason", close(1000, "Going home"), 1000],
  ["with-reason-in-utf8", "with a reason of characters of one to four octets", close(1000, "aÿ€😀"), 1000],
  ["with-longest-reason", "with a reason of 123 octets", close(1000, REASON_123), 1000],
  ["with-reason-of-null", "with a reason of U+0000", close(1000, "\u0000"), 1000],
];

/** What comes behind a Close frame. */
const BEHIND: readonly (readonly [id: string, what: string, frames: readonly FrameSpec[]])[] = [
  ["text", "a text message", [HELLO]],
  ["binary", "a binary message", [{ opcode: "binary", hex: "00ff" }]],
  ["fragments", "a message in fragments", [first(HELLO), last({ text: "!" })]],
  ["ping", "a PING", [ping("Hello")]],
  ["close", "another Close frame", [close(1001)]],
  ["many", "a hundred messages", Array.from({ length: 100 }, () => HELLO)],
  ["wrong-frame", "a frame with a reserved opcode", [{ opcode: 3, text: "x" }]],
];

export const cases: readonly Case[] = [
  ...GOOD.map(([id, what, frame, code]): Case => ({
    id: `websocket/close-${id}`,
    ...MUST,
    covers: ["rfc6455#5.5.1/answer", "rfc6455#5.5.1/end", "rfc6455#7.1.2/handshake"],
    title: `A Close frame ${what} is answered with a Close frame, and the server ends the connection.`,
    ...framesOnly(frame),
    allowed: answered(code),
  })),
  {
    id: "websocket/close-answer-has-the-code",
    spec: "rfc6455#5.5.1",
    covers: ["rfc6455#5.5.1/same-code"],
    level: "SHOULD",
    title: "The answer to a Close frame has the code that came.",
    ...framesOnly(close(4321, "as it came")),
    allowed: [{ see: { see: "closing handshake", codes: [4321], echoes: 0 } }],
  },
  {
    id: "websocket/close-answer-legal",
    ...MUST,
    covers: ["rfc6455#5.5.1/code", "rfc6455#5.5.1/nothing-after"],
    title: "The Close frame of the server is legal: no mask, a code that may be sent, a reason in UTF-8, and nothing behind it.",
    ...framesOnly(close(1000, "aÿ€😀")),
    allowed: [{ see: all({ see: "closing handshake" }, holds("valid frames")) }],
  },
  {
    id: "websocket/close-after-messages",
    ...MUST,
    covers: ["rfc6455#5.5.1/answer", "rfc6455#7.1.2/handshake"],
    role: "server",
    title: "A Close frame behind messages that were given back is answered.",
    steps: [open(), send(HELLO, HELLO), awaitMessages(2), send(close(1000))],
    control: [open(), send(HELLO), awaitMessages(), send(close(1000))],
    allowed: [
      { see: all({ see: "closing handshake", codes: [1000], echoes: 2 }, { see: "messages", count: 2 }) },
      permitted({ see: "closing handshake", echoes: 2 }, "rfc6455#5.5.1"),
    ],
  },
  {
    id: "websocket/close-in-pieces",
    ...MUST,
    covers: ["rfc6455#5.5.1/answer"],
    role: "server",
    title: "A Close frame that comes octet by octet is answered.",
    steps: [open(), sendCut(1, close(1000, "slowly"))],
    control: [open(), send(close(1000, "slowly"))],
    allowed: answered(1000),
  },
  {
    id: "websocket/close-at-once",
    ...MUST,
    covers: ["rfc6455#5.5.1/answer"],
    role: "server",
    title: "A Close frame right behind the handshake is answered.",
    steps: [open(), send(close(1001))],
    control: [open(), send(close(1000))],
    allowed: answered(1001),
  },
  ...BEHIND.map(([id, what, frames]): Case => ({
    id: `websocket/behind-close-${id}`,
    ...MUST,
    covers: ["rfc6455#5.5.1/after-close", "rfc6455#5.5.1/nothing-after"],
    title: `Of ${what} behind a Close frame nothing is processed: the Close frame is answered, and that is all.`,
    ...framesOf([close(1000), ...frames], [close(1000)]),
    allowed: [
      { see: all({ see: "closing handshake", codes: [1000, "none"], echoes: 0 }, holds("nothing after a Close frame")) },
      permitted(all({ see: "closing handshake", echoes: 0 }, holds("nothing after a Close frame")), "rfc6455#5.5.1", "warn"),
    ],
  })),
  {
    id: "websocket/close-of-one-octet",
    ...MUST,
    covers: ["rfc6455#5.5.1/code"],
    title: "A Close frame with a payload of one octet fails the connection.",
    ...framesOf([{ opcode: "close", hex: "03" }], [close(1000)]),
    allowed: failsWith(PROTOCOL_ERROR),
  },
  ...([126, 65_536] as const).map((size): Case => ({
    id: `websocket/close-of-${size}-octets`,
    spec: "rfc6455#5.5",
    covers: ["rfc6455#5.5/control-length"],
    level: "MUST",
    title: `A Close frame with a payload of ${size} octets fails the connection.`,
    ...framesOf([close(1000, "r".repeat(size - 2))], [close(1000, REASON_123)]),
    allowed: failsWith(PROTOCOL_ERROR),
  })),
  {
    id: "websocket/fault-close-answered",
    spec: "rfc6455#7.1.7",
    covers: ["rfc6455#7.1.7/fail", "rfc6455#7.1.1/server-first"],
    level: "MUST",
    title: "A server that fails the connection ends it when its Close frame was answered, and gives nothing back that comes behind.",
    ...framesOf([{ opcode: 3 }, HELLO, HELLO], [HELLO, HELLO]),
    allowed: failsWith(PROTOCOL_ERROR),
  },
  {
    id: "websocket/fault-close-unanswered",
    spec: "rfc6455#7.1.7",
    covers: ["rfc6455#7.1.7/fail", "rfc6455#7.1.7/fail-code"],
    level: "MUST",
    role: "server",
    title:
      "Behind the Close frame of a server that fails the connection messages are not given back, also where its Close frame is not answered.",
    steps: [
      open(),
      { do: "ignore", what: "close" },
      send({ opcode: 3 }),
      awaitSight({ see: "any", of: [{ see: "Close frame" }, { see: "abnormal closure" }] }),
      send(HELLO),
      { do: "half-close" },
    ],
    control: [open(), send(HELLO)],
    allowed: [...failsWith(PROTOCOL_ERROR)],
    fence: "none",
  },
];
