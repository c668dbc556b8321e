import type { Allowed, Case, Outcome, Sight, Text } from "../../vocabulary.ts";
import {
  all,
  answer,
  answers,
  any,
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
  origin,
  permitted,
  rawResponse,
  request,
  response,
  send,
} from "./phrases.ts";

/** RFC 9112, sections 6.3 and 8: how a response of the origin ends, and what the client learns of it. */

const good = response("hello");
/** Nothing that the client got has two readings. */
const clear: Sight = all(holds("unambiguous framing"), holds("chunked syntax"), holds("no octets between responses"));
const through = (body: Text, ...more: readonly Sight[]): Sight => all(answer({ status: [200], body }), clear, ...more);
/** The client can tell that the response is incomplete. */
const cutOff: Sight = all({ see: "connection closed" }, not(answer({ status: [200] })));

type Entry = Pick<Case, "id" | "title" | "covers">;

const framed = ({ wrong, ...entry }: Entry & Pick<Case, "allowed"> & { readonly wrong: Text }): Case => ({
  ...entry,
  spec: "rfc9112#6.3",
  level: "MUST",
  ...answers({ wrong: rawResponse(wrong), right: good, close: "end" }),
});
const badLength = ({
  others = [],
  ...entry
}: Pick<Case, "id" | "title"> & { readonly wrong: Text; readonly others?: readonly Outcome[] }): Case =>
  framed({ ...entry, covers: ["rfc9112#6.3/invalid-length-gateway"], allowed: badGateway(...others) });

/** A response that is cut off. Where its head is already forwarded, the proxy closes the connection inside the response. */
const broken = ({
  wrong,
  close = "end",
  ...entry
}: Entry & { readonly wrong: Text; readonly close?: "end" | "reset"; readonly allowed?: Allowed }): Case => ({
  spec: "rfc9112#8",
  level: "MUST",
  ...answers({ wrong: rawResponse(wrong), right: good, close }),
  allowed: [{ see: any(answer({ status: ["5xx"] }), cutOff) }],
  ...entry,
});

/** Octets after the end of a response; they answer no request. */
const POISON = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison";
const poisoned = ({
  asked,
  wrong,
  right,
  status,
  ...entry
}: Entry & { readonly asked: Text; readonly wrong: Text; readonly right: Text; readonly status: 200 | 204 | 304 }): Case => ({
  ...entry,
  spec: "rfc9112#6.3",
  level: "MUST NOT",
  ...answers({ wrong, right, asked }),
  allowed: [
    { see: all(answer({ status: [status] }), { see: "all answered", responses: 2 }, holds("no octets between responses")) },
    permitted(all(answer({ status: [status] }), { see: "closed after", responses: 1 }), "rfc9112#9.5"),
    permitted(answer({ status: [502] }), "rfc9110#15.6.3"),
  ],
});

export const cases: readonly Case[] = [
  framed({
    id: "http1/proxy-answer-te-cl",
    title: "The proxy answers 502 for a response with Transfer-Encoding and Content-Length, or passes it on without the length.",
    covers: ["rfc9112#6.3/forward-without-length", "rfc9112#6.3/coding-overrides-length"],
    wrong: `Content-Length: 3\r\n${CHUNKED}\r\n\r\n${inChunks("hello")}`,
    allowed: [{ see: through("hello") }, permitted(answer({ status: [502] }), "rfc9112#6.3")],
  }),
  framed({
    id: "http1/proxy-answer-chunks",
    title: "The proxy passes on the same content for a chunked response.",
    covers: ["rfc9112#6.3/chunked", "rfc9112#7.1/decode"],
    wrong: `${CHUNKED}\r\n\r\n3;a=b\r\nhel\r\n02\r\nlo\r\n000\r\n\r\n`,
    allowed: [{ see: through("hello") }],
  }),
  framed({
    id: "http1/proxy-answer-until-close",
    title: "The proxy passes on all of a response that ends with its connection.",
    covers: ["rfc9112#6.3/until-close", "rfc9112#8/close-complete"],
    wrong: "Content-Type: text/plain\r\n\r\nhello",
    allowed: [{ see: through("hello") }],
  }),
  {
    id: "http1/proxy-answer-in-http10",
    spec: "rfc9112#2.3",
    covers: ["rfc9112#2.3/own-version", "rfc9112#6.3/until-close"],
    level: "MUST",
    title: "The proxy passes on an HTTP/1.0 response in its own version.",
    ...answers({ wrong: "HTTP/1.0 200 OK\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\n\r\nhello", right: good, close: "end" }),
    allowed: [{ see: through("hello", answer({ version: "HTTP/1.1" })) }],
  },
  framed({
    id: "http1/proxy-answer-without-content",
    title: "The proxy passes on an empty response.",
    covers: ["rfc9112#6.3/length"],
    wrong: "Content-Length: 0\r\n\r\n",
    allowed: [{ see: through("") }],
  }),
  badLength({
    id: "http1/proxy-answer-cl-cl",
    title: "The proxy answers 502 for a response with two different lengths.",
    wrong: "Content-Length: 5\r\nContent-Length: 3\r\n\r\nhello",
  }),
  badLength({
    id: "http1/proxy-answer-cl-list-differing",
    title: "The proxy answers 502 for a response with a list of different lengths.",
    wrong: "Content-Length: 5, 3\r\n\r\nhello",
  }),
  badLength({
    id: "http1/proxy-answer-cl-plus",
    title: "The proxy answers 502 for a response length with a plus sign.",
    wrong: "Content-Length: +5\r\n\r\nhello",
  }),
  badLength({
    id: "http1/proxy-answer-cl-minus",
    title: "The proxy answers 502 for a negative response length.",
    wrong: "Content-Length: -5\r\n\r\nhello",
  }),
  badLength({
    id: "http1/proxy-answer-cl-letters",
    title: "The proxy answers 502 for a response length with a letter.",
    wrong: "Content-Length: 5a\r\n\r\nhello",
  }),
  badLength({
    id: "http1/proxy-answer-cl-overflow",
    title: "The proxy answers 502 for a response length beyond 64 bits.",
    wrong: "Content-Length: 18446744073709551621\r\n\r\nhello",
  }),
  badLength({
    id: "http1/proxy-answer-cl-repeated",
    title: "The proxy answers 502 for a response with a repeated length, or passes it on with one.",
    wrong: "Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello",
    others: [permitted(through("hello"), "rfc9112#6.3")],
  }),
  broken({
    id: "http1/proxy-answer-short",
    title: "The proxy does not complete a response shorter than its length for the client.",
    covers: ["rfc9112#8/length-incomplete", "rfc9112#6.3/short"],
    wrong: "Content-Length: 10\r\n\r\nhello",
  }),
  broken({
    id: "http1/proxy-answer-short-by-reset",
    title: "The proxy does not complete a response that a reset cuts off.",
    covers: ["rfc9112#8/length-incomplete", "rfc9112#6.3/short"],
    wrong: "Content-Length: 10\r\n\r\nhello",
    close: "reset",
  }),
  broken({
    id: "http1/proxy-answer-without-last-chunk",
    title: "The proxy does not complete a response without its last chunk.",
    covers: ["rfc9112#8/chunked-incomplete"],
    wrong: `${CHUNKED}\r\n\r\n5\r\nhello\r\n`,
  }),
  broken({
    id: "http1/proxy-answer-chunk-cut",
    title: "The proxy does not complete a response that ends inside a chunk.",
    covers: ["rfc9112#8/chunked-incomplete"],
    wrong: `${CHUNKED}\r\n\r\na\r\nhello`,
  }),
  broken({
    id: "http1/proxy-answer-trailers-cut",
    title: "The proxy does not complete a response that ends after the size of its last chunk.",
    covers: ["rfc9112#8/chunked-incomplete"],
    wrong: `${CHUNKED}\r\n\r\n5\r\nhello\r\n0\r\n`,
  }),
  broken({
    id: "http1/proxy-answer-chunk-size-no-number",
    title: "The proxy does not complete a response with an invalid chunk size.",
    covers: ["rfc9112#7.1/grammar", "rfc9112#8/recorded-undecodable"],
    wrong: `${CHUNKED}\r\n\r\n5\r\nhello\r\nxyz\r\n\r\n`,
  }),
  broken({
    id: "http1/proxy-answer-chunk-size-overflow",
    title: "The proxy does not complete a response with a chunk size beyond 64 bits.",
    covers: ["rfc9112#7.1/large-sizes", "rfc9112#8/recorded-undecodable"],
    wrong: `${CHUNKED}\r\n\r\n10000000000000005\r\nhello\r\n0\r\n\r\n`,
  }),
  broken({
    id: "http1/proxy-answer-chunk-longer",
    title: "The proxy does not complete a response with a chunk longer than its size.",
    covers: ["rfc9112#7.1/grammar", "rfc9112#8/recorded-undecodable"],
    wrong: `${CHUNKED}\r\n\r\n5\r\nhelloworld\r\n0\r\n\r\n`,
  }),
  broken({
    id: "http1/proxy-answer-head-cut",
    title: "The proxy answers 502 for a response that ends inside its header section.",
    covers: ["rfc9112#8/header-cut"],
    wrong: "Content-Length: 5\r\nX-Cut: off",
    allowed: badGateway(),
  }),
  {
    id: "http1/proxy-answer-missing",
    spec: "rfc9110#15.6.3",
    covers: ["rfc9110#15.6.3/bad-gateway"],
    level: "SHOULD",
    title: "The proxy answers 502 if the origin closes without a response.",
    ...answers({ wrong: "", right: good, close: "end" }),
    allowed: badGateway(),
  },
  {
    id: "http1/proxy-answer-to-head",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/no-body", "rfc9110#9.3.2/no-content", "rfc9110#8.6/head-equals-get"],
    level: "MUST",
    title: "The proxy passes on a response to HEAD with the length of GET and no content, and answers what follows.",
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
    title: "The proxy passes on no content in a response to HEAD with Transfer-Encoding: chunked.",
    ...answers({ wrong: rawResponse(`${CHUNKED}\r\n\r\n`), right: rawResponse("Content-Length: 5\r\n\r\n"), asked: request("HEAD") }),
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
    title: "The proxy passes on a 204 without content and answers what follows.",
    ...exchange(origin(head("HTTP/1.1 204 No Content", "Date: Thu, 01 Jan 2026 00:00:00 GMT")), send(get()), awaitAnswer),
    allowed: [{ see: all(answer({ status: [204] }), clear, holds("no framing fields without content")) }],
  },
  {
    id: "http1/proxy-answer-304",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/no-body", "rfc9110#15.4.5/no-content"],
    level: "MUST",
    title: "The proxy passes on a 304 with the length of the 200 but without content, and answers what follows.",
    ...exchange(
      origin(head("HTTP/1.1 304 Not Modified", "Date: Thu, 01 Jan 2026 00:00:00 GMT", 'ETag: "a"', "Content-Length: 12345")),
      send(get('If-None-Match: "a"')),
      awaitAnswer,
    ),
    allowed: [{ see: all(answer({ status: [304], fields: [{ name: "ETag", value: '"a"' }] }), clear) }],
  },
  poisoned({
    id: "http1/proxy-answer-octets-behind",
    title: "The proxy does not use octets after a response as the response to the next request.",
    covers: ["rfc9112#6.3/extra-data-no-response", "rfc9112#9.2/unasked"],
    asked: get(),
    wrong: `${good}${POISON}`,
    right: good,
    status: 200,
  }),
  poisoned({
    id: "http1/proxy-answer-to-head-with-content",
    title: "The proxy does not use content after a response to HEAD as the response to the next request.",
    covers: ["rfc9112#6.3/no-body", "rfc9112#6.3/extra-data-no-response"],
    asked: request("HEAD"),
    wrong: rawResponse(`Content-Length: ${POISON.length}\r\n\r\n${POISON}`),
    right: rawResponse("Content-Length: 5\r\n\r\n"),
    status: 200,
  }),
  poisoned({
    id: "http1/proxy-answer-204-with-content",
    title: "The proxy does not use content after a 204 as the response to the next request.",
    covers: ["rfc9112#6.3/no-body", "rfc9112#6.3/extra-data-no-response"],
    asked: get(),
    wrong: `${head("HTTP/1.1 204 No Content", `Content-Length: ${POISON.length}`)}${POISON}`,
    right: head("HTTP/1.1 204 No Content"),
    status: 204,
  }),
  poisoned({
    id: "http1/proxy-answer-304-with-content",
    title: "The proxy does not use content after a 304 as the response to the next request.",
    covers: ["rfc9112#6.3/no-body", "rfc9112#6.3/extra-data-no-response"],
    asked: get('If-None-Match: "a"'),
    wrong: `${head("HTTP/1.1 304 Not Modified", 'ETag: "a"', `Content-Length: ${POISON.length}`)}${POISON}`,
    right: head("HTTP/1.1 304 Not Modified", 'ETag: "a"'),
    status: 304,
  }),
  {
    id: "http1/proxy-answer-chunks-to-http10",
    spec: "rfc9112#6.1",
    covers: ["rfc9112#6.1/no-coding-to-1.0"],
    level: "MUST NOT",
    title: "The proxy passes on a chunked response to an HTTP/1.0 client without chunks.",
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
    title: "The proxy passes on a response of 200,000 octets complete.",
    ...exchange(origin(response("0123456789".repeat(20_000))), send(get()), awaitAnswer),
    allowed: [{ see: all(ok, answer({ bodyPattern: "^(0123456789){20000}$" })) }],
  },
];
