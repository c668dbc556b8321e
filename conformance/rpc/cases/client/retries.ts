import { SERVICE } from "../../../wire/rpc/contract.ts";
import type { CallSpec, Sight, Step } from "../../client-vocabulary.ts";
import type { StatusName } from "../../vocabulary.ts";
import { all, answer, ask, good, GOOD, head, hex, received, requests, type Row, say, trailers } from "./phrases.ts";

/** Retries by the policy of a service config, push-back, throttling, and transparent retries. */

const NEEDS = ["retries"];
type Policy = Readonly<Record<string, unknown>>;
const POLICY: Policy = {
  maxAttempts: 3,
  initialBackoff: "0.020s",
  maxBackoff: "0.050s",
  backoffMultiplier: 2,
  retryableStatusCodes: ["UNAVAILABLE"],
};
const channel = (policy: Policy = {}, more: Policy = {}): { readonly serviceConfig: unknown } => ({
  serviceConfig: { methodConfig: [{ name: [{ service: SERVICE }], retryPolicy: { ...POLICY, ...policy } }], ...more },
});
const asked = (policy: Policy = {}, call: Partial<CallSpec> = {}, more: Policy = {}): Step => ask(call, { channel: channel(policy, more) });
const failed = (request: number, status: StatusName = "UNAVAILABLE", pushBack?: string): Step[] => [
  received(request),
  trailers({ request, only: true, status, ...(pushBack === undefined ? {} : { fields: [["{rpc}-retry-pushback-ms", pushBack]] }) }),
];
const retried = (policy: Policy = {}): Step[] => [asked(policy), ...good()];
const previous = (request: number, value: string | false): Sight => ({
  see: "request",
  request,
  fields: { "{rpc}-previous-rpc-attempts": value },
});
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

const throttled = (maxTokens: number, tokenRatio: number): Policy => ({ retryThrottling: { maxTokens, tokenRatio } });
const throttling: readonly Row[] = [
  {
    id: "throttled-at-half",
    title: "A failure that leaves half of the tokens is not followed by a retry.",
    covers: "rpc-retries#throttling-retry-attempts-and-hedged-rpcs/tokens",
    steps: [asked({}, {}, throttled(2, 0.1)), ...failed(1)],
    control: [asked({}, {}, throttled(10, 0.1)), ...good()],
    allowed: all(answer({ status: "UNAVAILABLE" }), requests(1)),
  },
  {
    id: "throttled-after-one-retry",
    title: "Of four tokens two failures leave half: there is one retry.",
    covers: "rpc-retries#throttling-retry-attempts-and-hedged-rpcs/tokens",
    steps: [asked({}, {}, throttled(4, 0.1)), ...failed(1), ...failed(2)],
    allowed: all(answer({ status: "UNAVAILABLE" }), requests(2)),
  },
  {
    id: "throttled-not-by-other-failures",
    title: "A failure that could not be retried takes no token.",
    covers: "rpc-retries#throttling-retry-attempts-and-hedged-rpcs/tokens",
    steps: [ask({}, { later: ask().calls, channel: channel({}, throttled(3, 0.1)) }), ...failed(1, "NOT_FOUND"), ...failed(2), ...good(3)],
    allowed: all(answer({ status: "NOT_FOUND" }), answer({ call: 2 }), requests(3)),
  },
  {
    id: "throttled-by-push-back",
    title: "A push-back that forbids a retry takes a token.",
    covers: "rpc-retries#throttling-retry-attempts-and-hedged-rpcs/tokens",
    steps: [ask({}, { later: ask().calls, channel: channel({}, throttled(4, 0.1)) }), ...failed(1, "UNAVAILABLE", "-1"), ...failed(2)],
    allowed: all(answer({ status: "UNAVAILABLE" }), answer({ call: 2, status: "UNAVAILABLE" }), requests(2)),
  },
  {
    id: "throttled-success-returns-tokens",
    title: "A success returns the fraction of a token that the config names.",
    covers: "rpc-retries#throttling-retry-attempts-and-hedged-rpcs/tokens",
    steps: [ask({}, { later: ask().calls, channel: channel({}, throttled(4, 1)) }), ...failed(1), ...good(2), ...failed(3), ...good(4)],
    allowed: all(answer(), answer({ call: 2 }), requests(4)),
  },
];

const refuse = (request: number): Step[] => [received(request), { do: "reset", request, code: "REFUSED_STREAM" }];
const transparent: readonly Row[] = [
  {
    id: "refused-stream-sent-again",
    title: "A call whose stream is refused is sent again, without a policy.",
    covers: "rpc-retries#transparent-retries/refused",
    steps: [ask(), ...refuse(1), ...good(2)],
    allowed: [
      { see: all(answer(), requests(2)) },
      { see: all(answer({ status: "UNAVAILABLE" }), requests(1)), by: "rpc-http2#errors", verdict: "warn" },
    ],
  },
  {
    id: "refused-stream-twice",
    title: "A call whose stream is refused twice gives UNAVAILABLE: it is sent again once.",
    covers: "rpc-retries#transparent-retries/refused",
    steps: [ask(), ...refuse(1), ...refuse(2)],
    control: GOOD,
    allowed: [
      { see: all(answer({ status: "UNAVAILABLE" }), requests(2)) },
      { see: all(answer({ status: "UNAVAILABLE" }), requests(1)), by: "rpc-http2#errors", verdict: "warn" },
    ],
  },
  {
    id: "refused-stream-of-streams",
    title: "A stream of requests whose stream is refused is sent again from its begin.",
    covers: "rpc-retries#transparent-retries/refused",
    needs: ["streams"],
    steps: [ask({ kind: "client-stream", messages: ["a", "b"].map(hex) }), ...refuse(1), ...good(2)],
    allowed: [
      { see: all(answer(), { see: "request", request: 2, messages: ["a", "b"], ended: true }) },
      { see: all(answer({ status: "UNAVAILABLE" }), requests(1)), by: "rpc-http2#errors", verdict: "warn" },
    ],
  },
  {
    id: "refused-stream-not-counted",
    title: "A transparent retry does not count towards the attempts of the policy.",
    covers: "rpc-retries#transparent-retries/refused",
    needs: NEEDS,
    steps: [asked({ maxAttempts: 2 }), ...refuse(1), ...failed(2), ...good(3)],
    allowed: all(answer(), requests(3)),
  },
  {
    id: "refused-stream-not-numbered",
    title: "The policy's first retry behind a transparent one has 1 preceding attempt.",
    covers: "rpc-retries#exposed-retry-metadata/attempts",
    level: "SHOULD",
    needs: NEEDS,
    steps: [asked(), ...refuse(1), ...failed(2), ...good(3)],
    allowed: all(answer(), previous(1, false), previous(3, "1")),
  },
];

export const rows: readonly Row[] = [
  ...[...attempts, ...waits, ...pushBacks, ...throttling].map((row): Row => ({
    ...row,
    needs: [
      ...NEEDS,
      ...(row.id === "retried-stream-of-requests" ? ["streams"] : []),
      ...(row.id.startsWith("retry-deadline") || row.id.startsWith("retry-timeout") ? ["deadline"] : []),
      ...(row.id.startsWith("retry-cancelled") ? ["cancel"] : []),
    ],
  })),
  ...transparent,
];
