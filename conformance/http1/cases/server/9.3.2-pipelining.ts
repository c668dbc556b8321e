import {
  answered,
  closedAfter,
  type Entry,
  get,
  head,
  likePath,
  NOWHERE,
  permitted,
  refusedWith,
  request,
  send,
  served,
  servedWith,
} from "../phrases.ts";
import type { Case, Sight, Step, Text } from "../../vocabulary.ts";

/** RFC 9112, section 9.3.2: pipelined requests, whole and cut into pieces. */

const host = "Host: {authority}";
const echo = (content: Text): Text => `${head("POST {echo} HTTP/1.1", host, `Content-Length: ${content.length}`)}${content}`;
const echoInChunks = (content: Text): Text =>
  `${head("POST {echo} HTTP/1.1", host, "Transfer-Encoding: chunked")}${[...content].map((letter) => `1\r\n${letter}\r\n`).join("")}0\r\n\r\n`;
const echoed = (nth: number, body: Text): Sight => answered(nth, { body });

/** Two requests whose responses differ in status. */
const PAIR = `${get()}${NOWHERE}`;
const PAIR_ANSWERED: Sight = servedWith(3, likePath(1), answered(2, { like: "missing" }));
/** Requests whose responses show how the server read their content. */
const CONTENT = `${echo("first")}${echoInChunks("second")}${echo("")}`;
const CONTENT_ANSWERED: Sight = servedWith(4, echoed(1, "first"), echoed(2, "second"), echoed(3, ""));

const pipelined = (entry: Entry & Pick<Case, "needs" | "steps" | "control" | "allowed">): Case => ({
  spec: "rfc9112#9.3.2",
  covers: ["rfc9112#9.3.2/in-order"],
  level: "MUST",
  role: "server",
  ...entry,
});

const octets = (count: number): string => `${count} octet${count === 1 ? "" : "s"}`;
/** The same octets in pieces of one size. */
const inPieces = (cut: number): Case[] => [
  pipelined({
    id: `http1/pipelined-in-pieces-of-${cut}-octets`,
    title: `The server answers two requests that arrive in pieces of ${octets(cut)} in order.`,
    needs: ["pipelining", "distinct"],
    steps: [send(PAIR, { cut })],
    control: [send(PAIR)],
    allowed: [{ see: PAIR_ANSWERED }],
  }),
  pipelined({
    id: `http1/pipelined-content-in-pieces-of-${cut}-octets`,
    title: `The server answers requests with content that arrive in pieces of ${octets(cut)} with that content.`,
    needs: ["pipelining", "echo"],
    steps: [send(CONTENT, { cut })],
    control: [send(CONTENT)],
    allowed: [{ see: CONTENT_ANSWERED }],
  }),
];

/** So that a server reads two writes one by one. */
const APART: Step = { do: "wait", ms: 30 };

/** Cut in one place, with a good part of the second request still to come. */
const cutAt = (name: string, where: string, pieces: readonly Text[]): Case =>
  pipelined({
    id: `http1/pipelined-cut-${name}`,
    title: `The server answers two requests, cut ${where}, in order.`,
    needs: ["pipelining", "distinct"],
    steps: pieces.flatMap((text, at): Step[] => (at === 0 ? [send(text)] : [APART, send(text)])),
    control: [send(PAIR)],
    allowed: [{ see: PAIR_ANSWERED }],
  });
const contentCutAt = (name: string, where: string, mark: Text): Case =>
  pipelined({
    id: `http1/pipelined-cut-in-${name}`,
    title: `The server answers requests with content, cut ${where}, with that content.`,
    needs: ["pipelining", "echo"],
    steps: after(CONTENT, mark).map((text): Step => send(text)),
    control: [send(CONTENT)],
    allowed: [{ see: CONTENT_ANSWERED }],
  });
/** The text, cut after the n-th occurrence of this mark. */
function after(text: Text, mark: Text, nth = 1): [Text, Text] {
  let at = -1;
  for (let n = 0; n < nth; n++) at = text.indexOf(mark, at + 1);
  return [text.slice(0, at + mark.length), text.slice(at + mark.length)];
}

export const cases: readonly Case[] = [
  pipelined({
    id: "http1/pipelined-in-order",
    title: "The server answers pipelined requests in order.",
    needs: ["pipelining", "distinct"],
    steps: [send(`${get()}${NOWHERE}${get()}${get()}${NOWHERE}${NOWHERE}${get()}`)],
    control: [send(get())],
    allowed: [
      {
        see: servedWith(8, ...[1, 3, 4, 7].map((nth) => likePath(nth)), ...[2, 5, 6].map((nth) => answered(nth, { like: "missing" }))),
      },
    ],
  }),
  pipelined({
    id: "http1/pipelined-content-in-order",
    title: "The server answers pipelined requests with content in order, each with its own content.",
    needs: ["pipelining", "echo"],
    steps: [send(CONTENT)],
    control: [send(echo("first"))],
    allowed: [{ see: CONTENT_ANSWERED }],
  }),
  pipelined({
    id: "http1/pipelined-chunked-responses",
    title: "The server sends responses in chunks one after another, whichever of them it could make first.",
    needs: ["pipelining", "chunked"],
    steps: [send(head("GET {chunked} HTTP/1.1", host).repeat(3))],
    control: [send(head("GET {chunked} HTTP/1.1", host))],
    allowed: [{ see: servedWith(4, ...[1, 2, 3].map((nth) => answered(nth, { framing: "chunked" }))) }],
  }),
  pipelined({
    id: "http1/pipelined-head-between",
    title: "The server answers HEAD between other pipelined requests in its place and without content.",
    needs: ["pipelining", "head", "distinct"],
    steps: [send(`${get()}${request("HEAD")}${NOWHERE}${request("HEAD")}`)],
    control: [send(`${request("HEAD")}`)],
    allowed: [
      {
        see: servedWith(
          5,
          likePath(1),
          likePath(2, { framing: "none" }),
          answered(3, { like: "missing" }),
          likePath(4, { framing: "none" }),
          {
            see: "holds",
            monitor: "no octets between responses",
          },
        ),
      },
    ],
  }),
  pipelined({
    id: "http1/pipelined-hundred",
    title: "The server answers a hundred requests in one write.",
    needs: ["pipelining"],
    steps: [{ do: "repeat", text: get(), times: 100 }],
    control: [send(get())],
    allowed: [{ see: served(101) }],
  }),
  pipelined({
    id: "http1/pipelined-thousand",
    title: "The server answers a thousand pipelined requests, or closes the connection after announcing it.",
    needs: ["pipelining"],
    steps: [{ do: "repeat", text: get(), times: 1000 }],
    control: [send(get())],
    allowed: [
      { see: served(1001) },
      permitted({ see: "all", of: [likePath(100, { fields: [] }), { see: "connection closed" }] }, "rfc9112#9.5"),
    ],
  }),
  pipelined({
    id: "http1/pipelined-behind-close",
    title: "The server answers nothing after a request with Connection: close.",
    spec: "rfc9112#9.6",
    covers: ["rfc9112#9.6/server-ignores-rest", "rfc9112#9.6/server-closes"],
    level: "MUST NOT",
    needs: ["pipelining"],
    steps: [send(`${get()}${get("Connection: close")}${get()}${get()}`)],
    control: [send(`${get()}${get("Connection: close")}`)],
    allowed: [
      { see: { see: "all", of: [likePath(1), likePath(2), closedAfter(2)] } },
      // It may close the connection at any time, but loses responses that are due.
      permitted({ see: "all", of: [likePath(1), closedAfter(1)] }, "rfc9112#9.5", "warn"),
      permitted(closedAfter(0), "rfc9112#9.5", "warn"),
    ],
  }),
  pipelined({
    id: "http1/pipelined-behind-close-of-the-server",
    title: "The server that closes the connection after a method it does not know answers no request after that one.",
    spec: "rfc9112#9.6",
    covers: ["rfc9112#9.6/own-close-ignores-rest", "rfc9112#9.6/own-close"],
    level: "MUST NOT",
    needs: ["pipelining"],
    steps: [send(`${request("BREW")}${get()}${get()}`)],
    control: [send(`${get()}${get()}${get()}`)],
    allowed: [
      { see: servedWith(4, { see: "holds", monitor: "nothing after close" }) },
      permitted({ see: "all", of: [answered(1), closedAfter(1)] }, "rfc9112#9.6"),
    ],
  }),
  pipelined({
    id: "http1/pipelined-behind-bad-request",
    title: "The server answers the requests before an invalid one first, then rejects that one.",
    needs: ["pipelining"],
    steps: [send(`${get()}${get()}${head("GET {path} HTTP/1.1", host, "X-Odd : 1")}`)],
    control: [send(`${get()}${get()}${get("X-Odd: 1")}`)],
    allowed: [
      {
        see: {
          see: "all",
          of: [likePath(1), likePath(2), refusedWith([400], 3)],
        },
      },
      permitted({ see: "all", of: [likePath(1), likePath(2), refusedWith(["4xx"], 3)] }, "rfc9110#15.5", "warn"),
      permitted({ see: "all", of: [likePath(1), likePath(2), closedAfter(2)] }, "rfc9112#9.5", "warn"),
      permitted({ see: "all", of: [likePath(1), closedAfter(1)] }, "rfc9112#9.5", "warn"),
      permitted(closedAfter(0), "rfc9112#9.5", "warn"),
    ],
  }),
  pipelined({
    id: "http1/pipelined-while-answering",
    title: "The server answers a request that arrives during the previous response after it.",
    needs: ["keep-alive", "distinct"],
    steps: [send(get()), send(NOWHERE), send(get()), send(NOWHERE)],
    control: [send(get())],
    allowed: [{ see: servedWith(5, likePath(1), answered(2, { like: "missing" }), likePath(3), answered(4, { like: "missing" })) }],
  }),
  ...[1, 2, 3, 7, 16, 64].flatMap(inPieces),
  cutAt("in-method", "inside the second method", after(PAIR, "GE", 2)),
  cutAt("behind-method", "after the second method", after(PAIR, "GET", 2)),
  cutAt("in-version", "inside the first version", after(PAIR, "HTTP/1")),
  cutAt("in-first-line-end", "between CR and LF of the first line", after(PAIR, "HTTP/1.1\r")),
  cutAt("behind-first-line", "after the first line", after(PAIR, "HTTP/1.1\r\n")),
  cutAt("in-field-name", "inside a field name", after(PAIR, "\r\nHo")),
  cutAt("behind-colon", "after a colon", after(PAIR, "Host:")),
  cutAt("in-empty-line", "between CR and LF of the empty line", after(PAIR, "\r\n\r")),
  cutAt("before-empty-line", "before the empty line", after(PAIR, "{authority}\r\n")),
  cutAt("between-requests", "between them", after(PAIR, "\r\n\r\n")),
  contentCutAt("head-and-content", "between head and content", "\r\n\r\n"),
  contentCutAt("content", "inside the content", "\r\n\r\nfi"),
  contentCutAt("chunk-size", "inside a chunk-size line", "chunked\r\n\r\n1\r"),
  contentCutAt("chunk-end", "between CR and LF after a chunk", "1\r\ns\r"),
  contentCutAt("last-chunk", "after the size of the last chunk", "d\r\n0\r\n"),
];
