import { chunked, INNER, plainChunks, takenContent, tookContent, wrongChunks } from "./framing-phrases.ts";
import { permitted, send, servedWith } from "./phrases.ts";
import type { Case, Outcome, Text } from "./vocabulary.ts";

const HELLO = "5\r\nhello\r\n0\r\n";
const taken = (id: Case["id"], title: string, trailer: Text): Case =>
  takenContent(id, "7.1/decode", "rfc9112#7.1.2", title, chunked(`${HELLO}${trailer}\r\n`), plainChunks);
const wrong = (id: Case["id"], title: string, trailer: Text, ...others: readonly Outcome[]): Case => ({
  ...wrongChunks(id, "2.2/no-match", "rfc9112#7.1.2", title, `${HELLO}${trailer}\r\n`, ...others),
  level: "SHOULD",
});

/** A field that must not be merged: what it says of framing, or of the connection, has no effect; refusing it is as good. */
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
  allowed: [...tookContent, permitted({ see: "error and close", status: ["4xx"] }, "rfc9110#6.5.1")],
});

const bareLf = permitted(tookContent[0].see, "rfc9112#2.2", "warn");

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
  wrong("http1/trailer-without-colon", "The server refuses a trailer line without a colon.", "X-A\r\n"),
  wrong("http1/trailer-space-before-colon", "The server refuses white space before the colon of a trailer field.", "X-A : b\r\n"),
  wrong("http1/trailer-empty-name", "The server refuses a trailer field without a name.", ": b\r\n"),
  wrong("http1/trailer-nul", "The server refuses a NUL in a trailer field.", "X-A: a\0b\r\n"),
  wrong("http1/trailer-bare-cr", "The server refuses a CR alone in a trailer field.", "X-A: a\rb\r\n"),
  wrong("http1/trailer-bare-lf", "The server refuses a trailer line that ends in LF alone.", "X-A: b\n", bareLf),
  wrong("http1/trailer-name-with-space", "The server refuses a space inside the name of a trailer field.", "X A: b\r\n"),
  {
    ...wrong(
      "http1/trailer-fold",
      "The server refuses a trailer field on a folded line, or reads it as one.",
      "X-A: b\r\n c\r\n",
      permitted(tookContent[0].see, "rfc9112#5.2"),
    ),
    covers: ["rfc9112#5.2/fold-in-request"],
  },
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
      permitted(tookContent[0].see, "rfc9110#5.4", "warn"),
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
