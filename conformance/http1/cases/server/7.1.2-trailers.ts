import { acceptsContent, answeredUnread, chunked, contentAccepted, INNER, plainChunks, rejectsChunks } from "../framing-phrases.ts";
import { permitted, send, servedWith } from "../phrases.ts";
import type { Case, Outcome, Text } from "../../vocabulary.ts";

/** RFC 9112, section 7.1.2: the trailer section of a request. */

const HELLO = "5\r\nhello\r\n0\r\n";
const valid = (id: Case["id"], title: string, trailer: Text): Case =>
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
  valid("http1/trailer-one", "The server accepts a trailer field.", "X-A: b\r\n"),
  valid("http1/trailer-several", "The server accepts several trailer fields.", "X-A: b\r\nX-B: c\r\nX-A: d\r\n"),
  valid("http1/trailer-empty-value", "The server accepts a trailer field with an empty value.", "X-A:\r\n"),
  valid("http1/trailer-looks-like-chunk", "The server does not read a trailer field as a chunk.", "5: hello\r\n"),
  notMerged("http1/trailer-content-length", "The server does not use Content-Length from the trailer section.", "Content-Length: 500"),
  notMerged(
    "http1/trailer-transfer-encoding",
    "The server does not use Transfer-Encoding from the trailer section.",
    "Transfer-Encoding: chunked",
  ),
  notMerged("http1/trailer-host", "The server does not use Host from the trailer section.", "Host: other.example"),
  wrong({ id: "http1/trailer-without-colon", title: "The server rejects a trailer line without a colon.", trailer: "X-A\r\n" }),
  wrong({
    id: "http1/trailer-space-before-colon",
    title: "The server rejects whitespace before the colon of a trailer field.",
    trailer: "X-A : b\r\n",
  }),
  wrong({ id: "http1/trailer-empty-name", title: "The server rejects a trailer field without a name.", trailer: ": b\r\n" }),
  wrong({ id: "http1/trailer-nul", title: "The server rejects NUL in a trailer field.", trailer: "X-A: a\0b\r\n" }),
  wrong({ id: "http1/trailer-bare-cr", title: "The server rejects a bare CR in a trailer field.", trailer: "X-A: a\rb\r\n" }),
  wrong({
    id: "http1/trailer-bare-lf",
    title: "The server rejects a trailer line that ends in a bare LF.",
    trailer: "X-A: b\n",
    others: [bareLf],
  }),
  wrong({
    id: "http1/trailer-name-with-space",
    title: "The server rejects a space inside the name of a trailer field.",
    trailer: "X A: b\r\n",
  }),
  wrong({
    id: "http1/trailer-fold",
    title: "The server rejects a folded trailer field, or unfolds it.",
    trailer: "X-A: b\r\n c\r\n",
    others: [permitted(contentAccepted[0].see, "rfc9112#5.2")],
    covers: ["rfc9112#5.2/fold-in-request"],
  }),
  {
    id: "http1/trailers-beyond-measure",
    spec: "rfc9110#5.4",
    covers: ["rfc9110#5.4/too-large-trailers"],
    level: "SHOULD",
    role: "server",
    needs: ["post"],
    title: "The server answers 4xx to a trailer section above its limit, as it does for header fields.",
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
    title: "The server reads the request after the empty line that ends the trailers as the next one.",
    steps: [send(chunked(`${HELLO}X-A: b\r\n\r\n${INNER}`))],
    control: [send(plainChunks)],
    allowed: [{ see: servedWith(3, { see: "response", nth: 2, like: "missing" }) }, answeredUnread],
  },
];
