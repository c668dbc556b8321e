import {
  awaitResponse,
  accepted,
  answered,
  badRequest,
  type Entry,
  exchanged,
  get,
  head,
  likePath,
  notHttp,
  permitted,
  post,
  refusedWith,
  send,
  servedWith,
  texts,
} from "../phrases.ts";
import type { Case, Text } from "../../vocabulary.ts";

/** RFC 9112, section 2.2: lines, line ends and octets of a request. */

const line = "GET {path} HTTP/1.1";
const host = "Host: {authority}";

/** A line end other than CRLF: the server reads it as one or rejects the request. */
const lineEnd = (id: Case["id"], title: string, text: Text): Case => ({
  id,
  spec: "rfc9112#2.2",
  covers: ["rfc9112#2.2/bare-lf"],
  level: "MAY",
  title,
  ...texts({ wrong: text, right: get("X-Odd: 1") }),
  allowed: [
    { see: servedWith(2, likePath()) },
    permitted(refusedWith([400]), "rfc9112#2.2"),
    permitted({ see: "closed after", responses: 0 }, "rfc9112#9.5", "warn"),
  ],
});

/**
 * A bare CR makes its element invalid, or reads as a space. Either way the line goes on, and what follows the CR is not a field. Without
 * that field the request is invalid for another reason.
 */
const bareCr = ({ text, right, ...entry }: Entry & { readonly text: Text; readonly right: Text }): Case => ({
  spec: "rfc9112#2.2",
  covers: ["rfc9112#2.2/bare-cr"],
  level: "MUST",
  ...texts({ wrong: text, right }),
  allowed: badRequest(),
  ...entry,
});

/** Whitespace before the first field: the server rejects the request or ignores the line (rfc9112#2.2). */
const whiteSpace = ({ text, right, ...entry }: Entry & { readonly text: Text; readonly right: Text }): Case => ({
  spec: "rfc9112#2.2",
  covers: ["rfc9112#2.2/space-before-fields"],
  level: "MUST",
  ...texts({ wrong: text, right }),
  allowed: badRequest(1, permitted(servedWith(2, likePath()), "rfc9112#2.2")),
  ...entry,
});

/** Octets that do not match the grammar of a request. */
const noMessage = ({ text, right = get(), ...entry }: Entry & { readonly text: Text; readonly right?: Text }): Case => ({
  spec: "rfc9112#2.2",
  covers: ["rfc9112#2.2/no-match"],
  level: "SHOULD",
  ...texts({ wrong: text, right }),
  allowed: notHttp(),
  ...entry,
});

export const cases: readonly Case[] = [
  lineEnd(
    "http1/line-feed-after-request-line",
    "The server accepts a bare LF after the request line as its end, or rejects the request.",
    `${line}\n${host}\r\nX-Odd: 1\r\n\r\n`,
  ),
  lineEnd(
    "http1/line-feed-after-field",
    "The server accepts a bare LF after a field line as its end, or rejects the request.",
    `${line}\r\n${host}\r\nX-Odd: 1\n\r\n`,
  ),
  lineEnd(
    "http1/line-feed-after-head",
    "The server accepts a bare LF as the empty line that ends the head, or rejects the request.",
    `${line}\r\n${host}\r\nX-Odd: 1\r\n\n`,
  ),
  lineEnd(
    "http1/line-feeds-only",
    "The server accepts a request whose lines all end in a bare LF, or rejects it.",
    `${line}\n${host}\nX-Odd: 1\n\n`,
  ),
  bareCr({
    id: "http1/carriage-return-is-no-line-end",
    title: "The server does not read what follows a bare CR in a field value as another field.",
    text: `${line}\r\nX-Odd: 1\r${host}\r\n\r\n`,
    right: `${line}\r\nX-Odd: 1\r\n${host}\r\n\r\n`,
  }),
  bareCr({
    id: "http1/carriage-return-ends-no-request-line",
    title: "The server does not read what follows a bare CR in the request line as a field.",
    text: `${line}\r${host}\r\n\r\n`,
    right: get(),
  }),
  bareCr({
    id: "http1/carriage-returns-end-no-head",
    title: "The server does not treat two bare CRs as the end of the head.",
    text: `${line}\r\nX-Odd: 1\r\r${host}\r\n\r\n`,
    right: get("X-Odd: 1"),
  }),
  bareCr({
    id: "http1/carriage-return-in-field-value",
    title: "The server rejects a bare CR in a field value, or reads it as a space.",
    text: get("X-Odd: a\rb"),
    right: get("X-Odd: a b"),
    allowed: badRequest(1, permitted(servedWith(2, likePath()), "rfc9112#2.2")),
  }),
  bareCr({
    id: "http1/carriage-return-in-field-name",
    title: "The server rejects a bare CR in a field name.",
    text: get("X-\rOdd: 1"),
    right: get("X-Odd: 1"),
  }),
  bareCr({
    id: "http1/carriage-return-in-host",
    title: "The server rejects a bare CR in the value of Host.",
    text: head(line, "Host: {authority}\rx"),
    right: get(),
  }),
  {
    id: "http1/empty-line-before-request",
    spec: "rfc9112#2.2",
    covers: ["rfc9112#2.2/empty-line-before"],
    level: "SHOULD",
    title: "The server ignores an empty line before the request line.",
    ...exchanged({ wrong: `\r\n${get()}`, right: get() }),
    allowed: accepted,
  },
  {
    id: "http1/empty-line-after-content",
    spec: "rfc9112#2.2",
    covers: ["rfc9112#2.2/empty-line-before"],
    level: "SHOULD",
    role: "server",
    needs: ["post", "keep-alive"],
    title: "The server ignores the extra CRLF that old clients send after the content of a POST.",
    steps: [send(`${post("name=value")}\r\n${get()}`)],
    control: [send(`${post("name=value")}${get()}`)],
    allowed: [{ see: servedWith(3, likePath(2)) }],
  },
  {
    id: "http1/empty-lines-in-plenty-before-request",
    spec: "rfc9112#2.2",
    covers: ["rfc9112#2.2/empty-line-before"],
    level: "SHOULD",
    title: "The server ignores a hundred empty lines before the request line, or answers 400.",
    ...texts({ wrong: "\r\n".repeat(100) + get(), right: get() }),
    allowed: [
      { see: servedWith(2, likePath()) },
      permitted(refusedWith([400]), "rfc9112#2.2"),
      permitted({ see: "closed after", responses: 0 }, "rfc9112#9.5", "warn"),
    ],
  },
  {
    id: "http1/empty-lines-before-request",
    spec: "rfc9112#2.2",
    covers: ["rfc9112#2.2/empty-line-before"],
    level: "SHOULD",
    title: "The server ignores several empty lines before the request line, or rejects the request.",
    ...texts({ wrong: `\r\n\r\n\r\n${get()}`, right: get() }),
    allowed: [
      { see: servedWith(2, likePath()) },
      permitted(refusedWith([400]), "rfc9112#2.2"),
      permitted({ see: "closed after", responses: 0 }, "rfc9112#9.5", "warn"),
    ],
  },
  whiteSpace({
    id: "http1/white-space-before-only-host",
    title: "The server does not use a Host field that follows the request line with whitespace before it.",
    text: `${line}\r\n ${host}\r\n\r\n`,
    right: get(),
    allowed: badRequest(),
  }),
  whiteSpace({
    id: "http1/white-space-line-before-fields",
    title: "The server rejects a line of whitespace after the request line, or ignores it.",
    text: `${line}\r\n \r\n${host}\r\n\r\n`,
    right: get(),
  }),
  whiteSpace({
    id: "http1/white-space-before-first-field",
    title: "The server rejects whitespace before the first field line, or ignores that line.",
    text: head(line, "\tX-Odd: 1", host),
    right: head(line, "X-Odd: 1", host),
  }),
  whiteSpace({
    id: "http1/white-space-before-content-length",
    title: "The server uses no length from a first line that begins with whitespace: what follows is the next request.",
    text: `${head(line, " Content-Length: 5", host)}${get()}`,
    right: `${get()}${get()}`,
    needs: ["keep-alive"],
    allowed: badRequest(1, permitted(servedWith(3, likePath(1), likePath(2)), "rfc9112#2.2")),
  }),
  noMessage({
    id: "http1/carriage-return-before-request",
    title: "The server rejects a request after a CR that ends no line.",
    text: `\r${get()}`,
  }),
  noMessage({
    id: "http1/carriage-return-behind-empty-line",
    title: "The server rejects a request after an empty line and a CR that ends no line.",
    text: `\r\n\r${get()}`,
  }),
  noMessage({
    id: "http1/no-message",
    title: "The server answers 400 to a line that is not a request line and closes the connection.",
    text: "hello\r\n\r\n",
  }),
  noMessage({
    id: "http1/response-instead-of-request",
    title: "The server answers 400 to a response and closes the connection.",
    text: `HTTP/1.1 200 OK\r\n${host}\r\n\r\n`,
    covers: ["rfc9112#2.1/server-expects-requests", "rfc9112#2.2/no-match"],
  }),
  noMessage({
    id: "http1/tls-instead-of-request",
    title: "The server answers 400 to the start of a TLS handshake on a cleartext port and closes the connection.",
    text: "\x16\x03\x01\x00\x05\x01\x00\x00\x01\x00\r\n\r\n",
    needs: ["clear"],
  }),
  noMessage({
    id: "http1/zero-octets-instead-of-request",
    title: "The server answers 400 to NUL octets and closes the connection.",
    text: `${"\0".repeat(16)}\r\n\r\n`,
  }),
  noMessage({
    id: "http1/field-line-without-colon",
    title: "The server answers 400 to a field line without a colon and closes the connection.",
    text: get("X-Odd"),
    right: get("X-Odd: 1"),
  }),
  {
    id: "http1/octets-beyond-ascii",
    spec: "rfc9112#2.2",
    covers: ["rfc9112#2.2/octets"],
    level: "MUST",
    role: "server",
    title: "The server parses octets, not characters: a CRLF inside what would be a UTF-8 character ends the line.",
    // 0xC4 starts a two-octet character in UTF-8: a parser of characters consumes the CR as its second octet.
    steps: [send(head(line, "X-Odd: \xc4", host))],
    control: [send(head(line, "X-Odd: 1", host))],
    allowed: [
      { see: servedWith(2, likePath()) },
      permitted(servedWith(2, answered(1, { status: [400] })), "rfc9110#5.5"),
      permitted(refusedWith([400]), "rfc9110#5.5", "warn"),
    ],
  },
  {
    id: "http1/request-cut-off",
    spec: "rfc9112#2.2",
    covers: ["rfc9112#2.2/no-match"],
    level: "SHOULD",
    role: "server",
    title: "The server does not serve a request whose head the client's half-close cuts off.",
    fence: "half-close",
    steps: [send(`${line}\r\n${host}\r\n`)],
    // Some servers drop a response that the half-close overtakes.
    control: [send(get()), awaitResponse(1)],
    allowed: [{ see: { see: "error and close", status: ["4xx"] } }, permitted({ see: "closed after", responses: 0 }, "rfc9112#8")],
  },
];
