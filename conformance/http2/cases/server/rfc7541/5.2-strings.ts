import { answeredLikeFirst, compressionError, firstExchange, get, handshake, send, truncatedBlock, withoutMethod } from "../../phrases.ts";
import type { Case, Row } from "../../../vocabulary.ts";

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
/** `head` encodes :method: GET, or `tail` a field after it. */
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
  steps: [
    ...firstExchange,
    send({ ...get(3), blockHead: head, fields: withoutMethod, ...(tail === undefined ? {} : { blockTail: tail }) }),
  ],
  control: [...firstExchange, send(get(3))],
  allowed: answeredLikeFirst(3),
  ...row,
});

/** The name x-a of a literal without indexing; the value follows. */
const NAME = "0003782d61";
const INDEXED_METHOD = "82";
/** In the Huffman code (rfc7541#B) the letter a is 00011, the digit 0 is 00000 and EOS is thirty ones. */
const A = "811f";

/** String literals (rfc7541#5.2). */
export const cases: readonly Case[] = [
  decodes({
    id: "http2/hpack-huffman-value",
    title: "The server decodes a Huffman-encoded value.",
    requirement: "huffman",
    head: "0283c5837f",
  }),
  decodes({
    id: "http2/hpack-huffman-name",
    title: "The server decodes a Huffman-encoded name.",
    requirement: "huffman",
    head: "0085b9495339e403474554",
  }),
  decodes({
    id: "http2/hpack-huffman-empty",
    title: "The server decodes an empty Huffman-encoded string.",
    requirement: "huffman",
    head: INDEXED_METHOD,
    tail: `${NAME}80`,
  }),
  decodes({
    id: "http2/hpack-huffman-padding-of-seven-bits",
    title: "The server decodes a Huffman-encoded string with seven bits of padding.",
    requirement: "huffman",
    head: INDEXED_METHOD,
    tail: `${NAME}840000007f`,
  }),
  decodes({
    id: "http2/hpack-huffman-without-padding",
    title: "The server decodes a Huffman-encoded string that ends on an octet boundary.",
    requirement: "huffman",
    head: INDEXED_METHOD,
    tail: `${NAME}850000000000`,
  }),
  decodes({
    id: "http2/hpack-plain-empty-value",
    title: "The server decodes an empty value.",
    requirement: "plain",
    head: INDEXED_METHOD,
    tail: `${NAME}00`,
  }),
  decodingError({
    id: "http2/hpack-huffman-padding-of-eleven-bits",
    title: "The server treats Huffman padding longer than seven bits as a decoding error.",
    requirement: "padding-long",
    wrong: `${NAME}821fff`,
    legal: `${NAME}${A}`,
  }),
  decodingError({
    id: "http2/hpack-huffman-padding-of-eight-bits",
    title: "The server treats an octet of padding after a Huffman-encoded string that needs none as a decoding error.",
    requirement: "padding-long",
    wrong: `${NAME}860000000000ff`,
    legal: `${NAME}850000000000`,
  }),
  decodingError({
    id: "http2/hpack-huffman-nothing-but-padding",
    title: "The server treats a Huffman-encoded string of padding only as a decoding error.",
    requirement: "padding-long",
    wrong: `${NAME}81ff`,
    legal: `${NAME}${A}`,
  }),
  decodingError({
    id: "http2/hpack-huffman-padding-of-zeros",
    title: "The server treats Huffman padding of zeros as a decoding error.",
    requirement: "padding-eos",
    wrong: `${NAME}8118`,
    legal: `${NAME}${A}`,
  }),
  decodingError({
    id: "http2/hpack-huffman-padding-with-one-zero",
    title: "The server treats Huffman padding with one zero bit as a decoding error.",
    requirement: "padding-eos",
    wrong: `${NAME}811b`,
    legal: `${NAME}${A}`,
  }),
  decodingError({
    id: "http2/hpack-huffman-end-of-string",
    title: "The server treats EOS after a character in a Huffman-encoded string as a decoding error.",
    requirement: "eos",
    wrong: `${NAME}851fffffffff`,
    legal: `${NAME}${A}`,
  }),
  decodingError({
    id: "http2/hpack-huffman-end-of-string-alone",
    title: "The server treats a Huffman-encoded string of EOS and padding as a decoding error.",
    requirement: "eos",
    wrong: `${NAME}84ffffffff`,
    legal: `${NAME}${A}`,
  }),
  decodingError({
    id: "http2/hpack-huffman-end-of-string-then-more",
    title: "The server treats a Huffman-encoded string that continues after EOS as a decoding error.",
    requirement: "eos",
    wrong: `${NAME}85fffffffc7f`,
    legal: `${NAME}${A}`,
  }),
  decodingError({
    id: "http2/hpack-huffman-end-of-string-in-name",
    title: "The server treats EOS in a Huffman-encoded name as a decoding error.",
    requirement: "eos",
    wrong: "0084ffffffff0131",
    legal: "00811f0131",
  }),
  decodingError({
    id: "http2/hpack-huffman-end-of-string-in-octets-of-a-field",
    title: "The server treats EOS inside a Huffman-encoded string as a decoding error, even if its octets could be another field.",
    requirement: "eos",
    // A decoder that goes on with the string itself finds a literal named n.
    wrong: `${NAME}8c00016e08ffffffffffffffff`,
    legal: `${NAME}${A}`,
  }),
  decodingError({
    id: "http2/hpack-huffman-padding-of-zeros-in-name",
    title: "The server treats Huffman padding of zeros in a name as a decoding error.",
    requirement: "padding-eos",
    wrong: "0081180131",
    legal: "00811f0131",
  }),
  decodingError({
    id: "http2/hpack-value-longer-than-the-block",
    title: "The server treats a value longer than the rest of the block as a decoding error.",
    requirement: "truncated",
    wrong: `${NAME}053132`,
    legal: `${NAME}023132`,
  }),
  decodingError({
    id: "http2/hpack-name-longer-than-the-block",
    title: "The server treats a name longer than the rest of the block as a decoding error.",
    requirement: "truncated",
    wrong: "000a782d61",
    legal: `${NAME}0131`,
  }),
  decodingError({
    id: "http2/hpack-huffman-value-longer-than-the-block",
    title: "The server treats a Huffman-encoded value longer than the rest of the block as a decoding error.",
    requirement: "truncated",
    wrong: `${NAME}851f`,
    legal: `${NAME}${A}`,
  }),
  decodingError({
    id: "http2/hpack-value-absent",
    title: "The server treats a block that ends after a name as a decoding error.",
    requirement: "truncated",
    wrong: NAME,
    legal: `${NAME}0131`,
  }),
];
