import type { ErrorName } from "../../../wire/http2/frame-spec.ts";
import type { MessageSpec, Sight, Step } from "../../vocabulary.ts";
import { all, answer, call, end, lastly, PAYLOAD, type Row, say } from "./phrases.ts";

/** The course of streams: order, half-close, early ends, cancellation, windows. */

const BIDI = call(1, { method: "BidiStream" });
const CLIENT = call(1, { method: "ClientStream" });
const SERVER = call(1, { method: "ServerStream" });
const until = (see: Sight): Step => ({ do: "await", see });
const arrived = (count: number): Step => until({ see: "messages", call: 1, count });
const letters = (count: number): MessageSpec[] =>
  Array.from({ length: count }, (_, at) => ({ payload: String.fromCharCode(97 + (at % 26)) }));
const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);

const order: readonly Row[] = [
  {
    id: "bidi-turns",
    title: "A bidirectional stream answers each message before the next one comes.",
    covers: "rpc-http2#outline/response",
    steps: [
      BIDI,
      say(1, [{ payload: "a" }]),
      arrived(1),
      say(1, [{ payload: "b" }]),
      arrived(2),
      say(1, [{ payload: "c" }]),
      arrived(3),
      end(1),
    ],
    allowed: answer({ payloads: ["a", "b", "c"], numbers: [1, 2, 3] }),
  },
  {
    id: "bidi-turns-cut",
    title: "A bidirectional stream answers a message as soon as its last octet comes.",
    covers: "rpc-http2#data-frames/boundaries",
    steps: [BIDI, say(1, [{ payload: "a" }], { cut: 1 }), arrived(1), say(1, [{ payload: "b" }], { cut: 2 }), arrived(2), end(1)],
    allowed: answer({ payloads: ["a", "b"] }),
  },
  {
    id: "bidi-answered-before-the-rest",
    title: "A bidirectional stream answers a whole message although the next one has begun.",
    covers: "rpc-http2#data-frames/boundaries",
    steps: [
      BIDI,
      say(1, [{ payload: "a" }, { payload: "b", keep: 3 }]),
      arrived(1),
      { do: "frames", frames: [{ type: "DATA", stream: 1, hex: "00030a0162" }] },
      arrived(2),
      end(1),
    ],
    allowed: answer({ payloads: ["a", "b"] }),
  },
  {
    id: "bidi-many",
    title: "A bidirectional stream answers two hundred messages in their order.",
    covers: "rpc-http2#outline/response",
    steps: [BIDI, lastly(1, letters(200))],
    allowed: answer({ payloads: letters(200).map(({ payload = "" }) => payload), numbers: upTo(200) }),
  },
  {
    id: "client-stream-many",
    title: "A stream of two hundred requests is read in its order.",
    covers: "rpc-http2#outline/request",
    steps: [CLIENT, lastly(1, letters(200))],
    allowed: answer({
      payloads: [
        letters(200)
          .map(({ payload }) => payload)
          .join(""),
      ],
      numbers: [200],
    }),
  },
  {
    id: "client-stream-waits",
    title: "A stream of requests is not answered before its end.",
    covers: "rpc-http2#outline/request",
    steps: [CLIENT, say(1), { do: "fence" }, until({ see: "at most", call: 1, count: 0 }), lastly(1)],
    allowed: answer({ payloads: [`${PAYLOAD}${PAYLOAD}`], numbers: [2] }),
  },
  {
    id: "client-stream-half-close-later",
    title: "The end of a stream of requests may come after its messages were read.",
    covers: "rpc-http2#requests/end-of-stream",
    steps: [CLIENT, say(1), { do: "fence" }, say(1), { do: "fence" }, end(1)],
    allowed: answer({ payloads: [`${PAYLOAD}${PAYLOAD}`] }),
  },
  {
    id: "server-stream-many",
    title: "A stream of 500 responses comes in its order.",
    covers: "rpc-http2#outline/response",
    steps: [SERVER, lastly(1, [{ payload: "n", plan: { responses: 500 } }])],
    allowed: answer({ payloads: upTo(500).map(() => "n"), numbers: upTo(500) }),
  },
  {
    id: "server-stream-one",
    title: "A stream of responses may have one.",
    covers: "rpc-http2#outline/response",
    steps: [SERVER, lastly(1, [{ plan: { responses: 1 } }])],
    allowed: answer(),
  },
  {
    id: "headers-first",
    title: "Response headers may leave long before a message.",
    covers: "rpc-http2#outline/response",
    steps: [call(1), lastly(1, [{ plan: { headersFirst: true, delayMs: 300 } }]), until({ see: "headers", call: 1 })],
    allowed: answer({ form: "headers and trailers" }),
  },
  {
    id: "slow-and-fast",
    title: "A slow call does not hold up a later one of its connection.",
    covers: "rpc-http2#outline/response",
    level: "SHOULD",
    steps: [
      call(1),
      lastly(1, [{ payload: "slow", plan: { delayMs: 1_000 } }]),
      call(3),
      lastly(3, [{ payload: "fast" }]),
      until(answer({ payloads: ["fast"] }, 3)),
      until({ see: "at most", call: 1, count: 0 }),
    ],
    allowed: all(answer({ payloads: ["slow"] }, 1), answer({ payloads: ["fast"] }, 3)),
  },
  {
    id: "twenty-calls",
    title: "Twenty calls at a time are answered each with its own payload.",
    covers: "rpc-http2#outline/response",
    steps: upTo(20).flatMap((at) => [call(2 * at - 1), lastly(2 * at - 1, [{ payload: `payload ${at}` }])]),
    allowed: all(...upTo(20).map((at) => answer({ payloads: [`payload ${at}`] }, 2 * at - 1))),
  },
  {
    id: "four-kinds",
    title: "Calls of the four kinds go on beside each other.",
    covers: "rpc-http2#outline/response",
    steps: [
      call(1),
      call(3, { method: "ClientStream" }),
      call(5, { method: "ServerStream" }),
      call(7, { method: "BidiStream" }),
      say(7, [{ payload: "x" }]),
      say(3, [{ payload: "a" }]),
      lastly(5, [{ plan: { responses: 2 } }]),
      lastly(3, [{ payload: "b" }]),
      lastly(7, [{ payload: "y" }]),
      lastly(1),
    ],
    allowed: all(
      answer({}, 1),
      answer({ payloads: ["ab"] }, 3),
      answer({ payloads: [PAYLOAD, PAYLOAD] }, 5),
      answer({ payloads: ["x", "y"] }, 7),
    ),
  },
];

const early: readonly Row[] = (
  [
    ["client-stream", CLIENT, [PAYLOAD]],
    ["bidi-stream", BIDI, [PAYLOAD]],
  ] as const
).flatMap(([id, begin, payloads]): Row[] => [
  {
    id: `early-end-${id}`,
    title: `A ${id.replace("-", " ")} that its handler ends early has its status before the end of the request.`,
    covers: "rpc-http2#outline/response",
    steps: [begin, say(1, [{ plan: { early: true } }])],
    allowed: answer({ payloads }),
  },
  {
    id: `early-end-reset-${id}`,
    title: `A ${id.replace("-", " ")} that its handler ends early is reset with NO_ERROR after its trailers.`,
    covers: "rpc-http2#early-closure/server",
    steps: [begin, say(1, [{ plan: { early: true } }])],
    control: [begin, lastly(1)],
    allowed: all(answer({ payloads }), { see: "reset", call: 1, code: "NO_ERROR" }),
  },
  {
    id: `early-end-failed-${id}`,
    title: `A ${id.replace("-", " ")} may fail before the end of the request.`,
    covers: "rpc-http2#errors/trailers",
    steps: [begin, say(1, [{ plan: { early: true, status: 9, message: "enough" } }])],
    allowed: answer({ status: "FAILED_PRECONDITION", message: "enough" }),
  },
  {
    id: `early-end-more-${id}`,
    title: `Messages after the early end of a ${id.replace("-", " ")} change nothing.`,
    covers: "rpc-http2#outline/response",
    steps: [begin, say(1, [{ plan: { early: true } }]), until(answer({ payloads })), lastly(1, letters(3))],
    allowed: answer({ payloads }),
  },
]);

const RESETS: readonly ErrorName[] = ["CANCEL", "NO_ERROR", "INTERNAL_ERROR", "REFUSED_STREAM", "STREAM_CLOSED"];
const asked: Step = { do: "ask", name: "{run}", until: ["cancelled"] };
const running: Step = { do: "ask", name: "{run}", until: ["running"] };
const ended: Step = { do: "ask", name: "{run}", until: ["ended"] };
const WAITS = { call: "{run}", delayMs: 8_000 } as const;
const CANCELLED: Sight = { see: "fate", state: "cancelled" };
const cancelled = (id: string, title: string, steps: readonly Step[], control: readonly Step[]): Row => ({
  id: `cancel-${id}`,
  title,
  covers: ["rpc-status#codes/cancelled", "rpc-http2#errors/reset"],
  steps: [...steps, asked],
  control: [...control, ended],
  allowed: CANCELLED,
});
const reset: Step = { do: "reset", call: 1, code: "CANCEL" };
const GOOD_PLAN = { plan: { call: "{run}" } } as const;
const cancellation: readonly Row[] = [
  ...RESETS.map((code): Row => ({
    id: `cancel-by-${code.toLowerCase().replaceAll("_", "-")}`,
    title: `RST_STREAM with ${code} cancels a call, and its handler learns of it.`,
    covers: ["rpc-http2#errors/reset", "rpc-status#codes/cancelled"],
    steps: [call(1), lastly(1, [{ plan: WAITS }]), running, { do: "reset", call: 1, code }, asked],
    control: [call(1), lastly(1, [GOOD_PLAN]), ended],
    allowed: CANCELLED,
  })),
  {
    ...cancelled(
      "after-headers",
      "RST_STREAM after the response headers cancels a call.",
      [call(1), lastly(1, [{ plan: { ...WAITS, headersFirst: true } }]), until({ see: "headers", call: 1 }), reset],
      [call(1), lastly(1, [GOOD_PLAN])],
    ),
    needs: ["headers-first"],
  },
  cancelled(
    "client-stream",
    "RST_STREAM cancels a stream of requests that has not ended.",
    [CLIENT, say(1, [GOOD_PLAN]), running, reset],
    [CLIENT, lastly(1, [GOOD_PLAN])],
  ),
  cancelled(
    "inside-message",
    "RST_STREAM inside a message cancels a stream of requests.",
    [CLIENT, say(1, [GOOD_PLAN, { keep: 8 }]), running, reset],
    [CLIENT, lastly(1, [GOOD_PLAN])],
  ),
  cancelled(
    "bidi",
    "RST_STREAM after a response cancels a bidirectional stream.",
    [BIDI, say(1, [GOOD_PLAN]), arrived(1), reset],
    [BIDI, lastly(1, [GOOD_PLAN])],
  ),
  cancelled(
    "during-data",
    "RST_STREAM while responses wait for the window cancels a stream of responses.",
    [
      { do: "hold windows" },
      SERVER,
      lastly(1, [{ plan: { call: "{run}", responses: 200, responseOctets: 10_000 } }]),
      arrived(1),
      reset,
      { do: "release windows" },
    ],
    [SERVER, lastly(1, [{ plan: { call: "{run}", responses: 2 } }])],
  ),
  {
    id: "cancel-by-connection",
    title: "The end of a connection cancels its calls.",
    covers: "rpc-http2#connection-failure/server",
    steps: [
      call(1),
      lastly(1, [{ plan: WAITS }]),
      running,
      { do: "drop" },
      { do: "ask", name: "{run}", until: ["cancelled"], elsewhere: true },
    ],
    control: [call(1), lastly(1, [GOOD_PLAN]), ended],
    allowed: CANCELLED,
  },
  {
    id: "reset-leaves-others",
    title: "RST_STREAM on one call leaves the others of its connection alone.",
    covers: "rpc-http2#errors/reset",
    steps: [call(1), lastly(1, [{ plan: { delayMs: 500 } }]), call(3), lastly(3, [{ plan: { delayMs: 200 } }]), reset],
    control: [call(1), lastly(1), call(3), lastly(3)],
    allowed: all(answer({}, 3), { see: "at most", call: 1, count: 0 }),
  },
];

const SMALL = [["INITIAL_WINDOW_SIZE", 100]] as const;
const windows: readonly Row[] = [
  ...[16_384, 65_536, 300_000, 1_000_000].map((size): Row => ({
    id: `response-of-${size}`,
    title: `A response of ${size} octets is whole.`,
    covers: "rpc-http2#requests/messages",
    steps: [call(1), lastly(1, [{ plan: { responseOctets: size } }])],
    allowed: answer({ sizes: [size] }),
  })),
  {
    id: "response-through-small-window",
    title: "A response passes a window of 100 octets in parts.",
    covers: "rpc-http2#data-frames/boundaries",
    steps: [{ do: "settings", settings: SMALL }, call(1), lastly(1, [{ plan: { responseOctets: 2_000 } }])],
    allowed: answer({ sizes: [2_000] }),
  },
  {
    id: "responses-through-small-window",
    title: "The responses of a stream pass a window of 100 octets in parts.",
    covers: "rpc-http2#data-frames/boundaries",
    steps: [{ do: "settings", settings: SMALL }, SERVER, lastly(1, [{ plan: { responses: 5, responseOctets: 150 } }])],
    allowed: answer({ sizes: [150, 150, 150, 150, 150], numbers: [1, 2, 3, 4, 5] }),
  },
  {
    id: "trailers-without-window",
    title: "Trailers need no window: a call without messages ends although the window is closed.",
    covers: "rpc-http2#responses/end-of-stream",
    steps: [
      { do: "settings", settings: [["INITIAL_WINDOW_SIZE", 0]] },
      call(1),
      lastly(1, [{ plan: { status: 5, message: "none" } }]),
      until(answer({ status: "NOT_FOUND" })),
      { do: "settings", settings: [["INITIAL_WINDOW_SIZE", 65_535]] },
    ],
    allowed: answer({ status: "NOT_FOUND", message: "none" }),
  },
  {
    id: "closed-window-leaves-others",
    title: "A call whose window is closed does not hold up another.",
    covers: "rpc-http2#data-frames/boundaries",
    level: "SHOULD",
    steps: [
      { do: "settings", settings: [["INITIAL_WINDOW_SIZE", 0]] },
      call(1),
      lastly(1, [{ payload: "waits" }]),
      until({ see: "headers", call: 1 }),
      { do: "settings", settings: [["INITIAL_WINDOW_SIZE", 65_535]] },
      call(3),
      lastly(3, [{ payload: "goes" }]),
    ],
    allowed: all(answer({ payloads: ["waits"] }, 1), answer({ payloads: ["goes"] }, 3)),
  },
  {
    id: "ping",
    title: "A PING beside a call is answered with its octets.",
    covers: "rpc-http2#ping/answer",
    steps: [
      call(1),
      { do: "frames", frames: [{ type: "PING", hex: "fedcba9876543210" }] },
      until({ see: "pong", hex: "fedcba9876543210" }),
      lastly(1),
    ],
    allowed: all(answer(), { see: "pong", hex: "fedcba9876543210" }),
  },
];

export const rows: readonly Row[] = [...order, ...early, ...cancellation, ...windows];
