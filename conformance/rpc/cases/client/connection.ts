import type { CallSpec, Sight, Step } from "../../client-vocabulary.ts";
import type { ErrorName, SettingName } from "../../../wire/http2/frame-spec.ts";
import {
  all,
  answer,
  any,
  ask,
  callOf,
  ends,
  good,
  GOOD,
  GOOD_STREAM,
  head,
  pathOf,
  received,
  requests,
  type Row,
  say,
  trailers,
} from "./phrases.ts";

/** Connections: how they end, GOAWAY, PING, the limit of streams, waiting for one. */

const BEGUN: readonly Step[] = [ask({}, { fence: false }), received()];
const STREAM: readonly Step[] = [ask({ kind: "server-stream" }, { fence: false }), received()];
const drop = (how: "close" | "reset" | "half-close"): Step => ({ do: "drop", how });
const UNAVAILABLE = ends("UNAVAILABLE", "rpc-http2#connection-failure");

const failures: readonly Row[] = (["close", "reset"] as const).flatMap((how): Row[] => [
  ...(
    [
      ["before-headers", "before response headers", [...BEGUN]],
      ["after-headers", "after response headers", [...BEGUN, head()]],
      ["inside-message", "inside a response", [...BEGUN, head(), say([{ keep: 7 }])]],
      ["before-trailers", "before trailers", [...BEGUN, head(), say()]],
    ] as const
  ).map(([id, words, steps]): Row => ({
    id: `connection-${how}-${id}`,
    title: `A connection that ${how === "close" ? "closes" : "is reset"} ${words} gives UNAVAILABLE.`,
    covers: ["rpc-http2#connection-failure/client", "rpc-status#codes/connection-breaks"],
    steps: [...steps, drop(how)],
    control: GOOD,
    allowed: UNAVAILABLE,
  })),
  {
    id: `connection-${how}-between-messages`,
    title: `A connection that ${how === "close" ? "closes" : "is reset"} between two responses gives UNAVAILABLE.`,
    covers: "rpc-http2#connection-failure/client",
    needs: ["streams"],
    steps: [...STREAM, head(), say(), drop(how)],
    control: GOOD_STREAM,
    allowed: UNAVAILABLE,
  },
]);

/** Long before a person wonders, and long after a loopback has answered. */
const SOON_MS = 1_500;
const after: readonly Row[] = [
  {
    id: "connection-closes-after-trailers",
    title: "A connection that closes after complete trailers does not undo the call.",
    covers: "rpc-http2#responses/end-of-stream",
    steps: [...BEGUN, head(), say(), trailers(), drop("half-close")],
    allowed: answer(),
  },
  {
    id: "connection-again",
    title: "A channel whose connection has closed makes its next calls on a new one.",
    covers: "rpc-http2#connection-failure/client",
    // The second call may still meet the end of the first connection.
    steps: [ask({}, { later: [callOf()] }), ...good(1), drop("close")],
    allowed: all(answer(), answer({ call: 2, status: ["OK", "UNAVAILABLE"] }), { see: "connections", count: 2 }),
  },
  {
    id: "connection-shared",
    title: "Calls of a channel one after the other share a connection.",
    covers: "rfc9113#9.1/one-connection",
    steps: [ask({}, { later: [callOf()] }), ...good(1), ...good(2)],
    allowed: all(answer(), answer({ call: 2 }), { see: "connections", count: 1 }),
  },
  {
    id: "call-not-repeated-after-failure",
    title: "A call whose connection failed after the request is not sent again without a policy.",
    covers: "rpc-http2#retries/unproven",
    steps: [...BEGUN, head(), drop("close")],
    control: GOOD,
    allowed: all(answer({ status: "UNAVAILABLE" }), requests(1)),
  },
  {
    id: "status-not-repeated",
    title: "A call that ends with UNAVAILABLE is not sent again without a policy.",
    covers: "rpc-http2#retries/unproven",
    steps: [ask(), received(), trailers({ only: true, status: "UNAVAILABLE" })],
    control: GOOD,
    allowed: all(answer({ status: "UNAVAILABLE" }), requests(1)),
  },
  {
    id: "connection-refused",
    title: "A call for which no connection comes about gives UNAVAILABLE.",
    covers: "rpc-http2#connection-failure/client",
    steps: [ask({}, { refuses: 1000, fence: false })],
    control: GOOD,
    allowed: UNAVAILABLE,
  },
  {
    id: "server-stops",
    title: "A call at a server that has stopped fails soon, without a deadline.",
    covers: "rpc-http2#connection-failure/soon",
    steps: [ask({}, { later: [callOf()], accepts: 1, fence: false }), ...good(1), drop("close")],
    control: [ask({}, { later: [callOf()] }), ...good(1), ...good(2)],
    allowed: all(answer(), answer({ call: 2, status: "UNAVAILABLE" }), { see: "took", most: SOON_MS }),
  },
  {
    id: "server-stops-with-calls",
    title: "Calls in progress at a server that stops fail soon, without a deadline.",
    covers: "rpc-http2#connection-failure/soon",
    steps: [{ do: "ask", calls: [callOf(), callOf()], accepts: 1, fence: false }, received(1), received(2), drop("close")],
    control: [{ do: "ask", calls: [callOf(), callOf()] }, ...good(1), ...good(2)],
    allowed: all(answer({ status: "UNAVAILABLE" }), answer({ call: 2, status: "UNAVAILABLE" }), { see: "took", most: SOON_MS }),
  },
  {
    id: "channel-closed",
    title: "A channel that is closed leaves no connection open.",
    covers: "rpc-http2#connection-failure/closed-channel",
    steps: GOOD,
    allowed: all(answer(), { see: "closed" }),
  },
  {
    id: "wait-for-ready-by-service-config",
    title: "A call of a method that waits by the service config gets a connection after one that failed, with all that was asked of it.",
    covers: "rpc-http2#connection-failure/client",
    level: "SHOULD",
    needs: ["service-config", "wait-for-ready"],
    steps: [
      ask(
        { metadata: [["x-one", "1"]] },
        { refuses: 1, channel: { serviceConfig: { methodConfig: [{ name: [{}], waitForReady: true }] } } },
      ),
      ...good(),
    ],
    allowed: all(answer(), { see: "request", fields: { "x-one": "1" } }),
  },
  {
    id: "wait-for-ready",
    title: "A call that waits for a connection gets it after one that failed.",
    covers: "rpc-http2#connection-failure/client",
    level: "SHOULD",
    needs: ["wait-for-ready"],
    steps: [ask({ waitForReady: true }, { refuses: 1 }), ...good()],
    allowed: answer(),
  },
];

const goaway = (last: number | "none" | "all", code?: ErrorName): Step => ({ do: "goaway", last, ...(code === undefined ? {} : { code }) });
const TWO: readonly CallSpec[] = [callOf(), callOf({ path: `${pathOf("unary")}Too` })];
const goaways: readonly Row[] = [
  ...(["NO_ERROR", "ENHANCE_YOUR_CALM"] as const).map((code): Row => ({
    id: `goaway-included-${code === "NO_ERROR" ? "no-error" : "enhance-your-calm"}`,
    title: `A call that GOAWAY with ${code} includes goes on to its end.`,
    covers: "rpc-http2#goaway/included",
    level: code === "NO_ERROR" ? "SHOULD" : "MAY",
    steps: [...BEGUN, goaway(1, code), head(), say(), trailers()],
    allowed: all(answer(), requests(1)),
  })),
  {
    id: "goaway-in-two-steps",
    title: "A call goes on after a GOAWAY that includes everything and one that includes it.",
    covers: "rpc-http2#goaway/included",
    level: "SHOULD",
    steps: [...BEGUN, goaway("all"), goaway(1), head(), say(), trailers()],
    allowed: all(answer(), requests(1)),
  },
  {
    id: "goaway-between-messages",
    title: "A stream of responses goes on after GOAWAY.",
    covers: "rpc-http2#goaway/included",
    level: "SHOULD",
    needs: ["streams"],
    steps: [...STREAM, head(), say([{ payload: "a" }]), goaway(1), say([{ payload: "b" }]), trailers()],
    allowed: answer({ messages: ["a", "b"] }),
  },
  {
    id: "goaway-then-new-connection",
    title: "After GOAWAY the next call of a channel is made on a new connection.",
    covers: "rfc9113#6.8/no-new-streams",
    steps: [ask({}, { later: [callOf()], fence: false }), received(), goaway(1), head(), say(), trailers(), ...good(2)],
    allowed: all(answer(), answer({ call: 2 }), { see: "request", request: 2, on: 2 }),
  },
  {
    id: "goaway-excluded-sent-again",
    title: "A call that GOAWAY leaves out is sent again on a new connection.",
    covers: ["rpc-http2#goaway/excluded", "rpc-retries#transparent-retries/refused"],
    steps: [...BEGUN, goaway("none"), drop("half-close"), ...good(2)],
    allowed: [
      { see: all(answer(), requests(2), { see: "request", request: 2, on: 2 }) },
      { see: all(answer({ status: "UNAVAILABLE" }), requests(1)), by: "rpc-http2#goaway", verdict: "warn" },
    ],
  },
  {
    id: "goaway-excluded-of-two",
    title: "Of two calls, the one that GOAWAY includes goes on, and the other is sent again on a new connection.",
    covers: ["rpc-http2#goaway/excluded", "rpc-retries#transparent-retries/refused"],
    steps: [{ do: "ask", calls: TWO, fence: false }, received(1), received(2), goaway(1), received(3), ...good(1), ...good(3)],
    allowed: all(answer(), answer({ call: 2 }), requests(3), { see: "request", request: 3, on: 2 }),
  },
  {
    id: "goaway-then-closed",
    title: "A call that GOAWAY includes gives UNAVAILABLE if the connection closes before its response.",
    covers: "rpc-http2#connection-failure/client",
    steps: [...BEGUN, head(), goaway(1), drop("close")],
    control: GOOD,
    allowed: UNAVAILABLE,
  },
];

const ping = (hex: string): Step => ({ do: "frames", frames: [{ type: "PING", hex }] });
const pings: readonly Row[] = (["0000000000000000", "0123456789abcdef"] as const).map((hex): Row => ({
  id: `ping-answered-${hex.startsWith("00") ? "zeros" : "octets"}`,
  title: `A PING during a call is answered with the same octets, here ${hex}.`,
  covers: "rpc-http2#ping/answer",
  steps: [ask(), received(), ping(hex), { do: "await", see: { see: "pong", hex } }, head(), say(), trailers()],
  allowed: all(answer(), { see: "pong", hex }),
}));

const limited = (most: number): readonly (readonly [SettingName, number])[] => [["MAX_CONCURRENT_STREAMS", most]];
const three: readonly CallSpec[] = [callOf(), callOf(), callOf()];
const threeGood: readonly Step[] = [...good(1), ...good(2), ...good(3)];
const allThree: readonly Sight[] = [answer(), answer({ call: 2 }), answer({ call: 3 })];
const queue: readonly Row[] = [
  {
    id: "streams-limited-to-one",
    title: "Three calls at a server that takes one at a time are made one after the other, and all succeed.",
    covers: "rfc9113#5.1.2/not-exceeded",
    steps: [{ do: "ask", calls: [callOf()], later: three, settings: limited(1) }, ...good(1), ...good(2), ...good(3), ...good(4)],
    allowed: all(...allThree, answer({ call: 4 }), { see: "at once", most: 1 }),
  },
  {
    id: "streams-limited-to-two",
    title: "Three calls at a server that takes two at a time all succeed, and at most two are open.",
    covers: "rfc9113#5.1.2/not-exceeded",
    steps: [{ do: "ask", calls: [callOf()], later: three, settings: limited(2) }, ...good(1), ...good(2), ...good(3), ...good(4)],
    allowed: all(...allThree, answer({ call: 4 }), { see: "at once", most: 2 }),
  },
  {
    id: "streams-limit-raised",
    title: "Calls that wait for the limit of streams begin when the server raises it.",
    covers: "rfc9113#5.1.2/not-exceeded",
    steps: [
      { do: "ask", calls: [callOf()], later: three, settings: limited(1) },
      ...good(1),
      received(2),
      { do: "settings", request: 2, settings: limited(10) },
      received(3),
      received(4),
      ...good(2),
      ...good(3),
      ...good(4),
    ],
    allowed: all(...allThree, answer({ call: 4 })),
  },
  {
    id: "streams-unlimited-at-once",
    title: "Three calls at a server without a limit of streams are open at the same time.",
    covers: "rpc-http2#outline/request",
    steps: [{ do: "ask", calls: three }, received(1), received(2), received(3), ...threeGood],
    allowed: all(...allThree),
  },
  {
    id: "streams-slot-free-after-reset",
    title: "A call that is reset makes room for one that waits for the limit of streams.",
    covers: "rfc9113#5.1.2/not-exceeded",
    steps: [
      { do: "ask", calls: [callOf()], later: three, settings: limited(1) },
      ...good(1),
      received(2),
      { do: "reset", request: 2, code: "INTERNAL_ERROR" },
      ...good(3),
      ...good(4),
    ],
    control: [{ do: "ask", calls: [callOf()], later: three, settings: limited(1) }, ...good(1), ...good(2), ...good(3), ...good(4)],
    allowed: any(
      all(answer({ call: 2, status: "INTERNAL" }), answer({ call: 3 }), answer({ call: 4 })),
      all(answer({ call: 3, status: "INTERNAL" }), answer({ call: 2 }), answer({ call: 4 })),
      all(answer({ call: 4, status: "INTERNAL" }), answer({ call: 2 }), answer({ call: 3 })),
    ),
  },
];

export const rows: readonly Row[] = [...failures, ...after, ...goaways, ...pings, ...queue];
