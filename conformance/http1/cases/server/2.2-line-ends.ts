import { answeredFirst, CHUNKED, contentAccepted, LAST, noFraming, plainChunks, plainLength, rejectsChunks } from "../framing-phrases.ts";
import { badRequest, type Entry, get, notHttp, permitted, refusedWith, request, send, texts } from "../phrases.ts";
import type { Case, Outcome, Text } from "../../vocabulary.ts";

/**
 * RFC 9112, sections 2.2 and 7.1: only CRLF, and a bare LF where a recipient chooses to accept it, ends a line. A reader that looks at one
 * of the two octets, or skips two octets unseen, ends it at CR and any octet, or at any octet and LF.
 */

const line = "GET {path} HTTP/1.1";
const host = "Host: {authority}";

/** CR and an octet where a line ends: the element is invalid, or the CR a space, which leaves it invalid for another reason. */
const bareCr = ({ text, right = get(), ...entry }: Entry & { readonly text: Text; readonly right?: Text }): Case => ({
  spec: "rfc9112#2.2",
  covers: ["rfc9112#2.2/bare-cr"],
  level: "MUST",
  ...texts({ wrong: text, right }),
  allowed: badRequest(),
  ...entry,
});

/** A request line that is invalid wherever a recipient ends lines. */
const noLine = (id: Case["id"], title: string, text: Text): Case => ({
  id,
  spec: "rfc9112#2.2",
  covers: ["rfc9112#2.2/no-match"],
  level: "SHOULD",
  title,
  ...texts({ wrong: text, right: get() }),
  allowed: notHttp(1, permitted(refusedWith([505]), "rfc9110#15.6.6")),
});

const chunks = (entry: Pick<Case, "id" | "title"> & { readonly content: Text; readonly others?: readonly Outcome[] }): Case =>
  rejectsChunks({ requirement: "7.1/grammar", spec: "rfc9112#7.1", level: "SHOULD", ...entry });

export const cases: readonly Case[] = [
  bareCr({
    id: "http1/carriage-return-and-octet-end-no-request-line",
    title: "The server does not end the request line at CR and another octet than LF.",
    text: `${line}\rX${host}\r\n\r\n`,
  }),
  bareCr({
    id: "http1/carriage-return-and-octet-end-no-field",
    title: "The server does not end a field line at CR and another octet than LF.",
    text: `${line}\r\nX-Odd: 1\rX${host}\r\n\r\n`,
    right: `${line}\r\nX-Odd: 1\r\n${host}\r\n\r\n`,
  }),
  bareCr({
    id: "http1/carriage-return-and-octet-end-no-head",
    title: "The server does not end the head at CR and another octet than LF.",
    // The request of the fence follows: a server that ended the head answers it.
    text: `${line}\r\n${host}\r\nX-Odd: 1\r\n\rX`,
    right: get("X-Odd: 1"),
  }),
  bareCr({
    id: "http1/carriage-returns-in-version",
    title: "The server does not ignore bare CRs inside the version.",
    text: `GET {path} HTTP/\r\r1.1\r\n${host}\r\n\r\n`,
  }),
  bareCr({
    id: "http1/carriage-return-in-version",
    title: "The server does not ignore a bare CR between the digits of the version.",
    text: `GET {path} HTTP/1\r.1\r\n${host}\r\n\r\n`,
  }),
  bareCr({
    id: "http1/carriage-return-in-method",
    title: "The server does not ignore a bare CR inside the method.",
    text: `GE\rT {path} HTTP/1.1\r\n${host}\r\n\r\n`,
  }),
  noLine(
    "http1/octet-and-line-feed-after-version",
    "The server does not pass over an octet between the version and a bare LF.",
    `${line}x\n${host}\r\n\r\n`,
  ),
  noLine(
    "http1/line-feed-before-target",
    "The server rejects a request line with a bare LF in place of its first space.",
    `GET\n{path} HTTP/1.1\r\n${host}\r\n\r\n`,
  ),
  noLine(
    "http1/line-feed-before-version",
    "The server rejects a request line with a bare LF in place of its second space.",
    `GET {path}\nHTTP/1.1\r\n${host}\r\n\r\n`,
  ),
  noLine(
    "http1/octet-and-line-feed-end-no-head",
    "The server does not end the head at an octet and a bare LF.",
    // The request of the fence follows: a server that ended the head answers it.
    `${line}\r\n${host}\r\nx\n`,
  ),
  {
    id: "http1/octet-and-line-feed-after-length",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/invalid-length-request"],
    level: "MUST",
    role: "server",
    needs: ["post"],
    title: "The server does not pass over an octet between a length and a bare LF.",
    steps: [send(`POST {path} HTTP/1.1\r\n${host}\r\nContent-Length: 5x\n\r\nhello`)],
    control: [send(plainLength)],
    allowed: noFraming(),
  },
  chunks({
    id: "http1/chunk-data-carriage-return-and-octet",
    title: "The server rejects chunk data that ends in CR and another octet than LF.",
    content: `5\r\nhello\rX${LAST}`,
  }),
  chunks({
    id: "http1/chunk-data-two-carriage-returns",
    title: "The server rejects chunk data that ends in two CRs.",
    content: `5\r\nhello\r\r${LAST}`,
  }),
  chunks({
    id: "http1/chunk-data-octet-and-line-feed",
    title: "The server rejects chunk data that ends in another octet than CR, and LF.",
    content: `5\r\nhelloX\n${LAST}`,
  }),
  chunks({
    id: "http1/chunk-size-carriage-return-and-octet",
    title: "The server rejects a chunk-size line that ends in CR and another octet than LF.",
    content: `5\rXhello\r\n${LAST}`,
  }),
  chunks({
    id: "http1/chunk-size-octet-and-line-feed",
    title: "The server rejects a chunk-size line that ends in another octet than CR, and LF.",
    content: `5X\nhello\r\n${LAST}`,
  }),
  chunks({
    id: "http1/chunk-last-carriage-return-and-octet",
    title: "The server rejects a last chunk whose line ends in CR and another octet than LF.",
    content: "5\r\nhello\r\n0\rX\r\n\r\n",
    others: [permitted(contentAccepted[0].see, "rfc9112#7.1.1", "warn")],
  }),
  {
    id: "http1/chunk-end-carriage-return-and-octet",
    spec: "rfc9112#7.1",
    covers: ["rfc9112#2.2/no-match", "rfc9112#11.2/no-smuggling"],
    level: "SHOULD",
    role: "server",
    needs: ["post"],
    title: "The server does not end the trailer section at CR and another octet than LF.",
    steps: [send(`${request("POST", CHUNKED)}5\r\nhello\r\n0\r\n\rX`)],
    control: [send(plainChunks)],
    allowed: [...noFraming(), answeredFirst],
  },
  {
    id: "http1/chunk-end-two-octets",
    spec: "rfc9112#7.1",
    covers: ["rfc9112#2.2/no-match", "rfc9112#11.2/no-smuggling"],
    level: "SHOULD",
    role: "server",
    needs: ["post"],
    title: "The server does not pass over two octets in place of the empty line after the last chunk.",
    // Followed by the request of the fence, the two octets are a trailer line without a colon.
    steps: [send(`${request("POST", CHUNKED)}5\r\nhello\r\n0\r\nXX`)],
    control: [send(plainChunks)],
    allowed: [...noFraming(), answeredFirst],
  },
];
