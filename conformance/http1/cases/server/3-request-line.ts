import {
  closedAfter,
  type Entry,
  get,
  head,
  likePath,
  notHttp,
  permitted,
  refusedWith,
  request,
  send,
  servedWith,
  texts,
} from "../phrases.ts";
import type { Case, Text } from "../../vocabulary.ts";

/** RFC 9112, section 3: the request line, its method and its target. */

const host = "Host: {authority}";

/** A server may split the request line at any whitespace; otherwise the line is invalid (rfc9112#3). */
const spaced = (id: Case["id"], title: string, line: Text): Case => ({
  id,
  spec: "rfc9112#3",
  covers: ["rfc9112#3/lenient-whitespace"],
  level: "MAY",
  title,
  ...texts({ wrong: head(line, host), right: get() }),
  allowed: [
    { see: refusedWith([400]) },
    permitted(servedWith(2, likePath()), "rfc9112#3"),
    permitted(refusedWith(["4xx", 501, 505]), "rfc9112#2.2", "warn"),
    permitted({ see: "closed after", responses: 0 }, "rfc9112#9.5", "warn"),
  ],
});

/** An invalid request line: 400, or a redirect to the target in its proper form (rfc9112#3.2). */
const invalid = ({
  line,
  right = get(),
  alsoCovers = [],
  ...entry
}: Entry & { readonly line: Text; readonly right?: Text; readonly alsoCovers?: Case["covers"][number][] }): Case => ({
  spec: "rfc9112#3.2",
  covers: ["rfc9112#3.2/invalid-line", ...alsoCovers],
  level: "SHOULD",
  ...texts({ wrong: head(line, host), right }),
  allowed: [
    { see: refusedWith([400]) },
    permitted(servedWith(2, { see: "response", status: [301] }), "rfc9112#3.2"),
    permitted(refusedWith(["4xx", 501, 505]), "rfc9112#2.2", "warn"),
    permitted({ see: "closed after", responses: 0 }, "rfc9112#9.5", "warn"),
  ],
  ...entry,
});

const noMethod = (id: Case["id"], title: string, method: Text): Case => ({
  id,
  spec: "rfc9112#3.1",
  covers: ["rfc9112#2.2/no-match"],
  level: "SHOULD",
  title,
  ...texts({ wrong: head(`${method} {path} HTTP/1.1`, host), right: get() }),
  allowed: notHttp(),
});

/** A method that no server implements: 501, and the server does not treat the request as another one (rfc9110#9.1). */
const unknownMethod = ({ method, covers, ...entry }: Entry & Pick<Case, "covers"> & { readonly method: Text }): Case => ({
  spec: "rfc9110#9.1",
  covers,
  level: "SHOULD",
  ...texts({ wrong: request(method), right: get() }),
  allowed: [
    { see: refusedWith([501]) },
    permitted(refusedWith([405]), "rfc9110#9.1", "warn"),
    permitted(refusedWith(["4xx"]), "rfc9110#9.1", "warn"),
  ],
  ...entry,
});

const target = (length: number): Text => `{path}?${"a".repeat(length)}`;

export const cases: readonly Case[] = [
  spaced(
    "http1/request-line-two-spaces-before-target",
    "The server rejects two spaces before the target, or reads them as one.",
    "GET  {path} HTTP/1.1",
  ),
  spaced(
    "http1/request-line-two-spaces-before-version",
    "The server rejects two spaces before the version, or reads them as one.",
    "GET {path}  HTTP/1.1",
  ),
  spaced(
    "http1/request-line-tab-before-target",
    "The server rejects a tab before the target, or reads it as a space.",
    "GET\t{path} HTTP/1.1",
  ),
  spaced(
    "http1/request-line-tab-before-version",
    "The server rejects a tab before the version, or reads it as a space.",
    "GET {path}\tHTTP/1.1",
  ),
  spaced(
    "http1/request-line-vertical-tab",
    "The server rejects a vertical tab in the request line, or reads it as a space.",
    "GET\v{path} HTTP/1.1",
  ),
  spaced(
    "http1/request-line-form-feed",
    "The server rejects a form feed in the request line, or reads it as a space.",
    "GET\f{path} HTTP/1.1",
  ),
  spaced(
    "http1/request-line-carriage-return",
    "The server rejects a bare CR in the request line, or reads it as a space.",
    "GET\r{path} HTTP/1.1",
  ),
  spaced("http1/request-line-leading-space", "The server rejects a space before the method, or ignores it.", " GET {path} HTTP/1.1"),
  spaced("http1/request-line-trailing-space", "The server rejects a space after the version, or ignores it.", "GET {path} HTTP/1.1 "),
  invalid({ id: "http1/request-line-without-target", title: "The server rejects a request line without a target.", line: "GET HTTP/1.1" }),
  invalid({
    id: "http1/request-line-with-four-words",
    title: "The server rejects a request line with four words.",
    line: "GET {path} more HTTP/1.1",
  }),
  invalid({
    id: "http1/target-with-space",
    title: "The server rejects a target that contains a space, or redirects to the corrected one.",
    line: "GET {path}?a b HTTP/1.1",
    right: head("GET {path}?a%20b HTTP/1.1", host),
  }),
  invalid({ id: "http1/target-with-tab", title: "The server rejects a target that contains a tab.", line: "GET {path}?a\tb HTTP/1.1" }),
  invalid({
    id: "http1/target-with-zero-octet",
    title: "The server rejects a target that contains NUL.",
    line: "GET {path}?a\0b HTTP/1.1",
  }),
  invalid({
    id: "http1/target-with-control",
    title: "The server rejects a target that contains a control character.",
    line: "GET {path}?a\x01b HTTP/1.1",
  }),
  invalid({
    id: "http1/target-with-delete",
    title: "The server rejects a target that contains DEL.",
    line: "GET {path}?a\x7fb HTTP/1.1",
  }),
  invalid({
    id: "http1/target-with-octet-beyond-ascii",
    title: "The server rejects a target that contains an octet beyond ASCII.",
    line: "GET {path}?a\xffb HTTP/1.1",
    right: head("GET {path}?a%FFb HTTP/1.1", host),
  }),
  invalid({
    id: "http1/target-with-fragment",
    title: "The server rejects a target with a fragment.",
    line: "GET {path}#a HTTP/1.1",
  }),
  invalid({
    id: "http1/target-with-angle-brackets",
    title: "The server rejects a target that contains angle brackets, which no URI contains.",
    line: "GET {path}?<a> HTTP/1.1",
    right: head("GET {path}?%3Ca%3E HTTP/1.1", host),
  }),
  invalid({
    id: "http1/target-with-backslash",
    title: "The server rejects a target that begins with a backslash.",
    line: "GET \\ HTTP/1.1",
  }),
  invalid({
    id: "http1/target-with-bad-escape",
    title: "The server rejects a target with an invalid percent-encoding.",
    line: "GET {path}%zz HTTP/1.1",
  }),
  invalid({
    id: "http1/target-without-slash",
    title: "The server rejects a target in none of the four forms.",
    line: "GET index.html HTTP/1.1",
  }),
  invalid({
    id: "http1/target-with-octet-before-slash",
    title: "The server rejects a target whose path does not begin with a slash.",
    line: "GET x{path} HTTP/1.1",
  }),
  invalid({
    id: "http1/target-asterisk-with-get",
    title: "The server rejects GET with the asterisk form, which belongs to OPTIONS.",
    line: "GET * HTTP/1.1",
    right: get(),
    alsoCovers: ["rfc9112#3.2.4/options-only"],
  }),
  invalid({
    id: "http1/target-authority-with-get",
    title: "The server rejects GET with the authority form, which belongs to CONNECT.",
    line: "GET {authority} HTTP/1.1",
    right: get(),
    alsoCovers: ["rfc9112#3.2.3/connect-only"],
  }),
  noMethod("http1/method-empty", "The server rejects a request line with a space instead of a method.", ""),
  noMethod("http1/method-with-parenthesis", "The server rejects a method that is not a token.", "G(ET"),
  noMethod("http1/method-with-zero-octet", "The server rejects a method that contains NUL.", "G\0ET"),
  noMethod("http1/method-with-octet-beyond-ascii", "The server rejects a method that contains an octet beyond ASCII.", "G\xcbT"),
  noMethod("http1/method-with-colon", "The server rejects a method that contains a colon.", "GET:"),
  unknownMethod({
    id: "http1/method-unknown",
    covers: ["rfc9110#9.1/unknown-method"],
    title: "The server answers 501 to an unknown method.",
    method: "BREW",
  }),
  unknownMethod({
    id: "http1/method-in-lower-case",
    covers: ["rfc9112#3.1/case-sensitive", "rfc9110#9.1/unknown-method"],
    title: "The server does not treat the method get as GET.",
    method: "get",
  }),
  unknownMethod({
    id: "http1/method-with-a-letter-more",
    covers: ["rfc9110#9.1/unknown-method"],
    title: "The server does not treat the method GETS as GET.",
    method: "GETS",
  }),
  unknownMethod({
    id: "http1/method-too-long",
    covers: ["rfc9112#3/long-method"],
    title: "The server answers 501 to a method that is longer than any it implements.",
    method: "M".repeat(200),
    spec: "rfc9112#3",
  }),
  unknownMethod({
    id: "http1/method-longer-than-a-line",
    covers: ["rfc9112#3/long-method"],
    title: "The server answers 501 to a method that is longer than the longest line that it reads.",
    method: "M".repeat(20_000),
    spec: "rfc9112#3",
    allowed: [
      { see: refusedWith([501]) },
      permitted(refusedWith(["4xx"]), "rfc9110#15.5", "warn"),
      permitted(closedAfter(0), "rfc9112#9.5", "warn"),
    ],
  }),
  {
    id: "http1/request-line-of-8000-octets",
    spec: "rfc9112#3",
    covers: ["rfc9112#3/8000-octets"],
    level: "SHOULD",
    role: "server",
    title: "The server accepts a request line of 8,000 octets.",
    steps: [send(head(`GET ${target(7900)} HTTP/1.1`, host))],
    control: [send(head(`GET ${target(10)} HTTP/1.1`, host))],
    allowed: [{ see: servedWith(2, likePath()) }],
  },
  {
    id: "http1/target-too-long",
    spec: "rfc9112#3",
    covers: ["rfc9112#3/long-target"],
    level: "MUST",
    role: "server",
    title: "The server answers 414 to a target of 200,000 octets, or serves it.",
    steps: [send(head(`GET ${target(200_000)} HTTP/1.1`, host))],
    control: [send(head(`GET ${target(10)} HTTP/1.1`, host))],
    allowed: [
      { see: refusedWith([414]) },
      permitted(servedWith(2, likePath()), "rfc9112#3"),
      permitted(refusedWith(["4xx"]), "rfc9110#15.5", "warn"),
      permitted({ see: "closed after", responses: 0 }, "rfc9112#9.5", "warn"),
    ],
  },
  {
    id: "http1/target-without-end",
    spec: "rfc9112#3",
    covers: ["rfc9112#3/long-target"],
    level: "MUST",
    role: "server",
    title: "The server answers 414 to a target that has not ended after 3 million octets.",
    steps: [send(`GET ${target(3_000_000)}`), { do: "await", see: { see: "connection closed" } }],
    control: [send(head(`GET ${target(10)} HTTP/1.1`, host))],
    allowed: [
      { see: { see: "error and close", status: [414] } },
      permitted({ see: "error and close", status: ["4xx"] }, "rfc9110#15.5", "warn"),
      permitted({ see: "closed after", responses: 0 }, "rfc9112#9.5", "warn"),
    ],
  },
];
