import {
  answered,
  awaitResponse,
  closedAfter,
  closesPolitely,
  type Entry,
  exchanged,
  get,
  head,
  likePath,
  NOWHERE,
  permitted,
  refusedWith,
  SAYS_CLOSE,
  send,
  served,
  servedWith,
} from "../phrases.ts";
import type { Case, Outcome, Step, Text } from "../../vocabulary.ts";

/** RFC 9112, section 9.3: which connections persist, and what becomes of content that the server does not want. */

const host = "Host: {authority}";
/** Octets of content that a server does not want. */
const UNWANTED = 16_384;
/** Octets of content that arrive late: four times this is more than servers keep. */
const LATE = 100_000;
const old = (...fields: readonly Text[]): Text => head("GET {path} HTTP/1.0", host, ...fields);

/** The connection persists after the response. */
const persists = (id: Case["id"], title: string, text: Text): Case => ({
  id,
  spec: "rfc9112#9.3",
  covers: ["rfc9112#9.3/1.1-persists"],
  level: "MUST",
  needs: ["keep-alive"],
  title,
  ...exchanged({ wrong: text, right: get() }),
  allowed: [{ see: servedWith(2, likePath()) }, closesPolitely(1, "warn")],
});

/**
 * The server closes the connection after the response and answers nothing more on it. Another request follows, so that a server that closes
 * only after some time of silence does not pass.
 */
const ends = ({ text, right, covers, ...entry }: Entry & Pick<Case, "covers"> & { readonly text: Text; readonly right: Text }): Case => ({
  spec: "rfc9112#9.3",
  covers,
  level: "MUST",
  role: "server",
  steps: [send(text), awaitResponse(1), send(get())],
  control: [send(right)],
  allowed: [{ see: { see: "all", of: [likePath(), closedAfter(1)] } }],
  ...entry,
});

/** Unwanted content that consists of requests: the server reads past it or closes the connection (rfc9112#9.3). */
const unwanted = ({ start, times, ...entry }: Pick<Case, "id" | "title"> & { readonly start: Text; readonly times: number }): Case => ({
  ...entry,
  spec: "rfc9112#9.3",
  covers: ["rfc9112#9.3/server-reads-all"],
  level: "MUST",
  role: "server",
  needs: ["keep-alive", "distinct"],
  steps: [send(head(start, host, `Content-Length: ${NOWHERE.length * times}`)), { do: "repeat", text: NOWHERE, times }],
  control: [send(head("GET {missing} HTTP/1.1", host))],
  allowed: [
    { see: servedWith(2, answered(1, { status: ["2xx", "3xx", "4xx", 501] })) },
    permitted({ see: "all", of: [answered(1, { status: ["3xx", "4xx", 501] }), closedAfter(1)] }, "rfc9112#9.3"),
    permitted({ see: "closed after", responses: 0 }, "rfc9112#9.5", "warn"),
  ],
});

/** Instead of reading content that it does not want, a server may close the connection; it had better say so (rfc9112#9.6). */
const closesInstead: readonly Outcome[] = [
  permitted({ see: "all", of: [answered(1, { fields: [SAYS_CLOSE] }), { see: "connection closed" }] }, "rfc9112#9.3"),
  permitted({ see: "all", of: [answered(1), { see: "connection closed" }] }, "rfc9112#9.3", "warn"),
];

export const cases: readonly Case[] = [
  {
    id: "http1/connection-persists",
    spec: "rfc9112#9.3",
    covers: ["rfc9112#9.3/persistent", "rfc9112#9.3/1.1-persists"],
    level: "SHOULD",
    role: "server",
    title: "The server keeps a connection open for the next request.",
    steps: [send(get()), awaitResponse(1), send(get()), awaitResponse(2), send(get()), awaitResponse(3)],
    control: [send(get("Connection: close"))],
    allowed: [{ see: servedWith(4, likePath(1), likePath(2), likePath(3)) }],
  },
  persists(
    "http1/connection-persists-with-keep-alive",
    "The server keeps a connection open after Connection: keep-alive.",
    get("Connection: keep-alive"),
  ),
  persists(
    "http1/connection-option-that-begins-with-close",
    "The server does not close the connection for an option that merely begins with close.",
    get("Connection: closed"),
  ),
  persists(
    "http1/connection-option-that-ends-with-close",
    "The server does not close the connection for an option that merely ends with close.",
    get("Connection: x-close"),
  ),
  persists(
    "http1/connection-option-unknown",
    "The server does not close the connection for an unknown option.",
    get("Connection: x-odd", "X-Odd: close"),
  ),
  persists(
    "http1/connection-option-in-a-field-named-close",
    "The server does not close the connection for a field named Close.",
    get("Close: close"),
  ),
  persists(
    "http1/connection-close-in-another-field",
    "The server does not close the connection for the word close in Keep-Alive.",
    get("Keep-Alive: close, timeout=0", "Connection: keep-alive"),
  ),
  {
    id: "http1/connection-option-invalid",
    spec: "rfc9110#7.6.1",
    covers: ["rfc9110#5.6.1.2/empty-elements"],
    level: "MAY",
    role: "server",
    needs: ["keep-alive"],
    title: "The server rejects a Connection that is not a list of options, or recovers what it can.",
    steps: [send(get("Connection: keep alive, @"))],
    control: [send(get("Connection: keep-alive"))],
    allowed: [
      { see: refusedWith([400]) },
      permitted(servedWith(2, likePath(1)), "rfc9110#2.4"),
      permitted({ see: "all", of: [likePath(1), closedAfter(1)] }, "rfc9110#2.4"),
      permitted({ see: "closed after", responses: 0 }, "rfc9112#9.5", "warn"),
      permitted(refusedWith(["4xx"]), "rfc9110#15.5", "warn"),
    ],
  },
  {
    id: "http1/connection-persists-after-missing",
    spec: "rfc9112#9.3",
    covers: ["rfc9112#9.3/1.1-persists"],
    level: "MUST",
    role: "server",
    needs: ["keep-alive", "missing"],
    title: "The server keeps the connection open after its response to a missing path, or announces that it closes.",
    steps: [send(head("GET {missing} HTTP/1.1", host)), awaitResponse(1)],
    control: [send(get())],
    allowed: [
      { see: servedWith(2, answered(1, { like: "missing" })) },
      permitted(
        { see: "all", of: [answered(1, { like: "missing", fields: [{ name: "connection", pattern: "close" }] }), closedAfter(1)] },
        "rfc9112#9.6",
      ),
    ],
  },
  ends({
    id: "http1/old-connection-ends",
    covers: ["rfc9112#9.3/1.0-keep-alive"],
    title: "The server closes the connection after its response to an HTTP/1.0 request without keep-alive.",
    text: old(),
    right: get("Connection: close"),
  }),
  ends({
    id: "http1/old-connection-ends-with-close",
    covers: ["rfc9112#9.3/close-option"],
    title: "The server closes the connection after its response to an HTTP/1.0 request with close.",
    text: old("Connection: close"),
    right: get("Connection: close"),
  }),
  ends({
    id: "http1/close-overrides-keep-alive",
    covers: ["rfc9112#9.3/close-option", "rfc9112#9.6/server-closes"],
    title: "The server closes the connection after a request with both close and keep-alive.",
    text: get("Connection: keep-alive, close"),
    right: get("Connection: close"),
  }),
  ends({
    id: "http1/old-close-overrides-keep-alive",
    covers: ["rfc9112#9.3/close-option", "rfc9112#9.6/server-closes"],
    title: "The server closes the connection after an HTTP/1.0 request with both close and keep-alive.",
    text: old("Connection: keep-alive", "Connection: close"),
    right: old("Connection: close"),
  }),
  {
    id: "http1/old-keep-alive-answered",
    spec: "rfc9112#9.3",
    covers: ["rfc9112#9.3/1.0-keep-alive"],
    level: "MUST",
    role: "server",
    needs: ["keep-alive 1.0"],
    title: "A server that keeps an HTTP/1.0 connection open sends Connection: keep-alive and answers the next request.",
    steps: [send(old("Connection: keep-alive")), awaitResponse(1)],
    control: [send(old())],
    allowed: [{ see: servedWith(2, likePath(1, { fields: [{ name: "connection", pattern: "keep-alive" }] })) }],
  },
  {
    id: "http1/old-keep-alive-in-upper-case",
    spec: "rfc9110#7.6.1",
    covers: ["rfc9110#7.6.1/case"],
    level: "MUST",
    role: "server",
    needs: ["keep-alive 1.0"],
    title: "The server compares keep-alive without regard to case.",
    steps: [send(old("Connection: KEEP-ALIVE")), awaitResponse(1)],
    control: [send(old("Connection: keep-alive"))],
    allowed: [{ see: servedWith(2, likePath(1)) }],
  },
  unwanted({
    id: "http1/content-for-missing-path",
    title: "The server reads past the content of a request for a missing path, or closes the connection.",
    start: "POST {missing} HTTP/1.1",
    times: 1,
  }),
  unwanted({
    id: "http1/large-content-for-missing-path",
    title: "The server reads past large content for a missing path, or closes the connection.",
    start: "POST {missing} HTTP/1.1",
    times: 1000,
  }),
  unwanted({
    id: "http1/content-with-unknown-method",
    title: "The server reads past the content of an unknown method, or closes the connection.",
    start: "BREW {missing} HTTP/1.1",
    times: 1,
  }),
  unwanted({
    id: "http1/content-with-put-for-missing-path",
    title: "The server reads past the content of a PUT that it rejects, or closes the connection.",
    start: "PUT {missing} HTTP/1.1",
    times: 1,
  }),
  {
    id: "http1/content-for-missing-path-again-and-again",
    spec: "rfc9112#9.3",
    covers: ["rfc9112#9.3/server-reads-all"],
    level: "MUST",
    role: "server",
    needs: ["distinct", "keep-alive"],
    title: "The server that keeps the connection open after content that it does not want answers thirty such requests.",
    // What nobody reads must not fill a buffer of the connection for good.
    steps: Array.from({ length: 30 }, (_, at): readonly Step[] => [
      send(`${head("PUT {missing} HTTP/1.1", host, `Content-Length: ${UNWANTED}`)}${"x".repeat(UNWANTED)}`),
      { do: "await", see: { see: "any", of: [answered(at + 1), { see: "connection closed" }] } },
    ]).flat(),
    control: [send(`${head("POST {missing} HTTP/1.1", host, "Content-Length: 1")}x`), { do: "await", see: answered(1) }],
    allowed: [{ see: served(31) }, ...closesInstead],
  },
  {
    id: "http1/content-after-response-again-and-again",
    spec: "rfc9112#9.3",
    covers: ["rfc9112#9.3/server-reads-all"],
    level: "MUST",
    role: "server",
    needs: ["distinct", "keep-alive"],
    title: "The server that keeps the connection open reads large content that arrives after the response, four times.",
    // A server that waits for the content gets it all the same.
    steps: Array.from({ length: 4 }, (_, at): readonly Step[] => [
      send(head("PUT {missing} HTTP/1.1", host, `Content-Length: ${LATE}`)),
      { do: "wait", ms: 250, until: { see: "any", of: [answered(at + 1), { see: "connection closed" }] } },
      { do: "repeat", text: "x".repeat(1_000), times: LATE / 1_000 },
      { do: "await", see: { see: "any", of: [answered(at + 1), { see: "connection closed" }] } },
    ]).flat(),
    control: [send(`${head("PUT {missing} HTTP/1.1", host, "Content-Length: 1")}x`), { do: "await", see: answered(1) }],
    allowed: [{ see: served(5) }, ...closesInstead, permitted(closedAfter(0), "rfc9112#9.5", "warn")],
  },
];
