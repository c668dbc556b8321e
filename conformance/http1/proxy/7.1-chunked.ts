import type { Case, Outcome, Text } from "../vocabulary.ts";
import { CHUNKED, exchange, goodChunks, HIDDEN, permitted, postOf, refusedOnly, send, texts, understood } from "./phrases.ts";

/** RFC 9112, section 7.1: chunks that two readers could end at different places do not go on. */

const END = "0\r\n\r\n";
const chunks = (content: Text): Text => postOf(content, CHUNKED);
const wrong = (id: Case["id"], title: string, content: Text, ...others: readonly Outcome[]): Case => ({
  id,
  spec: "rfc9112#7.1",
  covers: ["rfc9112#7.1/grammar", "rfc9112#11.2/no-smuggling"],
  level: "MUST",
  title,
  ...texts(chunks(content), goodChunks),
  allowed: refusedOnly("rfc9112#2.2", ...others),
});
/** A line end that is an LF alone may be read as one (rfc9112#2.2), and goes on as CRLF or not at all. */
const readAsLine = (content: Text): Outcome => permitted(understood(content), "rfc9112#2.2", "warn");
const taken = (id: Case["id"], title: string, content: Text, reading: Text): Case => ({
  id,
  spec: "rfc9112#7.1",
  covers: ["rfc9112#7.1/decode", "rfc9112#6.3/chunked"],
  level: "MUST",
  title,
  ...exchange(send(chunks(content))),
  allowed: [{ see: understood(reading) }],
});

export const cases: readonly Case[] = [
  taken("http1/proxy-chunks-taken", "Chunks of different sizes reach the origin as one content.", `3\r\nhel\r\n2\r\nlo\r\n${END}`, "hello"),
  taken(
    "http1/proxy-chunk-size-forms",
    "Sizes in either case and with leading zeros are understood.",
    `0A\r\nhellohello\r\n00a\r\nworldworld\r\n000\r\n\r\n`,
    "hellohelloworldworld",
  ),
  taken(
    "http1/proxy-chunk-that-looks-last",
    "What looks like the last chunk inside another is content.",
    `105\r\n${END}${HIDDEN}\r\n${END}`,
    `${END}${HIDDEN}`,
  ),
  {
    ...taken("http1/proxy-chunks-octet-by-octet", "Chunks that arrive octet by octet reach the origin as one content.", "", "hello"),
    ...exchange(send(chunks(`3;a=b\r\nhel\r\n2\r\nlo\r\n${END}`), { cut: 1 })),
  },
  {
    ...taken(
      "http1/proxy-chunk-extension-ignored",
      "Extensions of chunks are no content, whatever stands in their quotes.",
      `5;a=b;c="d;\\"e"\r\nhello\r\n${END}`,
      "hello",
    ),
    spec: "rfc9112#7.1.1",
    covers: ["rfc9112#7.1.1/ignored"],
  },
  wrong("http1/proxy-chunk-size-overflow", "A size beyond 64 bits is refused, not cut to fit.", `10000000000000100\r\n${HIDDEN}\r\n${END}`),
  wrong("http1/proxy-chunk-size-0x", "A size with 0x is refused.", `0x5\r\nhello\r\n${END}`),
  wrong("http1/proxy-chunk-size-plus", "A size with a plus is refused.", `+5\r\nhello\r\n${END}`),
  wrong("http1/proxy-chunk-size-minus", "A negative size is refused.", `-5\r\nhello\r\n${END}`),
  wrong("http1/proxy-chunk-size-empty", "A chunk without a size is refused.", `;a\r\nhello\r\n${END}`),
  wrong("http1/proxy-chunk-size-letters-behind", "A size with other letters behind it is refused.", `5g\r\nhello\r\n${END}`),
  wrong(
    "http1/proxy-chunk-size-space-before",
    "A size with a space before it is refused, or goes on without it.",
    ` 5\r\nhello\r\n${END}`,
    permitted(understood("hello"), "rfc9112#7.1", "warn"),
  ),
  wrong(
    "http1/proxy-chunk-size-space-behind",
    "A size with a space behind it is refused, or goes on without it.",
    `5 \r\nhello\r\n${END}`,
    permitted(understood("hello"), "rfc9112#7.1.1"),
  ),
  wrong(
    "http1/proxy-chunk-size-bare-lf",
    "A size whose line ends in LF alone is refused, or read as a line here and at the origin.",
    `5\nhello\r\n${END}`,
    readAsLine("hello"),
  ),
  wrong("http1/proxy-chunk-size-bare-cr", "A size whose line ends in CR alone is refused.", `5\rhello\r\n${END}`),
  {
    ...wrong(
      "http1/proxy-chunk-extension-bare-lf",
      "An LF in an extension is refused, or ends the line here and at the origin.",
      `5;a\nhello\r\n${END}`,
      readAsLine("hello"),
    ),
    spec: "rfc9112#7.1.1",
    covers: ["rfc9112#7.1.1/grammar", "rfc9112#11.2/no-smuggling"],
  },
  {
    ...wrong(
      "http1/proxy-chunk-extension-bare-cr",
      "A CR in an extension is refused, or goes no further.",
      `5;a\rb\r\nhello\r\n${END}`,
      permitted(understood("hello"), "rfc9112#7.1.1", "warn"),
    ),
    spec: "rfc9112#7.1.1",
    covers: ["rfc9112#7.1.1/grammar", "rfc9112#2.2/bare-cr"],
  },
  wrong("http1/proxy-chunk-data-longer", "A chunk that goes on behind its size is refused.", `5\r\nhelloworld\r\n${END}`),
  wrong("http1/proxy-chunk-data-unended", "A chunk without CRLF behind it is refused.", `5\r\nhello${END}`),
  wrong("http1/proxy-chunk-data-two-octets", "Two octets that are no CRLF do not end a chunk.", `5\r\nhelloXX${END}`),
  wrong(
    "http1/proxy-chunk-data-bare-lf",
    "A chunk that ends in LF alone is refused, or read so here and at the origin.",
    `5\r\nhello\n${END}`,
    readAsLine("hello"),
  ),
  wrong("http1/proxy-chunk-data-bare-cr", "A chunk that ends in CR alone is refused.", `5\r\nhello\r${END}`),
  wrong(
    "http1/proxy-chunk-last-bare-lf",
    "A last chunk in lines that end in LF alone is refused, or read so here and at the origin.",
    `5\r\nhello\r\n0\n\n`,
    readAsLine("hello"),
  ),
  {
    ...wrong(
      "http1/proxy-trailer-without-colon",
      "A trailer line without a colon is refused, or goes no further.",
      `5\r\nhello\r\n0\r\nno colon here\r\n\r\n`,
      permitted(understood("hello"), "rfc9112#7.1.2", "warn"),
    ),
    spec: "rfc9112#7.1.2",
    covers: ["rfc9112#7.1/grammar", "rfc9112#11.2/no-smuggling"],
  },
  {
    ...wrong(
      "http1/proxy-trailer-bare-cr",
      "A CR in a trailer is refused, or goes no further.",
      `5\r\nhello\r\n0\r\nX-A: b\rX-C: d\r\n\r\n`,
      permitted(understood("hello"), "rfc9112#2.2"),
    ),
    spec: "rfc9112#7.1.2",
    covers: ["rfc9112#2.2/bare-cr", "rfc9112#11.2/no-smuggling"],
  },
  {
    id: "http1/proxy-chunk-extensions-limited",
    spec: "rfc9112#7.1.1",
    covers: ["rfc9112#7.1.1/limited"],
    level: "SHOULD",
    title: "Extensions of 400,000 octets in all are too many.",
    role: "proxy",
    steps: [send(postOf("", CHUNKED)), { do: "repeat", text: `1;${"a".repeat(4000)}\r\na\r\n`, times: 100 }, send(END)],
    control: [send(postOf("", CHUNKED)), { do: "repeat", text: "1;a\r\na\r\n", times: 100 }, send(END)],
    allowed: refusedOnly("rfc9112#7.1.1"),
  },
];
