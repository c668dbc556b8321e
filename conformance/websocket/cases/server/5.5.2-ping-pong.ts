import {
  PROTOCOL_ERROR,
  all,
  alive,
  awaitSight,
  close,
  comesBackWith,
  echoed,
  failsWith,
  first,
  framesOf,
  framesOnly,
  holds,
  last,
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
import type { Case, FrameSpec, Outcome, Sight } from "../../vocabulary.ts";

/** RFC 6455, sections 5.5.2 and 5.5.3: Pings, Pongs and their payloads. */

const of = (opcode: "ping" | "pong", count: number): FrameSpec => ({ opcode, fill: { text: "p", count } });
const fill = (count: number): { readonly text: string; readonly count: number } => ({ text: "p", count });
const SIZES = [0, 1, 4, 124, 125] as const;
const TOO_LONG = [126, 127, 128, 1000, 65_536] as const;

const answered = (...also: readonly Sight[]): Case["allowed"] => [{ see: all(alive, holds("Pongs repeat Ping payloads"), ...also) }];

/** More Pings at once than a subject may want to answer one by one. */
const numbered = (count: number): readonly FrameSpec[] => Array.from({ length: count }, (_, at) => ping(`payload-${at}`));
const LAST_PONG: Sight = { see: "pong", text: "payload-199" };
/** A subject may limit how many Pongs it owes. */
const GIVES_UP: readonly Sight[] = [{ see: "Close and end" }, { see: "abnormal closure" }];
const limited: readonly Outcome[] = GIVES_UP.map((see) => permitted(see, "rfc6455#10.4"));
const MANY: readonly (readonly [id: string, what: string, before: readonly FrameSpec[], after: readonly FrameSpec[]])[] = [
  ["alone", "", [], []],
  ["between-messages", " between two messages", [text("before")], [text("after")]],
  ["inside-a-message", " inside a message", [first(text("be"))], [last({ text: "fore" })]],
];

export const claims: readonly Claim[] = [
  ...SIZES.map((size): Claim => ({
    id: `websocket/ping-of-${size}`,
    spec: "rfc6455#5.5.2",
    covers: ["rfc6455#5.5.2/pong", "rfc6455#5.5.3/same-payload"],
    level: "MUST",
    title: `The {subject} answers a Ping of ${size} octets with a Pong with the same payload.`,
    ...framesOnly(of("ping", size)),
    allowed: answered({ see: "pong", fill: fill(size) }),
  })),
  {
    id: "websocket/ping-of-any-octets",
    spec: "rfc6455#5.5.3",
    covers: ["rfc6455#5.5.3/same-payload"],
    level: "MUST",
    title: "The {subject} answers a Ping with arbitrary octets with the same octets.",
    ...framesOnly({ opcode: "ping", hex: "00ff80c0aa55fefdfc0d0a" }),
    allowed: answered({ see: "pong", hex: "00ff80c0aa55fefdfc0d0a" }),
  },
  ...TOO_LONG.map((size): Claim => ({
    id: `websocket/ping-of-${size}`,
    spec: "rfc6455#5.5",
    covers: ["rfc6455#5.5/control-length"],
    level: "SHOULD",
    title: `The {subject} fails the connection on a Ping of ${size} octets.`,
    ...framesOf({ wrong: [of("ping", size)], right: [of("ping", 125)] }),
    allowed: failsWith(PROTOCOL_ERROR),
  })),
  ...([126, 65_536] as const).map((size): Claim => ({
    id: `websocket/pong-of-${size}`,
    spec: "rfc6455#5.5",
    covers: ["rfc6455#5.5/control-length"],
    level: "SHOULD",
    title: `The {subject} fails the connection on a Pong of ${size} octets.`,
    ...framesOf({ wrong: [of("pong", size)], right: [of("pong", 125)] }),
    allowed: failsWith(PROTOCOL_ERROR),
  })),
  {
    id: "websocket/ping-in-pieces",
    spec: "rfc6455#5.5.2",
    covers: ["rfc6455#5.5.2/pong"],
    level: "MUST",
    title: "The {subject} answers a Ping of 125 octets that arrives octet by octet.",
    steps: [open(), sendCut(1, of("ping", 125))],
    control: [open(), send(of("ping", 125))],
    allowed: answered({ see: "pong", fill: fill(125) }),
  },
  {
    id: "websocket/pings-ten",
    spec: "rfc6455#5.5.2",
    covers: ["rfc6455#5.5.2/pong", "rfc6455#5.5.3/latest"],
    level: "MUST",
    title: "The {subject} answers each of ten Pings in one write, or at least the last.",
    ...framesOnly(...Array.from({ length: 10 }, (_, at) => ping(`payload-${at}`))),
    allowed: [
      {
        see: all(
          alive,
          { see: "pongs", count: 10 },
          { see: "pong", text: "payload-0", nth: 1 },
          { see: "pong", text: "payload-9", nth: 10 },
        ),
      },
      permitted(all(alive, { see: "pong", text: "payload-9" }, holds("Pongs repeat Ping payloads")), "rfc6455#5.5.3"),
    ],
  },
  ...MANY.map(([id, what, before, after]): Claim => ({
    id: `websocket/pings-many-${id}`,
    spec: "rfc6455#5.5.3",
    covers: ["rfc6455#5.5.3/latest", "rfc6455#5.5.2/pong"],
    level: "MUST",
    title: `The {subject} answers the last of 200 Pings in one write${what}, and perhaps the others.`,
    steps: [open(), send(...before, ...numbered(200), ...after), awaitSight({ see: "any", of: [LAST_PONG, ...GIVES_UP] })],
    control: [open(), send(...before, ping("one"), ...after)],
    allowed: [{ see: all(echoed, LAST_PONG, holds("Pongs repeat Ping payloads"), holds("valid frames")) }, ...limited],
  })),
  {
    id: "websocket/pings-many-then-close",
    spec: "rfc6455#5.5.2",
    covers: ["rfc6455#5.5.2/pong", "rfc6455#5.5.1/answer"],
    level: "SHOULD",
    title: "The {subject} answers the last of 200 Pings that arrive together with a Close frame, and then that.",
    ...framesOf({ wrong: [...numbered(200), close(1000)], right: [ping("one"), close(1000)] }),
    allowed: [
      {
        see: all({ see: "closing handshake", codes: [1000] }, LAST_PONG, holds("nothing after a Close frame")),
      },
      permitted(all({ see: "closing handshake" }, holds("nothing after a Close frame")), "rfc6455#5.5.1", "warn"),
      ...limited,
    ],
  },
  {
    id: "websocket/pings-one-by-one",
    spec: "rfc6455#5.5.2",
    covers: ["rfc6455#5.5.2/pong"],
    level: "MUST",
    title: "The {subject} answers each of three Pings that are sent one after another.",
    steps: [open(), ...["a", "b", "c"].flatMap((word) => [send(ping(word)), awaitSight({ see: "pong", text: word } as const)])],
    control: [open(), send(ping("a"))],
    allowed: answered({ see: "pongs", count: 3 }),
  },
  {
    id: "websocket/pong-unsolicited",
    spec: "rfc6455#5.5.3",
    covers: ["rfc6455#5.5.3/unsolicited"],
    level: "MUST",
    title: "The {subject} ignores an unsolicited Pong.",
    ...framesOf({ wrong: [pong("Hello"), text("a")], right: [text("a")] }),
    allowed: comesBackWith({ see: "pongs", count: 0 }),
  },
  {
    id: "websocket/pong-unsolicited-empty",
    spec: "rfc6455#5.5.3",
    covers: ["rfc6455#5.5.3/unsolicited"],
    level: "MUST",
    title: "The {subject} ignores an unsolicited Pong without payload.",
    ...framesOf({ wrong: [pong(), text("a")], right: [text("a")] }),
    allowed: comesBackWith({ see: "pongs", count: 0 }),
  },
  {
    id: "websocket/pong-then-ping",
    spec: "rfc6455#5.5.3",
    covers: ["rfc6455#5.5.3/unsolicited", "rfc6455#5.5.3/same-payload"],
    level: "MUST",
    title: "The {subject} answers a Ping after an unsolicited Pong with the payload of the Ping.",
    ...framesOf({ wrong: [pong("unsolicited"), ping("solicited")], right: [ping("solicited")] }),
    allowed: [{ see: all(echoed, { see: "pongs", count: 1 }, { see: "pong", text: "solicited" }) }],
  },
  {
    id: "websocket/ping-not-given-back-as-message",
    spec: "rfc6455#5.5.2",
    covers: ["rfc6455#5.5.2/pong"],
    level: "MUST",
    title: "The {subject} answers a Ping between two messages and does not echo it as a message.",
    ...framesOnly(text("a"), ping("b"), text("c")),
    allowed: comesBackWith({ see: "pong", text: "b" }),
  },
  {
    id: "websocket/pongs-of-a-server-legal",
    client: { id: "websocket/client-pongs-of-a-client-legal" },
    spec: "rfc6455#5.5",
    covers: ["rfc6455#5.5/control-length", "rfc6455#5.4/control-fragmented"],
    level: "MUST",
    title: "The {subject} sends unfragmented and short Pongs.",
    ...framesOnly(ping(), of("ping", 125), ping("x")),
    allowed: [{ see: all(alive, holds("valid frames"), not({ see: "pongs", count: 0 })) }],
  },
];

export const cases = claims.map(ofServer);
