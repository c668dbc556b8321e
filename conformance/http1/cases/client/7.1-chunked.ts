import type { Case, Outcome, Step, Text } from "../../vocabulary.ts";
import { accepts, answer, chunk, CHUNKS, CONTENT, inChunks, LAST, recovered, rejects, whole } from "./phrases.ts";

/** RFC 9112, section 7.1: chunks of a response. */

const spec = "rfc9112#7.1";
const A = "a\r\n";
const DATA = `${CONTENT}\r\n`;

/** Valid chunks. */
const good = ({
  chunks,
  ...entry
}: Pick<Case, "id" | "title"> & {
  readonly chunks: Text;
  readonly output?: Text;
  readonly cut?: number;
  readonly steps?: readonly Step[];
  readonly control?: readonly Step[];
}): Case =>
  accepts({
    spec,
    covers: ["rfc9112#7.1/decode", "rfc9112#6.1/parse-chunked"],
    text: inChunks(chunks),
    control: [answer(inChunks(CHUNKS))],
    ...entry,
  });

type Entry = Pick<Case, "id" | "title"> & { readonly others?: readonly Outcome[] };

/** Malformed chunks: decoding fails, and the response is incomplete. */
const bad = ({ chunks, ...entry }: Entry & { readonly chunks: Text }): Case =>
  rejects({
    ...entry,
    spec,
    covers: ["rfc9112#7.1/grammar", "rfc9112#8/recorded-undecodable"],
    level: "SHOULD",
    text: inChunks(chunks),
    right: inChunks(CHUNKS),
  });

/** An invalid size, before data of the length that a lenient reader would expect. */
const badSize = ({ size, ...entry }: Entry & { readonly size: Text }): Case => bad({ ...entry, chunks: `${size}\r\n${DATA}${LAST}` });

const tooLarge = (id: Case["id"], title: string, size: Text): Case =>
  rejects({
    id,
    spec,
    covers: ["rfc9112#7.1/large-sizes"],
    title,
    text: inChunks(`${size}\r\n${DATA}${LAST}`),
    right: inChunks(CHUNKS),
  });

export const cases: readonly Case[] = [
  accepts({
    id: "http1/client-chunked",
    spec,
    covers: ["rfc9112#7.1/decode", "rfc9112#6.3/chunked"],
    title: "The client ends chunked content at the last chunk without waiting for the connection to close.",
    right: whole(),
    text: inChunks(CHUNKS),
  }),
  accepts({
    id: "http1/client-chunked-empty",
    spec,
    covers: ["rfc9112#7.1/decode"],
    title: "The client reads a last chunk alone as empty content.",
    right: whole(),
    text: inChunks(LAST),
    output: "",
  }),
  good({
    id: "http1/client-chunks-of-one-octet",
    title: "The client joins chunks of one octet each.",
    chunks: [...CONTENT].map((one) => chunk(one)).join("") + LAST,
  }),
  good({
    id: "http1/client-chunk-size-upper-case",
    title: "The client accepts chunk sizes in upper-case hexadecimal.",
    chunks: `A\r\n${DATA}${LAST}`,
  }),
  good({
    id: "http1/client-chunk-size-lower-case",
    title: "The client accepts chunk sizes in lower-case hexadecimal.",
    chunks: `${A}${DATA}${LAST}`,
  }),
  good({
    id: "http1/client-chunk-size-leading-zeros",
    title: "The client accepts chunk sizes with leading zeros.",
    chunks: `0000000a\r\n${DATA}${LAST}`,
  }),
  good({
    id: "http1/client-last-chunk-of-zeros",
    title: "The client recognizes a last chunk of several zeros.",
    chunks: `${A}${DATA}0000\r\n\r\n`,
  }),
  good({
    id: "http1/client-chunk-large",
    title: "The client reads a chunk of 100,000 octets to its end.",
    chunks: chunk("0123456789".repeat(10_000)) + LAST,
    output: "0123456789".repeat(10_000),
  }),
  good({
    id: "http1/client-chunk-holds-line-ends",
    title: "The client reads what looks like a last chunk inside a chunk as data.",
    chunks: chunk(`\r\n${LAST}`) + LAST,
    output: `\r\n${LAST}`,
  }),
  good({
    id: "http1/client-chunks-octet-by-octet",
    title: "The client accepts chunks that arrive octet by octet.",
    chunks: `5;a="b"\r\ntouch\r\n05\r\nstone\r\n0\r\nX-Odd: 1\r\n\r\n`,
    cut: 1,
  }),
  good({
    id: "http1/client-chunks-in-twos",
    title: "The client accepts chunks that arrive two octets at a time.",
    chunks: `5;a="b"\r\ntouch\r\n05\r\nstone\r\n0\r\nX-Odd: 1\r\n\r\n`,
    cut: 2,
  }),
  badSize({ id: "http1/client-chunk-size-word", title: "The client rejects a chunk size that is not hexadecimal.", size: "xyz" }),
  badSize({ id: "http1/client-chunk-size-empty", title: "The client rejects a chunk without a size.", size: "" }),
  badSize({ id: "http1/client-chunk-size-hexadecimal-prefix", title: "The client rejects a chunk size with the prefix 0x.", size: "0xa" }),
  badSize({ id: "http1/client-chunk-size-plus", title: "The client rejects a chunk size with a plus sign.", size: "+a" }),
  badSize({ id: "http1/client-chunk-size-minus", title: "The client rejects a negative chunk size.", size: "-a" }),
  badSize({ id: "http1/client-chunk-size-underscore", title: "The client rejects a chunk size with an underscore.", size: "0_a" }),
  badSize({ id: "http1/client-chunk-size-space-inside", title: "The client rejects a chunk size with a space inside.", size: "0 a" }),
  badSize({
    id: "http1/client-chunk-size-space-before",
    title: "The client rejects a space before a chunk size.",
    size: " a",
    others: [recovered()],
  }),
  badSize({
    id: "http1/client-chunk-size-letters-behind",
    title: "The client rejects a chunk size followed by other letters.",
    size: "axyz",
  }),
  badSize({ id: "http1/client-chunk-size-nul", title: "The client rejects NUL after a chunk size.", size: "a\0" }),
  tooLarge("http1/client-chunk-size-overflow-64", "The client does not truncate a chunk size of 2^64 + 10 to 10.", "1000000000000000a"),
  tooLarge("http1/client-chunk-size-overflow-32", "The client does not truncate a chunk size of 2^32 + 10 to 10.", "10000000a"),
  tooLarge(
    "http1/client-chunk-size-negative-by-sign-bit",
    "The client does not read the largest 64-bit chunk size as negative.",
    "ffffffffffffffff",
  ),
  bad({
    id: "http1/client-chunk-longer",
    title: "The client rejects a chunk that is longer than its size.",
    chunks: `5\r\n${DATA}${LAST}`,
  }),
  bad({
    id: "http1/client-chunk-shorter",
    title: "The client rejects a chunk that is shorter than its size.",
    chunks: `c\r\n${DATA}${LAST}`,
  }),
  bad({
    id: "http1/client-chunk-without-line-end",
    title: "The client rejects chunk data without a line end.",
    chunks: `${A}${CONTENT}${LAST}`,
  }),
  bad({
    id: "http1/client-chunk-with-other-octets-behind",
    title: "The client rejects other octets in place of the CRLF after chunk data.",
    chunks: `${A}${CONTENT}XX${LAST}`,
  }),
  bad({
    id: "http1/client-chunk-size-line-bare-lf",
    title: "The client rejects a chunk-size line that ends in a bare LF, which only field lines may.",
    chunks: `a\n${DATA}${LAST}`,
    others: [recovered()],
  }),
  bad({
    id: "http1/client-chunk-data-bare-lf",
    title: "The client rejects chunk data that ends in a bare LF.",
    chunks: `${A}${CONTENT}\n${LAST}`,
    others: [recovered()],
  }),
  bad({
    id: "http1/client-chunk-extension-bare-cr",
    title: "The client does not treat a bare CR inside a chunk extension as a line end.",
    chunks: `a;x\r0\r\n${DATA}${LAST}`,
    others: [recovered()],
  }),
  good({
    id: "http1/client-chunked-connection-ends",
    title: "The client accepts complete chunked content even if the connection closes after it.",
    chunks: CHUNKS,
    control: [answer(whole())],
    steps: [answer(inChunks(CHUNKS), { close: "end" })],
  }),
];
