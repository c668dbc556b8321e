import type { Case } from "../../vocabulary.ts";
import { awaitAnswer, data, exchange, FRONT, get, headers, http2, partialData, post, pseudo } from "./http2-phrases.ts";
import {
  all,
  answer,
  any,
  atOrigin,
  CHUNKED,
  HIDDEN,
  inChunks,
  not,
  ok,
  unambiguous,
  origin,
  forwarded,
  permitted,
  rawResponse,
  requests,
  response,
} from "./phrases.ts";

/** RFC 9113, section 8: HTTP/2 requests forwarded as HTTP/1.1, and HTTP/1.1 responses on the way back. */

export const cases: readonly Case[] = [
  {
    id: "http1/proxy-h2-cookie-crumbs",
    spec: "rfc9113#8.2.3",
    covers: ["rfc9113#8.2.3/joined", "rfc9113#8.2.3/crumbs"],
    level: "MUST",
    title: "The proxy joins several cookie fields into one, separated by a semicolon and a space.",
    ...exchange(http2(get(["cookie", "a=1"], ["x-field", "x"], ["cookie", "b=2"], ["cookie", "c=3; d=4"]))),
    allowed: [{ see: forwarded({ fields: [{ name: "Cookie", value: "a=1; b=2; c=3; d=4", joined: true }] }) }],
  },
  {
    id: "http1/proxy-h2-without-content",
    spec: "rfc9113#8.1",
    covers: ["rfc9113#8.1/message-sequence", "rfc9112#6/request-signalled"],
    level: "MUST",
    title: "The proxy forwards no content with a GET that ends in its header section.",
    ...exchange(http2(get(["te", "trailers"]))),
    allowed: [{ see: forwarded({ method: "GET", body: "", version: "HTTP/1.1" }) }],
  },
  {
    id: "http1/proxy-h2-content-framed",
    spec: "rfc9113#8.1",
    covers: ["rfc9113#8.1/no-chunked", "rfc9112#6/request-signalled"],
    level: "MUST",
    title: "The proxy forwards content without a length complete, with HTTP/1.1 framing.",
    ...exchange(http2(post(), partialData("0\r\n\r\n"), partialData("GET / HTTP/1.1\r\n"), data("\r\n"))),
    allowed: [{ see: all(ok, requests(1), atOrigin({ method: "POST", body: "0\r\n\r\nGET / HTTP/1.1\r\n\r\n" }), unambiguous) }],
  },
  {
    id: "http1/proxy-h2-content-with-length",
    spec: "rfc9113#8.1.1",
    covers: ["rfc9113#8.1.1/content-length", "rfc9110#2.4/semantics"],
    level: "MUST",
    title: "The proxy forwards content with its length complete.",
    ...exchange(http2(post(["content-length", "256"]), partialData(""), data(HIDDEN))),
    allowed: [{ see: all(ok, requests(1), atOrigin({ body: HIDDEN }), unambiguous) }],
  },
  {
    id: "http1/proxy-h2-trailers",
    spec: "rfc9113#8.1",
    covers: ["rfc9113#8.1/message-sequence", "rfc9110#6.5.1/not-merged"],
    level: "MUST",
    title: "The proxy forwards the trailers of a request after its content or not at all.",
    ...exchange(http2(post(), partialData("hello"), headers([["x-trailer", "a"]]))),
    allowed: [{ see: all(ok, requests(1), atOrigin({ body: "hello" }), not(atOrigin({ fields: [{ name: "x-trailer" }] })), unambiguous) }],
  },
  {
    id: "http1/proxy-h2-head",
    spec: "rfc9113#8.1",
    covers: ["rfc9113#8.1/message-sequence", "rfc9112#6.3/no-body"],
    level: "MUST",
    title: "The proxy ends the stream of a response to HEAD without content, whatever its length.",
    ...exchange(origin(rawResponse("Content-Length: 12345\r\n\r\n")), http2(headers(pseudo("HEAD"))), awaitAnswer),
    allowed: [{ see: all(answer({ status: [200], body: "" }), { see: "not", of: { see: "stream reset", stream: 1 } }) }],
  },
  {
    id: "http1/proxy-h2-via",
    spec: "rfc9110#7.6.3",
    covers: ["rfc9110#7.6.3/received-protocol", "rfc9110#7.6.3/gateway-sends"],
    level: "MUST",
    title: "The proxy states HTTP/2 as the received protocol in Via.",
    ...exchange(http2(get())),
    allowed: [{ see: all(ok, atOrigin({ fields: [{ name: "Via", pattern: "^(HTTP/)?2(\\.0)? \\S+" }] })) }],
  },
  {
    id: "http1/proxy-h2-answer-hop-fields-removed",
    spec: "rfc9113#8.2.2",
    covers: ["rfc9113#8.2.2/intermediary-removes", "rfc9113#8.2.2/not-generated", "rfc9110#7.6.1/named-removed"],
    level: "MUST",
    title: "The proxy does not pass on connection-specific fields of an HTTP/1.1 response to HTTP/2.",
    ...exchange(
      origin(
        rawResponse(
          `Connection: keep-alive, x-hop\r\nX-Hop: a\r\nKeep-Alive: timeout=5\r\nProxy-Connection: keep-alive\r\nUpgrade: touchstone/1\r\n${CHUNKED}\r\n\r\n${inChunks("ok")}`,
        ),
      ),
      http2(get()),
      awaitAnswer,
    ),
    allowed: [
      {
        see: answer({
          status: [200],
          body: "ok",
          fields: ["connection", "x-hop", "keep-alive", "proxy-connection", "upgrade", "transfer-encoding"].map((name) => ({
            name,
            absent: true as const,
          })),
        }),
      },
    ],
  },
  {
    id: "http1/proxy-h2-answer-cut-off",
    spec: "rfc9112#8",
    covers: ["rfc9112#8/length-incomplete", "rfc9113#8.1.1/not-accepted"],
    level: "MUST",
    title: "The proxy does not end the stream of a response shorter than its length normally.",
    ...FRONT,
    steps: [origin(rawResponse("Content-Length: 10\r\n\r\nhello"), { close: "end" }), http2(get()), awaitAnswer],
    control: [origin(response("hello")), http2(get()), awaitAnswer],
    allowed: [
      {
        see: any(
          answer({ status: ["5xx"] }),
          all({ see: "stream reset", stream: 1 }, not(ok)),
          all(any({ see: "goaway" }, { see: "connection closed" }), not(ok)),
        ),
      },
    ],
  },
  {
    id: "http1/proxy-h2-answer-without-last-chunk",
    spec: "rfc9112#8",
    covers: ["rfc9112#8/chunked-incomplete"],
    level: "MUST",
    title: "The proxy does not end the stream of a response without its last chunk normally.",
    ...FRONT,
    steps: [origin(rawResponse(`${CHUNKED}\r\n\r\n5\r\nhello\r\n`), { close: "end" }), http2(get()), awaitAnswer],
    control: [origin(response("hello")), http2(get()), awaitAnswer],
    allowed: [
      {
        see: any(
          answer({ status: ["5xx"] }),
          all({ see: "stream reset", stream: 1 }, not(ok)),
          all(any({ see: "goaway" }, { see: "connection closed" }), not(ok)),
        ),
      },
    ],
  },
  {
    id: "http1/proxy-h2-103-forwarded",
    spec: "rfc9110#15.2",
    covers: ["rfc9110#15.2/proxy-forwards", "rfc9113#8.1/interim-responses"],
    level: "MUST",
    title: "The proxy passes on a 103 of the origin to an HTTP/2 client before the final response.",
    ...FRONT,
    steps: [
      origin(`HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n${response("ok")}`, { close: "end" }),
      http2(get()),
      awaitAnswer,
    ],
    control: [origin(response("ok")), http2(get()), awaitAnswer],
    allowed: [{ see: all(answer({ status: [200], body: "ok" }), { see: "interim", status: 103 }) }],
  },
  {
    id: "http1/proxy-h2-no-101",
    spec: "rfc9113#8.6",
    covers: ["rfc9113#8.6/no-101"],
    level: "MUST NOT",
    title: "The proxy does not pass on a 101 of the origin to HTTP/2.",
    ...FRONT,
    steps: [
      origin("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: touchstone/1\r\n\r\n", { close: "end" }),
      http2(get()),
      {
        do: "await",
        see: any(
          answer(),
          { see: "interim", status: 101 },
          { see: "stream reset", stream: 1 },
          { see: "goaway" },
          { see: "connection closed" },
        ),
      },
    ],
    control: [origin(response("ok")), http2(get()), awaitAnswer],
    allowed: [
      { see: answer({ status: ["5xx"] }) },
      permitted(all({ see: "stream reset", stream: 1 }, not({ see: "interim", status: 101 })), "rfc9113#8.1.1"),
      permitted(all(answer({ status: ["2xx"], body: "" }), not({ see: "interim", status: 101 })), "rfc9110#15.6.3", "warn"),
      permitted(all(any({ see: "goaway" }, { see: "connection closed" }), not({ see: "interim", status: 101 })), "rfc9113#5.4.1", "warn"),
    ],
  },
];
