import type { RequirementRef } from "../../../harness/case.ts";
import { STATUSES } from "../../../wire/rpc/statuses.ts";
import type { Sight, Step } from "../../vocabulary.ts";
import { all, answer, call, fails, GOOD, holds, lastly, PAYLOAD, type Row } from "./phrases.ts";

/** The answer to a call: its headers, trailers and status. */

const FIRST_APPLICATION = 1;
const statuses: readonly Row[] = STATUSES.slice(FIRST_APPLICATION).map((name, at): Row => ({
  id: `status-${name.toLowerCase().replaceAll("_", "-")}`,
  title: `A handler that ends its call with ${name} sends ${at + FIRST_APPLICATION} and its message in trailers.`,
  covers: ["rpc-http2#errors/trailers", "rpc-status#codes/set"],
  steps: [call(1), lastly(1, [{ plan: { status: at + FIRST_APPLICATION, message: `about ${name}` } }])],
  allowed: answer({ status: name, message: `about ${name}` }),
}));

const MESSAGES = [
  ["plain", "It is not there."],
  ["percent", "100% of 5%41"],
  ["umlauts", "für Größe"],
  ["symbols", "☺ and 𝄞 in UTF-8"],
  ["line-breaks", "\t\ntest with whitespace\r\nand Unicode BMP ☺ and non-BMP 😈\t\n"],
  ["controls", "\u0000\u0001\u007f"],
  ["visible", " !\"#$&'()*+,-./:;<=>?@[\\]^_`{|}~"],
  ["long", "long ".repeat(300)],
  ["equals-encoded", "%E2%98%BA"],
] as const;
const messages: readonly Row[] = [
  ...MESSAGES.map(([id, message]): Row => ({
    id: `status-message-${id}`,
    title: `A status message is percent-encoded UTF-8 (${id.replaceAll("-", " ")}).`,
    covers: ["rpc-http2#responses/message-encoding", "rpc-http2#responses/message-digits"],
    steps: [call(1), lastly(1, [{ plan: { status: 2, message } }])],
    allowed: all(answer({ status: "UNKNOWN", message }), holds("message-encoding")),
  })),
  {
    id: "status-message-none",
    title: "A status without a message is a status.",
    covers: "rpc-http2#responses/status",
    steps: [call(1), lastly(1, [{ plan: { status: 10 } }])],
    allowed: answer({ status: "ABORTED", message: "" }),
  },
  {
    id: "handler-throws",
    title: "A handler that fails without a status gives UNKNOWN.",
    covers: "rpc-status#codes/exception",
    steps: [call(1), lastly(1, [{ plan: { throws: true } }])],
    control: GOOD,
    allowed: fails("UNKNOWN"),
  },
  {
    id: "handler-throws-in-stream",
    title: "A handler that fails without a status after two messages gives UNKNOWN.",
    covers: "rpc-status#codes/exception",
    steps: [call(1, { method: "ServerStream" }), lastly(1, [{ plan: { responses: 2, throws: true } }])],
    control: [call(1, { method: "ServerStream" }), lastly(1, [{ plan: { responses: 2 } }])],
    allowed: fails("UNKNOWN", { payloads: [PAYLOAD, PAYLOAD] }),
  },
  {
    id: "status-after-messages",
    title: "A call that fails after messages has them, and its status in trailers.",
    covers: "rpc-http2#errors/trailers",
    steps: [call(1, { method: "ServerStream" }), lastly(1, [{ plan: { responses: 3, status: 15, message: "lost" } }])],
    allowed: answer({ status: "DATA_LOSS", message: "lost", payloads: [PAYLOAD, PAYLOAD, PAYLOAD], form: "headers and trailers" }),
  },
  {
    id: "status-of-stream-of-requests",
    title: "A stream of requests fails with the status of its handler.",
    covers: "rpc-http2#errors/trailers",
    steps: [call(1, { method: "ClientStream" }), lastly(1, [{ plan: { status: 7, message: "no" } }, {}])],
    allowed: answer({ status: "PERMISSION_DENIED", message: "no" }),
  },
  {
    id: "status-of-bidi-stream",
    title: "A bidirectional stream fails with the status of its handler after its messages.",
    covers: "rpc-http2#errors/trailers",
    steps: [call(1, { method: "BidiStream" }), lastly(1, [{ payload: "a", plan: { status: 11, message: "far" } }, { payload: "b" }])],
    allowed: answer({ status: "OUT_OF_RANGE", message: "far", payloads: ["a", "b"] }),
  },
  {
    id: "no-responses",
    title: "A stream of responses may have none.",
    covers: "rpc-http2#outline/response",
    steps: [call(1, { method: "ServerStream" }), lastly(1)],
    allowed: all(answer({ payloads: [] }), holds("status-present"), holds("one-section-each")),
  },
];

/** Kinds of answers, of which every property must hold. */
const KINDS: readonly (readonly [id: string, words: string, steps: readonly Step[], see: Sight])[] = [
  ["unary", "a unary call", GOOD, answer()],
  [
    "failure",
    "a call that its handler fails",
    [call(1), lastly(1, [{ plan: { status: 5, message: "100% gone: ö" } }])],
    answer({ status: "NOT_FOUND", message: "100% gone: ö" }),
  ],
  [
    "stream",
    "a call with a stream of responses",
    [call(1, { method: "ServerStream" }), lastly(1, [{ plan: { responses: 4 } }])],
    answer({ payloads: [PAYLOAD, PAYLOAD, PAYLOAD, PAYLOAD], numbers: [1, 2, 3, 4] }),
  ],
  [
    "failed-stream",
    "a call whose stream of responses fails",
    [call(1, { method: "ServerStream" }), lastly(1, [{ plan: { responses: 2, status: 10, message: "no ü" } }])],
    answer({ status: "ABORTED", payloads: [PAYLOAD, PAYLOAD] }),
  ],
  [
    "bidi",
    "a call with streams in both directions",
    [call(1, { method: "BidiStream" }), lastly(1, [{ payload: "a" }, { payload: "b" }])],
    answer({ payloads: ["a", "b"] }),
  ],
  [
    "metadata",
    "a call that returns metadata",
    [call(1), lastly(1, [{ plan: { headers: [["x-h", "1"]], trailers: [["x-t", "2"]] } }])],
    answer({ headers: { "x-h": "1" }, trailers: { "x-t": "2" } }),
  ],
];
const FAILURES = ["failure", "failed-stream"];
const STREAMS = ["stream", "failed-stream", "bidi"];
const EVERY = KINDS.map(([id]) => id);
/** What holds of every answer, with the monitor that checks it and the kinds of answers whose cases look at it. */
export const PROPERTIES: readonly (readonly [monitor: string, covers: RequirementRef, words: string, of: readonly string[]])[] = [
  ["http-status", "rpc-http2#responses/headers", "has the HTTP status 200", EVERY],
  ["content-type", "rpc-http2#responses/headers", "has the content type of the protocol", EVERY],
  ["status-present", "rpc-http2#responses/status", "has a status in its trailers", EVERY],
  ["status-once", "rpc-http2#responses/status", "has one status", EVERY],
  ["status-in-trailers", "rpc-http2#outline/response", "has no status before its trailers", EVERY],
  ["status-form", "rpc-http2#responses/status-form", "has a status without leading zeros", EVERY],
  ["status-known", "rpc-status#codes/set", "has one of the seventeen statuses", FAILURES],
  ["message-encoding", "rpc-http2#responses/message-digits", "has a percent-encoded status message", FAILURES],
  ["end-of-stream", "rpc-http2#responses/end-of-stream", "ends with END_STREAM on its trailers", EVERY],
  ["one-section-each", "rpc-http2#responses/one-block", "has one section of headers and one of trailers", EVERY],
  ["pseudo-fields", "rpc-http2#outline/response", "has no pseudo-header field in its trailers", STREAMS],
  ["flags", "rpc-http2#requests/flags-reserved", "has messages without reserved flags", STREAMS],
  ["whole-messages", "rpc-http2#requests/messages", "ends after a whole message", STREAMS],
  ["not-compressed", "rpc-compression#test-cases/default", "is not compressed", STREAMS],
];
/** Statuses that clients make of HTTP statuses other than 200: a server does not go the other way. */
const MAPPED = ["PERMISSION_DENIED", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "UNAUTHENTICATED"] as const;
const notMapped: readonly Row[] = MAPPED.map((status): Row => ({
  id: `answer-http-status-of-${status.toLowerCase().replace("_", "-")}`,
  title: `A call that ends with ${status} has the HTTP status 200.`,
  covers: "rpc-http-status#table/servers",
  steps: [call(1), lastly(1, [{ plan: { status: STATUSES.indexOf(status) } }])],
  allowed: all(answer({ status }), holds("http-status")),
}));
const properties: readonly Row[] = PROPERTIES.flatMap(([monitor, covers, words, of]) =>
  KINDS.filter(([id]) => of.includes(id)).map(([id, kind, steps, see]): Row => ({
    id: `answer-${monitor}-of-${id}`,
    title: `The answer to ${kind} ${words}.`,
    covers,
    steps,
    allowed: all(see, holds(monitor)),
  })),
);

export const rows: readonly Row[] = [...statuses, ...messages, ...properties, ...notMapped];
