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
} from "../phrases.ts";
import { type Claim, ofServer } from "../claims.ts";
import type { FrameSpec } from "../../vocabulary.ts";

/** RFC 6455, sections 5.1 and 5.3: who masks, and how. */

const HELLO = text("Hello");
const bare = (frame: FrameSpec): FrameSpec => ({ ...frame, mask: "none" });

/** Frames without a mask that are otherwise valid. */
type Unmasked = {
  readonly id: string;
  readonly what: string;
  readonly wrong: readonly FrameSpec[];
  readonly right: readonly FrameSpec[];
  /** How many messages are echoed before. */
  readonly echoes?: number;
};
const UNMASKED: readonly Unmasked[] = [
  { id: "text", what: "a text frame", wrong: [bare(HELLO)], right: [HELLO] },
  { id: "binary", what: "a binary frame", wrong: [bare({ opcode: "binary", hex: "00ff" })], right: [{ opcode: "binary", hex: "00ff" }] },
  { id: "empty-text", what: "an empty text frame", wrong: [bare(text(""))], right: [text("")] },
  { id: "ping", what: "a Ping", wrong: [bare(ping("Hello"))], right: [ping("Hello")] },
  { id: "empty-ping", what: "a Ping without payload", wrong: [bare(ping())], right: [ping()] },
  { id: "pong", what: "a Pong", wrong: [bare(pong("Hello"))], right: [pong("Hello")] },
  {
    id: "first-fragment",
    what: "the first fragment of a message",
    wrong: [bare(first(HELLO)), last({ text: "!" })],
    right: [first(HELLO), last({ text: "!" })],
  },
  {
    id: "continuation",
    what: "a continuation",
    wrong: [first(HELLO), bare(last({ text: "!" }))],
    right: [first(HELLO), last({ text: "!" })],
  },
  { id: "second-message", what: "a second message", wrong: [HELLO, bare(HELLO)], right: [HELLO, HELLO], echoes: 1 },
  {
    id: "long-text",
    what: "a text frame of 1,000 octets",
    wrong: [bare({ opcode: "text", fill: { text: "a", count: 1000 } })],
    right: [{ opcode: "text", fill: { text: "a", count: 1000 } }],
  },
];

/** Keys that must all give the same payload. */
const KEYS: readonly (readonly [id: string, what: string, key: string])[] = [
  ["zeros", "of zeros", "00000000"],
  ["ones", "of ones", "ffffffff"],
  ["mixed", "of four different octets", "37fa213d"],
  ["first-octet-only", "whose only nonzero octet is the first", "a5000000"],
  ["last-octet-only", "whose only nonzero octet is the last", "0000005a"],
];

export const claims: readonly Claim[] = [
  ...UNMASKED.map(({ id, what, wrong, right, echoes = 0 }): Claim => ({
    id: `websocket/unmasked-${id}`,
    client: { id: `websocket/client-masked-${id}`, title: `The client fails the connection on ${what} with a mask.` },
    spec: "rfc6455#5.1",
    covers: ["rfc6455#5.1/unmasked", "rfc6455#5.1/unmasked-code"],
    level: "MUST",
    title: `The server fails the connection on ${what} without a mask.`,
    ...framesOf({ wrong, right }),
    allowed: failsWith(PROTOCOL_ERROR, echoes),
  })),
  {
    id: "websocket/unmasked-close",
    client: { id: "websocket/client-masked-close", title: "The client fails the connection on a Close frame with a mask, with any code." },
    spec: "rfc6455#5.1",
    covers: ["rfc6455#5.1/unmasked"],
    level: "MUST",
    title: "The server fails the connection on a Close frame without a mask, with any code.",
    ...framesOf({ wrong: [bare(close(1000))], right: [close(1000)] }),
    allowed: [
      { see: { see: "Close and end", codes: [1002], echoes: 0 } },
      { see: { see: "Close and end", echoes: 0 }, by: "rfc6455#5.1" },
      { see: { see: "abnormal closure", echoes: 0 }, by: "rfc6455#7.1.7", verdict: "warn" },
    ],
  },
  ...KEYS.map(([id, what, mask]): Claim => ({
    id: `websocket/mask-key-${id}`,
    client: "none",
    spec: "rfc6455#5.3",
    covers: ["rfc6455#5.3/key"],
    level: "MUST",
    title: `The server unmasks a message of 13 octets with a key ${what}.`,
    ...framesOnly(text("Hello, world!", { mask })),
    allowed: comesBack,
  })),
  {
    id: "websocket/mask-key-for-each-fragment",
    client: "none",
    spec: "rfc6455#5.3",
    covers: ["rfc6455#5.3/key"],
    level: "MUST",
    title: "The {subject} starts each frame with the first octet of its own masking key.",
    ...framesOnly(
      first(text("a", { mask: "01020304" })),
      more({ text: "bc", mask: "f0e0d0c0" }),
      last({ text: "defgh", mask: "11223344" }),
    ),
    allowed: comesBack,
  },
  {
    id: "websocket/mask-key-at-every-length",
    client: "none",
    spec: "rfc6455#5.3",
    covers: ["rfc6455#5.3/key"],
    level: "MUST",
    title: "The {subject} unmasks messages of 1 to 17 octets.",
    ...framesOnly(...Array.from({ length: 17 }, (_, at) => text("abcdefghijklmnopq".slice(0, at + 1)))),
    allowed: comesBack,
  },
  {
    id: "websocket/server-masks-nothing",
    client: "none",
    spec: "rfc6455#5.1",
    covers: ["rfc6455#5.1/server-masks-not"],
    level: "MUST NOT",
    title: "The server masks no frame: no message, no Pong, short or long.",
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
    client: "none",
    spec: "rfc6455#5.1",
    covers: ["rfc6455#5.1/server-masks-not"],
    level: "MUST NOT",
    title: "The server does not mask its Close frame.",
    ...framesOnly(close(1000)),
    allowed: [{ see: { see: "all", of: [{ see: "closing handshake" }, holds("no masked frames")] } }],
  },
];

export const cases = claims.map(ofServer);
