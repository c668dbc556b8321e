import { acceptsContent, CHUNKED, faultyFraming, hidden, INNER, LAST, noFraming } from "../framing-phrases.ts";
import { badRequest, permitted, refusedWith, request, send } from "../phrases.ts";
import type { Case, Text } from "../../vocabulary.ts";

/** RFC 9112, section 6.1: Transfer-Encoding in a request. */

const HELLO = `5\r\nhello\r\n${LAST}`;

/** Five octets in one chunk, announced by this field; the control announces them plainly. */
const coded = (coding: Text, content: Text = HELLO): Text => request("POST", coding) + content;

/** Content with an unusual announcement that still means chunked. */
const valid = (id: Case["id"], title: string, coding: Text): Case =>
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
  valid("http1/transfer-encoding-chunked", "The server accepts chunked content.", CHUNKED),
  valid("http1/transfer-encoding-upper-case", "The server recognizes chunked in upper case.", "Transfer-Encoding: CHUNKED"),
  valid("http1/transfer-encoding-mixed-case", "The server recognizes chunked in mixed case.", "Transfer-Encoding: ChUnKeD"),
  valid("http1/transfer-encoding-name-lower-case", "The server recognizes Transfer-Encoding in lower case.", "transfer-encoding: chunked"),
  valid("http1/transfer-encoding-white-space", "The server ignores whitespace around chunked.", "Transfer-Encoding: \t chunked \t"),
  valid(
    "http1/transfer-encoding-no-space",
    "The server accepts Transfer-Encoding without a space before chunked.",
    "Transfer-Encoding:chunked",
  ),
  notFinal(
    "http1/transfer-encoding-identity",
    "The server rejects content whose only coding is identity, which no longer exists.",
    "Transfer-Encoding: identity",
  ),
  notFinal(
    "http1/transfer-encoding-gzip-alone",
    "The server rejects content with a transfer coding but without chunked.",
    "Transfer-Encoding: gzip",
  ),
  notFinal(
    "http1/transfer-encoding-chunked-then-gzip",
    "The server rejects content whose final coding is not chunked.",
    "Transfer-Encoding: chunked, gzip",
  ),
  notFinal(
    "http1/transfer-encoding-chunked-then-identity",
    "The server rejects content whose final coding, on a line of its own, is identity.",
    `${CHUNKED}\r\nTransfer-Encoding: identity`,
  ),
  notFinal(
    "http1/transfer-encoding-x-chunked",
    "The server rejects a coding whose name merely ends with chunked.",
    "Transfer-Encoding: xchunked",
  ),
  notFinal(
    "http1/transfer-encoding-chunked-x",
    "The server rejects a coding whose name merely begins with chunked.",
    "Transfer-Encoding: chunkedx",
  ),
  notFinal("http1/transfer-encoding-quoted", "The server rejects chunked in quotes.", 'Transfer-Encoding: "chunked"'),
  notFinal("http1/transfer-encoding-empty", "The server rejects an empty Transfer-Encoding.", "Transfer-Encoding:"),
  notFinal(
    "http1/transfer-encoding-vertical-tab",
    "The server rejects a vertical tab before chunked, which is not whitespace.",
    "Transfer-Encoding: \x0bchunked",
  ),
  notFinal("http1/transfer-encoding-semicolon", "The server rejects chunked after a semicolon.", "Transfer-Encoding: identity;chunked"),
  {
    id: "http1/transfer-encoding-unknown",
    spec: "rfc9112#6.1",
    covers: ["rfc9112#6.1/unknown-coding"],
    level: "SHOULD",
    role: "server",
    needs: ["post"],
    title: "The server answers 501 to an unknown coding even if the final one is chunked.",
    steps: [send(coded("Transfer-Encoding: touchstone, chunked"))],
    control: [send(coded(CHUNKED))],
    allowed: [{ see: refusedWith([501]) }, permitted(refusedWith(["4xx"]), "rfc9110#15.5.1", "warn")],
  },
  {
    id: "http1/transfer-encoding-chunked-twice",
    spec: "rfc9112#6.1",
    covers: ["rfc9112#6.1/chunked-once"],
    level: "SHOULD NOT",
    role: "server",
    needs: ["post"],
    title: "The server does not read content that is declared chunked twice as chunked once.",
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
    title: "The server closes the connection after an HTTP/1.0 request with Transfer-Encoding, whose framing is faulty.",
    steps: [send(`POST {path} HTTP/1.0\r\nHost: {authority}\r\nConnection: keep-alive\r\n${CHUNKED}\r\n\r\n${HELLO}${INNER}`)],
    control: [send(coded(CHUNKED))],
    allowed: faultyFraming,
  },
  hidden({
    id: "http1/transfer-encoding-and-content-length",
    covers: ["rfc9112#6.1/length-and-coding-close", "rfc9112#6.3/coding-overrides-length"],
    spec: "rfc9112#6.1",
    title: "The server closes the connection after a request with both Transfer-Encoding and Content-Length and reads no further request.",
    lines: [CHUNKED],
  }),
  {
    id: "http1/transfer-encoding-overrides-content-length",
    spec: "rfc9112#6.1",
    covers: ["rfc9112#6.1/length-and-coding-close", "rfc9112#6.3/coding-overrides-length", "rfc9112#6.1/length-and-coding"],
    level: "MUST",
    role: "server",
    needs: ["post"],
    title:
      "The server reads a request with Transfer-Encoding and a shorter Content-Length by its chunks or rejects it, and closes the connection.",
    steps: [send(request("POST", CHUNKED, "Content-Length: 3") + HELLO)],
    control: [send(coded(CHUNKED))],
    allowed: faultyFraming,
  },
];
