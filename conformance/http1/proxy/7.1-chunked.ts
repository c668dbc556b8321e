import type { Case, Outcome, Step, Text } from "../vocabulary.ts";
import { CHUNKED, goodChunks, HIDDEN, permitted, postOf, refusedOnly, send, texts, understood } from "./phrases.ts";

/** RFC 9112, section 7.1: a proxy does not forward chunks that two readers could end at different places. */

const END = "0\r\n\r\n";
const chunks = (content: Text): Text => postOf(content, CHUNKED);
type Entry = Pick<Case, "id" | "title"> & Partial<Pick<Case, "spec" | "covers">> & { readonly content: Text };
const wrong = ({ content, others = [], ...entry }: Entry & { readonly others?: readonly Outcome[] }): Case => ({
  spec: "rfc9112#7.1",
  covers: ["rfc9112#7.1/grammar", "rfc9112#11.2/no-smuggling"],
  level: "MUST",
  ...texts({ wrong: chunks(content), right: goodChunks }),
  allowed: refusedOnly("rfc9112#2.2", ...others),
  ...entry,
});
/** A proxy may read a bare LF as a line end (rfc9112#2.2), if it forwards CRLF or nothing. */
const readAsLine = (content: Text): Outcome => permitted(understood(content), "rfc9112#2.2", "warn");
const taken = ({ content, reading, cut, ...entry }: Entry & { readonly reading: Text; readonly cut?: number }): Case => {
  const steps: readonly Step[] = [send(chunks(content), cut === undefined ? {} : { cut })];
  return {
    spec: "rfc9112#7.1",
    covers: ["rfc9112#7.1/decode", "rfc9112#6.3/chunked"],
    level: "MUST",
    role: "proxy",
    steps,
    control: steps,
    allowed: [{ see: understood(reading) }],
    ...entry,
  };
};

export const cases: readonly Case[] = [
  taken({
    id: "http1/proxy-chunks-taken",
    title: "Chunks of different sizes reach the origin as one content.",
    content: `3\r\nhel\r\n2\r\nlo\r\n${END}`,
    reading: "hello",
  }),
  taken({
    id: "http1/proxy-chunk-size-forms",
    title: "Sizes in either case and with leading zeros are understood.",
    content: `0A\r\nhellohello\r\n00a\r\nworldworld\r\n000\r\n\r\n`,
    reading: "hellohelloworldworld",
  }),
  taken({
    id: "http1/proxy-chunk-that-looks-last",
    title: "What looks like the last chunk inside another is content.",
    content: `105\r\n${END}${HIDDEN}\r\n${END}`,
    reading: `${END}${HIDDEN}`,
  }),
  taken({
    id: "http1/proxy-chunks-octet-by-octet",
    title: "Chunks that arrive octet by octet reach the origin as one content.",
    content: `3;a=b\r\nhel\r\n2\r\nlo\r\n${END}`,
    reading: "hello",
    cut: 1,
  }),
  taken({
    id: "http1/proxy-chunk-extension-ignored",
    title: "Extensions of chunks are no content, whatever stands in their quotes.",
    content: `5;a=b;c="d;\\"e"\r\nhello\r\n${END}`,
    reading: "hello",
    spec: "rfc9112#7.1.1",
    covers: ["rfc9112#7.1.1/ignored"],
  }),
  wrong({
    id: "http1/proxy-chunk-size-overflow",
    title: "A size beyond 64 bits is refused, not cut to fit.",
    content: `10000000000000100\r\n${HIDDEN}\r\n${END}`,
  }),
  wrong({ id: "http1/proxy-chunk-size-0x", title: "A size with 0x is refused.", content: `0x5\r\nhello\r\n${END}` }),
  wrong({ id: "http1/proxy-chunk-size-plus", title: "A size with a plus is refused.", content: `+5\r\nhello\r\n${END}` }),
  wrong({ id: "http1/proxy-chunk-size-minus", title: "A negative size is refused.", content: `-5\r\nhello\r\n${END}` }),
  wrong({ id: "http1/proxy-chunk-size-empty", title: "A chunk without a size is refused.", content: `;a\r\nhello\r\n${END}` }),
  wrong({
    id: "http1/proxy-chunk-size-letters-behind",
    title: "A size with other letters behind it is refused.",
    content: `5g\r\nhello\r\n${END}`,
  }),
  wrong({
    id: "http1/proxy-chunk-size-space-before",
    title: "A size with a space before it is refused, or goes on without it.",
    content: ` 5\r\nhello\r\n${END}`,
    others: [permitted(understood("hello"), "rfc9112#7.1", "warn")],
  }),
  wrong({
    id: "http1/proxy-chunk-size-space-behind",
    title: "A size with a space behind it is refused, or goes on without it.",
    content: `5 \r\nhello\r\n${END}`,
    others: [permitted(understood("hello"), "rfc9112#7.1.1")],
  }),
  wrong({
    id: "http1/proxy-chunk-size-bare-lf",
    title: "A size whose line ends in LF alone is refused, or read as a line here and at the origin.",
    content: `5\nhello\r\n${END}`,
    others: [readAsLine("hello")],
  }),
  wrong({ id: "http1/proxy-chunk-size-bare-cr", title: "A size whose line ends in CR alone is refused.", content: `5\rhello\r\n${END}` }),
  wrong({
    id: "http1/proxy-chunk-extension-bare-lf",
    title: "An LF in an extension is refused, or ends the line here and at the origin.",
    content: `5;a\nhello\r\n${END}`,
    others: [readAsLine("hello")],
    spec: "rfc9112#7.1.1",
    covers: ["rfc9112#7.1.1/grammar", "rfc9112#11.2/no-smuggling"],
  }),
  wrong({
    id: "http1/proxy-chunk-extension-bare-cr",
    title: "A CR in an extension is refused, or goes no further.",
    content: `5;a\rb\r\nhello\r\n${END}`,
    others: [permitted(understood("hello"), "rfc9112#7.1.1", "warn")],
    spec: "rfc9112#7.1.1",
    covers: ["rfc9112#7.1.1/grammar", "rfc9112#2.2/bare-cr"],
  }),
  wrong({
    id: "http1/proxy-chunk-data-longer",
    title: "A chunk that goes on behind its size is refused.",
    content: `5\r\nhelloworld\r\n${END}`,
  }),
  wrong({ id: "http1/proxy-chunk-data-unended", title: "A chunk without CRLF behind it is refused.", content: `5\r\nhello${END}` }),
  wrong({
    id: "http1/proxy-chunk-data-two-octets",
    title: "Two octets that are no CRLF do not end a chunk.",
    content: `5\r\nhelloXX${END}`,
  }),
  wrong({
    id: "http1/proxy-chunk-data-bare-lf",
    title: "A chunk that ends in LF alone is refused, or read so here and at the origin.",
    content: `5\r\nhello\n${END}`,
    others: [readAsLine("hello")],
  }),
  wrong({ id: "http1/proxy-chunk-data-bare-cr", title: "A chunk that ends in CR alone is refused.", content: `5\r\nhello\r${END}` }),
  wrong({
    id: "http1/proxy-chunk-last-bare-lf",
    title: "A last chunk in lines that end in LF alone is refused, or read so here and at the origin.",
    content: `5\r\nhello\r\n0\n\n`,
    others: [readAsLine("hello")],
  }),
  wrong({
    id: "http1/proxy-trailer-without-colon",
    title: "A trailer line without a colon is refused, or goes no further.",
    content: `5\r\nhello\r\n0\r\nno colon here\r\n\r\n`,
    others: [permitted(understood("hello"), "rfc9112#7.1.2", "warn")],
    spec: "rfc9112#7.1.2",
    covers: ["rfc9112#7.1/grammar", "rfc9112#11.2/no-smuggling"],
  }),
  wrong({
    id: "http1/proxy-trailer-bare-cr",
    title: "A CR in a trailer is refused, or goes no further.",
    content: `5\r\nhello\r\n0\r\nX-A: b\rX-C: d\r\n\r\n`,
    others: [permitted(understood("hello"), "rfc9112#2.2")],
    spec: "rfc9112#7.1.2",
    covers: ["rfc9112#2.2/bare-cr", "rfc9112#11.2/no-smuggling"],
  }),
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
