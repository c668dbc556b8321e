import type { Protocol } from "../../../wire/remotewrite/build.ts";
import type { Reply, SenderCase, Step } from "../../sender-vocabulary.ts";
import { answering, made, PROTOCOLS } from "./phrases.ts";

/** What a sender does after each answer. */

const OK: Reply = { status: 204 };
const FAILURES = [500, 502, 503, 504, 599] as const;
const FINAL = [400, 401, 403, 404, 409, 413, 422] as const;
const SUCCESSES = [200, 202, 299] as const;
const BODY = "status: 500; please send again";

const between = (statuses: readonly number[], more: Partial<Exclude<Reply, "drop">> = {}): Reply[] =>
  statuses.flatMap((status) => [{ status, ...more }, OK]);
const failing = (protocol: Protocol): Step => answering(protocol, between(FAILURES));
const refusing = (protocol: Protocol): Step => answering(protocol, between(FINAL));
/** A receiver of protocol 2 says what it wrote with each of these. */
const praising = (protocol: Protocol): Step => answering(protocol, between(SUCCESSES, { body: BODY }));
const limiting = (protocol: Protocol): Step => answering(protocol, [OK, { status: 429 }, OK, OK]);
const pausing = (protocol: Protocol): Step => answering(protocol, [OK, { status: 503, fields: { "retry-after": "1" } }]);
const down = (protocol: Protocol): Step =>
  answering(
    protocol,
    Array.from({ length: 8 }, () => ({ status: 503 })),
  );
const dropping = (protocol: Protocol): Step => answering(protocol, [OK, "drop"]);
const restarting = (protocol: Protocol): Step =>
  answering(protocol, [{ status: 503 }, { status: 503 }, { status: 503 }], { restarts: true });
const away = (protocol: Protocol): Step => answering(protocol, [], { awayFor: 4 });

export const cases: readonly SenderCase[] = PROTOCOLS.flatMap((protocol) => {
  const retries = (name: string): string => `${protocol}.retries-backoff/${name}`;
  const never = protocol === 1 ? "1.retries-backoff/no-retry" : "2.invalid-samples/no-retry";
  return [
    ...FAILURES.map((status) =>
      made(protocol, {
        id: `again-after-${status}`,
        covers: retries("retry-5xx"),
        level: "MUST",
        title: `The sender sends all samples again after the status ${status}`,
        rule: "sends-again",
        status,
        step: failing(protocol),
      }),
    ),
    made(protocol, {
      id: "failures-lose-nothing",
      covers: retries("retry-5xx"),
      level: "MUST",
      title: "The sender loses no sample while some requests fail",
      rule: "loses-nothing",
      step: failing(protocol),
    }),
    made(protocol, {
      id: "failures-keep-order",
      covers: protocol === 1 ? "1.ordering/order" : "2.samples/order",
      level: "MUST",
      title: "The sender keeps the samples of a series in order while some requests fail",
      rule: "order",
      step: failing(protocol),
    }),
    made(protocol, {
      id: "failures-repeat-nothing",
      covers: never,
      level: protocol === 1 ? "MUST NOT" : "SHOULD NOT",
      title: "The sender sends no sample twice to a receiver that has accepted it, while others fail",
      rule: "sent-once",
      step: failing(protocol),
    }),
    made(protocol, {
      id: "backs-off",
      covers: retries("backoff"),
      level: "MUST",
      title: "The sender waits longer and longer while requests fail",
      rule: "backs-off",
      step: down(protocol),
    }),
    made(protocol, {
      id: "long-failure-loses-nothing",
      covers: retries("retry-5xx"),
      level: "MUST",
      title: "The sender loses no sample when eight requests fail in turn",
      rule: "loses-nothing",
      step: down(protocol),
    }),
    ...FINAL.flatMap((status) => [
      made(protocol, {
        id: `never-after-${status}`,
        covers: never,
        level: "MUST NOT",
        title: `The sender does not send again what was answered with ${status}`,
        rule: "gives-up",
        status,
        step: refusing(protocol),
      }),
    ]),
    ...([400, 404, 413] as const).map((status) =>
      made(protocol, {
        id: `goes-on-after-${status}`,
        covers: never,
        level: "SHOULD",
        title: `The sender goes on with newer samples after ${status}`,
        rule: "goes-on",
        status,
        step: refusing(protocol),
      }),
    ),
    ...SUCCESSES.map((status) =>
      made(protocol, {
        id: `never-after-${status}`,
        covers: protocol === 1 ? "1.protocol/ignores-body" : "2.response/ignores-body",
        level: "MUST",
        title: `The sender does not send again what was answered with ${status}, whatever the content of the answer says`,
        rule: "gives-up",
        status,
        step: praising(protocol),
      }),
    ),
    made(protocol, {
      id: "goes-on-after-429",
      covers: retries("retry-429"),
      level: "SHOULD",
      title: "The sender goes on after the status 429",
      rule: "goes-on",
      status: 429,
      step: limiting(protocol),
    }),
    made(protocol, {
      id: "again-after-429",
      covers: retries("retry-429"),
      level: "MAY",
      title: "The sender that is configured to do so sends again what was answered with 429",
      rule: "sends-again",
      status: 429,
      step: limiting(protocol),
    }),
    made(protocol, {
      id: "waits-for-retry-after",
      covers: protocol === 1 ? retries("retry-429") : retries("retry-after"),
      level: "MAY",
      title: "The sender waits as long as Retry-After says",
      rule: "waits-as-told",
      status: 503,
      step: pausing(protocol),
    }),
    made(protocol, {
      id: "again-after-the-end-of-a-connection",
      covers: retries("retry-5xx"),
      level: "SHOULD",
      title: "The sender sends again what was not answered because the connection ended",
      rule: "sends-again",
      status: 0,
      step: dropping(protocol),
    }),
    made(protocol, {
      id: "keeps-samples-over-restart",
      covers: protocol === 1 ? "1.out-of-scope/buffers" : retries("buffers"),
      level: "SHOULD",
      title: "The sender that is ended and started again sends what the receiver has not accepted before",
      rule: "keeps-over-restart",
      step: restarting(protocol),
    }),
    made(protocol, {
      id: "restart-keeps-order",
      covers: protocol === 1 ? "1.ordering/order" : "2.samples/order",
      level: "MUST",
      title: "The sender keeps the samples of a series in order over a restart",
      rule: "order",
      step: restarting(protocol),
    }),
    made(protocol, {
      id: "restart-repeats-nothing",
      covers: never,
      level: "SHOULD NOT",
      title: "The sender sends nothing that was accepted again after a restart",
      rule: "sent-once",
      step: restarting(protocol),
    }),
    made(protocol, {
      id: "keeps-samples-while-away",
      covers: protocol === 1 ? "1.out-of-scope/buffers" : retries("buffers"),
      level: "SHOULD",
      title: "The sender keeps samples while nothing listens at its URL",
      rule: "keeps-while-away",
      step: away(protocol),
    }),
    made(protocol, {
      id: "away-keeps-order",
      covers: protocol === 1 ? "1.ordering/order" : "2.samples/order",
      level: "MUST",
      title: "The sender keeps the samples of a series in order after a time in which nothing listened",
      rule: "order",
      step: away(protocol),
    }),
  ];
});
