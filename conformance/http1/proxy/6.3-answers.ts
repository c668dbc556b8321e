import type { Case, Outcome, Sight, Text } from "../vocabulary.ts";
import {
  all,
  answer,
  answers,
  awaitAnswer,
  badGateway,
  CHUNKED,
  exchange,
  get,
  head,
  holds,
  inChunks,
  not,
  ok,
  permitted,
  rawResponse,
  request,
  response,
  send,
  any,
  origin,
  type Allowed,
} from "./phrases.ts";

/** RFC 9112, sections 6.3 and 8: how an answer of the origin ends, and what the client is told of it. */

const good = response("hello");
/** Nothing that the client got has two readings. */
const clear: Sight = all(holds("unambiguous framing"), holds("chunked syntax"), holds("no octets between responses"));
const through = (body: Text, ...more: readonly Sight[]): Sight => all(answer({ status: [200], body }), clear, ...more);
/** The client can tell that the answer is not whole. */
const cutOff: Sight = all({ see: "connection closed" }, not(answer({ status: [200] })));

const framed = (id: Case["id"], title: string, covers: Case["covers"], wrong: Text, ...allowed: Allowed): Case => ({
  id,
  spec: "rfc9112#6.3",
  covers,
  level: "MUST",
  title,
  ...answers(rawResponse(wrong), good, { close: "end" }),
  allowed,
});
const badLength = (id: Case["id"], title: string, wrong: Text, ...others: readonly Outcome[]): Case =>
  framed(id, title, ["rfc9112#6.3/invalid-length-gateway"], wrong, ...badGateway(...others));

/** An answer that breaks off: where the head is gone already, the end of the connection inside the answer tells of it. */
const broken = (id: Case["id"], title: string, covers: Case["covers"], wrong: Text, close: "end" | "reset" = "end"): Case => ({
  id,
  spec: "rfc9112#8",
  covers,
  level: "MUST",
  title,
  ...answers(rawResponse(wrong), good, { close }),
  allowed: [{ see: any(answer({ status: ["5xx"] }), cutOff) }],
});

/** Octets behind the end of an answer, which are the answer to nothing. */
const POISON = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison";
const poisoned = (
  id: Case["id"],
  title: string,
  covers: Case["covers"],
  asked: Text,
  wrong: Text,
  right: Text,
  status: 200 | 204 | 304,
): Case => ({
  id,
  spec: "rfc9112#6.3",
  covers,
  level: "MUST NOT",
  title,
  ...answers(wrong, right, { asked }),
  allowed: [
    { see: all(answer({ status: [status] }), { see: "all answered", responses: 2 }, holds("no octets between responses")) },
    permitted(all(answer({ status: [status] }), { see: "closed after", responses: 1 }), "rfc9112#9.5"),
    permitted(answer({ status: [502] }), "rfc9110#15.6.3"),
  ],
});

export const cases: readonly Case[] = [
  framed(
    "http1/proxy-answer-te-cl",
    "An answer with Transfer-Encoding and Content-Length is refused, or goes on without the length.",
    ["rfc9112#6.3/forward-without-length", "rfc9112#6.3/coding-overrides-length"],
    `Content-Length: 3\r\n${CHUNKED}\r\n\r\n${inChunks("hello")}`,
    { see: through("hello") },
    permitted(answer({ status: [502] }), "rfc9112#6.3"),
  ),
  framed(
    "http1/proxy-answer-chunks",
    "An answer in chunks comes through as the same content.",
    ["rfc9112#6.3/chunked", "rfc9112#7.1/decode"],
    `${CHUNKED}\r\n\r\n3;a=b\r\nhel\r\n02\r\nlo\r\n000\r\n\r\n`,
    { see: through("hello") },
  ),
  framed(
    "http1/proxy-answer-until-close",
    "An answer that ends with its connection comes through whole.",
    ["rfc9112#6.3/until-close", "rfc9112#8/close-complete"],
    "Content-Type: text/plain\r\n\r\nhello",
    { see: through("hello") },
  ),
  {
    id: "http1/proxy-answer-in-http10",
    spec: "rfc9112#2.3",
    covers: ["rfc9112#2.3/own-version", "rfc9112#6.3/until-close"],
    level: "MUST",
    title: "An answer of HTTP/1.0 comes through in the version of the proxy.",
    ...answers("HTTP/1.0 200 OK\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\n\r\nhello", good, { close: "end" }),
    allowed: [{ see: through("hello", answer({ version: "HTTP/1.1" })) }],
  },
  framed(
    "http1/proxy-answer-without-content",
    "An answer of no octets comes through as one.",
    ["rfc9112#6.3/length"],
    "Content-Length: 0\r\n\r\n",
    { see: through("") },
  ),
  badLength(
    "http1/proxy-answer-cl-cl",
    "An answer with two lengths that differ is a bad gateway.",
    "Content-Length: 5\r\nContent-Length: 3\r\n\r\nhello",
  ),
  badLength(
    "http1/proxy-answer-cl-list-differing",
    "An answer with a list of lengths that differ is a bad gateway.",
    "Content-Length: 5, 3\r\n\r\nhello",
  ),
  badLength("http1/proxy-answer-cl-plus", "An answer whose length has a plus is a bad gateway.", "Content-Length: +5\r\n\r\nhello"),
  badLength("http1/proxy-answer-cl-minus", "An answer with a negative length is a bad gateway.", "Content-Length: -5\r\n\r\nhello"),
  badLength("http1/proxy-answer-cl-letters", "An answer whose length has a letter is a bad gateway.", "Content-Length: 5a\r\n\r\nhello"),
  badLength(
    "http1/proxy-answer-cl-overflow",
    "An answer whose length is beyond 64 bits is a bad gateway.",
    "Content-Length: 18446744073709551621\r\n\r\nhello",
  ),
  badLength(
    "http1/proxy-answer-cl-repeated",
    "An answer that says its length twice is a bad gateway, or goes on with one.",
    "Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello",
    permitted(through("hello"), "rfc9112#6.3"),
  ),
  broken(
    "http1/proxy-answer-short",
    "An answer shorter than its length is not made whole for the client.",
    ["rfc9112#8/length-incomplete", "rfc9112#6.3/short"],
    "Content-Length: 10\r\n\r\nhello",
  ),
  broken(
    "http1/proxy-answer-short-by-reset",
    "An answer that a reset cuts off is not made whole for the client.",
    ["rfc9112#8/length-incomplete", "rfc9112#6.3/short"],
    "Content-Length: 10\r\n\r\nhello",
    "reset",
  ),
  broken(
    "http1/proxy-answer-without-last-chunk",
    "An answer without its last chunk is not made whole for the client.",
    ["rfc9112#8/chunked-incomplete"],
    `${CHUNKED}\r\n\r\n5\r\nhello\r\n`,
  ),
  broken(
    "http1/proxy-answer-chunk-cut",
    "An answer that ends inside a chunk is not made whole for the client.",
    ["rfc9112#8/chunked-incomplete"],
    `${CHUNKED}\r\n\r\na\r\nhello`,
  ),
  broken(
    "http1/proxy-answer-trailers-cut",
    "An answer that ends behind the size of its last chunk is not made whole for the client.",
    ["rfc9112#8/chunked-incomplete"],
    `${CHUNKED}\r\n\r\n5\r\nhello\r\n0\r\n`,
  ),
  broken(
    "http1/proxy-answer-chunk-size-no-number",
    "An answer with a chunk size that is no number is not made whole for the client.",
    ["rfc9112#7.1/grammar", "rfc9112#8/recorded"],
    `${CHUNKED}\r\n\r\n5\r\nhello\r\nxyz\r\n\r\n`,
  ),
  broken(
    "http1/proxy-answer-chunk-size-overflow",
    "An answer with a chunk size beyond 64 bits is not made whole for the client.",
    ["rfc9112#7.1/large-sizes", "rfc9112#8/recorded"],
    `${CHUNKED}\r\n\r\n10000000000000005\r\nhello\r\n0\r\n\r\n`,
  ),
  broken(
    "http1/proxy-answer-chunk-longer",
    "An answer with a chunk longer than its size is not made whole for the client.",
    ["rfc9112#7.1/grammar", "rfc9112#8/recorded"],
    `${CHUNKED}\r\n\r\n5\r\nhelloworld\r\n0\r\n\r\n`,
  ),
  {
    ...broken(
      "http1/proxy-answer-head-cut",
      "An answer that ends inside its header section is none.",
      ["rfc9112#8/header-cut"],
      "Content-Length: 5\r\nX-Cut: off",
    ),
    allowed: badGateway(),
  },
  {
    id: "http1/proxy-answer-missing",
    spec: "rfc9110#15.6.3",
    covers: ["rfc9110#15.6.3/bad-gateway"],
    level: "SHOULD",
    title: "An origin that closes without an answer is a bad gateway.",
    ...answers("", good, { close: "end" }),
    allowed: badGateway(),
  },
  {
    id: "http1/proxy-answer-to-head",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/no-body", "rfc9110#9.3.2/no-content", "rfc9110#8.6/head-equals-get"],
    level: "MUST",
    title: "The answer to HEAD has the length of GET and no content, and what follows is answered.",
    ...exchange(origin(rawResponse("Content-Length: 12345\r\n\r\n")), send(request("HEAD")), awaitAnswer),
    allowed: [
      { see: all(answer({ status: [200], framing: "none", fields: [{ name: "Content-Length", value: "12345" }] }), clear) },
      permitted(all(answer({ status: [200], framing: "none", fields: [{ name: "Content-Length", absent: true }] }), clear), "rfc9110#8.6"),
    ],
  },
  {
    id: "http1/proxy-answer-to-head-in-chunks",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/no-body", "rfc9112#6.1/in-head-response"],
    level: "MUST",
    title: "The answer to HEAD has no content, though it says that GET's comes in chunks.",
    ...answers(rawResponse(`${CHUNKED}\r\n\r\n`), rawResponse("Content-Length: 5\r\n\r\n"), { asked: request("HEAD") }),
    allowed: [
      { see: all(answer({ status: [200] }), clear, { see: "all answered", responses: 2 }) },
      permitted(all(answer({ status: [200] }), { see: "closed after", responses: 1 }), "rfc9112#9.5"),
    ],
  },
  {
    id: "http1/proxy-answer-204",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/no-body", "rfc9110#15.3.5/no-content"],
    level: "MUST",
    title: "A 204 comes through without content, and what follows is answered.",
    ...exchange(origin(head("HTTP/1.1 204 No Content", "Date: Thu, 01 Jan 2026 00:00:00 GMT")), send(get()), awaitAnswer),
    allowed: [{ see: all(answer({ status: [204] }), clear, holds("no framing fields without content")) }],
  },
  {
    id: "http1/proxy-answer-304",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/no-body", "rfc9110#15.4.5/no-content"],
    level: "MUST",
    title: "A 304 with the length of the 200 comes through without content, and what follows is answered.",
    ...exchange(
      origin(head("HTTP/1.1 304 Not Modified", "Date: Thu, 01 Jan 2026 00:00:00 GMT", 'ETag: "a"', "Content-Length: 12345")),
      send(get('If-None-Match: "a"')),
      awaitAnswer,
    ),
    allowed: [{ see: all(answer({ status: [304], fields: [{ name: "ETag", value: '"a"' }] }), clear) }],
  },
  poisoned(
    "http1/proxy-answer-octets-behind",
    "Octets behind an answer are not the answer to the next request.",
    ["rfc9112#6.3/extra-data-no-response", "rfc9112#9.2/unasked"],
    get(),
    `${good}${POISON}`,
    good,
    200,
  ),
  poisoned(
    "http1/proxy-answer-to-head-with-content",
    "Content behind the answer to HEAD is not the answer to the next request.",
    ["rfc9112#6.3/no-body", "rfc9112#6.3/extra-data-no-response"],
    request("HEAD"),
    rawResponse(`Content-Length: ${POISON.length}\r\n\r\n${POISON}`),
    rawResponse("Content-Length: 5\r\n\r\n"),
    200,
  ),
  poisoned(
    "http1/proxy-answer-204-with-content",
    "Content behind a 204 is not the answer to the next request.",
    ["rfc9112#6.3/no-body", "rfc9112#6.3/extra-data-no-response"],
    get(),
    `${head("HTTP/1.1 204 No Content", `Content-Length: ${POISON.length}`)}${POISON}`,
    head("HTTP/1.1 204 No Content"),
    204,
  ),
  poisoned(
    "http1/proxy-answer-304-with-content",
    "Content behind a 304 is not the answer to the next request.",
    ["rfc9112#6.3/no-body", "rfc9112#6.3/extra-data-no-response"],
    get('If-None-Match: "a"'),
    `${head("HTTP/1.1 304 Not Modified", 'ETag: "a"', `Content-Length: ${POISON.length}`)}${POISON}`,
    head("HTTP/1.1 304 Not Modified", 'ETag: "a"'),
    304,
  ),
  {
    id: "http1/proxy-answer-chunks-to-http10",
    spec: "rfc9112#6.1",
    covers: ["rfc9112#6.1/no-coding-to-1.0"],
    level: "MUST NOT",
    title: "An answer in chunks reaches a client of HTTP/1.0 without them.",
    ...exchange(
      origin(rawResponse(`${CHUNKED}\r\n\r\n${inChunks("hello")}`)),
      send(head("GET {path} HTTP/1.0", "Host: {authority}")),
      awaitAnswer,
    ),
    allowed: [{ see: all(answer({ status: [200], body: "hello" }), holds("no Transfer-Encoding to HTTP/1.0")) }],
  },
  {
    id: "http1/proxy-answer-large",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/length"],
    level: "MUST",
    title: "An answer of 200,000 octets comes through whole.",
    ...exchange(origin(response("0123456789".repeat(20_000))), send(get()), awaitAnswer),
    allowed: [{ see: all(ok, answer({ bodyPattern: "^(0123456789){20000}$" })) }],
  },
];
