import { answeredFirst, chunked, INNER, notSecond, plainChunks, takenContent, tookContent, wrongChunks } from "./framing-phrases.ts";
import { permitted, send } from "./phrases.ts";
import type { Case, Outcome, Text } from "./vocabulary.ts";

const END = "0\r\n\r\n";
const taken = (id: Case["id"], title: string, content: Text): Case =>
  takenContent(id, "7.1/decode", "rfc9112#7.1", title, chunked(content), plainChunks);
const wrong = (id: Case["id"], title: string, content: Text, ...others: readonly Outcome[]): Case =>
  wrongChunks(id, "7.1/grammar", "rfc9112#7.1", title, content, ...others);

/** A line end that is an LF alone may be read as one (rfc9112#2.2); where requests are cut apart by it, that is better not done. */
const lf = permitted(tookContent[0].see, "rfc9112#2.2", "warn");

/** In writes of so many octets each: the same content. */
const segments: readonly (readonly [cut: number, words: string])[] = [
  [1, "octet by octet"],
  [2, "two octets at a time"],
  [3, "three octets at a time"],
  [7, "seven octets at a time"],
];

export const cases: readonly Case[] = [
  taken("http1/chunk-one", "The server takes content in one chunk.", `5\r\nhello\r\n${END}`),
  taken("http1/chunk-none", "The server takes content without any chunk.", END),
  taken("http1/chunk-many", "The server takes content in many chunks of one octet.", `${"1\r\na\r\n".repeat(20)}${END}`),
  taken("http1/chunk-size-upper-case", "The server reads sizes in upper-case hexadecimal.", `A\r\nhellohello\r\n${END}`),
  taken("http1/chunk-size-lower-case", "The server reads sizes in lower-case hexadecimal.", `a\r\nhellohello\r\n${END}`),
  taken("http1/chunk-size-leading-zeros", "The server reads sizes with leading zeros.", `00005\r\nhello\r\n${END}`),
  taken("http1/chunk-last-zeros", "The server knows the last chunk by several zeros.", `5\r\nhello\r\n000\r\n\r\n`),
  taken("http1/chunk-with-line-ends", "The server takes line ends inside a chunk as content.", `4\r\n\r\n\r\n\r\n${END}`),
  taken(
    "http1/chunk-that-looks-last",
    "The server takes for content what inside a chunk looks like the last one.",
    `7\r\n\r\n0\r\n\r\n\r\n${END}`,
  ),
  ...segments.map(([cut, words]): Case => ({
    ...taken(
      `http1/chunks-cut-at-${cut}`,
      `The server takes content in chunks that arrive ${words}.`,
      `5;a=b\r\nhello\r\n6\r\n world\r\n0\r\nX-A: b\r\n\r\n`,
    ),
    steps: [send(chunked(`5;a=b\r\nhello\r\n6\r\n world\r\n0\r\nX-A: b\r\n\r\n`), { cut })],
    allowed: [...tookContent, answeredFirst],
  })),
  wrong("http1/chunk-size-empty", "The server refuses a chunk without a size.", `\r\nhello\r\n${END}`),
  wrong("http1/chunk-size-not-hexadecimal", "The server refuses a size that is no hexadecimal number.", `g\r\nhello\r\n${END}`),
  wrong("http1/chunk-size-trailing-letters", "The server refuses a size with other letters behind it.", `5xyz\r\nhello\r\n${END}`),
  wrong("http1/chunk-size-0x", "The server refuses a size with 0x.", `0x5\r\nhello\r\n${END}`),
  wrong("http1/chunk-size-plus", "The server refuses a size with a plus.", `+5\r\nhello\r\n${END}`),
  wrong("http1/chunk-size-minus", "The server refuses a negative size.", `-5\r\nhello\r\n${END}`),
  wrong("http1/chunk-size-underscore", "The server refuses a size with an underscore between digits.", `0_5\r\nhello\r\n${END}`),
  wrong("http1/chunk-size-comma", "The server refuses a size with a comma.", `0,5\r\nhello\r\n${END}`),
  wrong("http1/chunk-size-space-before", "The server refuses a space before the size.", ` 5\r\nhello\r\n${END}`),
  wrong("http1/chunk-size-line-before", "The server refuses an empty line before the size.", `\r\n5\r\nhello\r\n${END}`),
  wrong("http1/chunk-size-nul", "The server refuses a NUL behind the size.", `5\0\r\nhello\r\n${END}`),
  wrong("http1/chunk-size-vertical-tab", "The server refuses a vertical tab behind the size.", `5\x0b\r\nhello\r\n${END}`),
  wrong("http1/chunk-size-bare-cr", "The server refuses a size whose line ends in CR alone.", `5\rhello\r\n${END}`),
  wrong("http1/chunk-size-bare-lf", "The server refuses a size whose line ends in LF alone.", `5\nhello\r\n${END}`, lf),
  wrong("http1/chunk-last-bare-lf", "The server refuses a last chunk whose lines end in LF alone.", `5\r\nhello\r\n0\n\n`, lf),
  wrong("http1/chunk-data-bare-lf", "The server refuses a chunk that ends in LF alone.", `5\r\nhello\n${END}`, lf),
  wrong("http1/chunk-data-without-line-end", "The server refuses a chunk behind which no line end comes.", `5\r\nhello${END}`),
  wrong("http1/chunk-data-longer-than-size", "The server refuses a chunk that is longer than its size.", `5\r\nhello!\r\n${END}`),
  wrong("http1/chunk-data-shorter-than-size", "The server refuses a chunk that is shorter than its size.", `5\r\nhell\r\n${END}`, lf),
  wrong("http1/chunk-data-two-octets-between", "The server refuses other octets where a line end belongs.", `5\r\nhelloXX${END}`),
  wrong("http1/chunk-size-separated-digits", "The server refuses a size with a space between its digits.", `0 5\r\nhello\r\n${END}`),
  {
    ...wrong(
      "http1/chunk-size-space-after",
      "The server refuses white space behind the size where no extension follows.",
      `5 \r\nhello\r\n${END}`,
    ),
    level: "SHOULD",
  },
  {
    ...wrong(
      "http1/chunk-size-beyond-64-bits",
      "The server refuses a size that its numbers cannot hold, instead of reading a smaller one.",
      `10000000000000005\r\nhello\r\n${END}`,
    ),
    covers: ["rfc9112#7.1/large-sizes"],
  },
  {
    id: "http1/chunk-size-beyond-32-bits",
    spec: "rfc9112#7.1",
    covers: ["rfc9112#7.1/large-sizes"],
    level: "MUST",
    role: "server",
    needs: ["post", "distinct"],
    title: "The server does not read a size of 2^32 and 5 as 5, and what is content for the next request.",
    steps: [send(chunked(`100000005\r\nhello\r\n${END}${INNER}`)), { do: "half-close" }],
    control: [send(plainChunks)],
    // It is a lawful size of content that is not all there: only the end of what we send shows what became of it.
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
    title: "The server does not take content for whole whose last chunk never comes.",
    steps: [send("POST {echo} HTTP/1.1\r\nHost: {authority}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")],
    control: [send("POST {echo} HTTP/1.1\r\nHost: {authority}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n")],
    fence: "half-close",
    allowed: [
      {
        see: {
          see: "all",
          of: [{ see: "connection closed" }, { see: "not", of: { see: "response", status: ["2xx", "3xx"], complete: true } }],
        },
      },
    ],
  },
  {
    id: "http1/content-shorter-than-length",
    spec: "rfc9112#8",
    covers: ["rfc9112#8/length-incomplete", "rfc9112#6.3/short"],
    level: "MUST",
    role: "server",
    needs: ["echo"],
    title: "The server does not take content for whole that has fewer octets than were announced.",
    steps: [send("POST {echo} HTTP/1.1\r\nHost: {authority}\r\nContent-Length: 6\r\n\r\nhello")],
    control: [send("POST {echo} HTTP/1.1\r\nHost: {authority}\r\nContent-Length: 5\r\n\r\nhello")],
    fence: "half-close",
    allowed: [
      {
        see: {
          see: "all",
          of: [{ see: "connection closed" }, { see: "not", of: { see: "response", status: ["2xx", "3xx"], complete: true } }],
        },
      },
    ],
  },
];
