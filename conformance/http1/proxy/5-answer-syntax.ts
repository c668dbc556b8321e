import type { Case, Outcome, Text } from "../vocabulary.ts";
import {
  all,
  answer,
  answers,
  awaitAnswer,
  badGateway,
  exchange,
  get,
  holds,
  origin,
  permitted,
  rawResponse,
  response,
  send,
} from "./phrases.ts";

/** RFC 9112, sections 2.2, 4 and 5: lines of an answer that two readers could cut in different ways do not come through as they are. */

const BODY = "Content-Length: 5\r\n\r\nhello";
/** What the client got has one reading. */
const clean = [holds("valid field lines"), holds("lines end in CRLF"), holds("valid status line"), holds("no octets between responses")];
const through = (by: Case["spec"], ...fields: NonNullable<Extract<Outcome["see"], { see: "response" }>["fields"]>): Outcome =>
  permitted(all(answer({ status: [200], body: "hello", fields }), ...clean), by);

const wrong = (
  id: Case["id"],
  title: string,
  spec: Case["spec"],
  covers: Case["covers"],
  lines: Text,
  ...others: readonly Outcome[]
): Case => ({
  id,
  spec,
  covers,
  level: "MUST",
  title,
  ...answers(rawResponse(`${lines}\r\n${BODY}`), response("hello")),
  allowed: badGateway(...others),
});
const wrongStatus = (id: Case["id"], title: string, line: Text, covers: Case["covers"], ...others: readonly Outcome[]): Case => ({
  id,
  spec: "rfc9112#4",
  covers,
  level: "MUST",
  title,
  ...answers(`${line}\r\n${BODY}`, response("hello"), { close: "end" }),
  // Read as something else, be it HTTP/0.9, and passed on as a good answer.
  allowed: badGateway(...others, permitted(all(answer({ status: ["2xx"] }), ...clean), "rfc9112#4", "warn")),
});
/** Left out, which is safe; an answer that is damaged had better be refused. */
const leftOut = (by: Case["spec"]): Outcome => ({ ...through(by), verdict: "warn" });

export const cases: readonly Case[] = [
  wrong(
    "http1/proxy-answer-folded",
    "A folded field of an answer makes a 502, or comes through with a space for each fold.",
    "rfc9112#5.2",
    ["rfc9112#5.2/fold-in-response-gateway"],
    "X-Line: a\r\n  b",
    through("rfc9112#5.2", { name: "X-Line", pattern: "^a +b$" }),
  ),
  wrong(
    "http1/proxy-answer-space-before-colon",
    "White space before a colon of an answer does not come through.",
    "rfc9112#5.1",
    ["rfc9112#5.1/proxy-removes-space"],
    "X-Line : a",
    through("rfc9112#5.1", { name: "X-Line", value: "a" }),
    leftOut("rfc9112#5.1"),
  ),
  wrong(
    "http1/proxy-answer-bare-cr",
    "A CR in a value of an answer makes it invalid, or becomes a space.",
    "rfc9112#2.2",
    ["rfc9112#2.2/bare-cr", "rfc9110#5.5/controls"],
    "X-Line: a\rSet-Cookie: b=c",
    through("rfc9112#2.2", { name: "Set-Cookie", absent: true }),
  ),
  wrong(
    "http1/proxy-answer-nul",
    "A NUL in a value of an answer makes it invalid, or becomes a space.",
    "rfc9110#5.5",
    ["rfc9110#5.5/controls"],
    "X-Line: a\0b",
    through("rfc9110#5.5", { name: "X-Line", pattern: "^a b$" }),
  ),
  wrong(
    "http1/proxy-answer-bare-lf",
    "An LF in a value of an answer makes it invalid, or ends the line here and for the client.",
    "rfc9112#2.2",
    ["rfc9112#2.2/bare-lf", "rfc9110#5.5/controls"],
    "X-Line: a\nX-Other: b",
    through("rfc9112#2.2", { name: "X-Line", pattern: "^a$" }, { name: "X-Other", value: "b" }),
  ),
  wrong(
    "http1/proxy-answer-line-without-colon",
    "A line of an answer without a colon makes it invalid, or does not come through.",
    "rfc9112#2.1",
    ["rfc9112#2.1/format"],
    "no colon here",
    leftOut("rfc9112#5"),
  ),
  wrong(
    "http1/proxy-answer-empty-name",
    "A field of an answer without a name makes it invalid, or does not come through.",
    "rfc9110#5.1",
    ["rfc9110#5.1/token"],
    ": a",
    leftOut("rfc9112#5"),
  ),
  wrong(
    "http1/proxy-answer-name-no-token",
    "A field of an answer whose name is no token makes it invalid, or does not come through.",
    "rfc9110#5.1",
    ["rfc9110#5.1/token"],
    "X Line: a",
    leftOut("rfc9112#5"),
  ),
  wrongStatus("http1/proxy-answer-no-status-line", "What does not begin with a status line is no answer.", "Touchstone says hello", [
    "rfc9112#2.1/client-expects-responses",
  ]),
  wrongStatus("http1/proxy-answer-request-line", "A request line begins no answer.", "GET / HTTP/1.1", [
    "rfc9112#2.1/client-expects-responses",
  ]),
  wrongStatus("http1/proxy-answer-status-letters", "A status with a letter in it is none.", "HTTP/1.1 2x0 OK", ["rfc9112#4/three-digits"]),
  wrongStatus("http1/proxy-answer-status-two-digits", "A status of two digits is none.", "HTTP/1.1 20 OK", ["rfc9112#4/three-digits"]),
  wrongStatus("http1/proxy-answer-status-four-digits", "A status of four digits is none.", "HTTP/1.1 2000 OK", ["rfc9112#4/three-digits"]),
  wrongStatus(
    "http1/proxy-answer-status-bare-cr",
    "A CR in a reason does not come through.",
    "HTTP/1.1 200 O\rK",
    ["rfc9112#2.2/bare-cr", "rfc9112#4/reason-octets"],
    through("rfc9112#2.2"),
  ),
  {
    id: "http1/proxy-answer-lines-end-in-lf",
    spec: "rfc9112#2.2",
    covers: ["rfc9112#2.2/bare-lf"],
    level: "MUST",
    title: "An answer whose lines end in LF alone makes a 502, or comes through with proper line ends.",
    ...answers("HTTP/1.1 200 OK\nX-Line: a\nContent-Length: 5\n\nhello", response("hello")),
    allowed: badGateway(through("rfc9112#2.2", { name: "X-Line", value: "a" })),
  },
  {
    id: "http1/proxy-answer-without-reason",
    spec: "rfc9112#4",
    covers: ["rfc9112#4/status-line", "rfc9112#4/space-without-reason"],
    level: "MUST",
    title: "A status line without a reason comes through.",
    ...exchange(origin(`HTTP/1.1 200 \r\n${BODY}`), send(get()), awaitAnswer),
    allowed: [{ see: all(answer({ status: [200], body: "hello" }), ...clean) }],
  },
  {
    id: "http1/proxy-answer-status-unknown",
    spec: "rfc9110#7.6",
    covers: ["rfc9110#7.6/unknown-elements"],
    level: "SHOULD",
    title: "A status that nobody knows comes through as it is.",
    ...exchange(origin(`HTTP/1.1 299 Fine\r\n${BODY}`), send(get()), awaitAnswer),
    allowed: [{ see: answer({ status: [299], body: "hello" }) }],
  },
  {
    id: "http1/proxy-answer-error-kept",
    spec: "rfc9110#7.6",
    covers: ["rfc9110#7.6/unknown-elements"],
    level: "SHOULD",
    title: "An error of the origin comes through with its content.",
    ...answers(`HTTP/1.1 599 Touchstone\r\n${BODY}`, response("hello")),
    allowed: [{ see: answer({ status: [599], body: "hello" }) }],
  },
  {
    id: "http1/proxy-answer-date-added",
    spec: "rfc9110#6.6.1",
    covers: ["rfc9110#6.6.1/recipient-adds"],
    level: "MUST",
    title: "An answer without Date reaches the client with one.",
    ...answers(`HTTP/1.1 200 OK\r\n${BODY}`, response("hello")),
    allowed: [{ see: all(answer({ status: [200], body: "hello", fields: [{ name: "Date", pattern: "GMT$" }] })) }],
  },
  {
    id: "http1/proxy-answer-fields-too-large",
    spec: "rfc9110#17.5",
    covers: ["rfc9110#17.5/limits"],
    level: "SHOULD",
    title: "A header section of 400,000 octets in an answer makes a 502, or comes through whole.",
    ...answers(
      rawResponse(`${`X-Large: ${"a".repeat(3989)}\r\n`.repeat(100)}${BODY}`),
      rawResponse(`${"X-Large: a\r\n".repeat(10)}${BODY}`),
    ),
    allowed: badGateway(permitted(answer({ status: [200], body: "hello" }), "rfc9110#5.4")),
  },
];
