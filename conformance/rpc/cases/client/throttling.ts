import type { Step } from "../../client-vocabulary.ts";
import { all, answer, ask, good, GOOD, head, hex, received, requests, type Row, trailers } from "./phrases.ts";
import { asked, channel, failed, NEEDS, type Policy, previous } from "./retry-phrases.ts";

/** When retries are throttled, and transparent ones, which no policy asks for. */

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
    id: "throttled-tokens-have-a-most",
    title: "Successes return no more tokens than the config has.",
    covers: "rpc-retries#throttling-retry-attempts-and-hedged-rpcs/tokens",
    steps: [ask({}, { later: ask().calls, channel: channel({}, throttled(2, 1)) }), ...good(1), ...failed(2)],
    allowed: all(answer(), answer({ call: 2, status: "UNAVAILABLE" }), requests(2)),
  },
  {
    id: "throttled-third-decimal-counts",
    title: "Three decimal places of the fraction that a success returns count.",
    covers: "rpc-retries#validation-of-retrythrottling/fields",
    // After the second failure 2.001 of 4 tokens are left: more than half.
    steps: [ask({}, { later: ask().calls, channel: channel({}, throttled(4, 0.001)) }), ...failed(1), ...good(2), ...failed(3), ...good(4)],
    allowed: all(answer(), answer({ call: 2 }), requests(4)),
  },
  ...(
    [
      // Two failures leave 2 of 4 tokens, two successes return the fraction, a third failure takes one again.
      ["half", 0.5, "not more than half, and there is no retry", false],
      ["more-than-half", 0.501, "more than half, and there is a retry", true],
    ] as const
  ).map(([id, ratio, words, isRetried]): Row => ({
    id: `throttled-fractions-add-up-to-${id}`,
    title: `Two successes with a fraction of ${ratio} add up: after a further failure ${words}.`,
    covers: ["rpc-retries#throttling-retry-attempts-and-hedged-rpcs/tokens", "rpc-retries#validation-of-retrythrottling/fields"],
    steps: [
      ask({}, { later: ask().calls, more: [ask().calls, ask().calls], channel: channel({}, throttled(4, ratio)) }),
      ...failed(1),
      ...failed(2),
      ...good(3),
      ...good(4),
      ...failed(5),
      ...(isRetried ? good(6) : []),
    ],
    allowed: all(
      answer({ status: "UNAVAILABLE" }),
      answer({ call: 4, ...(isRetried ? {} : { status: "UNAVAILABLE" }) }),
      requests(isRetried ? 6 : 5),
    ),
  })),
  {
    id: "throttled-by-failure-after-headers",
    title: "A failure after response headers takes a token, too, if its status is one that could be retried.",
    covers: "rpc-retries#throttling-retry-attempts-and-hedged-rpcs/tokens",
    // The text counts calls by their status; it does not say whether those count that cannot be sent again.
    level: "SHOULD",
    steps: [
      ask({}, { later: ask().calls, channel: channel({}, throttled(4, 0.1)) }),
      received(1),
      head({ request: 1 }),
      trailers({ request: 1, status: "UNAVAILABLE" }),
      ...failed(2),
    ],
    allowed: all(answer({ status: "UNAVAILABLE" }), answer({ call: 2, status: "UNAVAILABLE" }), requests(2)),
  },
  {
    id: "throttled-not-by-other-failure-after-headers",
    title: "A failure after response headers takes no token if its status could not be retried.",
    covers: "rpc-retries#throttling-retry-attempts-and-hedged-rpcs/tokens",
    steps: [
      ask({}, { later: ask().calls, channel: channel({}, throttled(4, 0.1)) }),
      received(1),
      head({ request: 1 }),
      trailers({ request: 1, status: "NOT_FOUND" }),
      ...failed(2),
      ...good(3),
    ],
    allowed: all(answer({ status: "NOT_FOUND" }), answer({ call: 2 }), requests(3)),
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
    title: "The policy's first retry after a transparent one has 1 preceding attempt.",
    covers: "rpc-retries#exposed-retry-metadata/attempts",
    level: "SHOULD",
    needs: NEEDS,
    steps: [asked(), ...refuse(1), ...failed(2), ...good(3)],
    allowed: all(answer(), previous(1, false), previous(3, "1")),
  },
];

export const rows: readonly Row[] = [...throttling.map((row): Row => ({ ...row, needs: NEEDS })), ...transparent];
