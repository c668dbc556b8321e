import type { Case } from "../../vocabulary.ts";
import {
  all,
  answer,
  answers,
  any,
  atOrigin,
  awaitAnswer,
  CHUNKED,
  exchange,
  get,
  goodChunks,
  head,
  HIDDEN,
  holds,
  inChunks,
  not,
  ok,
  origin,
  permitted,
  postOf,
  rawResponse,
  requests,
  response,
  send,
  texts,
  unambiguous,
} from "./phrases.ts";

/**
 * RFC 9110, sections 6.5, 7.6.1, 10.1.1 and 15.2: the fields of interim responses and trailer sections through a proxy, the content that an
 * expectation holds back, and what the proxy says by itself.
 */

const DATE = "Date: Thu, 01 Jan 2026 00:00:00 GMT";
const EXPECT = "Expect: 100-continue";
const hint = (...fields: readonly string[]): string => head("HTTP/1.1 103 Early Hints", "Link: </style.css>; rel=preload", ...fields);
/** The client's view of an interim response has one reading. */
const clean = all(holds("valid field lines"), holds("lines end in CRLF"), holds("no octets between responses"));
const interim = (
  ...fields: NonNullable<Parameters<typeof answer>[0]>["fields"] & {}
): Extract<Case["allowed"][0]["see"], { see: "interim" }> => ({
  see: "interim",
  status: 103,
  fields,
});
const SILENT_MS = 2_000;

export const cases: readonly Case[] = [
  {
    id: "http1/proxy-interim-fields-forwarded",
    spec: "rfc9110#15.2",
    covers: ["rfc9110#15.2/proxy-forwards", "rfc9110#5.1/unknown-forwarded"],
    level: "MUST",
    title: "The proxy passes on the fields of a 103, in their order.",
    ...exchange(origin(hint("Link: </app.js>; rel=preload", "X-Touchstone: a, b") + response("ok")), send(get()), awaitAnswer),
    allowed: [
      {
        see: all(
          answer({ status: [200], body: "ok" }),
          interim(
            { name: "Link", value: "</style.css>; rel=preload, </app.js>; rel=preload", joined: true },
            { name: "X-Touchstone", value: "a, b" },
          ),
          clean,
        ),
      },
    ],
  },
  {
    id: "http1/proxy-interim-named-field-removed",
    spec: "rfc9110#7.6.1",
    covers: ["rfc9110#7.6.1/named-removed", "rfc9110#7.6.1/itself-removed"],
    level: "MUST",
    title: "The proxy removes a field that Connection lists from a 103, too.",
    ...answers({
      wrong: hint("Connection: X-Of-This-Hop", "X-Of-This-Hop: secret") + response("ok"),
      right: hint("X-Of-This-Hop: secret") + response("ok"),
    }),
    allowed: [
      {
        see: all(
          answer({ status: [200], body: "ok" }),
          not(interim({ name: "X-Of-This-Hop" })),
          not(interim({ name: "Connection", pattern: "x-of-this-hop" })),
        ),
      },
    ],
  },
  {
    id: "http1/proxy-interim-is-no-content",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/no-body", "rfc9110#15.2/no-content"],
    level: "MUST",
    title: "The proxy reads no content after a 103 that has a length.",
    ...answers({ wrong: hint("Content-Length: 5") + response("ok"), right: hint() + response("ok") }),
    allowed: [{ see: all(answer({ status: [200], body: "ok" }), clean) }, permitted(answer({ status: [502] }), "rfc9110#15.6.3")],
  },
  {
    id: "http1/proxy-trailer-fields-of-answer-kept-or-dropped",
    spec: "rfc9112#7.1.2",
    covers: ["rfc9112#7.1.2/kept-or-dropped", "rfc9110#5.3/order-kept"],
    level: "MUST NOT",
    title: "The proxy passes on the trailers of a response unchanged and in their order, or drops them.",
    ...exchange(
      origin(rawResponse(`${CHUNKED}\r\nTrailer: X-One, X-Two\r\n\r\n${inChunks("hello", "X-One: 1\r\nX-Two: a b\r\nX-One: 2\r\n")}`)),
      send(get("TE: trailers", "Connection: TE")),
      awaitAnswer,
    ),
    allowed: [
      {
        see: answer({
          status: [200],
          body: "hello",
          trailers: [
            { name: "X-One", value: "1, 2", joined: true },
            { name: "X-Two", value: "a b" },
          ],
        }),
      },
      permitted(
        answer({
          status: [200],
          body: "hello",
          trailers: [
            { name: "X-One", absent: true },
            { name: "X-Two", absent: true },
          ],
        }),
        "rfc9112#7.1.2",
      ),
    ],
  },
  {
    id: "http1/proxy-trailer-fields-of-request-kept-or-dropped",
    spec: "rfc9112#7.1.2",
    covers: ["rfc9112#7.1.2/kept-or-dropped", "rfc9110#5.3/order-kept"],
    level: "MUST NOT",
    title: "The proxy forwards the trailers of a request unchanged and in their order, or drops them.",
    ...texts({
      wrong: postOf(inChunks("hello", "X-One: 1\r\nX-Two: a b\r\nX-One: 2\r\n"), CHUNKED, "Trailer: X-One, X-Two"),
      right: goodChunks,
    }),
    allowed: [
      {
        see: all(
          ok,
          requests(1),
          atOrigin({
            body: "hello",
            trailers: [
              { name: "X-One", value: "1, 2", joined: true },
              { name: "X-Two", value: "a b" },
            ],
          }),
          unambiguous,
        ),
      },
      permitted(
        all(
          ok,
          requests(1),
          atOrigin({
            body: "hello",
            trailers: [
              { name: "X-One", absent: true },
              { name: "X-Two", absent: true },
            ],
          }),
          unambiguous,
        ),
        "rfc9112#7.1.2",
      ),
    ],
  },
  {
    id: "http1/proxy-named-trailer-removed-from-request",
    spec: "rfc9110#7.6.1",
    covers: ["rfc9110#7.6.1/named-removed"],
    level: "MUST",
    title: "The proxy removes a trailer field that Connection lists from a request.",
    ...texts({
      wrong: postOf(inChunks("hello", "X-Of-This-Hop: secret\r\n"), CHUNKED, "Connection: X-Of-This-Hop"),
      right: goodChunks,
    }),
    allowed: [
      {
        see: all(
          ok,
          requests(1),
          atOrigin({
            body: "hello",
            fields: [{ name: "X-Of-This-Hop", absent: true }],
            trailers: [{ name: "X-Of-This-Hop", absent: true }],
          }),
        ),
      },
    ],
  },
  {
    id: "http1/proxy-named-trailer-removed-from-response",
    spec: "rfc9110#7.6.1",
    covers: ["rfc9110#7.6.1/named-removed"],
    level: "MUST",
    title: "The proxy removes a trailer field that Connection lists from a response.",
    role: "proxy",
    steps: [
      origin(rawResponse(`${CHUNKED}\r\nConnection: X-Of-This-Hop\r\n\r\n${inChunks("hello", "X-Of-This-Hop: secret\r\n")}`)),
      send(get("TE: trailers", "Connection: TE")),
      awaitAnswer,
    ],
    control: [origin(rawResponse(`${CHUNKED}\r\n\r\n${inChunks("hello")}`)), send(get("TE: trailers", "Connection: TE")), awaitAnswer],
    allowed: [
      {
        see: answer({
          status: [200],
          body: "hello",
          fields: [{ name: "X-Of-This-Hop", absent: true }],
          trailers: [{ name: "X-Of-This-Hop", absent: true }],
        }),
      },
    ],
  },
  {
    id: "http1/proxy-expect-with-chunks",
    spec: "rfc9110#10.1.1",
    covers: ["rfc9110#10.1.1/proxy", "rfc9110#10.1.1/immediate"],
    level: "MUST",
    title: "The proxy sends 100 or a final response to a client that holds back chunked content, too.",
    role: "proxy",
    steps: [
      send(postOf("", CHUNKED, EXPECT)),
      { do: "await", see: any({ see: "interim", status: 100 }, answer(), { see: "connection closed" }) },
      send(inChunks("hello")),
      awaitAnswer,
    ],
    control: [send(goodChunks), awaitAnswer],
    allowed: [
      { see: all(ok, requests(1), atOrigin({ body: "hello" }), unambiguous) },
      permitted(answer({ status: [411, 417] }), "rfc9110#10.1.1"),
    ],
  },
  {
    id: "http1/proxy-expect-content-is-no-request",
    spec: "rfc9112#9.3",
    covers: ["rfc9112#9.3/server-reads-all", "rfc9112#11.2/no-smuggling", "rfc9110#10.1.1/final-before-content"],
    level: "MUST",
    title: "The proxy reads no request from content that arrives although the origin refused the expectation.",
    role: "proxy",
    steps: [
      origin(head("HTTP/1.1 417 Expectation Failed", DATE, "Content-Length: 0"), { at: "head" }),
      send(postOf("", "Content-Length: 256", EXPECT)),
      { do: "wait", ms: 250, until: any(answer(), { see: "interim", status: 100 }, { see: "connection closed" }) },
      send(HIDDEN),
      awaitAnswer,
    ],
    control: [send(postOf(HIDDEN, "Content-Length: 256")), awaitAnswer],
    allowed: [
      { see: all(answer({ status: ["4xx"] }), not(atOrigin({ nth: 2, target: "/hidden" })), clean) },
      permitted(all(answer({ status: ["5xx"] }), not(atOrigin({ nth: 2, target: "/hidden" }))), "rfc9110#15.6", "warn"),
      permitted(all({ see: "closed after", responses: 0 }, not(atOrigin({ nth: 2, target: "/hidden" }))), "rfc9112#9.5", "warn"),
    ],
  },
  {
    id: "http1/proxy-expect-then-next-request",
    spec: "rfc9110#10.1.1",
    covers: ["rfc9110#10.1.1/final-follows", "rfc9112#9.3.2/in-order"],
    level: "MUST",
    title: "The proxy answers the request that follows an expectation and its content on the same connection.",
    role: "proxy",
    needs: ["keep-alive"],
    steps: [
      send(postOf("", "Content-Length: 5", EXPECT)),
      { do: "await", see: any({ see: "interim", status: 100 }, answer(), { see: "connection closed" }) },
      send("hello" + get()),
      { do: "await", see: any(answer({ nth: 2 }), { see: "connection closed" }) },
    ],
    control: [
      send(postOf("hello", "Content-Length: 5") + get()),
      { do: "await", see: any(answer({ nth: 2 }), { see: "connection closed" }) },
    ],
    allowed: [
      { see: all(ok, answer({ nth: 2, status: [200] }), requests(2), atOrigin({ nth: 1, body: "hello" }), unambiguous) },
      permitted(all(answer({ status: ["2xx", "4xx"] }), { see: "closed after", responses: 1 }), "rfc9112#9.6"),
    ],
  },
  {
    id: "http1/proxy-silent-origin",
    spec: "rfc9110#15.6.5",
    covers: ["rfc9110#15.6.5/gateway-timeout"],
    level: "MAY",
    title: "The proxy that gives up on a silent origin says so with 504.",
    role: "proxy",
    fence: "new",
    steps: [origin("none"), send(get()), { do: "wait", ms: SILENT_MS, until: answer() }],
    control: [origin(response("ok")), send(get()), awaitAnswer],
    // Most proxies wait longer than a case can.
    allowed: [{ see: answer({ status: [504] }) }, permitted(not(answer()), "rfc9110#15.6.5")],
  },
  {
    id: "http1/proxy-own-answer-names-its-type",
    spec: "rfc9110#8.3",
    covers: ["rfc9110#8.3/content-type"],
    level: "SHOULD",
    title: "The proxy names the type of the content that it sends by itself.",
    ...answers({ wrong: "nonsense\r\n\r\n", right: response("hello"), close: "end" }),
    allowed: [
      { see: all(answer({ status: ["5xx"] }), answer({ fields: [{ name: "Content-Type" }] })) },
      permitted(answer({ status: ["5xx"], body: "" }), "rfc9110#8.3"),
      permitted({ see: "closed after", responses: 0 }, "rfc9112#9.5"),
      permitted(answer({ status: ["2xx"] }), "rfc9112#4"),
    ],
  },
];
