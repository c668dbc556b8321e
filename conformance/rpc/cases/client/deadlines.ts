import type { CallSpec, Kind, Sight, Step } from "../../client-vocabulary.ts";
import { SERVICE } from "../../../wire/rpc/contract.ts";
import { all, answer, ask, good, head, hex, received, requests, type Row, say, trailers } from "./phrases.ts";

/** Deadlines and cancellation: the status of the call, and the RST_STREAM that follows. */

const SHORT_MS = 250;
const SLACK_MS = 1500;
const reset: Sight = { see: "reset", code: "CANCEL" };
const soon: Sight = { see: "took", least: SHORT_MS - 20, most: SHORT_MS + SLACK_MS };
const late = (more: Partial<Extract<Sight, { see: "answer" }>> = {}): Sight => answer({ ...more, status: "DEADLINE_EXCEEDED" });
/** On a busy machine the deadline may pass before there is a connection: then nothing is sent. */
const unlessUnsent = (see: Sight, by: "rpc-status#codes" | "rpc-http2#cancellation"): Row["allowed"] => [
  { see },
  { see: all(late(), requests(0)), by },
];
const needs = (kind: Kind, name: string): Pick<Row, "needs"> => ({ needs: kind === "unary" ? [name] : [name, "streams"] });

const elapsed: readonly Row[] = ([0, -1000] as const).map((timeoutMs): Row => ({
  id: `deadline-elapsed-${timeoutMs === 0 ? "now" : "a-second-ago"}`,
  title: `A call whose deadline ${timeoutMs === 0 ? "is now" : "has passed a second ago"} gives DEADLINE_EXCEEDED at once.`,
  covers: "rpc-status#codes/deadline",
  needs: ["deadline"],
  steps: [ask({ timeoutMs })],
  control: [ask({ timeoutMs: 5000 }), ...good()],
  allowed: all(answer({ status: "DEADLINE_EXCEEDED" }), requests([0, 1]), { see: "took", most: SLACK_MS }),
}));

/** Until when the server answers, step by step. */
const COURSES: readonly (readonly [id: string, words: string, kind: Kind, steps: readonly Step[], count: number])[] = [
  ["headers", "before response headers", "unary", [], 0],
  ["headers-of-stream", "before the response headers of a stream", "server-stream", [], 0],
  ["first-message", "between the headers and the response", "unary", [head()], 0],
  ["inside-message", "inside a response", "unary", [head(), say([{ keep: 7 }])], 0],
  ["between-messages", "between two responses", "server-stream", [head(), say()], 1],
  ["trailers", "between the response and the trailers", "unary", [head(), say()], 0],
  ["trailers-of-stream", "before the trailers of a stream", "bidi", [head(), say([{}, {}])], 2],
];
const waiting: readonly Row[] = COURSES.flatMap(([id, words, kind, steps, count]): Row[] => [
  {
    id: `deadline-before-${id}`,
    title: `A deadline that passes ${words} gives DEADLINE_EXCEEDED in time.`,
    covers: "rpc-status#codes/deadline",
    ...needs(kind, "deadline"),
    steps: [ask({ kind, timeoutMs: SHORT_MS }), received(), ...steps],
    control: [ask({ kind, timeoutMs: 5000 }), ...good()],
    allowed: unlessUnsent(all(late(kind === "unary" ? {} : { count }), soon), "rpc-status#codes"),
  },
  {
    id: `deadline-reset-before-${id}`,
    title: `A client whose deadline passes ${words} resets the stream with CANCEL.`,
    covers: "rpc-http2#cancellation/reset",
    ...needs(kind, "deadline"),
    steps: [ask({ kind, timeoutMs: SHORT_MS }), received(), ...steps],
    control: [ask({ kind, timeoutMs: 5000 }), ...good()],
    allowed: unlessUnsent(all(late(), reset), "rpc-http2#cancellation"),
  },
]);

const requestsOpen: readonly Row[] = (["client-stream", "bidi"] as const).map((kind): Row => ({
  id: `deadline-of-open-${kind}`,
  title: `A deadline that passes before the request (${kind}) ends gives DEADLINE_EXCEEDED, and RST_STREAM with CANCEL.`,
  covers: ["rpc-http2#cancellation/reset", "rpc-status#codes/deadline"],
  needs: ["deadline", "streams"],
  steps: [ask({ kind, timeoutMs: SHORT_MS, open: true }), { do: "await", see: { see: "request", messages: ["touchstone"] } }],
  control: [ask({ kind, timeoutMs: 5000 }), ...good()],
  allowed: all(late(), reset),
}));

const others: readonly Row[] = [
  {
    id: "deadline-met",
    title: "A call that is answered before its deadline is a success, and is not reset.",
    covers: "rpc-status#codes/deadline",
    needs: ["deadline"],
    steps: [ask({ timeoutMs: 5000 }), ...good()],
    allowed: answer(),
  },
  {
    id: "deadline-status-of-server",
    title: "DEADLINE_EXCEEDED of the server ends the call, before its own deadline.",
    covers: "rpc-status#codes/set",
    needs: ["deadline"],
    steps: [ask({ timeoutMs: 5000 }), received(), trailers({ only: true, status: "DEADLINE_EXCEEDED", message: "too slow" })],
    control: [ask({ timeoutMs: 5000 }), ...good()],
    allowed: answer({ status: "DEADLINE_EXCEEDED", message: "too slow" }),
  },
  {
    id: "deadline-without-handshake",
    title: "A deadline counts although the connection's SETTINGS never come.",
    covers: "rpc-status#codes/deadline",
    needs: ["deadline"],
    steps: [ask({ timeoutMs: SHORT_MS }, { settings: false, fence: false }), { do: "wait", ms: 1 }],
    control: [ask({ timeoutMs: 5000 }, { fence: false }), ...good()],
    allowed: all(answer({ status: "DEADLINE_EXCEEDED" }), { see: "took", most: SHORT_MS + SLACK_MS }),
  },
  {
    id: "deadline-leaves-other-calls",
    title: "The deadline of one call leaves the other calls of its connection alone.",
    covers: "rpc-http2#cancellation/reset",
    needs: ["deadline"],
    steps: [
      {
        do: "ask",
        calls: [
          ...ask({ timeoutMs: SHORT_MS, metadata: [["x-n", "1"]] }).calls,
          ...ask({ kind: "unary", path: `/${SERVICE}/Other` }).calls,
        ],
      },
      received(1),
      received(2),
      { do: "wait", ms: SHORT_MS + 50 },
      // One of them is reset by now: its frames are to be ignored.
      ...good(2),
      ...good(1),
    ],
    control: [ask({ timeoutMs: 5000 }), ...good()],
    allowed: all(answer({ call: 2 }), late()),
  },
];
const config = (timeout: string): unknown => ({ methodConfig: [{ name: [{ service: SERVICE }], timeout }] });
/** How a service config is read, no text of this suite demands: a SHOULD at most. */
const ofConfig: readonly Row[] = [
  {
    id: "deadline-of-service-config",
    title: "The timeout that the service config names for a method is the deadline of its calls.",
    covers: ["rpc-status#codes/deadline", "rpc-http2#requests/timeout-default"],
    needs: ["service-config"],
    steps: [ask({}, { channel: { serviceConfig: config("0.250s") } }), received()],
    control: [ask({}, { channel: { serviceConfig: config("5s") } }), ...good()],
    allowed: all(late(), soon),
  },
  {
    id: "deadline-of-service-config-sent",
    title: "The timeout of the service config is sent with the request.",
    covers: "rpc-http2#requests/timeout-form",
    needs: ["service-config"],
    steps: [ask({}, { channel: { serviceConfig: config("5s") } }), ...good()],
    allowed: all(answer(), { see: "request", timeout: [3500, 5000] }),
  },
  {
    id: "deadline-earlier-than-service-config",
    title: "The earlier of the call's deadline and that of the service config counts.",
    covers: "rpc-status#codes/deadline",
    needs: ["service-config", "deadline"],
    steps: [ask({ timeoutMs: SHORT_MS }, { channel: { serviceConfig: config("5s") } }), received()],
    control: [ask({ timeoutMs: 4000 }, { channel: { serviceConfig: config("5s") } }), ...good()],
    allowed: all(late(), soon),
  },
  {
    id: "deadline-later-than-service-config",
    title: "The service config shortens a longer deadline of the call.",
    covers: "rpc-status#codes/deadline",
    needs: ["service-config", "deadline"],
    steps: [ask({ timeoutMs: 5000 }, { channel: { serviceConfig: config("0.250s") } }), received()],
    control: [ask({ timeoutMs: 5000 }, { channel: { serviceConfig: config("4s") } }), ...good()],
    allowed: all(late(), soon),
  },
];
const configured = ofConfig.map((row): Row => ({ ...row, level: "SHOULD" }));

type Cancel = NonNullable<CallSpec["cancel"]>;
const CANCELS: readonly (readonly [id: string, words: string, call: Partial<CallSpec>, cancel: Cancel, steps: readonly Step[]])[] = [
  ["waiting-for-headers", "while it waits for response headers", {}, { afterMs: 80 }, [received()]],
  ["waiting-for-message", "while it waits for its response", {}, { afterMs: 80 }, [received(), head()]],
  ["inside-message", "inside a response", {}, { afterMs: 80 }, [received(), head(), say([{ keep: 6 }])]],
  ["after-first-response", "after the first response", { kind: "server-stream" }, { afterMessages: 1 }, [received(), head(), say()]],
  ["before-trailers", "before trailers", { kind: "server-stream" }, { afterMessages: 2 }, [received(), head(), say([{}, {}])]],
  [
    "of-open-client-stream",
    "before its request ends",
    { kind: "client-stream", open: true },
    { afterMs: 80 },
    [{ do: "await", see: { see: "request", messages: ["touchstone"] } }],
  ],
  [
    "of-open-bidi",
    "in the middle of both streams",
    { kind: "bidi", open: true, messages: [hex("a")] },
    { afterMessages: 1 },
    [{ do: "await", see: { see: "request", messages: ["a"] } }, head(), say()],
  ],
];
const cancelled: readonly Row[] = CANCELS.flatMap(([id, words, call, cancel, steps]): Row[] => {
  const kind = call.kind ?? "unary";
  const control = [ask({ kind }), ...good()];
  return [
    {
      id: `cancelled-${id}`,
      title: `A call that is cancelled ${words} ends with CANCELLED.`,
      covers: "rpc-status#codes/cancelled",
      ...needs(kind, "cancel"),
      steps: [ask({ ...call, cancel }), ...steps],
      control,
      allowed: all(answer({ status: "CANCELLED" }), { see: "took", most: SLACK_MS }),
    },
    {
      id: `cancelled-reset-${id}`,
      title: `A client that cancels a call ${words} resets the stream with CANCEL.`,
      covers: "rpc-http2#cancellation/reset",
      ...needs(kind, "cancel"),
      steps: [ask({ ...call, cancel }), ...steps],
      control,
      allowed: reset,
    },
  ];
});

export const rows: readonly Row[] = [...elapsed, ...waiting, ...requestsOpen, ...others, ...configured, ...cancelled];
