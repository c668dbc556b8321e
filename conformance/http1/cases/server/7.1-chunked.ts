import {
  acceptsContent,
  answeredFirst,
  chunked,
  contentAccepted,
  INNER,
  LAST,
  notSecond,
  plainChunks,
  plainLength,
  rejectsChunks,
} from "../framing-phrases.ts";
import { awaitResponse, permitted, send } from "../phrases.ts";
import type { Allowed, Case, Outcome, Text } from "../../vocabulary.ts";

/** RFC 9112, sections 7.1 and 8: the sizes, data and line ends of chunks, and content that is incomplete. */

type Entry = Pick<Case, "id" | "title"> & Partial<Pick<Case, "covers" | "level" | "steps" | "allowed">> & { readonly content: Text };

const valid = ({ content, ...entry }: Entry & { readonly right?: Text }): Case =>
  acceptsContent({ requirement: "7.1/decode", spec: "rfc9112#7.1", text: chunked(content), right: plainChunks, ...entry });
const wrong = (entry: Entry & { readonly others?: readonly Outcome[] }): Case =>
  rejectsChunks({ requirement: "7.1/grammar", spec: "rfc9112#7.1", level: "SHOULD", ...entry });

/** A server may read a bare LF as a line end (rfc9112#2.2); where that decides what the next request is, it had better not. */
const lf = permitted(contentAccepted[0].see, "rfc9112#2.2", "warn");

/** The same content in writes of this many octets each. */
const inWrites = (cut: number, words: string): Case => {
  const content = "5;a=b\r\nhello\r\n6\r\n world\r\n0\r\nX-A: b\r\n\r\n";
  return valid({
    id: `http1/chunks-cut-at-${cut}`,
    title: `The server accepts chunked content that arrives ${words}.`,
    content,
    steps: [send(chunked(content), { cut })],
    allowed: [...contentAccepted, answeredFirst],
  });
};

/** The content never became complete: no successful response, and the connection ends. */
const notServed: Allowed = [
  {
    see: {
      see: "all",
      of: [{ see: "connection closed" }, { see: "not", of: { see: "response", status: ["2xx", "3xx"], complete: true } }],
    },
  },
];

export const cases: readonly Case[] = [
  valid({ id: "http1/chunk-one", title: "The server accepts content in one chunk.", content: `5\r\nhello\r\n${LAST}`, right: plainLength }),
  ...[16, 17].map((digits) =>
    valid({
      id: `http1/chunk-size-of-${digits}-digits`,
      title: `The server accepts a chunk size of ${digits} digits, most of them zeros, or refuses it.`,
      level: "MAY",
      content: `${"5".padStart(digits, "0")}\r\nhello\r\n${LAST}`,
      allowed: [...contentAccepted, permitted({ see: "error and close", status: ["4xx"] }, "rfc9112#7.1")],
    }),
  ),
  valid({ id: "http1/chunk-none", title: "The server accepts chunked content with the last chunk only.", content: LAST }),
  valid({
    id: "http1/chunk-many",
    title: "The server accepts content in many chunks of one octet.",
    content: `${"1\r\na\r\n".repeat(20)}${LAST}`,
  }),
  valid({
    id: "http1/chunk-size-upper-case",
    title: "The server accepts chunk sizes in upper-case hexadecimal.",
    content: `A\r\nhellohello\r\n${LAST}`,
  }),
  valid({
    id: "http1/chunk-size-lower-case",
    title: "The server accepts chunk sizes in lower-case hexadecimal.",
    content: `a\r\nhellohello\r\n${LAST}`,
  }),
  valid({
    id: "http1/chunk-size-leading-zeros",
    title: "The server accepts chunk sizes with leading zeros.",
    content: `00005\r\nhello\r\n${LAST}`,
  }),
  valid({
    id: "http1/chunk-last-zeros",
    title: "The server recognizes a last chunk of several zeros.",
    content: `5\r\nhello\r\n000\r\n\r\n`,
  }),
  valid({
    id: "http1/chunk-with-line-ends",
    title: "The server reads line ends inside a chunk as content.",
    content: `4\r\n\r\n\r\n\r\n${LAST}`,
  }),
  valid({
    id: "http1/chunk-that-looks-last",
    title: "The server reads what looks like a last chunk inside a chunk as content.",
    content: `7\r\n\r\n0\r\n\r\n\r\n${LAST}`,
  }),
  inWrites(1, "octet by octet"),
  inWrites(2, "two octets at a time"),
  inWrites(3, "three octets at a time"),
  inWrites(7, "seven octets at a time"),
  wrong({ id: "http1/chunk-size-empty", title: "The server rejects a chunk without a size.", content: `\r\nhello\r\n${LAST}` }),
  wrong({
    id: "http1/chunk-size-not-hexadecimal",
    title: "The server rejects a chunk size that is not hexadecimal.",
    content: `g\r\nhello\r\n${LAST}`,
  }),
  wrong({
    id: "http1/chunk-size-trailing-letters",
    title: "The server rejects a chunk size followed by other letters.",
    content: `5xyz\r\nhello\r\n${LAST}`,
  }),
  wrong({ id: "http1/chunk-size-0x", title: "The server rejects a chunk size with the prefix 0x.", content: `0x5\r\nhello\r\n${LAST}` }),
  wrong({ id: "http1/chunk-size-plus", title: "The server rejects a chunk size with a plus sign.", content: `+5\r\nhello\r\n${LAST}` }),
  wrong({ id: "http1/chunk-size-minus", title: "The server rejects a negative chunk size.", content: `-5\r\nhello\r\n${LAST}` }),
  wrong({
    id: "http1/chunk-size-underscore",
    title: "The server rejects a chunk size with an underscore between digits.",
    content: `0_5\r\nhello\r\n${LAST}`,
  }),
  wrong({ id: "http1/chunk-size-comma", title: "The server rejects a chunk size with a comma.", content: `0,5\r\nhello\r\n${LAST}` }),
  wrong({
    id: "http1/chunk-size-space-before",
    title: "The server rejects a space before the chunk size.",
    content: ` 5\r\nhello\r\n${LAST}`,
  }),
  wrong({
    id: "http1/chunk-size-line-before",
    title: "The server rejects an empty line before the chunk size.",
    content: `\r\n5\r\nhello\r\n${LAST}`,
  }),
  wrong({ id: "http1/chunk-size-nul", title: "The server rejects NUL after the chunk size.", content: `5\0\r\nhello\r\n${LAST}` }),
  wrong({
    id: "http1/chunk-size-vertical-tab",
    title: "The server rejects a vertical tab after the chunk size.",
    content: `5\x0b\r\nhello\r\n${LAST}`,
  }),
  wrong({
    id: "http1/chunk-size-bare-cr",
    title: "The server rejects a chunk-size line that ends in a bare CR.",
    content: `5\rhello\r\n${LAST}`,
  }),
  wrong({
    id: "http1/chunk-size-bare-lf",
    title: "The server rejects a chunk-size line that ends in a bare LF.",
    content: `5\nhello\r\n${LAST}`,
    others: [lf],
  }),
  wrong({
    id: "http1/chunk-last-bare-lf",
    title: "The server rejects a last chunk whose lines end in a bare LF.",
    content: `5\r\nhello\r\n0\n\n`,
    others: [lf],
  }),
  wrong({
    id: "http1/chunk-data-bare-lf",
    title: "The server rejects chunk data that ends in a bare LF.",
    content: `5\r\nhello\n${LAST}`,
    others: [lf],
  }),
  wrong({
    id: "http1/chunk-data-without-line-end",
    title: "The server rejects chunk data without a line end.",
    content: `5\r\nhello${LAST}`,
  }),
  wrong({
    id: "http1/chunk-data-longer-than-size",
    title: "The server rejects a chunk that is longer than its size.",
    content: `5\r\nhello!\r\n${LAST}`,
  }),
  wrong({
    id: "http1/chunk-data-shorter-than-size",
    title: "The server rejects a chunk that is shorter than its size.",
    content: `5\r\nhell\r\n${LAST}`,
    others: [lf],
  }),
  wrong({
    id: "http1/chunk-data-two-octets-between",
    title: "The server rejects other octets in place of the CRLF after chunk data.",
    content: `5\r\nhelloXX${LAST}`,
  }),
  wrong({
    id: "http1/chunk-size-separated-digits",
    title: "The server rejects a chunk size with a space between its digits.",
    content: `0 5\r\nhello\r\n${LAST}`,
  }),
  wrong({
    id: "http1/chunk-size-space-after",
    title: "The server rejects whitespace after the chunk size where no extension follows.",
    content: `5 \r\nhello\r\n${LAST}`,
    level: "SHOULD",
  }),
  {
    id: "http1/chunk-size-beyond-64-bits",
    spec: "rfc9112#7.1",
    covers: ["rfc9112#7.1/large-sizes"],
    level: "MUST",
    role: "server",
    needs: ["post", "distinct"],
    title: "The server does not truncate a chunk size of 2^64 + 5 to 5: it rejects it, or waits for the rest.",
    steps: [send(chunked(`10000000000000005\r\nhello\r\n${LAST}${INNER}`)), { do: "half-close" }],
    control: [send(plainChunks)],
    fence: "none",
    allowed: notSecond,
  },
  {
    id: "http1/chunk-size-beyond-32-bits",
    spec: "rfc9112#7.1",
    covers: ["rfc9112#7.1/large-sizes"],
    level: "MUST",
    role: "server",
    needs: ["post", "distinct"],
    title: "The server does not truncate a chunk size of 2^32 + 5 to 5 and read the rest as the next request.",
    steps: [send(chunked(`100000005\r\nhello\r\n${LAST}${INNER}`)), { do: "half-close" }],
    control: [send(plainChunks)],
    // A valid size of content that is incomplete: only our half-close shows how the server read it.
    fence: "none",
    allowed: notSecond,
  },
  {
    id: "http1/chunks-incomplete",
    spec: "rfc9112#8",
    covers: ["rfc9112#8/chunked-incomplete"],
    level: "MUST",
    role: "server",
    needs: ["echo"],
    title: "The server does not treat chunked content as complete until the last chunk arrives.",
    steps: [send("POST {echo} HTTP/1.1\r\nHost: {authority}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")],
    control: [send("POST {echo} HTTP/1.1\r\nHost: {authority}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n")],
    fence: "half-close",
    allowed: notServed,
  },
  {
    id: "http1/content-shorter-than-length",
    spec: "rfc9112#8",
    covers: ["rfc9112#8/length-incomplete", "rfc9112#6.3/short"],
    level: "MUST",
    role: "server",
    needs: ["echo"],
    title: "The server does not treat content with fewer octets than its Content-Length as complete.",
    steps: [send("POST {echo} HTTP/1.1\r\nHost: {authority}\r\nContent-Length: 6\r\n\r\nhello")],
    control: [send("POST {echo} HTTP/1.1\r\nHost: {authority}\r\nContent-Length: 5\r\n\r\nhello"), awaitResponse(1)],
    fence: "half-close",
    allowed: notServed,
  },
];
