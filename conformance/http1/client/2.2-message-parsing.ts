import type { Case } from "../vocabulary.ts";
import { CONTENT, failed, LAST, ok, orTold, orTook, taken, whole } from "./phrases.ts";

const spec = "rfc9112#2.2";
const bareCr: Case["covers"] = ["rfc9112#2.2/bare-cr"];

export const cases: readonly Case[] = [
  failed({
    id: "http1/client-request-for-a-response",
    spec: "rfc9112#2.1",
    covers: ["rfc9112#2.1/client-expects-responses"],
    title: "A client that is sent a request in place of a response takes it for an invalid response.",
    text: `GET / HTTP/1.1\r\nHost: {authority}\r\nContent-Length: ${CONTENT.length}\r\n\r\n${CONTENT}`,
  }),
  failed({
    id: "http1/client-other-protocol",
    spec: "rfc9112#2.1",
    covers: ["rfc9112#2.1/format"],
    title: "A client that is greeted in another protocol does not take the greeting for content.",
    text: "220 mail.example ESMTP ready\r\n",
  }),
  failed({
    id: "http1/client-content-without-a-head",
    spec: "rfc9112#2.1",
    covers: ["rfc9112#2.1/format"],
    title: "Octets without a status line are no response of HTTP/1.1, and none of HTTP/0.9 either.",
    text: `<!doctype html>\r\n<p>${CONTENT}\r\n`,
  }),
  {
    ...taken(
      {
        id: "http1/client-bare-lf",
        spec,
        covers: ["rfc9112#2.2/bare-lf"],
        level: "MAY",
        title: "A head whose lines end in LF alone is read as if they ended in CRLF, or is refused; nothing else.",
        text: whole().replaceAll("\r\n", "\n"),
        close: "end",
      },
      orTold("rfc9112#2.2"),
    ),
    control: [{ do: "answer", text: whole(), close: "end" }],
  },
  failed(
    {
      id: "http1/client-bare-cr-in-value",
      spec,
      covers: bareCr,
      title: "A CR inside a field value ends no line: it makes the response invalid, or stands for a space.",
      text: `${ok(`X-Odd: a\rContent-Length: 3`, `Content-Length: ${CONTENT.length}`)}${CONTENT}`,
      right: `${ok(`X-Odd: a Content-Length: 3`, `Content-Length: ${CONTENT.length}`)}${CONTENT}`,
    },
    orTook("rfc9112#2.2"),
  ),
  failed(
    {
      id: "http1/client-bare-cr-in-reason",
      spec,
      covers: bareCr,
      title: "A CR inside the reason ends no line: it makes the response invalid, or stands for a space.",
      text: `HTTP/1.1 200 OK\rContent-Length: 3\r\nContent-Length: ${CONTENT.length}\r\n\r\n${CONTENT}`,
    },
    orTook("rfc9112#2.2"),
  ),
  failed(
    {
      id: "http1/client-bare-cr-ends-no-head",
      spec,
      covers: bareCr,
      title: "Two CR without LF do not end the head of a response.",
      text: `HTTP/1.1 200 OK\r\nX-Odd: a\r\rContent-Length: 3\r\nContent-Length: ${CONTENT.length}\r\n\r\n${CONTENT}`,
    },
    orTook("rfc9112#2.2"),
  ),
  failed({
    id: "http1/client-bare-cr-in-length",
    spec,
    covers: bareCr,
    title: "A CR inside the value of Content-Length makes it no number, whether it is refused or read as a space.",
    text: `${ok("Content-Length: 1\r0")}${CONTENT}`,
  }),
  {
    ...taken({
      id: "http1/client-other-line-separators",
      spec,
      covers: ["rfc9112#2.2/octets"],
      title: "The octet 0x85 separates no lines: what is a line end in other encodings is part of a field value.",
      text: `${ok(`X-Odd: a\x85Content-Length: 3`, `Content-Length: ${CONTENT.length}`)}${CONTENT}`,
    }),
    control: [{ do: "answer", text: whole() }],
  },
  failed(
    {
      id: "http1/client-form-feed-in-value",
      spec,
      covers: ["rfc9112#2.2/octets", "rfc9110#5.5/other-controls"],
      title: "A form feed in a field value ends no line: the response is refused, or the octet is part of the value.",
      text: `${ok(`X-Odd: a\x0cContent-Length: 3`, `Content-Length: ${CONTENT.length}`)}${CONTENT}`,
    },
    orTook("rfc9110#5.5"),
  ),
  failed(
    {
      id: "http1/client-space-before-fields",
      spec,
      covers: ["rfc9112#2.2/space-before-fields"],
      title: "A line with white space in front of the first field makes the response invalid, or is dropped: it is no field.",
      text: `HTTP/1.1 200 OK\r\n Content-Length: 3\r\nContent-Length: ${CONTENT.length}\r\n\r\n${CONTENT}`,
    },
    orTook("rfc9112#2.2"),
  ),
  failed(
    {
      id: "http1/client-space-before-coding",
      spec,
      covers: ["rfc9112#2.2/space-before-fields"],
      title: "Transfer-Encoding with a tab in front of it, before the first field, is no field either.",
      text: `HTTP/1.1 200 OK\r\n\tTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n${LAST}`,
      right: whole(LAST),
    },
    orTook("rfc9112#2.2", LAST),
  ),
  failed(
    {
      id: "http1/client-empty-line-first",
      spec,
      covers: ["rfc9112#2.1/format"],
      title: "An empty line in front of a status line makes the response invalid, or is dropped.",
      text: `\r\n${whole()}`,
    },
    orTook("rfc9112#9.2"),
  ),
  {
    ...taken({
      id: "http1/client-octet-by-octet",
      spec,
      covers: ["rfc9112#2.1/format"],
      title: "A response that comes octet by octet is the same response.",
      text: whole(CONTENT, "X-Odd: a"),
      cut: 1,
    }),
    control: [{ do: "answer", text: whole() }],
  },
  {
    ...taken({
      id: "http1/client-in-threes",
      spec,
      covers: ["rfc9112#2.1/format"],
      title: "A response that comes in pieces of three octets is the same response.",
      text: whole(`${CONTENT}\r\n\r\nHTTP/1.1 200 OK\r\n\r\n`),
      output: `${CONTENT}\r\n\r\nHTTP/1.1 200 OK\r\n\r\n`,
      cut: 3,
    }),
    control: [{ do: "answer", text: whole() }],
  },
  {
    ...taken({
      id: "http1/client-content-of-any-octets",
      spec,
      covers: ["rfc9112#2.2/octets"],
      title: "Content is octets: NUL, 0x7f, CR, LF and 0xff reach the user as they were sent.",
      text: whole("\0\x01\r\n\x7f\x80\xff\n\r\x1a"),
      output: "\0\x01\r\n\x7f\x80\xff\n\r\x1a",
    }),
    control: [{ do: "answer", text: whole() }],
  },
] satisfies readonly Case[];
