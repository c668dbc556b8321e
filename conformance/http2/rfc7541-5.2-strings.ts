import { answeredLikeFirst, compressionError, firstExchange, get, handshake, request, send, truncatedBlock } from "./phrases.ts";
import type { Case, Row } from "./vocabulary.ts";

const [, scheme, authority, path] = request();
const REST = [scheme, authority, path];

const decodingError = ({
  requirement,
  wrong,
  legal,
  ...row
}: Row & { readonly requirement: string; readonly wrong: string; readonly legal: string }): Case => ({
  spec: "rfc7541#5.2",
  covers: [`rfc7541#5.2/${requirement}`],
  level: "MUST",
  role: "server",
  steps: [handshake, send({ ...get(1), blockTail: wrong })],
  control: [handshake, send({ ...get(1), blockTail: legal })],
  allowed: requirement === "truncated" ? truncatedBlock : compressionError,
  ...row,
});
/** The octets stand for :method: GET, or for a field beside it. */
const decodes = ({
  requirement,
  head,
  tail,
  ...row
}: Row & { readonly requirement: string; readonly head: string; readonly tail?: string }): Case => ({
  spec: "rfc7541#5.2",
  covers: [`rfc7541#5.2/${requirement}`],
  level: "MUST",
  role: "server",
  steps: [...firstExchange, send({ ...get(3), blockHead: head, fields: REST, ...(tail === undefined ? {} : { blockTail: tail }) })],
  control: [...firstExchange, send(get(3))],
  allowed: answeredLikeFirst(3),
  ...row,
});

/** x-a, without indexing; a value must follow. */
const NAME = "0003782d61";
const INDEXED_METHOD = "82";
/** Appendix B: the letter a is 00011, the digit 0 is 00000, EOS is thirty ones. */
const A = "811f";

export const cases: readonly Case[] = [
  decodes({
    id: "http2/hpack-huffman-value",
    title: "The server reads a value in Huffman code.",
    requirement: "huffman",
    head: "0283c5837f",
  }),
  decodes({
    id: "http2/hpack-huffman-name",
    title: "The server reads a name in Huffman code.",
    requirement: "huffman",
    head: "0085b9495339e403474554",
  }),
  decodes({
    id: "http2/hpack-huffman-empty",
    title: "The server reads an empty string in Huffman code.",
    requirement: "huffman",
    head: INDEXED_METHOD,
    tail: `${NAME}80`,
  }),
  decodes({
    id: "http2/hpack-huffman-padding-of-seven-bits",
    title: "The server reads Huffman code with seven bits of padding.",
    requirement: "huffman",
    head: INDEXED_METHOD,
    tail: `${NAME}840000007f`,
  }),
  decodes({
    id: "http2/hpack-huffman-without-padding",
    title: "The server reads Huffman code that ends with its octet.",
    requirement: "huffman",
    head: INDEXED_METHOD,
    tail: `${NAME}850000000000`,
  }),
  decodes({
    id: "http2/hpack-plain-empty-value",
    title: "The server reads an empty value.",
    requirement: "plain",
    head: INDEXED_METHOD,
    tail: `${NAME}00`,
  }),
  decodingError({
    id: "http2/hpack-huffman-padding-of-eleven-bits",
    title: "The server calls it a decoding error when the padding of Huffman code is longer than seven bits.",
    requirement: "padding-long",
    wrong: `${NAME}821fff`,
    legal: `${NAME}${A}`,
  }),
  decodingError({
    id: "http2/hpack-huffman-padding-of-eight-bits",
    title: "The server calls it a decoding error when Huffman code without padding is followed by an octet of it.",
    requirement: "padding-long",
    wrong: `${NAME}860000000000ff`,
    legal: `${NAME}850000000000`,
  }),
  decodingError({
    id: "http2/hpack-huffman-nothing-but-padding",
    title: "The server calls it a decoding error when Huffman code is nothing but an octet of padding.",
    requirement: "padding-long",
    wrong: `${NAME}81ff`,
    legal: `${NAME}${A}`,
  }),
  decodingError({
    id: "http2/hpack-huffman-padding-of-zeros",
    title: "The server calls it a decoding error when the padding of Huffman code is zeros.",
    requirement: "padding-eos",
    wrong: `${NAME}8118`,
    legal: `${NAME}${A}`,
  }),
  decodingError({
    id: "http2/hpack-huffman-padding-with-one-zero",
    title: "The server calls it a decoding error when the padding of Huffman code holds a zero.",
    requirement: "padding-eos",
    wrong: `${NAME}811b`,
    legal: `${NAME}${A}`,
  }),
  decodingError({
    id: "http2/hpack-huffman-end-of-string",
    title: "The server calls it a decoding error when Huffman code holds EOS after a character.",
    requirement: "eos",
    wrong: `${NAME}851fffffffff`,
    legal: `${NAME}${A}`,
  }),
  decodingError({
    id: "http2/hpack-huffman-end-of-string-alone",
    title: "The server calls it a decoding error when Huffman code is EOS and its padding.",
    requirement: "eos",
    wrong: `${NAME}84ffffffff`,
    legal: `${NAME}${A}`,
  }),
  decodingError({
    id: "http2/hpack-huffman-end-of-string-then-more",
    title: "The server calls it a decoding error when Huffman code goes on after EOS.",
    requirement: "eos",
    wrong: `${NAME}85fffffffc7f`,
    legal: `${NAME}${A}`,
  }),
  decodingError({
    id: "http2/hpack-huffman-end-of-string-in-name",
    title: "The server calls it a decoding error when Huffman code holds EOS in a name.",
    requirement: "eos",
    wrong: "0084ffffffff0131",
    legal: "00811f0131",
  }),
  decodingError({
    id: "http2/hpack-huffman-padding-of-zeros-in-name",
    title: "The server calls it a decoding error when the padding of Huffman code in a name is zeros.",
    requirement: "padding-eos",
    wrong: "0081180131",
    legal: "00811f0131",
  }),
  decodingError({
    id: "http2/hpack-value-longer-than-the-block",
    title: "The server calls it a decoding error when a value is longer than what is left of the block.",
    requirement: "truncated",
    wrong: `${NAME}053132`,
    legal: `${NAME}023132`,
  }),
  decodingError({
    id: "http2/hpack-name-longer-than-the-block",
    title: "The server calls it a decoding error when a name is longer than what is left of the block.",
    requirement: "truncated",
    wrong: "000a782d61",
    legal: `${NAME}0131`,
  }),
  decodingError({
    id: "http2/hpack-huffman-value-longer-than-the-block",
    title: "The server calls it a decoding error when a value in Huffman code is longer than what is left of the block.",
    requirement: "truncated",
    wrong: `${NAME}851f`,
    legal: `${NAME}${A}`,
  }),
  decodingError({
    id: "http2/hpack-value-absent",
    title: "The server calls it a decoding error when the block ends after a name.",
    requirement: "truncated",
    wrong: NAME,
    legal: `${NAME}0131`,
  }),
];
