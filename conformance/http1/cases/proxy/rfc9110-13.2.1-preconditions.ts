import type { Case } from "../../vocabulary.ts";
import { all, answer, awaitAnswer, exchange, forwarded, get, origin, response, send } from "./phrases.ts";

/** RFC 9110, section 13.2.1: a proxy that cannot act as a cache for a request leaves its preconditions to the origin. */

/** No cache may have a part in this exchange. */
const NO_STORE = "Cache-Control: no-store";
const TAG = '"touchstone"';
const tagged = response("hello world", `ETag: ${TAG}`, "Accept-Ranges: bytes", NO_STORE);
const whole = answer({ status: [200], body: "hello world" });
const second = answer({ nth: 2, status: [200], body: "hello world" });
const awaitSecond = { do: "await", see: { see: "any", of: [answer({ nth: 2 }), { see: "connection closed" }] } } as const;
const ranged = (tag: string): string => get("Range: bytes=0-1", `If-Range: ${tag}`, NO_STORE);

export const cases: readonly Case[] = [
  {
    id: "http1/proxy-preconditions-forwarded",
    spec: "rfc9110#13.2.1",
    covers: ["rfc9110#13.2.1/forwarded"],
    level: "MUST",
    title: "The proxy that is no cache for a request forwards its preconditions.",
    ...exchange(
      origin(tagged),
      send(get(`If-None-Match: "other"`, "If-Modified-Since: Thu, 01 Jan 2026 00:00:00 GMT", NO_STORE)),
      awaitAnswer,
    ),
    allowed: [
      {
        see: forwarded({
          fields: [
            { name: "If-None-Match", value: '"other"' },
            { name: "If-Modified-Since", value: "Thu, 01 Jan 2026 00:00:00 GMT" },
          ],
        }),
      },
    ],
  },
  {
    id: "http1/proxy-if-none-match-not-evaluated",
    spec: "rfc9110#13.2.1",
    covers: ["rfc9110#13.2.1/not-by-others"],
    level: "MUST NOT",
    role: "proxy",
    title: "The proxy that is no cache for a request does not turn a 200 into 304 because of If-None-Match.",
    steps: [origin(tagged), send(get(`If-None-Match: ${TAG}`, NO_STORE)), awaitAnswer],
    control: [origin(tagged), send(get(NO_STORE)), awaitAnswer],
    allowed: [{ see: whole }],
  },
  {
    id: "http1/proxy-if-range-not-evaluated",
    spec: "rfc9110#13.2.1",
    covers: ["rfc9110#13.2.1/not-by-others"],
    level: "MUST NOT",
    role: "proxy",
    title: "The proxy that is no cache for a request does not cut a 200 because If-Range has its entity tag.",
    // Only the second entity tag is that of the response: a proxy that cuts the second response alone has compared them.
    steps: [origin(tagged), send(ranged('"other"')), awaitAnswer, send(ranged(TAG)), awaitSecond],
    control: [origin(tagged), send(get(NO_STORE)), awaitAnswer, send(get(NO_STORE)), awaitSecond],
    allowed: [{ see: all(whole, second) }],
  },
];
