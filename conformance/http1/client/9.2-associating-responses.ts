import { permitted } from "../phrases.ts";
import type { Case, Text } from "../vocabulary.ts";
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

/** The connection is useless afterwards: nobody knows where the next response begins. */
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
    title: "A second response behind the first is not the answer to the next request.",
    text: whole() + EVIL,
  }),
  ignoresExtra({
    id: "http1/client-second-response-after-chunks",
    spec,
    covers,
    title: "Nor is one behind the last chunk.",
    text: inChunks(CHUNKS) + EVIL,
    right: inChunks(CHUNKS),
  }),
  ignoresExtra({
    id: "http1/client-second-response-after-204",
    spec,
    covers: ["rfc9112#9.2/unasked", "rfc9112#6.3/no-body"],
    title: "What follows a 204, its announced content too, is not the answer to the next request.",
    text: `HTTP/1.1 204 No Content\r\nContent-Length: ${EVIL.length}\r\n\r\n${EVIL}`,
    right: "HTTP/1.1 204 No Content\r\n\r\n",
    first: "",
  }),
  ignoresExtra({
    id: "http1/client-second-response-in-longer-content",
    spec,
    covers,
    title: "Content longer than its length does not hold the answer to the next request.",
    text: `${ok("Content-Length: 10")}${CONTENT}${EVIL}${LAST}`,
  }),
  ignoresExtra({
    id: "http1/client-second-response-after-zero",
    spec,
    covers,
    title: "What follows a response of the length 0 is not the answer to the next request.",
    text: whole("") + EVIL,
    first: "",
  }),
  ignoresExtra({
    id: "http1/client-interim-behind-the-response",
    spec,
    covers: ["rfc9112#9.2/unasked"],
    title: "An interim and a final response behind the first are not the answer to the next request.",
    text: `${whole()}HTTP/1.1 100 Continue\r\n\r\n${EVIL}`,
  }),
  ignoresExtra({
    id: "http1/client-half-a-response-behind",
    spec,
    covers,
    title: "Half a head behind the response does not become the head of the next one.",
    text: `${whole()}HTTP/1.1 200 OK\r\nContent-Length: 3\r\nX-Odd: `,
  }),
  ignoresExtra({
    id: "http1/client-garbage-behind-the-response",
    spec,
    covers: ["rfc9112#9.2/unasked"],
    title: "Octets that are no response, behind one, do not spoil the next request without a word.",
    text: `${whole()}xyz`,
  }),
  ignoresExtra({
    id: "http1/client-line-ends-behind-the-response",
    spec,
    covers: ["rfc9112#9.2/unasked"],
    title: "Line ends behind a response do not spoil the next request without a word.",
    text: `${whole()}\r\n\r\n`,
  }),
  ignoresExtra({
    id: "http1/client-chunk-behind-the-last",
    spec,
    covers: ["rfc9112#6.3/chunked", "rfc9112#9.2/unasked"],
    title: "A chunk behind the last one is no content, and no answer either.",
    text: inChunks(`${chunk(CONTENT)}${LAST}${chunk("more")}${LAST}`),
    right: inChunks(CHUNKS),
  }),
  ambiguous(
    "http1/client-closes-after-a-second-response",
    "A connection that brought a response nobody asked for is closed.",
    whole() + EVIL,
  ),
  ambiguous("http1/client-closes-after-garbage", "A connection that brought octets of no response is closed.", `${whole()}xyz`),
];
