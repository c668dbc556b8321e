import type { Case, Text } from "../../vocabulary.ts";
import {
  all,
  answer,
  answers,
  atOrigin,
  awaitAnswer,
  CHUNKED,
  exchange,
  get,
  goodChunks,
  holds,
  inChunks,
  not,
  notForwarded,
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

/** RFC 9110, section 6.5, and RFC 9112, section 7.1.2: a proxy forwards trailers as trailers or not at all. */

const trailer = (line: Text): Text => postOf(inChunks("hello", `${line}\r\n`), CHUNKED);
/** A trailer field that must never count as a header field. */
const notMerged = ({
  line,
  name,
  pattern,
  ...entry
}: Pick<Case, "id" | "title"> & { readonly line: Text; readonly name: string; readonly pattern: string }): Case => ({
  ...entry,
  spec: "rfc9110#6.5.1",
  covers: ["rfc9110#6.5.1/not-merged", "rfc9112#7.1.2/not-merged"],
  level: "MUST NOT",
  ...texts({ wrong: trailer(line), right: goodChunks }),
  allowed: [
    { see: all(ok, requests(1), atOrigin({ body: "hello" }), not(atOrigin({ fields: [{ name, pattern }] })), unambiguous) },
    permitted(all({ see: "error and close" }, notForwarded), "rfc9110#15.5.1"),
    permitted(all({ see: "error and keep-alive" }, notForwarded), "rfc9110#15.5.1"),
  ],
});

export const cases: readonly Case[] = [
  {
    id: "http1/proxy-trailers-of-request",
    spec: "rfc9112#7.1.2",
    covers: ["rfc9112#7.1.2/kept-or-dropped", "rfc9112#7.1.2/separate"],
    level: "MUST",
    title: "The proxy forwards a request with trailers as one request, with the trailers after it or dropped.",
    ...exchange(send(postOf(inChunks("hello", "X-Trailer: a\r\n"), CHUNKED, "Trailer: X-Trailer"))),
    allowed: [{ see: all(ok, requests(1), atOrigin({ body: "hello" }), not(atOrigin({ fields: [{ name: "X-Trailer" }] })), unambiguous) }],
  },
  notMerged({
    id: "http1/proxy-trailer-length",
    title: "The proxy does not use Content-Length from the trailers of a request.",
    line: "Content-Length: 3",
    name: "Content-Length",
    pattern: "^3$",
  }),
  notMerged({
    id: "http1/proxy-trailer-coding",
    title: "The proxy does not use Transfer-Encoding from the trailers of a request.",
    line: "Transfer-Encoding: gzip",
    name: "Transfer-Encoding",
    pattern: "gzip",
  }),
  notMerged({
    id: "http1/proxy-trailer-host",
    title: "The proxy does not route by Host from the trailers of a request.",
    line: "Host: touchstone.example",
    name: "Host",
    pattern: "touchstone\\.example",
  }),
  notMerged({
    id: "http1/proxy-trailer-authorization",
    title: "The proxy does not forward Authorization from the trailers of a request as a header field.",
    line: "Authorization: Basic YTpi",
    name: "Authorization",
    pattern: "YTpi",
  }),
  {
    id: "http1/proxy-trailers-of-answer",
    spec: "rfc9110#6.5.1",
    covers: ["rfc9110#6.5.1/not-merged", "rfc9110#6.5/separate", "rfc9112#7.1.2/kept-or-dropped"],
    level: "MUST NOT",
    title: "The proxy passes on the trailers of a response after its content or not at all.",
    ...exchange(
      origin(rawResponse(`${CHUNKED}\r\nTrailer: X-Trailer\r\n\r\n${inChunks("hello", "X-Trailer: a\r\n")}`)),
      send(get("TE: trailers", "Connection: TE")),
      awaitAnswer,
    ),
    allowed: [
      { see: all(answer({ status: [200], body: "hello", fields: [{ name: "X-Trailer", absent: true }] }), holds("chunked syntax")) },
    ],
  },
  {
    id: "http1/proxy-trailer-of-answer-sets-cookie",
    spec: "rfc9110#6.5.1",
    covers: ["rfc9110#6.5.1/not-merged"],
    level: "MUST NOT",
    title: "The proxy does not pass on Set-Cookie from the trailers of a response as a header field.",
    ...answers({ wrong: rawResponse(`${CHUNKED}\r\n\r\n${inChunks("hello", "Set-Cookie: a=b\r\n")}`), right: response("hello") }),
    allowed: [
      { see: answer({ status: [200], body: "hello", fields: [{ name: "Set-Cookie", absent: true }] }) },
      permitted(not(answer({ status: [200] })), "rfc9110#15.6.3"),
    ],
  },
  {
    id: "http1/proxy-trailers-to-http10",
    spec: "rfc9112#6.1",
    covers: ["rfc9112#6.1/no-coding-to-1.0", "rfc9112#7.1.2/not-merged"],
    level: "MUST NOT",
    title: "The proxy passes on a response with trailers to an HTTP/1.0 client without chunks, and without trailers in its header section.",
    ...exchange(
      origin(rawResponse(`${CHUNKED}\r\n\r\n${inChunks("hello", "X-Trailer: a\r\n")}`)),
      send("GET {path} HTTP/1.0\r\nHost: {authority}\r\n\r\n"),
      awaitAnswer,
    ),
    allowed: [
      {
        see: all(
          answer({ status: [200], body: "hello", fields: [{ name: "X-Trailer", absent: true }] }),
          holds("no Transfer-Encoding to HTTP/1.0"),
        ),
      },
    ],
  },
];
