import type { RequirementRef } from "../../../harness/case.ts";
import { NOT_TOKEN } from "../octet-classes.ts";
import type { Case, Outcome, Text } from "../../vocabulary.ts";
import {
  all,
  answer,
  answers,
  atOrigin,
  badGateway,
  CHUNKED,
  forwarded,
  get,
  goodChunks,
  goodPost,
  HIDDEN,
  HIDDEN_CHUNK,
  HIDDEN_LENGTH,
  holds,
  inChunks,
  not,
  permitted,
  postOf,
  rawResponse,
  refusedOnly,
  rejected,
  requests,
  response,
  texts,
  unambiguous,
  understood,
} from "./phrases.ts";

/**
 * RFC 9112, sections 2.2 and 11.2: differences between parsers that are known to carry a request past a proxy. Each has one safe reading
 * at most: the proxy rejects the message, or forwards what no second reader takes for something else.
 */

const line = "GET {path} HTTP/1.1";
const host = "Host: {authority}";
const END = "0\r\n\r\n";
const SMUGGLING: RequirementRef = "rfc9112#11.2/no-smuggling";

/** A malformed head of a request without content. */
const brokenHead = (
  entry: Pick<Case, "id" | "title"> &
    Partial<Pick<Case, "covers" | "level">> & { readonly text: Text; readonly others?: readonly Outcome[] },
): Case => {
  const { text, others = [], ...rest } = entry;
  return {
    spec: "rfc9112#2.2",
    covers: ["rfc9112#2.2/bare-cr", SMUGGLING],
    level: "MUST",
    ...texts({ wrong: text, right: get("X-Line: a") }),
    allowed: refusedOnly("rfc9112#2.2", ...others),
    ...rest,
  };
};
/** The proxy drops the line, which is safe, but not what the section requires. */
const leftOut = permitted(forwarded(), "rfc9112#2.2", "warn");

/** A line that looks like framing and is not a field: without it, the content has the length, or is the next request. */
const noField = (id: Case["id"], title: string, ...lines: readonly Text[]): Case => ({
  id,
  spec: "rfc9112#11.2",
  covers: ["rfc9112#2.2/no-match", SMUGGLING],
  level: "SHOULD",
  title,
  ...texts({ wrong: postOf(HIDDEN, ...lines), right: goodPost }),
  allowed: rejected(
    permitted(understood(HIDDEN), "rfc9112#2.2", "warn"),
    permitted(all(requests(2), atOrigin({ nth: 1, body: "" }), unambiguous), "rfc9112#2.2", "warn"),
  ),
});

const wrongCoding = (id: Case["id"], title: string, value: Text): Case => ({
  id,
  spec: "rfc9112#6.3",
  covers: ["rfc9112#6.3/request-coding-not-chunked", SMUGGLING],
  level: "MUST",
  title,
  ...texts({ wrong: postOf(HIDDEN_CHUNK, `Transfer-Encoding: ${value}`, "Content-Length: 5"), right: goodChunks }),
  allowed: rejected(),
});

const emptyLength = (id: Case["id"], title: string, ...lines: readonly Text[]): Case => ({
  id,
  spec: "rfc9112#6.3",
  covers: ["rfc9112#6.3/invalid-length-request", SMUGGLING],
  level: "MUST",
  title,
  ...texts({ wrong: postOf(HIDDEN, ...lines), right: goodPost }),
  // An empty member of the list of lengths does not count.
  allowed: rejected(permitted(understood(HIDDEN), "rfc9110#5.6.1.2")),
});

const wrongChunks = (id: Case["id"], title: string, content: Text, ...others: readonly Outcome[]): Case => ({
  id,
  spec: "rfc9112#7.1",
  covers: ["rfc9112#7.1/grammar", SMUGGLING],
  level: "SHOULD",
  title,
  ...texts({ wrong: postOf(content, CHUNKED), right: goodChunks }),
  allowed: refusedOnly("rfc9112#2.2", ...others),
});

/** A trailer section that does not end: without the line that is not a field, it goes on with the request that follows. */
const wrongEnd = (id: Case["id"], title: string, content: Text): Case => ({
  ...wrongChunks(id, title, content),
  covers: ["rfc9112#2.2/no-match", SMUGGLING],
  level: "SHOULD",
});

/** Nothing that the client got has two readings. */
const clear = all(
  holds("valid field lines"),
  holds("lines end in CRLF"),
  holds("valid status line"),
  holds("unambiguous framing"),
  holds("chunked syntax"),
  holds("no octets between responses"),
);
const through = (body: Text, by: Outcome["by"], verdict: "pass" | "warn" = "pass"): Outcome =>
  permitted(all(answer({ status: [200], body }), clear), by ?? "rfc9112#2.2", verdict);

/** A response whose head is damaged: 502, or what is left after the damaged line, until the connection closes. */
const wrongAnswer = (
  entry: Pick<Case, "id" | "title" | "covers"> &
    Partial<Pick<Case, "level">> & { readonly wrong: Text; readonly others?: readonly Outcome[] },
): Case => {
  const { wrong, others = [], ...rest } = entry;
  return {
    spec: "rfc9112#11.2",
    level: "MUST",
    ...answers({ wrong, right: response("hello"), close: "end" }),
    allowed: badGateway(...others),
    ...rest,
  };
};

/** Chunks of a response that do not follow the grammar: the client learns that the response is incomplete. */
const wrongAnswerChunks = (id: Case["id"], title: string, chunks: Text, ...others: readonly Outcome[]): Case => ({
  id,
  spec: "rfc9112#7.1",
  covers: ["rfc9112#7.1/grammar", "rfc9112#8/recorded"],
  // A lenient decoder may recover what these chunks mean (rfc9110#2.4).
  level: "SHOULD",
  title,
  ...answers({
    wrong: rawResponse(`${CHUNKED}\r\n\r\n${chunks}`),
    right: rawResponse(`${CHUNKED}\r\n\r\n${inChunks("hello")}`),
    close: "end",
  }),
  allowed: [
    {
      see: {
        see: "any",
        of: [answer({ status: ["5xx"] }), all({ see: "connection closed" }, not(answer({ status: [200] })))],
      },
    },
    ...others,
  ],
});

export const cases: readonly Case[] = [
  brokenHead({
    id: "http1/proxy-carriage-return-and-octet-end-no-line",
    title: "The proxy does not end the request line at CR and another octet than LF.",
    text: `${line}\rX${host}\r\n\r\n`,
  }),
  brokenHead({
    id: "http1/proxy-carriage-return-and-octet-end-no-field",
    title: "The proxy does not end a field line at CR and another octet than LF.",
    text: `${line}\r\nX-Line: a\rX${host}\r\n\r\n`,
  }),
  brokenHead({
    id: "http1/proxy-carriage-return-and-octet-end-no-head",
    title: "The proxy does not end the head at CR and another octet than LF.",
    text: `${line}\r\n${host}\r\nX-Line: a\r\n\rX`,
  }),
  brokenHead({
    id: "http1/proxy-carriage-returns-in-version",
    title: "The proxy does not ignore bare CRs inside the version.",
    text: `GET {path} HTTP/\r\r1.1\r\n${host}\r\n\r\n`,
  }),
  brokenHead({
    id: "http1/proxy-line-feed-before-target",
    title: "The proxy rejects a request line with a bare LF in place of its first space.",
    covers: ["rfc9112#2.2/no-match", SMUGGLING],
    level: "SHOULD",
    text: `GET\n{path} HTTP/1.1\r\n${host}\r\n\r\n`,
  }),
  brokenHead({
    id: "http1/proxy-line-feed-before-version",
    title: "The proxy rejects a request line with a bare LF in place of its second space.",
    covers: ["rfc9112#2.2/no-match", SMUGGLING],
    level: "SHOULD",
    text: `GET {path}\nHTTP/1.1\r\n${host}\r\n\r\n`,
  }),
  brokenHead({
    id: "http1/proxy-octet-and-line-feed-after-version",
    title: "The proxy does not pass over an octet between the version and a bare LF.",
    covers: ["rfc9112#2.2/no-match", SMUGGLING],
    level: "SHOULD",
    text: `${line}x\n${host}\r\n\r\n`,
  }),
  ...NOT_TOKEN.map(([name, octet, words]) =>
    brokenHead({
      id: `http1/proxy-name-with-${name}`,
      title: `The proxy rejects a field name that contains ${words}, or drops the line.`,
      covers: ["rfc9112#2.2/no-match"],
      level: "SHOULD",
      text: get(`X${octet}Line: a`),
      others: [leftOut],
    }),
  ),
  noField(
    "http1/proxy-te-octet-85-in-name",
    "The proxy reads no coding from a name that ends in the octet 0x85.",
    HIDDEN_LENGTH,
    "Transfer-Encoding\x85: chunked",
  ),
  noField(
    "http1/proxy-te-name-on-two-lines",
    "The proxy reads no coding from a name that a line end cuts.",
    HIDDEN_LENGTH,
    "Transfer-",
    "Encoding: chunked",
  ),
  noField(
    "http1/proxy-te-without-colon",
    "The proxy reads no coding from a line without a colon.",
    HIDDEN_LENGTH,
    "Transfer-Encoding chunked",
  ),
  noField(
    "http1/proxy-cl-octet-85-in-name",
    "The proxy reads no length from a name that ends in the octet 0x85.",
    "Content-Length\x85: 256",
  ),
  noField("http1/proxy-cl-without-colon", "The proxy reads no length from a line without a colon.", "Content-Length 256"),
  noField("http1/proxy-cl-without-name", "The proxy reads no length from a field without a name.", ": 256"),
  wrongCoding("http1/proxy-te-octet-ff", "The proxy does not pass over the octet 0xff before chunked.", "\xffchunked"),
  wrongCoding("http1/proxy-te-octet-85", "The proxy does not pass over the octet 0x85 after chunked.", "chunked\x85"),
  emptyLength(
    "http1/proxy-cl-empty-then-real",
    "The proxy does not read an empty length as 0 where another one follows.",
    "Content-Length:",
    HIDDEN_LENGTH,
  ),
  emptyLength(
    "http1/proxy-cl-real-then-empty",
    "The proxy does not read an empty length as 0 where another one precedes.",
    HIDDEN_LENGTH,
    "Content-Length:",
  ),
  wrongChunks(
    "http1/proxy-chunk-data-carriage-return-and-octet",
    "The proxy rejects chunk data that ends in CR and another octet than LF.",
    `5\r\nhello\rX${END}`,
  ),
  wrongChunks(
    "http1/proxy-chunk-data-octet-and-line-feed",
    "The proxy rejects chunk data that ends in another octet than CR, and LF.",
    `5\r\nhelloX\n${END}`,
  ),
  wrongChunks(
    "http1/proxy-chunk-size-carriage-return-and-octet",
    "The proxy rejects a chunk-size line that ends in CR and another octet than LF.",
    `5\rXhello\r\n${END}`,
  ),
  wrongChunks(
    "http1/proxy-chunk-last-carriage-return-and-octet",
    "The proxy rejects a last chunk whose line ends in CR and another octet than LF.",
    "5\r\nhello\r\n0\rX\r\n\r\n",
    permitted(understood("hello"), "rfc9112#7.1.1", "warn"),
  ),
  wrongEnd(
    "http1/proxy-chunk-end-carriage-return-and-octet",
    "The proxy does not end the trailer section at CR and another octet than LF.",
    "5\r\nhello\r\n0\r\n\rX",
  ),
  wrongEnd(
    "http1/proxy-chunk-end-two-octets",
    "The proxy does not pass over two octets in place of the empty line after the last chunk.",
    "5\r\nhello\r\n0\r\nXX",
  ),
  wrongAnswer({
    id: "http1/proxy-answer-carriage-returns-in-version",
    title: "The proxy answers 502 for a response with bare CRs inside its version.",
    covers: ["rfc9112#2.2/bare-cr"],
    wrong: "HTTP/\r\r1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
    // Read as HTTP/0.9, which has no head, and passed on as a good response.
    others: [permitted(all(answer({ status: ["2xx"] }), clear), "rfc9112#4", "warn")],
  }),
  wrongAnswer({
    id: "http1/proxy-answer-carriage-return-and-octet-end-no-head",
    title: "The proxy answers 502 for a response whose head ends in CR and another octet than LF.",
    covers: ["rfc9112#2.2/bare-cr"],
    wrong: rawResponse("Content-Length: 5\r\n\rXhello"),
  }),
  wrongAnswer({
    id: "http1/proxy-answer-length-octet-85",
    title: "The proxy reads no length from a name that ends in the octet 0x85.",
    covers: ["rfc9110#5.1/token"],
    level: "SHOULD",
    wrong: rawResponse("Content-Length\x85: 2\r\n\r\nhello"),
    others: [through("hello", "rfc9112#5", "warn")],
  }),
  wrongAnswer({
    id: "http1/proxy-answer-length-without-colon",
    title: "The proxy reads no length from a response line without a colon.",
    covers: ["rfc9112#2.1/format"],
    level: "SHOULD",
    wrong: rawResponse("Content-Length 2\r\n\r\nhello"),
    others: [through("hello", "rfc9112#5", "warn")],
  }),
  wrongAnswer({
    id: "http1/proxy-answer-length-empty-then-real",
    title: "The proxy does not read an empty length of a response as 0 where another one follows.",
    covers: ["rfc9112#6.3/invalid-length-gateway"],
    wrong: rawResponse("Content-Length:\r\nContent-Length: 5\r\n\r\nhello"),
    others: [through("hello", "rfc9110#5.6.1.2")],
  }),
  wrongAnswer({
    id: "http1/proxy-answer-coding-octet-ff",
    title: "The proxy does not pass over the octet 0xff before chunked in a response.",
    covers: ["rfc9112#6.3/response-coding-not-chunked"],
    wrong: rawResponse(`Transfer-Encoding: \xffchunked\r\n\r\n${inChunks("hello")}`),
    others: [through(inChunks("hello"), "rfc9112#6.3")],
  }),
  wrongAnswerChunks(
    "http1/proxy-answer-chunk-data-carriage-return-and-octet",
    "The proxy does not complete a response whose chunk data ends in CR and another octet than LF.",
    `5\r\nhello\rX${END}`,
  ),
  wrongAnswerChunks(
    "http1/proxy-answer-chunk-size-carriage-return-and-octet",
    "The proxy does not complete a response with a chunk-size line that ends in CR and another octet than LF.",
    `5\rXhello\r\n${END}`,
  ),
  wrongAnswerChunks(
    "http1/proxy-answer-chunk-end-two-octets",
    "The proxy does not complete a response with two octets in place of its last empty line, or passes on the content before it.",
    "5\r\nhello\r\n0\r\nXX",
    through("hello", "rfc9112#8", "warn"),
  ),
];
