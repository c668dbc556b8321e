import type { Case, Outcome, Text } from "../../vocabulary.ts";
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

/** RFC 9112, sections 2.2, 4 and 5: a proxy does not pass on a line of a response that two readers could cut differently. */

const BODY = "Content-Length: 5\r\n\r\nhello";
/** The client's response has only one reading. */
const clean = [holds("valid field lines"), holds("lines end in CRLF"), holds("valid status line"), holds("no octets between responses")];
const through = (by: Case["spec"], ...fields: NonNullable<Extract<Outcome["see"], { see: "response" }>["fields"]>): Outcome =>
  permitted(all(answer({ status: [200], body: "hello", fields }), ...clean), by);

type Wrong = Pick<Case, "id" | "title" | "covers"> & Partial<Pick<Case, "spec" | "level">> & { readonly others?: readonly Outcome[] };
const wrong = ({ lines, others = [], ...entry }: Wrong & Pick<Case, "spec"> & { readonly lines: Text }): Case => ({
  ...entry,
  level: "MUST",
  ...answers({ wrong: rawResponse(`${lines}\r\n${BODY}`), right: response("hello") }),
  allowed: badGateway(...others),
});
const wrongStatus = ({ line, others = [], ...entry }: Wrong & { readonly line: Text }): Case => ({
  spec: "rfc9112#4",
  level: "MUST",
  ...entry,
  ...answers({ wrong: `${line}\r\n${BODY}`, right: response("hello"), close: "end" }),
  // Read as something else, such as HTTP/0.9, and passed on as a good response.
  allowed: badGateway(...others, permitted(all(answer({ status: ["2xx"] }), ...clean), "rfc9112#4", "warn")),
});
/** The proxy drops the line, which is safe; rejecting a damaged response is better. */
const leftOut = (by: Case["spec"]): Outcome => ({ see: through(by).see, by, verdict: "warn" });

/** A status that the text tells recipients to treat as an error of the server. */
const outOfRange = { spec: "rfc9110#15", level: "SHOULD", covers: ["rfc9110#15/out-of-range", "rfc9112#4/three-digits"] } as const;

export const cases: readonly Case[] = [
  wrong({
    id: "http1/proxy-answer-folded",
    title: "The proxy answers 502 for a response with a folded field, or replaces each fold by a space.",
    spec: "rfc9112#5.2",
    covers: ["rfc9112#5.2/fold-in-response-gateway"],
    lines: "X-Line: a\r\n  b",
    others: [through("rfc9112#5.2", { name: "X-Line", pattern: "^a +b$" })],
  }),
  wrong({
    id: "http1/proxy-answer-space-before-colon",
    title: "The proxy removes whitespace before a colon in a response, or answers 502.",
    spec: "rfc9112#5.1",
    covers: ["rfc9112#5.1/proxy-removes-space"],
    lines: "X-Line : a",
    others: [through("rfc9112#5.1", { name: "X-Line", value: "a" }), leftOut("rfc9112#5.1")],
  }),
  wrong({
    id: "http1/proxy-answer-bare-cr",
    title: "The proxy answers 502 for a response with a bare CR in a value, or replaces it by a space.",
    spec: "rfc9112#2.2",
    covers: ["rfc9112#2.2/bare-cr", "rfc9110#5.5/controls"],
    lines: "X-Line: a\rSet-Cookie: b=c",
    others: [through("rfc9112#2.2", { name: "Set-Cookie", absent: true })],
  }),
  wrong({
    id: "http1/proxy-answer-nul",
    title: "The proxy answers 502 for a response with NUL in a value, or replaces it by a space.",
    spec: "rfc9110#5.5",
    covers: ["rfc9110#5.5/controls"],
    lines: "X-Line: a\0b",
    others: [through("rfc9110#5.5", { name: "X-Line", pattern: "^a b$" })],
  }),
  wrong({
    id: "http1/proxy-answer-bare-lf",
    title: "The proxy answers 502 for a response with a bare LF in a value, or ends the line there for itself and the client.",
    spec: "rfc9112#2.2",
    covers: ["rfc9112#2.2/bare-lf", "rfc9110#5.5/controls"],
    lines: "X-Line: a\nX-Other: b",
    others: [through("rfc9112#2.2", { name: "X-Line", pattern: "^a$" }, { name: "X-Other", value: "b" })],
  }),
  wrong({
    id: "http1/proxy-answer-line-without-colon",
    title: "The proxy answers 502 for a response line without a colon, or drops the line.",
    spec: "rfc9112#2.1",
    covers: ["rfc9112#2.1/format"],
    lines: "no colon here",
    others: [leftOut("rfc9112#5")],
  }),
  wrong({
    id: "http1/proxy-answer-empty-name",
    title: "The proxy answers 502 for a response field without a name, or drops it.",
    spec: "rfc9110#5.1",
    covers: ["rfc9110#5.1/token", "rfc9110#2.2/grammar"],
    lines: ": a",
    others: [leftOut("rfc9112#5")],
  }),
  wrong({
    id: "http1/proxy-answer-name-no-token",
    title: "The proxy answers 502 for a response field whose name is not a token, or drops it.",
    spec: "rfc9110#5.1",
    covers: ["rfc9110#5.1/token", "rfc9110#2.2/grammar"],
    lines: "X Line: a",
    others: [leftOut("rfc9112#5")],
  }),
  wrongStatus({
    id: "http1/proxy-answer-no-status-line",
    title: "The proxy answers 502 for a response without a status line.",
    line: "Touchstone says hello",
    covers: ["rfc9112#2.1/client-expects-responses"],
  }),
  wrongStatus({
    id: "http1/proxy-answer-request-line",
    title: "The proxy answers 502 for a response that begins with a request line.",
    line: "GET / HTTP/1.1",
    covers: ["rfc9112#2.1/client-expects-responses"],
  }),
  wrongStatus({
    id: "http1/proxy-answer-status-letters",
    title: "The proxy answers 502 for a status with a letter.",
    line: "HTTP/1.1 2x0 OK",
    // The grammar binds whoever generates a status line, not whoever forwards it (rfc9110#2.2).
    level: "SHOULD",
    covers: ["rfc9112#4/three-digits"],
  }),
  wrongStatus({
    id: "http1/proxy-answer-status-two-digits",
    title: "The proxy answers 502 for a status of two digits.",
    line: "HTTP/1.1 20 OK",
    ...outOfRange,
  }),
  wrongStatus({
    id: "http1/proxy-answer-status-four-digits",
    title: "The proxy answers 502 for a status of four digits.",
    line: "HTTP/1.1 2000 OK",
    ...outOfRange,
  }),
  wrongStatus({
    id: "http1/proxy-answer-status-bare-cr",
    title: "The proxy does not pass on a bare CR in a reason phrase.",
    line: "HTTP/1.1 200 O\rK",
    covers: ["rfc9112#2.2/bare-cr", "rfc9112#4/reason-octets"],
    others: [through("rfc9112#2.2")],
  }),
  {
    id: "http1/proxy-answer-lines-end-in-lf",
    spec: "rfc9112#2.2",
    covers: ["rfc9112#2.2/bare-lf", "rfc9110#2.2/grammar"],
    level: "MUST",
    title: "The proxy answers 502 for a response whose lines end in a bare LF, or passes it on with CRLF.",
    ...answers({ wrong: "HTTP/1.1 200 OK\nX-Line: a\nContent-Length: 5\n\nhello", right: response("hello") }),
    allowed: badGateway(through("rfc9112#2.2", { name: "X-Line", value: "a" })),
  },
  {
    id: "http1/proxy-answer-without-reason",
    spec: "rfc9112#4",
    covers: ["rfc9112#4/status-line", "rfc9112#4/space-without-reason"],
    level: "MUST",
    title: "The proxy passes on a status line without a reason phrase.",
    ...exchange(origin(`HTTP/1.1 200 \r\n${BODY}`), send(get()), awaitAnswer),
    allowed: [{ see: all(answer({ status: [200], body: "hello" }), ...clean) }],
  },
  {
    id: "http1/proxy-answer-status-unknown",
    spec: "rfc9110#7.6",
    covers: ["rfc9110#7.6/unknown-elements"],
    level: "SHOULD",
    title: "The proxy passes on an unknown status unchanged.",
    ...exchange(origin(`HTTP/1.1 299 Fine\r\n${BODY}`), send(get()), awaitAnswer),
    allowed: [{ see: answer({ status: [299], body: "hello" }) }],
  },
  {
    id: "http1/proxy-answer-error-kept",
    spec: "rfc9110#7.6",
    covers: ["rfc9110#7.6/unknown-elements"],
    level: "SHOULD",
    title: "The proxy passes on an error of the origin with its content.",
    ...answers({ wrong: `HTTP/1.1 599 Touchstone\r\n${BODY}`, right: response("hello") }),
    allowed: [{ see: answer({ status: [599], body: "hello" }) }],
  },
  {
    id: "http1/proxy-answer-date-added",
    spec: "rfc9110#6.6.1",
    covers: ["rfc9110#6.6.1/recipient-adds"],
    level: "MUST",
    title: "The proxy adds Date to a response without one.",
    ...answers({ wrong: `HTTP/1.1 200 OK\r\n${BODY}`, right: response("hello") }),
    allowed: [{ see: all(answer({ status: [200], body: "hello", fields: [{ name: "Date", pattern: "GMT$" }] })) }],
  },
  {
    id: "http1/proxy-answer-fields-too-large",
    spec: "rfc9110#17.5",
    covers: ["rfc9110#17.5/limits"],
    level: "SHOULD",
    title: "The proxy answers 502 for a response header section of 400,000 octets, or passes it on.",
    ...answers({
      wrong: rawResponse(`${`X-Large: ${"a".repeat(3989)}\r\n`.repeat(100)}${BODY}`),
      right: rawResponse(`${"X-Large: a\r\n".repeat(10)}${BODY}`),
    }),
    allowed: badGateway(permitted(answer({ status: [200], body: "hello" }), "rfc9110#5.4")),
  },
];
