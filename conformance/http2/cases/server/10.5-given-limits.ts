import { limitFeature, type LimitName, LIMITS } from "../../limits.ts";
import { accepted, connectionError, get, given, handshake, permitted, post, request, send } from "../phrases.ts";
import type { Case, FrameSpec, Outcome, Step } from "../../vocabulary.ts";

/** RFC 9113, section 10.5: limits that the server was given (`limits.ts`), met exactly and exceeded. */

/** A connection error is what the text names; the end of the connection stops the client too. */
const stopped = connectionError("ENHANCE_YOUR_CALM");

const times = <Item>(count: number, made: (nth: number) => Item): Item[] => Array.from({ length: count }, (_, nth) => made(nth));
const PING: FrameSpec = { type: "PING", hex: "746f756368737421" };
const PING_ACK: FrameSpec = { ...PING, flags: ["ACK"] };
const EMPTY: FrameSpec = { type: "DATA", stream: 1, data: "" };

/** Frames that a server counts: so many of them, after those that they need. */
type Counted = {
  readonly id: string;
  readonly limit: LimitName;
  readonly what: string;
  readonly before?: readonly FrameSpec[];
  readonly made: (nth: number) => readonly FrameSpec[];
  /** How many fit, if the fence counts too. */
  readonly most?: number;
  /** What shows that they fit; by default everything is accepted. */
  readonly allowed?: Case["allowed"];
  /** By default one of them. */
  readonly control?: readonly FrameSpec[];
};
const RESETS: Case["allowed"] = [{ see: { see: "frame", type: "RST_STREAM", count: LIMITS.errors } }];
const COUNTED: readonly Counted[] = [
  // The fence is the last PING.
  { id: "pings", limit: "pings", what: "PING frames", made: () => [PING], most: LIMITS.pings - 1 },
  {
    id: "pings-and-answers",
    limit: "pings",
    what: "PING frames, half of them acknowledgements of nothing,",
    made: (nth) => [nth % 2 === 0 ? PING : PING_ACK],
    most: LIMITS.pings - 1,
  },
  { id: "settings", limit: "settings", what: "SETTINGS frames", made: () => [{ type: "SETTINGS", settings: [] }] },
  {
    id: "priorities",
    limit: "priorities",
    what: "PRIORITY frames",
    made: (nth) => [{ type: "PRIORITY", stream: 2 * nth + 1, priority: { on: 0, weight: 16 } }],
  },
  {
    id: "priority-updates",
    limit: "priorities",
    what: "PRIORITY_UPDATE frames",
    made: () => [{ type: "PRIORITY_UPDATE", stream: 0, promised: 1, text: "u=1" }],
  },
  { id: "empty-frames", limit: "empty-frames", what: "empty DATA frames", before: [post(1)], made: () => [EMPTY] },
  {
    id: "empty-frames-of-padding",
    limit: "empty-frames",
    what: "DATA frames that hold only padding",
    before: [post(1)],
    made: () => [{ ...EMPTY, pad: 3 }],
  },
  {
    id: "empty-frames-on-a-closed-stream",
    limit: "empty-frames",
    what: "empty DATA frames on a stream that it has reset",
    before: [post(1), { type: "WINDOW_UPDATE", stream: 1, increment: 0 }],
    made: () => [EMPTY],
    allowed: [{ see: { see: "RST_STREAM", stream: 1, code: "any error" } }],
    control: [get(1)],
  },
  {
    id: "window-updates",
    limit: "window-updates",
    what: "WINDOW_UPDATE frames on the connection",
    made: () => [{ type: "WINDOW_UPDATE", stream: 0, increment: 1 }],
  },
  {
    id: "window-updates-of-a-stream",
    limit: "window-updates",
    what: "WINDOW_UPDATE frames on a stream",
    before: [post(1)],
    made: () => [{ type: "WINDOW_UPDATE", stream: 1, increment: 1 }],
  },
  { id: "unknown-frames", limit: "unknown-frames", what: "frames of an unknown type", made: () => [{ type: 0xfb, stream: 0, hex: "" }] },
  {
    id: "resets",
    limit: "resets",
    what: "streams that the client resets",
    made: (nth) => [post(2 * nth + 1), { type: "RST_STREAM", stream: 2 * nth + 1, code: "CANCEL" }],
  },
  {
    id: "errors",
    limit: "errors",
    what: "stream errors",
    made: (nth) => [post(2 * nth + 1), { type: "WINDOW_UPDATE", stream: 2 * nth + 1, increment: 0 }],
    allowed: RESETS,
    control: [get(1)],
  },
  {
    id: "errors-of-large-requests",
    limit: "errors",
    what: "requests with a field section of 20,000 octets in few",
    // Its entry has 43 octets.
    made: (nth) => [{ ...get(2 * nth + 1, ["x-large", "1234", "indexing"]), blockTail: "be".repeat(500) }],
    allowed: [{ see: { see: "frame", type: "HEADERS", count: LIMITS.errors } }],
    control: [get(1)],
  },
  {
    id: "errors-of-requests",
    limit: "errors",
    what: "malformed requests",
    made: (nth) => [get(2 * nth + 1, ["Upper", "case"])],
    allowed: RESETS,
    control: [get(1)],
  },
];

const counted: readonly Case[] = COUNTED.flatMap(
  ({ id, limit, what, before = [], made, most = LIMITS[limit], allowed = accepted, control }) => {
    const flood = (count: number): readonly Step[] => [handshake, send(...before, ...times(count, made).flat())];
    const twin = control === undefined ? flood(1) : [handshake, send(...control)];
    return [
      given(limit, {
        id: `http2/limit-${id}`,
        title: `The server that accepts ${LIMITS[limit]} ${what} at once accepts as many.`,
        steps: flood(most),
        control: twin,
        allowed,
      }),
      given(limit, {
        id: `http2/limit-${id}-exceeded`,
        title: `The server that accepts ${LIMITS[limit]} ${what} at once ends the connection on one more.`,
        steps: flood(LIMITS[limit] + 1),
        control: twin,
        allowed: stopped,
      }),
    ];
  },
);

const LATER: FrameSpec = { type: "PING", hex: "6c617465726c6174" };
const ponged = ({ hex = "" }: FrameSpec, count: number): Outcome["see"] => ({
  see: "frame",
  type: "PING",
  where: { ack: true, hex },
  count,
});
const renewed = (ms: number, count: number): readonly Step[] => [
  handshake,
  send(...times(LIMITS.pings, () => PING)),
  { do: "await", see: ponged(PING, LIMITS.pings) },
  { do: "wait", ms },
  send(...times(count, () => LATER)),
];
const again: readonly Case[] = [
  given(
    "pings",
    {
      id: "http2/limit-pings-renewed",
      title: `The server that accepts ${LIMITS.renewed} PING frames more each second answers as many after ${LIMITS.pings}, two seconds later.`,
      // The fence is up to two more.
      steps: renewed(2_500, LIMITS.renewed),
      control: [handshake, send(PING)],
      allowed: [{ see: ponged(LATER, LIMITS.renewed) }],
    },
    "renewed",
  ),
  given(
    "pings",
    {
      id: "http2/limit-pings-renewed-slowly",
      title: `The server that accepts ${LIMITS.renewed} PING frames more each second ends the connection on ${LIMITS.pings} after ${LIMITS.pings}.`,
      steps: renewed(1_300, LIMITS.pings),
      control: [handshake, send(PING)],
      allowed: stopped,
      fence: "none",
    },
    "renewed",
  ),
];

/** A request in a HEADERS frame and so many CONTINUATION frames. */
const continued = (count: number): readonly FrameSpec[] => [
  { type: "HEADERS", stream: 1, flags: ["END_STREAM"], fields: request() },
  ...times(count, (nth): FrameSpec => ({
    type: "CONTINUATION",
    stream: 1,
    flags: nth === count - 1 ? ["END_HEADERS"] : [],
    fields: [[`x-field-${nth}`, "1"]],
  })),
];
const FILLED: FrameSpec = { type: "HEADERS", stream: 1, flags: ["END_STREAM"], fields: request("GET", ["x-large", "a".repeat(3_500)]) };
/** The rest of a field block in one frame. */
const rest = (octets: number): FrameSpec => ({
  type: "CONTINUATION",
  stream: 1,
  flags: ["END_HEADERS"],
  fields: [["x-more", "a".repeat(octets)]],
});
const answered: Outcome = { see: { see: "response", stream: 1, status: ["2xx"] } };
const blocks: readonly Case[] = [
  given("continuations", {
    id: "http2/limit-continuations",
    title: `The server that accepts ${LIMITS.continuations} CONTINUATION frames of a field block answers a request with as many.`,
    steps: [handshake, send(...continued(LIMITS.continuations))],
    control: [handshake, send(...continued(1))],
    allowed: [answered],
  }),
  given("continuations", {
    id: "http2/limit-continuations-exceeded",
    title: `The server that accepts ${LIMITS.continuations} CONTINUATION frames of a field block ends the connection on one more.`,
    steps: [handshake, send(...continued(LIMITS.continuations + 1))],
    control: [handshake, send(...continued(LIMITS.continuations))],
    allowed: stopped,
  }),
  given("block", {
    id: "http2/limit-block",
    spec: "rfc9113#10.5.1",
    title: `The server that accepts field blocks of ${LIMITS.block} octets answers a request with a smaller one in two frames.`,
    steps: [handshake, send(FILLED, rest(400))],
    control: [handshake, send(FILLED, rest(1))],
    allowed: [answered],
  }),
  given("block", {
    id: "http2/limit-block-exceeded",
    spec: "rfc9113#10.5.1",
    title: `The server that accepts field blocks of ${LIMITS.block} octets ends the connection on a larger one in two frames.`,
    steps: [handshake, send(FILLED, rest(700))],
    control: [handshake, send(FILLED, rest(400))],
    allowed: stopped,
  }),
];

/** Long enough for what is overdue after a second. */
const OVERDUE_MS = 4_000;
const late: readonly Case[] = [
  given("preface-time", {
    id: "http2/limit-preface-time",
    spec: "rfc9113#3.4",
    title: "The server ends the connection of a client that sends no SETTINGS for a second after the preface.",
    steps: [
      { do: "preface", settings: "none" },
      { do: "wait", ms: OVERDUE_MS },
    ],
    control: [{ do: "preface" }],
    allowed: connectionError(
      "PROTOCOL_ERROR",
      permitted({ see: "GOAWAY", code: ["SETTINGS_TIMEOUT", "ENHANCE_YOUR_CALM"] }, "rfc9113#5.4"),
    ),
    fence: "none",
  }),
  given("settings-time", {
    id: "http2/limit-settings-time",
    spec: "rfc9113#6.5.3",
    title: "The server sends SETTINGS_TIMEOUT to a client that acknowledges no SETTINGS for a second.",
    steps: [{ do: "preface" }, { do: "wait", ms: OVERDUE_MS }],
    control: [handshake],
    allowed: connectionError("SETTINGS_TIMEOUT"),
    fence: "none",
  }),
  given("block-time", {
    id: "http2/limit-block-time",
    title: "The server ends the connection of a client that does not end a field block for a second.",
    steps: [handshake, send({ type: "HEADERS", stream: 1, flags: ["END_STREAM"], fields: request() }), { do: "wait", ms: OVERDUE_MS }],
    control: [handshake, send(...continued(1))],
    allowed: stopped,
    fence: "none",
  }),
];

const WIDE = 1_000_000;
const CONNECTION = 65_535;
/** A large response into a window of this size for the stream, beside a request without an end; the harness opens no window by itself. */
const withWindow = (size: number, ...then: readonly Step[]): readonly Step[] => [
  { do: "handshake", settings: [["INITIAL_WINDOW_SIZE", size]] },
  { do: "hold windows" },
  send(post(3), get(5)),
  ...then,
];
const reset: Outcome["see"] = { see: "RST_STREAM", stream: 5, code: "any error" };
const until = (see: Outcome["see"]): Step => ({ do: "wait", ms: OVERDUE_MS, until: see });
const credit = (stream: number, increment: number): FrameSpec => ({ type: "WINDOW_UPDATE", stream, increment });
const content = (octets: number): Step => ({ do: "await", see: { see: "content", stream: 5, octets } });
/** Credit every 400 ms, six times: for longer than the server waits. */
const trickle = (stream: number, increment: number): readonly Step[] =>
  times(6, (): readonly Step[] => [send(credit(stream, increment)), { do: "wait", ms: 400, until: reset }]).flat();
const GIVEN_UP: Case["allowed"] = [
  { see: { see: "RST_STREAM", stream: 5, code: "ENHANCE_YOUR_CALM" } },
  permitted(reset, "rfc9113#10.5", "warn"),
  permitted({ see: "GOAWAY", code: "any error" }, "rfc9113#10.5", "warn"),
  permitted({ see: "closed" }, "rfc9113#5.4.1", "warn"),
];
const ENOUGH = LIMITS["stall-octets"];

/** What waits for credit: a stream for its own, or for that of the connection alone. */
const WAITS: readonly (readonly [id: string, what: string, stream: number, before: readonly Step[], sent: number])[] = [
  ["stream", "its stream", 5, withWindow(0, { do: "await", see: { see: "response", stream: 5 } }), 0],
  ["connection", "the connection alone", 0, withWindow(WIDE, content(CONNECTION)), CONNECTION],
];
const stalls: readonly Case[] = WAITS.flatMap(([id, what, stream, before, sent]) => [
  given("stall-time", {
    id: `http2/limit-stall-of-the-${id}`,
    title: `The server resets a response that waits for more than a second for credit of ${what}.`,
    needs: ["big-body", limitFeature("stall-time")],
    steps: [...before, until(reset)],
    control: [...before, send(credit(stream, 1)), content(sent + 1)],
    allowed: GIVEN_UP,
  }),
  given("stall-time", {
    id: `http2/limit-stall-of-the-${id}-by-trickle`,
    title: `The server resets a response that for more than a second gets one octet of credit of ${what} at a time.`,
    needs: ["big-body", limitFeature("stall-time"), limitFeature("stall-octets")],
    steps: [...before, ...trickle(stream, 1)],
    control: [...before, send(credit(stream, 1)), content(sent + 1)],
    allowed: GIVEN_UP,
  }),
  given("stall-time", {
    id: `http2/limit-stall-of-the-${id}-ended`,
    title: `The server keeps a response that gets ${ENOUGH} octets of credit of ${what} in less than a second.`,
    needs: ["big-body", limitFeature("stall-time"), limitFeature("stall-octets")],
    steps: [...before, ...trickle(stream, ENOUGH), content(sent + 6 * ENOUGH)],
    control: [...before, send(credit(stream, 1)), content(sent + 1)],
    allowed: [{ see: { see: "all", of: [{ see: "accepted" }, { see: "holds", monitor: "flow-control" }] } }],
  }),
]);

const LATER_RESET: Outcome["see"] = { see: "RST_STREAM", stream: 7, code: "any error" };
const LATER_GIVEN_UP: Case["allowed"] = [
  { see: { see: "RST_STREAM", stream: 7, code: "ENHANCE_YOUR_CALM" } },
  permitted(LATER_RESET, "rfc9113#10.5", "warn"),
  permitted({ see: "GOAWAY", code: "any error" }, "rfc9113#10.5", "warn"),
  permitted({ see: "closed" }, "rfc9113#5.4.1", "warn"),
];
/** A response that waits for credit of its stream, and half a second later another one. */
const firstWaits = withWindow(0, { do: "await", see: { see: "response", stream: 5 } }, { do: "wait", ms: 500 });
const later: readonly Case[] = [
  given("stall-time", {
    id: "http2/limit-stall-of-two-streams",
    title: "The server resets a response that waits for more than a second for credit of its stream, after an earlier one.",
    needs: ["big-body", limitFeature("stall-time")],
    steps: [...firstWaits, send(get(7)), { do: "await", see: { see: "response", stream: 7 } }, until(LATER_RESET)],
    control: [...firstWaits, send(get(7)), { do: "await", see: { see: "response", stream: 7 } }],
    allowed: LATER_GIVEN_UP,
  }),
  given("stall-time", {
    id: "http2/limit-stall-of-a-stream-then-the-connection",
    title:
      "The server resets a response that waits for more than a second for credit of the connection alone, after one that waited for its stream.",
    needs: ["big-body", limitFeature("stall-time")],
    steps: [
      ...firstWaits,
      send(get(7), credit(7, WIDE)),
      { do: "await", see: { see: "content", stream: 7, octets: CONNECTION } },
      until(LATER_RESET),
    ],
    control: [...firstWaits, send(get(7), credit(7, WIDE)), { do: "await", see: { see: "content", stream: 7, octets: CONNECTION } }],
    allowed: LATER_GIVEN_UP,
  }),
];

export const cases: readonly Case[] = [...counted, ...again, ...blocks, ...late, ...stalls, ...later];
