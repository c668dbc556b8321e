import { acceptsContent, CHUNKED, faultyFraming, hidden, INNER, LAST, noFraming } from "./framing-phrases.ts";
import { badRequest, permitted, refusedWith, request, send } from "./phrases.ts";
import type { Case, Text } from "./vocabulary.ts";

/** RFC 9112, section 6.1: Transfer-Encoding in a request. */

const HELLO = `5\r\nhello\r\n${LAST}`;

/** Five octets in one chunk, announced by this field; the control announces them plainly. */
const coded = (coding: Text, content: Text = HELLO): Text => request("POST", coding) + content;

/** Content with an unusual announcement that still means chunked. */
const taken = (id: Case["id"], title: string, coding: Text): Case =>
  acceptsContent({ id, requirement: "6.1/parse-chunked", spec: "rfc9112#6.1", title, text: coded(coding) });

/** Chunked is not the final coding, so the length cannot be determined: 400, then close. */
const notFinal = (id: Case["id"], title: string, coding: Text): Case => ({
  id,
  spec: "rfc9112#6.3",
  covers: ["rfc9112#6.3/request-coding-not-chunked"],
  level: "MUST",
  role: "server",
  needs: ["post"],
  title,
  steps: [send(coded(coding))],
  control: [send(coded(CHUNKED))],
  allowed: noFraming({ see: { see: "error and close", status: [501] }, by: "rfc9112#6.1" }),
});

export const cases: readonly Case[] = [
  taken("http1/transfer-encoding-chunked", "The server takes content that comes in chunks.", CHUNKED),
  taken("http1/transfer-encoding-upper-case", "The server knows chunked in upper case.", "Transfer-Encoding: CHUNKED"),
  taken("http1/transfer-encoding-mixed-case", "The server knows chunked in whatever case it is written.", "Transfer-Encoding: ChUnKeD"),
  taken("http1/transfer-encoding-name-lower-case", "The server knows Transfer-Encoding in lower case.", "transfer-encoding: chunked"),
  taken("http1/transfer-encoding-white-space", "The server leaves out white space around chunked.", "Transfer-Encoding: \t chunked \t"),
  taken("http1/transfer-encoding-no-space", "The server wants no space before chunked.", "Transfer-Encoding:chunked"),
  notFinal(
    "http1/transfer-encoding-identity",
    "The server refuses content whose only coding is identity, which is none.",
    "Transfer-Encoding: identity",
  ),
  notFinal("http1/transfer-encoding-gzip-alone", "The server refuses content that is coded, and not in chunks.", "Transfer-Encoding: gzip"),
  notFinal(
    "http1/transfer-encoding-chunked-then-gzip",
    "The server refuses content whose last coding is not chunked.",
    "Transfer-Encoding: chunked, gzip",
  ),
  notFinal(
    "http1/transfer-encoding-chunked-then-identity",
    "The server refuses content whose last coding, on a line of its own, is identity.",
    `${CHUNKED}\r\nTransfer-Encoding: identity`,
  ),
  notFinal(
    "http1/transfer-encoding-x-chunked",
    "The server refuses a coding whose name only ends like chunked.",
    "Transfer-Encoding: xchunked",
  ),
  notFinal(
    "http1/transfer-encoding-chunked-x",
    "The server refuses a coding whose name only begins like chunked.",
    "Transfer-Encoding: chunkedx",
  ),
  notFinal(
    "http1/transfer-encoding-quoted",
    "The server refuses chunked in quotes, which is no name of a coding.",
    'Transfer-Encoding: "chunked"',
  ),
  notFinal("http1/transfer-encoding-empty", "The server refuses a Transfer-Encoding without any coding.", "Transfer-Encoding:"),
  notFinal(
    "http1/transfer-encoding-vertical-tab",
    "The server refuses a vertical tab before chunked: it is no white space.",
    "Transfer-Encoding: \x0bchunked",
  ),
  notFinal("http1/transfer-encoding-semicolon", "The server refuses chunked behind a semicolon.", "Transfer-Encoding: identity;chunked"),
  {
    id: "http1/transfer-encoding-unknown",
    spec: "rfc9112#6.1",
    covers: ["rfc9112#6.1/unknown-coding"],
    level: "SHOULD",
    role: "server",
    needs: ["post"],
    title: "The server answers 501 to a coding that it does not know, although chunked is the last.",
    steps: [send(coded("Transfer-Encoding: touchstone, chunked"))],
    control: [send(coded(CHUNKED))],
    allowed: [{ see: refusedWith([501]) }, permitted(refusedWith(["4xx"]), "rfc9110#15.5.1", "warn")],
  },
  {
    id: "http1/transfer-encoding-chunked-twice",
    spec: "rfc9112#6.1",
    covers: ["rfc9112#6.1/chunked-once"],
    level: "MUST NOT",
    role: "server",
    needs: ["post"],
    title: "The server does not take content that is said to be in chunks twice for content that is so once.",
    steps: [send(coded("Transfer-Encoding: chunked, chunked"))],
    control: [send(coded(CHUNKED))],
    allowed: badRequest(1, permitted(refusedWith([501]), "rfc9112#6.1")),
  },
  {
    id: "http1/transfer-encoding-in-older-version",
    spec: "rfc9112#6.1",
    covers: ["rfc9112#6.1/http-1.0"],
    level: "MUST",
    role: "server",
    needs: ["post"],
    title: "The server closes the connection after a request of HTTP/1.0 with Transfer-Encoding, whose framing is faulty.",
    steps: [send(`POST {path} HTTP/1.0\r\nHost: {authority}\r\nConnection: keep-alive\r\n${CHUNKED}\r\n\r\n${HELLO}${INNER}`)],
    control: [send(coded(CHUNKED))],
    allowed: faultyFraming,
  },
  hidden({
    id: "http1/transfer-encoding-and-content-length",
    covers: ["rfc9112#6.1/length-and-coding-close", "rfc9112#6.3/coding-overrides-length"],
    spec: "rfc9112#6.1",
    title:
      "The server closes the connection after a request with both Transfer-Encoding and Content-Length, and takes nothing behind it for a request.",
    lines: [CHUNKED],
  }),
  {
    id: "http1/transfer-encoding-overrides-content-length",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/coding-overrides-length", "rfc9112#6.1/length-and-coding"],
    level: "MUST",
    role: "server",
    needs: ["post"],
    title: "A server that takes a request with both reads the chunks, however few octets Content-Length announces.",
    steps: [send(request("POST", CHUNKED, "Content-Length: 3") + HELLO)],
    control: [send(coded(CHUNKED))],
    allowed: faultyFraming,
  },
];
