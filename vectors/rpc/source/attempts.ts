import type { Vector } from "../../load.ts";
import type { VectorSource, WithoutId } from "../../write.ts";

/** Lives of retry and hedging policies on given times and with given randomness. Append to lists only: the position of a vector is its id. */

export type AttemptStep = {
  /** Milliseconds. */
  readonly at: number;
  readonly is: "call" | "failed" | "ended" | "time";
  readonly status?: number;
  readonly pushBack?: string;
  /** The attempts that are sent then: for each the number of those before it. */
  readonly sends?: readonly number[];
  /** When the next attempt is due. */
  readonly next?: number;
  /** The call ends with the status of the attempt. */
  readonly ends?: true;
};
type Json = Readonly<Record<string, unknown>>;
export type AttemptVector = Vector & {
  /** Permanent, and unique in its file. */
  readonly name: string;
  /** `retryPolicy` or `hedgingPolicy`, as a service config has it. */
  readonly policy: Json;
  readonly throttling?: Json;
  readonly random?: readonly number[];
  readonly steps: readonly AttemptStep[];
};
export type AttemptSource = VectorSource<AttemptVector>;
type Draft = WithoutId<AttemptVector>;

const nameOf = (note: string): string => note.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-+|-+$/g, "");
/** Numbers of statuses: the one of the policies, and one that is not in them. */
const [OK, NOT_FOUND, UNAVAILABLE] = [0, 5, 14];

type Then = Pick<AttemptStep, "sends" | "next" | "ends">;
const call = (at: number, then: Then = { sends: [0] }): AttemptStep => ({ at, is: "call", ...then });
const time = (at: number, then: Then): AttemptStep => ({ at, is: "time", ...then });
const fails = (at: number, then: Then, pushBack?: string, status = UNAVAILABLE): AttemptStep => ({
  at,
  is: "failed",
  status,
  ...(pushBack !== undefined && { pushBack }),
  ...then,
});
const ended = (at: number, status: number): AttemptStep => ({ at, is: "ended", status });
const ENDS: Then = { ends: true };

type About = { readonly flag: string; readonly spec: string; readonly policy?: object; readonly throttling?: Json; readonly random?: readonly number[] };
const RETRY = { maxAttempts: 5, initialBackoff: "0.1s", maxBackoff: "0.3s", backoffMultiplier: 2, retryableStatusCodes: ["UNAVAILABLE"] };
const retry = (note: string, { flag, spec, policy = {}, throttling, random }: About, ...steps: AttemptStep[]): Draft => ({
  name: nameOf(note),
  note,
  spec: `rpc-retries#${spec}`,
  policy: { retryPolicy: { ...RETRY, ...policy } },
  ...(throttling !== undefined && { throttling }),
  ...(random !== undefined && { random }),
  steps,
  result: "valid",
  flags: [flag],
});
const HEDGING = { maxAttempts: 3, hedgingDelay: "0.1s", nonFatalStatusCodes: ["UNAVAILABLE"] };
const hedge = (note: string, { flag, spec, policy = {}, throttling }: About, ...steps: AttemptStep[]): Draft => ({
  name: nameOf(note),
  note,
  spec: `rpc-retries#${spec}`,
  policy: { hedgingPolicy: { ...HEDGING, ...policy } },
  ...(throttling !== undefined && { throttling }),
  steps,
  result: "valid",
  flags: [flag],
});

const BACKOFF = { flag: "Backoff", spec: "exponential-backoff" };
const ATTEMPTS = { flag: "Attempts", spec: "maximum-number-of-retries" };
const STATUSES = { flag: "Statuses", spec: "retryable-status-codes" };
const PUSHED = { flag: "PushBack", spec: "pushback" };
const TOKENS = { flag: "Tokens", spec: "throttling-retry-attempts-and-hedged-rpcs" };
const HEDGED = { flag: "Hedging", spec: "hedging-policy" };
const throttled = (maxTokens: number, tokenRatio: number, policy: object = {}): About => ({ ...TOKENS, throttling: { maxTokens, tokenRatio }, policy });

/** Calls that each end by one attempt that fails, with a push-back that forbids another: each takes a token. */
const takes = (count: number, from = 0): AttemptStep[] =>
  Array.from({ length: count }, (_, index) => [call(from + index), fails(from + index, ENDS, "-1")]).flat();
/** Calls that are answered well: each returns the ratio. */
const returns = (count: number, from = 100): AttemptStep[] =>
  Array.from({ length: count }, (_, index) => [call(from + index), ended(from + index, OK)]).flat();
/** A call whose failure is followed by a retry, or not, as the tokens permit. */
const tried = (isPermitted: boolean, at = 1_000): AttemptStep[] => [call(at), fails(at, isPermitted ? { next: at + 100 } : ENDS)];
/** The same for hedging: a second copy is sent after the delay, or not. */
const FIRST: Then = { sends: [0], next: 100 };
const from = (at: number): Then => ({ sends: [0], next: at + 100 });
const copied = (isPermitted: boolean, at = 1_000): AttemptStep[] => [
  call(at, from(at)),
  time(at + 100, isPermitted ? { sends: [1], next: at + 200 } : {}),
];

export const source: AttemptSource = {
  about: "lives of retry and hedging policies: when attempts are sent, and when a call has failed",
  spec: "rpc-retries#summary-of-retry-and-hedging-logic",
  flags: {
    Backoff: { why: "the times between attempts, and their randomness", bug: "WRONG_RESULT" },
    Attempts: { why: "the most attempts", bug: "OFF_BY_ONE" },
    Statuses: { why: "which statuses lead to another attempt", bug: "MISSING_CHECK" },
    PushBack: { why: "what the server says of the next attempt", bug: "WRONG_STATE" },
    Tokens: { why: "failures that are too many for further attempts", bug: "OFF_BY_ONE" },
    Hedging: { why: "copies beside each other", bug: "WRONG_STATE" },
  },
  vectors: [
    // The times of retries.
    retry("retries wait longer each time, up to the longest", BACKOFF, call(0), fails(0, { next: 100 }), time(100, { sends: [1] }), fails(100, { next: 300 }), time(300, { sends: [2] }), fails(300, { next: 600 }), time(600, { sends: [3] }), fails(600, { next: 900 }), time(900, { sends: [4] }), fails(900, ENDS)),
    retry("a retry waits from the end of the attempt before it", BACKOFF, call(0), fails(250, { next: 350 }), time(350, { sends: [1] }), fails(400, { next: 600 })),
    retry("a retry does not come early", BACKOFF, call(0), fails(0, { next: 100 }), time(99, { next: 100 }), time(100, { sends: [1] })),
    retry("the least of the random part", { ...BACKOFF, random: [0] }, call(0), fails(0, { next: 80 })),
    retry("the most of the random part", { ...BACKOFF, random: [1] }, call(0), fails(0, { next: 120 })),
    retry("a quarter of the random part", { ...BACKOFF, random: [0.25] }, call(0), fails(0, { next: 90 })),
    retry("the random part of each wait is drawn anew", { ...BACKOFF, random: [1, 0] }, call(0), fails(0, { next: 120 }), time(120, { sends: [1] }), fails(120, { next: 280 })),
    retry("the random part does not grow the next wait", { ...BACKOFF, random: [1, 0.5] }, call(0), fails(0, { next: 120 }), time(120, { sends: [1] }), fails(120, { next: 320 })),
    retry("the random part of the longest wait goes beyond it", { ...BACKOFF, random: [0.5, 0.5, 1] }, call(0), fails(0, { next: 100 }), time(100, { sends: [1] }), fails(100, { next: 300 }), time(300, { sends: [2] }), fails(300, { next: 660 })),
    retry("a multiplier of 1", { ...BACKOFF, policy: { backoffMultiplier: 1 } }, call(0), fails(0, { next: 100 }), time(100, { sends: [1] }), fails(100, { next: 200 })),
    retry("a multiplier below 1", { ...BACKOFF, policy: { backoffMultiplier: 0.5 } }, call(0), fails(0, { next: 100 }), time(100, { sends: [1] }), fails(100, { next: 150 })),
    retry("each call begins with the initial back-off", BACKOFF, call(0), fails(0, { next: 100 }), time(100, { sends: [1] }), fails(100, { next: 300 }), call(400), fails(400, { next: 500 })),

    // Attempts and statuses.
    retry("two attempts", { ...ATTEMPTS, policy: { maxAttempts: 2 } }, call(0), fails(0, { next: 100 }), time(100, { sends: [1] }), fails(100, ENDS)),
    retry("a call that is answered is not sent again", ATTEMPTS, call(0), ended(10, OK), time(500, {})),
    retry("a failure after headers is final", STATUSES, call(0), ended(10, UNAVAILABLE), time(500, {})),
    retry("a status that the policy does not name", STATUSES, call(0), fails(0, ENDS, undefined, NOT_FOUND)),
    retry("a status that the policy does not name, after a retry", STATUSES, call(0), fails(0, { next: 100 }), time(100, { sends: [1] }), fails(100, ENDS, undefined, NOT_FOUND)),
    retry("the second status that the policy names", { ...STATUSES, policy: { retryableStatusCodes: ["UNAVAILABLE", "NOT_FOUND"] } }, call(0), fails(0, { next: 100 }, undefined, NOT_FOUND)),

    // Push-back at retries.
    retry("a push-back is the wait", PUSHED, call(0), fails(10, { next: 17 }, "7")),
    retry("a push-back beyond the longest back-off", PUSHED, call(0), fails(10, { next: 5_010 }, "5000")),
    retry("a push-back of 0", PUSHED, call(0), fails(10, { sends: [1] }, "0")),
    retry("a push-back has no random part", { ...PUSHED, random: [1] }, call(0), fails(0, { next: 100 }, "100")),
    retry("the back-off begins anew after a push-back", PUSHED, call(0), fails(0, { next: 100 }), time(100, { sends: [1] }), fails(100, { next: 300 }), time(300, { sends: [2] }), fails(300, { next: 307 }, "7"), time(307, { sends: [3] }), fails(307, { next: 407 })),
    retry("a negative push-back", PUSHED, call(0), fails(0, ENDS, "-1")),
    retry("a push-back that is no number", PUSHED, call(0), fails(0, ENDS, "soon")),
    retry("an empty push-back", PUSHED, call(0), fails(0, ENDS, "")),
    retry("a push-back with a status that the policy does not name", PUSHED, call(0), fails(0, ENDS, "7", NOT_FOUND)),
    retry("a push-back after the last attempt", { ...PUSHED, policy: { maxAttempts: 2 } }, call(0), fails(0, { next: 7 }, "7"), time(7, { sends: [1] }), fails(7, ENDS, "7")),

    // Tokens and retries.
    retry("a failure that leaves more than half of the tokens", throttled(4, 0.1), ...takes(0), ...tried(true)),
    retry("a failure that leaves half of the tokens", throttled(4, 0.1), ...takes(1), ...tried(false)),
    retry("half of an odd number of tokens", throttled(3, 0.1), call(0), fails(0, { next: 100 }), time(100, { sends: [1] }), fails(100, ENDS)),
    retry("one token", throttled(1, 1), ...tried(false)),
    retry("a push-back does not send a call without tokens", throttled(2, 0.1), call(0), fails(0, ENDS, "7")),
    retry("a status that the policy does not name takes no token", throttled(4, 0.1), call(0), fails(0, ENDS, undefined, NOT_FOUND), ...tried(true)),
    retry("a push-back that forbids a retry takes a token, whatever the status", throttled(4, 0.1), call(0), fails(0, ENDS, "-1", NOT_FOUND), ...tried(false)),
    retry("a push-back that permits a retry takes no token by itself", throttled(4, 0.1), call(0), fails(0, ENDS, "7", NOT_FOUND), ...tried(true)),
    retry("a retryable failure with a push-back that forbids it takes one token, not two", throttled(6, 0.1), ...takes(1), ...tried(true)),
    retry("each attempt that fails takes a token", throttled(6, 0.1), call(0), fails(0, { next: 100 }), time(100, { sends: [1] }), fails(100, { next: 300 }), time(300, { sends: [2] }), fails(300, ENDS)),
    retry("the last attempt takes a token, too", throttled(6, 0.1, { maxAttempts: 2 }), call(0), fails(0, { next: 100 }), time(100, { sends: [1] }), fails(100, ENDS), ...tried(false)),
    retry("a failure after headers takes a token", throttled(4, 0.1), call(0), ended(0, UNAVAILABLE), ...tried(false)),
    retry("a failure after headers that the policy does not name takes no token", throttled(4, 0.1), call(0), ended(0, NOT_FOUND), ...tried(true)),
    retry("a success returns a token", throttled(4, 1), ...takes(1), ...returns(1), ...tried(true)),
    retry("a success of a retry returns a token", throttled(6, 1), call(0), fails(0, { next: 100 }), time(100, { sends: [1] }), ended(100, OK), ...takes(1, 200), ...tried(true)),
    retry("successes return no more tokens than there were", throttled(4, 1), ...returns(3), ...takes(1, 200), ...tried(false)),
    retry("failures take no more tokens than there are", throttled(4, 1), ...takes(7), ...returns(4), ...tried(true)),
    retry("from no tokens, one success too few", throttled(4, 1), ...takes(7), ...returns(3), ...tried(false)),
    retry("fractions add up to a token", throttled(10, 0.1), ...takes(5), ...returns(10), ...tried(false)),
    retry("fractions add up to more than a token", throttled(10, 0.1), ...takes(5), ...returns(11), ...tried(true)),
    retry("thousandths of tokens count", throttled(10, 0.501), ...takes(5), ...returns(2), ...tried(true)),
    retry("a fourth decimal place does not count", throttled(10, 0.5004), ...takes(5), ...returns(2), ...tried(false)),
    retry("a ratio above 1", throttled(10, 1.001), ...takes(5), ...returns(1), ...tried(true)),

    // Hedging.
    hedge("copies are sent a delay apart, up to the most", HEDGED, call(0, FIRST), time(99, { next: 100 }), time(100, { sends: [1], next: 200 }), time(199, { next: 200 }), time(200, { sends: [2] }), time(900, {})),
    hedge("two copies", { ...HEDGED, policy: { maxAttempts: 2 } }, call(0, FIRST), time(100, { sends: [1] }), time(900, {})),
    hedge("without a delay all copies are sent at once", { ...HEDGED, policy: { hedgingDelay: "0s" } }, call(0, { sends: [0, 1, 2] })),
    hedge("a failure that is not fatal sends the next copy at once", HEDGED, call(0, FIRST), fails(30, { sends: [1], next: 130 }), time(130, { sends: [2] })),
    hedge("a failure that is not fatal, beside other copies", HEDGED, call(0, FIRST), time(100, { sends: [1], next: 200 }), fails(130, { sends: [2] })),
    hedge("a failure after the last copy was sent", HEDGED, call(0, FIRST), time(100, { sends: [1], next: 200 }), time(200, { sends: [2] }), fails(210, {}), fails(220, {}), fails(230, ENDS)),
    hedge("all copies fail at once", HEDGED, call(0, FIRST), fails(10, { sends: [1], next: 110 }), fails(20, { sends: [2] }), fails(30, ENDS)),
    hedge("a fatal failure of the only copy", HEDGED, call(0, FIRST), fails(10, ENDS, undefined, NOT_FOUND), time(900, {})),
    hedge("a fatal failure beside other copies", HEDGED, call(0, FIRST), time(100, { sends: [1], next: 200 }), fails(110, ENDS, undefined, NOT_FOUND), time(900, {})),
    hedge("a fatal failure of the last copy", { ...HEDGED, policy: { maxAttempts: 2 } }, call(0, FIRST), time(100, { sends: [1] }), fails(110, {}), fails(120, ENDS, undefined, NOT_FOUND)),
    hedge("no status is harmless by default", { ...HEDGED, policy: { nonFatalStatusCodes: [] } }, call(0, FIRST), fails(10, ENDS)),

    // Push-back at hedging.
    hedge("a push-back delays the next copy", PUSHED, call(0, FIRST), fails(10, { next: 210 }, "200"), time(209, { next: 210 }), time(210, { sends: [1], next: 310 })),
    hedge("a push-back below the delay", PUSHED, call(0, FIRST), fails(10, { next: 17 }, "7")),
    hedge("a push-back of 0 at hedging", PUSHED, call(0, FIRST), fails(10, { sends: [1], next: 110 }, "0")),
    hedge("a push-back that forbids copies, from the only copy", PUSHED, call(0, FIRST), fails(10, ENDS, "-1")),
    hedge("a push-back that forbids copies, beside others", PUSHED, call(0, FIRST), time(100, { sends: [1], next: 200 }), fails(110, {}, "-1"), time(900, {}), fails(910, ENDS)),
    hedge("a push-back that is no number forbids copies", PUSHED, call(0, FIRST), time(100, { sends: [1], next: 200 }), fails(110, {}, "soon"), time(900, {})),
    hedge("a push-back after the last copy", { ...PUSHED, policy: { maxAttempts: 2 } }, call(0, FIRST), time(100, { sends: [1] }), fails(110, {}, "7"), time(900, {}), fails(910, ENDS, "7")),
    hedge("a push-back after one that forbids copies", PUSHED, call(0, FIRST), time(100, { sends: [1], next: 200 }), fails(110, {}, "-1"), fails(120, ENDS, "7")),
    hedge("a fatal failure with a push-back", PUSHED, call(0, FIRST), fails(10, ENDS, "7", NOT_FOUND)),

    // Tokens and hedging.
    hedge("the first copy needs no tokens, the others do", throttled(2, 0.1), ...takesHedged(1), ...copied(false)),
    hedge("more than half of the tokens", throttled(4, 0.1), ...takesHedged(1), ...copied(true)),
    hedge("tokens that are all there", throttled(4, 0.1), ...copied(true)),
    hedge("a failure that leaves no tokens ends a call without other copies", throttled(2, 0.1), call(0, FIRST), fails(10, ENDS)),
    hedge("a failure that leaves no tokens, beside another copy", throttled(2, 0.1), call(0, FIRST), time(100, { sends: [1], next: 200 }), fails(110, {}), time(900, {}), fails(910, ENDS)),
    hedge("a failure that leaves tokens", throttled(4, 0.1), call(0, FIRST), fails(10, { sends: [1], next: 110 })),
    hedge("a push-back does not send a copy without tokens", throttled(2, 0.1), call(0, FIRST), time(100, { sends: [1], next: 200 }), fails(110, { next: 117 }, "7"), time(117, {})),
    hedge("tokens that come back before the copy is due", throttled(2, 1), call(0, FIRST), time(100, { sends: [1], next: 200 }), ended(110, OK), ...copied(true)),
    hedge("a fatal failure takes no token", throttled(4, 0.1), call(0, FIRST), fails(10, ENDS, undefined, NOT_FOUND), call(20, from(20)), fails(30, { sends: [1], next: 130 })),
    hedge("a fatal failure with a push-back that forbids copies takes a token", throttled(4, 0.1), call(0, FIRST), fails(10, ENDS, "-1", NOT_FOUND), call(20, from(20)), fails(30, ENDS)),
    hedge("a fatal failure with a push-back takes no token", throttled(4, 0.1), call(0, FIRST), fails(10, ENDS, "7", NOT_FOUND), call(20, from(20)), fails(30, { sends: [1], next: 130 })),
    hedge("a failure with a push-back that forbids copies takes one token, not two", throttled(6, 0.1), call(0, FIRST), fails(10, ENDS, "-1"), call(20, from(20)), fails(30, { sends: [1], next: 130 })),
    hedge("a failure after headers takes a token at hedging", throttled(4, 0.1), call(0, FIRST), ended(10, UNAVAILABLE), call(20, from(20)), fails(30, ENDS)),
    hedge("a fatal failure after headers takes no token", throttled(4, 0.1), call(0, FIRST), ended(10, NOT_FOUND), call(20, from(20)), fails(30, { sends: [1], next: 130 })),
    hedge("a success returns a token at hedging", throttled(4, 1), call(0, FIRST), fails(10, { sends: [1], next: 110 }), ended(20, OK), call(30, from(30)), fails(40, { sends: [1], next: 140 })),
    hedge("a success whose policy does not know it", { ...throttled(4, 1), policy: { nonFatalStatusCodes: ["OK", "UNAVAILABLE"] } }, call(0, FIRST), fails(10, { sends: [1], next: 110 }), ended(20, OK), call(30, from(30)), fails(40, { sends: [1], next: 140 })),
    retry("a success with all tokens there leaves all of them", throttled(4, 0.001), ...returns(1), ...takes(1, 200), ...returns(1, 300), ...tried(true)),
  ],
};

/** Calls with one copy that fails, and whose push-back forbids another: each takes a token. */
function takesHedged(count: number): AttemptStep[] {
  return Array.from({ length: count }, (_, index) => [call(index, from(index)), fails(index, ENDS, "-1")]).flat();
}
