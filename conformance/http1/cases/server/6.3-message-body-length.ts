import { acceptsContent, contentAccepted, INNER, noFraming, notSecond, plainLength } from "../framing-phrases.ts";
import { answered, permitted, request, send, servedWith } from "../phrases.ts";
import type { Case, Outcome, Text } from "../../vocabulary.ts";

/** RFC 9112, section 6.3: Content-Length in a request, and requests without one. */

const length = (...values: readonly (string | number)[]): Text => request("POST", ...values.map((value) => `Content-Length: ${value}`));

/** An invalid Content-Length: 400, then close. */
const invalid = ({
  head,
  others = [],
  ...entry
}: Pick<Case, "id" | "title"> & { readonly head: Text; readonly others?: readonly Outcome[] }): Case => ({
  ...entry,
  spec: "rfc9112#6.3",
  covers: ["rfc9112#6.3/invalid-length-request", "rfc9112#6.3/invalid-length"],
  level: "MUST",
  role: "server",
  needs: ["post"],
  steps: [send(`${head}hello`)],
  control: [send(plainLength)],
  allowed: noFraming(...others),
});

/** A repeated length counts once (rfc9112#6.3), or makes the request invalid (rfc9110#8.6). */
const repeated = (id: Case["id"], title: string, head: Text): Case => ({
  id,
  spec: "rfc9112#6.3",
  covers: ["rfc9112#6.3/same-lengths"],
  level: "MAY",
  role: "server",
  needs: ["post"],
  title,
  steps: [send(`${head}hello`)],
  control: [send(plainLength)],
  allowed: [contentAccepted[0], ...noFraming().map(({ see }) => permitted(see, "rfc9110#8.6"))],
});

/** Content that looks like a request is still content: the request after it is the next. */
const opaque = (method: string, ...needs: readonly string[]): Case => ({
  id: `http1/${method.toLowerCase()}-with-content`,
  spec: "rfc9112#6",
  covers: ["rfc9112#6/request-signalled"],
  level: "MUST",
  role: "server",
  needs: ["distinct", ...needs],
  title: `The server reads no request from the content of ${method}.`,
  steps: [send(`${request(method, `Content-Length: ${INNER.length}`)}${INNER}`)],
  control: [send(request(method))],
  allowed: [
    { see: servedWith(2, { see: "response", complete: true }) },
    permitted({ see: "error and close", status: ["4xx"] }, "rfc9110#9.3.1"),
    permitted({ see: "closed after", responses: 1 }, "rfc9112#9.3"),
  ],
});

export const cases: readonly Case[] = [
  acceptsContent({
    id: "http1/content-length",
    requirement: "6.3/length",
    spec: "rfc9112#6.3",
    title: "The server accepts content of the declared length.",
    text: plainLength,
    right: request("POST", "Content-Length: 0"),
  }),
  acceptsContent({
    id: "http1/content-length-zero",
    requirement: "6.3/length",
    spec: "rfc9112#6.3",
    title: "The server accepts a request with Content-Length: 0.",
    text: request("POST", "Content-Length: 0"),
  }),
  acceptsContent({
    id: "http1/content-length-leading-zeros",
    requirement: "6.3/length",
    spec: "rfc9112#6.3",
    title: "The server reads a length with leading zeros as a decimal number.",
    text: `${length("0005")}hello`,
  }),
  acceptsContent({
    id: "http1/content-length-white-space",
    requirement: "6.3/length",
    spec: "rfc9112#6.3",
    title: "The server ignores whitespace around the length.",
    text: `${request("POST", "Content-Length: \t 5 \t")}hello`,
  }),
  acceptsContent({
    id: "http1/content-of-a-line-end",
    requirement: "6.3/length",
    spec: "rfc9112#6.3",
    title: "The server reads line ends as content where content is declared.",
    text: `${length(4)}\r\n\r\n`,
  }),
  {
    id: "http1/no-content-without-length",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/request-none"],
    level: "MUST",
    role: "server",
    needs: ["post", "distinct"],
    title: "The server treats a POST without Content-Length as empty and reads the next request after it.",
    steps: [send(`${request("POST")}GET {missing} HTTP/1.1\r\nHost: {authority}\r\n\r\n`)],
    control: [send(request("POST", "Content-Length: 0"))],
    allowed: [
      { see: servedWith(3, { see: "response", status: ["2xx", "3xx"] }, answered(2, { like: "missing" })) },
      permitted({ see: "all", of: [servedWith(3, answered(2, { like: "missing" })), { see: "response", status: [411] }] }, "rfc9112#6.3"),
      permitted({ see: "error and close", status: [411] }, "rfc9112#6.3"),
    ],
  },
  {
    id: "http1/content-is-echoed-by-length",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/length"],
    level: "MUST",
    role: "server",
    needs: ["echo"],
    title: "The server reads exactly the declared number of octets as content, and the rest as the next request.",
    steps: [send(`POST {echo} HTTP/1.1\r\nHost: {authority}\r\nContent-Length: 12\r\n\r\nGET / HTTP/1`)],
    control: [send(`POST {echo} HTTP/1.1\r\nHost: {authority}\r\nContent-Length: 5\r\n\r\nhello`)],
    allowed: [{ see: servedWith(2, { see: "response", body: "GET / HTTP/1", complete: true }) }],
  },
  {
    id: "http1/content-is-echoed-by-chunks",
    spec: "rfc9112#7.1",
    covers: ["rfc9112#7.1/decode"],
    level: "MUST",
    role: "server",
    needs: ["echo"],
    title: "The server reads the data of the chunks as content, without sizes, extensions and line ends.",
    steps: [
      send(
        "POST {echo} HTTP/1.1\r\nHost: {authority}\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n0\r\n\r\r\n3;a=b\r\n\nab\r\n00\r\nX-A: b\r\n\r\n",
      ),
    ],
    control: [send("POST {echo} HTTP/1.1\r\nHost: {authority}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n")],
    allowed: [{ see: servedWith(2, { see: "response", body: "0\r\n\r\nab", complete: true }) }],
  },
  invalid({ id: "http1/content-length-twice-differing", title: "The server rejects two different lengths.", head: length(5, 0) }),
  invalid({
    id: "http1/content-length-twice-differing-longer-last",
    title: "The server rejects two different lengths, the longer one last.",
    head: length(0, 5),
  }),
  invalid({ id: "http1/content-length-list-differing", title: "The server rejects a list of different lengths.", head: length("5, 0") }),
  invalid({
    id: "http1/content-length-twice-other-form",
    title: "The server rejects a list of a length and a word.",
    head: length("5, five"),
  }),
  invalid({ id: "http1/content-length-plus", title: "The server rejects a length with a plus sign.", head: length("+5") }),
  invalid({ id: "http1/content-length-minus", title: "The server rejects a negative length.", head: length("-5") }),
  invalid({ id: "http1/content-length-hexadecimal", title: "The server rejects a hexadecimal length.", head: length("0x5") }),
  invalid({ id: "http1/content-length-fraction", title: "The server rejects a length with a fraction.", head: length("5.0") }),
  invalid({ id: "http1/content-length-exponent", title: "The server rejects a length with an exponent.", head: length("5e0") }),
  invalid({ id: "http1/content-length-word", title: "The server rejects a length in words.", head: length("five") }),
  invalid({ id: "http1/content-length-empty", title: "The server rejects an empty length.", head: length("") }),
  invalid({ id: "http1/content-length-two-numbers", title: "The server rejects two lengths separated by a space.", head: length("5 5") }),
  invalid({ id: "http1/content-length-trailing-text", title: "The server rejects a length followed by letters.", head: length("5x") }),
  invalid({ id: "http1/content-length-quoted", title: "The server rejects a length in quotes.", head: length('"5"') }),
  invalid({ id: "http1/content-length-semicolon", title: "The server rejects a length with a parameter.", head: length("5;a=b") }),
  invalid({
    id: "http1/content-length-underscore",
    title: "The server rejects a length with an underscore between digits.",
    head: length("0_5"),
  }),
  invalid({ id: "http1/content-length-wide-digit", title: "The server rejects digits that are not ASCII.", head: length("\u00b2") }),
  {
    id: "http1/content-length-beyond-64-bits",
    spec: "rfc9112#6.3",
    covers: ["rfc9110#8.6/large"],
    level: "MUST",
    role: "server",
    needs: ["post", "distinct"],
    title: "The server does not truncate a length of 2^64 + 5 to 5: it rejects it, or waits for the rest.",
    steps: [send(`${length("18446744073709551621")}hello${INNER}`), { do: "half-close" }],
    control: [send(plainLength)],
    // Waiting for content of a valid length is lawful: only our half-close shows how the server read it.
    fence: "none",
    allowed: notSecond,
  },
  {
    id: "http1/content-length-beyond-32-bits",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/length"],
    level: "MUST",
    role: "server",
    needs: ["post", "distinct"],
    title: "The server does not truncate a length of 2^32 + 5 to 5 and read the rest as the next request.",
    steps: [send(`${length("4294967301")}hello${INNER}`), { do: "half-close" }],
    control: [send(plainLength)],
    // A valid length of content that is incomplete: only our half-close shows how the server read it.
    fence: "none",
    allowed: notSecond,
  },
  repeated("http1/content-length-twice-alike", "The server accepts two lines with the same length as one, or rejects them.", length(5, 5)),
  repeated("http1/content-length-list-alike", "The server accepts a list of equal lengths as one, or rejects it.", length("5, 5")),
  opaque("GET"),
  opaque("HEAD", "head"),
  opaque("OPTIONS"),
  opaque("DELETE"),
];
