import { answered, awaitResponse, closedAfter, closesPolitely, type Entry, exchanged, get, head, likePath, NOWHERE } from "./phrases.ts";
import { permitted, send, servedWith, texts } from "./phrases.ts";
import type { Case, Text } from "./vocabulary.ts";

/** RFC 9112, section 9.3: which connections persist, and what becomes of content that the server does not want. */

const host = "Host: {authority}";
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

/** The server closes the connection after the response and answers nothing more on it. */
const ends = ({ text, right, covers, ...entry }: Entry & Pick<Case, "covers"> & { readonly text: Text; readonly right: Text }): Case => ({
  spec: "rfc9112#9.3",
  covers,
  level: "MUST",
  ...texts({ wrong: text, right }),
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

export const cases: readonly Case[] = [
  {
    id: "http1/connection-persists",
    spec: "rfc9112#9.3",
    covers: ["rfc9112#9.3/persistent", "rfc9112#9.3/1.1-persists"],
    level: "SHOULD",
    role: "server",
    title: "The server keeps a connection for the next request.",
    steps: [send(get()), awaitResponse(1), send(get()), awaitResponse(2), send(get()), awaitResponse(3)],
    control: [send(get("Connection: close"))],
    allowed: [{ see: servedWith(4, likePath(1), likePath(2), likePath(3)) }],
  },
  persists(
    "http1/connection-persists-with-keep-alive",
    "The server keeps a connection that is asked to be kept.",
    get("Connection: keep-alive"),
  ),
  persists(
    "http1/connection-option-that-begins-with-close",
    "An option whose name only begins with close does not end the connection.",
    get("Connection: closed"),
  ),
  persists(
    "http1/connection-option-that-ends-with-close",
    "An option whose name only ends with close does not end the connection.",
    get("Connection: x-close"),
  ),
  persists(
    "http1/connection-option-unknown",
    "An option that the server does not know does not end the connection.",
    get("Connection: x-odd", "X-Odd: close"),
  ),
  persists("http1/connection-option-in-a-field-named-close", "A field named Close does not end the connection.", get("Close: close")),
  persists(
    "http1/connection-close-in-another-field",
    "The word close in Keep-Alive does not end the connection.",
    get("Keep-Alive: close, timeout=0", "Connection: keep-alive"),
  ),
  {
    id: "http1/connection-persists-after-missing",
    spec: "rfc9112#9.3",
    covers: ["rfc9112#9.3/1.1-persists"],
    level: "MUST",
    role: "server",
    needs: ["keep-alive", "distinct"],
    title: "The connection goes on behind the answer to a path that is not there, or the answer says that it does not.",
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
    title: "The server ends the connection behind the answer to HTTP/1.0 without keep-alive.",
    text: old(),
    right: get("Connection: close"),
  }),
  ends({
    id: "http1/old-connection-ends-with-close",
    covers: ["rfc9112#9.3/close-option"],
    title: "The server ends the connection behind the answer to HTTP/1.0 with close.",
    text: old("Connection: close"),
    right: get("Connection: close"),
  }),
  ends({
    id: "http1/close-overrides-keep-alive",
    covers: ["rfc9112#9.3/close-option"],
    title: "The server ends the connection behind a request that says both close and keep-alive.",
    text: get("Connection: keep-alive, close"),
    right: get("Connection: close"),
  }),
  ends({
    id: "http1/old-close-overrides-keep-alive",
    covers: ["rfc9112#9.3/close-option"],
    title: "The server ends the connection behind a request of HTTP/1.0 that says both close and keep-alive.",
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
    title: "A server that keeps the connection of HTTP/1.0 says keep-alive, and answers what follows.",
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
    title: "The server knows keep-alive in whatever case it is written.",
    steps: [send(old("Connection: KEEP-ALIVE")), awaitResponse(1)],
    control: [send(old("Connection: keep-alive"))],
    allowed: [{ see: servedWith(2, likePath(1)) }],
  },
  unwanted({
    id: "http1/content-for-missing-path",
    title: "The server reads over content for a path that is not there, or ends the connection.",
    start: "POST {missing} HTTP/1.1",
    times: 1,
  }),
  unwanted({
    id: "http1/large-content-for-missing-path",
    title: "The server reads over 250,000 octets for a path that is not there, or ends the connection.",
    start: "POST {missing} HTTP/1.1",
    times: 1000,
  }),
  unwanted({
    id: "http1/content-with-unknown-method",
    title: "The server reads over the content of a method that it does not know, or ends the connection.",
    start: "BREW {missing} HTTP/1.1",
    times: 1,
  }),
  unwanted({
    id: "http1/content-with-put-for-missing-path",
    title: "The server reads over the content of a PUT that it refuses, or ends the connection.",
    start: "PUT {missing} HTTP/1.1",
    times: 1,
  }),
];
