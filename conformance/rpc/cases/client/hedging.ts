import { SERVICE } from "../../../wire/rpc/contract.ts";
import type { CallSpec, Sight, Step } from "../../client-vocabulary.ts";
import type { StatusName } from "../../vocabulary.ts";
import { all, answer, any, ask, good, head, received, requests, type Row, say, trailers } from "./phrases.ts";

/** Hedging: copies of a call that is not answered in time. */

const NEEDS = ["hedging"];
type Policy = Readonly<Record<string, unknown>>;
const DELAY_MS = 100;
const POLICY: Policy = { maxAttempts: 3, hedgingDelay: "0.100s", nonFatalStatusCodes: ["UNAVAILABLE"] };
const asked = (policy: Policy = {}, call: Partial<CallSpec> = {}): Step =>
  ask(call, {
    channel: { serviceConfig: { methodConfig: [{ name: [{ service: SERVICE }], hedgingPolicy: { ...POLICY, ...policy } }] } },
  });
const failed = (request: number, status: StatusName, pushBack?: string): Step[] => [
  received(request),
  trailers({ request, only: true, status, ...(pushBack === undefined ? {} : { fields: [["{rpc}-retry-pushback-ms", pushBack]] }) }),
];
const previous = (request: number, value: string | false): Sight => ({
  see: "request",
  request,
  fields: { "{rpc}-previous-rpc-attempts": value },
});
const cancelled = (request: number): Sight => ({ see: "reset", request, code: "CANCEL" });
const GOOD: readonly Step[] = [asked({ hedgingDelay: "5s" }), ...good()];
const SLOW: Policy = { hedgingDelay: "20s" };
const MOST_MS = 1500;

export const rows: readonly Row[] = (
  [
    {
      id: "hedged-after-delay",
      title: "A call that is not answered within the delay is sent a second time, and the answer to either counts.",
      covers: "rpc-retries#hedging-policy/delay",
      steps: [asked(), received(1), ...good(2)],
      allowed: all(answer(), { see: "spacing", from: 1, to: 2, least: DELAY_MS / 2, most: MOST_MS }),
    },
    {
      id: "hedged-first-wins",
      title: "The first copy may win although the second was sent.",
      covers: "rpc-retries#hedging-policy/winner",
      steps: [asked(), received(1), received(2), ...good(1)],
      allowed: all(answer(), { see: "reset", request: 2, code: "CANCEL" }),
    },
    {
      id: "hedged-loser-cancelled",
      title: "When one copy is answered, the others are cancelled.",
      covers: "rpc-retries#hedging-policy/winner",
      steps: [asked(), received(1), ...good(2)],
      allowed: all(answer(), { see: "reset", request: 1, code: "CANCEL" }),
    },
    {
      id: "hedged-up-to-attempts",
      title: "No more copies are sent than the policy permits.",
      covers: "rpc-retries#hedging-policy/attempts",
      steps: [asked(), received(1), received(2), received(3), { do: "wait", ms: 250 }, ...good(3)],
      allowed: all(answer(), requests(3)),
    },
    {
      id: "hedged-not-when-answered",
      title: "A call that is answered within the delay is sent once.",
      covers: "rpc-retries#hedging-policy/delay",
      steps: GOOD,
      allowed: all(answer(), requests(1)),
    },
    {
      id: "hedged-numbered",
      title: "The copies have the numbers of those before them.",
      covers: "rpc-retries#exposed-retry-metadata/attempts",
      level: "SHOULD",
      steps: [asked(), received(1), received(2), ...good(3)],
      allowed: all(answer(), previous(1, false), previous(2, "1"), previous(3, "2")),
    },
    {
      id: "hedged-at-once-after-non-fatal",
      title: "A copy that fails with a status that the policy lists sends the next at once.",
      covers: "rpc-retries#hedging-policy/non-fatal",
      steps: [asked(SLOW), ...failed(1, "UNAVAILABLE"), ...good(2)],
      allowed: all(answer(), { see: "spacing", from: 1, to: 2, least: 0, most: MOST_MS }),
    },
    {
      id: "hedged-ends-with-fatal",
      title: "A copy that fails with a status that the policy does not list ends the call.",
      covers: "rpc-retries#hedging-policy/fatal",
      steps: [asked(SLOW), ...failed(1, "NOT_FOUND")],
      control: GOOD,
      allowed: all(answer({ status: "NOT_FOUND" }), requests(1)),
    },
    {
      id: "hedged-all-fail",
      title: "A call all of whose copies fail ends with a failure, and is not sent again.",
      covers: "rpc-retries#hedging-policy/attempts",
      steps: [asked(SLOW), ...failed(1, "UNAVAILABLE"), ...failed(2, "UNAVAILABLE"), ...failed(3, "UNAVAILABLE")],
      allowed: all(answer({ status: "UNAVAILABLE" }), requests(3)),
    },
    {
      id: "hedged-stopped-by-push-back",
      title: "A push-back that forbids another copy is heeded.",
      covers: "rpc-retries#hedging-policy/push-back",
      steps: [asked(SLOW), ...failed(1, "UNAVAILABLE", "-1")],
      control: GOOD,
      allowed: all(answer({ status: "UNAVAILABLE" }), requests(1)),
    },
    {
      id: "hedged-delayed-by-push-back",
      title: "A push-back of 200 milliseconds is waited for before the next copy.",
      covers: "rpc-retries#hedging-policy/push-back",
      steps: [asked(SLOW), ...failed(1, "UNAVAILABLE", "200"), ...good(2)],
      allowed: all(answer(), { see: "spacing", from: 1, to: 2, least: 130, most: MOST_MS }),
    },
    {
      id: "hedged-deadline",
      title: "The deadline of a call counts for all of its copies.",
      covers: "rpc-status#codes/deadline",
      steps: [asked({}, { timeoutMs: 400 }), received(1), received(2), received(3)],
      allowed: all(answer({ status: "DEADLINE_EXCEEDED" }), { see: "reset", request: 1, code: "CANCEL" }, { see: "took", most: 1900 }),
    },
    {
      id: "hedged-with-metadata",
      title: "Each copy has the metadata of the call.",
      covers: ["rpc-retries#hedging-policy/delay", "rpc-http2#requests/metadata-name"],
      steps: [asked({}, { metadata: [["x-one", "1"]] }), received(1), ...good(2)],
      allowed: all(
        answer(),
        { see: "request", request: 1, fields: { "x-one": "1" } },
        { see: "request", request: 2, fields: { "x-one": "1" } },
      ),
    },
    {
      id: "hedged-compressed",
      title: "Each copy has the encoding of the call.",
      covers: ["rpc-retries#hedging-policy/delay", "rpc-compression#test-cases/accordingly"],
      needs: ["gzip"],
      steps: [asked({}, { encoding: "gzip" }), received(1), ...good(2)],
      allowed: all(
        answer(),
        { see: "request", request: 1, compressed: [true], fields: { "{rpc}-encoding": "gzip" } },
        { see: "request", request: 2, compressed: [true], fields: { "{rpc}-encoding": "gzip" } },
      ),
    },
    {
      id: "hedged-waits-for-ready",
      title: "A hedged call that waits for a connection gets it after one that failed.",
      covers: "rpc-http2#connection-failure/client",
      level: "SHOULD",
      needs: ["wait-for-ready"],
      steps: [{ ...asked(SLOW, { waitForReady: true }), refuses: 1 } as Step, ...good()],
      allowed: answer(),
    },
    {
      id: "hedged-cancelled",
      title: "A call that is cancelled cancels all of its copies.",
      covers: ["rpc-status#codes/cancelled", "rpc-http2#cancellation/reset"],
      control: GOOD,
      needs: ["cancel"],
      steps: [asked({}, { cancel: { afterMs: 350 } }), received(1), received(2), received(3)],
      allowed: all(answer({ status: "CANCELLED" }), ...[1, 2, 3].map(cancelled)),
    },
    {
      id: "hedged-both-answered",
      title: "Of two copies that are answered at the same time one counts, and the other is cancelled.",
      covers: "rpc-retries#hedging-policy/winner",
      steps: [
        asked(),
        received(1),
        received(2),
        head({ request: 1 }),
        head({ request: 2 }),
        { do: "await", see: any(cancelled(1), cancelled(2)) },
        ...[1, 2].flatMap((request): Step[] => [say([{}], { request }), trailers({ request })]),
      ],
      allowed: all(answer(), any(cancelled(1), cancelled(2))),
    },
  ] satisfies Row[]
).map((row): Row => ({ ...row, needs: [...NEEDS, ...((row as Row).needs ?? [])] }));
