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
} from "../phrases.ts";
import { type Claim, ofServer } from "../claims.ts";
import type { FrameSpec, Outcome } from "../../vocabulary.ts";

/** RFC 6455, sections 5.5.1 and 7.1: the closing handshake. */

const HELLO = text("Hello");

/** Answered with the same code; the subject may choose another code, or none. */
const answered = (code: number | "none"): readonly [Outcome, ...Outcome[]] => [
  { see: { see: "closing handshake", codes: [code], echoes: 0 } },
  permitted({ see: "closing handshake", echoes: 0 }, "rfc6455#5.5.1"),
];

const MUST = { spec: "rfc6455#5.5.1", level: "MUST" } as const;
const REASON_123 = "r".repeat(123);

/** Valid payloads of a Close frame. */
const GOOD: readonly (readonly [id: string, what: string, frame: FrameSpec, code: number | "none"])[] = [
  ["without-payload", "without payload", close(), "none"],
  ["with-code", "with the code 1000", close(1000), 1000],
  ["with-reason", "with a code and a reason", close(1000, "Going home"), 1000],
  ["with-reason-in-utf8", "with a reason in characters of one to four octets", close(1000, "aÿ€😀"), 1000],
  ["with-longest-reason", "with a reason of 123 octets", close(1000, REASON_123), 1000],
  ["with-reason-of-null", "with a reason of U+0000", close(1000, "\u0000"), 1000],
];

/** What follows a Close frame. */
const BEHIND: readonly (readonly [id: string, what: string, frames: readonly FrameSpec[]])[] = [
  ["text", "a text message", [HELLO]],
  ["binary", "a binary message", [{ opcode: "binary", hex: "00ff" }]],
  ["fragments", "a message in fragments", [first(HELLO), last({ text: "!" })]],
  ["ping", "a Ping", [ping("Hello")]],
  ["close", "another Close frame", [close(1001)]],
  ["many", "a hundred messages", Array.from({ length: 100 }, () => HELLO)],
  ["wrong-frame", "a frame with a reserved opcode", [{ opcode: 3, text: "x" }]],
];

/** Breaches that arrive in one write with good messages before them. */
const AFTER_MESSAGES: readonly (readonly [id: string, what: string, breach: FrameSpec, codes: readonly number[]])[] = [
  ["opcode", "a frame with a reserved opcode", { opcode: 3, text: "x" }, [PROTOCOL_ERROR]],
  ["text", "a message that is not UTF-8", { opcode: "text", hex: "ff" }, [1007]],
  ["close", "a Close frame of one octet", { opcode: "close", hex: "03" }, [PROTOCOL_ERROR]],
];

export const claims: readonly Claim[] = [
  ...GOOD.map(([id, what, frame, code]): Claim => ({
    id: `websocket/close-${id}`,
    ...MUST,
    covers: ["rfc6455#5.5.1/answer", "rfc6455#5.5.1/end", "rfc6455#7.1.2/handshake"],
    title: `The {subject} answers a Close frame ${what} with a Close frame, and the server closes the connection.`,
    ...framesOnly(frame),
    allowed: answered(code),
  })),
  {
    id: "websocket/close-answer-has-the-code",
    spec: "rfc6455#5.5.1",
    covers: ["rfc6455#5.5.1/same-code"],
    level: "SHOULD",
    title: "The {subject} answers a Close frame with the same code.",
    ...framesOnly(close(4321, "as it came")),
    allowed: [{ see: { see: "closing handshake", codes: [4321], echoes: 0 } }],
  },
  {
    id: "websocket/close-answer-legal",
    ...MUST,
    covers: ["rfc6455#5.5.1/code", "rfc6455#5.5.1/nothing-after", "rfc6455#6.1/while-open"],
    title: "The {subject} sends a valid Close frame: an allowed code, a reason in UTF-8, and nothing after it.",
    ...framesOnly(close(1000, "aÿ€😀")),
    allowed: [{ see: all({ see: "closing handshake" }, holds("valid frames")) }],
  },
  {
    id: "websocket/close-after-messages",
    ...MUST,
    covers: ["rfc6455#5.5.1/answer", "rfc6455#7.1.2/handshake"],
    title: "The {subject} answers a Close frame after messages that it echoed.",
    steps: [open(), send(HELLO, HELLO), awaitMessages(2), send(close(1000))],
    control: [open(), send(HELLO), awaitMessages(), send(close(1000))],
    allowed: [
      { see: all({ see: "closing handshake", codes: [1000], echoes: 2 }, { see: "messages", count: 2 }) },
      permitted({ see: "closing handshake", echoes: 2 }, "rfc6455#5.5.1"),
    ],
  },
  {
    id: "websocket/close-with-messages",
    spec: "rfc6455#5.5.1",
    covers: ["rfc6455#5.5.1/earlier-messages"],
    level: "SHOULD",
    title: "The {subject} replies to messages that arrive together with a Close frame before it answers that.",
    ...framesOf({ wrong: [HELLO, text("again"), close(1000)], right: [HELLO, close(1000)] }),
    allowed: [
      {
        see: all(
          { see: "messages", count: 2 },
          { see: "closing handshake", codes: [1000], echoes: 2 },
          holds("nothing after a Close frame"),
        ),
      },
      permitted(all({ see: "closing handshake", echoes: 2 }, holds("nothing after a Close frame")), "rfc6455#5.5.1", "warn"),
    ],
  },
  {
    id: "websocket/close-in-pieces",
    ...MUST,
    covers: ["rfc6455#5.5.1/answer"],
    title: "The {subject} answers a Close frame that arrives octet by octet.",
    steps: [open(), sendCut(1, close(1000, "slowly"))],
    control: [open(), send(close(1000, "slowly"))],
    allowed: answered(1000),
  },
  {
    id: "websocket/close-at-once",
    ...MUST,
    covers: ["rfc6455#5.5.1/answer"],
    title: "The {subject} answers a Close frame directly after the handshake.",
    steps: [open(), send(close(1001))],
    control: [open(), send(close(1000))],
    allowed: answered(1001),
  },
  ...BEHIND.map(([id, what, frames]): Claim => ({
    id: `websocket/behind-close-${id}`,
    ...MUST,
    covers: ["rfc6455#5.5.1/after-close", "rfc6455#5.5.1/nothing-after"],
    title: `The {subject} ignores ${what} after a Close frame and only answers the Close frame.`,
    ...framesOf({ wrong: [close(1000), ...frames], right: [close(1000)] }),
    allowed: [
      { see: all({ see: "closing handshake", codes: [1000, "none"], echoes: 0 }, holds("nothing after a Close frame")) },
      permitted(all({ see: "closing handshake", echoes: 0 }, holds("nothing after a Close frame")), "rfc6455#5.5.1", "warn"),
    ],
  })),
  {
    id: "websocket/close-of-one-octet",
    ...MUST,
    covers: ["rfc6455#5.5.1/code"],
    title: "The {subject} fails the connection on a Close frame with a payload of one octet.",
    ...framesOf({ wrong: [{ opcode: "close", hex: "03" }], right: [close(1000)] }),
    allowed: failsWith(PROTOCOL_ERROR),
  },
  ...([126, 65_536] as const).map((size): Claim => ({
    id: `websocket/close-of-${size}-octets`,
    spec: "rfc6455#5.5",
    covers: ["rfc6455#5.5/control-length"],
    level: "SHOULD",
    title: `The {subject} fails the connection on a Close frame with a payload of ${size} octets.`,
    ...framesOf({ wrong: [close(1000, "r".repeat(size - 2))], right: [close(1000, REASON_123)] }),
    allowed: failsWith(PROTOCOL_ERROR),
  })),
  {
    id: "websocket/fault-close-answered",
    spec: "rfc6455#7.1.7",
    covers: ["rfc6455#7.1.7/fail", "rfc6455#7.1.1/server-first", "rfc6455#7.1.7/no-more-data"],
    level: "MUST",
    title: "A {subject} that fails the connection closes it once its Close frame is answered, and echoes nothing more.",
    ...framesOf({ wrong: [{ opcode: 3 }, HELLO, HELLO], right: [HELLO, HELLO] }),
    allowed: failsWith(PROTOCOL_ERROR),
  },
  ...AFTER_MESSAGES.map(([id, what, breach, codes]): Claim => ({
    id: `websocket/fault-${id}-after-messages`,
    spec: "rfc6455#7.1.7",
    covers: ["rfc6455#7.1.7/earlier-messages"],
    level: "SHOULD",
    title: `The {subject} replies to two messages that arrive together with ${what} before it fails the connection.`,
    ...framesOf({ wrong: [HELLO, text("again"), breach], right: [HELLO, text("again")] }),
    allowed: [
      { see: all({ see: "messages", count: 2 }, { see: "Close and end", codes, echoes: 2 }) },
      ...failsWith(codes, 2).map(({ see }): Outcome => permitted(see, "rfc6455#7.1.7", "warn")),
    ],
  })),
  {
    id: "websocket/fault-close-unanswered",
    spec: "rfc6455#7.1.7",
    covers: ["rfc6455#7.1.7/fail", "rfc6455#7.1.7/fail-code", "rfc6455#7.1.7/no-more-data"],
    level: "MUST",
    title: "A {subject} that fails the connection echoes nothing after its Close frame, even if the {peer} does not answer that.",
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

export const cases = claims.map(ofServer);
