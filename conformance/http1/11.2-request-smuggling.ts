import type { SpecRef } from "../../reference/core/index.ts";
import { hidden, INNER, LAST, noFraming, plainChunks, tookContent, wrongFraming } from "./framing-phrases.ts";
import { permitted, request, send } from "./phrases.ts";
import type { Case, Text } from "./vocabulary.ts";

/**
 * Requests whose end two readers may see in two places. What the server took for content and what for the next request is told by its
 * answers alone: the request inside asks for what is not there.
 */

const CHUNKED = "Transfer-Encoding: chunked";

/** Transfer-Encoding in a disguise, beside a Content-Length that covers everything: who believes the length disagrees with whoever sees through it. */
const disguised = (id: Case["id"], title: string, covers: Case["covers"], ...lines: readonly Text[]): Case =>
  hidden(id, [...covers, "rfc9112#11.2/no-smuggling"], "rfc9112#11.2", title, lines);
/** The same where what hides the coding may be replaced by a space: then there is none, and the length holds. */
const orReplaced = (by: SpecRef, c: Case): Case => ({ ...c, allowed: [...c.allowed, permitted(tookContent[0].see, by)] });

export const cases: readonly Case[] = [
  disguised(
    "http1/smuggling-te-space-before-colon",
    "The server refuses Transfer-Encoding with white space before its colon.",
    ["rfc9112#5.1/space-before-colon"],
    "Transfer-Encoding : chunked",
  ),
  disguised(
    "http1/smuggling-te-tab-before-colon",
    "The server refuses Transfer-Encoding with a tab before its colon.",
    ["rfc9112#5.1/space-before-colon"],
    "Transfer-Encoding\t: chunked",
  ),
  disguised(
    "http1/smuggling-te-tab",
    "The server sees through a tab before chunked.",
    ["rfc9112#6.1/length-and-coding-close"],
    "Transfer-Encoding:\tchunked",
  ),
  disguised(
    "http1/smuggling-te-upper-case",
    "The server sees through another case of name and coding.",
    ["rfc9112#6.1/length-and-coding-close"],
    "TRANSFER-ENCODING: CHUNKED",
  ),
  disguised(
    "http1/smuggling-te-vertical-tab",
    "The server refuses a vertical tab before chunked.",
    ["rfc9112#6.3/request-coding-not-chunked"],
    "Transfer-Encoding: \x0bchunked",
  ),
  disguised(
    "http1/smuggling-te-fold",
    "The server refuses chunked on a folded line, or reads it.",
    ["rfc9112#5.2/fold-in-request"],
    "Transfer-Encoding:\r\n chunked",
  ),
  orReplaced(
    "rfc9112#5.2",
    disguised(
      "http1/smuggling-te-fold-in-another-field",
      "The server does not hide a coding in a field before it.",
      ["rfc9112#5.2/fold-in-request"],
      "X-A: b",
      " Transfer-Encoding: chunked",
    ),
  ),
  disguised(
    "http1/smuggling-te-twice",
    "The server refuses two lines of codings of which the last is not chunked.",
    ["rfc9112#6.3/request-coding-not-chunked"],
    CHUNKED,
    "Transfer-Encoding: identity",
  ),
  disguised(
    "http1/smuggling-te-twice-other-order",
    "The server reads two lines of codings as one list.",
    ["rfc9112#6.1/length-and-coding-close"],
    "Transfer-Encoding: identity",
    CHUNKED,
  ),
  disguised(
    "http1/smuggling-te-unknown",
    "The server refuses a coding whose name only ends like chunked.",
    ["rfc9112#6.3/request-coding-not-chunked"],
    "Transfer-Encoding: xchunked",
  ),
  disguised(
    "http1/smuggling-te-identity",
    "The server refuses identity beside a length.",
    ["rfc9112#6.3/request-coding-not-chunked"],
    "Transfer-Encoding: identity",
  ),
  disguised(
    "http1/smuggling-te-empty",
    "The server refuses an empty coding beside a length.",
    ["rfc9112#6.3/request-coding-not-chunked"],
    "Transfer-Encoding:",
  ),
  disguised(
    "http1/smuggling-te-bare-cr",
    "The server refuses a CR alone behind chunked.",
    ["rfc9112#2.2/bare-cr"],
    "Transfer-Encoding: chunked\rX: y",
  ),
  orReplaced(
    "rfc9112#2.2",
    disguised(
      "http1/smuggling-te-behind-bare-cr",
      "The server does not hide a coding behind a CR alone.",
      ["rfc9112#2.2/bare-cr"],
      "X-A: b\rTransfer-Encoding: chunked",
    ),
  ),
  orReplaced(
    "rfc9110#5.5",
    disguised(
      "http1/smuggling-te-behind-bare-lf",
      "The server does not hide a coding behind an LF alone.",
      ["rfc9112#2.2/bare-lf"],
      "X-A: b\nTransfer-Encoding: chunked",
    ),
  ),
  disguised("http1/smuggling-te-nul", "The server refuses a NUL behind chunked.", ["rfc9110#5.5/controls"], "Transfer-Encoding: chunked\0"),
  {
    ...disguised(
      "http1/smuggling-te-nul-in-name",
      "The server refuses a NUL in the name of a field.",
      ["rfc9112#11.2/no-smuggling"],
      "Transfer-Encoding\0: chunked",
    ),
    level: "SHOULD",
  },
  disguised(
    "http1/smuggling-te-quoted",
    "The server refuses chunked in quotes.",
    ["rfc9112#6.3/request-coding-not-chunked"],
    'Transfer-Encoding: "chunked"',
  ),
  {
    ...disguised(
      "http1/smuggling-te-parameter",
      "The server refuses chunked with a parameter, or reads it as chunked.",
      ["rfc9112#7.1/no-parameters"],
      "Transfer-Encoding: chunked;a=b",
    ),
    level: "SHOULD",
  },
  disguised(
    "http1/smuggling-te-space-first",
    "The server refuses white space before the name of the first field.",
    ["rfc9112#2.2/space-before-fields"],
    " Transfer-Encoding: chunked",
  ),
  ...(["two lengths that differ", "two lengths that differ, the longer last"] as const).map((words, at): Case => {
    const lengths = at === 0 ? [INNER.length, 0] : [0, INNER.length];
    return {
      id: at === 0 ? "http1/smuggling-two-lengths" : "http1/smuggling-two-lengths-longer-last",
      spec: "rfc9112#11.2",
      covers: ["rfc9112#6.3/invalid-length-request"],
      level: "MUST",
      role: "server",
      needs: ["post", "distinct"],
      title: `The server takes no request out of content with ${words}.`,
      steps: [send(request("POST", ...lengths.map((octets) => `Content-Length: ${octets}`)) + INNER)],
      control: [send(plainChunks)],
      allowed: noFraming(),
    };
  }),
  wrongFraming(
    "http1/smuggling-length-space-before-colon",
    "The server refuses Content-Length with white space before its colon.",
    ["rfc9112#5.1/space-before-colon"],
    [`Content-Length : ${INNER.length}`],
    INNER,
  ),
  wrongFraming(
    "http1/smuggling-length-plus",
    "The server takes no request out of content whose length has a plus.",
    ["rfc9112#6.3/invalid-length-request"],
    [`Content-Length: +${INNER.length}`],
    INNER,
  ),
  wrongFraming(
    "http1/smuggling-length-nul",
    "The server refuses a NUL behind the length.",
    ["rfc9110#5.5/controls"],
    [`Content-Length: ${INNER.length}\0`],
    INNER,
    permitted(tookContent[0].see, "rfc9110#5.5"),
  ),
  wrongFraming(
    "http1/smuggling-chunk-extension-bare-lf",
    "The server does not end a chunk's line at an LF alone and go on with what is behind it.",
    ["rfc9112#7.1/grammar"],
    [CHUNKED],
    `2;\nxx\r\n${INNER.length.toString(16)}\r\n${LAST}${INNER}\r\n${LAST}`,
  ),
  wrongFraming(
    "http1/smuggling-chunk-size-overflow",
    "The server does not cut a size to fewer bits, and take the content for the next request.",
    ["rfc9112#7.1/large-sizes"],
    [CHUNKED],
    `10000000000000000\r\n\r\n${INNER}`,
  ),
  wrongFraming(
    "http1/smuggling-chunk-size-sign",
    "The server does not read a size of -0 as the last chunk.",
    ["rfc9112#7.1/grammar"],
    [CHUNKED],
    `-0\r\n\r\n${INNER}`,
  ),
  wrongFraming(
    "http1/smuggling-chunk-size-text",
    "The server does not read a size that only begins with 0 as the last chunk.",
    ["rfc9112#7.1/grammar"],
    [CHUNKED],
    `0x5\r\n\r\n${INNER}`,
  ),
  wrongFraming(
    "http1/smuggling-chunk-no-size",
    "The server does not read an empty size as the last chunk.",
    ["rfc9112#7.1/grammar"],
    [CHUNKED],
    `\r\n\r\n${INNER}`,
  ),
  {
    id: "http1/smuggling-te-in-older-version-with-length",
    spec: "rfc9112#6.1",
    covers: ["rfc9112#6.1/http-1.0"],
    level: "MUST",
    role: "server",
    needs: ["post", "distinct"],
    title: "The server takes no request out of the content of HTTP/1.0 with Transfer-Encoding and Content-Length.",
    steps: [
      send(
        `POST {path} HTTP/1.0\r\nHost: {authority}\r\nConnection: keep-alive\r\n${CHUNKED}\r\nContent-Length: ${LAST.length + INNER.length}\r\n\r\n${LAST}${INNER}`,
      ),
    ],
    control: [send(plainChunks)],
    allowed: [
      { see: { see: "error and close", status: ["4xx", 501] } },
      permitted({ see: "closed after", responses: 1 }, "rfc9112#6.1"),
      permitted({ see: "closed after", responses: 0 }, "rfc9112#6.1", "warn"),
    ],
  },
];
