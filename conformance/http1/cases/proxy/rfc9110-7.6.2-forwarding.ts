import type { Case } from "../../vocabulary.ts";
import {
  all,
  answer,
  atOrigin,
  awaitAnswer,
  exchange,
  get,
  head,
  ok,
  origin,
  request,
  requests,
  response,
  send,
  texts,
} from "./phrases.ts";

/** RFC 9110, sections 7.6.2 and 7.6.3: how far a request may be forwarded, and the path that it took. */

const decremented = (method: "OPTIONS" | "TRACE"): Case => ({
  id: `http1/proxy-max-forwards-of-${method.toLowerCase()}-decremented`,
  spec: "rfc9110#7.6.2",
  covers: ["rfc9110#7.6.2/checked", "rfc9110#7.6.2/decremented"],
  level: "MUST",
  title: `The proxy decrements Max-Forwards of ${method}.`,
  ...(method === "TRACE" ? { needs: ["trace"] } : {}),
  ...texts({ wrong: request(method, "Max-Forwards: 5"), right: request(method) }),
  allowed: [{ see: all(ok, requests(1), atOrigin({ method, fields: [{ name: "Max-Forwards", pattern: "^[0-4]$" }] })) }],
});
const zero = (method: "OPTIONS" | "TRACE"): Case => ({
  id: `http1/proxy-max-forwards-of-${method.toLowerCase()}-zero`,
  spec: "rfc9110#7.6.2",
  covers: ["rfc9110#7.6.2/zero", "rfc9110#7.6.2/zero-answered"],
  level: "MUST NOT",
  title: `The proxy answers ${method} with Max-Forwards: 0 itself.`,
  ...(method === "TRACE" ? { needs: ["trace"] } : {}),
  ...texts({ wrong: request(method, "Max-Forwards: 0"), right: request(method) }),
  allowed: [{ see: all(answer({ status: ["2xx", "4xx", "5xx"] }), requests(0)) }],
});

export const cases: readonly Case[] = [
  decremented("OPTIONS"),
  zero("OPTIONS"),
  decremented("TRACE"),
  zero("TRACE"),
  {
    id: "http1/proxy-max-forwards-not-added",
    spec: "rfc9110#9.3.7",
    covers: ["rfc9110#9.3.7/no-max-forwards"],
    level: "MUST NOT",
    title: "The proxy adds no Max-Forwards to OPTIONS.",
    ...exchange(send(request("OPTIONS")), awaitAnswer),
    allowed: [{ see: all(ok, requests(1), atOrigin({ method: "OPTIONS", fields: [{ name: "Max-Forwards", absent: true }] })) }],
  },
  {
    id: "http1/proxy-via-added",
    spec: "rfc9110#7.6.3",
    covers: ["rfc9110#7.6.3/gateway-sends", "rfc9110#7.6.3/proxy-sends", "rfc9110#7.6.3/received-protocol"],
    level: "MUST",
    title: "The proxy adds Via with the received protocol version to a request.",
    ...exchange(send(get()), awaitAnswer),
    allowed: [{ see: all(ok, atOrigin({ fields: [{ name: "Via", pattern: "^(HTTP/)?1\\.1 \\S+" }] })) }],
  },
  {
    id: "http1/proxy-via-appended",
    spec: "rfc9110#7.6.3",
    covers: ["rfc9110#7.6.3/appended", "rfc9110#7.6.3/gateway-sends"],
    level: "MUST",
    title: "The proxy appends its member to an existing Via.",
    ...texts({ wrong: get("Via: 1.0 fred, 1.1 touchstone.example"), right: get() }),
    allowed: [
      {
        see: all(
          ok,
          atOrigin({ fields: [{ name: "Via", pattern: "^1\\.0 fred, ?1\\.1 touchstone\\.example, ?(HTTP/)?1\\.1 \\S+", joined: true }] }),
        ),
      },
    ],
  },
  {
    id: "http1/proxy-via-of-http10",
    spec: "rfc9110#7.6.3",
    covers: ["rfc9110#7.6.3/received-protocol"],
    level: "MUST",
    title: "The proxy states HTTP/1.0 in Via for a request that came in HTTP/1.0.",
    ...texts({ wrong: head("GET {path} HTTP/1.0", "Host: {authority}"), right: get() }),
    allowed: [{ see: all(ok, atOrigin({ fields: [{ name: "Via", pattern: "^(HTTP/)?1\\.0 \\S+" }] })) }],
  },
  {
    id: "http1/proxy-via-of-answer-kept",
    spec: "rfc9110#7.6.3",
    covers: ["rfc9110#7.6.3/appended", "rfc9110#7.6.3/gateway-response"],
    level: "MUST",
    title: "The proxy keeps the Via of a response, and appends at most its own member.",
    ...exchange(origin(response("ok", "Via: 1.0 fred, 1.1 touchstone.example")), send(get()), awaitAnswer),
    allowed: [
      { see: answer({ status: [200], fields: [{ name: "Via", pattern: "^1\\.0 fred, ?1\\.1 touchstone\\.example($|,)", joined: true }] }) },
    ],
  },
  {
    id: "http1/proxy-allow-kept",
    spec: "rfc9110#10.2.1",
    covers: ["rfc9110#10.2.1/not-modified"],
    level: "MUST NOT",
    title: "The proxy passes on Allow unchanged.",
    ...exchange(origin(response("", "Allow: GET, TOUCHSTONE , PATCH")), send(request("OPTIONS")), awaitAnswer),
    allowed: [{ see: answer({ status: [200], fields: [{ name: "Allow", value: "GET, TOUCHSTONE , PATCH" }] }) }],
  },
  {
    id: "http1/proxy-no-transform",
    spec: "rfc9110#7.7",
    covers: ["rfc9110#7.7/no-transform"],
    level: "MUST NOT",
    title: "The proxy passes on content with no-transform octet for octet.",
    ...exchange(
      origin(response("<p>  hello  </p>\n".repeat(100), "Content-Type: text/html", "Cache-Control: no-transform")),
      send(get("Accept-Encoding: gzip")),
      awaitAnswer,
    ),
    allowed: [
      { see: answer({ status: [200], body: "<p>  hello  </p>\n".repeat(100), fields: [{ name: "Content-Encoding", absent: true }] }) },
    ],
  },
  {
    id: "http1/proxy-end-to-end-fields-kept",
    spec: "rfc9110#7.7",
    covers: ["rfc9110#7.7/end-to-end-kept"],
    level: "SHOULD NOT",
    title: "The proxy passes on representation fields unchanged.",
    ...exchange(
      origin(
        response(
          "ok",
          'ETag: W/"a,b"',
          "Last-Modified: Thu, 01 Jan 2026 00:00:00 GMT",
          "Content-Type: text/plain; charset=UTF-8; x=1",
          "Content-Location: /a%2Fb",
          "Content-Language: de, en",
        ),
      ),
      send(get()),
      awaitAnswer,
    ),
    allowed: [
      {
        see: answer({
          status: [200],
          fields: [
            { name: "ETag", value: 'W/"a,b"' },
            { name: "Last-Modified", value: "Thu, 01 Jan 2026 00:00:00 GMT" },
            { name: "Content-Type", value: "text/plain; charset=UTF-8; x=1" },
            { name: "Content-Location", value: "/a%2Fb" },
            { name: "Content-Language", value: "de, en" },
          ],
        }),
      },
    ],
  },
];
