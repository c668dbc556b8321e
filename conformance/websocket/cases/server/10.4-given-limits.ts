import { limitFeature, type LimitName, LIMITS } from "../../limits.ts";
import {
  all,
  alive,
  awaitMessages,
  awaitSight,
  close,
  comesBack,
  comesBackWith,
  failsWith,
  first,
  framesOf,
  framesOnly,
  last,
  more,
  not,
  offering,
  open,
  permitted,
  ping,
  pong,
  send,
  text,
} from "../phrases.ts";
import { type Claim, ofServer } from "../claims.ts";
import type { Case, FrameSpec, Sight, Step } from "../../vocabulary.ts";

/** RFC 6455, section 10.4: limits that the server was given (`limits.ts`), met exactly and exceeded by one. */

const TOO_LARGE = 1009;
const POLICY = 1008;
const HELLO = text("Hello");
const number = (count: number): string => count.toLocaleString("en");

const of = (count: number, extra: Partial<FrameSpec> = {}): FrameSpec => ({ opcode: "binary", fill: { text: "b", count }, ...extra });
/** Of either side, over any version of HTTP. */
const shared = (limit: LimitName, ...needs: readonly string[]): Pick<Claim, "spec" | "covers" | "level" | "needs"> => ({
  spec: "rfc6455#10.4",
  covers: ["rfc6455#10.4/limits-imposed", "rfc6455#10.4/limits"],
  level: "SHOULD",
  needs: [limitFeature(limit), ...needs],
});
const base = (limit: LimitName, ...needs: readonly string[]): Pick<Case, "spec" | "covers" | "level" | "role" | "over" | "needs"> => ({
  ...shared(limit, ...needs),
  role: "server",
  over: "http1",
});

const { message: OCTETS, frames: FRAMES, controls: CONTROLS, renewed: RENEWED, silence: SILENCE, answer: ANSWER } = LIMITS;

/** Messages of a given length in frames: whole, in fragments, with a Ping between them, in many. */
const half = (extra = 0): readonly FrameSpec[] => [first(of(OCTETS / 2)), last({ fill: { text: "b", count: OCTETS / 2 + extra } })];
const letters = (count: number): FrameSpec => ({ opcode: "text", fill: { text: "a", count }, deflate: {} });
const MESSAGES: readonly (readonly [id: string, what: string, exact: readonly FrameSpec[], beyond: readonly FrameSpec[]])[] = [
  ["whole", "in one frame", [of(OCTETS)], [of(OCTETS + 1)]],
  ["in-fragments", "in two fragments", half(), half(1)],
  [
    "in-fragments-with-a-ping",
    "in two fragments with a Ping between them",
    [half()[0]!, ping("p"), half()[1]!],
    [half(1)[0]!, ping("p"), half(1)[1]!],
  ],
  ["ended-by-an-empty-frame", "whose last frame is empty", [first(of(OCTETS)), last()], [first(of(OCTETS + 1)), last()]],
];
const DEFLATED: readonly (readonly [id: string, what: string, made: (count: number) => readonly FrameSpec[]])[] = [
  ["compressed", "after inflation", (count) => [letters(count)]],
  [
    "compressed-in-fragments",
    "after inflation, in two fragments",
    (count) => [
      { ...letters(count), fin: false, part: { from: 0, to: 3 } },
      { ...letters(count), opcode: "continuation", rsv: 0, part: { from: 3 } },
    ],
  ],
];

const messages: readonly Claim[] = [
  ...MESSAGES.flatMap(([id, what, exact, beyond]): readonly Claim[] => [
    {
      ...shared("message"),
      id: `websocket/limit-message-${id}`,
      title: `The {subject} that accepts messages of ${number(OCTETS)} octets echoes one of exactly as many ${what}.`,
      ...framesOf({ wrong: exact, right: [of(1)] }),
      allowed: comesBack,
    },
    {
      ...shared("message"),
      id: `websocket/limit-message-${id}-exceeded`,
      title: `The {subject} that accepts messages of ${number(OCTETS)} octets refuses one of an octet more ${what} with 1009.`,
      ...framesOf({ wrong: beyond, right: exact }),
      allowed: failsWith(TOO_LARGE),
    },
  ]),
  ...DEFLATED.flatMap(([id, what, made]): readonly Claim[] => [
    {
      ...shared("message", "deflate"),
      client: "none",
      id: `websocket/limit-message-${id}`,
      title: `The {subject} that accepts messages of ${number(OCTETS)} octets echoes one of exactly as many ${what}.`,
      steps: [open(offering()), send(...made(OCTETS))],
      control: [open(offering()), send(letters(1))],
      allowed: comesBack,
    },
    {
      ...shared("message", "deflate"),
      client: "none",
      id: `websocket/limit-message-${id}-exceeded`,
      title: `The {subject} that accepts messages of ${number(OCTETS)} octets refuses one of an octet more ${what} with 1009.`,
      steps: [open(offering()), send(...made(OCTETS + 1))],
      control: [open(offering()), send(...made(OCTETS))],
      allowed: failsWith(TOO_LARGE),
    },
  ]),
  {
    ...shared("message"),
    id: "websocket/limit-message-many",
    title: `The {subject} that accepts messages of ${number(OCTETS)} octets echoes many of them that arrive together.`,
    steps: [open(), { do: "repeat", frames: [of(OCTETS), ...half(), text("a")], times: 600 }],
    control: [open(), send(of(OCTETS))],
    allowed: comesBack,
  },
  {
    ...shared("message"),
    id: "websocket/limit-message-then-close",
    covers: ["rfc6455#10.4/limits", "rfc6455#5.5.1/answer"],
    title: "The {subject} echoes two messages that arrive together with a Close frame, and then answers that.",
    ...framesOf({ wrong: [of(OCTETS), HELLO, close(1000)], right: [HELLO] }),
    allowed: [
      { see: all({ see: "closing handshake", codes: [1000] }, { see: "message", nth: 2, text: "Hello" }) },
      permitted({ see: "closing handshake", codes: [1000] }, "rfc6455#5.5.1", "warn"),
    ],
  },
];

const inFrames = (count: number, made: (at: number) => Partial<FrameSpec> = () => ({ text: "-" })): readonly FrameSpec[] => [
  first(HELLO),
  ...Array.from({ length: count - 2 }, (_, at) => more(made(at))),
  last({ text: "!" }),
];
const empty = (): Partial<FrameSpec> => ({ text: "" });
const frames: readonly Claim[] = [
  ...(
    [
      ["of-an-octet", "", undefined],
      ["empty", " that are empty but for the first and the last", empty],
    ] as const
  ).flatMap(([id, what, made]): readonly Claim[] => [
    {
      ...shared("frames"),
      id: `websocket/limit-frames-${id}`,
      title: `The {subject} that accepts ${FRAMES} frames of a message echoes two messages in as many frames${what}.`,
      ...framesOf({ wrong: [...inFrames(FRAMES, made), ...inFrames(FRAMES, made)], right: [HELLO] }),
      allowed: comesBack,
    },
    {
      ...shared("frames"),
      id: `websocket/limit-frames-${id}-exceeded`,
      title: `The {subject} that accepts ${FRAMES} frames of a message refuses one more${what}, with 1008.`,
      ...framesOf({ wrong: inFrames(FRAMES + 1, made), right: inFrames(FRAMES, made) }),
      allowed: failsWith(POLICY),
    },
  ]),
  {
    ...shared("frames"),
    id: "websocket/limit-frames-without-controls",
    title: `The {subject} that accepts ${FRAMES} frames of a message counts no Pings between them.`,
    ...framesOf({ wrong: inFrames(FRAMES).flatMap((frame) => [frame, ping("p")]), right: [HELLO] }),
    allowed: comesBackWith({ see: "pongs", count: FRAMES }),
  },
  {
    ...shared("frames"),
    id: "websocket/limit-frames-of-whole-messages",
    title: `The {subject} that accepts ${FRAMES} frames of a message echoes more messages than that, each in one frame.`,
    ...framesOnly(...Array.from({ length: FRAMES + 2 }, (_, at) => text(`message ${at}`))),
    allowed: comesBack,
  },
];

const pings = (count: number): readonly FrameSpec[] => Array.from({ length: count }, (_, at) => ping(`payload-${at}`));
const wait = (ms: number): Step => ({ do: "wait", ms });
/** Not so long that the server sends a Ping, whose Pong would count. */
const idle: readonly Step[] = [wait(700), send(HELLO)];
const ponged = (count: number): Sight => ({ see: "pongs", count });
const controls: readonly Case[] = [
  {
    ...base("controls"),
    id: "websocket/limit-controls",
    title: `The server that accepts ${CONTROLS} Pings at once answers as many.`,
    ...framesOf({ wrong: pings(CONTROLS), right: [ping("one")] }),
    allowed: [{ see: all(ponged(CONTROLS), { see: "pong", nth: CONTROLS, text: `payload-${CONTROLS - 1}` }) }],
    fence: "none",
  },
  {
    ...base("controls"),
    id: "websocket/limit-controls-exceeded",
    title: `The server that accepts ${CONTROLS} Pings at once fails the connection on one more, with 1008.`,
    ...framesOf({ wrong: pings(CONTROLS + 1), right: pings(CONTROLS - 1) }),
    allowed: failsWith(POLICY),
    fence: "none",
  },
  {
    ...base("controls"),
    id: "websocket/limit-controls-of-both-kinds",
    title: `The server that accepts ${CONTROLS} Pings and Pongs at once fails the connection on one more, with 1008.`,
    ...framesOf({ wrong: [...Array.from({ length: CONTROLS }, () => pong("unsolicited")), ping("one")], right: [pong("unsolicited")] }),
    allowed: failsWith(POLICY),
    fence: "none",
  },
  {
    ...base("controls"),
    id: "websocket/limit-controls-then-close",
    covers: ["rfc6455#10.4/limits", "rfc6455#5.5.1/answer"],
    title: `The server that accepts ${CONTROLS} Pings at once answers a Close frame after as many.`,
    ...framesOf({ wrong: [...pings(CONTROLS), close(1000)], right: [ping("one")] }),
    allowed: [{ see: { see: "closing handshake", codes: [1000] } }],
  },
  {
    ...base("controls"),
    id: "websocket/limit-controls-without-messages",
    title: `The server that accepts ${CONTROLS} Pings at once counts no messages.`,
    ...framesOf({ wrong: pings(CONTROLS - 1).flatMap((frame) => [frame, HELLO, HELLO]), right: [HELLO] }),
    allowed: comesBackWith(ponged(CONTROLS - 1)),
  },
  {
    ...base("controls", limitFeature("renewed")),
    id: "websocket/limit-controls-renewed",
    title: `The server that accepts ${RENEWED} Pings more each second answers as many after ${CONTROLS}, two seconds later.`,
    steps: [open(), send(...pings(CONTROLS)), awaitSight(ponged(CONTROLS)), ...idle, ...idle, ...idle, send(ping("later"), ping("last"))],
    control: [open(), send(ping("one"))],
    allowed: [{ see: all(ponged(CONTROLS + 2), { see: "pong", text: "last" }) }],
    fence: "none",
  },
  {
    ...base("controls", limitFeature("renewed")),
    id: "websocket/limit-controls-renewed-slowly",
    title: `The server that accepts ${RENEWED} Pings more each second fails the connection on ${CONTROLS} after ${CONTROLS}, a second later.`,
    steps: [open(), send(...pings(CONTROLS)), awaitSight(ponged(CONTROLS)), ...idle, ...idle, send(...pings(CONTROLS))],
    control: [open(), send(ping("one"))],
    allowed: failsWith(POLICY, 2),
    fence: "none",
  },
];

const pinged = (count: number): Sight => ({ see: "pings", count });
const begun: readonly Step[] = [open(), send(HELLO), awaitMessages()];
const seconds = (ms: number): string => `${ms / 1_000} s`;
const times: readonly Case[] = [
  {
    ...base("silence"),
    spec: "rfc6455#5.5.2",
    id: "websocket/limit-silence",
    title: `The server that sends a Ping after ${seconds(SILENCE)} of silence sends one, and again after the Pong.`,
    steps: [...begun, { do: "wait", ms: 4 * SILENCE, until: pinged(2) }],
    control: [open(), send(HELLO)],
    allowed: [{ see: all(alive, pinged(2)) }],
  },
  {
    ...base("silence"),
    spec: "rfc6455#5.5.2",
    id: "websocket/limit-silence-not-reached",
    title: `The server that sends a Ping after ${seconds(SILENCE)} of silence sends none after a third of that.`,
    steps: [...begun, wait(SILENCE / 3)],
    control: [open(), send(HELLO)],
    allowed: [{ see: all(alive, not(pinged(1))) }],
  },
  {
    ...base("answer", limitFeature("silence")),
    spec: "rfc6455#5.5.2",
    id: "websocket/limit-answer",
    title: `The server ends the connection of a client that answers its Ping with nothing for ${seconds(ANSWER)}.`,
    steps: [...begun, { do: "ignore", what: "ping" }, { do: "wait", ms: 3 * (SILENCE + ANSWER), until: { see: "abnormal closure" } }],
    control: [open(), send(HELLO)],
    allowed: [
      { see: all({ see: "abnormal closure", echoes: 1 }, pinged(1)) },
      permitted(all({ see: "Close and end", echoes: 1 }, pinged(1)), "rfc6455#7.1.7"),
    ],
    fence: "none",
  },
  {
    ...base("octets", limitFeature("silence")),
    spec: "rfc6455#5.5.2",
    id: "websocket/limit-answer-by-a-message",
    title: "The server for which any octet is an answer keeps the connection of a client that answers its Ping with a message.",
    steps: [...begun, { do: "ignore", what: "ping" }, awaitSight(pinged(1)), send(HELLO), awaitMessages(2), wait(ANSWER + SILENCE / 3)],
    control: [open(), send(HELLO)],
    allowed: [{ see: all(alive, pinged(1)) }],
  },
];

/** Origins that are not the one that the server was given. */
const FOREIGN: readonly (readonly [id: string, what: string, origin: string])[] = [
  ["other-port", "its origin with another port", "https://touchstone.example"],
  ["other-scheme", "its origin with another scheme", "http://touchstone.example:8443"],
  ["other-host", "an origin that ends with its own", "https://not-touchstone.example:8443"],
  ["null", "null", "null"],
  ["of-the-server", "the origin of the server itself", "{scheme}://{authority}"],
];
const from = (origin: string): Step => ({ do: "open", more: [`Origin: ${origin}`], await: "answer" });
const origins: readonly Case[] = [
  {
    ...base("origins"),
    spec: "rfc6455#4.2.2",
    covers: ["rfc6455#4.2.2/origin", "rfc6455#10.2/origin"],
    level: "MUST",
    id: "websocket/limit-origins",
    title: "The server that was given one origin accepts a handshake from it.",
    steps: [open({ more: [`Origin: ${LIMITS.origins}`] }), send(HELLO)],
    control: [open(), send(HELLO)],
    allowed: comesBack,
  },
  ...FOREIGN.map(([id, what, origin]): Case => ({
    ...base("origins"),
    spec: "rfc6455#4.2.2",
    covers: ["rfc6455#4.2.2/origin", "rfc6455#10.2/origin"],
    level: "MUST",
    id: `websocket/limit-origins-${id}`,
    title: `The server that was given one origin rejects a handshake from another: ${what}.`,
    steps: [from(origin)],
    control: [open({ more: [`Origin: ${LIMITS.origins}`] })],
    allowed: [
      { see: { see: "handshake rejected", status: [403] } },
      permitted({ see: "handshake rejected", status: ["4xx"] }, "rfc6455#4.2.2", "warn"),
    ],
  })),
];

const elsewhere = (start: string): Step => ({ do: "open", start, await: "answer" });
const paths: readonly Case[] = [
  {
    ...base("paths"),
    spec: "rfc6455#4.2.2",
    covers: ["rfc6455#4.2.2/resource"],
    level: "MUST",
    id: "websocket/limit-paths",
    title: "The server that opens WebSockets at one path rejects a handshake for another with an error such as 404.",
    steps: [elsewhere("GET /touchstone-elsewhere HTTP/1.1")],
    // The query is no part of the path.
    control: [open({ start: `GET ${LIMITS.paths}?touchstone=1?2 HTTP/1.1` })],
    allowed: [
      { see: { see: "handshake rejected", status: [404] } },
      permitted({ see: "handshake rejected", status: ["4xx", "5xx"] }, "rfc6455#4.2.2", "warn"),
    ],
  },
];

/** Limits that programs of either side can be given. */
export const claims: readonly Claim[] = [...messages, ...frames];
export const cases: readonly Case[] = [...claims.map(ofServer), ...controls, ...times, ...origins, ...paths];
