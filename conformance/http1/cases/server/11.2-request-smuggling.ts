import type { SpecRef } from "../../../../reference/core/index.ts";
import {
  CHUNKED,
  contentAccepted,
  hidden,
  INNER,
  LAST,
  noFraming,
  notSecond,
  plainChunks,
  sectionOf,
  wrongFraming,
} from "../framing-phrases.ts";
import { permitted, request, send } from "../phrases.ts";
import type { Case, Text } from "../../vocabulary.ts";

/**
 * RFC 9112, section 11.2: requests whose end two readers may see in two places. The responses alone show what the server read as content
 * and what as the next request: the request inside asks for a missing path. The section has no rule of its own: each case cites the one it rests on.
 */

/**
 * A disguised Transfer-Encoding next to a Content-Length that covers everything: a reader that trusts the length disagrees with one that
 * recognizes the coding. `orReplaced`: by this section a server may replace what hides the coding by a space; then the length holds.
 */
const disguised = ({
  covers,
  orReplaced,
  ...entry
}: Pick<Case, "id" | "title" | "covers"> & {
  readonly level?: Case["level"];
  readonly lines: readonly Text[];
  readonly orReplaced?: SpecRef;
}): Case =>
  hidden({
    covers: [...covers, "rfc9112#11.2/no-smuggling"],
    spec: sectionOf(covers),
    ...(orReplaced === undefined ? {} : { others: [permitted(contentAccepted[0].see, orReplaced)] }),
    ...entry,
  });

/** Two lengths that differ, one of which leaves a request after the content. */
const twoLengths = (id: Case["id"], title: string, lengths: readonly [number, number]): Case =>
  wrongFraming({
    id,
    title,
    covers: ["rfc9112#6.3/invalid-length-request"],
    lines: lengths.map((octets) => `Content-Length: ${octets}`),
    content: INNER,
    allowed: noFraming(),
  });

/** An empty line may be an invalid length, or an empty member of the list of lengths, which does not count; it is never a length of 0. */
const emptyLength = noFraming(permitted(contentAccepted[0].see, "rfc9110#5.6.1.2"));

export const cases: readonly Case[] = [
  disguised({
    id: "http1/smuggling-te-space-before-colon",
    title: "The server rejects Transfer-Encoding with whitespace before its colon.",
    covers: ["rfc9112#5.1/space-before-colon"],
    lines: ["Transfer-Encoding : chunked"],
  }),
  disguised({
    id: "http1/smuggling-te-tab-before-colon",
    title: "The server rejects Transfer-Encoding with a tab before its colon.",
    covers: ["rfc9112#5.1/space-before-colon"],
    lines: ["Transfer-Encoding\t: chunked"],
  }),
  disguised({
    id: "http1/smuggling-te-tab",
    title: "The server recognizes chunked after a tab.",
    covers: ["rfc9112#6.1/length-and-coding-close"],
    lines: ["Transfer-Encoding:\tchunked"],
  }),
  disguised({
    id: "http1/smuggling-te-upper-case",
    title: "The server recognizes Transfer-Encoding and chunked in upper case.",
    covers: ["rfc9112#6.1/length-and-coding-close"],
    lines: ["TRANSFER-ENCODING: CHUNKED"],
  }),
  disguised({
    id: "http1/smuggling-te-vertical-tab",
    title: "The server rejects a vertical tab before chunked.",
    covers: ["rfc9112#6.3/request-coding-not-chunked"],
    lines: ["Transfer-Encoding: \x0bchunked"],
  }),
  disguised({
    id: "http1/smuggling-te-fold",
    title: "The server rejects chunked on a folded line, or recognizes it.",
    covers: ["rfc9112#6.1/length-and-coding-close", "rfc9112#5.2/fold-in-request"],
    lines: ["Transfer-Encoding:\r\n chunked"],
  }),
  disguised({
    id: "http1/smuggling-te-fold-in-another-field",
    title: "The server reads no coding from the folded line of another field.",
    covers: ["rfc9112#5.2/fold-in-request"],
    lines: ["X-A: b", " Transfer-Encoding: chunked"],
    orReplaced: "rfc9112#5.2",
  }),
  disguised({
    id: "http1/smuggling-te-twice",
    title: "The server rejects two Transfer-Encoding lines whose final coding is not chunked.",
    covers: ["rfc9112#6.3/request-coding-not-chunked"],
    lines: [CHUNKED, "Transfer-Encoding: identity"],
  }),
  disguised({
    id: "http1/smuggling-te-twice-other-order",
    title: "The server reads two Transfer-Encoding lines as one list.",
    covers: ["rfc9112#6.1/length-and-coding-close"],
    lines: ["Transfer-Encoding: identity", CHUNKED],
  }),
  disguised({
    id: "http1/smuggling-te-unknown",
    title: "The server rejects a length together with a coding whose name merely ends with chunked.",
    covers: ["rfc9112#6.3/request-coding-not-chunked"],
    lines: ["Transfer-Encoding: xchunked"],
  }),
  disguised({
    id: "http1/smuggling-te-identity",
    title: "The server rejects the coding identity together with a length.",
    covers: ["rfc9112#6.3/request-coding-not-chunked"],
    lines: ["Transfer-Encoding: identity"],
  }),
  disguised({
    id: "http1/smuggling-te-empty",
    title: "The server rejects an empty Transfer-Encoding together with a length.",
    covers: ["rfc9112#6.3/request-coding-not-chunked"],
    lines: ["Transfer-Encoding:"],
  }),
  disguised({
    id: "http1/smuggling-te-bare-cr",
    title: "The server rejects a bare CR after chunked.",
    covers: ["rfc9112#2.2/bare-cr"],
    lines: ["Transfer-Encoding: chunked\rX: y"],
  }),
  disguised({
    id: "http1/smuggling-te-behind-bare-cr",
    title: "The server rejects a Transfer-Encoding after a bare CR, or reads the CR as a space.",
    covers: ["rfc9112#2.2/bare-cr"],
    lines: ["X-A: b\rTransfer-Encoding: chunked"],
    orReplaced: "rfc9112#2.2",
  }),
  disguised({
    id: "http1/smuggling-te-behind-bare-lf",
    title: "The server recognizes a Transfer-Encoding after a bare LF, rejects the request, or reads the LF as a space.",
    covers: ["rfc9112#2.2/bare-lf"],
    level: "SHOULD",
    lines: ["X-A: b\nTransfer-Encoding: chunked"],
    orReplaced: "rfc9110#5.5",
  }),
  disguised({
    id: "http1/smuggling-te-nul",
    title: "The server rejects NUL after chunked.",
    covers: ["rfc9110#5.5/controls"],
    lines: ["Transfer-Encoding: chunked\0"],
  }),
  disguised({
    id: "http1/smuggling-te-nul-in-name",
    title: "The server rejects NUL in the name Transfer-Encoding.",
    covers: ["rfc9112#11.2/no-smuggling"],
    lines: ["Transfer-Encoding\0: chunked"],
    level: "SHOULD",
  }),
  disguised({
    id: "http1/smuggling-te-quoted",
    title: "The server rejects chunked in quotes together with a length.",
    covers: ["rfc9112#6.3/request-coding-not-chunked"],
    lines: ['Transfer-Encoding: "chunked"'],
  }),
  disguised({
    id: "http1/smuggling-te-parameter",
    title: "The server rejects chunked with a parameter, or reads it as chunked.",
    covers: ["rfc9112#7.1/no-parameters"],
    lines: ["Transfer-Encoding: chunked;a=b"],
    level: "SHOULD",
  }),
  disguised({
    id: "http1/smuggling-te-space-first",
    title: "The server rejects whitespace before the name of the first field.",
    covers: ["rfc9112#2.2/space-before-fields"],
    lines: [" Transfer-Encoding: chunked"],
  }),
  disguised({
    id: "http1/smuggling-te-octet-ff",
    title: "The server does not pass over the octet 0xff before chunked.",
    covers: ["rfc9112#6.3/request-coding-not-chunked"],
    lines: ["Transfer-Encoding: \xffchunked"],
  }),
  disguised({
    id: "http1/smuggling-te-octet-85",
    title: "The server does not pass over the octet 0x85 after chunked.",
    covers: ["rfc9112#6.3/request-coding-not-chunked"],
    lines: ["Transfer-Encoding: chunked\x85"],
  }),
  disguised({
    id: "http1/smuggling-te-octet-85-in-name",
    title: "The server rejects the octet 0x85 between Transfer-Encoding and its colon.",
    covers: ["rfc9112#2.2/no-match"],
    lines: ["Transfer-Encoding\x85: chunked"],
    level: "SHOULD",
  }),
  disguised({
    id: "http1/smuggling-te-name-on-two-lines",
    title: "The server rejects a Transfer-Encoding whose name is cut by a line end.",
    covers: ["rfc9112#2.2/no-match"],
    lines: ["Transfer-", "Encoding: chunked"],
    level: "SHOULD",
  }),
  disguised({
    id: "http1/smuggling-te-without-colon",
    title: "The server rejects a Transfer-Encoding without a colon.",
    covers: ["rfc9112#2.2/no-match"],
    lines: ["Transfer-Encoding chunked"],
    level: "SHOULD",
  }),
  twoLengths("http1/smuggling-two-lengths", "The server reads no request from content with two different lengths.", [INNER.length, 0]),
  twoLengths(
    "http1/smuggling-two-lengths-longer-last",
    "The server reads no request from content with two different lengths, the longer one last.",
    [0, INNER.length],
  ),
  wrongFraming({
    id: "http1/smuggling-length-space-before-colon",
    title: "The server rejects Content-Length with whitespace before its colon.",
    covers: ["rfc9112#5.1/space-before-colon"],
    lines: [`Content-Length : ${INNER.length}`],
    content: INNER,
  }),
  wrongFraming({
    id: "http1/smuggling-length-empty-then-real",
    title: "The server reads no request from content with an empty length and a real one.",
    covers: ["rfc9112#6.3/invalid-length-request"],
    lines: ["Content-Length:", `Content-Length: ${INNER.length}`],
    content: INNER,
    allowed: emptyLength,
  }),
  wrongFraming({
    id: "http1/smuggling-length-real-then-empty",
    title: "The server reads no request from content with a real length and an empty one.",
    covers: ["rfc9112#6.3/invalid-length-request"],
    lines: [`Content-Length: ${INNER.length}`, "Content-Length:"],
    content: INNER,
    allowed: emptyLength,
  }),
  wrongFraming({
    id: "http1/smuggling-length-octet-85",
    title: "The server rejects the octet 0x85 between Content-Length and its colon.",
    covers: ["rfc9112#2.2/no-match", "rfc9112#11.2/no-smuggling"],
    lines: [`Content-Length\x85: ${INNER.length}`],
    content: INNER,
    level: "SHOULD",
  }),
  wrongFraming({
    id: "http1/smuggling-length-without-colon",
    title: "The server rejects a Content-Length without a colon.",
    covers: ["rfc9112#2.2/no-match", "rfc9112#11.2/no-smuggling"],
    lines: [`Content-Length ${INNER.length}`],
    content: INNER,
    level: "SHOULD",
  }),
  wrongFraming({
    id: "http1/smuggling-length-without-name",
    title: "The server rejects a field without a name in front of content.",
    covers: ["rfc9112#2.2/no-match", "rfc9112#11.2/no-smuggling"],
    lines: [`: ${INNER.length}`],
    content: INNER,
    level: "SHOULD",
  }),
  wrongFraming({
    id: "http1/smuggling-length-plus",
    title: "The server reads no request from content whose length has a plus sign.",
    covers: ["rfc9112#6.3/invalid-length-request"],
    lines: [`Content-Length: +${INNER.length}`],
    content: INNER,
  }),
  wrongFraming({
    id: "http1/smuggling-length-nul",
    title: "The server rejects NUL after the length.",
    covers: ["rfc9110#5.5/controls"],
    lines: [`Content-Length: ${INNER.length}\0`],
    content: INNER,
    others: [permitted(contentAccepted[0].see, "rfc9110#5.5")],
  }),
  wrongFraming({
    id: "http1/smuggling-chunk-extension-bare-lf",
    title: "The server does not end a chunk-size line at a bare LF and continue with what follows.",
    covers: ["rfc9112#7.1/grammar"],
    level: "SHOULD",
    lines: [CHUNKED],
    content: `2;\nxx\r\n${INNER.length.toString(16)}\r\n${LAST}${INNER}\r\n${LAST}`,
  }),
  {
    id: "http1/smuggling-chunk-size-overflow",
    spec: "rfc9112#7.1",
    covers: ["rfc9112#7.1/large-sizes"],
    level: "MUST",
    role: "server",
    needs: ["post", "distinct"],
    title: "The server does not truncate a chunk size to fewer bits and read the content as the next request.",
    steps: [send(`${request("POST", CHUNKED)}10000000000000000\r\n\r\n${INNER}`), { do: "half-close" }],
    control: [send(plainChunks)],
    // Waiting for that much content is lawful: only our half-close shows how the server read the size.
    fence: "none",
    allowed: notSecond,
  },
  wrongFraming({
    id: "http1/smuggling-chunk-size-sign",
    title: "The server does not read a chunk size of -0 as the last chunk.",
    covers: ["rfc9112#7.1/grammar"],
    level: "SHOULD",
    lines: [CHUNKED],
    content: `-0\r\n\r\n${INNER}`,
  }),
  wrongFraming({
    id: "http1/smuggling-chunk-size-text",
    title: "The server does not read a chunk size that merely begins with 0 as the last chunk.",
    covers: ["rfc9112#7.1/grammar"],
    level: "SHOULD",
    lines: [CHUNKED],
    content: `0x5\r\n\r\n${INNER}`,
  }),
  wrongFraming({
    id: "http1/smuggling-chunk-no-size",
    title: "The server does not read an empty chunk size as the last chunk.",
    covers: ["rfc9112#7.1/grammar"],
    level: "SHOULD",
    lines: [CHUNKED],
    content: `\r\n\r\n${INNER}`,
  }),
  {
    id: "http1/smuggling-te-in-older-version-with-length",
    spec: "rfc9112#6.1",
    covers: ["rfc9112#6.1/http-1.0"],
    level: "MUST",
    role: "server",
    needs: ["post", "distinct"],
    title: "The server reads no request from the content of an HTTP/1.0 request with Transfer-Encoding and Content-Length.",
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
