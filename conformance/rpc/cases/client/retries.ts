import type { Sight } from "../../client-vocabulary.ts";
import { all, answer, ask, good, GOOD, head, hex, received, requests, type Row, say, trailers } from "./phrases.ts";
import { asked, failed, NEEDS, previous, retried } from "./retry-phrases.ts";

/** Retries by the policy of a service config: attempts, back-off, push-back. */

const spacing = (from: number, least: number, most: number): Sight => ({ see: "spacing", from, to: from + 1, least, most });
/** A busy machine is late, never early. */
const LATE_MS = 1500;

const attempts: readonly Row[] = [
  {
    id: "retried-once",
    title: "A call that fails with a status that its policy names is sent again, and may succeed.",
    covers: "rpc-retries#retry-policy-capabilities/status-codes",
    steps: [asked(), ...failed(1), ...good(2)],
    allowed: all(answer(), requests(2)),
  },
  {
    id: "retried-twice",
    title: "A call is sent again until it succeeds, within the attempts of its policy.",
    covers: "rpc-retries#retry-policy-capabilities/attempts",
    steps: [asked(), ...failed(1), ...failed(2), ...good(3)],
    allowed: all(answer(), requests(3)),
  },
  {
    id: "retried-until-attempts-end",
    title: "A call that fails three times, of three attempts, ends with the last status.",
    covers: "rpc-retries#retry-policy-capabilities/attempts",
    steps: [asked(), ...failed(1), ...failed(2), ...failed(3)],
    allowed: all(answer({ status: "UNAVAILABLE" }), requests(3)),
  },
  {
    id: "retried-two-attempts",
    title: "A policy of two attempts has one retry.",
    covers: "rpc-retries#retry-policy-capabilities/attempts",
    steps: [asked({ maxAttempts: 2 }), ...failed(1), ...failed(2)],
    allowed: all(answer({ status: "UNAVAILABLE" }), requests(2)),
  },
  {
    id: "retried-five-attempts-at-most",
    title: "A policy of ten attempts counts as one of five.",
    covers: "rpc-retries#limits-on-retries-and-hedges/five",
    steps: [asked({ maxAttempts: 10, initialBackoff: "0.005s", maxBackoff: "0.005s" }), ...[1, 2, 3, 4, 5].flatMap((at) => failed(at))],
    allowed: all(answer({ status: "UNAVAILABLE" }), requests(5)),
  },
  {
    id: "retried-first-attempt-not-numbered",
    title: "The first attempt has no number of preceding attempts, the second has 1, the third has 2.",
    covers: "rpc-retries#exposed-retry-metadata/attempts",
    steps: [asked(), ...failed(1), ...failed(2), ...good(3)],
    allowed: all(answer(), previous(1, false), previous(2, "1"), previous(3, "2")),
  },
  {
    id: "retried-request-is-the-same",
    title: "A retry has the metadata and the message of the first attempt.",
    covers: "rpc-retries#retry-policy-capabilities/status-codes",
    steps: [asked({}, { metadata: [["x-one", "1"]], messages: [hex("again")] }), ...failed(1), ...good(2)],
    allowed: all(answer(), { see: "request", request: 2, fields: { "x-one": "1" }, messages: ["again"], ended: true }),
  },
  {
    id: "retried-stream-of-requests",
    title: "A stream of requests is sent again from its begin.",
    covers: "rpc-retries#retry-policy-capabilities/status-codes",
    steps: [asked({}, { kind: "client-stream", messages: ["a", "b"].map(hex) }), ...failed(1), ...good(2)],
    allowed: all(answer(), { see: "request", request: 2, messages: ["a", "b"], ended: true }),
  },
  ...(
    [
      ["number", 14],
      ["lower-case", "unavailable"],
      ["mixed-case", "Unavailable"],
    ] as const
  ).map(([id, code]): Row => ({
    id: `retried-code-by-${id}`,
    title: `A policy may name a status by ${id === "number" ? "its number" : `its name as ${code}`}.`,
    covers: "rpc-retries#validation-of-retrypolicy/fields",
    steps: [asked({ retryableStatusCodes: [code] }), ...failed(1), ...good(2)],
    allowed: all(answer(), requests(2)),
  })),
  {
    id: "retried-one-of-several-codes",
    title: "Each status that the policy names leads to a retry.",
    covers: "rpc-retries#retry-policy-capabilities/status-codes",
    steps: [asked({ retryableStatusCodes: ["UNAVAILABLE", "ABORTED"] }), ...failed(1, "ABORTED"), ...failed(2), ...good(3)],
    allowed: all(answer(), requests(3)),
  },
  ...(["NOT_FOUND", "INTERNAL", "RESOURCE_EXHAUSTED"] as const).map((status): Row => ({
    id: `not-retried-${status.toLowerCase().replaceAll("_", "-")}`,
    title: `A call that fails with ${status}, which its policy does not name, is not sent again.`,
    covers: "rpc-retries#retry-policy-capabilities/status-codes",
    steps: [asked(), ...failed(1, status)],
    control: retried(),
    allowed: all(answer({ status }), requests(1)),
  })),
  {
    id: "not-retried-after-other-status",
    title: "A retry that fails with a status that the policy does not name is the last.",
    covers: "rpc-retries#retry-policy-capabilities/status-codes",
    steps: [asked(), ...failed(1), ...failed(2, "NOT_FOUND")],
    allowed: all(answer({ status: "NOT_FOUND" }), requests(2)),
  },
  {
    id: "not-retried-after-headers",
    title: "A call that fails after response headers is not sent again.",
    covers: "rpc-retries#summary-of-retry-and-hedging-logic/headers",
    steps: [asked(), received(), head(), trailers({ status: "UNAVAILABLE" })],
    control: retried(),
    allowed: all(answer({ status: "UNAVAILABLE" }), requests(1)),
  },
  {
    id: "not-retried-after-message",
    title: "A call that fails after a response is not sent again.",
    covers: "rpc-retries#summary-of-retry-and-hedging-logic/headers",
    steps: [asked(), received(), head(), say(), trailers({ status: "UNAVAILABLE" })],
    control: retried(),
    allowed: all(answer({ status: "UNAVAILABLE" }), requests(1)),
  },
  {
    id: "not-retried-reset-after-headers",
    title: "A call that is reset after response headers is not sent again.",
    covers: "rpc-retries#summary-of-retry-and-hedging-logic/headers",
    steps: [asked({ retryableStatusCodes: ["INTERNAL"] }), received(), head(), { do: "reset", code: "INTERNAL_ERROR" }],
    control: retried(),
    allowed: all(answer({ status: "INTERNAL" }), requests(1)),
  },
  {
    id: "not-retried-refused-after-headers",
    title: "A call whose stream is refused after response headers is not sent again.",
    covers: "rpc-retries#summary-of-retry-and-hedging-logic/headers",
    // The text takes the code for a proof that nothing was processed.
    level: "SHOULD",
    steps: [asked(), received(), head(), { do: "reset", code: "REFUSED_STREAM" }],
    control: retried(),
    allowed: all(answer({ status: "UNAVAILABLE" }), requests(1)),
  },
  {
    id: "not-retried-of-other-service",
    title: "A call of a service that the config does not name is not sent again.",
    covers: "rpc-retries#retry-policy-capabilities/status-codes",
    steps: [asked({}, { path: "/touchstone.conformance.v1.Other/Unary" }), ...failed(1)],
    control: retried(),
    allowed: all(answer({ status: "UNAVAILABLE" }), requests(1)),
  },
];

const waits: readonly Row[] = [
  {
    id: "retry-backoff-initial",
    title: "The first retry waits the initial back-off, give or take a fifth.",
    covers: "rpc-retries#retry-policy-capabilities/backoff",
    steps: [asked({ initialBackoff: "0.2s", maxBackoff: "1s" }), ...failed(1), ...good(2)],
    allowed: all(answer(), spacing(1, 120, LATE_MS)),
  },
  {
    id: "retry-backoff-grows",
    title: "The second retry waits the initial back-off times the multiplier, give or take a fifth.",
    covers: "rpc-retries#retry-policy-capabilities/backoff",
    steps: [asked({ initialBackoff: "0.05s", maxBackoff: "1s", backoffMultiplier: 5 }), ...failed(1), ...failed(2), ...good(3)],
    allowed: all(answer(), spacing(2, 130, LATE_MS)),
  },
  {
    id: "retry-backoff-has-a-longest",
    title: "No retry waits much longer than the longest back-off.",
    covers: "rpc-retries#retry-policy-capabilities/backoff",
    steps: [asked({ initialBackoff: "0.02s", maxBackoff: "0.05s", backoffMultiplier: 100 }), ...failed(1), ...failed(2), ...good(3)],
    allowed: all(answer(), spacing(2, 20, 1000)),
  },
  {
    id: "retry-backoff-of-each-attempt",
    title: "With a multiplier of 1 every retry waits the initial back-off, give or take a fifth.",
    covers: "rpc-retries#retry-policy-capabilities/backoff",
    steps: [
      asked({ maxAttempts: 5, initialBackoff: "0.1s", maxBackoff: "0.1s", backoffMultiplier: 1 }),
      ...[1, 2, 3, 4].flatMap((at) => failed(at)),
      ...good(5),
    ],
    allowed: all(answer(), ...[1, 2, 3, 4].map((from) => spacing(from, 60, LATE_MS))),
  },
  {
    id: "retry-deadline-within-backoff",
    title: "A deadline that passes while a call waits for its retry ends the call, without the retry.",
    covers: "rpc-status#codes/deadline",
    steps: [asked({ initialBackoff: "20s", maxBackoff: "20s" }, { timeoutMs: 150 }), ...failed(1)],
    control: [asked({}, { timeoutMs: 5000 }), ...good()],
    allowed: all(answer({ status: ["DEADLINE_EXCEEDED", "UNAVAILABLE"] }), requests(1), { see: "took", most: LATE_MS }),
  },
  {
    id: "retry-timeout-is-what-is-left",
    title: "A retry sends what is left of the deadline.",
    covers: "rpc-http2#requests/timeout-form",
    steps: [asked({ initialBackoff: "0.3s", maxBackoff: "1s" }, { timeoutMs: 3000 }), ...failed(1), ...good(2)],
    allowed: all(answer(), { see: "request", request: 2, timeout: [500, 2800] }),
  },
  {
    id: "retry-cancelled-within-backoff",
    title: "A call that is cancelled while it waits for its retry ends with CANCELLED, without the retry.",
    covers: "rpc-status#codes/cancelled",
    steps: [asked({ initialBackoff: "20s", maxBackoff: "20s" }, { cancel: { afterMs: 100 } }), ...failed(1)],
    control: retried(),
    allowed: all(answer({ status: ["CANCELLED"] }), requests(1), { see: "took", most: LATE_MS }),
  },
];

/** There is no further attempt; the call ends with what the only one had, or with the reason. */
const stopped: Row["allowed"] = [
  { see: all(answer({ status: "UNAVAILABLE" }), requests(1)) },
  { see: all({ see: "failed", status: "any" }, requests(1)), by: "rpc-retries#pushback", verdict: "warn" },
];
const pushBacks: readonly Row[] = [
  {
    id: "push-back-waits",
    title: "A push-back of 300 milliseconds is waited for, in place of the back-off.",
    covers: "rpc-retries#pushback/form",
    steps: [asked(), ...failed(1, "UNAVAILABLE", "300"), ...good(2)],
    allowed: all(answer(), spacing(1, 220, LATE_MS)),
  },
  {
    id: "push-back-zero",
    title: "A push-back of 0 asks for the next attempt at once.",
    covers: "rpc-retries#pushback/form",
    steps: [asked({ initialBackoff: "10s", maxBackoff: "10s" }), ...failed(1, "UNAVAILABLE", "0"), ...good(2)],
    allowed: all(answer(), spacing(1, 0, 1000)),
  },
  {
    id: "push-back-then-back-off",
    title: "After a push-back the next wait is the initial back-off again.",
    covers: "rpc-retries#retry-policy-capabilities/backoff",
    steps: [
      asked({ initialBackoff: "0.05s", maxBackoff: "10s", backoffMultiplier: 100 }),
      ...failed(1, "UNAVAILABLE", "10"),
      ...failed(2),
      ...good(3),
    ],
    allowed: all(answer(), spacing(2, 20, 1000)),
  },
  ...(
    [
      ["negative", "-1"],
      ["very-negative", "-2147483648"],
      ["word", "soon"],
      ["empty", ""],
    ] as const
  ).map(([id, value]): Row => ({
    id: `push-back-stops-${id}`,
    title: `A push-back of "${value}" asks for no further attempt.`,
    covers: "rpc-retries#pushback/stop",
    steps: [asked(), ...failed(1, "UNAVAILABLE", value)],
    control: retried(),
    allowed: stopped,
  })),
  ...(
    [
      ["fraction", "1.5"],
      ["unit", "10ms"],
      ["beyond-32-bits", "4294967296"],
    ] as const
  ).map(([id, value]): Row => ({
    id: `push-back-unparsable-${id}`,
    title: `A push-back of "${value}" cannot be parsed, and asks for no further attempt.`,
    covers: "rpc-retries#pushback/strict",
    steps: [asked(), ...failed(1, "UNAVAILABLE", value)],
    control: retried(),
    allowed: stopped,
  })),
  {
    id: "push-back-beyond-attempts",
    title: "A push-back does not add to the attempts of the policy.",
    covers: "rpc-retries#retry-policy-capabilities/attempts",
    steps: [asked({ maxAttempts: 2 }), ...failed(1), ...failed(2, "UNAVAILABLE", "0")],
    allowed: all(answer({ status: "UNAVAILABLE" }), requests(2)),
  },
  {
    id: "push-back-without-policy",
    title: "A push-back is no reason to send a call again that has no policy.",
    covers: "rpc-retries#retry-policy-capabilities/status-codes",
    steps: [ask(), ...failed(1, "UNAVAILABLE", "0")],
    control: GOOD,
    allowed: all(answer({ status: "UNAVAILABLE" }), requests(1)),
  },
];

export const rows: readonly Row[] = [...attempts, ...waits, ...pushBacks].map((row): Row => ({
  ...row,
  needs: [
    ...NEEDS,
    ...(row.id === "retried-stream-of-requests" ? ["streams"] : []),
    ...(row.id.startsWith("retry-deadline") || row.id.startsWith("retry-timeout") ? ["deadline"] : []),
    ...(row.id.startsWith("retry-cancelled") ? ["cancel"] : []),
  ],
}));
