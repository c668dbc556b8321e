import { permitted } from "../phrases.ts";
import type { Case, Text } from "../../vocabulary.ts";
import { accepts, answer, CONTENT, fails, orFails, orPrints, prints, recovered, rejects, whole } from "./phrases.ts";

/** RFC 9112, section 4: the status line of a response, and status codes that the client does not know. */

const spec = "rfc9112#4";
const withLine = (line: Text): Text => `${line}\r\nContent-Type: text/plain\r\nContent-Length: ${CONTENT.length}\r\n\r\n${CONTENT}`;

const reason = (id: Case["id"], title: string, line: Text): Case =>
  accepts({
    id,
    spec,
    covers: ["rfc9112#4/reason-ignored"],
    level: "SHOULD",
    title,
    text: withLine(line),
    others: [orFails("rfc9110#2.4", "warn")],
    control: [answer(whole())],
  });

/** A status that is not three digits: the response is invalid; using it anyway is discouraged. */
const noCode = (id: Case["id"], title: string, line: Text): Case =>
  rejects({ id, spec, covers: ["rfc9112#4/three-digits"], level: "SHOULD", title, text: withLine(line), others: [recovered()] });

/** Whitespace that a recipient may tolerate. */
const spaced = (id: Case["id"], title: string, line: Text): Case =>
  accepts({
    id,
    spec,
    covers: ["rfc9112#4/lenient-whitespace"],
    level: "MAY",
    title,
    text: withLine(line),
    others: [orFails("rfc9112#4")],
    control: [answer(whole())],
  });

/** An unknown code: its content is framed like that of any other response. */
const unknown = ({ code, ...entry }: Pick<Case, "id" | "title" | "covers" | "level"> & { readonly code: number }): Case =>
  accepts({
    ...entry,
    spec: "rfc9110#15",
    text: withLine(`HTTP/1.1 ${code} Whatever`),
    others: [orFails("rfc9110#15")],
    control: [answer(whole())],
  });

export const cases: readonly Case[] = [
  accepts({
    id: "http1/client-reason-empty",
    spec,
    covers: ["rfc9112#4/status-line"],
    title: "The client accepts a status line with an empty reason phrase after the second space.",
    text: withLine("HTTP/1.1 200 "),
    control: [answer(whole())],
  }),
  spaced(
    "http1/client-status-line-ends-with-the-code",
    "The client accepts a status line that ends with the code, or rejects it.",
    "HTTP/1.1 200",
  ),
  spaced(
    "http1/client-status-line-more-spaces",
    "The client accepts extra whitespace in the status line, or rejects it.",
    "HTTP/1.1 \t 200   OK",
  ),
  {
    ...spaced(
      "http1/client-reason-control-octets",
      "The client ignores a reason phrase with control octets, or rejects it.",
      "HTTP/1.1 200 O\x00K\x7f",
    ),
    covers: ["rfc9112#4/reason-ignored"],
  },
  reason("http1/client-reason-another-code", "The client ignores a reason phrase that names another code.", "HTTP/1.1 200 404 Not Found"),
  reason(
    "http1/client-reason-like-a-status-line",
    "The client ignores a reason phrase that looks like a status line.",
    "HTTP/1.1 200 HTTP/1.1 204 No Content",
  ),
  reason("http1/client-reason-long", "The client ignores a reason phrase of 2,000 octets.", `HTTP/1.1 200 ${"a".repeat(2000)}`),
  reason(
    "http1/client-reason-any-octets",
    "The client ignores a reason phrase with tabs and octets beyond ASCII.",
    "HTTP/1.1 200 \tsch\xf6n \x80\xff",
  ),
  noCode("http1/client-status-two-digits", "The client rejects a status of two digits.", "HTTP/1.1 20 OK"),
  noCode("http1/client-status-four-digits", "The client rejects a status of four digits.", "HTTP/1.1 2000 OK"),
  noCode("http1/client-status-letters", "The client rejects a status with letters.", "HTTP/1.1 2OO OK"),
  noCode("http1/client-status-signed", "The client rejects a status with a sign.", "HTTP/1.1 +200 OK"),
  noCode("http1/client-status-missing", "The client rejects a status line without a status.", "HTTP/1.1 OK"),
  noCode("http1/client-status-version-alone", "The client rejects a status line that is only a version.", "HTTP/1.1"),
  accepts({
    id: "http1/client-status-unknown-success",
    spec: "rfc9110#15",
    covers: ["rfc9110#15/class", "rfc9112#4/unknown-code"],
    title: "The client treats an unknown 2xx status as 200.",
    text: withLine("HTTP/1.1 299 Whatever"),
    control: [answer(whole())],
  }),
  unknown({
    id: "http1/client-status-unknown-error",
    title: "The client treats an unknown 4xx status as 400 and reads its content.",
    covers: ["rfc9110#15/class", "rfc9112#4/unknown-code"],
    level: "MUST",
    code: 499,
  }),
  unknown({
    id: "http1/client-status-beyond-599",
    title: "The client treats a status above 599 as a server error and reads the whole response.",
    covers: ["rfc9110#15/out-of-range"],
    level: "SHOULD",
    code: 600,
  }),
  rejects({
    id: "http1/client-status-below-100",
    spec: "rfc9110#15",
    covers: ["rfc9110#15/out-of-range"],
    level: "SHOULD",
    title: "The client treats a status below 100 as a final server error, not as interim.",
    text: withLine("HTTP/1.1 099 Whatever"),
    others: [orPrints("rfc9110#15")],
  }),
  {
    id: "http1/client-error-is-a-response",
    spec: "rfc9110#15",
    covers: ["rfc9110#15/class"],
    level: "MUST",
    role: "client",
    needs: ["status"],
    title: "The client treats a 500 as the response and does not send the request again.",
    steps: [answer(withLine("HTTP/1.1 500 Internal Server Error"))],
    control: [answer(whole())],
    allowed: [
      { see: { see: "all", of: [prints(), { see: "requests", count: 1 }] } },
      permitted({ see: "all", of: [fails, { see: "requests", count: 1 }] }, "rfc9110#15"),
    ],
  },
];
