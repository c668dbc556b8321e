import type { Case, Outcome, Step, Text } from "../vocabulary.ts";
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

/** Malformed chunks: decoding fails, and the response is incomplete. */
const bad = (id: Case["id"], title: string, chunks: Text, ...others: readonly Outcome[]): Case =>
  rejects({
    id,
    spec,
    covers: ["rfc9112#7.1/grammar", "rfc9112#8/recorded"],
    title,
    text: inChunks(chunks),
    right: inChunks(CHUNKS),
    others,
  });

/** An invalid size, before data of the length that a lenient reader would expect. */
const badSize = (id: Case["id"], title: string, size: Text, ...others: readonly Outcome[]): Case =>
  bad(id, title, `${size}\r\n${DATA}${LAST}`, ...others);

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
  badSize("http1/client-chunk-size-word", "The client rejects a chunk size that is not hexadecimal.", "xyz"),
  badSize("http1/client-chunk-size-empty", "The client rejects a chunk without a size.", ""),
  badSize("http1/client-chunk-size-hexadecimal-prefix", "The client rejects a chunk size with the prefix 0x.", "0xa"),
  badSize("http1/client-chunk-size-plus", "The client rejects a chunk size with a plus sign.", "+a"),
  badSize("http1/client-chunk-size-minus", "The client rejects a negative chunk size.", "-a"),
  badSize("http1/client-chunk-size-underscore", "The client rejects a chunk size with an underscore.", "0_a"),
  badSize("http1/client-chunk-size-space-inside", "The client rejects a chunk size with a space inside.", "0 a"),
  badSize("http1/client-chunk-size-space-before", "The client rejects a space before a chunk size.", " a", recovered()),
  badSize("http1/client-chunk-size-letters-behind", "The client rejects a chunk size followed by other letters.", "axyz"),
  badSize("http1/client-chunk-size-nul", "The client rejects NUL after a chunk size.", "a\0"),
  tooLarge("http1/client-chunk-size-overflow-64", "The client does not truncate a chunk size of 2^64 + 10 to 10.", "1000000000000000a"),
  tooLarge("http1/client-chunk-size-overflow-32", "The client does not truncate a chunk size of 2^32 + 10 to 10.", "10000000a"),
  tooLarge(
    "http1/client-chunk-size-negative-by-sign-bit",
    "The client does not read the largest 64-bit chunk size as negative.",
    "ffffffffffffffff",
  ),
  bad("http1/client-chunk-longer", "The client rejects a chunk that is longer than its size.", `5\r\n${DATA}${LAST}`),
  bad("http1/client-chunk-shorter", "The client rejects a chunk that is shorter than its size.", `c\r\n${DATA}${LAST}`),
  bad("http1/client-chunk-without-line-end", "The client rejects chunk data without a line end.", `${A}${CONTENT}${LAST}`),
  bad(
    "http1/client-chunk-with-other-octets-behind",
    "The client rejects other octets in place of the CRLF after chunk data.",
    `${A}${CONTENT}XX${LAST}`,
  ),
  bad(
    "http1/client-chunk-size-line-bare-lf",
    "The client rejects a chunk-size line that ends in a bare LF, which only field lines may.",
    `a\n${DATA}${LAST}`,
    recovered(),
  ),
  bad("http1/client-chunk-data-bare-lf", "The client rejects chunk data that ends in a bare LF.", `${A}${CONTENT}\n${LAST}`, recovered()),
  bad(
    "http1/client-chunk-extension-bare-cr",
    "The client does not treat a bare CR inside a chunk extension as a line end.",
    `a;x\r0\r\n${DATA}${LAST}`,
    recovered(),
  ),
  good({
    id: "http1/client-chunked-connection-ends",
    title: "The client accepts complete chunked content even if the connection closes after it.",
    chunks: CHUNKS,
    control: [answer(whole())],
    steps: [answer(inChunks(CHUNKS), { close: "end" })],
  }),
];
