import {
  exchanged,
  accepted,
  answered,
  badRequest,
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
} from "./phrases.ts";
import type { Case, Text } from "./vocabulary.ts";

const line = "GET {path} HTTP/1.1";
const host = "Host: {authority}";

/** What ends a line other than CR LF may be taken for its end, or refused: nothing else. */
const lineEnd = (id: Case["id"], title: string, text: Text): Case => ({
  id,
  spec: "rfc9112#2.2",
  covers: ["rfc9112#2.2/bare-lf"],
  level: "MAY",
  title,
  ...texts(text, get("X-Odd: 1")),
  allowed: [
    { see: servedWith(2, likePath()) },
    permitted(refusedWith([400]), "rfc9112#2.2"),
    permitted({ see: "closed after", responses: 0 }, "rfc9112#9.5", "warn"),
  ],
});

/**
 * A bare CR makes its element invalid, or is read as a space: either way the line goes on, so that what stands behind the CR is no
 * field of its own. Without that field the request is refused for another reason.
 */
const bareCr = (id: Case["id"], title: string, text: Text, right: Text): Case => ({
  id,
  spec: "rfc9112#2.2",
  covers: ["rfc9112#2.2/bare-cr"],
  level: "MUST",
  title,
  ...texts(text, right),
  allowed: badRequest(),
});

/** White space where no field has begun: the line is refused, or passed over (rfc9112#2.2). */
const whiteSpace = (id: Case["id"], title: string, text: Text, right: Text): Case => ({
  id,
  spec: "rfc9112#2.2",
  covers: ["rfc9112#2.2/space-before-fields"],
  level: "MUST",
  title,
  ...texts(text, right),
  allowed: badRequest(1, permitted(servedWith(2, likePath()), "rfc9112#2.2")),
});

const noMessage = (id: Case["id"], title: string, text: Text, right: Text = get()): Case => ({
  id,
  spec: "rfc9112#2.2",
  covers: ["rfc9112#2.2/no-match"],
  level: "SHOULD",
  title,
  ...texts(text, right),
  allowed: notHttp(),
});

export const cases: readonly Case[] = [
  lineEnd(
    "http1/line-feed-after-request-line",
    "A request line that ends in LF alone is read as ended there, or refused.",
    `${line}\n${host}\r\nX-Odd: 1\r\n\r\n`,
  ),
  lineEnd(
    "http1/line-feed-after-field",
    "A field line that ends in LF alone is read as ended there, or refused.",
    `${line}\r\n${host}\r\nX-Odd: 1\n\r\n`,
  ),
  lineEnd(
    "http1/line-feed-after-head",
    "A head that ends in LF alone is read as ended there, or refused.",
    `${line}\r\n${host}\r\nX-Odd: 1\r\n\n`,
  ),
  lineEnd(
    "http1/line-feeds-only",
    "A request whose lines all end in LF alone is read as such, or refused.",
    `${line}\n${host}\nX-Odd: 1\n\n`,
  ),
  bareCr(
    "http1/carriage-return-is-no-line-end",
    "The server does not read what follows a bare CR in a field value as a field of its own.",
    `${line}\r\nX-Odd: 1\r${host}\r\n\r\n`,
    `${line}\r\nX-Odd: 1\r\n${host}\r\n\r\n`,
  ),
  bareCr(
    "http1/carriage-return-ends-no-request-line",
    "The server does not read what follows a bare CR in the request line as a field.",
    `${line}\r${host}\r\n\r\n`,
    get(),
  ),
  bareCr(
    "http1/carriage-returns-end-no-head",
    "The server does not take two bare CRs for the end of the head.",
    `${line}\r\nX-Odd: 1\r\r${host}\r\n\r\n`,
    get("X-Odd: 1"),
  ),
  {
    ...bareCr(
      "http1/carriage-return-in-field-value",
      "A bare CR in a field value is refused, or read as a space.",
      get("X-Odd: a\rb"),
      get("X-Odd: a b"),
    ),
    allowed: badRequest(1, permitted(servedWith(2, likePath()), "rfc9112#2.2")),
  },
  bareCr("http1/carriage-return-in-field-name", "The server refuses a bare CR in a field name.", get("X-\rOdd: 1"), get("X-Odd: 1")),
  bareCr("http1/carriage-return-in-host", "The server refuses a bare CR in the value of Host.", head(line, "Host: {authority}\rx"), get()),
  {
    id: "http1/empty-line-before-request",
    spec: "rfc9112#2.2",
    covers: ["rfc9112#2.2/empty-line-before"],
    level: "SHOULD",
    title: "The server ignores an empty line before the request line.",
    ...exchanged(`\r\n${get()}`, get()),
    allowed: accepted,
  },
  {
    id: "http1/empty-line-after-content",
    spec: "rfc9112#2.2",
    covers: ["rfc9112#2.2/empty-line-before"],
    level: "SHOULD",
    role: "server",
    needs: ["post", "keep-alive"],
    title: "The server ignores the extra line end that an old client sends behind the content of a POST.",
    steps: [send(`${post("name=value")}\r\n${get()}`)],
    control: [send(`${post("name=value")}${get()}`)],
    allowed: [{ see: servedWith(3, likePath(2)) }],
  },
  {
    id: "http1/empty-lines-before-request",
    spec: "rfc9112#2.2",
    covers: ["rfc9112#2.2/empty-line-before"],
    level: "SHOULD",
    title: "Several empty lines before the request line are ignored, or refused.",
    ...texts(`\r\n\r\n\r\n${get()}`, get()),
    allowed: [
      { see: servedWith(2, likePath()) },
      permitted(refusedWith([400]), "rfc9112#2.2"),
      permitted({ see: "closed after", responses: 0 }, "rfc9112#9.5", "warn"),
    ],
  },
  {
    ...whiteSpace(
      "http1/white-space-before-only-host",
      "The server takes no Host from a line that begins with white space, right behind the request line.",
      `${line}\r\n ${host}\r\n\r\n`,
      get(),
    ),
    allowed: badRequest(),
  },
  whiteSpace(
    "http1/white-space-line-before-fields",
    "A line of white space right behind the request line is refused, or passed over.",
    `${line}\r\n \r\n${host}\r\n\r\n`,
    get(),
  ),
  whiteSpace(
    "http1/white-space-before-first-field",
    "A first field line that begins with white space is refused, or passed over.",
    head(line, "\tX-Odd: 1", host),
    head(line, "X-Odd: 1", host),
  ),
  {
    ...whiteSpace(
      "http1/white-space-before-content-length",
      "The server takes no length from a first line that begins with white space: what follows is the next request.",
      `${head(line, " Content-Length: 5", host)}${get()}`,
      `${get()}${get()}`,
    ),
    needs: ["keep-alive"],
    allowed: badRequest(1, permitted(servedWith(3, likePath(1), likePath(2)), "rfc9112#2.2")),
  },
  noMessage("http1/no-message", "The server answers 400 to a line that is no request line, and ends the connection.", "hello\r\n\r\n"),
  {
    ...noMessage(
      "http1/response-instead-of-request",
      "The server answers 400 to a response, and ends the connection.",
      `HTTP/1.1 200 OK\r\n${host}\r\n\r\n`,
    ),
    covers: ["rfc9112#2.1/server-expects-requests", "rfc9112#2.2/no-match"],
  },
  {
    ...noMessage(
      "http1/tls-instead-of-request",
      "The server answers 400 to the beginning of a TLS handshake on a port in clear text, and ends the connection.",
      "\x16\x03\x01\x00\x05\x01\x00\x00\x01\x00\r\n\r\n",
    ),
    needs: ["clear"],
  },
  noMessage(
    "http1/zero-octets-instead-of-request",
    "The server answers 400 to octets of zero, and ends the connection.",
    `${"\0".repeat(16)}\r\n\r\n`,
  ),
  noMessage(
    "http1/field-line-without-colon",
    "The server answers 400 to a field line without a colon, and ends the connection.",
    get("X-Odd"),
    get("X-Odd: 1"),
  ),
  {
    id: "http1/octets-beyond-ascii",
    spec: "rfc9112#2.2",
    covers: ["rfc9112#2.2/octets"],
    level: "MUST",
    role: "server",
    title: "The server reads a message as octets: a line end inside what would be one character of UTF-8 is a line end.",
    // 0xC4 announces a second octet in UTF-8: a reader of characters takes the CR for it.
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
    title: "The server does not serve a request whose head is cut off by the end of what the client sends.",
    fence: "half-close",
    steps: [send(`${line}\r\n${host}\r\n`)],
    control: [send(get())],
    allowed: [{ see: { see: "error and close", status: ["4xx"] } }, permitted({ see: "closed after", responses: 0 }, "rfc9112#8")],
  },
];
