import { permitted } from "../phrases.ts";
import type { Case, Text } from "../vocabulary.ts";
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
  rejects({ id, spec, covers: ["rfc9112#4/three-digits"], title, text: withLine(line), others: [recovered()] });

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
    title: "A status line without a reason, its second space in place, is a good one.",
    text: withLine("HTTP/1.1 200 "),
    control: [answer(whole())],
  }),
  spaced(
    "http1/client-status-line-ends-with-the-code",
    "A status line that ends with its code is read, or refused; nothing else.",
    "HTTP/1.1 200",
  ),
  spaced(
    "http1/client-status-line-more-spaces",
    "A status line with more white space than one space is read, or refused; nothing else.",
    "HTTP/1.1 \t 200   OK",
  ),
  reason("http1/client-reason-another-code", "A reason that names another code changes nothing.", "HTTP/1.1 200 404 Not Found"),
  reason(
    "http1/client-reason-like-a-status-line",
    "A reason that looks like a status line is a reason.",
    "HTTP/1.1 200 HTTP/1.1 204 No Content",
  ),
  reason("http1/client-reason-long", "A reason of 2,000 octets is ignored like any other.", `HTTP/1.1 200 ${"a".repeat(2000)}`),
  reason(
    "http1/client-reason-any-octets",
    "A reason with tabs and octets from 0x80 is ignored like any other.",
    "HTTP/1.1 200 \tsch\xf6n \x80\xff",
  ),
  noCode("http1/client-status-two-digits", "A status of two digits is none.", "HTTP/1.1 20 OK"),
  noCode("http1/client-status-four-digits", "A status of four digits is none.", "HTTP/1.1 2000 OK"),
  noCode("http1/client-status-letters", "A status with letters is none.", "HTTP/1.1 2OO OK"),
  noCode("http1/client-status-signed", "A status with a sign is none.", "HTTP/1.1 +200 OK"),
  noCode("http1/client-status-missing", "A status line without a status is none.", "HTTP/1.1 OK"),
  noCode("http1/client-status-version-alone", "A version alone is no status line.", "HTTP/1.1"),
  accepts({
    id: "http1/client-status-unknown-success",
    spec: "rfc9110#15",
    covers: ["rfc9110#15/class", "rfc9112#4/unknown-code"],
    title: "A status of 2xx that is not known is read as 200.",
    text: withLine("HTTP/1.1 299 Whatever"),
    control: [answer(whole())],
  }),
  unknown({
    id: "http1/client-status-unknown-error",
    title: "A status of 4xx that is not known is read as 400, and its content as any.",
    covers: ["rfc9110#15/class", "rfc9112#4/unknown-code"],
    level: "MUST",
    code: 499,
  }),
  unknown({
    id: "http1/client-status-beyond-599",
    title: "A response with a status from 600 is read as an error of the server, to its end.",
    covers: ["rfc9110#15/out-of-range"],
    level: "SHOULD",
    code: 600,
  }),
  rejects({
    id: "http1/client-status-below-100",
    spec: "rfc9110#15",
    covers: ["rfc9110#15/out-of-range"],
    level: "SHOULD",
    title: "A response with a status below 100 is read as an error of the server: it is the final one.",
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
    title: "A response of 500 is the answer: the request is not sent again.",
    steps: [answer(withLine("HTTP/1.1 500 Internal Server Error"))],
    control: [answer(whole())],
    allowed: [
      { see: { see: "all", of: [prints(), { see: "requests", count: 1 }] } },
      permitted({ see: "all", of: [fails, { see: "requests", count: 1 }] }, "rfc9110#15"),
    ],
  },
];
