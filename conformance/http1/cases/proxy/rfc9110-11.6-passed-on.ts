import type { Case } from "../../vocabulary.ts";
import { all, answer, atOrigin, awaitAnswer, exchange, get, head, ok, origin, requests, response, send, texts } from "./phrases.ts";

/** Fields and responses that a proxy passes on as they are (rfc9110#10.1.3, rfc9110#11.6, rfc9110#12.5.5, rfc9110#14.4, rfc9110#15.4.5). */

const CREDENTIALS = 'Touchstone realm="a, b",  response="x=="';
const CHALLENGE = 'Touchstone realm="a, b",  nonce="x==", Other';
const REFERER = "http://{authority}{path}?from=%2F";
/** No cache may have a part in these exchanges. */
const NO_STORE = "Cache-Control: no-store";

export const cases: readonly Case[] = [
  {
    id: "http1/proxy-credentials-kept",
    spec: "rfc9110#11.6.2",
    covers: ["rfc9110#11.6.2/credentials-forwarded"],
    level: "MUST NOT",
    title: "The proxy passes on Authorization unchanged.",
    ...texts({ wrong: get(`Authorization: ${CREDENTIALS}`), right: get() }),
    allowed: [{ see: all(ok, requests(1), atOrigin({ fields: [{ name: "Authorization", value: CREDENTIALS }] })) }],
  },
  {
    id: "http1/proxy-challenge-kept",
    spec: "rfc9110#11.6.1",
    covers: ["rfc9110#11.6.1/challenge-forwarded"],
    level: "MUST NOT",
    title: "The proxy passes on WWW-Authenticate unchanged.",
    // A response of any status may have a challenge.
    ...exchange(origin(response("ok", `WWW-Authenticate: ${CHALLENGE}`, NO_STORE)), send(get()), awaitAnswer),
    allowed: [{ see: answer({ status: [200], fields: [{ name: "WWW-Authenticate", pattern: `^${CHALLENGE}$`, joined: true }] }) }],
  },
  {
    id: "http1/proxy-referer-kept",
    spec: "rfc9110#10.1.3",
    covers: ["rfc9110#10.1.3/referer-kept"],
    level: "SHOULD NOT",
    title: "The proxy passes on a Referer with the scheme and host of the target unchanged.",
    ...texts({ wrong: get(`Referer: ${REFERER}`), right: get() }),
    allowed: [{ see: all(ok, requests(1), atOrigin({ fields: [{ name: "Referer", value: REFERER }] })) }],
  },
  {
    id: "http1/proxy-no-vary-by-everything",
    spec: "rfc9110#12.5.5",
    covers: ["rfc9110#12.5.5/proxy-no-asterisk"],
    level: "MUST NOT",
    title: "The proxy generates no Vary with an asterisk.",
    ...exchange(origin(response("ok", "Vary: accept-language", NO_STORE)), send(get("Accept-Language: de")), awaitAnswer),
    allowed: [{ see: all(ok, { see: "not", of: answer({ fields: [{ name: "Vary", pattern: "\\*", joined: true }] }) }) }],
  },
  {
    id: "http1/proxy-range-of-unknown-unit-kept",
    spec: "rfc9110#14.4",
    covers: ["rfc9110#14.4/unknown-unit-forwarded"],
    level: "SHOULD",
    title: "The proxy passes on a 206 with a range unit that it does not know.",
    ...exchange(
      origin(`${head("HTTP/1.1 206 Partial Content", "Content-Length: 2", "Content-Range: touchstones 1-2/7", NO_STORE)}ok`),
      send(get("Range: touchstones=1-2")),
      awaitAnswer,
    ),
    allowed: [{ see: answer({ status: [206], body: "ok", fields: [{ name: "Content-Range", value: "touchstones 1-2/7" }] }) }],
  },
  {
    id: "http1/proxy-304-kept",
    spec: "rfc9110#15.4.5",
    covers: ["rfc9110#15.4.5/forwarded"],
    level: "SHOULD",
    title: "The proxy passes on a 304 to a client that made the request conditional.",
    ...exchange(
      origin(head("HTTP/1.1 304 Not Modified", 'ETag: "touchstone"', NO_STORE)),
      send(get('If-None-Match: "touchstone"', NO_STORE)),
      awaitAnswer,
    ),
    allowed: [{ see: answer({ status: [304], fields: [{ name: "ETag", value: '"touchstone"' }] }) }],
  },
];
