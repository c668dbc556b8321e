import { answered, awaitResponse, get, head, likePath, permitted, post, request, send, served, servedWith } from "../phrases.ts";
import type { Case, Step, Text } from "../../vocabulary.ts";

/**
 * RFC 9112, sections 2.2, 3 and 9.3: what a server notes about one message must not count for the next, and where a message is cut between
 * two reads must not change how the rest of it is read.
 */

/** As many as a server that counts over a whole connection would not accept. */
const MANY = 40;
/** More than any usual limit for a line. */
const LONG: Text = "touchstone".repeat(4_000);

/** So that a server reads two writes one by one, also on a busy machine. */
const APART: Step = { do: "wait", ms: 30 };

type Cut = Pick<Case, "id" | "title"> & { readonly at: string };
const echo = (content: Text): Text =>
  `${head("POST {echo} HTTP/1.1", "Host: {authority}", `Content-Length: ${content.length}`, "X-Odd: 1")}${content}`;
const whole = echo(LONG);
/** The message in two writes, the second of which also has all of the content. */
const inTwo = ({ at, ...it }: Cut): Case => {
  const place = whole.indexOf(at) + at.length;
  const steps: readonly Step[] = [send(whole.slice(0, place)), APART, send(whole.slice(place))];
  return {
    ...it,
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/length"],
    level: "MUST",
    role: "server",
    needs: ["echo"],
    steps,
    control: [send(echo("hello"))],
    allowed: [
      // The echo shows that the server did not answer before it had read the content: it need not read the rest then.
      { see: servedWith(2, answered(1, { body: LONG })) },
      permitted({ see: "response", status: [413] }, "rfc9110#15.5.14"),
    ],
  };
};

export const cases: readonly Case[] = [
  inTwo({
    id: "http1/request-line-cut-before-long-content",
    title: "The server reads a request line in two parts, the second together with long content.",
    at: "POST {echo} HT",
  }),
  inTwo({
    id: "http1/method-cut-before-long-content",
    title: "The server reads a method in two parts, the second together with long content.",
    at: "PO",
  }),
  inTwo({
    id: "http1/field-cut-before-long-content",
    title: "The server reads a field line in two parts, the second together with long content.",
    at: "X-Odd",
  }),
  inTwo({
    id: "http1/line-end-cut-before-long-content",
    title: "The server reads the end of a field line in two parts, the second together with long content.",
    at: "X-Odd: 1\r",
  }),
  inTwo({
    id: "http1/head-end-cut-before-long-content",
    title: "The server reads the end of a head in two parts, the second together with long content.",
    at: "X-Odd: 1\r\n\r",
  }),
  {
    id: "http1/unmeasured-response-to-old-keep-alive",
    spec: "rfc9112#6.1",
    covers: ["rfc9112#6.1/no-coding-to-1.0"],
    level: "MUST NOT",
    role: "server",
    needs: ["chunked"],
    fence: "none",
    title: "The server ends a response of unknown length to HTTP/1.0 by closing, also where the client asked it to keep the connection.",
    steps: [send(head("GET {chunked} HTTP/1.0", "Host: {authority}", "Connection: keep-alive"))],
    control: [send(head("GET {chunked} HTTP/1.1", "Host: {authority}", "Connection: close"))],
    allowed: [
      { see: answered(1, { framing: "close" }) },
      permitted(answered(1, { framing: "length" }), "rfc9112#6.3"),
      permitted(answered(1, { framing: "none" }), "rfc9112#6.3"),
    ],
  },
  {
    id: "http1/empty-line-octet-by-octet",
    spec: "rfc9112#2.2",
    covers: ["rfc9112#2.2/empty-line-before"],
    level: "SHOULD",
    role: "server",
    title: "The server ignores an empty line before the request line whose CR and LF arrive apart.",
    steps: [send("\r"), APART, send("\n"), APART, send(get())],
    control: [send(get())],
    allowed: [{ see: servedWith(2, likePath()) }],
  },
  {
    id: "http1/empty-line-before-each-of-many",
    spec: "rfc9112#2.2",
    covers: ["rfc9112#2.2/empty-line-before"],
    level: "SHOULD",
    role: "server",
    needs: ["pipelining"],
    title: "The server ignores an empty line before each of many requests: it does not count them over the connection.",
    steps: [{ do: "repeat", text: `\r\n${get()}`, times: MANY }],
    control: [{ do: "repeat", text: get(), times: MANY }],
    allowed: [{ see: served(MANY + 1) }],
  },
  {
    id: "http1/empty-line-behind-each-post",
    spec: "rfc9112#2.2",
    covers: ["rfc9112#2.2/empty-line-before"],
    level: "SHOULD",
    role: "server",
    needs: ["post", "pipelining"],
    title: "The server ignores the extra CRLF that old clients send after each of many POST requests.",
    steps: [{ do: "repeat", text: `${post("name=value")}\r\n`, times: MANY }],
    control: [{ do: "repeat", text: post("name=value"), times: MANY }],
    allowed: [{ see: served(MANY + 1) }],
  },
  {
    id: "http1/fields-of-many-requests",
    spec: "rfc9112#9.3",
    covers: ["rfc9112#9.3/1.1-persists"],
    level: "SHOULD",
    role: "server",
    needs: ["pipelining"],
    title: "The server does not count fields and their octets over a connection.",
    steps: [{ do: "repeat", text: get(...Array.from({ length: 20 }, (_, at) => `X-Odd-${at}: ${"a".repeat(40)}`)), times: MANY }],
    control: [{ do: "repeat", text: get(), times: MANY }],
    allowed: [{ see: served(MANY + 1) }],
  },
  {
    id: "http1/refusal-behind-head-request",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#2.2/no-match"],
    level: "SHOULD",
    role: "server",
    needs: ["head", "keep-alive"],
    title: "The server answers octets after a HEAD request that are not a request with a whole response, as they are not a HEAD request.",
    steps: [send(request("HEAD")), awaitResponse(), send(head("(no) request", "Host: {authority}"))],
    control: [send(request("HEAD")), awaitResponse(), send(get())],
    allowed: [
      { see: { see: "all", of: [likePath(1), answered(2, { status: [400] }), { see: "error and close", nth: 2, status: [400] }] } },
      permitted({ see: "all", of: [likePath(1), answered(2, { status: ["4xx", 501, 505] })] }, "rfc9112#2.2", "warn"),
      permitted({ see: "closed after", responses: 1 }, "rfc9112#9.5", "warn"),
    ],
  },
];
