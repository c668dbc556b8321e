import type { Case, Outcome, Step, Text } from "../../vocabulary.ts";
import { CHUNKED, goodChunks, HIDDEN, permitted, postOf, refusedOnly, send, texts, understood } from "./phrases.ts";

/** RFC 9112, section 7.1: a proxy does not forward chunks that two readers could end at different places. */

const END = "0\r\n\r\n";
const chunks = (content: Text): Text => postOf(content, CHUNKED);
type Entry = Pick<Case, "id" | "title"> & Partial<Pick<Case, "spec" | "covers">> & { readonly content: Text };
const wrong = ({ content, others = [], ...entry }: Entry & { readonly others?: readonly Outcome[] }): Case => ({
  spec: "rfc9112#7.1",
  covers: ["rfc9112#7.1/grammar", "rfc9112#11.2/no-smuggling"],
  level: "SHOULD",
  ...texts({ wrong: chunks(content), right: goodChunks }),
  allowed: refusedOnly("rfc9112#2.2", ...others),
  ...entry,
});
/** A proxy may read a bare LF as a line end (rfc9112#2.2), if it forwards CRLF or nothing. */
const readAsLine = (content: Text): Outcome => permitted(understood(content), "rfc9112#2.2", "warn");
const valid = ({ content, reading, cut, ...entry }: Entry & { readonly reading: Text; readonly cut?: number }): Case => {
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
  valid({
    id: "http1/proxy-chunks-taken",
    title: "The proxy forwards chunks of different sizes as the same content.",
    content: `3\r\nhel\r\n2\r\nlo\r\n${END}`,
    reading: "hello",
  }),
  valid({
    id: "http1/proxy-chunk-size-forms",
    title: "The proxy accepts chunk sizes in either case and with leading zeros.",
    content: `0A\r\nhellohello\r\n00a\r\nworldworld\r\n000\r\n\r\n`,
    reading: "hellohelloworldworld",
  }),
  valid({
    id: "http1/proxy-chunk-that-looks-last",
    title: "The proxy reads what looks like a last chunk inside a chunk as content.",
    content: `105\r\n${END}${HIDDEN}\r\n${END}`,
    reading: `${END}${HIDDEN}`,
  }),
  valid({
    id: "http1/proxy-chunks-octet-by-octet",
    title: "The proxy forwards chunks that arrive octet by octet as the same content.",
    content: `3;a=b\r\nhel\r\n2\r\nlo\r\n${END}`,
    reading: "hello",
    cut: 1,
  }),
  valid({
    id: "http1/proxy-chunk-extension-ignored",
    title: "The proxy does not read chunk extensions as content, whatever their quotes contain.",
    content: `5;a=b;c="d;\\"e"\r\nhello\r\n${END}`,
    reading: "hello",
    spec: "rfc9112#7.1.1",
    covers: ["rfc9112#7.1.1/ignored"],
  }),
  wrong({
    id: "http1/proxy-chunk-size-overflow",
    title: "The proxy rejects a chunk size beyond 64 bits instead of truncating it.",
    content: `10000000000000100\r\n${HIDDEN}\r\n${END}`,
  }),
  wrong({
    id: "http1/proxy-chunk-size-0x",
    title: "The proxy rejects a chunk size with the prefix 0x.",
    content: `0x5\r\nhello\r\n${END}`,
  }),
  wrong({ id: "http1/proxy-chunk-size-plus", title: "The proxy rejects a chunk size with a plus sign.", content: `+5\r\nhello\r\n${END}` }),
  wrong({ id: "http1/proxy-chunk-size-minus", title: "The proxy rejects a negative chunk size.", content: `-5\r\nhello\r\n${END}` }),
  wrong({ id: "http1/proxy-chunk-size-empty", title: "The proxy rejects a chunk without a size.", content: `;a\r\nhello\r\n${END}` }),
  wrong({
    id: "http1/proxy-chunk-size-letters-behind",
    title: "The proxy rejects a chunk size followed by other letters.",
    content: `5g\r\nhello\r\n${END}`,
  }),
  wrong({
    id: "http1/proxy-chunk-size-space-before",
    title: "The proxy rejects a chunk size with a leading space, or forwards it without.",
    content: ` 5\r\nhello\r\n${END}`,
    others: [permitted(understood("hello"), "rfc9112#7.1", "warn")],
  }),
  wrong({
    id: "http1/proxy-chunk-size-space-behind",
    title: "The proxy rejects a chunk size with a trailing space, or forwards it without.",
    content: `5 \r\nhello\r\n${END}`,
    others: [permitted(understood("hello"), "rfc9112#7.1.1")],
  }),
  wrong({
    id: "http1/proxy-chunk-size-bare-lf",
    title: "The proxy rejects a chunk-size line that ends in a bare LF, or reads it as a line and forwards CRLF.",
    content: `5\nhello\r\n${END}`,
    others: [readAsLine("hello")],
  }),
  wrong({
    id: "http1/proxy-chunk-size-bare-cr",
    title: "The proxy rejects a chunk-size line that ends in a bare CR.",
    content: `5\rhello\r\n${END}`,
  }),
  wrong({
    id: "http1/proxy-chunk-extension-bare-lf",
    title: "The proxy rejects a bare LF in a chunk extension, or ends the line there for itself and the origin.",
    content: `5;a\nhello\r\n${END}`,
    others: [readAsLine("hello")],
    spec: "rfc9112#7.1.1",
    covers: ["rfc9112#7.1.1/grammar", "rfc9112#11.2/no-smuggling"],
  }),
  wrong({
    id: "http1/proxy-chunk-extension-bare-cr",
    title: "The proxy rejects a bare CR in a chunk extension, or does not forward it.",
    content: `5;a\rb\r\nhello\r\n${END}`,
    others: [permitted(understood("hello"), "rfc9112#7.1.1", "warn")],
    spec: "rfc9112#7.1.1",
    covers: ["rfc9112#7.1.1/grammar", "rfc9112#2.2/bare-cr"],
  }),
  wrong({
    id: "http1/proxy-chunk-data-longer",
    title: "The proxy rejects a chunk that is longer than its size.",
    content: `5\r\nhelloworld\r\n${END}`,
  }),
  wrong({
    id: "http1/proxy-chunk-data-unended",
    title: "The proxy rejects a chunk without CRLF after its data.",
    content: `5\r\nhello${END}`,
  }),
  wrong({
    id: "http1/proxy-chunk-data-two-octets",
    title: "The proxy rejects other octets in place of the CRLF after chunk data.",
    content: `5\r\nhelloXX${END}`,
  }),
  wrong({
    id: "http1/proxy-chunk-data-bare-lf",
    title: "The proxy rejects chunk data that ends in a bare LF, or reads it as a line end and forwards CRLF.",
    content: `5\r\nhello\n${END}`,
    others: [readAsLine("hello")],
  }),
  wrong({
    id: "http1/proxy-chunk-data-bare-cr",
    title: "The proxy rejects chunk data that ends in a bare CR.",
    content: `5\r\nhello\r${END}`,
  }),
  wrong({
    id: "http1/proxy-chunk-last-bare-lf",
    title: "The proxy rejects a last chunk whose lines end in a bare LF, or reads them as lines and forwards CRLF.",
    content: `5\r\nhello\r\n0\n\n`,
    others: [readAsLine("hello")],
  }),
  wrong({
    id: "http1/proxy-trailer-without-colon",
    title: "The proxy rejects a trailer line without a colon, or does not forward it.",
    content: `5\r\nhello\r\n0\r\nno colon here\r\n\r\n`,
    others: [permitted(understood("hello"), "rfc9112#7.1.2", "warn")],
    spec: "rfc9112#7.1.2",
    covers: ["rfc9112#7.1/grammar", "rfc9112#11.2/no-smuggling"],
  }),
  wrong({
    id: "http1/proxy-trailer-bare-cr",
    title: "The proxy rejects a bare CR in a trailer, or does not forward it.",
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
    title: "The proxy rejects chunk extensions of 400,000 octets in total.",
    role: "proxy",
    steps: [send(postOf("", CHUNKED)), { do: "repeat", text: `1;${"a".repeat(4000)}\r\na\r\n`, times: 100 }, send(END)],
    control: [send(postOf("", CHUNKED)), { do: "repeat", text: "1;a\r\na\r\n", times: 100 }, send(END)],
    allowed: refusedOnly("rfc9112#7.1.1"),
  },
];
