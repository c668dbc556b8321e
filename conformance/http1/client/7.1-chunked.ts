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
    title: "Content in chunks ends with the last of them: nobody waits for the end of the connection.",
    right: whole(),
    text: inChunks(CHUNKS),
  }),
  accepts({
    id: "http1/client-chunked-empty",
    spec,
    covers: ["rfc9112#7.1/decode"],
    title: "The last chunk alone is content of no octets.",
    right: whole(),
    text: inChunks(LAST),
    output: "",
  }),
  good({
    id: "http1/client-chunks-of-one-octet",
    title: "Chunks of one octet each are joined.",
    chunks: [...CONTENT].map((one) => chunk(one)).join("") + LAST,
  }),
  good({ id: "http1/client-chunk-size-upper-case", title: "Sizes have hexadecimal digits in capitals.", chunks: `A\r\n${DATA}${LAST}` }),
  good({
    id: "http1/client-chunk-size-lower-case",
    title: "Sizes have hexadecimal digits in small letters.",
    chunks: `${A}${DATA}${LAST}`,
  }),
  good({
    id: "http1/client-chunk-size-leading-zeros",
    title: "Zeros in front of a size are digits.",
    chunks: `0000000a\r\n${DATA}${LAST}`,
  }),
  good({ id: "http1/client-last-chunk-of-zeros", title: "The last chunk may have more than one zero.", chunks: `${A}${DATA}0000\r\n\r\n` }),
  good({
    id: "http1/client-chunk-large",
    title: "A chunk of 100,000 octets is taken to its end.",
    chunks: chunk("0123456789".repeat(10_000)) + LAST,
    output: "0123456789".repeat(10_000),
  }),
  good({
    id: "http1/client-chunk-holds-line-ends",
    title: "What looks like a last chunk inside a chunk is data.",
    chunks: chunk(`\r\n${LAST}`) + LAST,
    output: `\r\n${LAST}`,
  }),
  good({
    id: "http1/client-chunks-octet-by-octet",
    title: "Chunks that come octet by octet are the same chunks.",
    chunks: `5;a="b"\r\ntouch\r\n05\r\nstone\r\n0\r\nX-Odd: 1\r\n\r\n`,
    cut: 1,
  }),
  good({
    id: "http1/client-chunks-in-twos",
    title: "Chunks that come in pieces of two octets are the same chunks.",
    chunks: `5;a="b"\r\ntouch\r\n05\r\nstone\r\n0\r\nX-Odd: 1\r\n\r\n`,
    cut: 2,
  }),
  badSize("http1/client-chunk-size-word", "A size of other letters is none.", "xyz"),
  badSize("http1/client-chunk-size-empty", "A chunk without a size is none.", ""),
  badSize("http1/client-chunk-size-hexadecimal-prefix", "A size with 0x in front of it is none.", "0xa"),
  badSize("http1/client-chunk-size-plus", "A size with a plus sign is none.", "+a"),
  badSize("http1/client-chunk-size-minus", "A negative size is none.", "-a"),
  badSize("http1/client-chunk-size-underscore", "A size with an underscore is none.", "0_a"),
  badSize("http1/client-chunk-size-space-inside", "A size with a space inside is none.", "0 a"),
  badSize("http1/client-chunk-size-space-before", "A space in front of a size is not part of a chunk.", " a", recovered()),
  badSize("http1/client-chunk-size-letters-behind", "Letters behind a size are no part of it.", "axyz"),
  badSize("http1/client-chunk-size-nul", "NUL behind a size is no part of it.", "a\0"),
  tooLarge("http1/client-chunk-size-overflow-64", "A size of 2 to the 64th and ten more does not become ten.", "1000000000000000a"),
  tooLarge("http1/client-chunk-size-overflow-32", "A size of 2 to the 32nd and ten more does not become ten.", "10000000a"),
  tooLarge("http1/client-chunk-size-negative-by-sign-bit", "The largest size of 64 bits is not a negative one.", "ffffffffffffffff"),
  bad("http1/client-chunk-longer", "A chunk with more data than its size has no end.", `5\r\n${DATA}${LAST}`),
  bad("http1/client-chunk-shorter", "A chunk with less data than its size takes in what follows, and has no end.", `c\r\n${DATA}${LAST}`),
  bad("http1/client-chunk-without-line-end", "Behind its data a chunk has a line end.", `${A}${CONTENT}${LAST}`),
  bad(
    "http1/client-chunk-with-other-octets-behind",
    "Behind its data a chunk has a line end, and not two octets of another kind.",
    `${A}${CONTENT}XX${LAST}`,
  ),
  bad(
    "http1/client-chunk-size-line-bare-lf",
    "The line of a size ends in CRLF: LF alone is leave for field lines, not for chunks.",
    `a\n${DATA}${LAST}`,
    recovered(),
  ),
  bad(
    "http1/client-chunk-data-bare-lf",
    "The data of a chunk is followed by CRLF, not by LF alone.",
    `${A}${CONTENT}\n${LAST}`,
    recovered(),
  ),
  bad("http1/client-chunk-extension-bare-cr", "A CR inside a chunk extension ends no line.", `a;x\r0\r\n${DATA}${LAST}`, recovered()),
  good({
    id: "http1/client-chunked-connection-ends",
    title: "Chunks that have come to their end are whole, whatever becomes of the connection.",
    chunks: CHUNKS,
    control: [answer(whole())],
    steps: [answer(inChunks(CHUNKS), { close: "end" })],
  }),
];
