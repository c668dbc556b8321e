import { NOWHERE, answered, closedAfter, get, head, likePath, permitted, request, send, served, servedWith } from "./phrases.ts";
import type { Case, Sight, Step, Text } from "./vocabulary.ts";

const host = "Host: {authority}";
const echo = (content: Text): Text => `${head("POST {echo} HTTP/1.1", host, `Content-Length: ${content.length}`)}${content}`;
const echoInChunks = (content: Text): Text =>
  `${head("POST {echo} HTTP/1.1", host, "Transfer-Encoding: chunked")}${[...content].map((letter) => `1\r\n${letter}\r\n`).join("")}0\r\n\r\n`;
const echoed = (nth: number, body: Text): Sight => answered(nth, { body });

/** Two answers that can be told apart: the path's, and one that is not there. */
const PAIR = `${get()}${NOWHERE}`;
const PAIR_ANSWERED: Sight = servedWith(3, likePath(1), answered(2, { like: "missing" }));
/** Content, whose answer shows what was taken for it. */
const CONTENT = `${echo("first")}${echoInChunks("second")}${echo("")}`;
const CONTENT_ANSWERED: Sight = servedWith(4, echoed(1, "first"), echoed(2, "second"), echoed(3, ""));

/** The same octets in pieces of every size give the same answers. */
const inPieces = (cut: number): Case[] => [
  {
    ...base(
      `http1/pipelined-in-pieces-of-${cut}-octets`,
      `Two requests in pieces of ${cut} octet${cut === 1 ? "" : "s"} are answered in their order.`,
    ),
    needs: ["pipelining", "distinct"],
    steps: [send(PAIR, { cut })],
    control: [send(PAIR)],
    allowed: [{ see: PAIR_ANSWERED }],
  },
  {
    ...base(
      `http1/pipelined-content-in-pieces-of-${cut}-octets`,
      `Requests with content, in pieces of ${cut} octet${cut === 1 ? "" : "s"}, are answered with their content.`,
    ),
    needs: ["pipelining", "echo"],
    steps: [send(CONTENT, { cut })],
    control: [send(CONTENT)],
    allowed: [{ see: CONTENT_ANSWERED }],
  },
];

function base(id: Case["id"], title: string): Pick<Case, "id" | "spec" | "covers" | "level" | "role" | "title"> {
  return { id, spec: "rfc9112#9.3.2", covers: ["rfc9112#9.3.2/in-order"], level: "MUST", role: "server", title };
}

/** Cut in one place, behind which a good part of the second request is still to come. */
const cutAt = (name: string, where: string, pieces: readonly Text[]): Case => ({
  ...base(`http1/pipelined-cut-${name}`, `Two requests cut ${where} are answered in their order.`),
  needs: ["pipelining", "distinct"],
  steps: pieces.map((text): Step => send(text)),
  control: [send(PAIR)],
  allowed: [{ see: PAIR_ANSWERED }],
});
/** The text, cut behind the n-th place where this stands. */
function behind(text: Text, mark: Text, nth = 1): [Text, Text] {
  let at = -1;
  for (let n = 0; n < nth; n++) at = text.indexOf(mark, at + 1);
  return [text.slice(0, at + mark.length), text.slice(at + mark.length)];
}

export const cases: readonly Case[] = [
  {
    ...base("http1/pipelined-in-order", "Requests in one write are answered in their order."),
    needs: ["pipelining", "distinct"],
    steps: [send(`${get()}${NOWHERE}${get()}${get()}${NOWHERE}${NOWHERE}${get()}`)],
    control: [send(get())],
    allowed: [
      {
        see: servedWith(8, ...[1, 3, 4, 7].map((nth) => likePath(nth)), ...[2, 5, 6].map((nth) => answered(nth, { like: "missing" }))),
      },
    ],
  },
  {
    ...base("http1/pipelined-content-in-order", "Requests with content in one write are answered with their content, in their order."),
    needs: ["pipelining", "echo"],
    steps: [send(CONTENT)],
    control: [send(echo("first"))],
    allowed: [{ see: CONTENT_ANSWERED }],
  },
  {
    ...base("http1/pipelined-head-between", "The answer to HEAD between others has no content, and is in its place."),
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
  },
  {
    ...base("http1/pipelined-hundred", "A hundred requests in one write get a hundred answers."),
    needs: ["pipelining"],
    steps: [{ do: "repeat", text: get(), times: 100 }],
    control: [send(get())],
    allowed: [{ see: served(101) }],
  },
  {
    ...base(
      "http1/pipelined-thousand",
      "A thousand requests in few writes get a thousand answers, or the connection ends behind one that says so.",
    ),
    needs: ["pipelining"],
    steps: [{ do: "repeat", text: get(), times: 1000 }],
    control: [send(get())],
    allowed: [
      { see: served(1001) },
      permitted({ see: "all", of: [likePath(100, { fields: [] }), { see: "connection closed" }] }, "rfc9112#9.5"),
    ],
  },
  {
    ...base("http1/pipelined-behind-close", "Nothing behind a request with close is answered."),
    spec: "rfc9112#9.6",
    covers: ["rfc9112#9.6/server-ignores-rest", "rfc9112#9.6/server-closes"],
    level: "MUST NOT",
    needs: ["pipelining"],
    steps: [send(`${get()}${get("Connection: close")}${get()}${get()}`)],
    control: [send(`${get()}${get("Connection: close")}`)],
    allowed: [{ see: { see: "all", of: [likePath(1), likePath(2), closedAfter(2)] } }],
  },
  {
    ...base("http1/pipelined-behind-bad-request", "What stands before a request that is none is answered first, then the refusal."),
    needs: ["pipelining"],
    steps: [send(`${get()}${get()}${head("GET {path} HTTP/1.1", host, "X-Odd : 1")}`)],
    control: [send(`${get()}${get()}${get("X-Odd: 1")}`)],
    allowed: [
      {
        see: {
          see: "all",
          of: [
            likePath(1),
            likePath(2),
            {
              see: "any",
              of: [
                { see: "error and close", status: [400], nth: 3 },
                { see: "error and keep-alive", status: [400], nth: 3 },
              ],
            },
          ],
        },
      },
      permitted({ see: "all", of: [likePath(1), likePath(2), closedAfter(2)] }, "rfc9112#9.5", "warn"),
    ],
  },
  {
    ...base("http1/pipelined-while-answering", "A request that comes while the one before it is answered has its turn."),
    needs: ["keep-alive", "distinct"],
    steps: [send(get()), send(NOWHERE), send(get()), send(NOWHERE)],
    control: [send(get())],
    allowed: [{ see: servedWith(5, likePath(1), answered(2, { like: "missing" }), likePath(3), answered(4, { like: "missing" })) }],
  },
  ...[1, 2, 3, 7, 16, 64].flatMap(inPieces),
  cutAt("in-method", "inside the second method", behind(PAIR, "GE", 2)),
  cutAt("behind-method", "behind the second method", behind(PAIR, "GET", 2)),
  cutAt("in-version", "inside the first version", behind(PAIR, "HTTP/1")),
  cutAt("in-first-line-end", "between CR and LF of the first line", behind(PAIR, "HTTP/1.1\r")),
  cutAt("behind-first-line", "behind the first line", behind(PAIR, "HTTP/1.1\r\n")),
  cutAt("in-field-name", "inside a field name", behind(PAIR, "\r\nHo")),
  cutAt("behind-colon", "behind a colon", behind(PAIR, "Host:")),
  cutAt("in-empty-line", "between CR and LF of the empty line", behind(PAIR, "\r\n\r")),
  cutAt("before-empty-line", "before the empty line", behind(PAIR, "{authority}\r\n")),
  cutAt("between-requests", "between each other", behind(PAIR, "\r\n\r\n")),
  ...(
    [
      ["head-and-content", "between head and content", "\r\n\r\n"],
      ["content", "inside the content", "\r\n\r\nfi"],
      ["chunk-size", "inside the line of a chunk's size", "chunked\r\n\r\n1\r"],
      ["chunk-end", "between CR and LF behind a chunk", "1\r\ns\r"],
      ["last-chunk", "behind the size of the last chunk", "d\r\n0\r\n"],
    ] as const
  ).map(([name, where, mark]): Case => ({
    ...base(`http1/pipelined-cut-in-${name}`, `Requests with content cut ${where} are answered with their content.`),
    needs: ["pipelining", "echo"],
    steps: behind(CONTENT, mark).map((text): Step => send(text)),
    control: [send(CONTENT)],
    allowed: [{ see: CONTENT_ANSWERED }],
  })),
];
