import { answeredLikeFirst, truncatedBlock, get, handshake, firstExchange, request, send, compressionError } from "./phrases.ts";
import type { Case, FieldSpec } from "./vocabulary.ts";

const [, scheme, authority, path] = request() as [FieldSpec, FieldSpec, FieldSpec, FieldSpec];
const REST = [scheme, authority, path];

const error = (words: string, requirement: string, what: string, wrong: string, right: string): Case => ({
  id: `http2/hpack-${words}`,
  spec: "rfc7541#5.2",
  covers: [`rfc7541#5.2/${requirement}`],
  level: "MUST",
  role: "server",
  title: `The server calls it a decoding error when ${what}.`,
  steps: [handshake, send({ ...get(1), blockTail: wrong })],
  control: [handshake, send({ ...get(1), blockTail: right })],
  allowed: requirement === "truncated" ? truncatedBlock : compressionError,
});
/** The octets stand for :method: GET, or for a field beside it. */
const fine = (words: string, requirement: string, what: string, head: string, tail?: string): Case => ({
  id: `http2/hpack-${words}`,
  spec: "rfc7541#5.2",
  covers: [`rfc7541#5.2/${requirement}`],
  level: "MUST",
  role: "server",
  title: `The server reads ${what}.`,
  steps: [...firstExchange, send({ ...get(3), blockHead: head, fields: REST, ...(tail === undefined ? {} : { blockTail: tail }) })],
  control: [...firstExchange, send(get(3))],
  allowed: answeredLikeFirst(3),
});

/** x-a, without indexing; a value must follow. */
const NAME = "0003782d61";
const INDEXED_METHOD = "82";
/** Appendix B: the letter a is 00011, the digit 0 is 00000, EOS is thirty ones. */
const A = "811f";

export const cases: readonly Case[] = [
  fine("huffman-value", "huffman", "a value in Huffman code", "0283c5837f"),
  fine("huffman-name", "huffman", "a name in Huffman code", "0085b9495339e403474554"),
  fine("huffman-empty", "huffman", "an empty string in Huffman code", INDEXED_METHOD, `${NAME}80`),
  fine("huffman-padding-of-seven-bits", "huffman", "Huffman code with seven bits of padding", INDEXED_METHOD, `${NAME}840000007f`),
  fine("huffman-without-padding", "huffman", "Huffman code that ends with its octet", INDEXED_METHOD, `${NAME}850000000000`),
  fine("plain-empty-value", "plain", "an empty value", INDEXED_METHOD, `${NAME}00`),
  error(
    "huffman-padding-of-eleven-bits",
    "padding-long",
    "the padding of Huffman code is longer than seven bits",
    `${NAME}821fff`,
    `${NAME}${A}`,
  ),
  error(
    "huffman-padding-of-eight-bits",
    "padding-long",
    "Huffman code without padding is followed by an octet of it",
    `${NAME}860000000000ff`,
    `${NAME}850000000000`,
  ),
  error("huffman-nothing-but-padding", "padding-long", "Huffman code is nothing but an octet of padding", `${NAME}81ff`, `${NAME}${A}`),
  error("huffman-padding-of-zeros", "padding-eos", "the padding of Huffman code is zeros", `${NAME}8118`, `${NAME}${A}`),
  error("huffman-padding-with-one-zero", "padding-eos", "the padding of Huffman code holds a zero", `${NAME}811b`, `${NAME}${A}`),
  error("huffman-end-of-string", "eos", "Huffman code holds EOS after a character", `${NAME}851fffffffff`, `${NAME}${A}`),
  error("huffman-end-of-string-alone", "eos", "Huffman code is EOS and its padding", `${NAME}84ffffffff`, `${NAME}${A}`),
  error("huffman-end-of-string-then-more", "eos", "Huffman code goes on after EOS", `${NAME}85fffffffc7f`, `${NAME}${A}`),
  error("huffman-end-of-string-in-name", "eos", "Huffman code holds EOS in a name", "0084ffffffff0131", "00811f0131"),
  error("huffman-padding-of-zeros-in-name", "padding-eos", "the padding of Huffman code in a name is zeros", "0081180131", "00811f0131"),
  error("value-longer-than-the-block", "truncated", "a value is longer than what is left of the block", `${NAME}053132`, `${NAME}023132`),
  error("name-longer-than-the-block", "truncated", "a name is longer than what is left of the block", "000a782d61", `${NAME}0131`),
  error(
    "huffman-value-longer-than-the-block",
    "truncated",
    "a value in Huffman code is longer than what is left of the block",
    `${NAME}851f`,
    `${NAME}${A}`,
  ),
  error("value-absent", "truncated", "the block ends after a name", NAME, `${NAME}0131`),
];
