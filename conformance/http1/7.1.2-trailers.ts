import { acceptsContent, chunked, contentAccepted, INNER, plainChunks, rejectsChunks } from "./framing-phrases.ts";
import { permitted, send, servedWith } from "./phrases.ts";
import type { Case, Outcome, Text } from "./vocabulary.ts";

/** RFC 9112, section 7.1.2: the trailer section of a request. */

const HELLO = "5\r\nhello\r\n0\r\n";
const taken = (id: Case["id"], title: string, trailer: Text): Case =>
  acceptsContent({
    id,
    requirement: "7.1/decode",
    spec: "rfc9112#7.1.2",
    title,
    text: chunked(`${HELLO}${trailer}\r\n`),
    right: plainChunks,
  });
const wrong = ({
  trailer,
  ...entry
}: Pick<Case, "id" | "title"> & Partial<Pick<Case, "covers">> & { readonly trailer: Text; readonly others?: readonly Outcome[] }): Case =>
  rejectsChunks({ requirement: "2.2/no-match", spec: "rfc9112#7.1.2", level: "SHOULD", content: `${HELLO}${trailer}\r\n`, ...entry });

/** A trailer field about framing or routing has no effect; the server may also reject the request. */
const notMerged = (id: Case["id"], title: string, trailer: Text): Case => ({
  id,
  spec: "rfc9112#7.1.2",
  covers: ["rfc9112#7.1.2/not-merged"],
  level: "MUST NOT",
  role: "server",
  needs: ["post"],
  title,
  steps: [send(chunked(`${HELLO}${trailer}\r\n\r\n`))],
  control: [send(plainChunks)],
  allowed: [...contentAccepted, permitted({ see: "error and close", status: ["4xx"] }, "rfc9110#6.5.1")],
});

const bareLf = permitted(contentAccepted[0].see, "rfc9112#2.2", "warn");

export const cases: readonly Case[] = [
  taken("http1/trailer-one", "The server takes a trailer field.", "X-A: b\r\n"),
  taken("http1/trailer-several", "The server takes several trailer fields.", "X-A: b\r\nX-B: c\r\nX-A: d\r\n"),
  taken("http1/trailer-empty-value", "The server takes a trailer field without a value.", "X-A:\r\n"),
  taken("http1/trailer-looks-like-chunk", "The server takes no chunk from a trailer field.", "5: hello\r\n"),
  notMerged("http1/trailer-content-length", "A Content-Length among the trailers says nothing of the length.", "Content-Length: 500"),
  notMerged(
    "http1/trailer-transfer-encoding",
    "A Transfer-Encoding among the trailers says nothing of the coding.",
    "Transfer-Encoding: chunked",
  ),
  notMerged("http1/trailer-host", "A Host among the trailers does not make the request a wrong one.", "Host: other.example"),
  wrong({ id: "http1/trailer-without-colon", title: "The server refuses a trailer line without a colon.", trailer: "X-A\r\n" }),
  wrong({
    id: "http1/trailer-space-before-colon",
    title: "The server refuses white space before the colon of a trailer field.",
    trailer: "X-A : b\r\n",
  }),
  wrong({ id: "http1/trailer-empty-name", title: "The server refuses a trailer field without a name.", trailer: ": b\r\n" }),
  wrong({ id: "http1/trailer-nul", title: "The server refuses a NUL in a trailer field.", trailer: "X-A: a\0b\r\n" }),
  wrong({ id: "http1/trailer-bare-cr", title: "The server refuses a CR alone in a trailer field.", trailer: "X-A: a\rb\r\n" }),
  wrong({
    id: "http1/trailer-bare-lf",
    title: "The server refuses a trailer line that ends in LF alone.",
    trailer: "X-A: b\n",
    others: [bareLf],
  }),
  wrong({
    id: "http1/trailer-name-with-space",
    title: "The server refuses a space inside the name of a trailer field.",
    trailer: "X A: b\r\n",
  }),
  wrong({
    id: "http1/trailer-fold",
    title: "The server refuses a trailer field on a folded line, or reads it as one.",
    trailer: "X-A: b\r\n c\r\n",
    others: [permitted(contentAccepted[0].see, "rfc9112#5.2")],
    covers: ["rfc9112#5.2/fold-in-request"],
  }),
  {
    id: "http1/trailers-beyond-measure",
    spec: "rfc9110#5.4",
    covers: ["rfc9110#5.4/too-large"],
    level: "MUST",
    role: "server",
    needs: ["post"],
    title: "The server answers trailers that are larger than it wants with a 4xx, as it does header fields.",
    steps: [send(chunked(HELLO)), { do: "repeat", text: `X-A: ${"a".repeat(1000)}\r\n`, times: 1000 }, send("\r\n")],
    control: [send(plainChunks)],
    allowed: [
      { see: { see: "error and close", status: ["4xx"] } },
      permitted({ see: "error and keep-alive", status: ["4xx"] }, "rfc9110#5.4"),
      permitted({ see: "closed after", responses: 0 }, "rfc9112#9.5", "warn"),
      permitted({ see: "closed after", responses: 1 }, "rfc9112#9.3", "warn"),
      permitted(contentAccepted[0].see, "rfc9110#5.4", "warn"),
    ],
  },
  {
    id: "http1/trailers-then-request",
    spec: "rfc9112#7.1",
    covers: ["rfc9112#7.1/decode"],
    level: "MUST",
    role: "server",
    needs: ["post", "distinct", "pipelining"],
    title: "The request behind the empty line that ends the trailers is the next one.",
    steps: [send(chunked(`${HELLO}X-A: b\r\n\r\n${INNER}`))],
    control: [send(plainChunks)],
    allowed: [{ see: servedWith(3, { see: "response", nth: 2, like: "missing" }) }],
  },
];
