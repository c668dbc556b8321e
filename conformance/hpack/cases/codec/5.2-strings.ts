import { blocksOf, coded, decode, decodingError, gives, indexed, integer, octets, plain, plainly } from "../phrases.ts";
import type { Case, FieldSpec, Row } from "../../vocabulary.ts";

/** A literal named n with this Huffman-encoded value. */
const value = (hex: string): string => `00${plain("n")}${coded(hex)}`;
const every = String.fromCharCode(...Array.from({ length: 256 }, (_, octet) => octet));
/** The 256 octets in order, in the code of rfc7541#B. */
const EVERY_CODED =
  "ffc7fffd8fffffe2fffffe3fffffe4fffffe5fffffe6fffffe7fffffe8ffffeafffffff3fffffa7fffffabffffffdfffffebfffffecfff" +
  "ffedfffffeefffffefffffff0ffffff1ffffff2fffffffbfffffcffffffd3fffffd7fffffdbfffffdffffffe3fffffe7fffffebfffffed" +
  "4fe3f9ffaffcabf1febfafefe7fdfd2cbb00089969b71d79fb9f7fff20ffbff3ff50ddbd7f061c58f265cd9f469d5af66dddbf871e5f9c" +
  "ff7ff7fffc3ff9ffe45fff4719242cb34e6e9d68a6a3d7dac426defe3cfaf7fffbfe7ffbffdffffffcfffe6ffff4bfff9ffffa3fffd3ff" +
  "ff53fffd5ffffb3fffeb7fffdaffffb7ffff73fffeeffffdeffffebffffbfffffd9ffffdbfffebffffe0ffffeeffffc3ffff8bffff1fff" +
  "fe4fffee7fffb1ffff97fffd9ffffcdffff9fffffbffffdafffeeffff4ffffb7fffee7fffe8ffffd3fffdeffffd5fffeeffffbdffffe1f" +
  "ffdfffff7fffff5ffffecffff07fff87fffe0ffff17fffedffff87ffff77fffeffffeaffff8bfffe3ffff93ffff87fffcbffff37ffff1f" +
  "ffff83ffffe1fffebfffe3ffff3fffff2ffffa3ffffd9fffff17ffffc7fffff27ffffdefffffbffffff2fffff8fffffb7fff97fff8ffff" +
  "fe6fffffc1fffff87ffffe7fffffc5ffffe5fffe4ffff2fffffd1fffff4ffffffefffffe3fffffc9fffff97fffb3ffffcffffb7fffcdff" +
  "ff4ffff9ffffd1ffffcffffeaffffafffffddffffeffffff4fffff5fffffabffffa7ffffd7fffff9bffffecfffffb7fffff3fffffe8fff" +
  "ffd3fffffabfffff5fffffff7ffffecfffffdbfffffbbfffff7ffffff0fffffbbf";
/** Each octet after 10 to 17 zeros, whose code has five bits: its own code begins, and ends the string, at every bit of an octet. */
const atEveryBit = Array.from({ length: 8 }, (_, more) => Array.from(every, (char): FieldSpec => ["n", "0".repeat(10 + more) + char]));
/** The same in the middle: two octets between text with short codes. */
const inTheMiddle = Array.from({ length: 8 }, (_, more) =>
  Array.from(every, (char, at): FieldSpec => ["n", `${"e".repeat(20 + more)}${char}${every[(at + 97) % 256]}${"ots".repeat(9)}`]),
);
const lengths = [255, 256, 257, 511, 513, 1_023, 1_025, 4_097, 20_000];
/** Text with short codes, of lengths around those of buffers. */
const longTexts = lengths.map((length): FieldSpec => ["n", "a long text, ".repeat(2_000).slice(0, length)]);
/** Text that decodes to eight octets for every five, of lengths that grow by 3 %: whatever size a buffer has, some text just exceeds it. */
const growing = Array.from({ length: 130 }, (_, n): FieldSpec => ["n", "e".repeat(Math.round(100 * 1.03 ** n))]);
/** The letter a is 00011, so three bits of padding complete the octet. */
const goodA = value("1f");

const wrongHuffman = ({
  requirement,
  hex,
  legal = goodA,
  ...row
}: Row & { readonly requirement: "padding-long" | "padding-eos" | "eos"; readonly hex: string; readonly legal?: string }): Case => ({
  spec: "rfc7541#5.2",
  covers: [`rfc7541#5.2/${requirement}`],
  level: "MUST",
  role: "codec",
  steps: decode(value(hex)),
  control: decode(legal),
  allowed: decodingError,
  ...row,
});
const truncated = ({ block, legal, ...row }: Row & { readonly block: string; readonly legal: string }): Case => ({
  spec: "rfc7541#5.2",
  covers: ["rfc7541#5.2/truncated"],
  level: "MUST",
  role: "codec",
  steps: decode(block),
  control: decode(legal),
  allowed: decodingError,
  ...row,
});
const decodes = ({
  blocks,
  lists,
  ...row
}: Row<"covers"> & { readonly blocks: readonly string[]; readonly lists: readonly (readonly FieldSpec[])[] }): Case => ({
  spec: "rfc7541#5.2",
  level: "MUST",
  role: "codec",
  steps: decode(...blocks),
  control: decode(indexed(2)),
  allowed: gives(...lists),
  ...row,
});

/** The first octets of a code, and the next field, whose first bits would complete it. */
const CUT_CODES: readonly (readonly [bits: number, cut: string, next: string, legal: string])[] = [
  [10, "fe", plainly("m", "v"), "fe3f"],
  [19, "fffe", plainly("m", "v"), "fffe1f"],
  [23, "ffff", indexed(49), "ffffb1"],
  [28, "fffffe", indexed(2), "fffffe8f"],
];

/** String literals (rfc7541#5.2), plain and Huffman-encoded. */
export const cases: readonly Case[] = [
  decodes({
    id: "hpack/string-every-octet",
    title: "A decoder decodes a plain string of all 256 octets.",
    covers: ["rfc7541#5.2/plain"],
    blocks: [plainly("n", every)],
    lists: [[["n", every]]],
  }),
  decodes({
    id: "hpack/string-empty",
    title: "A decoder decodes empty values, plain and Huffman-encoded.",
    covers: ["rfc7541#5.2/plain", "rfc7541#5.2/huffman"],
    blocks: [`${plainly("n", "")}${value("")}`],
    lists: [
      [
        ["n", ""],
        ["n", ""],
      ],
    ],
  }),
  decodes({
    id: "hpack/string-of-10000-octets",
    title: "A decoder decodes a value of 10,000 octets.",
    covers: ["rfc7541#5.2/plain", "rfc7541#5.1/prefix"],
    blocks: [plainly("n", "x".repeat(10_000))],
    lists: [[["n", "x".repeat(10_000)]]],
  }),
  decodes({
    id: "hpack/huffman-every-octet",
    title: "A decoder decodes a Huffman-encoded string of all 256 octets.",
    covers: ["rfc7541#5.2/huffman"],
    blocks: [value(EVERY_CODED)],
    lists: [[["n", every]]],
  }),
  decodes({
    id: "hpack/huffman-octets-at-the-end",
    title: "A decoder decodes each octet at the end of a Huffman string, wherever its code begins.",
    covers: ["rfc7541#5.2/huffman"],
    blocks: blocksOf(atEveryBit),
    lists: atEveryBit,
  }),
  decodes({
    id: "hpack/huffman-octets-in-the-middle",
    title: "A decoder decodes pairs of octets in the middle of a Huffman string, wherever their codes begin.",
    covers: ["rfc7541#5.2/huffman"],
    blocks: blocksOf(inTheMiddle),
    lists: inTheMiddle,
  }),
  decodes({
    id: "hpack/huffman-long-strings",
    title: "A decoder decodes Huffman strings of up to 20,000 octets, a longer one after a shorter one and the reverse.",
    covers: ["rfc7541#5.2/huffman"],
    blocks: blocksOf([longTexts, longTexts.toReversed()]),
    lists: [longTexts, longTexts.toReversed()],
  }),
  decodes({
    id: "hpack/huffman-shortest-codes",
    title: "A decoder decodes Huffman strings of the shortest codes, of 130 lengths from 100 to 4,500 octets.",
    covers: ["rfc7541#5.2/huffman"],
    blocks: blocksOf([growing]),
    lists: [growing],
  }),
  decodes({
    id: "hpack/huffman-names",
    title: "A decoder decodes Huffman-encoded names with plain and Huffman-encoded values.",
    covers: ["rfc7541#5.2/huffman"],
    blocks: [`00${coded("25a849e95ba97d7f")}${plain("plain")}00${coded("25a849e95ba97d7f")}${coded("25a849e95bb8e8b4bf")}`],
    lists: [
      [
        ["custom-key", "plain"],
        ["custom-key", "custom-value"],
      ],
    ],
  }),
  decodes({
    id: "hpack/huffman-padding-of-seven-bits",
    title: "A decoder accepts Huffman padding of seven bits.",
    covers: ["rfc7541#5.2/huffman"],
    blocks: [value("f7fc7f")],
    lists: [[["n", "z!"]]],
  }),
  decodes({
    id: "hpack/huffman-without-padding",
    title: "A decoder accepts a Huffman-encoded string that ends on an octet boundary.",
    covers: ["rfc7541#5.2/huffman"],
    blocks: [value("f8")],
    lists: [[["n", "&"]]],
  }),
  wrongHuffman({
    id: "hpack/huffman-padding-of-eight-bits",
    title: "A decoder rejects a Huffman-encoded string with eight bits of padding.",
    requirement: "padding-long",
    hex: "f8ff",
    legal: value("f8"),
  }),
  wrongHuffman({
    id: "hpack/huffman-padding-of-eleven-bits",
    title: "A decoder rejects a Huffman-encoded string with eleven bits of padding.",
    requirement: "padding-long",
    hex: "1fff",
  }),
  wrongHuffman({
    id: "hpack/huffman-padding-alone",
    title: "A decoder rejects a Huffman-encoded string of one octet of ones.",
    requirement: "padding-long",
    hex: "ff",
  }),
  wrongHuffman({
    id: "hpack/huffman-padding-of-zeros",
    title: "A decoder rejects a Huffman-encoded string padded with zeros.",
    requirement: "padding-eos",
    hex: "18",
  }),
  wrongHuffman({
    id: "hpack/huffman-padding-of-zeros-before-strings",
    title: "A decoder rejects padding of zeros even if the octets that follow could complete another field.",
    requirement: "padding-eos",
    // If the decoder goes on with the string itself, 18 begins a literal with an indexed name.
    hex: "18",
    steps: decode(`${value("18")}${plain("ab")}`),
    legal: `${value("1f")}${plainly("m", "ab")}`,
  }),
  wrongHuffman({
    id: "hpack/huffman-padding-mixed",
    title: "A decoder rejects a Huffman-encoded string whose padding is not all ones.",
    requirement: "padding-eos",
    hex: "1e",
  }),
  wrongHuffman({
    id: "hpack/huffman-cut-inside-a-long-code",
    title: "A decoder rejects a Huffman-encoded string that ends inside a long code, even if its octets could be another field.",
    requirement: "padding-long",
    // If the decoder goes on with the string itself, it is a literal named n.
    hex: "00016e03ffffff",
  }),
  ...CUT_CODES.map(([bits, cut, next, legal]) =>
    wrongHuffman({
      id: `hpack/huffman-cut-inside-a-code-of-${bits}-bits`,
      title: `A decoder rejects a Huffman-encoded string that ends inside a code of ${bits} bits, even if the next field begins with the others.`,
      requirement: "padding-eos",
      hex: cut,
      steps: decode(value(cut) + next),
      legal: value(legal) + next,
    }),
  ),
  wrongHuffman({
    id: "hpack/huffman-eos-alone",
    title: "A decoder rejects a Huffman-encoded string of EOS alone.",
    requirement: "eos",
    hex: "ffffffff",
  }),
  wrongHuffman({
    id: "hpack/huffman-eos-at-end",
    title: "A decoder rejects a Huffman-encoded string that ends with EOS.",
    requirement: "eos",
    hex: "1fffffffff",
  }),
  wrongHuffman({
    id: "hpack/huffman-eos-inside",
    title: "A decoder rejects a Huffman-encoded string with EOS inside.",
    requirement: "eos",
    hex: "1fffffffe3",
  }),
  wrongHuffman({
    id: "hpack/huffman-eos-in-octets-of-a-field",
    title: "A decoder rejects a Huffman-encoded string with EOS inside, even if its octets could be another field.",
    requirement: "eos",
    // If the decoder goes on with the string itself, it is a literal named n.
    hex: "00016e08ffffffffffffffff",
  }),
  truncated({
    id: "hpack/string-cut-before-name",
    title: "A decoder rejects a block that ends before the length of a name.",
    block: "00",
    legal: plainly("n", "v"),
  }),
  truncated({
    id: "hpack/string-cut-inside-name",
    title: "A decoder rejects a block that ends inside a name.",
    block: `00${integer(4, 7)}${octets("nam")}`,
    legal: plainly("name", "v"),
  }),
  truncated({
    id: "hpack/string-cut-before-value",
    title: "A decoder rejects a block that ends before the length of a value.",
    block: `00${plain("n")}`,
    legal: plainly("n", "v"),
  }),
  truncated({
    id: "hpack/string-cut-inside-value",
    title: "A decoder rejects a block that ends inside a value.",
    block: `00${plain("n")}${integer(4, 7)}${octets("val")}`,
    legal: plainly("n", "val"),
  }),
  truncated({
    id: "hpack/string-cut-inside-huffman-value",
    title: "A decoder rejects a block that ends inside a Huffman-encoded value.",
    block: `00${plain("n")}89${"25a849e95bb8e8b4"}`,
    legal: value("25a849e95bb8e8b4bf"),
  }),
  truncated({
    id: "hpack/string-cut-in-second-literal",
    title: "A decoder rejects a block that ends inside its second literal.",
    block: `${plainly("n", "v")}00${plain("m")}05`,
    legal: plainly("n", "v"),
  }),
];
