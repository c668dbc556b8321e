import type { ErrorName } from "../../../wire/http2/frame-spec.ts";
import type { Step } from "../../client-vocabulary.ts";
import type { StatusName } from "../../vocabulary.ts";
import { all, answer, ask, ends, good, GOOD, GOOD_STREAM, head, hex, received, refused, type Row, say, trailers } from "./phrases.ts";

/** The course of streams: resets by the server and what each code means, early ends, the order of things. */

const BEGUN: readonly Step[] = [ask(), received()];
const STREAM: readonly Step[] = [ask({ kind: "server-stream" }), received()];
const reset = (code: ErrorName | number): Step => ({ do: "reset", code });
const words = (code: ErrorName): string => code.toLowerCase().replaceAll("_", "-");

/** What the text says of each code. It says nothing of STREAM_CLOSED and HTTP_1_1_REQUIRED. */
const CODES: readonly (readonly [ErrorName, StatusName])[] = [
  ["NO_ERROR", "INTERNAL"],
  ["PROTOCOL_ERROR", "INTERNAL"],
  ["INTERNAL_ERROR", "INTERNAL"],
  ["FLOW_CONTROL_ERROR", "INTERNAL"],
  ["SETTINGS_TIMEOUT", "INTERNAL"],
  ["FRAME_SIZE_ERROR", "INTERNAL"],
  ["CANCEL", "CANCELLED"],
  ["COMPRESSION_ERROR", "INTERNAL"],
  ["CONNECT_ERROR", "INTERNAL"],
  ["ENHANCE_YOUR_CALM", "RESOURCE_EXHAUSTED"],
  ["INADEQUATE_SECURITY", "PERMISSION_DENIED"],
];
const COVERS = ["rpc-http2#errors/reset-codes", "rpc-http2#errors/reset"] as const;
const coversOf = (code: ErrorName): Row["covers"] =>
  code === "FLOW_CONTROL_ERROR" ? [...COVERS, "rpc-status#codes/flow-control"] : COVERS;
const resets: readonly Row[] = [
  ...CODES.flatMap(([code, status]): Row[] => [
    {
      id: `reset-before-headers-${words(code)}`,
      title: `A stream that is reset with ${code} before its response gives ${status}.`,
      covers: coversOf(code),
      steps: [...BEGUN, reset(code)],
      control: GOOD,
      allowed: ends(status, "rpc-http2#errors"),
    },
    {
      id: `reset-after-headers-${words(code)}`,
      title: `A stream that is reset with ${code} after response headers gives ${status}.`,
      covers: coversOf(code),
      steps: [...BEGUN, head(), reset(code)],
      control: GOOD,
      allowed: ends(status, "rpc-http2#errors"),
    },
  ]),
  {
    id: "reset-after-headers-refused-stream",
    title: "A stream that is reset with REFUSED_STREAM after response headers gives UNAVAILABLE.",
    covers: COVERS,
    steps: [...BEGUN, head(), reset("REFUSED_STREAM")],
    control: GOOD,
    // Sent again, it is a success: the text takes the code for a proof that nothing was processed.
    allowed: [...ends("UNAVAILABLE", "rpc-http2#errors"), { see: answer(), by: "rpc-http2#errors", verdict: "warn" }],
  },
  ...(
    [
      ["stream-closed", "STREAM_CLOSED"],
      ["http-1-1-required", "HTTP_1_1_REQUIRED"],
      ["unknown", 0x99],
      ["unknown-large", 0xffff_ffff],
    ] as const
  ).map(([id, code]): Row => ({
    id: `reset-unmapped-${id}`,
    title: `A stream that is reset with ${typeof code === "number" ? `the code ${code}` : code} is no success.`,
    covers: "rpc-http2#errors/reset",
    steps: [...BEGUN, reset(code)],
    control: GOOD,
    allowed: refused,
  })),
  {
    id: "reset-inside-message",
    title: "A stream that is reset with CANCEL inside a message gives CANCELLED, without the message.",
    covers: COVERS,
    needs: ["streams"],
    steps: [...STREAM, head(), say([{}, { keep: 8 }]), reset("CANCEL")],
    control: GOOD_STREAM,
    allowed: [
      { see: { see: "answer", status: "CANCELLED" } },
      { see: { see: "failed", status: "any" }, by: "rpc-http2#errors", verdict: "warn" },
    ],
  },
  ...(["INTERNAL_ERROR", "CANCEL", "NO_ERROR"] as const).map((code): Row => ({
    id: `reset-after-messages-${words(code)}`,
    title: `A stream that is reset with ${code} after a response and without trailers is no success.`,
    covers: COVERS,
    steps: [...BEGUN, head(), say(), reset(code)],
    control: GOOD,
    allowed: ends(code === "CANCEL" ? "CANCELLED" : "INTERNAL", "rpc-http2#errors"),
  })),
  {
    id: "reset-after-trailers",
    title: "A reset after complete trailers changes nothing.",
    covers: "rpc-http2#responses/end-of-stream",
    steps: [...BEGUN, head(), say(), trailers(), reset("INTERNAL_ERROR")],
    allowed: answer(),
  },
  {
    id: "reset-of-one-call-only",
    title: "The reset of one call leaves the others of its connection alone.",
    covers: "rpc-http2#errors/reset",
    steps: [
      { do: "ask", calls: [...ask().calls, ...ask().calls] },
      received(1),
      received(2),
      { do: "reset", request: 1, code: "INTERNAL_ERROR" },
      ...good(2),
    ],
    control: [{ do: "ask", calls: [...ask().calls, ...ask().calls] }, received(1), received(2), ...good(1), ...good(2)],
    allowed: {
      see: "any",
      of: [
        { see: "all", of: [answer({ status: "INTERNAL" }), answer({ call: 2 })] },
        { see: "all", of: [answer(), answer({ call: 2, status: "INTERNAL" })] },
      ],
    },
  },
];

const OPEN = (kind: "client-stream" | "bidi"): Step => ask({ kind, messages: [hex("a")], open: true });
const said: Step = { do: "await", see: { see: "request", messages: ["a"] } };
const early: readonly Row[] = (["client-stream", "bidi"] as const).flatMap((kind): Row[] => [
  {
    id: `early-ok-of-${kind}`,
    title: `A call (${kind}) that is answered with OK before its request ends is a success.`,
    covers: "rpc-http2#outline/response",
    needs: ["streams"],
    steps: [OPEN(kind), said, head(), say(), trailers()],
    allowed: answer(),
  },
  {
    id: `early-status-of-${kind}`,
    title: `A call (${kind}) that is answered with a status before its request ends, ends with it.`,
    covers: "rpc-http2#outline/response",
    needs: ["streams"],
    steps: [OPEN(kind), said, trailers({ only: true, status: "ABORTED", message: "enough" })],
    control: [OPEN(kind), said, head(), say(), trailers()],
    allowed: answer({ status: "ABORTED", message: "enough" }),
  },
  {
    id: `early-reset-of-${kind}`,
    title: `A client that got trailers before its request (${kind}) ended resets the stream with NO_ERROR.`,
    covers: "rpc-http2#early-closure/client",
    needs: ["streams"],
    steps: [OPEN(kind), said, head(), say(), trailers()],
    allowed: [
      { see: all(answer(), { see: "reset", code: "NO_ERROR" }) },
      { see: all(answer(), { see: "reset", code: "CANCEL" }), by: "rpc-http2#early-closure", verdict: "warn" },
      { see: all(answer(), { see: "request", ended: true }), by: "rpc-http2#early-closure", verdict: "warn" },
    ],
  },
  {
    id: `early-no-error-of-${kind}`,
    title: `RST_STREAM with NO_ERROR after early trailers does not undo the call (${kind}).`,
    covers: "rfc9113#8.1/early-response-kept",
    needs: ["streams"],
    steps: [OPEN(kind), said, head(), say(), trailers(), reset("NO_ERROR")],
    allowed: answer(),
  },
]);

const order: readonly Row[] = [
  {
    id: "headers-before-request-ends",
    title: "Response headers and a response may come before the end of the request.",
    covers: "rpc-http2#outline/response",
    needs: ["streams"],
    steps: [
      ask({ kind: "bidi", messages: ["a", "b"].map(hex), turns: true }),
      { do: "await", see: { see: "request", messages: ["a"] } },
      head(),
      say([{ payload: "1" }]),
      received(),
      say([{ payload: "2" }]),
      trailers(),
    ],
    allowed: answer({ messages: ["1", "2"] }),
  },
  {
    id: "interleaved-streams",
    title: "Responses of two calls whose frames alternate are told apart.",
    covers: "rpc-http2#data-frames/boundaries",
    steps: interleaved(),
    allowed: {
      see: "any",
      of: [
        all(answer({ messages: ["first"] }), answer({ call: 2, messages: ["second"] })),
        all(answer({ messages: ["second"] }), answer({ call: 2, messages: ["first"] })),
      ],
    },
  },
  {
    id: "answers-in-other-order",
    title: "Calls that are answered in another order than theirs end each with its own status.",
    covers: "rpc-http2#outline/response",
    steps: [
      { do: "ask", calls: [...ask().calls, ...ask().calls] },
      received(1),
      received(2),
      trailers({ request: 2, only: true, status: "ABORTED" }),
      ...good(1),
    ],
    control: [{ do: "ask", calls: [...ask().calls, ...ask().calls] }, received(1), received(2), ...good(2), ...good(1)],
    allowed: {
      see: "any",
      of: [all(answer(), answer({ call: 2, status: "ABORTED" })), all(answer({ status: "ABORTED" }), answer({ call: 2 }))],
    },
  },
];

function interleaved(): Step[] {
  const two: Step = { do: "ask", calls: [...ask().calls, ...ask().calls] };
  const part = (request: number, payload: string, cutAt: readonly number[]): Step[] => [say([{ payload, keep: cutAt[0]! }], { request })];
  const rest = (request: number, payload: string, at: number): Step => ({
    do: "frames",
    request,
    frames: [{ type: "DATA", stream: "request", hex: envelopeTail(payload, at) }],
  });
  return [
    two,
    received(1),
    received(2),
    head({ request: 1 }),
    head({ request: 2 }),
    ...part(1, "first", [3]),
    ...part(2, "second", [7]),
    rest(1, "first", 3),
    rest(2, "second", 7),
    trailers({ request: 2 }),
    trailers({ request: 1 }),
  ];
}
function envelopeTail(payload: string, at: number): string {
  return Buffer.concat([Buffer.from([0, 0, 0, 0, payload.length]), Buffer.from(payload)])
    .subarray(at)
    .toString("hex");
}

export const rows: readonly Row[] = [...resets, ...early, ...order];
