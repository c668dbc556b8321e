import { limitFeature, type LimitName, LIMITS } from "../../limits.ts";
import { connectionError, get, handshake, openStreamWindows, permitted, send, withoutStreamWindows } from "../phrases.ts";
import type { Case, FrameSpec, Row, Sight, Step } from "../../vocabulary.ts";

/** RFC 9113, sections 9.1, 6.7 and 10.5: how long a server was told to keep connections, and how often clients may ask whether it is alive. */

/** Those with an open stream need a response with content, too. */
const given = (limits: readonly LimitName[], { needs = [], ...row }: Row<"spec" | "covers" | "steps" | "control" | "allowed">): Case => ({
  level: "SHOULD",
  role: "server",
  needs: [...limits.map(limitFeature), ...needs],
  ...row,
});
const wait = (ms: number, until?: Sight): Step => ({ do: "wait", ms, ...(until !== undefined && { until }) });
const times = (count: number, ...steps: readonly Step[]): readonly Step[] => Array.from({ length: count }, () => steps).flat();
const response = (stream: number): Sight => ({ see: "response", stream, complete: true });
/** A request whose response cannot end, until it does. */
const open: readonly Step[] = [withoutStreamWindows, send(get(1)), { do: "await", see: { see: "response", stream: 1 } }];
const close: Step = send(openStreamWindows);
const BODY = { needs: ["body"] } as const;

/** A client that begins a frame and falls silent: it answers nothing. */
const stuck: Step = { do: "bytes", hex: "000008060000000000", note: "the head of a PING, without its octets" };

/** More than every limit here. */
const OVERDUE_MS = 4_000;
const FAREWELL: Sight = { see: "GOAWAY", code: "NO_ERROR" };
const CLOSED: Sight = { see: "closed" };
/** The connection ends with GOAWAY; the client may be the one that closes it. */
const LEAVES: Case["allowed"] = [
  { see: { see: "all", of: [FAREWELL, CLOSED] } },
  permitted(FAREWELL, "rfc9113#6.8"),
  permitted(CLOSED, "rfc9113#9.1", "warn"),
];
const KEPT = (stream: number): Case["allowed"] => [{ see: { see: "all", of: [{ see: "accepted" }, response(stream)] } }];

const lives = (needs: readonly LimitName[], row: Row<"steps" | "control" | "allowed">): Case =>
  given(needs, { spec: "rfc9113#9.1", covers: ["rfc9113#9.1/goaway-before-close", "rfc9113#6.8/before-closing"], ...row });

const idle: readonly Case[] = [
  lives(["idle-time"], {
    id: "http2/limit-idle-time",
    title: "The server that ends idle connections after a second ends one after its last response, with GOAWAY.",
    steps: [handshake, send(get(1)), { do: "await", see: response(1) }, wait(OVERDUE_MS, CLOSED)],
    control: [handshake, send(get(1)), { do: "await", see: response(1) }],
    allowed: LEAVES,
    fence: "none",
  }),
  lives(["idle-time"], {
    id: "http2/limit-idle-time-from-the-beginning",
    title: "The server that ends idle connections after a second ends one that never had a request, with GOAWAY.",
    steps: [handshake, wait(OVERDUE_MS, CLOSED)],
    control: [handshake],
    allowed: LEAVES,
    fence: "none",
  }),
  lives(["idle-time"], {
    id: "http2/limit-idle-time-of-a-stuck-client",
    title: "The server that ends idle connections after a second ends one whose client has begun a frame and answers nothing.",
    steps: [handshake, stuck, wait(8_000, CLOSED)],
    control: [handshake, stuck, { do: "bytes", hex: "746f756368737421", note: "its octets" }],
    allowed: LEAVES,
    fence: "none",
  }),
  lives(["idle-time"], {
    id: "http2/limit-idle-time-with-an-open-stream",
    covers: ["rfc9113#9.1/persistent"],
    title: "The server that ends idle connections after a second counts none of the time in which a stream is open.",
    ...BODY,
    steps: [...open, wait(1_500), close, { do: "await", see: response(1) }, wait(500), send(get(3))],
    control: [...open, close, send(get(3))],
    allowed: KEPT(3),
  }),
  lives(["idle-time"], {
    id: "http2/limit-idle-time-begins-again",
    covers: ["rfc9113#9.1/persistent"],
    title: "The server that ends idle connections after a second counts anew after every response.",
    steps: [handshake, ...[1, 3, 5].flatMap((stream) => [send(get(stream)), { do: "await", see: response(stream) } as const, wait(600)])],
    control: [handshake, send(get(1), get(3), get(5))],
    allowed: KEPT(5),
  }),
];

const age: readonly Case[] = [
  lives(["age"], {
    id: "http2/limit-age",
    title: "The server that ends connections after three seconds ends one that is in use, with GOAWAY.",
    steps: [handshake, ...Array.from({ length: 10 }, (_, n) => [send(get(2 * n + 1)), wait(500, FAREWELL)]).flat()],
    control: [handshake, send(get(1))],
    allowed: [{ see: FAREWELL }, permitted(CLOSED, "rfc9113#9.1", "warn")],
    fence: "none",
  }),
  lives(["age"], {
    id: "http2/limit-age-with-an-open-stream",
    covers: ["rfc9113#6.8/graceful-completes", "rfc9113#9.1/goaway-before-close"],
    title: "The server that ends connections after three seconds still answers the request that is open then.",
    ...BODY,
    steps: [...open, wait(OVERDUE_MS, FAREWELL), close],
    control: [...open, close],
    allowed: [
      { see: { see: "all", of: [FAREWELL, response(1)] } },
      permitted({ see: "all", of: [FAREWELL, response(1), CLOSED] }, "rfc9113#9.1"),
    ],
    fence: { stream: 1 },
  }),
  lives(["age", "age-grace"], {
    id: "http2/limit-age-grace-kept",
    covers: ["rfc9113#6.8/graceful-completes"],
    title: "The server that waits a second for the streams of an old connection answers a request that ends within that time.",
    ...BODY,
    steps: [...open, wait(OVERDUE_MS, FAREWELL), wait(300), close],
    control: [...open, close],
    allowed: [
      { see: { see: "all", of: [FAREWELL, response(1)] } },
      permitted({ see: "all", of: [FAREWELL, response(1), CLOSED] }, "rfc9113#9.1"),
    ],
    fence: { stream: 1 },
  }),
  lives(["age", "age-grace"], {
    id: "http2/limit-age-grace",
    title: "The server that waits a second for the streams of an old connection ends one with a stream that does not end.",
    ...BODY,
    steps: [...open, wait(8_000, CLOSED)],
    control: [...open, close],
    allowed: [LEAVES[0], permitted(CLOSED, "rfc9113#9.1", "warn")],
    fence: "none",
  }),
];

const ASKED: Sight = { see: "frame", type: "PING", where: { ack: false } };
const ENDED: Case["allowed"] = [
  { see: CLOSED },
  permitted(FAREWELL, "rfc9113#6.8"),
  permitted({ see: "GOAWAY", code: "any error" }, "rfc9113#5.4.1"),
];
/** With streams or without: the name of the limit, and what the client sends before it is silent. */
const SILENT: readonly (readonly [limit: LimitName, what: string, before: readonly Step[], more: Pick<Case, "needs">])[] = [
  ["alive-time", "a client without streams", [handshake], {}],
  ["alive-time-of-streams", "a client with an open stream", open, BODY],
];
const alive: readonly Case[] = SILENT.flatMap(([limit, what, before, more]) => [
  given([limit], {
    ...more,
    id: `http2/limit-${limit}`,
    spec: "rfc9113#6.7",
    covers: ["rfc9113#6.7/eight-octets"],
    title: `The server that asks ${what} by PING after a second of silence asks, and asks again.`,
    steps: [...before, wait(OVERDUE_MS, { ...ASKED, count: 2 })],
    control: before,
    allowed: [{ see: { see: "all", of: [{ see: "accepted" }, { ...ASKED, count: 2 }] } }],
    fence: "ping",
  }),
  given([limit, "alive-answer"], {
    ...more,
    id: `http2/limit-alive-answer${limit === "alive-time" ? "" : "-of-streams"}`,
    spec: "rfc9113#10.5",
    covers: ["rfc9113#10.5/track-and-limit"],
    title: `The server that asks ${what} by PING ends the connection without an answer for half a second.`,
    steps: [...before, stuck, wait(2_500, CLOSED)],
    control: [...before, stuck, { do: "bytes", hex: "746f756368737421", note: "its octets" }],
    allowed: ENDED,
    fence: "none",
  }),
]);

const PING: FrameSpec = { type: "PING", hex: "746f756368737421" };
/** PINGs with time enough between them. */
const slowly = (count: number): readonly Step[] => times(count, send(PING), wait(LIMITS["ping-interval"] + 200));
const atOnce = (count: number): Step => send(...Array.from({ length: count }, () => PING));
/** The first needs no forgiveness. */
const FORGIVEN = LIMITS["early-pings"] + 1;
const accepted: Case["allowed"] = [{ see: { see: "accepted" } }];
const stopped = connectionError("ENHANCE_YOUR_CALM");

const asks = (needs: readonly LimitName[], row: Row<"steps" | "control" | "allowed">): Case =>
  given(needs, {
    spec: "rfc9113#10.5",
    covers: ["rfc9113#10.5/track-and-limit", "rfc9113#10.5/enhance-your-calm"],
    fence: "ping",
    ...row,
  });
const pings: readonly Case[] = [
  asks(["ping-interval"], {
    id: "http2/limit-ping-interval",
    title: "The server that permits PING frames 300 milliseconds apart answers more of them than it would forgive.",
    steps: [handshake, ...slowly(FORGIVEN + 2)],
    control: [handshake, atOnce(1)],
    allowed: accepted,
  }),
  asks(["ping-interval"], {
    id: "http2/limit-ping-interval-with-an-open-stream",
    title: "The server that permits PING frames 300 milliseconds apart answers them while a stream is open, too.",
    ...BODY,
    steps: [...open, ...slowly(FORGIVEN + 2), close],
    control: [...open, atOnce(1), close],
    allowed: accepted,
  }),
  asks(["ping-interval", "early-pings"], {
    id: "http2/limit-early-pings",
    title: "The server that forgives two PING frames before their time answers three at once.",
    // The fence is the last.
    steps: [handshake, atOnce(FORGIVEN - 1)],
    control: [handshake, atOnce(1)],
    allowed: accepted,
  }),
  asks(["ping-interval", "early-pings"], {
    id: "http2/limit-early-pings-exceeded",
    title: "The server that forgives two PING frames before their time ends the connection on four at once.",
    steps: [handshake, atOnce(FORGIVEN + 1)],
    control: [handshake, atOnce(1)],
    allowed: stopped,
  }),
  asks(["ping-interval", "early-pings"], {
    id: "http2/limit-early-pings-after-a-response",
    title: "The server that forgives two PING frames before their time forgives as many again after a response.",
    steps: [handshake, atOnce(FORGIVEN), send(get(1)), { do: "await", see: response(1) }, atOnce(FORGIVEN - 1)],
    control: [handshake, send(get(1)), { do: "await", see: response(1) }, atOnce(1)],
    allowed: accepted,
  }),
  asks(["idle-pings"], {
    id: "http2/limit-idle-pings",
    title: "The server that permits three PING frames without a stream answers three.",
    steps: [handshake, ...slowly(LIMITS["idle-pings"] - 1)],
    control: [handshake, atOnce(1)],
    allowed: accepted,
  }),
  asks(["idle-pings"], {
    id: "http2/limit-idle-pings-exceeded",
    title: "The server that permits three PING frames without a stream ends the connection on a fourth, however slow they are.",
    steps: [handshake, ...slowly(LIMITS["idle-pings"]), atOnce(1)],
    control: [handshake, atOnce(1)],
    allowed: stopped,
  }),
];

export const cases: readonly Case[] = [...idle, ...age, ...alive, ...pings];
