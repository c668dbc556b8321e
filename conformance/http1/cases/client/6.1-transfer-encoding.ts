import { permitted } from "../phrases.ts";
import type { Case, Text } from "../../vocabulary.ts";
import {
  accepts,
  answer,
  CHUNKS,
  CONTENT,
  fails,
  inChunks,
  lastAnswer,
  ok,
  orFails,
  orPrints,
  rejects,
  secondOn,
  twice,
  TWICE,
  whole,
} from "./phrases.ts";

/** RFC 9112, sections 6.1 and 6.3: Transfer-Encoding in a response. */

/** The final coding is not chunked, and the content looks like chunks: an error, or content until the connection closes; never chunks. */
const notChunked = (id: Case["id"], title: string, ...fields: readonly Text[]): Case =>
  rejects({
    id,
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/response-coding-not-chunked"],
    title,
    text: `${ok(...fields)}${CHUNKS}`,
    right: inChunks(CHUNKS),
    others: [orPrints("rfc9112#6.3", CHUNKS)],
  });

export const cases: readonly Case[] = [
  accepts({
    id: "http1/client-coding-any-case",
    spec: "rfc9112#7",
    covers: ["rfc9112#7/case-insensitive"],
    title: "The client compares names of transfer codings without regard to case.",
    text: `${ok("Transfer-Encoding: cHuNkEd")}${CHUNKS}`,
    control: [answer(whole())],
  }),
  accepts({
    id: "http1/client-coding-empty-members",
    spec: "rfc9110#5.6.1.2",
    covers: ["rfc9110#5.6.1.2/empty-elements"],
    title: "The client ignores empty members in the list of transfer codings.",
    text: `${ok("Transfer-Encoding: , ,chunked, ,")}${CHUNKS}`,
    control: [answer(inChunks(CHUNKS))],
  }),
  notChunked(
    "http1/client-coding-after-chunked",
    "The client reads until the connection closes, or rejects the response, if chunked is not the final coding.",
    "Transfer-Encoding: chunked, x-odd",
  ),
  notChunked(
    "http1/client-coding-after-chunked-in-two-lines",
    "The client combines two Transfer-Encoding lines, of which the second is the final coding.",
    "Transfer-Encoding: chunked",
    "Transfer-Encoding: x-odd",
  ),
  notChunked(
    "http1/client-coding-like-chunked",
    "The client does not treat a coding whose name ends in chunked as chunked.",
    "Transfer-Encoding: xchunked",
  ),
  notChunked(
    "http1/client-coding-begins-like-chunked",
    "The client does not treat a coding whose name begins with chunked as chunked.",
    "Transfer-Encoding: chunkedfoo",
  ),
  notChunked("http1/client-coding-quoted", "The client does not treat a coding in quotes as chunked.", 'Transfer-Encoding: "chunked"'),
  notChunked(
    "http1/client-coding-vertical-tab",
    "The client reads a vertical tab before chunked as part of the value.",
    "Transfer-Encoding: \x0bchunked",
  ),
  notChunked(
    "http1/client-coding-other-white-space",
    "The client reads whitespace of other encodings before chunked as part of the value.",
    "Transfer-Encoding: \xa0chunked",
  ),
  rejects({
    id: "http1/client-coding-unknown-and-length",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/response-coding-not-chunked", "rfc9112#6.3/coding-overrides-length"],
    title: "The client ignores Content-Length next to an unknown coding: it rejects the response or reads until the connection closes.",
    text: `${ok("Transfer-Encoding: x-odd", "Content-Length: 5")}${CONTENT}`,
    right: whole(),
    others: [orPrints("rfc9112#6.3")],
  }),
  rejects({
    id: "http1/client-chunked-with-parameter",
    spec: "rfc9112#7.1",
    covers: ["rfc9112#7.1/no-parameters"],
    level: "SHOULD",
    title: "The client rejects chunked with a parameter.",
    text: `${ok("Transfer-Encoding: chunked;a=b")}${CHUNKS}`,
    right: inChunks(CHUNKS),
  }),
  {
    id: "http1/client-coding-from-an-older-server",
    spec: "rfc9112#6.1",
    covers: ["rfc9112#6.1/http-1.0"],
    level: "MUST",
    role: "client",
    needs: ["reuse"],
    ask: TWICE,
    title: "The client does not reuse a connection after an HTTP/1.0 response with Transfer-Encoding, whose framing is faulty.",
    steps: [
      answer(`HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n${CHUNKS}`, { close: "end" }),
      answer(whole("again"), { nth: 2 }),
    ],
    control: twice(inChunks(CHUNKS)),
    allowed: [{ see: secondOn("new") }, permitted({ see: "all", of: [fails, { see: "requests", count: 1 }] }, "rfc9112#6.1")],
  },
  accepts({
    id: "http1/client-coding-from-an-older-server-read",
    spec: "rfc9112#6.1",
    covers: ["rfc9112#6.1/http-1.0"],
    title: "The client does not silently truncate an HTTP/1.0 response with Transfer-Encoding.",
    text: `HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n${CHUNKS}`,
    close: "end",
    needs: ["status"],
    others: [orFails("rfc9112#6.1"), orPrints("rfc9112#2.3", CHUNKS)],
    control: [lastAnswer(`HTTP/1.0 200 OK\r\nContent-Length: ${CONTENT.length}\r\n\r\n${CONTENT}`)],
  }),
];
