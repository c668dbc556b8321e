import { permitted } from "../phrases.ts";
import type { Case, Text } from "../../vocabulary.ts";
import {
  chunk,
  CHUNKS,
  CONTENT,
  EVIL,
  fails,
  ignoresExtra,
  inChunks,
  LAST,
  ok,
  printsBoth,
  secondOn,
  TWICE,
  twice,
  whole,
} from "./phrases.ts";

/** RFC 9112, section 9.2: which response belongs to which request. */

const spec = "rfc9112#9.2";
const covers: Case["covers"] = ["rfc9112#9.2/unasked", "rfc9112#6.3/extra-data-no-response"];

/** The connection is unusable afterwards: the client cannot tell where the next response begins. */
const ambiguous = (id: Case["id"], title: string, text: Text): Case => ({
  id,
  spec,
  covers: ["rfc9112#9.2/unasked-close"],
  level: "SHOULD",
  role: "client",
  needs: ["reuse", "output"],
  ask: TWICE,
  title,
  steps: twice(text),
  control: twice(whole()),
  allowed: [
    { see: { see: "all", of: [printsBoth(), secondOn("new")] } },
    // The client gave up before the second request.
    permitted({ see: "all", of: [fails, { see: "requests", count: 1 }] }, "rfc9112#9.2"),
  ],
});

export const cases: readonly Case[] = [
  ignoresExtra({
    id: "http1/client-second-response",
    spec,
    covers,
    title: "The client does not use a second response after the first for the next request.",
    text: whole() + EVIL,
  }),
  ignoresExtra({
    id: "http1/client-second-response-after-chunks",
    spec,
    covers,
    title: "The client does not use a second response after the last chunk for the next request.",
    text: inChunks(CHUNKS) + EVIL,
    right: inChunks(CHUNKS),
  }),
  ignoresExtra({
    id: "http1/client-second-response-after-204",
    spec,
    covers: ["rfc9112#9.2/unasked", "rfc9112#6.3/no-body"],
    title: "The client does not use the declared content of a 204 as the response to the next request.",
    text: `HTTP/1.1 204 No Content\r\nContent-Length: ${EVIL.length}\r\n\r\n${EVIL}`,
    right: "HTTP/1.1 204 No Content\r\n\r\n",
    first: "",
  }),
  ignoresExtra({
    id: "http1/client-second-response-in-longer-content",
    spec,
    covers,
    title: "The client does not use a response inside overlong content for the next request.",
    text: `${ok("Content-Length: 10")}${CONTENT}${EVIL}${LAST}`,
  }),
  ignoresExtra({
    id: "http1/client-second-response-after-zero",
    spec,
    covers,
    title: "The client does not use a second response after one with Content-Length: 0 for the next request.",
    text: whole("") + EVIL,
    first: "",
  }),
  ignoresExtra({
    id: "http1/client-interim-behind-the-response",
    spec,
    covers: ["rfc9112#9.2/unasked"],
    title: "The client does not use interim and final responses after the first for the next request.",
    text: `${whole()}HTTP/1.1 100 Continue\r\n\r\n${EVIL}`,
  }),
  ignoresExtra({
    id: "http1/client-half-a-response-behind",
    spec,
    covers,
    title: "The client does not join half a head after the response with the next one.",
    text: `${whole()}HTTP/1.1 200 OK\r\nContent-Length: 3\r\nX-Odd: `,
  }),
  ignoresExtra({
    id: "http1/client-garbage-behind-the-response",
    spec,
    covers: ["rfc9112#9.2/unasked"],
    title: "The client does not let invalid octets after a response silently damage the next one.",
    text: `${whole()}xyz`,
  }),
  ignoresExtra({
    id: "http1/client-line-ends-behind-the-response",
    spec,
    covers: ["rfc9112#9.2/unasked"],
    title: "The client does not let line ends after a response silently damage the next one.",
    text: `${whole()}\r\n\r\n`,
  }),
  ignoresExtra({
    id: "http1/client-chunk-behind-the-last",
    spec,
    covers: ["rfc9112#6.3/chunked", "rfc9112#9.2/unasked"],
    title: "The client uses a chunk after the last one neither as content nor as the next response.",
    text: inChunks(`${chunk(CONTENT)}${LAST}${chunk("more")}${LAST}`),
    right: inChunks(CHUNKS),
  }),
  ambiguous(
    "http1/client-closes-after-a-second-response",
    "The client closes a connection that delivered an unrequested response.",
    whole() + EVIL,
  ),
  ambiguous("http1/client-closes-after-garbage", "The client closes a connection that delivered octets after a response.", `${whole()}xyz`),
];
