import type { Case, Outcome, Text } from "../../vocabulary.ts";
import { NOT_TOKEN, VISIBLE } from "../octet-classes.ts";
import { accepts, answer, CHUNKS, CONTENT, inChunks, LAST, ok, orPrints, recovered, rejects, whole } from "./phrases.ts";

/**
 * RFC 9112, sections 2.2, 5 and 7.1: only CRLF, or a bare LF where a recipient chooses to accept it, ends a line of a response; which
 * octets a field name consists of, one case for each kind; and the discrepancies that are known to divide parsers.
 */

const spec = "rfc9112#2.2";
const bareCr: Case["covers"] = ["rfc9112#2.2/bare-cr"];
const length = `Content-Length: ${CONTENT.length}`;
const STATUS = "HTTP/1.1 200 OK";

/** Malformed chunks with the right size. Only a client whose decoder fails has to say so (rfc9112#8): a lenient one may recover. */
const bad = (id: Case["id"], title: string, chunks: Text, ...others: readonly Outcome[]): Case =>
  rejects({
    id,
    level: "SHOULD",
    spec: "rfc9112#7.1",
    covers: ["rfc9112#7.1/grammar", "rfc9112#8/recorded"],
    title,
    text: inChunks(chunks),
    right: inChunks(CHUNKS),
    others,
  });

/** Not a field line: the response is invalid; ignoring the line is discouraged. */
const noField = (id: Case["id"], title: string, line: Text): Case =>
  rejects({
    id,
    spec: "rfc9110#5.1",
    covers: ["rfc9110#5.1/token"],
    // No text demands that a client reject what is not a field.
    level: "SHOULD",
    title,
    text: whole(CONTENT, line),
    right: whole(CONTENT, "X-Odd: 1"),
    others: [recovered()],
  });

/** A length that the line does not give: the content goes on until the connection closes. */
const noLength = (id: Case["id"], title: string, lines: Text): Case =>
  rejects({
    id,
    spec: "rfc9110#5.1",
    covers: ["rfc9110#5.1/token"],
    // No text demands that a client reject what is not a field.
    level: "SHOULD",
    title,
    text: `${STATUS}\r\n${lines}\r\n\r\n${CONTENT}`,
    others: [recovered()],
  });

export const cases: readonly Case[] = [
  rejects({
    id: "http1/client-carriage-return-and-octet-in-status-line",
    spec,
    covers: bareCr,
    title: "The client does not end the status line at CR and another octet than LF.",
    text: `${STATUS}\rXContent-Length: 3\r\n\r\n${CONTENT}`,
    others: [orPrints("rfc9112#2.2")],
  }),
  rejects({
    id: "http1/client-carriage-return-and-octet-in-field",
    spec,
    covers: bareCr,
    title: "The client does not end a field line at CR and another octet than LF.",
    text: `${STATUS}\r\nX-Odd: a\rXContent-Length: 3\r\n\r\n${CONTENT}`,
    others: [orPrints("rfc9112#2.2")],
  }),
  rejects({
    id: "http1/client-carriage-return-and-octet-end-no-head",
    spec,
    covers: [...bareCr, "rfc9112#8/header-cut"],
    title: "The client does not end the head at CR and another octet than LF.",
    text: `${STATUS}\r\n${length}\r\n\rX${CONTENT}`,
  }),
  rejects({
    id: "http1/client-carriage-returns-in-version",
    spec,
    covers: bareCr,
    title: "The client does not ignore bare CRs inside the version.",
    text: `HTTP/\r\r1.1 200 OK\r\n${length}\r\n\r\n${CONTENT}`,
    others: [recovered()],
  }),
  rejects({
    id: "http1/client-carriage-return-in-status",
    spec,
    covers: bareCr,
    title: "The client does not ignore a bare CR inside the status code.",
    text: `HTTP/1.1 20\r0 OK\r\n${length}\r\n\r\n${CONTENT}`,
  }),
  rejects({
    id: "http1/client-line-feed-in-status-line",
    spec,
    covers: ["rfc9112#2.1/format"],
    level: "SHOULD",
    title: "The client does not read a bare LF in the status line as a space.",
    text: `HTTP/1.1\n200 OK\r\n${length}\r\n\r\n${CONTENT}`,
  }),
  rejects({
    id: "http1/client-line-feed-before-status-line",
    spec,
    covers: ["rfc9112#2.1/format"],
    level: "SHOULD",
    title: "The client rejects a bare LF before the status line, or ignores it.",
    text: `\n${whole()}`,
    others: [orPrints("rfc9112#2.2")],
  }),
  rejects({
    id: "http1/client-octet-and-line-feed-after-length",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/invalid-length-response"],
    title: "The client does not pass over an octet between a length and a bare LF.",
    text: `${STATUS}\r\n${length}x\n\r\n${CONTENT}`,
  }),
  bad(
    "http1/client-chunk-data-carriage-return-and-octet",
    "The client rejects chunk data that ends in CR and another octet than LF.",
    `a\r\n${CONTENT}\rX${LAST}`,
  ),
  bad(
    "http1/client-chunk-data-octet-and-line-feed",
    "The client rejects chunk data that ends in another octet than CR, and LF.",
    `a\r\n${CONTENT}X\n${LAST}`,
  ),
  bad(
    "http1/client-chunk-size-carriage-return-and-octet",
    "The client rejects a chunk-size line that ends in CR and another octet than LF.",
    `a\rX${CONTENT}\r\n${LAST}`,
  ),
  bad(
    "http1/client-chunk-size-octet-and-line-feed",
    "The client rejects a chunk-size line that ends in another octet than CR, and LF.",
    `aX\n${CONTENT}\r\n${LAST}`,
  ),
  bad(
    "http1/client-chunk-last-carriage-return-and-octet",
    "The client rejects a last chunk whose line ends in CR and another octet than LF, or accepts the content before it.",
    `a\r\n${CONTENT}\r\n0\rX\r\n\r\n`,
    recovered(),
  ),
  bad(
    "http1/client-chunk-end-two-octets",
    "The client rejects two octets in place of the empty line after the last chunk, or accepts the content before it.",
    `a\r\n${CONTENT}\r\n0\r\nXX`,
    recovered(),
  ),
  ...NOT_TOKEN.map(([name, octet, words]) =>
    noField(
      `http1/client-field-name-with-${name}`,
      `The client rejects a field name that contains ${words}, or ignores the line.`,
      `X${octet}Odd: 1`,
    ),
  ),
  accepts({
    id: "http1/client-field-value-of-all-characters",
    spec: "rfc9110#5.5",
    covers: ["rfc9110#5.5/obs-text", "rfc9110#2.4/semantics"],
    title: "The client accepts a field value of every visible character.",
    text: whole(CONTENT, `X-Odd: ${VISIBLE} ${VISIBLE}`),
    control: [answer(whole())],
  }),
  noLength("http1/client-length-octet-85", "The client reads no length from a name that ends in the octet 0x85.", "Content-Length\x85: 3"),
  noLength("http1/client-length-without-colon", "The client reads no length from a line without a colon.", "Content-Length 3"),
  noLength("http1/client-length-name-on-two-lines", "The client reads no length from a name on two lines.", "Content-\r\nLength: 3"),
  rejects({
    id: "http1/client-length-empty-then-real",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/invalid-length-response"],
    title: "The client does not read an empty length as 0 where another one follows.",
    text: `${ok("Content-Length:", length)}${CONTENT}`,
    others: [orPrints("rfc9110#5.6.1.2")],
  }),
  rejects({
    id: "http1/client-length-real-then-empty",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/invalid-length-response"],
    title: "The client does not read an empty length as 0 where another one precedes.",
    text: `${ok(length, "Content-Length:")}${CONTENT}`,
    others: [orPrints("rfc9110#5.6.1.2")],
  }),
  rejects({
    id: "http1/client-coding-octet-ff",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/response-coding-not-chunked"],
    title: "The client does not pass over the octet 0xff before chunked.",
    text: `${ok("Transfer-Encoding: \xffchunked")}${CHUNKS}`,
    right: inChunks(CHUNKS),
    others: [orPrints("rfc9112#6.3", CHUNKS)],
  }),
];
